"""How is the system prompt put together?

The order and the exact bullets are the agent's; the prose of the fixed sections is ours. It is a preview and
an export: no program is started, so what git would add is listed as missing unless the caller hands the text
in.

Source: claw.md 4; ultraworkers/claw-code rust/crates/runtime/src/prompt.rs.
"""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.brief import Brief
from agentbrief.profiles.profile import AgentProfile, PromptData
from agentbrief.prompt import prose
from agentbrief.prompt.prompt_text import Prompt, PromptSection
from agentbrief.prompt.rendered import rendered

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file of the agent that is loaded: its scope (``User``, ``Project``, ``Local``) and path."""

    scope: str
    path: str


@dataclass(frozen=True, slots=True)
class PromptFacts:
    """What the prompt says besides the files. None stands for what is not known; ``date`` is an ISO date.

    ``git`` is the text of the git parts if a client passed it. ``settings`` and ``merged_settings`` (JSON
    text) are those of claw-code.
    """

    model_family: str | None = None
    working_directory: str | None = None
    date: str | None = None
    platform: str | None = None
    style: tuple[str, str] | None = None
    git: str | None = None
    settings: tuple[SettingsFile, ...] = ()
    merged_settings: str | None = None
    appended: tuple[str, ...] = ()


def assemble(profile: AgentProfile, brief: Brief, facts: PromptFacts) -> Prompt:
    """The system prompt of an agent with this brief, as sections with a source map.

    Raises:
        ValueError: how the profile's prompt is built is not known.
    """
    data = profile.prompt
    if data is None:
        raise ValueError(f"the system prompt of {profile.title} is not known")
    found = [PromptSection("intro", prose.INTRO if facts.style is None else prose.INTRO_WITH_STYLE)]
    if facts.style is not None:
        found.append(PromptSection("style", f"# Output Style: {facts.style[0]}\n{facts.style[1]}"))
    found += [
        PromptSection("system", prose.SYSTEM),
        PromptSection("tasks", prose.TASKS),
        PromptSection("care", prose.CARE),
        PromptSection("boundary", prose.BOUNDARY),
        _environment(data, facts),
        _project(data, brief, facts),
    ]
    if (instructions := rendered(profile, brief)) is not None:
        found.append(instructions)
    found.append(_config(data, facts))
    found.extend(PromptSection(f"appended-{number}", text) for number, text in enumerate(facts.appended, 1))
    return Prompt(tuple(found), () if facts.git is not None else ("git",))


def _environment(data: PromptData, facts: PromptFacts) -> PromptSection:
    bullets = [
        f"Model family: {facts.model_family or data.default_model_family}",
        f"Working directory: {facts.working_directory or UNKNOWN}",
        f"Date: {facts.date or UNKNOWN}",
        f"Platform: {facts.platform or UNKNOWN}",
    ]
    return PromptSection("environment", _with_bullets("# Environment context", bullets))


def _project(data: PromptData, brief: Brief, facts: PromptFacts) -> PromptSection:
    bullets = [
        f"Today's date is {facts.date or UNKNOWN}.",
        f"Working directory: {facts.working_directory or UNKNOWN}",
    ]
    if count := len(brief.listed):
        bullets.append(data.files_bullet.format(count=count))
    text = _with_bullets("# Project context", bullets)
    return PromptSection("project", f"{text}\n\n{facts.git}" if facts.git else text)


def _config(data: PromptData, facts: PromptFacts) -> PromptSection:
    title = "# Runtime config"
    if data.settings_bullet is None or not facts.settings:
        return PromptSection("config", _with_bullets(title, [data.no_settings_bullet]))
    bullets = [data.settings_bullet.format(scope=file.scope, path=file.path) for file in facts.settings]
    return PromptSection("config", f"{_with_bullets(title, bullets)}\n\n{facts.merged_settings or '{}'}")


def _with_bullets(title: str, bullets: list[str]) -> str:
    return "\n".join([title, *(f" - {bullet}" for bullet in bullets)])
