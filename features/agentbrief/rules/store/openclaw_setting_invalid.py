"""A setting of OpenClaw that it refuses.

## What it does
Names settings under `session.maintenance` that break their rules: a duration or a size that is none, a word
or a key that OpenClaw does not know, a value of another kind.

## Why it matters
No cleanup is done on a guess: neither OpenClaw nor Agent Brief cleans up while it stands there.

## Example
`session: { maintenance: { pruneAfter: "2w" } }`: weeks are no unit.

## Better
Durations are written `30d`, `12h` or `1h30m`, sizes `10mb` or `1gb`.

## Which agents
OpenClaw.

## Source
openclaw.md 7.1; openclaw/openclaw `src/config/zod-schema.session.ts`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene

SEVERITY: Severity = "error"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    for fault in scene.settings:
        yield Finding(
            "openclaw-setting-invalid",
            scene.config_path,
            fault.span,
            SEVERITY,
            f"openclaw-setting-invalid.{fault.code}",
            scene.profile.id,
            (("agent", scene.profile.title), ("place", fault.place)),
            data=(("reason", fault.code), ("place", fault.place)),
        )
