"""May this text leave? Terminal codes taken out, secrets masked, names shortened, Markdown kept quiet.

Whatever is shown passes :func:`mask` (hover, tree, tooltip, quick pick, log, error), whatever is exported
:func:`mark`, at the last step. Both clean the text; :func:`escape_markdown` or :func:`fenced` comes after.
"""

from agentbrief.redact.escapes import clean
from agentbrief.redact.markdown import escape_markdown, fence, fenced
from agentbrief.redact.secrets import KINDS, Secret, secrets
from agentbrief.redact.shown import mark, mask, masked, shorten_home
from agentbrief.text.visible import visible_controls

__all__ = [
    "KINDS",
    "Secret",
    "clean",
    "escape_markdown",
    "fence",
    "fenced",
    "mark",
    "mask",
    "masked",
    "secrets",
    "shorten_home",
    "visible_controls",
]
