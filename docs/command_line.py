"""What does the page about the command line say? One section a command, one table of its arguments."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator
from importlib import import_module

from agentbrief.report.table import cell, table
from agentbrief_server.cli import sessions, store
from agentbrief_server.cli.parser import COMMANDS, add_common

VERBS = {"sessions": sessions.VERBS, "store": store.VERBS}

HEAD = (
    "# The command line\n\n"
    "`agentbrief COMMAND`: what the editor shows, in a terminal and in CI, without a server.\n\n"
    "Exit codes: 0 nothing to report, or done; 1 findings, or `--dry-run` would change something; 2 a wrong\n"
    "command line; 3 a file, folder or store could not be read or written (the message names it);\n"
    "130 interrupted. Results go to the standard output, everything else to the standard error.\n\n"
)


def command_line_page() -> str:
    parser = ArgumentParser(add_help=False)
    add_common(parser, top=True)
    parts = [HEAD, "Every command takes these:\n\n", _arguments(parser), "\n"]
    for name, (module, summary) in COMMANDS.items():
        verbs = VERBS.get(name)
        if verbs is None:
            parts += _section(f"## `agentbrief {name}`", module, summary)
            continue
        parts.append(f"\n## `agentbrief {name}`\n\n{_sentence(summary)}\n")
        for verb, (verb_module, verb_summary) in verbs.items():
            parts += _section(f"### `agentbrief {name} {verb}`", verb_module, verb_summary)
    return "".join(parts)


def _section(head: str, module: str, summary: str) -> Iterator[str]:
    parser = ArgumentParser(add_help=False)
    import_module(f"agentbrief_server.cli.{module}").add_arguments(parser)
    yield f"\n{head}\n\n{_sentence(summary)}\n"
    body = _arguments(parser)
    if body:
        yield f"\n{body}\n"


def _arguments(parser: ArgumentParser) -> str:
    lines = [[f"`{_form(each)}`", cell(each.help or "")] for each in parser._actions if each.help != SUPPRESS]
    return table(["Argument", "What it does"], lines) if lines else ""


def _form(action: Action) -> str:
    if not action.option_strings:
        name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
        return {"?": f"[{name}]", "*": f"[{name} …]", "+": f"{name} …"}.get(str(action.nargs), name)
    form = ", ".join(action.option_strings)
    if action.nargs == 0:
        return form
    if action.choices is not None and action.metavar is None:
        return f"{form} " + "{" + ",".join(str(each) for each in action.choices) + "}"
    return f"{form} {action.metavar or action.dest.upper()}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
