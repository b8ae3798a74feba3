"""A profile of the user's own, as tests need it."""

from __future__ import annotations

from typing import Any


def own_profile(**changes: Any) -> dict[str, Any]:
    """A whole one: ``RULES.md`` and the files of ``.mine`` up to the git root.

    100 characters a file, 150 in all.
    """
    return {
        "id": "mine",
        "title": "My Agent",
        "family": "mine",
        "kind": "agent",
        "tier": "full",
        "verified": {"version": "1.2", "date": "2026-11-30"},
        "delivery": "system-prompt",
        "sources": ["the manual of my agent"],
        "start": "cwd",
        "walk": {"bound": "git-or-start", "order": "nearest-first"},
        "layers": [
            {
                "id": "project",
                "files": [
                    {"name": "RULES.md", "scope": "project"},
                    {"name": ".mine/RULES.md", "scope": "dot-folder"},
                    {"name": ".mine/rules", "scope": "rule", "glob": True},
                ],
            }
        ],
        "limits": [
            {"id": "file", "unit": "chars", "scope": "file", "max": 100, "then": "cut"},
            {
                "id": "total",
                "unit": "chars",
                "scope": "total",
                "max": 150,
                "then": "cut",
                "order": "nearest-first",
            },
        ],
        "dedup": {"by": "content-hash"},
        "rendering": {
            "title": "# Rules",
            "cut": "clean-marker",
            "marker": "\n\n[cut]",
            "omission_note": "_more was left out_",
            "omission_place": "last",
            "scope": "own-folder",
            "heading_name": "listed",
        },
        **changes,
    }
