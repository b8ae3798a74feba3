"""What is wrong with the stores, in words, and what helps against each fault?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.messages import say
from agentbrief.messages.catalogue import sentences
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.table import cell, table
from agentbrief.rules.finding import Arguments, Severity

LEVELS: tuple[Severity, ...] = ("error", "warning", "information", "hint")


@dataclass(frozen=True, slots=True)
class Complaint:
    """One fault: its code, the file it is in, what it is about, and its sentence with arguments.

    ``line`` is that of a transcript, 0 = none. The remedy is the message ``doctor.remedy.<code>``.
    """

    code: str
    severity: Severity
    path: str
    subject: str
    message: str
    arguments: Arguments = ()
    line: int = 0

    def text(self, locale: str) -> str:
        """What is wrong."""
        return say(locale, self.message, **dict(self.arguments))

    def remedy(self, locale: str) -> str:
        """What helps, in Markdown of our own; empty where nothing has to be done."""
        key = f"doctor.remedy.{self.code}"
        return say(locale, key) if key in sentences(locale) else ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found in one store. ``read`` transcripts of ``of`` were read."""

    agent_id: str
    path: str
    complaints: tuple[Complaint, ...]
    read: int = 0
    of: int = 0


def doctor_record(diagnosis: Diagnosis, locale: str) -> dict[str, JsonValue]:
    """The JSON of one store."""
    found: list[JsonValue] = [
        {
            "code": each.code,
            "severity": each.severity,
            "path": each.path,
            "line": each.line or None,
            "subject": each.subject,
            "message": each.text(locale),
            "remedy": each.remedy(locale),
        }
        for each in diagnosis.complaints
    ]
    return {
        "agentId": diagnosis.agent_id,
        "storePath": diagnosis.path,
        "findings": found,
        "transcriptsRead": diagnosis.read,
        "transcripts": diagnosis.of,
    }


def doctor_lines(diagnosis: Diagnosis, locale: str) -> Iterator[str]:
    """The lines of one store."""
    yield _title(diagnosis, locale)
    for each in diagnosis.complaints:
        place = f"{each.path}:{each.line}" if each.line else each.path
        yield f"  {each.severity}[{each.code}] {each.text(locale)}"
        yield f"    {place}"
        if remedy := each.remedy(locale):
            yield f"    → {remedy}"


def doctor_page(diagnoses: Sequence[Diagnosis], locale: str) -> str:
    """The page in Markdown."""
    parts = [f"# {say(locale, 'doctor.page')}"]
    for diagnosis in diagnoses:
        parts.append(_quiet(_title(diagnosis, locale)))
        if diagnosis.complaints:
            head = [say(locale, f"doctor.column.{name}") for name in ("code", "what", "remedy")]
            rows = [
                [cell(_quiet(each.code)), cell(_quiet(each.text(locale))), cell(each.remedy(locale))]
                for each in diagnosis.complaints
            ]
            parts.append(table(head, rows))
    if not diagnoses:
        parts.append(say(locale, "trash.none"))
    return "\n\n".join(parts) + "\n"


def _title(diagnosis: Diagnosis, locale: str) -> str:
    key = "doctor.title" if diagnosis.complaints else "doctor.healthy"
    count = len(diagnosis.complaints)
    return say(locale, key, path=diagnosis.path, count=count, read=diagnosis.read, of=diagnosis.of)


def _quiet(text: str) -> str:
    return escape_markdown(mask(text))
