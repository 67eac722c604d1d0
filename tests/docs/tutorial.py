#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tutorial.py NN_name.md: does a page of docs/tutorial say what is so?

  ```c            lines of docs/examples/NN_name.c as they stand there, in their order; a line "…" leaves some out
  ```c NAME.c     a file of the reader's own, which the commands find
  ```console      commands behind "$ ", run in a folder with all examples, and what they print: "…" is any text, alone on
                  a line any lines; a number with a decimal point is any number. `console fails`: the last one must fail

Needs HEDDLE_BUILD and HEDDLE_SOURCE; CLANG and LLVM, where given, stand for the pages' clang-19 and its folder of libraries.
Exit 77: this build has no heddle command."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DECIMAL = r"\d+\.\d+"


def blocks(text):
    """(line number, info words, lines) of every fenced block."""
    inside, start, info, lines = False, 0, [], []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            if inside:
                yield start, info, lines
            inside, start, info, lines = not inside, number, line[3:].split(), []
        elif inside:
            lines.append(line)
    if inside:
        raise SystemExit(f"line {start}: the block has no end")


def pattern(line):
    """What a shown line stands for: columns may move, decimals may differ."""
    words = " ".join(line.split())
    parts = re.split(rf"(…|{DECIMAL})", words)
    return "".join(".*" if p == "…" else "[-0-9.]+" if re.fullmatch(DECIMAL, p) else re.escape(p) for p in parts)


def meets(shown, got):
    """Whether the lines shown describe the lines that came."""
    if not shown:
        return not got
    if shown[0].strip() == "…":
        return any(meets(shown[1:], got[k:]) for k in range(len(got) + 1))
    return bool(got) and re.fullmatch(pattern(shown[0]), " ".join(got[0].split())) is not None and meets(shown[1:], got[1:])


def check_excerpt(start, lines, example):
    at = 0
    for line in lines:
        if line.strip() == "…":
            continue
        if line not in example[at:]:
            raise SystemExit(f"block at line {start}: the example has no line (or not in this order)\n  {line}")
        at = example.index(line, at) + 1


def commands(lines):
    """(command, lines shown) of a console block."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        else:
            raise SystemExit("a console block begins with a command, '$ …'")
    return found


def run(command, shown, folder, environment, may_fail):
    here = command.replace("clang-19", environment.get("CLANG", "clang-19"))
    here = here.replace("/usr/lib/llvm-19/lib", environment.get("LLVM", "/usr/lib/llvm-19/lib"))
    done = subprocess.run(["bash", "-c", here], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
    got = done.stdout.decode().rstrip("\n").split("\n") if done.stdout.strip() else []
    while shown and not shown[-1].strip():
        shown.pop()
    if may_fail == (done.returncode == 0):
        raise SystemExit(f"$ {command}\nends with {done.returncode}:\n" + "\n".join(got))
    if not meets(shown, got):
        raise SystemExit(f"$ {command}\nprints\n" + "\n".join(got) + "\nwhere the page shows\n" + "\n".join(shown))


def main():
    build, source = Path(os.environ["HEDDLE_BUILD"]), Path(os.environ["HEDDLE_SOURCE"])
    if not (build / "bin/heddle").exists() or not (build / "lib/libheddle.so").exists():
        print("skipped: this build has no heddle command")
        return 77
    page = Path(sys.argv[1])
    examples = source / "docs/examples"
    example = (examples / f"{page.stem}.c").read_text().split("\n")
    kinds = {"c": 0, "console": 0}
    with tempfile.TemporaryDirectory() as folder:
        for file in examples.glob("*.c"):
            shutil.copy(file, folder)
        environment = dict(os.environ, PATH=f"{build}/bin:{os.environ['PATH']}", HEDDLE_TARGETS="host", HEDDLE_THREADS="2",
                           HEDDLE_MODELS=f"{folder}/models")
        for start, info, lines in blocks(page.read_text()):
            kind = info[0] if info else ""
            if kind not in kinds:
                raise SystemExit(f"block at line {start}: of no kind that is checked: '{kind}'")
            kinds[kind] += 1
            if kind == "c" and len(info) == 1:
                check_excerpt(start, lines, example)
            elif kind == "c":
                (Path(folder) / info[1]).write_text("\n".join(lines) + "\n")
            else:
                todo = commands(lines)
                for k, (command, shown) in enumerate(todo):
                    run(command, shown, folder, environment, info[1:] == ["fails"] and k == len(todo) - 1)
    if 0 in kinds.values():
        raise SystemExit(f"a page without {'C' if not kinds['c'] else 'commands'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
