"""Which commands does the server have, and what are they called?

The one list that editors, docs and tests read.
"""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.messages import say


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command. ``module`` is its file in ``commands/``; ``on_line_one`` = also a code action on line 1."""

    name: str
    module: str
    on_line_one: bool = False

    @property
    def message(self) -> str:
        """The identifier of its title."""
        return f"command.{self.name.removeprefix('agentbrief.')}"


COMMANDS: tuple[CommandEntry, ...] = (
    CommandEntry("agentbrief.brief.show", "brief_show", True),
    CommandEntry("agentbrief.brief.compare", "brief_compare", True),
    CommandEntry("agentbrief.prompt.show", "prompt_show", True),
    CommandEntry("agentbrief.budget.show", "budget_show", True),
    CommandEntry("agentbrief.budget.showSections", "budget_show_sections", True),
    CommandEntry("agentbrief.context.show", "context_show", True),
    CommandEntry("agentbrief.instructions.goToCut", "instructions_go_to_cut", True),
    CommandEntry("agentbrief.instructions.compare", "instructions_compare", True),
    CommandEntry("agentbrief.instructions.revealTarget", "instructions_reveal_target"),
    CommandEntry("agentbrief.hiddenText.show", "hidden_text_show", True),
    CommandEntry("agentbrief.secret.showRotation", "secret_show_rotation"),
    CommandEntry("agentbrief.rules.explain", "rules_explain", True),
    CommandEntry("agentbrief.profile.select", "profile_select", True),
    CommandEntry("agentbrief.workspace.refresh", "workspace_refresh", True),
    CommandEntry("agentbrief.diagnostics.report", "diagnostics_report", True),
    CommandEntry("agentbrief.fix.apply", "fix_apply"),
    CommandEntry("agentbrief.session.open", "session_open", True),
    CommandEntry("agentbrief.session.check", "session_check", True),
    CommandEntry("agentbrief.session.list", "session_list"),
    CommandEntry("agentbrief.session.status", "session_status"),
    CommandEntry("agentbrief.session.new", "session_new"),
    CommandEntry("agentbrief.session.append", "session_append"),
    CommandEntry("agentbrief.session.save", "session_save"),
    CommandEntry("agentbrief.session.flush", "session_flush"),
    CommandEntry("agentbrief.session.repair", "session_repair", True),
    CommandEntry("agentbrief.session.trash", "session_trash", True),
    CommandEntry("agentbrief.history.export", "history_export", True),
    CommandEntry("agentbrief.compaction.plan", "compaction_plan", True),
    CommandEntry("agentbrief.session.compact", "session_compact", True),
    CommandEntry("agentbrief.session.compactCopy", "session_compact_copy", True),
    CommandEntry("agentbrief.session.steer", "session_steer"),
    CommandEntry("agentbrief.memory.flush", "memory_flush", True),
    CommandEntry("agentbrief.checkpoint.list", "checkpoint_list", True),
    CommandEntry("agentbrief.checkpoint.plan", "checkpoint_plan"),
    CommandEntry("agentbrief.checkpoint.restore", "checkpoint_restore", True),
    CommandEntry("agentbrief.change.undo", "change_undo", True),
    CommandEntry("agentbrief.maintenance.plan", "maintenance_plan", True),
    CommandEntry("agentbrief.maintenance.apply", "maintenance_apply", True),
    CommandEntry("agentbrief.trash.list", "trash_list", True),
    CommandEntry("agentbrief.trash.restore", "trash_restore"),
    CommandEntry("agentbrief.store.status", "store_status", True),
    CommandEntry("agentbrief.store.doctor", "store_doctor", True),
    CommandEntry("agentbrief.runRestore.show", "run_restore_show", True),
)


def line_one_commands(locale: str) -> tuple[tuple[str, str], ...]:
    """Name and title of each command that is a code action on line 1 of an instruction file."""
    return tuple((entry.name, say(locale, entry.message)) for entry in COMMANDS if entry.on_line_one)
