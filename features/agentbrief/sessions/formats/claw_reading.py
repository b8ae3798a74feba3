"""What does a session file of claw-code say, read strictly?

Strict: one fault and the whole file is refused, as claw-code itself does. Profile ``claw`` reads what
claw-code reads and more, and says when claw-code would refuse the file; profile ``claw-code`` is exact. The
lenient reader for views is in :mod:`agentbrief.sessions.formats.claw_code`.

Source: claw.md 5.2, 5.3; ultraworkers/claw-code rust/crates/runtime/src/session.rs@08106b0c.
"""

from __future__ import annotations

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.json import BYTE_ORDER_MARK, parse, parse_exact
from agentbrief.sessions.claw.messages import (
    EXACT,
    STRICT,
    Fault,
    Object,
    has_input_object,
    message_of,
    number_in,
    text_in,
)
from agentbrief.sessions.formats.claw_records import (
    Compaction,
    Fork,
    PromptEntry,
    compaction_of,
    fork_of,
    prompt_of,
    version_of,
)
from agentbrief.sessions.formats.claw_session import (
    VERSION,
    ClawSession,
    Form,
    Loaded,
    NotLoaded,
    Profile,
    created_in_id,
)
from agentbrief.sessions.model import Damage, Message, Slice
from agentbrief.text.whitespace import is_blank, trim

_UNREADABLE = "not-readable-by-claw-code"
_IGNORED_IF_ODD = ("session_id", "workspace_root", "model")
_TOP_KEYS = frozenset(
    {"version", "created_at_ms", "updated_at_ms", "messages", "compaction", "fork", "prompt_history"}
)
_META_KEYS = frozenset({"type", "version", "session_id", "created_at_ms", "updated_at_ms", "fork"})


class _Draft:
    """What was read so far. ``issues`` in the order in which they were met."""

    def __init__(self, *, exact: bool) -> None:
        self.exact = exact
        self.header: Object = {}
        self.messages: list[Message] = []
        self.raw: list[JsonValue] = []
        self.compaction: Compaction | None = None
        self.prompts: list[PromptEntry] = []
        self.prompt_slices: list[Slice] = []
        self.issues: dict[tuple[int, str], Damage] = {}

    def note(self, code: str, line: int = 0, offset: int = 0, length: int = 0) -> None:
        if not self.exact:
            self.issues.setdefault((line, code), Damage(line, code, offset, length))

    def parse(self, text: str, line: int = 0) -> JsonValue:
        if self.exact:
            return parse_exact(text)
        found = parse(text)
        for issue in sorted(found.issues):
            self.note(issue, 0 if issue == _UNREADABLE else line)
        return found.value

    def message(self, value: JsonValue, place: Slice | None = None, line: int = 0) -> None:
        self.messages.append(message_of(value, EXACT if self.exact else STRICT, slice=place, line=line))
        self.raw.append(value)
        if not self.exact and has_input_object(value):
            self.note("tool-input-object", line)
            self.note(_UNREADABLE)

    def prompt(self, value: JsonValue, line: int = 0) -> None:
        entry = prompt_of(value)
        if entry is None:
            self.note("bad-record", line)
        else:
            self.prompts.append(entry)


def load(data: bytes, name: str, mtime_ms: int, profile: Profile = "claw") -> Loaded | NotLoaded:
    """The session in ``data``, or why it is none.

    ``name`` is the file's name: its stem stands in for a missing identifier, ``mtime_ms`` (ms since 1970) for
    a missing time. Where claw-code makes an identifier up, profile ``claw-code`` takes the stem too.
    """
    draft = _Draft(exact=profile == "claw-code")
    torn: Damage | None = None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        end = data.rfind(b"\n") + 1
        if draft.exact or error.start < end or not end:
            return NotLoaded("not-utf8", data.count(b"\n", 0, error.start) + 1, str(error.start))
        torn = _torn_tail(data, end)
        text = data[:end].decode("utf-8")
    try:
        if is_blank(text if draft.exact else text.removeprefix(BYTE_ORDER_MARK)):
            return _blank(draft, text, name, mtime_ms, torn)
        whole = None if torn else _whole(draft, text)
        if isinstance(whole, dict) and "messages" in whole:
            return _from_json(draft, whole, name, mtime_ms)
        draft.issues.clear()
        return _from_jsonl(draft, data[: torn.offset] if torn else data, name, mtime_ms, torn)
    except Fault as fault:
        return NotLoaded(fault.code, fault.line, fault.detail)


def _blank(draft: _Draft, text: str, name: str, mtime_ms: int, torn: Damage | None) -> Loaded:
    if text.startswith(BYTE_ORDER_MARK):
        draft.note("byte-order-mark")
        draft.note(_UNREADABLE)
    draft.note("empty-file")
    return _loaded(draft, "json" if name.lower().endswith(".json") else "jsonl", name, mtime_ms, torn)


def _whole(draft: _Draft, text: str) -> JsonValue:
    """The value of ``text`` as one JSON text, None if it is none.

    A first line that is a value by itself, with more behind it, settles the question without a second look.
    """
    first, _, rest = text.lstrip("\n\r\t ").partition("\n")
    if not is_blank(rest):
        try:
            draft.parse(first)
        except ValueError:
            pass
        else:
            return None
    draft.issues.clear()
    try:
        return draft.parse(text)
    except ValueError:
        return None


def _from_json(draft: _Draft, top: Object, name: str, mtime_ms: int) -> Loaded:
    draft.header = top
    version_of(top)
    messages = top["messages"]
    if not isinstance(messages, list):
        raise Fault("bad-messages")
    for value in messages:
        draft.message(value)
    if "compaction" in top:
        draft.compaction = compaction_of(top["compaction"])
    prompts = top.get("prompt_history")
    for value in prompts if isinstance(prompts, list) else ():
        draft.prompt(value)
    return _loaded(draft, "json", name, mtime_ms, None)


def _from_jsonl(draft: _Draft, data: bytes, name: str, mtime_ms: int, torn: Damage | None) -> Loaded:
    offset = 0
    pieces = data.split(b"\n")
    for number, raw in enumerate(pieces, 1):
        line = trim(raw.decode("utf-8"))
        if line:
            try:
                value = draft.parse(line, number)
            except ValueError:
                if draft.exact or number == 1 or number < len(pieces):
                    raise _at(Fault("bad-line"), number) from None
                torn = _torn_tail(data, offset)
                break
            try:
                _record(draft, value, Slice(offset, len(raw.removesuffix(b"\r"))), number)
            except Fault as fault:
                raise _at(fault, number) from None
        offset += len(raw) + 1
    return _loaded(draft, "jsonl", name, mtime_ms, torn)


def _record(draft: _Draft, value: JsonValue, place: Slice, number: int) -> None:
    if not isinstance(value, dict):
        raise Fault("bad-line", "no object")
    match value.get("type"):
        case "session_meta":
            _check_meta(value)
            draft.header = value
        case "message":
            if "message" not in value:
                raise Fault("bad-message", "message")
            draft.message(value["message"], place, number)
        case "compaction":
            draft.compaction = compaction_of(value)
        case "prompt_history":
            draft.prompt_slices.append(place)
            draft.prompt(value, number)
        case other:
            raise Fault("unknown-record", other if isinstance(other, str) else "type")


def _check_meta(value: Object) -> None:
    version_of(value)
    text_in(value, "session_id", "bad-meta")
    number_in(value, "updated_at_ms", "bad-meta")
    _header_fields(value)


def _header_fields(header: Object) -> tuple[int | None, int | None, Fork | None]:
    created = number_in(header, "created_at_ms", "bad-time") if "created_at_ms" in header else None
    updated = number_in(header, "updated_at_ms", "bad-time") if "updated_at_ms" in header else None
    fork = fork_of(header["fork"]) if "fork" in header else None
    return created, updated, fork


def _loaded(draft: _Draft, form: Form, name: str, mtime_ms: int, torn: Damage | None) -> Loaded:
    header = draft.header
    version = version_of(header) if header else VERSION
    if not draft.exact and version != VERSION:
        raise Fault("unsupported-version", str(version))
    created, updated, fork = _header_fields(header)
    texts = {key: value for key in _IGNORED_IF_ODD if isinstance(value := header.get(key), str)}
    session_id = texts.get("session_id", name.rpartition(".")[0] or name)
    derived = {
        key
        for key, value in (
            ("session_id", texts.get("session_id")),
            ("created_at_ms", created),
            ("updated_at_ms", updated),
        )
        if value is None
    }
    if created is None:
        created = created_in_id(session_id)
    if created is None:
        created = mtime_ms
    known = (_META_KEYS if form == "jsonl" else _TOP_KEYS) | set(texts)
    if form == "json" and not isinstance(header.get("prompt_history", []), list):
        known -= {"prompt_history"}
    if torn:
        draft.note("torn-tail", torn.line, torn.offset, torn.length)
        draft.note(_UNREADABLE)
    session = ClawSession(
        form,
        session_id,
        created,
        created if updated is None else updated,
        version,
        tuple(draft.messages),
        draft.compaction,
        fork,
        texts.get("workspace_root"),
        texts.get("model"),
        tuple(draft.prompts),
        {key: value for key, value in header.items() if key not in known},
        frozenset(derived),
        tuple(draft.raw),
        tuple(draft.prompt_slices),
    )
    return Loaded(session, tuple(draft.issues.values()), torn is not None)


def _torn_tail(data: bytes, offset: int) -> Damage:
    return Damage(data.count(b"\n", 0, offset) + 1, "torn-tail", offset, len(data) - offset)


def _at(fault: Fault, line: int) -> Fault:
    fault.line = line
    return fault
