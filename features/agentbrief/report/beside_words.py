"""In which words does the log of Claude Code's hook stand beside the prediction for an agent?

Each sentence names both: they are two agents, and a difference between them is no error. The log is a
stranger's text: what is shown of it is masked, on one line and never long.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agentbrief.brief import Brief
from agentbrief.messages import say
from agentbrief.messages.catalogue import sentences
from agentbrief.oracle.beside import Beside, BesideRow
from agentbrief.oracle.log import Loaded
from agentbrief.profiles.profile import AgentProfile
from agentbrief.redact import mask, shorten_home
from agentbrief.report.chain import ChainRow, chain_rows, label_of
from agentbrief.report.chain_page import reason

Told = tuple[AgentProfile, Brief]

_LONGEST = 240
_MOST_GLOBS = 8
_AGENTS_MD = "agents.md"


@dataclass(frozen=True, slots=True)
class Words:
    """How it is said: in which language, with ``home`` as ``~``, and what keeps a stranger's text quiet."""

    locale: str
    home: str
    quiet: Callable[[str], str]

    def say(self, message: str, /, **arguments: str | int) -> str:
        """A message in the language."""
        return say(self.locale, message, **arguments)

    def shown(self, text: str) -> str:
        """A stranger's text as it may stand in a sentence."""
        line = mask(shorten_home(text, self.home)).replace("\n", " ").replace("\t", " ").strip(" ")
        return self.quiet(line if len(line) <= _LONGEST else line[:_LONGEST] + "…")


def titles_of(told: Sequence[Told]) -> str:
    """The names of the agents whose briefs stand beside the log."""
    return ", ".join(profile.title for profile, _ in told)


def problem_text(beside: Beside, told: Sequence[Told], words: Words) -> str | None:
    """Why there is nothing to compare, where, and what to do; None where there is something."""
    if beside.problem is None:
        return None
    key = f"oracle.problem.{beside.problem}"
    if beside.problem == "no-session" and not beside.detail:
        key += ".nowhere"
    return words.say(
        key,
        path=words.shown(beside.path),
        detail=words.shown(beside.detail),
        start=words.shown(beside.start),
        agents=titles_of(told),
    )


def damage_text(beside: Beside, told: Sequence[Told], words: Words) -> str | None:
    """How many places of the log say nothing, which is the first, and what to do; None where all is well."""
    if not beside.damages:
        return None
    first = beside.damages[0]
    return words.say(
        "oracle.damaged.part" if beside.skipped else "oracle.damaged",
        count=len(beside.damages),
        path=words.shown(beside.path),
        line=str(first.line),
        what=words.say(f"oracle.damage.{first.reason}"),
        agents=titles_of(told),
    )


def log_text(beside: Beside, words: Words) -> str:
    """Which log, which session, and how much of the log was not read."""
    assert beside.session is not None
    path, session = words.shown(beside.path), beside.session.session_id
    said = (
        words.say("oracle.log.no-sessions", path=path)
        if session is None
        else words.say("oracle.log", path=path, session=words.shown(session))
    )
    return said if not beside.skipped else f"{said} {words.say('oracle.log.part', skipped=beside.skipped)}"


def counts_text(beside: Beside, told: Sequence[Told], words: Words) -> tuple[str, ...]:
    """For each agent how many files are named by both, by the hook alone, and by the prediction alone."""
    return tuple(
        words.say(
            "oracle.counts",
            agent=profile.title,
            both=sum(row.is_in_log and row.sent[number] for row in beside.rows),
            log=sum(row.is_in_log and not row.sent[number] for row in beside.rows),
            predicted=sum(row.sent[number] and not row.is_in_log for row in beside.rows),
        )
        for number, (profile, _) in enumerate(told)
    )


def label_text(path: str, told: Sequence[Told], words: Words) -> str:
    """A file as seen from the start folder; one that lies elsewhere by its path."""
    outermost = min((brief.bound for _, brief in told), key=len)
    is_inside = path.startswith(outermost.rstrip(os.sep) + os.sep)
    return words.shown(label_of(path, told[0][1].start) if is_inside else path)


def said_text(row: BesideRow, words: Words) -> str:
    """What the hook says of a file."""
    if not row.is_in_log:
        is_unreported = os.path.basename(row.path).lower() == _AGENTS_MD
        return words.say("oracle.says.agents-md" if is_unreported else "oracle.says.nothing")
    by_reason: dict[str, list[Loaded]] = {}
    for load in row.loads:
        by_reason.setdefault(load.load_reason, []).append(load)
    reasons = words.say("oracle.and").join(_reason(name, loads, words) for name, loads in by_reason.items())
    kind = next((load.memory_type for load in row.loads if load.memory_type), "")
    if not kind:
        return words.say("oracle.says.loaded", reasons=reasons)
    return words.say("oracle.says.loaded.kind", kind=words.shown(kind), reasons=reasons)


def _reason(name: str, loads: Sequence[Loaded], words: Words) -> str:
    """Why a file was loaded, in words; a reason that is not known here as the hook says it."""
    key = f"oracle.reason.{name}" if name else "oracle.reason.none"
    said = words.say(key) if key in sentences(words.locale) else words.shown(name)
    first = loads[0]
    about = [", ".join(first.globs[:_MOST_GLOBS])] if first.globs else []
    about += [path for path in (first.trigger_file_path or first.parent_file_path,) if path]
    if about:
        said = words.say("oracle.reason.about", reason=said, about=words.shown("; ".join(about)))
    return said if len(loads) == 1 else words.say("oracle.reason.times", reason=said, count=len(loads))


class Predictions:
    """What each agent is predicted to do with a file, in words; the rows of a chain are made once."""

    def __init__(self, told: Sequence[Told], words: Words) -> None:
        self._words = words
        self._rows: tuple[dict[str, ChainRow], ...] = tuple(
            {row.path: row for row in chain_rows(profile, brief)} for profile, brief in told
        )

    def text(self, path: str, number: int) -> str:
        """For the agent of that number: what follows the words "is predicted to"."""
        row = self._rows[number].get(path)
        if row is None:
            return self._words.say("oracle.predicted.not-read")
        if row.state == "sent":
            return self._words.say("oracle.predicted.sent")
        key = "oracle.predicted.cut" if row.state == "cut" else "oracle.predicted.not-sent"
        return self._words.say(key, reason=self._words.shown(reason(row, self._words.locale)))
