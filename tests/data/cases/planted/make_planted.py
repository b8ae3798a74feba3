"""Build the workspace with planted faults, its fake HOME, and the answer sheet.

usage: make_planted.py WORKSPACE HOME [--answers FILE] 15 faults, 3 traps. A place is written into the text as
[[F01]] and taken out again, so the sheet's lines are always true.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

WORDS = (
    "service module handler request cache token retry index schema queue worker build test deploy "
    "config review commit branch client server stream parser writer reader path error"
).split()
MARK = re.compile(r"\[\[([FT]\d\d)\]\]")
START = "packages/api/src/deep"  # the folder whose chain is judged

# kind, profiles under which it is a fault, what it is. Limits: claw = 4,000 characters a file, 12,000 in all.
FAULTS: dict[str, tuple[str, list[str], str]] = {
    "F01": ("import-not-found", ["claude-code"], "import of a file that does not exist"),
    "F02": ("import-not-found", ["claude-code"], "import from the home folder that does not exist"),
    "F03": ("import-cycle", ["claude-code"], "two files import each other"),
    "F04": (
        "import-not-found",
        ["claude-code"],
        "import right at the root, wrong in the copy: the base is the importing file",
    ),
    "F05": (
        "file-over-limit",
        ["claw", "claw-code"],
        "4,500 characters; the line is the one that holds character 4,000",
    ),
    "F06": (
        "total-over-limit",
        ["claw", "claw-code"],
        "the chain of the start folder holds more than 12,000 characters",
    ),
    "F07": ("duplicate-instructions", ["claw", "claw-code"], "symbolic link to the root file"),
    "F08": ("duplicate-instructions", ["claw", "claw-code"], "byte-identical copy of the root file"),
    "F09": ("empty-instructions", ["claw", "claude-code"], "empty file"),
    "F10": ("glob-matches-nothing", ["claude-code"], "paths: matches no file of the workspace"),
    "F11": ("unknown-script", ["claude-code", "agents-md"], "package.json has no such script"),
    "F12": ("unclosed-tag", ["claude-code"], "XML-like tag that is never closed"),
    "F13": ("hook-not-found", ["claude-code"], "the hook's script does not exist"),
    "F14": ("contradiction", ["claude-code", "claw"], "one line says never and always about the same thing"),
    "F15": ("skill-name-invalid", ["claude-code"], "upper-case letters in a skill's name"),
}
# our own rule codes, where the kind is not itself the code
CODES: dict[str, list[str]] = {"empty-instructions": ["not-loaded"], "glob-matches-nothing": ["rule-never-applies"]}
TRAPS: dict[str, tuple[str, str]] = {
    "T01": ("import-in-code-span", "@ inside a code span is not an import"),
    "T02": ("import-in-fence", "@ inside a fenced block is not an import"),
    "T03": ("import-valid", "the target exists"),
}


class Sheet:
    """Writes files and notes where each marked place ended up."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.places: dict[str, tuple[str, int, str]] = {}

    def write(self, name: str, text: str, *, crlf: bool = False, bom: bool = False) -> str:
        for number, line in enumerate(text.split("\n"), start=1):
            for key in MARK.findall(line):
                assert key not in self.places, key
                self.places[key] = (name, number, MARK.sub("", line).strip())
        clean = MARK.sub("", text)
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = (clean.replace("\n", "\r\n") if crlf else clean).encode()
        path.write_bytes(b"\xef\xbb\xbf" + data if bom else data)
        return clean


def prose(rng: random.Random, size: int, tag: str) -> str:
    """Exactly ``size`` characters of rule-like lines that end in a newline."""
    lines: list[str] = []
    total = 0
    while total < size:
        a, b, c = (rng.choice(WORDS) for _ in range(3))
        lines.append(f"- {tag} rule {len(lines) + 1}: the {a} must not block the {b} when the {c} is busy.")
        total += len(lines[-1]) + 1
    return "\n".join(lines)[: size - 1] + "\n"


def filled(rng: random.Random, head: str, size: int, tag: str) -> str:
    """``head`` and prose, ``size`` characters without the marks."""
    return head + prose(rng, size - len(MARK.sub("", head)), tag)


def mark_at(text: str, offset: int, key: str) -> str:
    """Put the mark of ``key`` at the line that holds character ``offset``."""
    return text[:offset] + f"[[{key}]]" + text[offset:]


def build(root: Path, home: Path) -> Sheet:
    rng = random.Random(7)
    sheet = Sheet(root)
    head = (
        "# Sample monorepo\n\n"
        "See @docs/conventions.md for style.[[T03]]\n"
        "See @./docs/missing.md for the rest.[[F01]]\n"
        "My own notes are in @~/.claude/shared.md as well.[[F02]]\n"
        "Write `@not/an/import.md` in a code span.[[T01]]\n\n"
        "```bash\n"
        "npm run build   # @also/not/an/import[[T02]]\n"
        "npm run nosuch-script[[F11]]\n"
        "```\n\n"
        "Be helpful and accurate.\n"
        "NEVER use var. Always use var in legacy code.[[F14]]\n\n"
        "<important>unclosed tag[[F12]]\n\n"
    )
    main = sheet.write("CLAUDE.md", filled(rng, head, 3000, "root"))
    sheet.write(
        "CLAUDE.local.md",
        "# Local only\n\nMy sandbox URL is http://127.0.0.1:8000 \U0001f680 \u4f60\u597d\n" + prose(rng, 500, "local"),
    )
    sheet.write(".claude/CLAUDE.md", "# Claude dir\n" + prose(rng, 1200, "dotclaude"))
    sheet.write(".claude/rules/python.md", '---\npaths:\n  - "**/*.py"\n---\n# Python rules\nUse ruff.\n')
    sheet.write(".claude/rules/dead.md", '---\npaths:\n  - "nomatch/**/*.zig"[[F10]]\n---\n# Dead glob\nUse spaces.\n')
    hooks = {
        "hooks": {
            "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./scripts/nope.sh[[F13]]"}]}]
        }
    }
    sheet.write(".claude/settings.json", json.dumps(hooks, indent=2) + "\n")
    sheet.write(".claude/commands/ship.md", "---\ndescription: ship it\n---\nShip $ARGUMENTS\n")
    sheet.write(".claude/agents/rev.md", "---\nname: rev\ndescription: Reviews code\nmodel: sonnet\n---\nReview.\n")
    sheet.write(".claude/skills/demo/SKILL.md", "---\nname: Demo-Skill[[F15]]\ndescription: helps\n---\nDo it.\n")
    sheet.write(".mcp.json", json.dumps({"mcpServers": {"x": {"command": "node", "args": ["x.js"]}}}, indent=2) + "\n")
    agents = "# Agents\n\n## Session Startup\n\nRead MEMORY.md first.\n\n## Red Lines\n\n- Never delete data.\n\n"
    sheet.write("AGENTS.md", agents + prose(rng, 1800, "agents"))
    sheet.write("docs/conventions.md", "# Conventions\nSee @a.md\n")
    sheet.write("docs/a.md", "Cycle to @b.md\n")
    sheet.write("docs/b.md", "Cycle to @a.md[[F03]]\n")
    sheet.write("README.md", "# readme\n")
    sheet.write("package.json", json.dumps({"name": "mono", "scripts": {"build": "tsc", "test": "jest"}}) + "\n")
    sheet.write(".gitignore", "CLAUDE.local.md\nnode_modules\n")
    sheet.write("packages/api/CLAUDE.md", mark_at(filled(rng, "# API (over 4,000)\n", 4500, "api"), 4000, "F05"))
    sheet.write("packages/api/src/CLAUDE.md", filled(rng, "# API src\n", 3500, "apisrc"))
    sheet.write("packages/api/src/deep/CLAUDE.md", filled(rng, "# Deep\n", 2500, "deep"))
    sheet.write("packages/api/src/deep/main.py", "print('hi')\n")
    sheet.write("packages/web/src/app.ts", "export {}\n")
    link = root / "packages/web/CLAUDE.md"
    if not link.is_symlink():
        link.symlink_to("../../CLAUDE.md")
    sheet.write("packages/copy/CLAUDE.md", main)
    sheet.write("packages/crlf/CLAUDE.md", "# CRLF\nSee @missing-crlf.md\n" + prose(rng, 400, "crlf"), crlf=True)
    sheet.write("packages/bom/CLAUDE.md", "# BOM\nUse tabs.\n", bom=True)
    sheet.write("packages/empty/CLAUDE.md", "")
    sheet.write("tests/test_x.py", "def test(): pass\n")
    sheet.write("src/x.py", "x=1\n")
    sheet.write("assets/i.svg", "<svg/>\n")
    # places that a mark in the text cannot show; line None = any line of the file
    sheet.places["F04"] = ("packages/copy/CLAUDE.md", sheet.places["T03"][1], "@docs/conventions.md")
    # nearest first, 2,500 + 3,500 + 4,000 (of 4,500) leave 2,000 characters for the root's first file
    cut = main[:2000].count("\n")
    sheet.places["F06"] = ("CLAUDE.md", cut + 1, main.split("\n")[cut])
    sheet.places["F07"] = ("packages/web/CLAUDE.md", 0, "-> ../../CLAUDE.md")
    sheet.places["F08"] = ("packages/copy/CLAUDE.md", 0, "same bytes as CLAUDE.md")
    sheet.places["F09"] = ("packages/empty/CLAUDE.md", 1, "")
    Sheet(home).write(".claude/CLAUDE.md", "# User memory\nPrefer tabs.\n")
    return sheet


def answers(sheet: Sheet) -> dict[str, Any]:
    def place(key: str) -> dict[str, Any]:
        name, line, text = sheet.places[key]
        return {"file": name, "line": line or None, "text": text}

    accept: dict[str, list[dict[str, Any]]] = {
        "F03": [{"file": "docs/a.md", "line": 1}],
        "F07": [{"file": "CLAUDE.md", "line": None}],
        "F08": [{"file": "CLAUDE.md", "line": None}],
    }
    near: dict[str, list[dict[str, Any]]] = {
        "F03": [{"file": "CLAUDE.md", "line": None}, {"file": "docs/conventions.md", "line": None}],
        "F05": [{"file": "packages/api/CLAUDE.md", "line": None}],
        "F06": [{"file": "CLAUDE.md", "line": None}, {"file": f"{START}/CLAUDE.md", "line": None}],
        "F10": [{"file": ".claude/rules/dead.md", "line": None}],
        "F13": [{"file": ".claude/settings.json", "line": None}],
        "F15": [{"file": ".claude/skills/demo/SKILL.md", "line": None}],
    }
    also: list[dict[str, Any]] = [
        {"kind": "total-over-limit", "file": f, "line": None, "why": "omitted: nothing of the 12,000 is left"}
        for f in ("CLAUDE.local.md", ".claude/CLAUDE.md")
    ]
    copies = ["packages/copy/CLAUDE.md", "packages/web/CLAUDE.md"]
    inherited = [k for k in FAULTS if sheet.places[k][0] == "CLAUDE.md" and k != "F06"]
    also += [
        {"kind": FAULTS[k][0], "file": c, "line": sheet.places[k][1], "why": f"the copy repeats {k}"}
        for c in copies
        for k in inherited
    ]
    also.append(
        {
            "kind": "import-not-found",
            "file": copies[1],
            "line": sheet.places["T03"][1],
            "why": "if the base is the link's folder",
        }
    )
    also.append(
        {"kind": "import-not-found", "file": "packages/crlf/CLAUDE.md", "line": 2, "why": "F01 once more, with CRLF"}
    )
    return {
        "version": 1,
        "start": START,
        "scored": "one finding a fault: a second finding for the same fault is noise",
        "faults": [
            {
                "id": k,
                "kind": kind,
                "codes": [kind, *CODES.get(kind, [])],
                "profiles": profiles,
                **place(k),
                "accept": accept.get(k, []),
                "near": near.get(k, []),
                "what": what,
            }
            for k, (kind, profiles, what) in FAULTS.items()
        ],
        "traps": [
            {"id": k, "kind": kind, "wrong": "import-not-found", **place(k), "what": what}
            for k, (kind, what) in TRAPS.items()
        ],
        "also_true": also,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("--answers", type=Path, help="where to write the sheet (default: nowhere)")
    args = parser.parse_args()
    sheet = build(args.workspace, args.home)
    if shutil.which("git"):
        for words in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.email=a@b", "-c", "user.name=n", "commit", "-qm", "x"],
        ):
            subprocess.run(["git", *words], cwd=args.workspace, check=False)
    if args.answers:
        args.answers.write_text(json.dumps(answers(sheet), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
