"""R0 The harness notices: each of eight faults planted into our own code is caught by at least one check."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.changes.operations import OPERATIONS as PLANS
from tests.changes.operations import TRANSCRIPT
from tests.disk.checks import (
    after_each_failing_call,
    between_read_and_replace,
    under_the_lock,
    with_a_damaged_copy,
)
from tests.disk.operations import OPERATIONS
from tests.disk.planted import planted
from tests.disk.power import power_failures

BY_NAME = {operation.name: operation for operation in (*OPERATIONS, *PLANS)}

Check = Callable[[], Iterator[str]]


def faults(name: str) -> Check:
    return lambda: after_each_failing_call(BY_NAME[name])


def power(name: str) -> Check:
    return lambda: power_failures(BY_NAME[name], seeds=10)


PLANTS: dict[str, tuple[str, str, str, Check]] = {
    "no line end before a record that follows a torn line": (
        "agentbrief.disk.append",
        'torn = before.st_size > 0 and fs.pread(descriptor, 1, before.st_size - 1) != b"\\n"',
        "torn = False",
        faults("append after a torn line"),
    ),
    "the folder is not synced": (
        "agentbrief.disk.replace",
        "        if durable:\n            fs.sync_folder(folder)\n    except",
        "        pass\n    except",
        power("replace"),
    ),
    "a failed append is not taken back": (
        "agentbrief.disk.append",
        "            fs.truncate(descriptor, size)",
        "            pass",
        faults("append"),
    ),
    "a store is parsed and written anew": (
        "agentbrief.changes.store_text",
        "    return Edited(_laid_out(data, entries, removed, values, added), tuple(left_out))",
        "    return Edited(dumps(loads(_laid_out(data, entries, removed, values, added))), tuple(left_out))",
        faults("store update"),
    ),
    "a file is renamed before it is synced": (
        "agentbrief.disk.temporary",
        "            if durable:\n                fs.sync(descriptor)",
        "            pass",
        power("replace"),
    ),
    "the version is not compared": (
        "agentbrief.disk.present",
        "    return found == expect",
        "    return True",
        between_read_and_replace,
    ),
    "the original is removed before its copy was read back": (
        "agentbrief.disk.copy",
        "if sha256_of(fs, folder, temporary) != written or",
        "if",
        lambda: with_a_damaged_copy(BY_NAME["trash on another device"], (TRANSCRIPT, b"{}\n")),
    ),
    "an append without the lock": (
        "agentbrief.disk.lock",
        "            lock.acquire()",
        "            pass",
        lambda: under_the_lock(BY_NAME["append"]),
    ),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_fault_is_caught(plant: str) -> None:
    module, old, new, check = PLANTS[plant]
    with planted(module, old, new):
        assert next(check(), None) is not None
    assert list(check()) == []
