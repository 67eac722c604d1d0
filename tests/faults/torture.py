# SPDX-License-Identifier: Apache-2.0
"""Every directive under every fault: HEDDLE_FAULT=KIND:N with N = 1, 2, ... until nothing fails any more.

    torture.py PROGRAM DOCUMENT [--sample=RUNS [--seed=S]] [--only=TEXT] [--write]

Each run must give the right result, or one message and an exit status that is not zero; it must end, leak nothing and leave no half
of a file. What comes of a fault must stand in the table of DOCUMENT; --write makes the table. --sample takes so many runs at random.
"""
import argparse
import concurrent.futures
import ctypes.util
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

KINDS = ["alloc", "thread", "map", "launch", "copy", "write", "kill", "vanish"]
PATIENCE = 200  # seconds for a run; a hang, not a slow machine
NOTE = re.compile(r"heddle: HEDDLE_FAULT: (\w+) fails here: (\S+)\n")
LEAKS = "liblsan.so.0"


def words(name):
    """The words of a list of heddle/words.h."""
    return subprocess.run([pathlib.Path(__file__).parent.parent / "words", name], check=True, capture_output=True, text=True).stdout.split()


def features():
    """(name, work, kinds, environment)"""
    memory, device = ["alloc", "thread"], ["alloc", "thread", "map", "launch", "copy"]
    rows = []
    for place, where, kinds in (("host", "host", memory), ("device", "0", device)):
        for form in ("registers", "flexible", "peer", "barrier", "peer-square", "barrier-square"):
            rows.append((f"wavefront {form}, {place}", "wave", kinds, {"HEDDLE_WAVEFRONT": form, "HEDDLE_DEVICE": where}))
        rows.append((f"wavefront scan, {place}", "sums", kinds, {"HEDDLE_WAVEFRONT": "scan", "HEDDLE_DEVICE": where}))
        rows.append((f"wavefront sweeps, {place}", "sweeps", kinds, {"HEDDLE_DEVICE": where}))
        rows.append((f"batch, {place}", "batch", kinds, {"HEDDLE_DEVICE": where}))
        for schedule in ("dynamic", "steal", "global", "static", "barrier"):
            rows.append((f"pool {schedule}, {place}", "tasks", kinds, {"HEDDLE_POOL": schedule, "HEDDLE_DEVICE": where}))
        for schedule in ("dynamic", "steal"):
            rows.append((f"tasks of tasks {schedule}, {place}", "spawn", kinds, {"HEDDLE_POOL": schedule, "HEDDLE_DEVICE": where}))
        for schedule in ("dynamic", "static", "barrier"):
            rows.append((f"taskloop {schedule}, {place}", "taskloop", kinds, {"HEDDLE_POOL": schedule, "HEDDLE_DEVICE": where}))
    rows.append(("wavefront, all devices", "wave", device, {"HEDDLE_DEVICE": "all"}))
    rows.append(("batch, all devices", "batch", device, {"HEDDLE_DEVICE": "all"}))
    rows.append(("taskloop in tiles, device", "taskloop", device, {"HEDDLE_TUNE": "pool-tile=4,8,workers=6", "HEDDLE_DEVICE": "0"}))
    for schedule in words("HEDDLE_LOOP_SCHEDULES"):
        rows.append((f"for {schedule}", "loop", device, {"HEDDLE_FOR": schedule}))
    rows.append(("for, host", "loop", memory, {"HEDDLE_DEVICE": "host"}))
    rows.append(("for, arrays updated", "update", device, {}))
    lost = [*device, "vanish"]
    for policy in ("lp", "steal"):
        rows.append((f"jobs {policy}", "jobs", lost, {"HEDDLE_JOBS": policy}))
    rows.append(("jobs, host", "jobs", memory, {"HEDDLE_DEVICE": "host"}))
    rows.append(("jobs, one device", "jobs", lost, {"HEDDLE_DEVICE": "1", "HEDDLE_TUNE": "jobs-room=3"}))
    rows.append(("jobs, two devices", "jobs", lost, {"HEDDLE_DEVICE": "0,2", "HEDDLE_JOBS": "tan09,4"}))
    rows.append(("jobs, little memory", "jobs", lost, {"HEDDLE_DEVICE": "0", "HEDDLE_MEMORY_LIMIT": "20K"}))
    for policy in ("affinity", "round_robin"):
        rows.append((f"graph {policy}", "graph", lost, {"HEDDLE_GRAPH": policy}))
    rows.append(("graph, host", "graph", memory, {"HEDDLE_DEVICE": "host"}))
    rows.append(("graph, one device", "graph", lost, {"HEDDLE_DEVICE": "1", "HEDDLE_GRAPH": "round_robin"}))
    rows.append(("graph, two devices", "graph", lost, {"HEDDLE_DEVICE": "0,2", "HEDDLE_GRAPH": "round_robin"}))
    rows.append(("graph, one launch", "alone", lost, {"HEDDLE_DEVICE": "1", "HEDDLE_TUNE": "graph-replay=always"}))
    rows.append(("graph, segments", "graph", lost, {"HEDDLE_DEVICE": "1", "HEDDLE_TUNE": "graph-replay=always"}))
    rows.append(("graph, little memory", "graph", lost, {"HEDDLE_DEVICE": "0,2", "HEDDLE_MEMORY_LIMIT": "1K", "HEDDLE_GRAPH": "round_robin"}))
    for policy in words("HEDDLE_POLICIES")[1:]:  # fixed places nothing
        rows.append((f"selector {policy}", "regions", device, {"HEDDLE_POLICY": policy}))
    files = ["alloc", "write", "kill"]
    rows.append(("models of loops", "loop", files, {"HEDDLE_MODELS": "models"}))
    rows.append(("models of the selector", "regions", files, {"HEDDLE_MODELS": "models", "HEDDLE_POLICY": "round-robin"}))
    for ending in ("txt", "html", "svg", "json", "paje"):
        rows.append((f"timeline {ending}", "loop", files, {"HEDDLE_TRACE": f"trace.{ending}"}))
    return rows


def complete(path):
    """A file of ours that is whole."""
    text = path.read_bytes()
    last = {".html": b"</html>", ".svg": b"</svg>", ".json": b"}"}.get(path.suffix, b"")
    return text == b"before\n" or (text.endswith(b"\n") and text.rstrip().endswith(last) and len(text) > 20)


def outcome(feature, kind, n, program, leaks):
    """(fired, what, where): what is a word of the table, or a defect that begins with !"""
    name, work, _, extra = feature
    with tempfile.TemporaryDirectory(prefix="heddle-torture-") as folder:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_")}
        environment |= {"HEDDLE_MODELS": "none", "HEDDLE_THREADS": "3", "HEDDLE_TIMEOUT": "20", "HEDDLE_TUNE": "workers=6"} | extra
        files = "models" in extra.get("HEDDLE_MODELS", "") or "HEDDLE_TRACE" in extra
        if "HEDDLE_TRACE" in extra:
            pathlib.Path(folder, extra["HEDDLE_TRACE"]).write_text("before\n")
        command = [program, work]
        if "models" in extra.get("HEDDLE_MODELS", ""):
            subprocess.run(command, cwd=folder, env=environment, timeout=PATIENCE, stderr=subprocess.DEVNULL, check=True)
        fault = environment | {"HEDDLE_FAULT": f"{kind}:{n}"}
        if leaks:
            fault |= {"LD_PRELOAD": LEAKS, "LSAN_OPTIONS": "exitcode=99:allocator_may_return_null=1"}
        try:
            run = subprocess.run(command, cwd=folder, env=fault, timeout=PATIENCE, capture_output=True, text=True, errors="replace")
        except subprocess.TimeoutExpired as late:
            note = NOTE.search((late.stderr or b"").decode(errors="replace"))
            return True, "!hangs", note.group(2) if note else "?"
        note = NOTE.search(run.stderr)
        said = NOTE.sub("", run.stderr)
        where = note.group(2) if note else ""
        what = verdict(run, said, kind)
        if files and not what.startswith("!"):
            what = look_at_files(folder, command, environment, what)
        if what.startswith("!") and os.environ.get("TORTURE_SHOW"):
            print(f"---- {name} {kind}:{n} {what} {where} status {run.returncode}\n{run.stdout}{run.stderr}", flush=True)
        return bool(note), what, where


def verdict(run, said, kind):
    lines = [line for line in said.splitlines() if line.startswith("heddle: ")]
    if kind == "kill" and run.returncode == -signal.SIGKILL:
        return "killed"
    if run.returncode == 99 and "LeakSanitizer" in said:
        return "!leaks"
    if run.returncode == 3:
        return "!wrong"
    if run.returncode:
        return "message" if run.returncode > 0 and len(lines) == 1 else "!dies without a message" if not lines else "!dies"
    if not lines:
        return "right"
    text = " ".join(lines)
    for word, signs in (("serial", ("serially",)), ("host", ("on the host", "by the host")), ("elsewhere", ("others take over", "elsewhere"))):
        if any(sign in text for sign in signs):
            return word
    return "said"


def look_at_files(folder, command, environment, what):
    def ours():
        return [p for p in pathlib.Path(folder).rglob("*") if p.is_file() and not p.name.endswith(".lock")]
    named = [p for p in ours() if ".new-" not in p.name]
    if not named or not all(complete(p) for p in named):
        return "!half a file: " + ", ".join(p.name for p in named)
    if what != "killed" and len(named) != len(ours()):
        return "!litter"
    if what == "killed":
        subprocess.run(command, cwd=folder, env=environment, timeout=PATIENCE, stderr=subprocess.DEVNULL, check=True)
        left = [p.name for p in ours() if ".new-" in p.name]
        if left or not all(complete(p) for p in ours()):
            return "!litter: " + ", ".join(left)
    return what


class Table:
    """Feature by kind: the words that were seen; None: there is no such operation."""
    HEAD = "| feature | " + " | ".join(KINDS) + " |"

    def __init__(self):
        self.cells = {}

    def read(self, path):
        for line in path.read_text().splitlines():
            part = [p.strip() for p in line.strip().strip("|").split("|")]
            if len(part) == len(KINDS) + 1 and part[0] != "feature" and not part[0].startswith("-"):
                for kind, cell in zip(KINDS, part[1:]):
                    self.cells[part[0], kind] = set() if cell in ("", "-") else set(cell.split(", "))

    def lines(self):
        yield self.HEAD
        yield "|---" * (len(KINDS) + 1) + "|"
        for name, _, kinds, _ in features():
            cell = [", ".join(sorted(self.cells.get((name, k), ()))) or ("-" if k in kinds else "") for k in KINDS]
            yield f"| {name} | " + " | ".join(cell) + " |"


def write_table(document, table):
    text = document.read_text()
    start = text.index("| feature |")
    end = start + re.match(r"(\|.*\n)+", text[start:]).end()
    document.write_text(text[:start] + "\n".join(table.lines()) + "\n" + text[end:])


def pairs(options):
    return [(f, kind) for f in features() for kind in f[2] if options.only in f"{f[0]} {kind}"]


def until_nothing_fails(pair, options, leaks):
    feature, kind = pair
    seen, n, missed = [], 1, 0
    while missed < 2:  # what threads do first differs a little from run to run
        fired, what, where = outcome(feature, kind, n, options.program, leaks)
        missed = 0 if fired else missed + 1
        seen.append((feature[0], kind, n, fired, what, where))
        n += 1
    return seen


def at_random(rng, options, leaks):
    feature, kind = rng.choice(pairs(options))
    n = rng.randint(1, 60)
    while True:
        fired, what, where = outcome(feature, kind, n, options.program, leaks)
        if fired or n == 1 or what.startswith("!"):
            return [(feature[0], kind, n, fired, what, where)]
        n = rng.randint(1, n - 1)


def check_leaks_are_seen(options):
    """The run time that finds leaks can be preloaded here, and a program that is right has none."""
    if not ctypes.util.find_library("lsan") and not any(pathlib.Path("/usr/lib").glob("*/" + LEAKS)):
        return False
    run = subprocess.run([options.program, "leak"], env=os.environ | {"LD_PRELOAD": LEAKS, "LSAN_OPTIONS": "exitcode=99"}, capture_output=True)
    return run.returncode == 99


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    leaks = check_leaks_are_seen(options)
    print("leaks are looked for" if leaks else f"no {LEAKS} that works here: leaks are not looked for")
    jobs = max(2, os.cpu_count() or 2)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        if options.sample:
            rngs = [random.Random(options.seed * 1000003 + k) for k in range(options.sample)]
            results = list(pool.map(lambda rng: at_random(rng, options, leaks), rngs))
        else:
            results = list(pool.map(lambda pair: until_nothing_fails(pair, options, leaks), pairs(options)))
    documented, seen = Table(), Table()
    documented.read(options.document)
    if options.write:
        seen.cells = {key: cell for key, cell in documented.cells.items() if options.only and options.only not in " ".join(key)}
    bad = runs = 0
    for name, kind, n, fired, what, where in (one for some in results for one in some):
        runs += 1
        if fired:
            seen.cells.setdefault((name, kind), set()).add(what)
        known = not fired or options.write or what in documented.cells.get((name, kind), ())
        # which device has the N-th operation, and so where the right result comes from, differs from run to run
        wrong = what.startswith("!") or (not known and what == "message")
        bad += wrong
        if wrong or not known:
            print(f"{name}: HEDDLE_FAULT={kind}:{n} ({where}): {what}" + ("" if known else f"; {options.document.name} does not say so"))
    if options.write and not bad:
        write_table(options.document, seen)
    print(f"{runs} runs, {bad} bad")
    return 1 if bad or not runs else 0


sys.exit(main())
