"""What does the signature of a block say: is it base64, does it name a reasoning item?"""

from __future__ import annotations

import base64
import binascii

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.text import utf16


def is_base64(text: str) -> bool:
    """Whether ``text`` is base64 of a byte or more, plain or URL-safe, padded or not, white space aside."""
    compact = utf16.WHITE_SPACE_RUN.sub("", text).rstrip("=")
    is_url = "-" in compact or "_" in compact
    try:
        raw = base64.b64decode(
            compact + "=" * (-len(compact) % 4), altchars=b"-_" if is_url else None, validate=True
        )
    except (binascii.Error, ValueError):
        return False
    again = base64.urlsafe_b64encode(raw) if is_url else base64.b64encode(raw)
    return bool(raw) and again.decode("ascii").rstrip("=") == compact


def is_reasoning_item(signature: JsonValue) -> bool:
    """Whether a signature names a reasoning item of OpenAI's Responses API."""
    if isinstance(signature, str):
        try:
            signature = jsonio.loads(signature)
        except ValueError:
            return False
    if not isinstance(signature, dict):
        return False
    identifier, kind = signature.get("id"), signature.get("type")
    return (
        isinstance(identifier, str)
        and identifier.startswith("rs_")
        and isinstance(kind, str)
        and (kind == "reasoning" or kind.startswith("reasoning."))
    )
