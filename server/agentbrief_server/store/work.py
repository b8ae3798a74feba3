"""How does a person get from a cleanup that was previewed to the deed, and back again?"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import Any

from agentbrief.compaction.providers.provider import CancelToken
from agentbrief.disk.refusal import Refused
from agentbrief.maintenance.cleaned import Cleaned, Restored
from agentbrief.maintenance.unticked import without
from agentbrief.maintenance.values import CleanupChoices, MaintenancePlan
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.refusal import refusal_text
from agentbrief.report.session_record import masked_json
from agentbrief.report.store_cleanup_text import cleanup_record
from agentbrief.report.store_trash_text import restored_text
from agentbrief.rules.transcript_scene import size_text
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.trash import undo_cleanup
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import in_use_of, stores_setup
from agentbrief_server.store.desk import CleanupChange, CleanupPreview, PlannedStore
from agentbrief_server.surface import Surface


def reply_of(
    preview: CleanupPreview, token: str | None, locale: str, kept: Set[str] = frozenset()
) -> dict[str, Any]:
    """What a client is told of a preview. ``stores`` are the records that the command line prints too.

    The question is about it without what is to be ``kept``.
    """
    return {
        "token": token,
        "question": question_of(preview, locale, kept) if token is not None else None,
        "asksFirst": preview.asks_first,
        "stores": [masked_json(cleanup_record(each.report, locale)) for each in preview.stores],
        "notRead": list(preview.unread),
    }


def question_of(preview: CleanupPreview, locale: str, kept: Set[str] = frozenset()) -> str:
    """What a person is asked before it is carried out, but for what is to be ``kept``."""
    plans = [without(plan, kept) for each in preview.stores if (plan := each.found.applicable) is not None]
    files = [item for plan in plans for item in plan.items if item.action in ("archive", "trash")]
    sentence = say(
        locale,
        "cleanup.question",
        sessions=sum(plan.before_count - plan.after_count for plan in plans),
        files=len(files),
        size=size_text(sum(item.size for item in files)),
        days=max((each.report.trash_days for each in preview.stores), default=0),
    )
    return f"{say(locale, 'store.asks-first')}\n{sentence}" if preview.asks_first else sentence


async def cleaned_up(
    snapshot: Snapshot, arguments: Arguments, preview: CleanupPreview, kept: Set[str]
) -> dict[str, Any]:
    """What came of it, as a reply: each store is cleaned up as it was planned, without what is to be kept.

    Raises:
        JsonRpcException: nothing at all was changed.
    """
    desk, setup, locale = desk_of(snapshot), stores_setup(snapshot), snapshot.client.locale
    in_use, days = in_use_of(snapshot), setup.settings.number("maintenance.trashDays") or 0
    goals = [(each, plan) for each in preview.stores if (plan := _enforced(each, kept)) is not None]
    total = sum(len(plan.items) for _, plan in goals)
    went = [0, 0]

    def tell(done: int, _: int) -> None:
        went[1] = done

    def carry_out(cancel: CancelToken) -> list[tuple[PlannedStore, Cleaned | Refused]]:
        found: list[tuple[PlannedStore, Cleaned | Refused]] = []
        for each, plan in goals:
            if cancel.is_cancelled:
                break
            desk.require_trust()
            try:
                result: Cleaned | Refused = clean_up(
                    setup.fs,
                    each.found.look,
                    plan,
                    desk.caller(),
                    trash_days=days,
                    in_use=in_use,
                    progress=tell,
                    cancelled=lambda: cancel.is_cancelled,
                )
            except Refused as refusal:
                if len(goals) == 1:
                    raise
                result = refusal
            found.append((each, result))
            went[0], went[1] = went[0] + len(plan.items), 0
        return found

    found = await desk.compactions.work(
        arguments,
        snapshot,
        say(locale, "progress.cleanup"),
        carry_out,
        lambda: say(locale, "progress.items", done=went[0] + went[1], total=total),
    )
    desk.changed()
    return _reply(snapshot, found)


async def taken_back(snapshot: Snapshot, arguments: Arguments, token: str, change: CleanupChange) -> str:
    """What is said once a cleanup was taken back.

    Raises:
        JsonRpcException: nothing was changed.
    """
    desk, fs, locale = desk_of(snapshot), sessions_setup(snapshot, None).fs, snapshot.client.locale

    def take_back(_: CancelToken) -> list[Restored]:
        found: list[Restored] = []
        for place, cleaned in change.done:
            desk.require_trust()
            found.append(undo_cleanup(fs, place, cleaned, desk.caller()))
        return found

    found = await desk.compactions.work(arguments, snapshot, say(locale, "progress.taking-back"), take_back)
    desk.stores.changes.forget(token)
    desk.changed()
    return restored_text(found, locale)


def offer_taking_back(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, token: str, sentence: str
) -> None:
    """Say that it is done, with Undo beside it; the command does not wait for the answer."""

    async def offered() -> None:
        locale = snapshot.client.locale
        undo = say(locale, "cleanup.undo")
        change = desk_of(snapshot).stores.changes.at(token)
        if change is not None and await surface.choose(sentence, (undo,)) == undo:
            surface.say(await taken_back(snapshot, arguments, token, change))

    desk_of(snapshot).compactions.later(offered())


def _enforced(each: PlannedStore, kept: Set[str]) -> MaintenancePlan | None:
    """The plan of a preview as one that may be carried out; None where nothing is left of it."""
    plan = each.found.applicable
    if plan is None:
        return None
    choices = CleanupChoices(enforce=True, fix_missing=plan.choices.fix_missing)
    found = replace(without(plan, kept), choices=choices)
    return found if found.items else None


def _reply(snapshot: Snapshot, found: list[tuple[PlannedStore, Cleaned | Refused]]) -> dict[str, Any]:
    locale = snapshot.client.locale
    done = [(each, result) for each, result in found if isinstance(result, Cleaned)]
    refused = [mask(refusal_text(locale, result)) for _, result in found if isinstance(result, Refused)]
    change = None
    if any(result.done for _, result in done):
        places = tuple((each.found.look.place, result) for each, result in done)
        change = desk_of(snapshot).stores.changes.keep(CleanupChange(places))
    reports = [
        replace(each.report, plan=result.plan, cleaned=result, titles=each.report.titles)
        for each, result in done
    ]
    sentences = [*refused, *(_sentence(result, locale) for _, result in done)]
    return {
        "cleaned": change is not None,
        "change": change,
        "message": "\n".join(sentences) or say(locale, "cleanup.nothing"),
        "stores": [masked_json(cleanup_record(report, locale)) for report in reports],
        "refused": refused,
    }


def _sentence(cleaned: Cleaned, locale: str) -> str:
    files = sum(item.action in ("archive", "trash") for item in cleaned.done)
    sessions = sum(item.action == "drop-entry" for item in cleaned.done)
    words = [say(locale, "cleanup.did", sessions=sessions, files=files)]
    total = len(cleaned.plan.items)
    if cleaned.left_out:
        words.append(say(locale, "cleanup.did-not", count=len(cleaned.left_out)))
    if cleaned.stopped is not None:
        why = mask(refusal_text(locale, cleaned.stopped))
        words.append(say(locale, "cleanup.stopped", done=len(cleaned.done), total=total, why=why))
    elif cleaned.cancelled:
        words.append(say(locale, "cleanup.cancelled", done=len(cleaned.done), total=total))
    return " ".join(words)
