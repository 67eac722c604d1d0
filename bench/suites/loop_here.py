# SPDX-License-Identifier: Apache-2.0
"""Loops over all devices on this machine, for the suite `for`: loops that are one thing only (bench-loops) and the applications,
each from small sizes to large ones, `auto` against every device alone; what a hand-out costs; all schedules at one size.

Every process learns before it is measured. The ideal is Weber's (2012): all devices at the speed that they have alone,
1 / sum(1 / T_i); efficiency is ideal / measured."""
import json
import subprocess
from statistics import mean
from typing import Any, Dict, List, Optional, Sequence, Tuple

import svg
from measure import Case, Result, Row, Section, Session, progress

LEARN = 10  # runs of a process that are not counted: auto tries who is best
RUNS = 15   # counted; loops of less than a millisecond scatter by a tenth


def run(session: Session, folder: str) -> List[Section]:
    return [synthetic(session), cost(session), applications(session, folder), schedules(session, folder)]


# ---- loops that are one thing only


def compare(session: Session, title: str, ways: Sequence[str], *more: str) -> Tuple[Dict[int, Dict[str, Dict[str, Any]]], str]:
    """By size and way the result line of bench-loops --compare, and the command."""
    case = Case(title, "bench-loops", ["--json", f"--compare={'/'.join(ways)}", *more],
                env={"HEDDLE_MODELS": "none"})
    progress(f"for: {title}")
    result = Result(case, f"for: {title}")
    session.results.append(result)
    got: Dict[int, Dict[str, Dict[str, Any]]] = {}
    done = subprocess.run([str(session.programs / case.program), *case.args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False, timeout=600)
    result.samples = [json.loads(line) for line in done.stdout.splitlines()]
    good = done.returncode == 0 and result.samples and all(line["check"] in ("ok", "equal") for line in result.samples)
    result.check = "ok" if good else f"exit status {done.returncode}, or results that differ: {done.stderr.strip()[-200:]}"
    for line in result.samples if good else []:
        got.setdefault(int(line["size"].split("x")[0]), {})[line["way"]] = line
    return got, case.command()


def who(line: Dict[str, Any]) -> str:
    parts = [("host" if "threads" in one else f"device {one['device']}", one["iterations"]) for one in line["devices"]]
    total = sum(count for _, count in parts)
    return ", ".join(f"{name} {100 * count / total:.0f} %" for name, count in parts if count)


class Judge:
    """Collects what `auto` made of each size."""

    def __init__(self) -> None:
        self.shares: List[float] = []
        self.efficiencies: List[float] = []
        self.body: List[List[str]] = []

    def add(self, name: str, size: str, auto: float, gpu: Optional[float], host: Optional[float], note: str) -> None:
        alone = [seconds for seconds in (gpu, host) if seconds]
        share = min(alone) / auto
        efficiency = 1 / sum(1 / seconds for seconds in alone) / auto if len(alone) == 2 or not gpu else None
        self.shares.append(share)
        if efficiency:
            self.efficiencies.append(efficiency)
        shown = [f"{1e3 * seconds:.3f}" if seconds else "" for seconds in (auto, gpu, host)]
        self.body.append([name, size, *shown, f"{share:.3f}", f"{efficiency:.3f}" if efficiency else "", note])

    def section(self, title: str, text: str, commands: Sequence[str]) -> Section:
        rows = [Row(f"{title}: auto against the best device alone, worst of {len(self.shares)} sizes", min(self.shares) if self.shares else None,
                    "×", 0.98, "" if self.shares else "a run failed", list(commands)[:3]),
                Row(f"{title}: efficiency, mean", mean(self.efficiencies) if self.efficiencies else None, "", 0.95,
                    f"{len(self.efficiencies)} sizes", list(commands)[:3])]
        table = {"title": "by size, medians", "head": ["loop", "size", "auto, ms", "GPU alone", "host alone", "auto / best", "efficiency", "who"],
                 "body": self.body, "commands": list(commands)}
        return Section(title, text, rows, [table])


# sizes from, to, by a factor; with the host alone, which takes seconds beyond the first range; runs that count
RANGES = {"uneven": ((512, 1 << 18, 8, True, RUNS), (1 << 21, 1 << 26, 32, False, 5)),
          "compute": ((4096, 1 << 21, 8, True, RUNS), (1 << 25, 1 << 25, 8, False, 5)),
          "transfer": ((4096, 1 << 21, 8, True, RUNS), (1 << 25, 1 << 25, 8, True, 5))}


def synthetic(session: Session) -> Section:
    judge, used = Judge(), []
    gpu = f"{session.gpu['number']}:static" if session.gpu else ""
    for method, ranges in RANGES.items():
        for low, high, factor, with_host, runs in ranges[:1] if session.quick else ranges:
            ways = ["auto:auto", *([gpu] if gpu else []), *(["host:auto"] if with_host or not gpu else [])]
            if not with_host and not gpu:
                continue
            high, factor = (low * 8, 8) if session.quick else (high, factor)
            got, command = compare(session, f"{method} from {low}", ways, f"--method={method}", f"--size={low}", f"--to={high}", f"--step={factor}",
                                   f"--warm={1 if session.quick else min(LEARN, runs + 1)}", f"--repeat={1 if session.quick else runs}",
                                   *(["--check"] if session.quick else []))
            used.append(command)
            for size, lines in got.items():
                seconds = {way: lines[way]["seconds"] for way in lines}
                judge.add(method, str(size), seconds["auto:auto"], seconds.get(gpu), seconds.get("host:auto"), who(lines["auto:auto"]))
    return judge.section("Loops that are one thing only", "Results come home in every run. uneven: iterations of different cost; compute: of equal "
                         "cost; transfer: one multiplication for 12 bytes moved." + ("" if session.gpu else f" GPU rows: {session.no_gpu}."), used)


# ---- what a hand-out costs


def cost(session: Session) -> Section:
    """Chunks of about a millisecond against one chunk, the same device."""
    rows = []
    cases = [("host", "compute", 1 << 14 if session.quick else 1 << 21, 1 << 11)]
    if session.gpu:
        cases.append((str(session.gpu["number"]), "uneven", 1 << 16 if session.quick else 1 << 26, 1 << 14 if session.quick else 1 << 21))
    for device, method, size, chunk in cases:
        ways = [f"{device}:static", f"{device}:chunk,{chunk}"]
        got, command = compare(session, f"{method} in chunks on {device}", ways, f"--method={method}", f"--size={size}",
                               f"--warm={1 if session.quick else 3}", f"--repeat={1 if session.quick else 5}")
        lines = got.get(size)
        long = lines[ways[1]] if lines else None
        threads = max(one.get("threads", 1) for one in long["devices"]) if long else 1
        each = 1e3 * long["seconds"] * threads * chunk / size if long else 0
        rows.append(Row(f"{method} on {device}: one chunk each against chunks of {each:.2f} ms", lines[ways[0]]["seconds"] / long["seconds"] if lines else None,
                        "×", 0.99, "" if lines else "a run failed", [command]))
    return Section("What a hand-out costs", "", rows)


# ---- the applications

# whole numbers: a product of reals is rounded differently by each library
APPS = {"gemm": [["--size=512", "--whole"], ["--size=2048", "--whole"], ["--size=8192", "--whole"]],
        "peptide": [["--size=40", "--proteins=200"], ["--size=400", "--proteins=400", "--tolerance=100da"],
                    ["--size=4000", "--proteins=2000", "--tolerance=100da"]],
        "raytrace": [["--size=160x90"], ["--size=640x360"], ["--size=1920x1080", "--samples=4"]]}
QUICK = {"gemm": [["--size=512", "--whole"]], "peptide": [["--size=200", "--proteins=200"]], "raytrace": [["--size=160x90"]]}
SLOW = 3  # sizes from there on: the host alone runs once


def runs_of(session: Session, app: str, size: List[str], devices: Dict[str, List[str]], folder: str, short: Sequence[str] = ()) -> Dict[str, Result]:
    cases = []
    for name, words in devices.items():
        repeat = 1 if session.quick or name in short else LEARN + RUNS
        cases.append(Case(f"{app} {' '.join(size)} {name}", app, ["--json", f"--repeat={repeat}", *size, *words],
                          env={"HEDDLE_MODELS": f"{folder}/{app}-{name}"}))
    got = session.measure(f"{app} {size[0]}", cases, 1)
    return {name: got[case.name] for name, case in zip(devices, cases)}


def applications(session: Session, folder: str) -> Section:
    judge, used = Judge(), []
    for app, sizes in (QUICK if session.quick else APPS).items():
        if not (session.programs / app).exists():
            continue
        for number, size in enumerate(sizes):
            devices = {"auto": ["--device=auto"], "host": ["--device=host"]}
            if session.gpu:
                devices["gpu"] = [f"--device={session.gpu['number']}"]
            got = runs_of(session, app, size, devices, folder, ["host"] if number + 1 >= SLOW else [])
            seconds = {name: result.median() for name, result in got.items()}
            used += [result.case.command() for result in got.values()]
            if seconds["auto"] and seconds["host"]:
                line = got["auto"].samples[-1]
                judge.add(app, " ".join(size), seconds["auto"], seconds.get("gpu"), seconds["host"],
                          f"host {line['host_iterations']}, devices {line['device_iterations']}" if "host_iterations" in line else "")
    return judge.section("Applications", f"A process runs {LEARN} times more than a median needs, so that auto has learned." +
                         ("" if session.gpu else f" GPU rows: {session.no_gpu}."), used)


NAMES = ("static", "chunk", "gss", "egs", "pina", "auto")  # the dissertation's three, and ours


def schedules(session: Session, folder: str) -> Section:
    """The dissertation's comparison, for real: everybody takes part, whether it pays or not."""
    tables, plots = [], []
    for app, sizes in (QUICK if session.quick else APPS).items():
        if not (session.programs / app).exists():
            continue
        size = sizes[min(1, len(sizes) - 1)]
        names = NAMES if session.gpu else ("static", "gss", "pina", "auto")
        devices = {name: ["--device=all", f"--schedule={name}"] for name in names}
        got = runs_of(session, app, size, devices, folder)
        body, bars = [], []
        for name, result in got.items():
            seconds = result.median()
            line = result.samples[-1] if result.samples else {}
            shown = f"{1e3 * seconds:.3f}" if seconds else result.check
            body.append([name, shown, *(str(line.get(key, "")) for key in ("efficiency", "balance", "host_iterations", "device_iterations"))])
            if seconds and "efficiency" in line:
                bars.append((("heddle: " if name in ("pina", "auto") else "") + name, float(line["efficiency"])))
        commands = [result.case.command() for result in got.values()]
        tables.append({"title": f"{app} {' '.join(size)}", "head": ["schedule", "ms", "efficiency", "balance", "on the host", "on devices"], "body": body,
                       "commands": commands})
        if bars:
            plots.append({"name": f"for-{app}", "title": f"{app} {' '.join(size)}: efficiency of everybody together",
                          "svg": svg.bars(f"{app}: efficiency", bars, "", 0.95), "commands": commands})
    return Section("Schedules, everybody together", "Efficiency as the run time sees it: against the speeds that devices had in this run.", [], tables, plots)
