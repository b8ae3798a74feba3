"""``agentbrief rules``: all rules."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.report.rule_pages import rule_record
from agentbrief.rules.registry import rules
from agentbrief_server.cli.console import Console


def add_arguments(parser: ArgumentParser) -> None:
    """Only the common options."""


def run(arguments: Namespace, console: Console) -> int:
    found = rules()
    if arguments.json:
        console.json([rule_record(each) for each in found])
        return 0
    width = max(len(each.code) for each in found)
    for each in found:
        console.line(f"{each.code:<{width}}  {each.severity:<11}  {each.summary}")
    return 0
