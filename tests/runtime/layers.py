#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""layers.py ROOT [BUILD]: includes point down, and so do calls between objects of libheddle, where a build tree is given. core <- device <- transfer and core <- model; an engine and the selector include
these four and nobody else's engine; what is computed of graphs with numbers alone serves the selector too; trace stands beside core. The translator includes heddle/words.h of the run time and
nothing else, the run time nothing of the translator. In the translator: front <- analysis <- wavefront, pool, loop <- emit
<- advise, and main.c on top."""
import os
import re
import subprocess
import sys
from pathlib import Path

GROUND = {"core", "trace"}
LAYERS = {"core": GROUND, "trace": GROUND, "device": GROUND | {"device"}, "model": GROUND | {"model"},
          "transfer": GROUND | {"device", "transfer"}}
FLOOR = GROUND | {"device", "transfer", "model"}
ENGINES = ("wavefront", "pool", "loop", "jobs", "graph", "selector")
LAYERS.update({engine: FLOOR | {engine} for engine in ENGINES})
LAYERS["graph_numbers"] = GROUND | {"graph_numbers"}
NUMBERS = {("graph", "plan"), ("graph", "schedule")}
for engine in ("graph", "selector"):
    LAYERS[engine] |= {"graph_numbers"}
LAYERS["verify"] = {"verify", "core"}  # a library of its own
TRANSLATOR = {"front": {"front"}, "analysis": {"front", "analysis"}}
TRANSLATOR.update({engine: {"front", "analysis", engine} for engine in ("wavefront", "pool", "loop", "graph")})
TRANSLATOR["emit"] = set(TRANSLATOR) | {"emit"}
TRANSLATOR["advise"] = {"front", "analysis", "emit", "advise"}
# Calls that point up. The first five are rows of the table of directives; a task's text holds the tasks that it makes.
UP = {("front/directive.c", "wavefront_translate"), ("front/directive.c", "for_translate"), ("front/directive.c", "jobs_translate"),
      ("front/directive.c", "graph_translate"),
      ("front/directive.c", "pool_translate"), ("front/directive.c", "variant_translate"),
      ("pool/host.c", "emit_submit"), ("pool/statement.c", "emit_spawn"), ("pool/call_kind.c", "emit_spawn")}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)


def layer_of(path):
    parts = Path(path).parts
    return "graph_numbers" if parts[:2] in NUMBERS else parts[0]


def sources(folder):
    return sorted(p for p in folder.rglob("*.[ch]"))


def runtime(folder):
    """(file, what it includes of the library) for each include that points up or to another engine."""
    for file in sources(folder):
        layer = layer_of(file.relative_to(folder))
        if layer not in LAYERS:
            yield f"{file.relative_to(folder)} is in no layer"
            continue
        for name in INCLUDE.findall(file.read_text()):
            for place in (file.parent / name, folder / name):
                if place.exists() and folder in place.resolve().parents:
                    to = place.resolve().relative_to(folder)
                    if layer_of(to) not in LAYERS[layer]:
                        yield f"{file.relative_to(folder)} {to}"
                    break


def translator(folder, headers):
    for file in sources(folder):
        layer = file.relative_to(folder).parts[0]
        if file.name != "main.c" and layer not in TRANSLATOR:
            yield f"pragmas/{file.relative_to(folder)} is in no layer"
        for name in INCLUDE.findall(file.read_text()):
            to = name.split("/")[0]
            if name != "heddle/words.h" and (headers / name).exists():
                yield f"pragmas/{file.relative_to(folder)} {name}"
            elif layer in TRANSLATOR and "/" in name and (folder / name).exists() and to not in TRANSLATOR[layer]:
                yield f"pragmas/{file.relative_to(folder)} {name}"


def symbols(objects):
    """What each object, by the name of its source, defines and uses."""
    defined, used = {}, {}
    for path, file in objects:
        used[file] = set()
        for line in subprocess.check_output(["nm", str(path)], text=True).splitlines():
            words = line.split()
            if len(words) == 2 and words[0] == "U":
                used[file].add(words[1])
            elif len(words) == 3 and words[1] in "TDBRVW":
                defined[words[2]] = file
    return [(file, name, defined[name]) for file in used for name in sorted(used[file] & defined.keys())], len(used)


def translator_calls(root, build):
    objects = [(path, f"{path.parent.name}/{path.name[:-2]}")
               for path in sorted((build / "pragmas").rglob("heddle-translate-core.dir/*/*.c.o"))]
    uses, count = symbols([o for o in objects if (root / "pragmas" / o[1]).exists()])
    if count < 40:
        yield f"only {count} objects of the translator in {build}"
        return
    found = {(file, name): to for file, name, to in uses if to.split("/")[0] not in TRANSLATOR[file.split("/")[0]]}
    yield from (f"pragmas/{file} uses {name} of {found[file, name]}" for file, name in sorted(found.keys() - UP))
    yield from (f"{name} is no exception any more: take it out of UP" for file, name in sorted(UP - found.keys()))


def calls(root, build):
    """Functions and variables of another layer that objects of the library use, upwards: one header may declare many."""
    objects = []
    for path in sorted((build / "runtime").rglob("*.o")):
        found = re.search(r"/CMakeFiles/(heddle\w*)\.dir/(?:src/)?(.*\.c)\.o$", str(path))
        file = found and ("trace/" if found.group(1) == "heddle_trace_forms" else "") + found.group(2)
        if file and (root / "runtime/src" / file).exists():  # else verify, or left of an older build
            objects.append((path, file))
    uses, count = symbols(objects)
    if count < 80:
        yield f"only {count} objects in {build}"
    for file, name, to in uses:
        if name.startswith("heddle") and layer_of(to) not in LAYERS[layer_of(file)]:
            yield f"runtime/src/{file} uses {name} of {to}"


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
        others += [*calls(root, Path(sys.argv[2])), *translator_calls(root, Path(sys.argv[2]))]
    print("\n".join(others) or f"{len(sources(root / 'runtime/src'))} files")
    return bool(found or others)


sys.exit(main())
