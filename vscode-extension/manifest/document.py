"""What do ``package.json``, its texts and ``src/facts.ts`` say?"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agentbrief.messages import say
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.rules.registry import rules
from agentbrief_server import __version__
from manifest import names, settings
from manifest.palette import Palette, declared

HERE = Path(__file__).parents[1]
LOCALES = {"en": "package.nls.json", "zh-cn": "package.nls.zh-cn.json", "zh-tw": "package.nls.zh-tw.json"}
_LINK = re.compile(r"\(command:(agentbrief\.[\w.]+?)(?:\.focus)?\)")
_STEPS = {
    "files": ["onView:agentbrief.files"],
    "cut": ["onCommand:agentbrief.ui.goToCut"],
    "budget": ["onCommand:agentbrief.ui.showBudget"],
    "compact": ["onCommand:agentbrief.ui.previewCompaction"],
    "keep": ["onView:agentbrief.sessions"],
}
_VIEWS = ("files", "budget", "sessions")


class Manifest:
    """The files that follow from the data of this tree."""

    def __init__(self) -> None:
        self.settings = settings.settings()
        self.commands = declared(each.key for each in self.settings)
        names_of = {each.name for each in self.commands}
        self.views = [view for view in _VIEWS if view != "sessions" or "openSession" in names_of]
        self.steps = {
            name: [event for event in events if self._is_there(event.partition(":")[2])]
            for name, events in _STEPS.items()
        }

    def _is_there(self, name: str) -> bool:
        """Whether ``agentbrief.ui.<command>`` or ``agentbrief.<view>`` is declared."""
        last = name.rsplit(".", 1)[-1]
        return last in ({each.name for each in self.commands} if ".ui." in name else self.views)

    def package(self, before: dict[str, Any]) -> dict[str, Any]:
        """``package.json``: ``before`` with everything in it that follows from the data made anew."""
        made = json.loads(json.dumps(before))
        made["version"] = __version__
        made["activationEvents"] = [
            # By name it is found without a search through the folder.
            *(f"workspaceContains:{name}" for name in names.file_names()),
            f"workspaceContains:{names.one_pattern()}",
            "workspaceContains:.port_sessions",
            "onLanguage:markdown",
            *(f"onView:agentbrief.{view}" for view in self.views),
        ]
        made["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = settings.restricted(
            self.settings
        )
        contributes = made["contributes"]
        contributes["configuration"] = settings.groups(self.settings)
        contributes["commands"] = [_command(each) for each in self.commands]
        contributes["menus"] = menus(self.commands)
        contributes["jsonValidation"] = [
            {"fileMatch": names.STORE, "url": "./schemas/openclaw-sessions.schema.json"}
        ]
        contributes["views"]["agentbrief"] = [_view(view) for view in self.views]
        contributes["viewsWelcome"] = [
            each for each in contributes["viewsWelcome"] if self._is_there(each["view"])
        ]
        contributes["walkthroughs"][0]["steps"] = [_step(name, events) for name, events in self.steps.items()]
        return made

    def texts(self, locale: str) -> dict[str, str]:
        """``package.nls*.json``: the strings of the extension and the descriptions of the settings."""
        strings = json.loads((HERE / "manifest" / "strings" / f"{locale}.json").read_text(encoding="utf-8"))
        names_of = {f"command.{each.name}" for each in self.commands}
        kept = {
            key: self._without_dead_links(text)
            for key, text in strings.items()
            if not key.startswith("command.") or key in names_of
        }
        described = {
            each.message: say(locale, each.message) for each in self.settings if each.message not in kept
        }
        filled = {key: text.replace("{minimum}", minimum_python()) for key, text in kept.items()}
        return dict(sorted({**filled, **described}.items()))

    def _without_dead_links(self, text: str) -> str:
        """``text`` without the lines whose link leads to a command or view that is not there yet."""
        lines = text.split("\n")
        return "\n".join(line for line in lines if all(map(self._is_there, _LINK.findall(line))))

    def facts(self) -> str:
        """``src/facts.ts``: what the extension knows of the server without asking it."""
        told = {
            "PATTERNS": names.patterns(),
            "STORE_PATTERNS": names.store_patterns(),
            "SESSION_PATTERNS": names.session_patterns(),
            "ANY_FILE": names.one_pattern(),
            "FILE_NAMES": names.file_names(),
            "PLAIN_NAMES": names.plain_names(),
            "MINIMUM_PYTHON": minimum_python(),
            "CLIENT_ONLY": settings.client_only(),
            "VIEWS": self.views,
            "PROFILES": [
                {"id": each, "title": profile(each).title}
                for each in profile_ids()
                if profile(each).walk is not None
            ],
            "RULES": [{"code": each.code, "summary": each.summary} for each in rules()],
            "COMMANDS": {each.name: f"agentbrief.{each.server}" for each in self.commands if each.server},
        }
        lines = [
            f"export const {name} = {json.dumps(value, ensure_ascii=False, indent=2)} as const;\n"
            for name, value in told.items()
        ]
        return "// Made by generate.py from the server's data.\n\n" + "\n".join(lines)


def minimum_python() -> str:
    """The oldest Python that runs the server: ``3.11``."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["requires-python"]).removeprefix(">=")


def menus(commands: Sequence[Palette]) -> dict[str, Any]:
    """``contributes.menus``."""
    files = "resourceFilename in agentbrief.fileNames"
    return {
        "commandPalette": [{"command": each.id, "when": each.when} for each in commands],
        "view/title": [
            {
                "command": each.id,
                "when": f"view == agentbrief.{view}",
                "group": f"{_title_group(view)}@{place}",
            }
            for place, each in enumerate(commands, 1)
            for view in each.title
        ],
        "view/item/context": [
            {"command": each.id, "when": _on_row(each), "group": each.group} for each in commands if each.row
        ],
        "explorer/context": [
            {"command": "agentbrief.ui.showChain", "when": files, "group": "7_agentbrief@1"}
        ],
    }


def _title_group(view: str) -> str:
    # Beside the title of the files stand numbers, which icons would cover: there the menu has the commands.
    return "1_files" if view == "files" else "navigation"


def _on_row(command: Palette) -> str:
    return f"{command.row} && isWorkspaceTrusted" if "trust" in command.needs else command.row


def _command(command: Palette) -> dict[str, Any]:
    made: dict[str, Any] = {
        "command": command.id,
        "title": f"%command.{command.name}%",
        "category": "Agent Brief",
    }
    if command.icon:
        made["icon"] = f"$({command.icon})"
    return made


def _view(view: str) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": f"agentbrief.{view}",
        "name": f"%view.{view}%",
        "contextualTitle": "Agent Brief",
    }
    return {**made, "visibility": "collapsed"} if view == "sessions" else made


def _step(name: str, events: list[str]) -> dict[str, Any]:
    media = {"svg": f"media/walkthrough-{name}.svg", "altText": f"%walkthrough.{name}.alt%"}
    made: dict[str, Any] = {
        "id": name,
        "title": f"%walkthrough.{name}.title%",
        "description": f"%walkthrough.{name}.description%",
        "media": media,
    }
    return {**made, "completionEvents": events} if events else made
