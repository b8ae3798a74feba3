"""The audit hook of the suite sees a feature that goes around the room ``disk``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import conftest


@pytest.mark.parametrize("room", ["report/planted.py", "disk/planted.py"])
def test_the_hook_sees_a_planted_call(tmp_path: Path, room: str) -> None:
    target = tmp_path / "file"
    target.write_text("x")
    code = compile(f"open({str(target)!r}).read()", conftest.FEATURES + room, "exec")
    exec(code)
    seen = [each for each in conftest._violations if "planted" in each]
    conftest._violations.clear()
    assert bool(seen) == room.startswith("report")
