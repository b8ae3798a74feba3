"""The floor under any watch: watchdog alone on one folder, a line for each event.

usage: watch_events.py FOLDER        prints "ready", then one line an event, until standard input ends
"""

from __future__ import annotations

import sys

from watchdog import events
from watchdog.observers import Observer


class Printer(events.FileSystemEventHandler):
    def dispatch(self, event: events.FileSystemEvent) -> None:
        sys.stdout.write(f"{event.event_type}\n")
        sys.stdout.flush()


def main() -> int:
    observer = Observer()
    kinds: list[type[events.FileSystemEvent]] = [
        events.FileCreatedEvent, events.FileModifiedEvent, events.FileDeletedEvent, events.FileMovedEvent,
    ]  # fmt: skip
    observer.schedule(Printer(), sys.argv[1], recursive=False, event_filter=kinds)
    observer.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
