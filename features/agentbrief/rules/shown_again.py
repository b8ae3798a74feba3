"""Which sections of a file does OpenClaw show again after a compaction, and which does it miss?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentbrief.rules.scene import Judged, Scene

if TYPE_CHECKING:
    from agentbrief.text.section_near_misses import NearMiss


@dataclass(frozen=True, slots=True)
class ShownAgain:
    """What of a file comes back after a compaction.

    ``missing`` are names without a section and without a heading that nearly is one. ``cut`` is the place in
    the file of the first character that is left out, ``max_chars`` the limit in UTF-16 units.
    """

    missing: tuple[str, ...]
    near_misses: tuple[NearMiss, ...]
    cut: int | None
    max_chars: int


def shown_again(scene: Scene, judged: Judged) -> ShownAgain | None:
    """What comes back of the file under judgement; None for another file, and where nothing comes back."""
    if scene.profile.openclaw is None or judged.file.problem is not None:
        return None
    data = scene.profile.openclaw.reinjection[-1]
    if not data.enabled or judged.file.name != data.file:
        return None
    # Every run imports the rules, few look at a file of OpenClaw's.
    from agentbrief.text.section_near_misses import near_misses
    from agentbrief.text.sections import joined, sections_named

    text = judged.text
    found = sections_named(text, data.sections)
    misses = near_misses(text, data.sections)
    if not found and not misses:
        old = sections_named(text, data.old_sections)
        if old:
            return ShownAgain((), (), joined(text, old, data.max_chars, "").cut, data.max_chars)
    known = {section.name for section in found} | {miss.name for miss in misses}
    missing = tuple(name for name in data.sections if name not in known)
    cut = joined(text, found, data.max_chars, "").cut if found else None
    return ShownAgain(missing, misses, cut, data.max_chars)
