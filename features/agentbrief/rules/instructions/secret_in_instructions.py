"""A key, a token or a password in an instruction file.

## What it does
Marks what looks like a secret: the keys and tokens of well-known services, which can be told by their own
letters, private keys, and the values of `Authorization` headers, of addresses with a password and of names
such as `password` or `api_key`. The message shows the first and the last characters, never more than a third,
and nothing of a password.

A value that only its surroundings give away is marked if it looks random: in a stretch of at least eight
different characters, without a hyphen or another separator, letters, digits and signs take turns three times.
So a plain word, a name with a number behind it, a path and a version are not marked; nor is a value in which
they take turns at every character. An example is not marked, whatever its kind: a variable such as
`$API_KEY`, `<your-token>`, a row of `x` or `*`, a row that counts up, a value with the word *example* in it.
Nor is the token in the address of a badge.

## Why it matters
Instruction files are sent with every request, to whoever runs the model, and most are under version control.
A secret in them is known to everyone who can read either, and an agent may repeat it in its answers, in
commands and in what it writes.

## Example
A line that says `export GITHUB_TOKEN=` and has the token itself behind it.

## Better
Issue a new secret and revoke this one: taking it out of the file does not take it out of the history. Keep
the new one in an environment variable or a store of secrets, and name only the variable in the file.

## Which agents
All. The text is sent to the model as it stands.

## Source
reliability.md 9 and 12.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Edit, Finding, Fix, Severity
from agentbrief.rules.scene import Scene
from agentbrief.rules.secret_signs import may_hold_secret

SEVERITY: Severity = "warning"

SETTING = "diagnostics.secrets"


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        if not may_hold_secret(judged.text):
            continue
        # Every run imports the rules, few files hold a sign of a secret.
        from agentbrief.rules.secrets_told import secrets_told

        for secret in secrets_told(judged.text):
            yield Finding(
                "secret-in-instructions",
                judged.file.path,
                secret.span,
                SEVERITY,
                f"secret-in-instructions.{secret.kind}",
                scene.profile.id,
                (("shown", secret.shown),),
                data=(("kind", secret.kind),),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    """Put the name of a variable in its place, or show what else is to be done.

    Nothing is replaced in a text that no longer holds what the finding is about.
    """
    from agentbrief.rules.secrets_told import VARIABLES, secrets_told

    kind = str(dict(finding.data)["kind"])
    variable = f"${VARIABLES[kind]}"
    if any((secret.kind, secret.span) == (kind, finding.span) for secret in secrets_told(text)):
        yield Fix(
            "replace-secret",
            "fix.replace-secret",
            "quickfix",
            (("variable", variable),),
            (Edit(finding.path, finding.span, variable),),
            hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            confirm=True,
        )
    yield Fix(
        "show-rotation",
        "fix.show-rotation",
        "quickfix",
        command="agentbrief.secret.showRotation",
        command_arguments=(
            ("uri", finding.path),
            ("kind", kind),
            ("shown", str(dict(finding.arguments)["shown"])),
        ),
    )
