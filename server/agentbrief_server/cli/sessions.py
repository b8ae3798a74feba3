"""``agentbrief sessions VERB``: what the agents' sessions hold, and the workspace's own."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief_server.cli.console import Console
from agentbrief_server.cli.verbs import Verbs, add_verbs, run_verb

VERBS: Verbs = {
    "list": ("sessions_list", "sessions of this workspace over all formats"),
    "show": ("sessions_show", "one session: its messages, its faults, its tokens"),
    "check": ("sessions_check", "the faults of a session's file"),
    "history": ("sessions_history", "the history of a session as Markdown, secrets masked"),
    "repair": ("sessions_repair", "a repaired copy of a session; the session stays as it is"),
    "new": ("sessions_new", "begin a session of the workspace's own"),
    "append": ("sessions_append", "add a message to a session of the workspace"),
    "save": ("sessions_save", "write a session of the workspace's own in its usual form"),
    "flush": ("sessions_flush", "add what is new in a session to its transcript"),
    "trash": ("sessions_trash", "move a session to the trash"),
    "compact": (
        "sessions_compact",
        "what a compaction would do, or do it: a checkpoint first, then a summary",
    ),
    "checkpoints": ("sessions_checkpoints", "the earlier states of a session that can come back"),
    "restore": ("sessions_restore", "bring back an earlier state; the present one is kept first"),
    "migrate": ("sessions_migrate", "an old pi or OpenClaw transcript in the current version of its format"),
    "steer": ("sessions_steer", "a text waits in a session as a message of yours"),
    "memory-flush": ("sessions_memory_flush", "save memory notes of an OpenClaw session now"),
    "reset": ("store_reset", "start a session of an OpenClaw store anew; its transcript is kept"),
    "fork": ("store_fork", "another session that begins where a transcript stands now"),
}


def add_arguments(parser: ArgumentParser) -> None:
    add_verbs(parser, VERBS)


def run(arguments: Namespace, console: Console) -> int:
    return run_verb(arguments, console, VERBS)
