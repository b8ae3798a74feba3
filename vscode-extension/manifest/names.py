"""By which patterns does VS Code know an instruction file, a store of sessions, or a session?

From the names of every profile that is built.
"""

from __future__ import annotations

from agentbrief.instructions.names import shipped_names
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.tasks.sessions.setup import own_folders, session_agents

RULE_FILES = "*.{md,txt,mdc}"
STORE = "agents/*/sessions/sessions.json"
"""Where OpenClaw keeps the sessions of an agent."""


def patterns() -> list[str]:
    """A glob for each listed name, and for the files of each folder of rules; sorted, without doubles."""
    names = {f"**/{name}" for name in shipped_names().listed}
    folders = {
        f"**/{file.name}/{RULE_FILES}"
        for each in map(profile, profile_ids())
        for layer in each.layers
        for file in layer.files
        if file.glob
    }
    # `**/CLAUDE.md` matches `.claude/CLAUDE.md` too.
    bases = {name for name in names if name.count("/") == 1}
    longer = {name for name in names - bases if f"**/{name.rsplit('/', 1)[-1]}" not in bases}
    return sorted(bases | longer | folders)


def store_patterns() -> list[str]:
    """A glob for each file of OpenClaw that is judged while it is open."""
    return [f"**/{STORE}", "**/.openclaw/openclaw.json"]


def session_patterns() -> list[str]:
    """A glob for each place where a session lies: in the folders of its agent, or of the workspace."""
    homes = {
        f"**/{root.path.removeprefix('~/')}/{agent.sessions.glob.removesuffix('*')}"
        for agent in session_agents()
        if agent.sessions is not None
        for root in agent.sessions.roots
        if root.path is not None and root.path.startswith("~/")
    }
    own = {f"**{folder}/**/*.{{json,jsonl}}" for folder in own_folders("/")}
    return sorted(homes | own)


def one_pattern() -> str:
    """All of them as one glob. The rule files are not in it: they make no folder an agent's own."""
    plain = [each.removeprefix("**/") for each in patterns() if not each.endswith(RULE_FILES)]
    return "**/{" + ",".join(plain) + "}"


def file_names() -> list[str]:
    """The listed names, with forward slashes: ``.claude/CLAUDE.md``."""
    return sorted(shipped_names().listed)


def plain_names() -> list[str]:
    """Those that have no folder in them."""
    return [name for name in file_names() if "/" not in name]
