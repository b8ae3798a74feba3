"""What does the transcript of a store's session hold, and what would a run send of it?"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.disk.read import Roots
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import Stream, streamed
from agentbrief.jsonio import JsonValue
from agentbrief.report.store_facts import TranscriptFactsOfStore
from agentbrief.resume.limits import history_limit
from agentbrief.resume.policies import policy_for
from agentbrief.resume.sanitize import sanitized, sent
from agentbrief.rules.store_scene import NearSilent, StoreTranscript
from agentbrief.sessions.pi.context import context_of
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript, PiTranscript
from agentbrief.sessions.silent_reply import nearly_silent
from agentbrief.sessions.titles import one_line
from agentbrief.sessions.tree import TreeEntry

MAX_TRANSCRIPT_BYTES = 256 << 20
"""The largest transcript that is held in memory."""

_MOST_WORDS = 60


def transcript_of(fs: FS, path: str, roots: Roots) -> PiTranscript | NoTranscript | None:
    """The transcript at ``path``; None if it is not there, is too large, or cannot be read.

    Raises:
        Refused: the disk reports an error.
    """
    with streamed(fs, path, roots) as stream:
        if not isinstance(stream, Stream) or stream.stamp.size > MAX_TRANSCRIPT_BYTES:
            return None
        return read_transcript(b"".join(stream.chunks()))


def transcript_facts(fs: FS, path: str, roots: Roots) -> TranscriptFactsOfStore | None:
    """What the transcript at ``path`` holds; None if it cannot be read as one."""
    found = transcript_of(fs, path, roots)
    return facts_of(found) if isinstance(found, PiTranscript) else None


def facts_of(found: PiTranscript) -> TranscriptFactsOfStore:
    """What a transcript holds, in numbers."""
    tree = found.tree
    leaves = [entry for entry in tree.leaves() if entry.type != "label"]
    return TranscriptFactsOfStore(
        len(tree.entries),
        tree.leaf_id,
        max(0, len(leaves) - 1),
        found.version,
        found.session_id,
        sum(entry.type == "compaction" for entry in tree.entries),
        tuple((each.line, each.code) for each in found.damage),
    )


def judged_transcript(
    found: PiTranscript, path: str, key: str, config: JsonValue, now_ms: int
) -> StoreTranscript:
    """What the rules on stores see of a transcript: replies that leaked, and what a run really sends."""
    context = context_of(found.tree, found.tree.leaf_id)
    model = context.model
    policy = policy_for(api_of(found), model.provider if model else None, model.model_id if model else None)
    history = sanitized([each.value for each in context.messages], policy, now_ms=now_ms)
    whole = sent(history, policy, limit=history_limit(key, config), now_ms=now_ms)
    return StoreTranscript(path, key, tuple(_near_silent(found)), whole.only_upstream_keeps)


def ends_of(found: PiTranscript) -> tuple[str, str]:
    """The first and the last words that were said, each as one short line; empty where there are none."""
    said = (_said(entry) for entry in found.tree.entries)
    first = next(filter(None, said), "")
    last = next(filter(None, (_said(entry) for entry in reversed(found.tree.entries))), "")
    return _short(first), _short(last)


def _said(entry: TreeEntry) -> str:
    message = entry.value.get("message")
    if entry.type != "message" or not isinstance(message, dict):
        return ""
    return one_line(_text(message.get("content"))) if message.get("role") in ("user", "assistant") else ""


def _short(line: str) -> str:
    return line if len(line) <= _MOST_WORDS else line[: _MOST_WORDS - 1] + "…"


def _near_silent(found: PiTranscript) -> Iterable[NearSilent]:
    for entry in found.tree.entries:
        message = entry.value.get("message")
        if entry.type != "message" or not isinstance(message, dict) or message.get("role") != "assistant":
            continue
        text = _text(message.get("content"))
        if text and nearly_silent(text):
            words = one_line(text)
            yield NearSilent(
                entry.line, words if len(words) <= _MOST_WORDS else words[: _MOST_WORDS - 1] + "…"
            )


def _text(content: JsonValue) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [each.get("text") for each in blocks if isinstance(each, dict) and each.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def api_of(found: PiTranscript) -> str | None:
    """The API of the newest reply on the path to the leaf; None if there is none."""
    for entry in reversed(found.tree.path):
        message = entry.value.get("message")
        if isinstance(message, dict) and isinstance(api := message.get("api"), str):
            return api
    return None
