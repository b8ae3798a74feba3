"""Which sessions are there, what are they called, and to which project do they belong?

A list looks at the first 4 KiB and the last 64 KiB of a file, and goes on from the head, at most 1 MiB, until
a typed prompt was seen. What was found is kept by the file's stamp: the second time nothing is opened.

Source: agents.md 9; performance.md 3 (List).
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from agentbrief.disk import seam
from agentbrief.disk.read import Roots, lies_in
from agentbrief.disk.values import Stamp
from agentbrief.sessions.jsonl.records import BYTE_ORDER_MARK
from agentbrief.sessions.locations import Location
from agentbrief.sessions.readers import sketcher
from agentbrief.sessions.sketch import NOTHING, Lines, Sketch, Sketcher
from agentbrief.sessions.titles import TitleSources, first_prompts, title

HEAD_BYTES = 4 * 1024
TAIL_BYTES = 64 * 1024
MOST_HEAD_BYTES = 1024 * 1024
_STEP_BYTES = 64 * 1024
_DAY_MS = 24 * 60 * 60 * 1000


class ListedSession(NamedTuple):
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
    known, names = known or {}, names or {}
    sketches = sketcher(adapter)
    real_folders: dict[str, str | None] = {}
    found: list[ListedSession] = []
    for place in places:
        name = names.get(place.session_id)
        session = _unchanged(fs, known.get(place.path), name, place)
        if session is None:
            folder, _, file = place.path.rpartition("/")
            real = _real_folder(fs, folder, roots, real_folders)
            path = f"{real}/{file}" if real is not None else None
            session = _looked_at(fs, place, path, roots, adapter, sketches, name)
        if session is not None:
            found.append(session)
        if pause is not None:
            pause()
    return tuple(sorted(found, key=lambda each: (-each.stamp.mtime_ns, each.path)))


def given_names(fs: seam.FS, path: str, roots: Roots) -> Mapping[str, str]:
    """The names in an index of names such as Codex's ``session_index.jsonl``; empty if it is not there."""
    from agentbrief.sessions.formats.codex_sketch import names_of

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


def _unchanged(
    fs: seam.FS, before: ListedSession | None, name: str | None, place: Location
) -> ListedSession | None:
    """The session as it was listed before; None if its file is another now."""
    if before is None:
        return None
    try:
        if Stamp.of(fs.stat(place.path)) != before.stamp:
            return None
    except (OSError, ValueError):
        return None
    shown = _title(before.sketch, name)
    if shown == before.title and place.is_archived == before.is_archived:
        return before
    return before._replace(title=shown, is_archived=place.is_archived)


def _title(sketch: Sketch, name: str | None) -> str:
    return title(
        TitleSources(
            name or sketch.given_title,
            sketch.made_title,
            sketch.telling_prompt,
            sketch.prompt,
            sketch.first_time,
        )
    )


def _real_folder(fs: seam.FS, folder: str, roots: Roots, known: dict[str, str | None]) -> str | None:
    """The real path of a folder, resolved once for all its files; None where it leads out of ``roots``."""
    if folder not in known:
        try:
            real = fs.real_path(folder)
        except (OSError, ValueError):
            known[folder] = None
        else:
            known[folder] = real if lies_in(real, roots) else None
    return known[folder]


def _looked_at(
    fs: seam.FS,
    place: Location,
    path: str | None,
    roots: Roots,
    adapter: str,
    sketcher: Sketcher,
    name: str | None,
) -> ListedSession | None:
    """The session at ``place``, opened at ``path``, its real one (None: outside the roots).

    None if there is none any more.
    """
    sketch, problem, stamp = NOTHING, None, None
    if place.is_compressed or path is None:
        problem = "compressed" if place.is_compressed else "outside-roots"
    else:
        descriptor = _opened(fs, path, roots)
        if isinstance(descriptor, str):
            problem = descriptor
        else:
            try:
                status = fs.fstat(descriptor)
                stamp = Stamp.of(status)
                if seam.is_regular(status):
                    sketch = _sketched(fs, descriptor, status.st_size, sketcher)
                else:
                    problem = "not-a-file"
            except OSError:
                problem = "unreadable"
            finally:
                fs.close(descriptor)
    if stamp is None:
        try:
            stamp = Stamp.of(fs.stat(place.path))
        except (OSError, ValueError):
            return None
    return ListedSession(
        place.path, adapter, place.session_id, _title(sketch, name), stamp, sketch, place.is_archived, problem
    )


def _opened(fs: seam.FS, path: str, roots: Roots) -> int | str:
    """The file at ``path`` open for reading, or the word for why it is not.

    A link is not followed by opening it, but by its real path, which has to lie in ``roots``.
    """
    try:
        return fs.open_read(path)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.EMLINK):
            return "unreadable"
    try:
        real = fs.real_path(path)
        return fs.open_read(real) if lies_in(real, roots) else "outside-roots"
    except (OSError, ValueError):
        return "unreadable"


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
        end = _read(fs, descriptor, TAIL_BYTES, size - TAIL_BYTES)
        tail = Lines(end, end.find(b"\n") + 1 or len(end))
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
    data, held = rest, b""
    while True:
        is_last = position >= most
        first = data.find(b"\n") + 1 or (len(data) if is_last else 0)
        complete = len(data) if is_last else data.rfind(b"\n") + 1
        # Only the line that began in what was read before is put together: the others stand in one piece.
        for lines in (Lines(held + data[:first]), Lines(data, first, complete)) if first or is_last else ():
            for text in sketcher.prompts_in(lines):
                prompt, telling = first_prompts(prompt, telling, text)
                if telling is not None:
                    return sketch._replace(prompt=prompt, telling_prompt=telling)
        if is_last:
            return sketch._replace(prompt=prompt)
        held = data[complete:] if first else held + data
        data = _read(fs, descriptor, min(_STEP_BYTES, most - position), position)
        position = position + len(data) if data else most


def _read(fs: seam.FS, descriptor: int, size: int, offset: int) -> bytes:
    """``size`` bytes at ``offset``, fewer at the end of the file."""
    data = fs.pread(descriptor, size, offset)
    while 0 < len(data) < size and (more := fs.pread(descriptor, size - len(data), offset + len(data))):
        data += more
    return data
