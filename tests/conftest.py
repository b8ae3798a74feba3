"""What holds for every test.

AGENTBRIEF_TIER=plain runs the suite as if orjson and msgspec were not installed. An audit hook watches the
features while they are tested: only the room ``disk`` touches files, and nothing starts a program or connects
to anything.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

if os.environ.get("AGENTBRIEF_TIER") == "plain":
    sys.modules["orjson"] = None  # type: ignore[assignment]
    sys.modules["msgspec"] = None  # type: ignore[assignment]

# No test fails because it was slow: the machine may be doing something else.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

TESTS = str(Path(__file__).parent) + os.sep
FEATURES = str(Path(__file__).parents[1] / "features" / "agentbrief") + os.sep
# The last one lists its own package, to find the rules.
MAY_TOUCH_FILES = tuple(
    name.replace("/", os.sep) for name in ("disk/", "messages/", "profiles/", "tokens/", "rules/registry.py")
)
MAY_START_A_PROGRAM = ("compaction" + os.sep + "providers" + os.sep + "command.py",)
FILE_EVENTS = frozenset(
    {
        "open",
        "os.listdir",
        "os.scandir",
        "os.rename",
        "os.remove",
        "os.rmdir",
        "os.mkdir",
        "os.truncate",
        "os.chmod",
    }
)
NEVER = (
    "subprocess.",
    "socket.connect",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "os.system",
    "ctypes.dlopen",
)

_violations: list[str] = []


def _room_of_caller() -> str:
    """The module of the features that is nearest on the stack; empty where there is none."""
    frame = sys._getframe(2)
    for _ in range(40):
        if frame is None:  # type: ignore[redundant-expr]
            return ""
        name = frame.f_code.co_filename
        if name.startswith(FEATURES):
            return name.removeprefix(FEATURES)
        # An import or a test's own call-back stands between.
        if "importlib" in name or name.endswith("pkgutil.py") or name.startswith(TESTS):
            return ""
        frame = frame.f_back  # type: ignore[assignment]
    return ""


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if event in FILE_EVENTS:
        # The system's time zones are read by Python itself.
        room = "" if "zoneinfo" in str(arguments[0]) else _room_of_caller()
        # Who may start a program opens the pipes to it.
        if room and not room.startswith((*MAY_TOUCH_FILES, *MAY_START_A_PROGRAM)):
            _violations.append(f"{room}: {event} {arguments[:1]!r}")
    elif event.startswith(NEVER):
        room = _room_of_caller()
        if room and not room.startswith((*MAY_START_A_PROGRAM, "disk" + os.sep)):
            _violations.append(f"{room}: {event} {arguments[:1]!r}")


sys.addaudithook(_audit)


@pytest.fixture(autouse=True)
def nothing_but_disk_touches_files() -> None:
    """Fail the test in which a feature went around the room ``disk``."""
    _violations.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> object:
    result = yield
    assert not _violations, f"{item.nodeid}: {_violations[:3]}"
    return result


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the expect blocks of the Markdown fixtures"
    )
