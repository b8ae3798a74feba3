"""Runs a program and tells what it cost: python -I -S launch.py DESCRIPTOR PROGRAM [ARGUMENT]...

A process keeps the peak memory of the one that started it: the system counts what stood there before the
program was loaded. So programs are not started by the benchmarks, which have grown large, but by this one,
which imports nothing. Written to DESCRIPTOR: exit status as of ``wait``, seconds of wall and CPU time, peak
memory in the system's unit.
"""

import os
import sys
import time


def main() -> None:
    report, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(report, False)
    start = time.perf_counter()
    # wait4 and not a loop that polls: that one would round the time.
    _, status, usage = os.wait4(os.posix_spawnp(command[0], command, os.environ), 0)
    wall = time.perf_counter() - start
    os.write(report, b"%d %.9f %.9f %d" % (status, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss))


if __name__ == "__main__":
    main()
