"""Is it said shortly where the agent is started, and how far up files are looked for?"""

from __future__ import annotations

import time
from pathlib import Path

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.report.budget_page import budget_page
from agentbrief.report.chain_page import chain_page
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import Setup, brief_from

CLAW = profile("claw")


def test_the_home_folder_is_a_tilde_and_no_folder_is_said_twice(tmp_path: Path) -> None:
    shop = tmp_path / "kim" / "shop"
    (shop / "api").mkdir(parents=True)
    setup = Setup(DiskFiles(FS(), time.time_ns).glance(), (str(shop),), Settings())
    home = str(tmp_path / "kim")
    inner, outer = (brief_from(setup, CLAW, str(folder)) for folder in (shop / "api", shop))
    for page in (
        chain_page(CLAW, inner, "en", home=home),
        budget_page(CLAW, inner, None, "en", pictures=False, title="shop", home=home),
    ):
        assert r"Started in ~/shop/api; folders up to ~/shop are looked at." in page.replace("\\", "")
    alone = chain_page(CLAW, outer, "en", home=home)
    assert "Started in ~/shop; no folder above it is looked at." in alone.replace("\\", "")
    assert str(tmp_path) in chain_page(CLAW, outer, "en").replace("\\", "")
