"""What does a rule on stores see? One store with all that was read beside it, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from agentbrief.profiles.profile import AgentProfile
from agentbrief.rules.finding import Arguments, Finding, Severity
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.health import StoreFinding
from agentbrief.sessions.store.spans import StoreSpans, store_spans
from agentbrief.text.span import Span


@dataclass(frozen=True, slots=True)
class SettingFault:
    """A setting of OpenClaw that it refuses: its place, the code of what is wrong, and where it stands.

    ``span`` is in code points of the configuration's text.
    """

    place: str
    code: str
    span: Span


@dataclass(frozen=True, slots=True)
class FlushFacts:
    """The numbers that decide whether notes are ever written before a compaction, in tokens.

    ``span`` is where the configuration sets them; an empty one at its start where it does not.
    """

    reserve_tokens: int
    floor_tokens: int
    soft_tokens: int
    never_runs: bool
    span: Span


@dataclass(frozen=True, slots=True)
class NearSilent:
    """A reply that was delivered although it seems to have been meant to stay unsaid."""

    line: int
    words: str


@dataclass(frozen=True, slots=True)
class StoreTranscript:
    """What was read of one session's transcript. ``sent_broken`` are words for what a run really sends."""

    path: str
    key: str
    near_silent: tuple[NearSilent, ...] = ()
    sent_broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoreScene:
    """One store. ``text`` is that of ``sessions.json`` as it is shown, empty where it was not read as text.

    ``findings`` are what is odd about it, ``problem_at`` where its text stops being JSON. ``config_path`` is
    OpenClaw's configuration.
    """

    profile: AgentProfile
    folder: StoreFolder
    text: str = field(default="", repr=False)
    findings: tuple[StoreFinding, ...] = ()
    problem_at: int = 0
    config_path: str = ""
    settings: tuple[SettingFault, ...] = ()
    flush: FlushFacts | None = None
    transcripts: tuple[StoreTranscript, ...] = ()

    @property
    def path(self) -> str:
        """The path of the store."""
        return self.folder.store_path

    def spans(self) -> StoreSpans:
        """Where the entries stand in the text."""
        return store_spans(self.text)


def of_code(
    scene: StoreScene,
    code: str,
    severity: Severity,
    *,
    by_field: bool = False,
) -> Iterator[tuple[StoreFinding, Finding]]:
    """A finding for each thing of that code that is odd about the store, at its key or at its first field.

    The message is the one named after the code; its arguments are the agent, the key and the names.
    """
    wanted = [found for found in scene.findings if found.code == code]
    spans = scene.spans() if wanted else None
    for found in wanted:
        span = Span(scene.problem_at, scene.problem_at)
        if spans is not None and found.key is not None:
            fields = spans.fields(found.key) if by_field else None
            named = (
                next((fields[name].key for name in found.names if name in fields), None) if fields else None
            )
            span = named or spans.key(found.names[0] if found.names else "") or spans.key(found.key) or span
        arguments: Arguments = (
            ("agent", scene.profile.title),
            ("key", found.key or ""),
            ("names", ", ".join(found.names)),
            ("count", len(found.names)),
            ("size", found.size or 0),
        )
        data = tuple(("name", name) for name in found.names)
        yield (
            found,
            Finding(
                code,
                scene.path,
                span,
                severity,
                code,
                scene.profile.id,
                arguments,
                data=(("key", found.key or ""), *data),
            ),
        )
