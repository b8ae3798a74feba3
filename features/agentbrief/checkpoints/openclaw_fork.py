"""How does a checkpoint of a transcript with branches come back where no store names its session?

As for OpenClaw: a new file with a new session id beside the present one, which is never written over. The
list of pi then shows both (openclaw.md 10).
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from agentbrief.changes.steps import Forward, ReplaceFile
from agentbrief.checkpoints.capture import Capture, Moment, capture
from agentbrief.checkpoints.listing import Checkpoints, ListedCheckpoint
from agentbrief.checkpoints.restore import NoRestore
from agentbrief.disk.read import FileBytes
from agentbrief.sessions.pi.append import NewUuid
from agentbrief.sessions.pi.fork import NewTranscript, forked_session
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript


@dataclass(frozen=True, slots=True)
class ForkedBack:
    """What a restore makes: the new file, the checkpoint of what is there now, and the steps."""

    checkpoint: ListedCheckpoint
    path: str
    transcript: NewTranscript
    kept: Capture | None
    steps: tuple[Forward, ...]


def forked_back(
    known: Checkpoints,
    item: ListedCheckpoint,
    copy: FileBytes,
    present: FileBytes | None,
    *,
    now_ms: int,
    new_uuid: NewUuid,
) -> ForkedBack | NoRestore:
    """The content of ``copy``, that of ``item``, as a new session in the folder of ``known``.

    ``present`` is the transcript that the checkpoint was made of as it is now; it is copied first.
    """
    transcript = read_transcript(copy.data)
    if not isinstance(transcript, PiTranscript):
        return NoRestore("unreadable", item.path)
    new = forked_session(
        copy.data,
        transcript,
        now_ms=now_ms,
        new_uuid=new_uuid,
        parent_session=item.path,
        cwd=transcript.cwd,
    )
    path = os.path.join(known.store, new.name)
    kept = None
    if present is not None:
        moment = Moment(new_uuid(), "restore", now_ms, _messages(present), item.checkpoint.tokens)
        kept = capture(known, present.path, present.stamp, item.checkpoint.session_id, moment)
    before, later = (kept.steps, kept.later) if kept is not None else ((), ())
    return ForkedBack(item, path, new, kept, (*before, ReplaceFile(path, new.content, None), *later))


def _messages(file: FileBytes) -> int:
    transcript = read_transcript(file.data)
    entries = transcript.tree.entries if isinstance(transcript, PiTranscript) else ()
    return sum(entry.type == "message" for entry in entries)
