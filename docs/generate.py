"""Writes the pages that are made from the code: rules, settings, commands, the command line, profiles; the
tables of the README; and the schema of a store of sessions.

usage: python docs/generate.py [--check]     --check: write nothing, exit 1 if a page is not as it would be
written
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from command_line import command_line_page

from agentbrief import jsonio
from agentbrief.messages import say
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.profiles.profile import AgentProfile
from agentbrief.report.rule_pages import rule_markdown
from agentbrief.report.table import cell, table
from agentbrief.rules.registry import rules
from agentbrief.sessions.store.schema import store_schema
from agentbrief.tasks.settings import TABLE, Setting, Value
from agentbrief_server.catalogue import COMMANDS

ROOT = Path(__file__).parents[1]
NOTE = "<!-- Made by `make docs` from the code. -->\n\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Each generated file with its text."""
    for rule in rules():
        yield ROOT / "docs" / "rules" / f"{rule.code}.md", NOTE + rule_markdown(rule)
    yield ROOT / "docs" / "settings.md", NOTE + settings_page()
    yield ROOT / "docs" / "commands.md", NOTE + commands_page()
    yield ROOT / "docs" / "command-line.md", NOTE + command_line_page()
    yield ROOT / "docs" / "profiles.md", NOTE + profiles_page()
    schema = ROOT / "vscode-extension" / "schemas" / "openclaw-sessions.schema.json"
    yield schema, json.dumps(store_schema(), indent=2, ensure_ascii=False) + "\n"
    readme = ROOT / "README.md"
    yield readme, with_block(readme.read_text(encoding="utf-8"), "rules", rule_index())


def rule_index() -> str:
    lines = [
        [f"[`{rule.code}`](docs/rules/{rule.code}.md)", rule.severity, cell(rule.summary)] for rule in rules()
    ]
    return table(["Rule", "Severity", "What it finds"], lines)


def settings_page() -> str:
    lines = [
        [
            f"`agentbrief.{each.key}`",
            _kind(each),
            f"`{_shown(each.default)}`",
            each.scope,
            cell(say("en", each.message)),
        ]
        for each in TABLE
    ]
    head = (
        "# Settings\n\nOne section, `agentbrief`: nested objects through `initializationOptions`,\n"
        "`workspace/configuration` and `workspace/didChangeConfiguration`, and the same as JSON for\n"
        "`--config FILE`. Settings of machine scope never count when they come from a workspace.\n\n"
    )
    return head + table(["Setting", "Type", "Default", "Scope", "What it does"], lines) + "\n"


def commands_page() -> str:
    lines = [
        [f"`{entry.name}`", cell(say("en", entry.message)), "yes" if entry.on_line_one else "–"]
        for entry in COMMANDS
    ]
    head = (
        "# Commands\n\nEach takes one object, all keys optional: `uri` the file, `folder` the start folder,\n"
        "`agent` a profile, `show: false` to get the page in the reply instead of on the screen.\n\n"
    )
    return head + table(["Command", "Title", "Code action on line 1"], lines) + "\n"


def profiles_page() -> str:
    parts = [
        "# Agent profiles\n\nWhat each agent reads, as data (`features/agentbrief/profiles/data`).\n"
        "Every message names "
        "the profile whose rule it states.\n"
    ]
    for name in profile_ids():
        parts.append(_profile(profile(name)))
    return "\n".join(parts)


def _profile(agent: AgentProfile) -> str:
    lines = [f"## {agent.title} (`{agent.id}`)\n", f"Checked {agent.verified.date}."]
    if agent.names:
        lines.append("\nFiles, in order: " + ", ".join(f"`{name}`" for name in agent.names) + ".")
    for limit in agent.limits:
        order = f", {limit.order} pays first" if limit.order else ""
        lines.append(f"\nLimit of {limit.scope}: {limit.max:,} {limit.unit}, then {limit.then}{order}.")
    lines.append("\nSources:\n")
    lines += [f"- {source}" for source in agent.sources]
    return "\n".join(lines) + "\n"


def _kind(setting: Setting) -> str:
    if setting.choices:
        return " / ".join(setting.choices)
    return setting.kind


def _shown(value: Value) -> str:
    return jsonio.dumps(_json(value)).decode()


def _json(value: Value) -> jsonio.JsonValue:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def with_block(text: str, name: str, body: str) -> str:
    """``text`` with the block between the two marks of ``name`` replaced."""
    pattern = re.compile(rf"(<!-- {name}: made by `make docs` -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    return pattern.sub(lambda match: f"{match[1]}{body}\n{match[2]}", text)


def main() -> int:
    wrong = []
    made = dict(pages())
    for path, text in made.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(path.relative_to(ROOT).as_posix())
            if "--check" not in sys.argv:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    for path in (ROOT / "docs" / "rules").glob("*.md"):
        if path not in made:
            wrong.append(path.relative_to(ROOT).as_posix())
            if "--check" not in sys.argv:
                path.unlink()
    print("\n".join(wrong) if wrong else "all pages are as the code says")
    return int(bool(wrong) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
