"""Which transcripts beside a store, and elsewhere, belong to its entries?"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from agentbrief.disk.seam import FS
from agentbrief.sessions.store.folder import StoreFolder, read_store_folder, store_path_of
from agentbrief.sessions.store.health import store_findings


def read(disk: FS, state: Path, store: Any) -> StoreFolder:
    path = Path(store_path_of(str(state), "main"))
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(store))
    found = read_store_folder(disk, str(path), "main", frozenset({str(state.resolve())}))
    assert isinstance(found, StoreFolder)
    return found


def test_a_transcript_may_lie_with_another_agent_of_the_same_state_folder(tmp_path: Path) -> None:
    """Source: openclaw.md 3.3. A link does not widen that."""
    other = tmp_path / "agents/work/sessions"
    other.mkdir(parents=True)
    (other / "there.jsonl").write_text("{}\n")
    (tmp_path / "elsewhere.jsonl").write_text("{}\n")
    (other / "link.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    stranger = tmp_path / "old/agents/work/sessions"
    stranger.mkdir(parents=True)
    (stranger / "there.jsonl").write_text("{}\n")
    places = {
        "there": f" {other}/there.jsonl ",
        "gone": f"{other}/gone.jsonl",
        "link": f"{other}/link.jsonl",
        "stranger": f"{stranger}/there.jsonl",
        "no-folder": f"{tmp_path}/agents/none/sessions/there.jsonl",
    }
    found = read(
        FS(),
        tmp_path,
        {key: {"sessionId": key, "updatedAt": 1, "sessionFile": path} for key, path in places.items()},
    )
    assert [(finding.code, finding.key) for finding in store_findings(found)] == [
        ("store-missing-transcript", "gone"),
        ("store-outside-path", "link"),
        ("store-missing-transcript", "link"),
        ("store-outside-path", "stranger"),
        ("store-missing-transcript", "stranger"),
        ("store-outside-path", "no-folder"),
        ("store-missing-transcript", "no-folder"),
    ]
    assert [found.files_of(entry) for entry in found.store.entries] == [()] * len(places)


class Looked(FS):
    """A disk that remembers at which paths it was looked."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: set[str] = set()

    def lstat(self, path: str) -> os.stat_result:
        self.paths.add(path)
        return super().lstat(path)

    def real_path(self, path: str) -> str:
        self.paths.add(path)
        return super().real_path(path)


def test_a_path_elsewhere_is_not_even_looked_at(tmp_path: Path) -> None:
    outside = ["/net/host/x.jsonl", f"{tmp_path}/x.jsonl", "../../../y.jsonl", "~/z.jsonl"]
    store = {str(at): {"sessionId": "a", "sessionFile": spelled} for at, spelled in enumerate(outside)}
    disk = Looked()
    read(disk, tmp_path, store)
    assert disk.paths
    assert all(path.startswith(f"{tmp_path}/agents/main/sessions") for path in disk.paths)
