"""What is to be done about a secret that stood in an instruction file? A list to tick off."""

from __future__ import annotations

from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.rules.secrets_told import VARIABLES

_STEPS = ("known", "new", "keep", "give", "revoke", "replace", "copies", "uses")
_LONGEST_NAME = 80
_LONGEST_SHOWN = 11


def as_shown(given: str) -> str:
    """What of ``given``, which a client says is what may be shown of a secret, is shown."""
    return mask(given)[:_LONGEST_SHOWN]


def rotation_page(kind: str, shown: str, name: str, locale: str) -> str:
    """The list for a secret of ``kind``, of which ``shown`` may be shown, in the file ``name``.

    Raises:
        KeyError: there is no such kind.
    """
    variable = VARIABLES[kind]
    title = say(locale, "page.rotation")
    about = escape_markdown(as_shown(shown) or "***")
    found = say(locale, f"secret-in-instructions.{kind}", shown=about)
    file = escape_markdown(mask(name)[:_LONGEST_NAME] or "CLAUDE.md")
    steps = [say(locale, f"rotation.{step}", name=file, variable=variable) for step in _STEPS]
    return "\n".join([f"# {title}", "", found, "", *(f"- [ ] {step}" for step in steps)]) + "\n"
