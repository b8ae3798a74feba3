"""Who may import whom. The arrows of docs/architecture.md, and no cycle."""

from __future__ import annotations

from tests.house.sources import FEATURES, imported, sources

GROUND = {"text", "tokens", "jsonio", "disk", "redact", "messages"}
ARROWS: dict[str, set[str]] = {
    "text": set(),
    "tokens": {"text", "jsonio"},
    "jsonio": set(),
    "disk": set(),
    "redact": {"text"},
    "messages": {"jsonio"},
    "profiles": {"jsonio"},
    "instructions": {"text", "disk", "profiles"},
    "brief": {"text", "tokens", "disk", "profiles", "instructions"},
    "workspace": {"jsonio", "disk", "profiles"},
    "prompt": {"text", "tokens", "profiles", "brief", "workspace"},
    "sessions": {"text", "tokens", "jsonio", "disk", "profiles"},
    "resume": {"text", "tokens", "jsonio", "profiles", "sessions"},
    "compaction": {"text", "tokens", "jsonio", "disk", "profiles", "sessions", "changes"},
    "checkpoints": {"jsonio", "disk", "sessions", "changes"},
    "maintenance": {"jsonio", "disk", "profiles", "sessions", "changes", "text"},
    "oracle": {"jsonio", "disk", "brief", "sessions"},
    "history": {"text", "redact", "sessions", "jsonio"},
    "changes": {"jsonio", "disk"},
    "rules": {
        "text", "tokens", "redact", "profiles", "instructions", "brief", "workspace", "prompt",
        "sessions",
        "resume",
    },
}  # fmt: skip
ROOMS = {*ARROWS, "report", "tasks"}
ARROWS["report"] = ROOMS - {"tasks", "report"}
ARROWS["tasks"] = ROOMS - {"tasks"}


def test_every_room_is_on_the_plan() -> None:
    assert {source.room for source in sources(FEATURES)} - {""} <= ROOMS


def test_no_arrow_that_is_not_on_the_plan() -> None:
    wrong = []
    for source in sources(FEATURES):
        for name in imported(source):
            parts = name.split(".")
            if parts[0] == "agentbrief" and len(parts) > 1 and source.room:
                room = parts[1]
                if room != source.room and room not in ARROWS[source.room]:
                    wrong.append(f"{source.name} → {name}")
    assert wrong == []


def test_the_plan_has_no_cycle() -> None:
    done: set[str] = set()

    def visit(room: str, above: tuple[str, ...]) -> None:
        assert room not in above, " → ".join((*above, room))
        if room not in done:
            for other in sorted(ARROWS[room]):
                visit(other, (*above, room))
            done.add(room)

    for room in sorted(ROOMS):
        visit(room, ())


def test_a_format_never_knows_another_format() -> None:
    prefix = "agentbrief.sessions.formats."
    families = {
        "claw": "claw",
        "port": "port",
        "claude": "claude",
        "codex": "codex",
        "pi": "pi",
        "openclaw": "openclaw",
    }
    wrong = []
    for source in sources(FEATURES):
        if not source.name.startswith(prefix):
            continue
        own = source.name.removeprefix(prefix).split("_")[0]
        for name in imported(source):
            if name.startswith(prefix) and families.get(
                name.removeprefix(prefix).split("_")[0]
            ) != families.get(own):
                wrong.append(f"{source.name} → {name}")
    assert wrong == []
