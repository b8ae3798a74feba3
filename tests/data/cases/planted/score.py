"""Hold the findings of a tool against an answer sheet.

usage: score.py ANSWERS FINDINGS [--format json|jsonl|sarif|text] [--aliases FILE] [--root WORKSPACE] [--home
HOME] [--ignore CODE]... [--json] FINDINGS: our own `check --format json` {"findings": [{"path", "line",
"code", "message"}]} or the same objects one a line (jsonl); another tool's JSON with a "diagnostics" list;
SARIF; or plain text (path:line, or a path on its own line and numbered lines below it). "-" reads stdin. A
fault is *placed* when a finding has its kind, file and line, and *found* when the line is another one but the
finding names the thing, or stands in a file where that fault may be told ("near"). Kind = one of the fault's
`codes`, or a pattern of --aliases ({"kind": ["regex", ...]} over "code message"); without that file the
general patterns below serve, and the result for other people's tools is a first pass to be checked by eye.
The numbers are the result; the exit code is 0.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

GENERAL: dict[str, list[str]] = {
    "import-not-found": [
        r"(?i)(import|@|file|reference|points at).*(not found|does not (exist|resolve)|missing|not in this)"
    ],
    "import-cycle": [r"(?i)circular|cycl"],
    "import-too-deep": [r"(?i)import.*(deep|depth|hops?)"],
    "file-over-limit": [r"(?i)(over|exceed|above|too (long|large)|reads? .* of).*(char|limit|\d[\d,]{3,})"],
    "total-over-limit": [r"(?i)(total|combined|chain|all files).*(char|limit|budget)|12,?000"],
    "duplicate-instructions": [r"(?i)duplicat|identical|same (text|content|bytes)|symlink|copy of"],
    "empty-instructions": [r"(?i)\bempty\b"],
    "glob-matches-nothing": [r"(?i)(glob|pattern|paths).*(no file|nothing|match)"],
    "unknown-script": [r"(?i)script.*(not found|does not exist|no such|unknown|referenced but)"],
    "unclosed-tag": [r"(?i)(unclosed|unbalanced|mismatched).*(tag|element|xml)|(xml|tag).*(unclosed|not closed)"],
    "hook-not-found": [r"(?i)(hook|script).*(not found|does not exist|missing|resolve)"],
    "contradiction": [r"(?i)contradict|conflict"],
    "skill-name-invalid": [r"(?i)\bname\b.*(lower|kebab|match|invalid|must)|must contain only lowercase"],
    "hidden-text": [r"(?i)hidden|invisible|zero.width|tag characters?|bidi"],
    "secret-in-instructions": [r"(?i)secret|token|credential|api key|password"],
    "not-utf8": [r"(?i)utf-?8|encoding|decode"],
    "chain-broken": [r"(?i)parent|orphan|broken chain|dangling"],
}
IMPORTISH = re.compile(r"(?i)import|@|reference|does not exist|not found|missing|points at")


@dataclass(frozen=True)
class Finding:
    file: str
    line: int | None
    text: str  # code and message


def read(text: str, kind: str, root: Path | None, home: Path | None, known: set[str]) -> list[Finding]:
    """The findings in ``text``; paths below ``root`` become relative, those below ``home`` start with ``~/``."""

    def short(text: str) -> str:
        text = text.replace("\\", "/")
        for folder, name in ((root, ""), (home, "~/")):
            if folder:
                text = text.replace(f"{folder.absolute().as_posix()}/", name)
        return text

    def relative(path: str) -> str:
        return str(PurePosixPath(short(path.removeprefix("file://"))))

    found: list[Finding] = []
    if kind == "jsonl":
        for line in filter(str.strip, text.splitlines()):
            d = json.loads(line)
            found.append(
                Finding(
                    relative(d.get("path") or d["file"]), d.get("line"), f"{d.get('code', '')} {d.get('message', '')}"
                )
            )
    elif kind == "json":
        whole = json.loads(text)
        for d in whole["findings"] if "findings" in whole else whole["diagnostics"]:
            code = d.get("code") or d.get("rule") or ""
            found.append(Finding(relative(d.get("path") or d["file"]), d.get("line"), f"{code} {d.get('message', '')}"))
    elif kind == "sarif":
        for run in json.loads(text)["runs"]:
            for d in run.get("results", []):
                place = d["locations"][0]["physicalLocation"]
                line = place.get("region", {}).get("startLine")
                found.append(
                    Finding(
                        relative(place["artifactLocation"]["uri"]),
                        line,
                        f"{d.get('ruleId', '')} {d['message']['text']}",
                    )
                )
    else:
        current: str | None = None
        names = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
        inline = re.compile(rf"(?<![\w/.-])({names}):(\d+)")
        header = re.compile(rf"^\W*({names})(?=$|[\s(])")
        for raw in text.splitlines():
            line = short(raw)
            if m := inline.search(line):
                found.append(Finding(m[1], int(m[2]), line))
            elif m := header.match(line):
                current = m[1]
            elif current and (m := re.match(r"\s*(?:[xi]\s|[^\w\s])?\s*(?:Line\s+)?(\d+):?\s+(.*)", line)):
                found.append(Finding(current, int(m[1]), m[2]))
            elif current and re.match(r"\s+[x!-]\s", line):
                found.append(Finding(current, None, line))
    return found


def score(sheet: dict[str, Any], findings: list[Finding], aliases: dict[str, list[str]] | None) -> dict[str, Any]:
    def named(f: Finding, kind: str, codes: list[str] | None = None) -> bool:
        if f.text.split(" ", 1)[0] in (codes or [kind]):
            return True
        return any(re.search(p, f.text) for p in (GENERAL if aliases is None else aliases).get(kind, []))

    def placed(f: Finding, place: dict[str, Any]) -> bool:
        return f.file == place["file"] and place["line"] in (None, f.line)

    def names(f: Finding, text: str) -> bool:
        words = [w.strip("\"'`.,") for w in text.split() if "/" in w or "-" in w]
        return any(len(w) > 3 and w in f.text for w in words)

    used: set[int] = set()
    state: dict[str, str] = {}
    repeats = 0
    for fault in sheet["faults"]:
        places = [fault, *fault["accept"]]
        files = {p["file"] for p in places}
        fits = [i for i, f in enumerate(findings) if i not in used and named(f, fault["kind"], fault["codes"])]
        exact = [i for i in fits if any(placed(findings[i], p) for p in places)]
        loose = [
            i for i in fits
            if (findings[i].file in files and names(findings[i], fault["text"])) or any(placed(findings[i], p) for p in fault["near"])
        ]  # fmt: skip
        if fault["line"] is None:  # a whole file: one finding is enough, others may belong to another fault
            exact = sorted(exact, key=lambda i: findings[i].file != fault["file"])[:1]
        hits = exact or loose[:1]
        used |= set(hits)
        state[fault["id"]] = "placed" if exact else "found" if hits else ""
        repeats += max(0, len(hits) - 1)
    trapped = {}
    for trap in sheet["traps"]:
        wrong = trap["wrong"]
        hits = [
            i for i, f in enumerate(findings)
            if i not in used and placed(f, trap) and (named(f, wrong) or (wrong == "import-not-found" and IMPORTISH.search(f.text)))
        ]  # fmt: skip
        used |= set(hits)
        trapped[trap["id"]] = bool(hits)
    true_too = {
        i
        for i, f in enumerate(findings)
        if i not in used
        and any(
            named(f, p["kind"]) and (placed(f, p) or (f.line is None and f.file == p["file"]))
            for p in sheet["also_true"]
        )
    }
    return {
        "found": sum(map(bool, state.values())), "placed": sum(s == "placed" for s in state.values()), "of": len(state),
        "traps_hit": sum(trapped.values()), "repeats": repeats, "also_true": len(true_too),
        "other": len(findings) - len(used) - len(true_too), "faults": state, "traps": trapped,
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answers", type=Path)
    parser.add_argument("findings")
    parser.add_argument("--format", default="json", choices=["jsonl", "json", "sarif", "text"])
    parser.add_argument("--aliases", type=Path)
    parser.add_argument("--root", type=Path, help="workspace folder, to shorten absolute paths")
    parser.add_argument("--home", type=Path, help="fake home folder, to shorten absolute paths to ~/")
    parser.add_argument(
        "--ignore", action="append", default=[], help="a code that is no finding of its own, such as text-past-limit"
    )
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    sheet = json.loads(args.answers.read_text(encoding="utf-8"))
    text = (
        sys.stdin.read() if args.findings == "-" else Path(args.findings).read_text(encoding="utf-8", errors="replace")
    )
    places = [
        *sheet["faults"],
        *sheet["traps"],
        *sheet["also_true"],
        *(a for f in sheet["faults"] for a in f["accept"] + f["near"]),
    ]
    findings = read(text, args.format, args.root, args.home, {p["file"] for p in places})
    findings = [f for f in findings if f.text.split(" ", 1)[0] not in args.ignore]
    result = score(sheet, findings, json.loads(args.aliases.read_text()) if args.aliases else None)
    if args.json:
        print(json.dumps(result))
        return 0
    print(
        f"faults {result['found']} of {result['of']} (at the right line {result['placed']}), "
        f"traps hit {result['traps_hit']} of {len(result['traps'])}, repeats {result['repeats']}, "
        f"other true {result['also_true']}, other {result['other']}"
    )
    for fault in sheet["faults"]:
        print(f"  {result['faults'][fault['id']] or '-':6s} {fault['id']} {fault['kind']}: {fault['what']}")
    for trap in sheet["traps"]:
        print(f"  {'FLAGGED' if result['traps'][trap['id']] else 'quiet  '} {trap['id']} {trap['kind']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
