"""How does a compacted copy of a Codex rollout look?

Behind the original comes one ``compacted`` record: its history is what the program adds by itself, the
summary in the user's name, and the items that are kept, in the bytes of the original.

Source: agents.md 9.2 (``compacted``, Model view).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from agentbrief.changes.steps import Stamp
from agentbrief.compaction.claw.boundary import split_pairs
from agentbrief.compaction.claw.grammar import PREAMBLE
from agentbrief.compaction.copies.codex_view import CodexView, ViewItem, codex_view_of
from agentbrief.compaction.copies.tied import tied_shapes
from agentbrief.compaction.plan import NotPlanned
from agentbrief.jsonio import JsonValue, dumps
from agentbrief.sessions.formats.codex_transcript import look
from agentbrief.sessions.formats.codex_view import unpaired
from agentbrief.sessions.model import Message, SessionRef, Text
from agentbrief.sessions.shapes import Shape
from agentbrief.sessions.sniff.codex import FORMAT
from agentbrief.sessions.times import iso_of


@dataclass(frozen=True, slots=True)
class CodexFile:
    """A rollout of Codex: what the model is sent of it, a summary that it begins with made one of ours.

    ``keeps_user_tokens`` is how much of what the user said survives a compaction without a history of its
    own.
    """

    path: str
    data: bytes = field(repr=False)
    stamp: Stamp | None
    keeps_user_tokens: int
    shapes: tuple[Shape, ...] = field(repr=False)
    messages: tuple[Message, ...] = field(repr=False)
    view: CodexView = field(repr=False)
    session_id: str | None

    @property
    def ref(self) -> SessionRef:
        """Which session it is; it is never written itself."""
        return SessionRef(self.path, FORMAT, self.session_id, False)

    def rewritten(self, kept: range, summary: str, message: Message, removed: int, now_ms: int) -> bytes:
        """The rollout with a compaction that keeps the messages ``kept`` behind it."""
        told: dict[str, JsonValue] = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": message.text}],
        }
        added, stays = self._parts(kept)
        history = [*(item.raw for item in added), dumps(told), *(item.raw for item in stays)]
        # the words of the summary as they stand in the message: so the next compaction finds them there
        words = dumps(message.text.removeprefix(PREAMBLE))
        payload = b'{"message":%b,"replacement_history":[%b]}' % (words, b",".join(history))
        line = b'{"timestamp":%b,"type":"compacted","payload":%b}\n' % (dumps(iso_of(now_ms)), payload)
        return self.data + (b"" if self.data.endswith(b"\n") or not self.data else b"\n") + line

    def masked(self, message: Message) -> int:
        """How many secrets are masked when ``message`` is written: this format masks none."""
        return 0

    def faults(self, prefix: int, kept: range, new: bytes) -> tuple[str, ...]:
        """What is wrong with ``new``, the rollout with a compaction behind it."""
        found: list[str] = []
        before, after = look(self.data, self.path), look(new, self.path)
        if not new.startswith(self.data) or after.lines.parsed != before.lines.parsed + 1:
            return ("does-not-parse",)
        view = codex_view_of(new, self.path, self.keeps_user_tokens)
        if view.summary is None:
            found.append("no-summary")
        if split_pairs(self.shapes, prefix, kept.start):
            found.append("pair-split")
        added, stays = self._parts(kept)
        if [item.raw for item in view.items] != [item.raw for item in (*added, *stays)]:
            found.append("kept-differs")
        if not _without_call(self.view).issuperset(_without_call(view)):
            found.append("pair-split")
        return tuple(found)

    def _parts(self, kept: range) -> tuple[list[ViewItem], list[ViewItem]]:
        """What the program adds by itself before the messages ``kept``, and the items from those on."""
        prefix = 0 if self.view.summary is None else 1
        first = kept.start - prefix
        count = 0
        added: list[ViewItem] = []
        for index, item in enumerate(self.view.items):
            if item.message is not None:
                if count == first:
                    return added, list(self.view.items[index:])
                count += 1
            else:
                added.append(item)
        return added, []


def codex_file(data: bytes, path: str, stamp: Stamp | None, keeps_user_tokens: int) -> CodexFile | NotPlanned:
    """The rollout ``data`` at ``path``, or why it cannot be compacted."""
    view = codex_view_of(data, path, keeps_user_tokens)
    messages: list[Message] = []
    ties: list[bool] = []
    if view.summary is not None:
        messages.append(Message("system", (Text(PREAMBLE + view.summary),)))
        ties.append(False)
    after_thought = False
    for item in view.items:
        if item.message is not None:
            messages.append(item.message)
            ties.append(after_thought)
            after_thought = item.is_thought
    if not messages:
        return NotPlanned("no-messages", path)
    shapes = tied_shapes(messages, ties)
    session_id = look(data, path).session_id
    return CodexFile(path, data, stamp, keeps_user_tokens, shapes, tuple(messages), view, session_id)


def _without_call(view: CodexView) -> set[str]:
    """The identifiers of outputs that the model is sent without their calls."""
    return {each.id for each in unpaired(view.view) if each.kind == "result-without-use"}
