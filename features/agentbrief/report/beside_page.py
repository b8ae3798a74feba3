"""How does a person read the log of a hook beside briefs? A section of a page, or lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentbrief.oracle.beside import Beside
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.beside_words import (
    Predictions,
    Told,
    Words,
    counts_text,
    damage_text,
    label_text,
    log_text,
    problem_text,
    said_text,
    titles_of,
)
from agentbrief.report.table import cell, table

MOST_ROWS = 200
"""How many files are shown; a log may name any number."""


def beside_section(beside: Beside, told: Sequence[Told], locale: str, home: str) -> str:
    """The section, with its heading; one column for the hook, one for each agent."""
    words = Words(locale, home, escape_markdown)
    parts = [f"## {words.say('oracle.title', agents=titles_of(told))}"]
    if (problem := problem_text(beside, told, words)) is not None:
        parts.append(problem)
    else:
        parts.append(words.say("oracle.intro", start=words.shown(beside.start), agents=titles_of(told)))
        parts.append(log_text(beside, words))
        parts.append("\n".join(f"- {line}" for line in counts_text(beside, told, words)))
        parts.append(_table(beside, told, words))
        if len(beside.rows) > MOST_ROWS:
            parts.append(words.say("oracle.more", count=len(beside.rows) - MOST_ROWS))
    if (damage := damage_text(beside, told, words)) is not None:
        parts.append(damage)
    return mask("\n\n".join(parts) + "\n")


def _table(beside: Beside, told: Sequence[Told], words: Words) -> str:
    header = [
        words.say("chain.file"),
        words.say("oracle.column.log"),
        *(words.say("oracle.column.agent", agent=profile.title) for profile, _ in told),
    ]
    predictions = Predictions(told, words)
    rows = [
        [
            cell(label_text(row.path, told, words)),
            cell(said_text(row, words)),
            *(cell(predictions.text(row.path, number)) for number in range(len(told))),
        ]
        for row in beside.rows[:MOST_ROWS]
    ]
    return table(header, rows)


def beside_lines(beside: Beside, told: Told, locale: str, home: str) -> Iterator[str]:
    """The same for one agent and a terminal: a heading, then a sentence for each file."""
    words = Words(locale, home, lambda text: text)
    yield words.say("oracle.title", agents=titles_of((told,)))
    if (problem := problem_text(beside, (told,), words)) is not None:
        yield f"  {problem}"
    else:
        yield f"  {log_text(beside, words)}"
        yield from (f"  {line}" for line in counts_text(beside, (told,), words))
        predictions = Predictions((told,), words)
        for row in beside.rows[:MOST_ROWS]:
            sentence = words.say(
                "oracle.line",
                said=said_text(row, words),
                agent=told[0].title,
                predicted=predictions.text(row.path, 0),
            )
            mark = "=" if row.is_in_log and row.sent[0] else "+" if row.is_in_log else "-"
            yield f"  {mark} {label_text(row.path, (told,), words)}"
            yield f"      {sentence}"
        if len(beside.rows) > MOST_ROWS:
            yield f"  {words.say('oracle.more', count=len(beside.rows) - MOST_ROWS)}"
    if (damage := damage_text(beside, (told,), words)) is not None:
        yield f"  {damage}"
