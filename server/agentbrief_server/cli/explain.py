"""``agentbrief explain CODE``: the page of one rule."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.report.rule_pages import rule_markdown, rule_record
from agentbrief.rules.registry import rule, rules
from agentbrief_server.cli.console import CommandError, Console


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="the code of a rule, such as file-over-limit")


def run(arguments: Namespace, console: Console) -> int:
    try:
        found = rule(arguments.code)
    except KeyError:
        codes = ", ".join(each.code for each in rules())
        raise CommandError(2, console.say("cli.unknown-rule", code=arguments.code, known=codes)) from None
    if arguments.json:
        console.json({**rule_record(found), "page": rule_markdown(found)})
    else:
        console.page(rule_markdown(found))
    return 0
