"""Which settings are there, and what do they hold?

One table serves the server, the command line's ``--config``, the generated page and the extension's manifest.
A wrong value never stops anything: the default holds and one warning says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from agentbrief.jsonio import JsonValue
from agentbrief.rules.finding import Severity

if TYPE_CHECKING:
    from agentbrief.profiles.profile import AgentProfile

Scope = Literal["window", "resource", "machine"]
Kind = Literal[
    "boolean",
    "string",
    "integer",
    "integer or null",
    "string or null",
    "strings",
    "strings or null",
    "string or false or null",
    "object",
    "enum",
]
Value = bool | str | int | None | tuple[str, ...] | Mapping[str, JsonValue]

AUTOMATIC = "auto"
"""In place of a profile in ``agents``: the agent that the folder is made for."""

SEVERITIES = ("error", "warning", "information", "hint", "off")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting below ``agentbrief.``.

    ``machine`` scope: never from a workspace. ``restricted``: ignored from a workspace that is not trusted.
    ``parts`` are the keys of an object of fixed shape, each a string. ``keys`` says what the keys of an
    object of any shape are: codes of rules (with severities) or ids of profiles (with any text).
    """

    key: str
    kind: Kind
    default: Value
    scope: Scope
    restricted: bool = False
    choices: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    keys: Literal["codes", "profiles"] = "codes"

    @property
    def message(self) -> str:
        """The identifier of the message that describes it."""
        return f"setting.{self.key}"


TABLE: tuple[Setting, ...] = (
    Setting("enable", "boolean", True, "resource", True),
    Setting("startFolder", "string or null", None, "resource"),
    Setting("discovery.bound", "enum", "workspace", "resource", True, ("workspace", "git", "root")),
    Setting("agents", "strings", ("claw",), "resource"),
    Setting("customProfiles", "strings", (), "machine", True),
    Setting("versions", "object", {}, "machine", keys="profiles"),
    Setting("limits.perFile", "integer or null", None, "resource"),
    Setting("limits.total", "integer or null", None, "resource"),
    Setting("tokens.reference", "enum", "o200k", "resource", False, ("o200k", "cl100k", "claude2")),
    Setting("diagnostics.level", "object", {}, "resource", True),
    Setting("diagnostics.hiddenText", "enum", "error", "machine", True, SEVERITIES),
    Setting("diagnostics.secrets", "enum", "warning", "machine", True, SEVERITIES),
    Setting("codeLens.enable", "boolean", True, "resource"),
    Setting("fadeCutText", "boolean", True, "resource"),
    Setting("inlayHints.total", "boolean", False, "resource"),
    Setting("inlayHints.headings", "boolean", False, "resource"),
    Setting("statusBar.format", "string", "{chars}/{charsMax}", "window"),
    Setting("pictures", "enum", "auto", "window", False, ("auto", "svg", "text")),
    Setting("context.roots", "object", {}, "resource", True, parts=("source", "tests", "assets", "archive")),
    Setting("context.exclude", "strings or null", None, "resource", True),
    Setting("contextWindow", "integer or null", None, "resource"),
    Setting("sessions.expiringDays", "integer", 7, "window"),
    Setting("sessions.roots", "strings", (), "machine", True),
    Setting("readHomeSessions", "boolean", True, "machine", True),
    Setting("export.redact", "boolean", True, "machine", True),
    Setting("compaction.preserveRecentMessages", "integer or null", None, "resource", True),
    Setting("compaction.maxEstimatedTokens", "integer or null", None, "resource", True),
    Setting("compaction.keepRecentTokens", "integer or null", None, "resource", True),
    Setting("compaction.reserveTokens", "integer or null", None, "resource", True),
    Setting("compaction.reserveTokensFloor", "integer or null", None, "resource", True),
    Setting("compaction.extraExtensions", "strings", (), "machine", True),
    Setting("compaction.providers", "strings", ("extractive",), "machine", True),
    Setting("compaction.command", "strings or null", None, "machine", True),
    Setting("compaction.timeoutSeconds", "integer", 300, "machine", True),
    Setting("compaction.redactForProviders", "boolean", True, "machine", True),
    Setting("claw.newSessionFormat", "enum", "json", "machine", True, ("json", "jsonl")),
    Setting("maintenance.mode", "enum", "warn", "machine", True, ("warn", "enforce", "off")),
    Setting("maintenance.pruneAfter", "string", "30d", "machine", True),
    Setting("maintenance.maxEntries", "integer", 500, "machine", True),
    Setting("maintenance.rotateBytes", "string", "10mb", "machine", True),
    Setting("maintenance.maxDiskBytes", "string or null", None, "machine", True),
    Setting("maintenance.highWaterBytes", "string or null", None, "machine", True),
    Setting("maintenance.resetArchiveRetention", "string or false or null", None, "machine", True),
    Setting("maintenance.trashDays", "integer", 14, "machine", True),
    Setting("durability", "enum", "fsync", "machine", True, ("fsync", "process")),
    Setting("allowedRoots", "strings", (), "machine", True),
    Setting("oracleLog", "string", "", "machine", True),
    Setting("trace.server", "enum", "off", "window", False, ("off", "messages", "verbose")),
)

_BY_KEY = {setting.key: setting for setting in TABLE}


@dataclass(frozen=True, slots=True)
class SettingWarning:
    """A setting that does not hold as it was given.

    ``message`` is a message identifier, its argument the key.
    """

    message: str
    key: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force for one folder; each key of :data:`TABLE` has a value.

    ``profiles`` are those of agents whose own settings on this machine change what their profile says.
    """

    values: Mapping[str, Value] = field(
        default_factory=lambda: {each.key: each.default for each in TABLE}, hash=False
    )
    profiles: Mapping[str, AgentProfile] = field(default_factory=lambda: {}, hash=False)

    def flag(self, key: str) -> bool:
        """The value of a boolean setting."""
        value = self.values[key]
        assert isinstance(value, bool)
        return value

    def text(self, key: str) -> str:
        """The value of a string or enum setting; empty for null."""
        value = self.values[key]
        assert value is None or isinstance(value, str)
        return value or ""

    def number(self, key: str) -> int | None:
        """The value of an integer setting."""
        value = self.values[key]
        assert value is None or (isinstance(value, int) and not isinstance(value, bool))
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        """The value of a setting that is a list of strings; empty for null."""
        value = self.values[key]
        assert value is None or isinstance(value, tuple)
        return value or ()

    def table(self, key: str) -> Mapping[str, JsonValue]:
        """The value of a setting that is an object."""
        value = self.values[key]
        assert isinstance(value, Mapping)
        return value

    @property
    def is_automatic(self) -> bool:
        """Whether the choice of an agent is left to us."""
        return AUTOMATIC in self.strings("agents")

    def replaced(self, key: str, value: Value) -> Settings:
        """The same settings with another value for one key."""
        return replace(self, values={**self.values, key: value})

    def with_profile(self, found: AgentProfile) -> Settings:
        """The same settings, the profile ``found`` in place of its data."""
        return replace(self, profiles={**self.profiles, found.id: found})

    def version(self, agent: str) -> str | None:
        """The version that the user names for the agent; None where nothing is named."""
        found = self.table("versions").get(agent)
        return found if isinstance(found, str) and found.strip() else None

    def severity(self, code: str, rule_setting: str, default: Severity) -> Severity | None:
        """The severity at which a rule's finding is shown; None when it is off.

        ``rule_setting`` is the setting that alone may change it; empty stands for ``diagnostics.level``.
        """
        if rule_setting:
            given: JsonValue | Value = self.values[rule_setting]
            # "error" is the default of the whole family; only a change of it replaces a rule's own severity.
            if given == _BY_KEY[rule_setting].default:
                return default
        else:
            given = self.table("diagnostics.level").get(code)
        if given == "off":
            return None
        levels: list[Severity] = [level for level in _LEVELS if level == given]
        return levels[0] if levels else default


_LEVELS: tuple[Severity, ...] = ("error", "warning", "information", "hint")


def parse(
    user: Mapping[str, JsonValue], workspace: Mapping[str, JsonValue] | None = None, *, trusted: bool = True
) -> tuple[Settings, tuple[SettingWarning, ...]]:
    """The settings that ``user`` values (nested objects) give, with those of a ``workspace`` over them.

    A workspace never sets what is of machine scope, and what is restricted only when it is trusted.
    """
    warnings: list[SettingWarning] = []
    values: dict[str, Value] = {each.key: each.default for each in TABLE}
    for layer, from_workspace in ((user, False), (workspace or {}, True)):
        for key, value in _flat(layer):
            setting = _BY_KEY.get(key)
            if setting is None:
                warnings.append(SettingWarning("setting-unknown", key))
            elif from_workspace and setting.scope == "machine":
                warnings.append(SettingWarning("setting-machine-only", key))
            elif from_workspace and setting.restricted and not trusted:
                warnings.append(SettingWarning("setting-untrusted", key))
            else:
                _take(setting, value, values, warnings)
    return Settings(values), tuple(dict.fromkeys(warnings))


def _take(
    setting: Setting, value: JsonValue, values: dict[str, Value], warnings: list[SettingWarning]
) -> None:
    fitting = _fitting(setting, value)
    if fitting is _WRONG:
        warnings.append(SettingWarning("setting-wrong-value", setting.key))
    else:
        assert not isinstance(fitting, _Wrong)
        values[setting.key] = fitting


class _Wrong:
    """Stands for a value of the wrong type."""


_WRONG = _Wrong()


def _fitting(setting: Setting, value: JsonValue) -> Value | _Wrong:
    if value is None:
        return None if setting.kind.endswith("or null") else setting.default
    match setting.kind.removesuffix(" or null"):
        case "boolean":
            return value if isinstance(value, bool) else _WRONG
        case "integer":
            whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
            return value if whole and isinstance(value, int) else _WRONG
        case "string":
            return value if isinstance(value, str) else _WRONG
        case "string or false":
            return value if isinstance(value, str) or value is False else _WRONG
        case "enum":
            return value if isinstance(value, str) and value in setting.choices else _WRONG
        case "strings":
            if isinstance(value, list) and all(isinstance(item, str) for item in value):
                return tuple(str(item) for item in value)
            return _WRONG
        case _:
            return value if isinstance(value, dict) and _has_parts(setting, value) else _WRONG


def _has_parts(setting: Setting, value: Mapping[str, JsonValue]) -> bool:
    if setting.keys == "profiles":
        return all(isinstance(item, str) for item in value.values())
    if not setting.parts:
        return all(isinstance(item, str) and item in SEVERITIES for item in value.values())
    return all(key in setting.parts and isinstance(item, str) for key, item in value.items())


def _flat(layer: Mapping[str, JsonValue], prefix: str = "") -> list[tuple[str, JsonValue]]:
    """The settings of nested objects as dotted keys. Dotted keys themselves are taken as they are written."""
    found: list[tuple[str, JsonValue]] = []
    for name, value in layer.items():
        key = prefix + name
        if (
            isinstance(value, dict)
            and key not in _BY_KEY
            and any(known.startswith(key + ".") for known in _BY_KEY)
        ):
            found.extend(_flat(value, key + "."))
        else:
            found.append((key, value))
    return found
