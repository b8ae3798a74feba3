"""What is in this project? The eight facts of the project's context, as text, as JSON and as a page."""

from __future__ import annotations

from agentbrief.jsonio import JsonValue
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.workspace import PortContext, render_context


def context_record(context: PortContext) -> dict[str, JsonValue]:
    """The eight fields, paths as text (cli.md)."""
    return {
        "source_root": context.source_root,
        "tests_root": context.tests_root,
        "assets_root": context.assets_root,
        "archive_root": context.archive_root,
        "python_file_count": context.python_file_count,
        "test_file_count": context.test_file_count,
        "asset_file_count": context.asset_file_count,
        "archive_available": context.archive_available,
    }


def context_page(context: PortContext, locale: str, *, partial: bool, file_count: int | None) -> str:
    """The page as Markdown; ``file_count`` is that of the whole project, None while it is not known."""
    parts = [f"# {say(locale, 'context.title')}", "```text\n" + render_context(context) + "\n```"]
    if file_count is not None:
        parts.append(say(locale, "context.files", count=file_count))
    if partial:
        parts.append(say(locale, "context.partial"))
    return mask("\n\n".join(parts)) + "\n"
