"""What becomes of a text for a session: does it reach a running compaction, or wait in the session?

A session that looks live, or that another agent writes, is not touched: the text is handed back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.changes.apply import Site
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import Step
from agentbrief.compaction.openclaw.queue_settings import QueueMode
from agentbrief.compaction.openclaw.steer import steer as ways_of
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import FileBytes, real_roots
from agentbrief.disk.seam import FS
from agentbrief.resume.pairing import MISSING_RESULT, UNKNOWN_TOOL
from agentbrief.sessions.context_used import RUNNING_MS
from agentbrief.sessions.model import Message, ToolResult, ToolUse
from agentbrief.sessions.readers import reader
from agentbrief.sessions.sniff import claw_code, port_sessions
from agentbrief.tasks.sessions.own import NotOwn, OwnFile, message_of, read_file, steps_to_append
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.write import planned_and_written, site_for

SteerEnd = Literal["instruction", "afterwards", "interrupted", "appended", "handed-back"]
"""What becomes of a text; the sentences are ``compaction.steer.<end>``."""

WRITTEN = frozenset((port_sessions.FORMAT, claw_code.FORMAT))
"""The formats whose sessions a text can wait in."""

_NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Steered:
    """What became, or would become, of ``text``.

    ``why`` says why it was handed back: ``running``, ``read-only``, or the reader's word. ``steps`` append it
    to the session; empty where a running compaction has it, or nobody.
    """

    text: str
    end: SteerEnd
    why: str = ""
    own: OwnFile | None = None
    steps: tuple[Step, ...] = field(default=(), repr=False)


def plan_steer(
    fs: FS,
    file: SessionFile,
    text: str,
    mode: QueueMode,
    now_ms: int,
    running: Mapping[str, RunningCompaction] | None = None,
) -> Steered:
    """What becomes of ``text`` for ``file``; a running compaction has it when this returns.

    ``running`` are the compactions by the real paths of their sessions.

    Raises:
        Refused: the session cannot be read.
        ValueError: there is no text.
    """
    if not text.strip():
        raise ValueError("no text")
    current = (running or {}).get(real_path_of(fs, file))
    if current is not None:
        reached = current.steer(text, mode)
        if reached != "not-running":
            return Steered(text, reached)
    if file.format not in WRITTEN or file.is_live_foreign:
        return Steered(text, "handed-back", "read-only")
    if "hand-back" in ways_of(mode, looks_live=looks_live(file, now_ms)):
        return Steered(text, "handed-back", "running")
    own = own_file_of(fs, file)
    steps = steps_to_append(fs, own, message_of("user", text), now_ms)
    if isinstance(steps, NotOwn):
        return Steered(text, "handed-back", steps.why, own)
    return Steered(text, "appended", own=own, steps=steps)


def apply_steer(fs: FS, steered: Steered, caller: Caller) -> Receipt | None:
    """The receipt of appending the text; None where there was nothing to append.

    Raises:
        Refused: nothing was changed.
    """
    if steered.end != "appended" or steered.own is None:
        return None
    texts = append_texts(fs, steered.own, (steered.text,), caller)
    return texts[0] if texts else None


def append_texts(fs: FS, own: OwnFile, texts: Iterable[str], caller: Caller) -> tuple[Receipt, ...]:
    """The receipts of appending ``texts`` as user messages in their order, one for each.

    Calls that still wait for results get one that says so first: no message may stand between them. A text
    that the session cannot hold ends it; those before it are written.

    Raises:
        Refused: a text was not written.
    """
    receipts: list[Receipt] = []
    site = site_for(fs, own, caller)
    for text in texts:
        for result in _missing_results(fs, own):
            _appended(fs, site, own, result, caller)
        found = _appended(fs, site, own, message_of("user", text), caller)
        if isinstance(found, NotOwn):
            break
        if found is not None:
            receipts.append(found)
    return tuple(receipts)


def _appended(fs: FS, site: Site, own: OwnFile, message: Message, caller: Caller) -> Receipt | NotOwn | None:
    return planned_and_written(site, lambda: steps_to_append(fs, own, message, caller.now_ns() // _NS_PER_MS))


def _missing_results(fs: FS, own: OwnFile) -> tuple[Message, ...]:
    """A result for each call of the session that has none behind it."""
    read = read_file(fs, own)
    if not isinstance(read, FileBytes):
        return ()
    waiting: dict[str, str] = {}
    for message in reader(own.format)(read.data, own.path, read.stamp).messages:
        for block in message.blocks:
            if isinstance(block, ToolUse):
                waiting[block.id] = block.name
            elif isinstance(block, ToolResult):
                waiting.pop(block.tool_use_id, None)
    return tuple(
        Message("tool", (ToolResult(identifier, name or UNKNOWN_TOOL, MISSING_RESULT, True),))
        for identifier, name in waiting.items()
    )


def looks_live(file: SessionFile, now_ms: int) -> bool:
    """Whether an agent may be writing the session; the workspace's own sessions have none."""
    if file.format == port_sessions.FORMAT:
        return False
    return 0 <= now_ms - file.stamp.mtime_ns // _NS_PER_MS < RUNNING_MS


def own_file_of(fs: FS, file: SessionFile) -> OwnFile:
    """``file`` as a session of the workspace: where it is locked and written."""
    path = real_path_of(fs, file)
    folder = os.path.dirname(path)
    return OwnFile(folder, folder, path, file.session_id, file.format)


def real_path_of(fs: FS, file: SessionFile) -> str:
    """The path of ``file`` with its links resolved: the key of a running compaction."""
    return next(iter(real_roots(fs, (file.path,))), file.path)
