#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shape.py ROOT: pages stay as short as they were meant to be, and each decision and each lab note is complete and in its
folder's index."""
import re
import sys
from pathlib import Path

LINES = {"README.md": 120}
BYTES = {"docs/architecture.md": 8192}
DECISION_LINES = 60
LAB_NAME = re.compile(r"\d{4}-\d\d-\d\d-[\w-]+\.md")
DECISION_NAME = re.compile(r"(\d{3})-[\w-]+\.md")


def too_long(root):
    for name, most in LINES.items():
        count = len((root / name).read_text().splitlines())
        if count > most:
            yield f"{name}: {count} lines, {most} at most"
    for name, most in BYTES.items():
        count = (root / name).stat().st_size
        if count > most:
            yield f"{name}: {count} bytes, {most} at most"


def decisions(folder):
    index = " ".join((folder / "README.md").read_text().split())
    numbers = {}
    for page in sorted(folder.glob("*.md")):
        if page.name == "README.md":
            continue
        name, text = DECISION_NAME.fullmatch(page.name), page.read_text()
        if not name:
            yield f"{page}: the name is not NNN-title.md"
            continue
        number, title = name[1], text.split("\n", 1)[0]
        if numbers.setdefault(number, page) != page:
            yield f"{page}: {number} is {numbers[number].name}, too"
        if not title.startswith(f"# {number}: "):
            yield f"{page}: does not begin with '# {number}: '"
        elif f"* [{number}]({page.name}) {title[7:]} *" not in index + " *":
            yield f"{folder}/README.md: no line '* [{number}]({page.name}) {title[7:]}'"
        if len(text.splitlines()) > DECISION_LINES:
            yield f"{page}: more than {DECISION_LINES} lines"
        for part in ("Context", "Decision", "Number"):
            if not re.search(rf"^\*\*{part}\.\*\*\s", text, flags=re.M):
                yield f"{page}: no '**{part}.**'"
        if not re.search(r"\d", text.partition("**Number.**")[2]) or re.search(r"@[A-Z]+@", text.partition("**Number.**")[2]):
            yield f"{page}: no number"
    for link in re.findall(r"\]\((\d{3}-[^)]*)\)", index):
        if not (folder / link).exists():
            yield f"{folder}/README.md: no {link}"


def lab(folder):
    index = (folder / "README.md").read_text()
    for page in sorted(folder.glob("*.md")):
        if page.name == "README.md":
            continue
        if not LAB_NAME.fullmatch(page.name):
            yield f"{page}: the name is not YYYY-MM-DD-topic.md"
        if f"({page.name})" not in index:
            yield f"{folder}/README.md: {page.name} is not listed"


def main():
    root = Path(sys.argv[1])
    wrong = [*too_long(root), *decisions(root / "docs/decisions"), *lab(root / "docs/lab")]
    print("\n".join(wrong) or "ok")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
