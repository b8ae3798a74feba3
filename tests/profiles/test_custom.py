"""A profile of the user's own holds as it is written, or is refused by the name of its key."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.profiles import profile as shapes
from agentbrief.profiles.custom import custom_profile
from agentbrief.profiles.load import ProfileError
from agentbrief.tasks.judge import judge
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.settings import parse as parse_settings
from agentbrief.tasks.setup import Setup, agents, brief_from
from tests.profiles.own import own_profile

ROOT = Path(__file__).parents[2]
RENDERING = own_profile()["rendering"]
FILE, TOTAL = own_profile()["limits"]


def layers(name: str) -> list[dict[str, Any]]:
    return [{"id": "project", "files": [{"name": name, "scope": "project"}]}]


FAULTS: list[tuple[Any, str]] = [
    ([], "given.json: expected an object"),
    (own_profile(id=7), "given.json.id: "),
    (own_profile(id="My Agent"), "given.json.id: "),
    (own_profile(id="claw"), "claw.id: this profile comes with Agent Brief"),
    (own_profile(title="Claw"), "mine.title: this is the title of a profile that comes"),
    (own_profile(title="[x](command:y)"), "mine.title: "),
    (own_profile(title="two\nlines"), "mine.title: "),
    (own_profile(colour="red"), "mine: unknown key 'colour'"),
    (own_profile(kind="thing"), "mine.kind: 'thing' is none of agent, standard"),
    (own_profile(verified={"version": 2, "date": "2026-01-01"}), "mine.verified.version: expected str"),
    ({key: value for key, value in own_profile().items() if key != "sources"}, "mine: missing key 'sources'"),
    ({key: value for key, value in own_profile().items() if key != "walk"}, "mine: missing key 'walk'"),
    (own_profile(layers=[]), "mine: missing key 'layers'"),
    (
        own_profile(layers=layers("../RULES.md")),
        "mine.layers[0].files[0].name: '../RULES.md' is no file name",
    ),
    (own_profile(layers=layers("/etc/RULES.md")), "mine.layers[0].files[0].name: "),
    (own_profile(layers=layers("a/b/RULES.md")), "mine.layers[0].files[0].name: "),
    (own_profile(layers=layers("a\\RULES.md")), "mine.layers[0].files[0].name: "),
    (own_profile(layers=layers("")), "mine.layers[0].files[0].name: "),
    (own_profile(layers=[{"id": "project", "files": []}]), "mine.layers: no layer names a file"),
    (own_profile(unread=["../OTHER.md"]), "mine.unread[0]: "),
    (own_profile(limits=[FILE]), "mine.limits: expected one limit of scope 'total'"),
    (own_profile(limits=[FILE, FILE, TOTAL]), "mine.limits: expected one limit of scope 'file'"),
    (own_profile(limits=[{**FILE, "unit": "bytes"}, TOTAL]), "mine.limits[0].unit: "),
    (own_profile(limits=[FILE, {**TOTAL, "then": "skip-file"}]), "mine.limits[1]: "),
    (own_profile(limits=[{**FILE, "max": -1}, TOTAL]), "mine.limits[0].max: "),
    (own_profile(limits=[{**FILE, "max": True}, TOTAL]), "mine.limits[0].max: expected int"),
    (own_profile(limits=[{**FILE, "setting": "enable"}, TOTAL]), "mine.limits[0].setting: "),
    (own_profile(limits=[FILE, {**TOTAL, "order": "in-order"}]), "mine.limits: the order of the total limit"),
    (
        own_profile(rendering={**RENDERING, "cut": "head-and-tail"}),
        "mine.rendering.cut: 'head-and-tail' is OpenClaw's",
    ),
    (own_profile(rendering={**RENDERING, "cut": "sideways"}), "mine.rendering.cut: 'sideways' is none of"),
    (own_profile(compared_with="nobody"), "mine.compared_with: "),
    (own_profile(compared_with="codex"), "mine.compared_with: "),
    (own_profile(sessions={"adapter": "pi"}), "mine.sessions: a profile of your own holds the rules of"),
    (own_profile(compaction={"preserve_recent_messages": 1}), "mine.compaction: "),
    (own_profile(gates=[{"before": "2", "set": {"/no/where": 1}, "why": "", "source": ""}]), "mine: gates: "),
]


@pytest.mark.parametrize(("data", "message"), FAULTS, ids=lambda each: each if isinstance(each, str) else "")
def test_a_fault_names_the_profile_and_the_key(data: Any, message: str) -> None:
    with pytest.raises(ProfileError) as caught:
        custom_profile(data, "given.json", "1")
    assert str(caught.value).startswith(message)


def test_the_one_in_the_documentation_is_taken() -> None:
    page = (ROOT / "docs" / "custom-profiles.md").read_text(encoding="utf-8")
    example, setting = (json.loads(each) for each in re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    assert custom_profile(example, "custom-profiles.md").title == "My Agent"
    assert parse_settings(dict([*_nested(setting)]))[1] == ()
    for key in re.findall(r"^\| ([^|]*) \|", page, re.MULTILINE)[2:]:
        for name in re.findall(r"`([^`]+)`", key):
            assert name.split(".")[0] in shapes.AgentProfile.__dataclass_fields__


def _nested(setting: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(key.removeprefix("agentbrief."), value) for key, value in setting.items()]


def test_every_part_that_is_no_rule_of_instruction_files_is_refused() -> None:
    """A part that a later change adds to profiles is not taken silently."""
    taken = {
        *own_profile(),
        "bad_file",
        "prompt",
        "token_formula",
        "unread",
        "compared_with",
        "port_context",
        "gates",
    }
    for key in shapes.AgentProfile.__dataclass_fields__.keys() - taken:
        with pytest.raises(ProfileError, match=rf"^mine\.{key}: "):
            custom_profile(own_profile(**{key: {}}), "given.json")


def test_a_gate_puts_back_what_held_before() -> None:
    gate = {"before": "1.2", "set": {"/limits/0/max": 40}, "why": "raised in 1.2", "source": "its manual"}
    data = own_profile(gates=[gate])
    for version, most in ((None, 100), ("1.2", 100), ("1.1.9", 40)):
        limit = custom_profile(data, "given.json", version).limit("file")
        assert limit is not None
        assert limit.max == most


def choices(shape: Any, key: str) -> tuple[str, ...]:
    hint = get_type_hints(shape, dict(vars(shapes)))[key]
    return tuple(each for each in get_args(hint) if isinstance(each, str))


COMBINATIONS = list(
    itertools.product(
        choices(shapes.Walk, "bound"),
        choices(shapes.Walk, "order"),
        [each for each in choices(shapes.Rendering, "cut") if each != "head-and-tail"],
        choices(shapes.Rendering, "scope"),
        choices(shapes.Rendering, "omission_place"),
        choices(shapes.Dedup, "by"),
        ("skipped", "aborts-all"),
    )
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    (root / ".git").mkdir()
    inner = root / "app" / ".mine" / "rules"
    inner.mkdir(parents=True)
    (root / "RULES.md").write_text("outer\n" * 40, encoding="utf-8")
    (root / "app" / "RULES.md").write_text("inner\n" * 12, encoding="utf-8")
    (root / "app" / ".mine" / "RULES.md").write_text("inner\n" * 12, encoding="utf-8")
    (inner / "one.md").write_text("# One\n" + "more " * 30, encoding="utf-8")
    return root


def test_every_combination_that_is_taken_can_be_worked_with(tree: Path) -> None:
    seen: set[int] = set()
    for bound, order, cut, scope, omission, dedup, bad in COMBINATIONS:
        data = own_profile(
            walk={"bound": bound, "order": order},
            limits=[FILE, {**TOTAL, "order": order}],
            dedup={"by": dedup},
            bad_file=bad,
            rendering={**RENDERING, "cut": cut, "scope": scope, "omission_place": omission},
        )
        settings = Settings().with_profile(custom_profile(data, "given.json")).replaced("agents", ("mine",))
        setup = Setup(DiskFiles(FS(), lambda: 0), (str(tree),), settings)
        (agent,) = agents(settings)
        brief = brief_from(setup, agent, str(tree / "app"))
        assert sum(each.kept_chars for each in brief.entries) <= 150
        assert {each.profile_id for each in judge(setup, (str(tree / "app"),))} <= {"mine"}
        seen.add(len(brief.by_priority))
    assert seen >= {3, 4}
