"""Which group does a message come from, and what is the group called?

Source: openclaw.md 5; openclaw/openclaw ``src/config/sessions/group.ts``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agentbrief.sessions.store.keys import canonical_key
from agentbrief.text import utf16

GroupKind = Literal["group", "channel"]

CHANNELS = frozenset(
    ("telegram", "whatsapp", "discord", "irc", "googlechat", "slack", "signal", "imessage", "webchat")
)
"""The channels whose name may begin the sender of a message."""

_WHATSAPP_GROUP = "@g.us"
_NO_SLUG = re.compile(r"[^a-z0-9#@._+-]+")
_HYPHENS = re.compile(r"-{2,}")


@dataclass(frozen=True, slots=True)
class Group:
    """A group: its key without the agent, the channel, its identifier there, and its kind."""

    key: str
    channel: str
    id: str
    kind: GroupKind


def group_of(sender: str | None, chat_type: str | None = None, provider: str | None = None) -> Group | None:
    """The group that ``sender`` stands for; None for a direct message, or where channel or id are unknown."""
    text = utf16.trim(sender or "")
    name = text.lower()
    said = canonical_key(chat_type or "")
    on_whatsapp = name.endswith(_WHATSAPP_GROUP)
    if not (said in ("group", "channel") or ":group:" in name or ":channel:" in name or on_whatsapp):
        return None
    parts = [part for part in name.split(":") if part]
    first_is_channel = bool(parts) and parts[0] in CHANNELS
    channel = parts[0] if first_is_channel else canonical_key(provider or "")
    if not channel and on_whatsapp:
        channel = "whatsapp"
    second = parts[1] if len(parts) > 1 else ""
    kind: GroupKind = "channel" if ":channel:" in name or said == "channel" else "group"
    if second in ("group", "channel"):
        kind = "channel" if second == "channel" else "group"
    identifier = name
    if first_is_channel:
        identifier = ":".join(parts[2:] if second in ("group", "channel") else parts[1:])
    if not channel or not identifier:
        return None
    return Group(f"{channel}:{kind}:{identifier}", channel, identifier, kind)


def group_name(
    key: str,
    *,
    channel: str | None = None,
    subject: str | None = None,
    group_channel: str | None = None,
    space: str | None = None,
    identifier: str | None = None,
) -> str:
    """What the group is called in lists: the channel and a slug of the best name there is."""
    place = canonical_key(channel or "") or "group"
    inner, outer = utf16.trim(group_channel or ""), utf16.trim(space or "")
    if inner and outer:
        detail = f"{outer}{'' if inner.startswith('#') else '#'}{inner}"
    else:
        detail = inner or utf16.trim(subject or "") or outer
    slug = _slug(detail or utf16.trim(identifier or "") or key)
    if not inner:
        slug = slug.lstrip("#")
    if slug and "#" not in slug and not slug.startswith(("@", "g-")):
        slug = f"g-{slug}"
    return f"{place}:{slug}" if slug else place


def _slug(text: str) -> str:
    return _HYPHENS.sub("-", _NO_SLUG.sub("-", text.lower())).strip("-.")
