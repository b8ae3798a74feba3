"""Which repairs of a history does a provider need?

Source: openclaw.md 11.1; openclaw/openclaw src/agents/transcript-policy.ts at 2026.3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.text import utf16

CallIds = Literal["strict", "strict9"]

_ANTHROPIC_APIS = frozenset(("anthropic-messages", "bedrock-converse-stream"))
_ANTHROPIC_PROVIDERS = frozenset(("anthropic", "amazon-bedrock"))
_GOOGLE_APIS = frozenset(("google-generative-ai", "google-gemini-cli"))
_MISTRAL_MODELS = ("mistral", "mixtral", "codestral", "pixtral", "devstral", "ministral")
_GEMINI_HOSTS = frozenset(("openrouter", "opencode", "kilocode"))
_OPENAI_PROVIDERS = frozenset(("openai", "openai-codex"))
_OPENAI_APIS = frozenset(("openai", "openai-completions", "openai-responses", "openai-codex-responses"))
_RESPONSES_APIS = frozenset(("openai-responses", "openai-codex-responses"))
_UNMERGED_PROVIDERS = frozenset(("openrouter", "opencode"))
_OTHER_NAMES = {"opencode-zen": "opencode", "bedrock": "amazon-bedrock", "aws-bedrock": "amazon-bedrock"}


@dataclass(frozen=True, slots=True)
class HistoryPolicy:
    """What is done to a history for one model.

    ``cleans_text``: blank texts and foreign signatures go (else images alone are looked at, which is nothing
    here). ``call_ids``: how identifiers of calls are spelled, None: as they are. ``merges``: messages of
    which role are joined when they follow each other. ``synthetic_results``: whether a result that is missing
    is made up when a message is written. ``base64_signatures``: signatures that are no base64 go.
    ``reasoning_pairs``: a reasoning item stands before what it led to.
    """

    cleans_text: bool
    call_ids: CallIds | None
    merges_users: bool
    merges_assistants: bool
    synthetic_results: bool
    base64_signatures: bool
    drops_thinking: bool
    user_first: bool
    reasoning_pairs: bool


def policy_for(model_api: str | None, provider: str | None, model_id: str | None) -> HistoryPolicy:
    """What a history needs for a model, by its API, its provider and its name."""
    api = model_api or ""
    host = utf16.trim(provider or "").lower()
    host = _OTHER_NAMES.get(host, host)
    model = (model_id or "").lower()
    is_openai = host in _OPENAI_PROVIDERS or (not host and api in _OPENAI_APIS)
    is_google = api in _GOOGLE_APIS and not is_openai
    is_anthropic = (api in _ANTHROPIC_APIS or host in _ANTHROPIC_PROVIDERS) and not is_openai
    is_mistral = host == "mistral" or any(name in model for name in _MISTRAL_MODELS)
    is_gemini_elsewhere = host in _GEMINI_HOSTS and "gemini" in model
    is_completions = api == "openai-completions"
    needs_ids = is_google or is_anthropic or is_completions or (is_mistral and not is_openai)
    return HistoryPolicy(
        cleans_text=not is_openai and (is_google or is_anthropic or is_mistral or is_gemini_elsewhere),
        call_ids=("strict9" if is_mistral else "strict") if needs_ids else None,
        merges_users=is_anthropic or (is_completions and not is_openai and host not in _UNMERGED_PROVIDERS),
        merges_assistants=is_google,
        synthetic_results=is_google or is_anthropic,
        base64_signatures=is_google or is_gemini_elsewhere,
        drops_thinking=host == "github-copilot" and "claude" in model,
        user_first=is_google,
        reasoning_pairs=api in _RESPONSES_APIS,
    )
