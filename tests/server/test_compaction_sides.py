"""Both sides of the preview of a compaction: what goes, the summary that comes, what stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.compaction_editor import long_home
from tests.server.session_editor import page, running

pytestmark = pytest.mark.e2e


async def test_the_summary_is_on_the_side_of_afterwards(tmp_path: Path) -> None:
    home = long_home(tmp_path)
    async with running(home) as editor:
        planned = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        before = (await page(editor, planned["left"]))["text"]
        after = (await page(editor, planned["right"]))["text"]
    assert "0: the cache module" in before
    assert "## System" not in before
    assert "0: the cache module" not in after.split("## User")[1]
    assert after.count("## User") + after.count("## Assistant") == 4
    # No text is another one on the other side: it goes, comes or stays below the same heading.
    goes, comes, stays = zip(*map(_parts, (before, after)), strict=True)
    assert [line[:6] for line in goes[0].strip().split("\n")] == ["- User", "- Assi"] * 4
    assert goes[1].strip() == ""
    assert (comes[0].strip(), comes[1].lstrip().startswith("## System")) == ("", True)
    assert stays[0] == stays[1]


def _parts(side: str) -> tuple[str, str, str]:
    """What goes, what comes and what stays."""
    start, rest = side.split("# What goes\n")
    goes, rest = rest.split("# What comes in its place\n")
    comes, stays = rest.split("# What stays\n")
    assert start == ""
    return goes, comes, stays
