"""How is a text that a person cannot see reported, shown and taken out?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator

from agentbrief.rules.finding import Arguments, Edit, Finding, Fix, Severity
from agentbrief.rules.scene import Scene
from agentbrief.rules.secret_signs import may_hold_secret
from agentbrief.text.invisible import Hidden, Kind, invisible, reported
from agentbrief.text.invisible_payload import payload
from agentbrief.text.invisible_removal import carriers, removals
from agentbrief.text.span import Span
from agentbrief.text.visible import wider

SETTING = "diagnostics.hiddenText"
"""The setting that alone changes the severity of these rules: a workspace cannot set it."""

LONGEST_PAYLOAD = 9_000
"""How many code points of a payload a finding carries."""

_LONGEST_QUOTE = 60

Wording = Callable[[str, Hidden, str], tuple[str, Arguments]]


def findings(scene: Scene, kind: Kind, severity: Severity, wording: Wording) -> Iterator[Finding]:
    """The findings of one kind.

    The span is one visible character wider on each side than what is hidden; ``data`` holds the exact
    ``start`` and ``end`` in code points, and the decoded ``payload``. ``wording`` is given the text, what is
    hidden and its payload, and gives the message and its arguments.
    """
    for judged in scene.judged:
        text = judged.text
        for hidden in reported(text).get(kind, ()):
            said = payload(text, hidden)[:LONGEST_PAYLOAD]
            message, arguments = wording(text, hidden, said)
            yield Finding(
                kind,
                judged.file.path,
                hidden.span if kind == "easy-to-miss-text" else wider(text, hidden.span),
                severity,
                message,
                scene.profile.id,
                arguments,
                data=(("start", hidden.span.start), ("end", hidden.span.end), ("payload", said)),
            )


def quoted(said: str) -> str:
    """``said`` as one line that fits into a message, secrets in it masked."""
    if may_hold_secret(said):
        from agentbrief.redact import mask

        said = mask(said)
    line = " ".join(said[: 4 * _LONGEST_QUOTE].split())
    return line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"


def fixes(finding: Finding, text: str) -> Iterable[Fix]:
    """Show the hidden text beside what is seen, or take its characters out, here or in the whole file.

    Nothing is taken out of a text that no longer holds what the finding is about.
    """
    found = [
        Fix(
            "show-hidden-text",
            "fix.show-hidden-text",
            "quickfix",
            command="agentbrief.hiddenText.show",
            command_arguments=(("uri", finding.path),),
            preferred=True,
        )
    ]
    data = dict(finding.data)
    here = next(
        (
            carriers(hidden)
            for hidden in invisible(text)
            if (hidden.kind, hidden.span.start, hidden.span.end)
            == (finding.code, data.get("start"), data.get("end"))
        ),
        None,
    )
    if here:
        found.append(_removal("remove-invisible-here", finding, text, here))
        in_file = removals(text)
        if in_file != here:
            found.append(_removal("remove-invisible-in-file", finding, text, in_file))
    return found


def _removal(identifier: str, finding: Finding, text: str, spans: tuple[Span, ...]) -> Fix:
    return Fix(
        identifier,
        f"fix.{identifier}",
        "quickfix",
        (("count", sum(len(span) for span in spans)),),
        tuple(Edit(finding.path, span, "") for span in spans),
        hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        confirm=True,
    )
