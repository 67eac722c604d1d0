#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""path.py LIBRARY PROGRAM: the way of a wavefront call from emitted code to the launch of its kernel.

LIBRARY is a libheddle that path_trace.c is a part of, PROGRAM runs path_nest.c with it, on an x86_64 device. Prints the
functions in the order in which the last call enters them, and fails if they are more than STEPS, in more than FILES
files, or if more than UP of them call into a layer above their own or into another engine: bounds that only go down.
What an earlier call did once is not seen.
"""
import os
import subprocess
import sys
import tempfile

STEPS, FILES, UP = 40, 9, 0  # 34, 9 and 0 when set
LAYER = {"core": 0, "trace": 0, "device": 1, "model": 1, "transfer": 2, "wavefront": 3}  # others: another engine


def events(library, program):
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "path")
        subprocess.run([program], check=True, env=dict(
            os.environ, HEDDLE_PATH=record,
            LD_LIBRARY_PATH=os.path.dirname(library) + ":" + os.environ.get("LD_LIBRARY_PATH", "")))
        calls = open(record).read().split("call\n")[1:]
    lines = calls[-1].split("launch\n")[0].split("\n")[:-1]
    if len(calls) < 2 or "launch\n" not in calls[-1]:
        sys.exit("path.py: no kernel was launched")
    return [line.split() for line in lines]


def names(library, offsets):
    text = subprocess.run(["addr2line", "-f", "-e", library, *offsets], check=True, capture_output=True, text=True)
    lines = text.stdout.split("\n")
    return [(lines[2 * k], lines[2 * k + 1].rsplit("/src/", 1)[-1].split(":")[0]) for k in range(len(offsets))]


def main():
    library, program = (os.path.abspath(a) for a in sys.argv[1:3])
    entered = events(library, program)
    stack, steps, files, up = [], {}, {}, set()
    for (depth, _), (function, file) in zip(entered, names(library, [at for _, at in entered])):
        del stack[int(depth):]
        stack.append((function, file))
        caller = stack[-2] if len(stack) > 1 else None
        level = [LAYER.get(at.split("/")[0], 4) for _, at in stack[-2:]]
        if caller and level[-1] > level[0]:
            up.add(f"{caller[1]} {caller[0]} -> {file} {function}")
        if (file, function) not in steps:
            steps[file, function] = True
            files[file] = True
            print("  " * int(depth) + function, f"({file})")
    for call in sorted(up):
        print("up:", call)
    print(f"{len(steps)} functions of at most {STEPS}, {len(files)} files of at most {FILES}, "
          f"{len(up)} of at most {UP} call a layer above or another engine; {len(entered)} calls")
    sys.exit(len(steps) > STEPS or len(files) > FILES or len(up) > UP)


main()
