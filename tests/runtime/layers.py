#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""layers.py ROOT [BUILD]: includes point down, and so do calls between objects of libheddle, where a build tree is given. core <- device <- transfer and core <- model; an engine and the selector include
these four and nobody else's engine; trace stands beside core. The translator includes heddle/words.h of the run time and
nothing else, the run time nothing of the translator."""
import os
import re
import subprocess
import sys
from pathlib import Path

GROUND = {"core", "trace"}
LAYERS = {"core": GROUND, "trace": GROUND, "device": GROUND | {"device"}, "model": GROUND | {"model"},
          "transfer": GROUND | {"device", "transfer"}}
FLOOR = GROUND | {"device", "transfer", "model"}
ENGINES = ("wavefront", "pool", "loop", "selector")
LAYERS.update({engine: FLOOR | {engine} for engine in ENGINES})
LAYERS["verify"] = {"verify", "core"}  # a library of its own
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)


def sources(folder):
    return sorted(p for p in folder.rglob("*.[ch]"))


def runtime(folder):
    """(file, what it includes of the library) for each include that points up or to another engine."""
    for file in sources(folder):
        layer = file.relative_to(folder).parts[0]
        if layer not in LAYERS:
            yield f"{file.relative_to(folder)} is in no layer"
            continue
        for name in INCLUDE.findall(file.read_text()):
            for place in (file.parent / name, folder / name):
                if place.exists() and folder in place.resolve().parents:
                    to = place.resolve().relative_to(folder)
                    if to.parts[0] not in LAYERS[layer]:
                        yield f"{file.relative_to(folder)} {to}"
                    break


def translator(folder, headers):
    for file in sources(folder):
        for name in INCLUDE.findall(file.read_text()):
            if name != "heddle/words.h" and (headers / name).exists():
                yield f"pragmas/{file.relative_to(folder)} {name}"


def calls(root, build):
    """Functions and variables of another layer that objects of the library use, upwards: one header may declare many."""
    defined, used = {}, {}
    for path in sorted((build / "runtime").rglob("*.o")):
        found = re.search(r"/CMakeFiles/(heddle\w*)\.dir/(?:src/)?(.*\.c)\.o$", str(path))
        file = found and ("trace/" if found.group(1) == "heddle_trace_forms" else "") + found.group(2)
        if not file or not (root / "runtime/src" / file).exists():
            continue  # verify, or left of an older build
        used[file] = set()
        for line in subprocess.check_output(["nm", str(path)], text=True).splitlines():
            words = line.split()
            if len(words) == 2 and words[0] == "U" and words[1].startswith("heddle"):
                used[file].add(words[1])
            elif len(words) == 3 and words[1] in "TDBRVW":
                defined[words[2]] = file
    if len(used) < 80:
        yield f"only {len(used)} objects in {build}"
    for file, symbols in used.items():
        for symbol in sorted(symbols & defined.keys()):
            if defined[symbol].split("/")[0] not in LAYERS[file.split("/")[0]]:
                yield f"runtime/src/{file} uses {symbol} of {defined[symbol]}"


def main():
    root = Path(os.path.realpath(sys.argv[1]))
    found = set(runtime(root / "runtime/src"))
    for wrong in sorted(found):
        print("points up:", wrong)
    others = [*translator(root / "pragmas", root / "runtime/include")]
    others += [f"{file}: {name}" for file in sources(root / "runtime") for name in INCLUDE.findall(file.read_text())
               if (root / "pragmas" / name).exists()
               and not any((place / name).exists() for place in (file.parent, root / "runtime/src"))]
    if len(sys.argv) > 2:
        others += calls(root, Path(sys.argv[2]))
    print("\n".join(others) or f"{len(sources(root / 'runtime/src'))} files")
    return bool(found or others)


sys.exit(main())
