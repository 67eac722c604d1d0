#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""links.py ROOT: does everything that the repository's pages name exist? Links and their anchors, paths that begin with a
folder of the repository, and HEDDLE_ names, which some source file must know. What docs/lab and bench/results tell is dated:
there only links are followed."""
import os
import re
import sys
from pathlib import Path

NO_SOURCES = re.compile(r"^(\.git|\.cache|build.*|dist|bench-out.*|__pycache__)$")
FOLDERS = "apps|bench|cmake|docs|pragmas|runtime|tests|toolchain|\\.ci"
PATH = re.compile(rf"(?<![\w/.-])(?:{FOLDERS})/[\w./*{{}},-]*")
DATED = ("docs/lab/", "bench/results/")


def files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if not NO_SOURCES.match(f)]
        for name in names:
            yield Path(folder, name)


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for heading in re.findall(r"^#+ +(.*?) *$", text, flags=re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        yield re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def expand(path):
    """a/{b,c}.h is a/b.h and a/c.h."""
    found = re.match(r"(.*?)\{([^{}]*)\}(.*)", path)
    if not found:
        return [path]
    return [p for word in found[2].split(",") for p in expand(found[1] + word + found[3])]


def check_links(page, text, wrong):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        to = (page.parent / name) if name else page
        if not to.exists():
            wrong.append(f"{page}: no {target}")
        elif anchor and to.suffix == ".md" and anchor not in anchors(to.read_text()):
            wrong.append(f"{page}: {to.name} has no heading #{anchor}")


def check_paths(root, page, text, wrong):
    for match in PATH.finditer(text):
        if text[match.end():match.end() + 1] in ("…", "<", "$"):
            continue
        for path in expand(match[0].rstrip(".,")):
            there = any(root.glob(path.rstrip("/"))) if "*" in path else (root / path).exists()
            if not there and not re.search(r"/NAME|/NNN|/NN", path):
                wrong.append(f"{page}: no {path}")


def main():
    root = Path(sys.argv[1])
    pages, known, wrong = [], set(), []
    for file in files(root):
        if file.suffix == ".md":
            pages.append(file)
        elif file.stat().st_size < 1 << 20:
            known.update(re.findall(r"HEDDLE_[A-Z0-9_]+", file.read_text(errors="replace")))
    for page in sorted(pages):
        text = page.read_text()
        check_links(page, text, wrong)
        if str(page.relative_to(root)).startswith(DATED):
            continue
        check_paths(root, page, text, wrong)
        for name in sorted(set(re.findall(r"HEDDLE_[A-Z0-9_]*[A-Z0-9]\b", text)) - known):
            wrong.append(f"{page}: nothing knows {name}")
    print("\n".join(wrong) or f"{len(pages)} pages")
    return bool(wrong) or not pages


if __name__ == "__main__":
    sys.exit(main())
