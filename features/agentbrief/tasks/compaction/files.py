"""How is a session of the Claw family, or a foreign transcript, made ready to be compacted?"""

from __future__ import annotations

from agentbrief.compaction.claw.claw_file import claw_file
from agentbrief.compaction.claw.job import CompactableFile, FileJob
from agentbrief.compaction.claw.port_file import port_file
from agentbrief.compaction.copies.claude_copy import claude_file
from agentbrief.compaction.copies.codex_copy import codex_file
from agentbrief.compaction.plan import NotPlanned
from agentbrief.disk.read import FileBytes
from agentbrief.sessions.pi.append import NewUuid
from agentbrief.sessions.sniff import claude_code, claw_code, codex, port_sessions
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.bounds import claw_config, for_trigger
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.settings import Settings

FOREIGN = frozenset((claude_code.FORMAT, codex.FORMAT))
"""Formats of which only a copy is ever compacted."""


def file_job(
    settings: Settings, file: SessionFile, read: FileBytes, asked: CompactionAsked, now_ms: int, new: NewUuid
) -> FileJob | NotPlanned:
    """The compaction of ``read``, the content of ``file``; or why there is none.

    Raises:
        ValueError: a bound is negative, or the format is one of a transcript tree.
    """
    if file.format in FOREIGN and asked.output is None:
        return NotPlanned("in-place-refused", read.real_path)
    found = compactable(file, read, new)
    if isinstance(found, NotPlanned):
        return found
    config = for_trigger(claw_config(settings, asked), asked, found)
    return FileJob(found, config, now_ms, asked.until_fits, asked.output)


def compactable(file: SessionFile, read: FileBytes, new: NewUuid) -> CompactableFile | NotPlanned:
    """The messages and bytes of ``read``; or why it cannot be compacted.

    Raises:
        ValueError: the format is one of a transcript tree.
    """
    data, path, stamp = read.data, read.real_path, read.stamp
    match file.format:
        case port_sessions.FORMAT:
            return port_file(data, path, stamp)
        case claw_code.FORMAT:
            return claw_file(data, path, stamp)
        case claude_code.FORMAT:
            return claude_file(data, path, stamp, (new(), new()))
        case codex.FORMAT:
            after = file.agent.after_compaction
            keeps = after.keeps_user_messages_tokens if after else None
            return codex_file(data, path, stamp, keeps or 0)
        case _:
            raise ValueError(f"no list of messages: {file.format}")
