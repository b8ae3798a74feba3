"""Clock, environment, HOME, working folder and chance are arguments; no process, no network."""

from __future__ import annotations

import re

import pytest

from tests.house.sources import FEATURES, calls, imported, sources

AMBIENT = re.compile(
    r"^(?:os\.(?:environ|getenv|getcwd|getpid|urandom|cpu_count)|time\.(?:time|time_ns|monotonic|perf_counter|sleep|localtime)|"
    r"datetime\.(?:datetime\.)?(?:now|utcnow|today)|date\.today|datetime\.date\.today|Path\.(?:home|cwd)|os\.path\.expanduser|"
    r"random\.\w+|secrets\.token\w*|uuid\.uuid\w|socket\.\w+|subprocess\.\w+|os\.(?:system|popen|exec\w+|spawn\w+|fork)|"
    r"platform\.\w+|locale\.\w+|sys\.(?:argv|stdin|stdout))"
)
MODULES = {"random", "secrets", "socket", "subprocess", "platform", "locale", "tempfile", "ctypes", "http"}
# The one program that may be started: the summary provider that the user's own settings name.
MAY_START_A_PROGRAM = {"agentbrief.compaction.providers.command"}
# The seam is where the outside comes in; a lock looks at processes.
SEAMS = {"agentbrief.disk.seam", "agentbrief.disk.lock", "agentbrief.disk.process"}


def test_nothing_ambient_is_called() -> None:
    found = [
        f"{source.name}:{line} {name}"
        for source in sources(FEATURES)
        if source.name not in SEAMS | MAY_START_A_PROGRAM
        for name, line in calls(source)
        if AMBIENT.match(name)
    ]
    assert found == []


def test_nothing_ambient_is_imported() -> None:
    found = [
        f"{source.name} imports {name}"
        for source in sources(FEATURES)
        if source.name not in SEAMS | MAY_START_A_PROGRAM
        for name in imported(source)
        if name.split(".")[0] in MODULES or name == "urllib.request"
    ]
    assert found == []


@pytest.mark.parametrize(
    "name", ["time.time_ns", "os.getcwd", "random.random", "datetime.datetime.now", "os.environ.get"]
)
def test_the_rule_sees_a_planted_call(name: str) -> None:
    assert AMBIENT.match(name)
