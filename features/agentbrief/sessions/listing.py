"""Which sessions are there, what are they called, and to which project do they belong?

A list looks at the first 4 KiB and the last 64 KiB of a file, and goes on from the head, at most 1 MiB, until
a typed prompt was seen. What was found is kept by the file's stamp: the second time nothing is opened.

Source: agents.md 9; performance.md 3 (List).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from agentbrief.disk import seam
from agentbrief.disk.read import Roots, lies_in
from agentbrief.disk.values import Stamp
from agentbrief.sessions.formats.claude_sketch import ClaudeSketcher
from agentbrief.sessions.formats.codex_sketch import CodexSketcher, names_of
from agentbrief.sessions.formats.pi_sketch import PiSketcher
from agentbrief.sessions.locations import Location
from agentbrief.sessions.records import BYTE_ORDER_MARK
from agentbrief.sessions.sketch import NOTHING, Lines, Sketch, Sketcher
from agentbrief.sessions.titles import TitleSources, first_prompts, title

HEAD_BYTES = 4 * 1024
TAIL_BYTES = 64 * 1024
MOST_HEAD_BYTES = 1024 * 1024
_STEP_BYTES = 128 * 1024
_DAY_MS = 24 * 60 * 60 * 1000

SKETCHERS: Mapping[str, Sketcher] = {
    "claude-code": ClaudeSketcher(),
    "codex": CodexSketcher(),
    "pi": PiSketcher(),
    "openclaw": PiSketcher(),
}
"""Name of a profile's adapter → how its transcripts are sketched."""


@dataclass(frozen=True, slots=True)
class ListedSession:
    """One session in a list. ``format`` is the adapter's name; ``problem`` says why it was not read.

    ``session_id`` is that of the file's name. ``title`` is one line, empty if nothing tells it.
    """

    path: str
    format: str
    session_id: str
    title: str
    stamp: Stamp
    sketch: Sketch = NOTHING
    is_archived: bool = False
    problem: str | None = None

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self.stamp.size

    @property
    def mtime_ms(self) -> int:
        """When the file changed, in ms since 1970."""
        return self.stamp.mtime_ns // 1_000_000

    @property
    def cwd(self) -> str | None:
        """The folder that the first record naming one was written in."""
        return self.sketch.cwd


def listed_sessions(
    fs: seam.FS,
    places: Iterable[Location],
    roots: Roots,
    adapter: str,
    known: Mapping[str, ListedSession] | None = None,
    names: Mapping[str, str] | None = None,
    pause: Callable[[], None] | None = None,
) -> tuple[ListedSession, ...]:
    """The sessions at ``places``, newest first.

    ``known`` are those of an earlier list by path; one whose stamp is the same is not opened. ``names`` are
    the names the user gave, by identifier, where the agent keeps them in a file of their own. ``pause`` is
    called after each file.
    """
    known = known or {}
    sketcher = SKETCHERS[adapter]
    real_folders: dict[str, str | None] = {}
    found: list[ListedSession] = []
    for place in places:
        try:
            stamp = Stamp.of(fs.stat(place.path))
        except (OSError, ValueError):
            continue
        before = known.get(place.path)
        if before is None or before.stamp != stamp:
            real = _real_path(fs, place, roots, real_folders)
            before = _looked_at(fs, place, real, stamp, adapter, sketcher)
        name = (names or {}).get(place.session_id)
        found.append(_named(before, name, place))
        if pause is not None:
            pause()
    return tuple(sorted(found, key=lambda each: (-each.stamp.mtime_ns, each.path)))


def given_names(fs: seam.FS, path: str, roots: Roots) -> Mapping[str, str]:
    """The names in an index of names such as Codex's ``session_index.jsonl``; empty if it is not there."""
    try:
        real = fs.real_path(path)
        if not lies_in(real, roots):
            return {}
        descriptor = fs.open_read(real)
    except (OSError, ValueError):
        return {}
    try:
        data = _read(fs, descriptor, fs.fstat(descriptor).st_size, 0)
    except OSError:
        return {}
    finally:
        fs.close(descriptor)
    return names_of(Lines(data))


def by_cwd(sessions: Iterable[ListedSession]) -> dict[str | None, tuple[ListedSession, ...]]:
    """The sessions by the folder they were begun in; None for those that name none."""
    found: dict[str | None, list[ListedSession]] = {}
    for session in sessions:
        found.setdefault(session.cwd, []).append(session)
    return {cwd: tuple(each) for cwd, each in found.items()}


def days_left(mtime_ms: int, days: int, now_ms: int) -> int:
    """In how many days, rounded up, the agent removes a file that changed at ``mtime_ms``; at least 0."""
    left_ms = mtime_ms + days * _DAY_MS - now_ms
    return max(-(-left_ms // _DAY_MS), 0)


def _named(session: ListedSession, name: str | None, place: Location) -> ListedSession:
    sketch = session.sketch
    sources = TitleSources(
        name or sketch.given_title,
        sketch.made_title,
        sketch.telling_prompt,
        sketch.prompt,
        sketch.first_time,
    )
    shown = title(sources)
    if shown == session.title and place.is_archived == session.is_archived:
        return session
    return replace(session, title=shown, is_archived=place.is_archived)


def _real_path(fs: seam.FS, place: Location, roots: Roots, real_folders: dict[str, str | None]) -> str | None:
    """The real path of a transcript in ``roots``; None where it leads elsewhere.

    A folder is resolved once for all its files; a file that is a link is opened by its own real path.
    """
    folder = place.folder
    if folder not in real_folders:
        try:
            real = fs.real_path(folder)
        except (OSError, ValueError):
            real_folders[folder] = None
        else:
            real_folders[folder] = real if lies_in(real, roots) else None
    found = real_folders[folder]
    if found is None:
        return None
    path = os.path.join(found, os.path.basename(place.path))
    try:
        if not seam.is_link(fs.lstat(path)):
            return path
        path = fs.real_path(path)
    except (OSError, ValueError):
        return None
    return path if lies_in(path, roots) else None


def _looked_at(
    fs: seam.FS, place: Location, real: str | None, stamp: Stamp, adapter: str, sketcher: Sketcher
) -> ListedSession:
    found = ListedSession(place.path, adapter, place.session_id, "", stamp)
    if place.is_compressed:
        return replace(found, problem="compressed")
    if real is None:
        return replace(found, problem="outside-roots")
    try:
        descriptor = fs.open_read(real)
    except OSError:
        return replace(found, problem="unreadable")
    try:
        status = fs.fstat(descriptor)
        if not seam.is_regular(status):
            return replace(found, problem="not-a-file")
        return replace(
            found, stamp=Stamp.of(status), sketch=_sketched(fs, descriptor, status.st_size, sketcher)
        )
    except OSError:
        return replace(found, problem="unreadable")
    finally:
        fs.close(descriptor)


def _sketched(fs: seam.FS, descriptor: int, size: int, sketcher: Sketcher) -> Sketch:
    start = _read(fs, descriptor, size if size <= HEAD_BYTES + TAIL_BYTES else HEAD_BYTES, 0)
    while b"\n" not in start and len(start) < min(size, MOST_HEAD_BYTES):
        more = _read(fs, descriptor, min(_STEP_BYTES, size - len(start)), len(start))
        if not more:
            break
        start += more
    head_end = (start.rfind(b"\n", 0, HEAD_BYTES) + 1) or (start.find(b"\n") + 1) or len(start)
    head = Lines(start[:head_end].removeprefix(BYTE_ORDER_MARK))
    if len(start) == size:
        tail = Lines(start)
    else:
        tail = Lines(_read(fs, descriptor, TAIL_BYTES, size - TAIL_BYTES).partition(b"\n")[2])
    sketch = sketcher.sketch(head, tail)
    if sketch.given_title or sketch.made_title or sketch.telling_prompt:
        return sketch
    return _with_prompts(fs, descriptor, sketch, sketcher, start[head_end:], len(start), size)


def _with_prompts(
    fs: seam.FS, descriptor: int, sketch: Sketch, sketcher: Sketcher, rest: bytes, position: int, size: int
) -> Sketch:
    """The sketch with the first prompts after the head; ``rest`` is what was read of the file behind it."""
    prompt, telling = sketch.prompt, sketch.telling_prompt
    most = min(size, MOST_HEAD_BYTES)
    while True:
        at_end = position >= most
        complete = len(rest) if at_end else rest.rfind(b"\n") + 1
        for text in sketcher.prompts_in(Lines(rest[:complete])):
            prompt, telling = first_prompts(prompt, telling, text)
            if telling is not None:
                return replace(sketch, prompt=prompt, telling_prompt=telling)
        rest = rest[complete:]
        if at_end:
            return replace(sketch, prompt=prompt)
        more = _read(fs, descriptor, min(_STEP_BYTES, most - position), position)
        position = position + len(more) if more else most
        rest += more


def _read(fs: seam.FS, descriptor: int, size: int, offset: int) -> bytes:
    """``size`` bytes at ``offset``, fewer at the end of the file."""
    pieces: list[bytes] = []
    while size > 0 and (piece := fs.pread(descriptor, size, offset)):
        pieces.append(piece)
        size -= len(piece)
        offset += len(piece)
    return b"".join(pieces)
