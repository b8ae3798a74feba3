"""``agentbrief store VERB``: OpenClaw's session stores: how they stand, what may go, what can come back."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief_server.cli.console import Console
from agentbrief_server.cli.verbs import Verbs, add_verbs, run_verb

VERBS: Verbs = {
    "status": ("store_status", "how the stores and their sessions stand"),
    "cleanup": ("store_cleanup", "what a cleanup would do, or do it"),
    "trash": ("store_trash", "what lies in the trash of the stores, and bring it back"),
    "doctor": ("store_doctor", "what is wrong with the stores, and the remedy for each fault"),
}


def add_arguments(parser: ArgumentParser) -> None:
    add_verbs(parser, VERBS)


def run(arguments: Namespace, console: Console) -> int:
    return run_verb(arguments, console, VERBS)
