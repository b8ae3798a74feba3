"""How is a rule explained? Its docstring is its page."""

from __future__ import annotations

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.rules.registry import Rule


def rule_markdown(rule: Rule) -> str:
    """The page of a rule: its code, its severity and its docstring."""
    return f"# {rule.code}\n\nSeverity: {rule.severity}\n\n{rule.page}\n"


def rule_record(rule: Rule) -> dict[str, JsonValue]:
    """The contract of ``rules --json`` (cli.md)."""
    agents: list[JsonValue] = [name for name in profile_ids() if rule.holds_for(profile(name))]
    return {
        "code": rule.code,
        "severity": rule.severity,
        "summary": rule.summary,
        "agents": agents,
        "fixable": rule.fix is not None,
    }
