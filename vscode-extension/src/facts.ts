// Made by generate.py from the server's data.

export const PATTERNS = [
  "**/.claw/instructions.md",
  "**/.claw/rules.local/*.{md,txt,mdc}",
  "**/.claw/rules/*.{md,txt,mdc}",
  "**/.crush/rules/*.{md,txt,mdc}",
  "**/.cursor/rules/*.{md,txt,mdc}",
  "**/.cursorrules",
  "**/.github/copilot-instructions.md",
  "**/.plandex/instructions.md",
  "**/.windsurfrules",
  "**/AGENTS.md",
  "**/BOOTSTRAP.md",
  "**/CLAUDE.local.md",
  "**/CLAUDE.md",
  "**/CLAW.md",
  "**/HEARTBEAT.md",
  "**/IDENTITY.md",
  "**/MEMORY.md",
  "**/SOUL.md",
  "**/TOOLS.md",
  "**/USER.md",
  "**/memory.md"
] as const;

export const STORE_PATTERNS = [
  "**/agents/*/sessions/sessions.json",
  "**/.openclaw/openclaw.json"
] as const;

export const SESSION_PATTERNS = [
  "**/.claude/projects/*/*.jsonl",
  "**/.claw/sessions/**/*.{json,jsonl}",
  "**/.codex/sessions/*/*/*/rollout-*.jsonl",
  "**/.openclaw/agents/*/sessions/*.jsonl",
  "**/.pi/agent/sessions/**/*.jsonl",
  "**/.port_sessions/**/*.{json,jsonl}"
] as const;

export const ANY_FILE = "**/{.claw/instructions.md,.cursorrules,.github/copilot-instructions.md,.plandex/instructions.md,.windsurfrules,AGENTS.md,BOOTSTRAP.md,CLAUDE.local.md,CLAUDE.md,CLAW.md,HEARTBEAT.md,IDENTITY.md,MEMORY.md,SOUL.md,TOOLS.md,USER.md,memory.md}" as const;

export const FILE_NAMES = [
  ".claude/CLAUDE.md",
  ".claw/CLAUDE.md",
  ".claw/instructions.md",
  ".crush/CLAUDE.md",
  ".cursorrules",
  ".github/copilot-instructions.md",
  ".plandex/instructions.md",
  ".windsurfrules",
  "AGENTS.md",
  "BOOTSTRAP.md",
  "CLAUDE.local.md",
  "CLAUDE.md",
  "CLAW.md",
  "HEARTBEAT.md",
  "IDENTITY.md",
  "MEMORY.md",
  "SOUL.md",
  "TOOLS.md",
  "USER.md",
  "memory.md"
] as const;

export const PLAIN_NAMES = [
  ".cursorrules",
  ".windsurfrules",
  "AGENTS.md",
  "BOOTSTRAP.md",
  "CLAUDE.local.md",
  "CLAUDE.md",
  "CLAW.md",
  "HEARTBEAT.md",
  "IDENTITY.md",
  "MEMORY.md",
  "SOUL.md",
  "TOOLS.md",
  "USER.md",
  "memory.md"
] as const;

export const MINIMUM_PYTHON = "3.11" as const;

export const CLIENT_ONLY = [
  "statusBar.visible",
  "interpreter",
  "importStrategy"
] as const;

export const VIEWS = [
  "files",
  "budget",
  "sessions"
] as const;

export const PROFILES = [
  {
    "id": "claw",
    "title": "Claw"
  },
  {
    "id": "claw-code",
    "title": "claw-code"
  },
  {
    "id": "openclaw",
    "title": "OpenClaw"
  }
] as const;

export const RULES = [
  {
    "code": "above-bound",
    "summary": "An instruction file above the folders that are looked at."
  },
  {
    "code": "byte-order-mark",
    "summary": "A file that begins with a byte-order mark."
  },
  {
    "code": "claw-code-differs",
    "summary": "What claw-code sends of this file is not what Claw sends."
  },
  {
    "code": "compaction-early",
    "summary": "A session that was compacted long before its window was full."
  },
  {
    "code": "direction-control",
    "summary": "A control character that turns the direction of the text after it."
  },
  {
    "code": "duplicate-instructions",
    "summary": "A file with the same text as another one on the chain."
  },
  {
    "code": "easy-to-miss-text",
    "summary": "Text that is there to be read, but where nobody looks."
  },
  {
    "code": "file-over-limit",
    "summary": "Text past the limit of a single file."
  },
  {
    "code": "flush-never-runs",
    "summary": "Notes that are never written before a compaction."
  },
  {
    "code": "hidden-text",
    "summary": "Text in tag characters, which no editor shows and every agent reads."
  },
  {
    "code": "history-sent-broken",
    "summary": "A history that OpenClaw sends without repairing it."
  },
  {
    "code": "instructions-injected-repeatedly",
    "summary": "An instruction file that one session put into the context several times."
  },
  {
    "code": "invisible-character",
    "summary": "Zero-width characters where no script needs them."
  },
  {
    "code": "lost-at-compaction",
    "summary": "An instruction file that a compaction has removed from the context."
  },
  {
    "code": "name-case",
    "summary": "A file that is read here and would not be on another disk."
  },
  {
    "code": "near-miss-name",
    "summary": "A file whose name is almost that of an instruction file."
  },
  {
    "code": "not-loaded",
    "summary": "An instruction file that is not loaded."
  },
  {
    "code": "openclaw-setting-invalid",
    "summary": "A setting of OpenClaw that it refuses."
  },
  {
    "code": "reinject-cut",
    "summary": "A section that OpenClaw shows again after a compaction is cut."
  },
  {
    "code": "reinject-missing",
    "summary": "A section that OpenClaw would show again after a compaction is not there."
  },
  {
    "code": "reinject-near-miss",
    "summary": "A heading that OpenClaw does not take for one of the sections it shows again."
  },
  {
    "code": "secret-in-instructions",
    "summary": "A key, a token or a password in an instruction file."
  },
  {
    "code": "session-expires-soon",
    "summary": "A session that its agent will soon delete."
  },
  {
    "code": "session-folder-shared",
    "summary": "One folder with the sessions of several projects."
  },
  {
    "code": "session-index-stale",
    "summary": "A list of sessions that names transcripts which are gone."
  },
  {
    "code": "session-not-listed",
    "summary": "A session that its agent does not list."
  },
  {
    "code": "session-over-budget",
    "summary": "A session that is large enough to be compacted."
  },
  {
    "code": "silent-token-near-miss",
    "summary": "A reply that was meant to stay unsaid and was delivered."
  },
  {
    "code": "store-empty",
    "summary": "A session store without a byte in it."
  },
  {
    "code": "store-heavy-field",
    "summary": "A session store that is mostly bulk."
  },
  {
    "code": "store-key-case",
    "summary": "One session under several spellings of its key."
  },
  {
    "code": "store-missing-transcript",
    "summary": "An entry without a transcript."
  },
  {
    "code": "store-not-json",
    "summary": "A session store that is not JSON."
  },
  {
    "code": "store-not-object",
    "summary": "A session store that is no object."
  },
  {
    "code": "store-odd-entry",
    "summary": "An entry of a session store with a field of the wrong type."
  },
  {
    "code": "store-outside-path",
    "summary": "An entry whose transcript path leads out of the sessions folder."
  },
  {
    "code": "text-past-limit",
    "summary": "The stretch of a file that the agent does not read."
  },
  {
    "code": "total-over-limit",
    "summary": "Text past the limit of all files together."
  },
  {
    "code": "transcript-bad-line",
    "summary": "A line of a transcript that cannot be read."
  },
  {
    "code": "transcript-bloat",
    "summary": "A transcript that mostly holds what the model never sees."
  },
  {
    "code": "transcript-broken-chain",
    "summary": "Records of a transcript that cannot be reached from its end."
  },
  {
    "code": "transcript-duplicate-id",
    "summary": "An identifier that two records of a transcript share."
  },
  {
    "code": "transcript-forked-in-place",
    "summary": "Two programs that wrote one session at the same time."
  },
  {
    "code": "transcript-large-line",
    "summary": "A line of a transcript of 5 MB or more."
  },
  {
    "code": "transcript-lone-surrogate",
    "summary": "A text in a transcript that holds half a character."
  },
  {
    "code": "transcript-merged-line",
    "summary": "A line of a transcript with more than one record on it."
  },
  {
    "code": "transcript-no-header",
    "summary": "A transcript without its header."
  },
  {
    "code": "transcript-odd-record",
    "summary": "A record of a transcript that is read, but not as it was meant."
  },
  {
    "code": "transcript-rejected-block",
    "summary": "A content block that the service refuses."
  },
  {
    "code": "transcript-split-message",
    "summary": "A command that stands inside one reply."
  },
  {
    "code": "transcript-torn-tail",
    "summary": "A transcript whose last record is incomplete."
  },
  {
    "code": "transcript-unpaired-tool",
    "summary": "A tool call without its result, or a result without its call."
  },
  {
    "code": "unknown-model-window",
    "summary": "A model whose window the agent has to guess."
  },
  {
    "code": "variation-selector-data",
    "summary": "Data in a run of variation selectors."
  }
] as const;

export const COMMANDS = {
  "showBudget": "agentbrief.budget.show",
  "showChain": "agentbrief.brief.show",
  "previewPrompt": "agentbrief.prompt.show",
  "compareAgents": "agentbrief.brief.compare",
  "showContext": "agentbrief.context.show",
  "explainRule": "agentbrief.rules.explain",
  "goToCut": "agentbrief.instructions.goToCut",
  "showSections": "agentbrief.budget.showSections",
  "compareCopies": "agentbrief.instructions.compare",
  "selectProfile": "agentbrief.profile.select",
  "refresh": "agentbrief.workspace.refresh",
  "showHidden": "agentbrief.hiddenText.show",
  "openSession": "agentbrief.session.open",
  "previewCompaction": "agentbrief.compaction.plan",
  "compactSession": "agentbrief.session.compact",
  "compactCopy": "agentbrief.session.compactCopy",
  "steerSession": "agentbrief.session.steer",
  "flushMemory": "agentbrief.memory.flush",
  "exportHistory": "agentbrief.history.export",
  "showCheckpoints": "agentbrief.checkpoint.list",
  "restoreCheckpoint": "agentbrief.checkpoint.restore",
  "undoChange": "agentbrief.change.undo",
  "previewCleanup": "agentbrief.maintenance.plan",
  "runCleanup": "agentbrief.maintenance.apply",
  "moveToTrash": "agentbrief.session.trash",
  "openTrash": "agentbrief.trash.list",
  "checkSessions": "agentbrief.session.check",
  "repairSession": "agentbrief.session.repair",
  "showStores": "agentbrief.store.status",
  "checkStores": "agentbrief.store.doctor",
  "showRunRestore": "agentbrief.runRestore.show",
  "copyReport": "agentbrief.diagnostics.report"
} as const;
