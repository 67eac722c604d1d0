#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compile_blocks.py FILE.md: every block of C compiles, those with heddle's directives by `heddle cc`, the others by clang with
OpenMP, and two blocks that stand side by side are the same program without their pragmas. A block with a name
(```c common.h) is put before the others.

Needs HEDDLE_BUILD. Exit 77: this build has no heddle command."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tutorial import blocks


def compile_block(folder, start, heddle, lines):
    file = Path(folder) / f"line{start}.c"
    file.write_text('#include "common.h"\n' + "\n".join(lines) + "\n")
    compiler = [os.environ["HEDDLE_BUILD"] + "/bin/heddle", "cc", "--targets=x86_64"] if heddle else [
        os.environ.get("CLANG", "clang-19"), "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu"]
    options = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-c", file.name, "-o", "/dev/null"]
    done = subprocess.run(compiler + options, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise SystemExit(f"block at line {start}:\n{done.stdout.decode()}")


def words(lines):
    """A program without its pragmas, its line breaks and its braces, which a directive may want."""
    return "".join(line for line in lines if not line.lstrip().startswith("#pragma")).replace("{", " ").replace("}", " ").split()


def main():
    if not Path(os.environ["HEDDLE_BUILD"], "bin/heddle").exists():
        print("skipped: this build has no heddle command")
        return 77
    left, pairs = None, 0
    with tempfile.TemporaryDirectory() as folder:
        for start, info, lines in blocks(Path(sys.argv[1]).read_text()):
            if info[:1] != ["c"]:
                continue
            if len(info) > 1:
                (Path(folder) / info[1]).write_text("\n".join(lines) + "\n")
                continue
            heddle = any("#pragma heddle" in line for line in lines)
            compile_block(folder, start, heddle, lines)
            if heddle and left is not None:
                pairs += 1
                if words(left) != words(lines):
                    raise SystemExit(f"block at line {start}: without the pragmas it is another program than the one before")
            left = None if heddle else lines
    if not pairs:
        raise SystemExit("no pair of blocks")
    print(f"{pairs} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
