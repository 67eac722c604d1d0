# SPDX-License-Identifier: Apache-2.0
"""Runs programs in interleaved rounds and checks what they compute.

A case is one command. A group of cases runs round by round, every case once in each round, so that a
ratio compares runs that were seconds apart. All cases of a group must print the same checksum.
"""
import json
import os
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Callable, Dict, List, Optional, Sequence

import machine

PROBE = "bench-score"  # the program that tells versions and devices
TIMEOUT = 900  # seconds for one process


@dataclass
class Case:
    name: str
    program: str
    args: List[str]
    env: Dict[str, str] = field(default_factory=dict)
    expect: Dict[str, str] = field(default_factory=dict)  # members every result line must have

    def command(self) -> str:
        """As one would type it."""
        settings = [f"{key}={shlex.quote(value)}" for key, value in sorted(self.env.items())]
        return " ".join(settings + [shlex.quote(word) for word in [self.program] + self.args])


@dataclass
class Result:
    case: Case
    group: str
    samples: List[Dict[str, Any]] = field(default_factory=list)
    check: str = "not run"  # "ok", or what is wrong

    def values(self, key: str = "seconds") -> List[float]:
        return [float(sample[key]) for sample in self.samples if key in sample]

    def median(self, key: str = "seconds") -> Optional[float]:
        values = self.values(key)
        return median(values) if values and self.check == "ok" else None

    def rate(self, key: str = "seconds") -> Optional[float]:
        """Median of 1e9 cells per second."""
        seconds = self.median(key)
        if not seconds:
            return None
        rows, columns = self.samples[0]["size"].split("x")
        return int(rows) * int(columns) * int(self.samples[0].get("sweeps", 1)) / seconds * 1e-9

    def record(self) -> Dict[str, Any]:
        values = self.values()
        summary = {"median": median(values), "min": min(values), "max": max(values)} if values else {}
        return {"case": self.case.name, "group": self.group, "command": self.case.command(),
                "check": self.check, "seconds": summary, "runs": self.samples}


@dataclass
class Row:
    """One line of the table of figures. Without a value, `note` says why."""
    figure: str
    value: Optional[float] = None
    unit: str = "×"
    goal: Optional[float] = None
    note: str = ""
    commands: List[str] = field(default_factory=list)
    most: bool = False  # the goal is an upper bound


@dataclass
class Section:
    title: str
    text: str = ""
    rows: List[Row] = field(default_factory=list)
    tables: List[Dict[str, Any]] = field(default_factory=list)  # title, head, body, commands
    plots: List[Dict[str, Any]] = field(default_factory=list)  # name, title, svg, commands


def ratio(slow: Result, fast: Result, key: str = "seconds") -> Optional[float]:
    """Median over the rounds of slow / fast."""
    if slow.check != "ok" or fast.check != "ok":
        return None
    pairs = [s / f for s, f in zip(slow.values(key), fast.values(key)) if f > 0]
    return median(pairs) if pairs else None


def ratio_row(figure: str, slow: Result, fast: Result, goal: Optional[float] = None,
              key: str = "seconds") -> Row:
    value = ratio(slow, fast, key)
    note = "" if value is not None else "a run failed or its result was wrong"
    return Row(figure, value, "×", goal, note, [slow.case.command(), fast.case.command()])


def rate_row(figure: str, result: Result, goal: Optional[float] = None, key: str = "seconds") -> Row:
    value = result.rate(key)
    note = "" if value is not None else "a run failed or its result was wrong"
    return Row(figure, value, "GCUPS", goal, note, [result.case.command()])


def fastest(results: Sequence[Result], key: str = "seconds") -> Optional[Result]:
    good = [result for result in results if result.median(key) is not None]
    return min(good, key=lambda result: result.median(key) or 0.0) if good else None


def find_programs(given: Optional[Path], here: Path) -> Optional[Path]:
    """The folder with the bench programs: --programs, the release build, or a bundle's bin."""
    places = [given] if given else [here.parent / "build" / "release" / "bin", here.parent / "bin"]
    for place in places:
        if (place / PROBE).exists():
            return place.resolve()
    return None


def probe(programs: Path) -> Dict[str, Any]:
    """Versions and devices as the runtime sees them; empty if the program does not even start."""
    try:
        return json.loads(machine.output_of([str(programs / PROBE), "--devices"]) or "{}")
    except ValueError:
        return {}


def available_bytes() -> float:
    """Memory that programs may take without swapping."""
    words = machine.field("/proc/meminfo", "MemAvailable").split()
    here = 1024.0 * int(words[0]) if words and words[0].isdigit() else 0.0
    try:
        limit = float(Path("/sys/fs/cgroup/memory.max").read_text()) - float(Path("/sys/fs/cgroup/memory.current").read_text())
    except (OSError, ValueError):  # no group, or "max"
        return here
    return min(here, limit)


def progress(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Session:
    """What suites work with: settings, the GPU (or why there is none), and measure()."""

    def __init__(self, programs: Path, options: Any, found: Dict[str, Any]):
        self.programs = programs
        self.against: Any = None  # an Against: the other build that every process has a twin from
        self.quick: bool = options.quick
        self.side: Optional[int] = options.size
        self.rounds: Optional[int] = options.rounds
        self.only: Optional[str] = options.only
        self.suite = ""
        self.out: Path = options.out
        self.results: List[Result] = []
        self.gpu: Optional[Dict[str, Any]] = None
        self.gpus = sum(device["kind"] == "cuda" for device in found.get("devices", []))
        self.no_gpu = "not run: no GPU"
        if options.device == "host":
            self.no_gpu = "not run: --device=host"
        else:
            self.find_gpu(options.device, found)

    def find_gpu(self, wanted: str, found: Dict[str, Any]) -> None:
        for device in found.get("devices", []):
            number = str(device["number"])
            if wanted != number and (device["kind"] != "cuda" or wanted != "auto"):
                continue  # OpenMP's devices on the host take a GPU's rows where one is named, to try a suite
            if self.reaches(number):
                self.gpu = device
                return
            self.no_gpu = "not run: the programs hold no code for this GPU"

    def reaches(self, number: str) -> bool:
        """Whether a small nest really runs on the device."""
        case = Case("probe", PROBE, ["--json", "--size=4096", f"--device={number}"])
        line = self.execute(case)
        return isinstance(line, dict) and line.get("device") == number

    def fail(self, why: str) -> None:
        """Notes that the suite itself went wrong."""
        self.results.append(Result(Case(f"suite {self.suite}", "bench/run", [self.suite]), self.suite, check=why))
        progress(f"FAILED {self.suite}: {why}")

    def size(self, full: int, quick: int) -> int:
        return self.side or (quick if self.quick else full)

    def execute(self, case: Case) -> Any:
        """One process: its last result line, or a string that says what went wrong."""
        begin = time.monotonic()
        lines = self.execute_all(case)
        if isinstance(lines, str):
            return lines
        lines[-1]["process_seconds"] = round(time.monotonic() - begin, 6)
        return lines[-1]

    def start(self, case: Case, timeout: float = TIMEOUT) -> "subprocess.CompletedProcess[str]":
        """One process, and where there is another build to compare with, its twin."""
        def begin(programs: Path, env: Dict[str, str]) -> "subprocess.CompletedProcess[str]":
            return subprocess.run([str(programs / case.program), *case.args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  universal_newlines=True, timeout=timeout, check=False, env={**os.environ, **case.env, **env})

        return self.against.run(case.command(), case.env, begin, self.programs) if self.against else begin(self.programs, {})

    def execute_all(self, case: Case) -> Any:
        """One process: its result lines, or a string that says what went wrong."""
        try:
            done = self.start(case)
        except subprocess.TimeoutExpired:
            return f"no end within {TIMEOUT} s"
        except OSError as error:
            return f"does not start: {error.strerror}"
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [""])[-1]
            return f"exit status {done.returncode}: {last}"
        try:
            lines = [json.loads(line) for line in done.stdout.strip().splitlines()]
        except ValueError:
            lines = []
        return lines or "printed no result line"

    def once(self, title: str, case: Case, into: Optional[Result] = None) -> Any:
        """One process of a program that judges its own result; recorded, into `into` where a case runs several times."""
        result = into or Result(case, f"{self.suite}: {title}", check="ok")
        line = self.execute(case)
        unlike = [] if isinstance(line, str) else [key for key, value in case.expect.items() if str(line.get(key)) != value]
        if isinstance(line, str) or line.get("check") == "fail" or unlike:
            result.check = line if isinstance(line, str) else f"{unlike[0]} is {line.get(unlike[0])}" if unlike else "wrong result"
            progress(f"FAILED {case.name}: {result.check}")
        else:
            result.samples.append(line)
        if not into:
            self.results.append(result)
        return result.check if result.check != "ok" else line

    def measure(self, title: str, cases: Sequence[Case], rounds: int, known: Optional[str] = None,
                further: Optional[Callable[[Dict[str, Result]], int]] = None) -> Dict[str, Result]:
        """Runs the group. The checksum must be `known`, or else the first case's. Each round begins with another case: nobody always comes
        after a pause, or after the one that leaves the machine busy. `further` says after the first round how many more there should be."""
        rounds = self.rounds or rounds
        results = {case.name: Result(case, f"{self.suite}: {title}") for case in cases}
        broken: Dict[str, str] = {}
        turn = 0
        while turn < rounds:
            first = turn % max(1, len(cases))
            for count, case in enumerate([*cases[first:], *cases[:first]], 1):
                if case.name in broken:
                    continue
                progress(f"{self.suite}: {title}: round {turn + 1}/{rounds}, "
                         f"{count}/{len(cases)} {case.name}")
                line = self.execute(case)
                if isinstance(line, str):
                    broken[case.name] = line
                else:
                    results[case.name].samples.append(line)
            if turn == 0 and further and not self.rounds:
                rounds += further(results)
            turn += 1
        self.judge(list(results.values()), broken, known)
        self.results.extend(results.values())
        return results

    def measure_ways(self, title: str, case: Case, ways: Sequence[str], unchecked: Sequence[str] = (),
                     known: Optional[str] = None, key: str = "way") -> Dict[str, Result]:
        """One process, in which the ways take turns; its lines name theirs (`key`). The checksum must be `known`, or else the
        first way's."""
        progress(f"{self.suite}: {title}: {case.command()}")
        results = {way: Result(Case(f"{case.name}, {way}", case.program, case.args, case.env, case.expect), f"{self.suite}: {title}")
                   for way in ways}
        lines = self.execute_all(case)
        for line in [] if isinstance(lines, str) else lines:
            results[line[key]].samples.append(line)
        broken = {result.case.name: lines for result in results.values()} if isinstance(lines, str) else {}
        self.judge([results[way] for way in ways if way not in unchecked], broken, known)
        for way in unchecked:
            results[way].check = broken.get(results[way].case.name, "ok")
        self.results.extend(results.values())
        return results

    @staticmethod
    def judge(results: List[Result], broken: Dict[str, str], known: Optional[str]) -> None:
        reference = results[0]
        want = known or (reference.samples[0]["checksum"] if reference.samples else None)
        for result in results:
            result.check = broken.get(result.case.name) or verdict(result, want)
            if result.check != "ok":
                progress(f"FAILED {result.case.name}: {result.check}")


def verdict(result: Result, want: Optional[str]) -> str:
    if want is None:
        return "nothing to compare with: the reference failed"
    for line in result.samples:
        if line["checksum"] != want:
            return f"checksum {line['checksum']}, expected {want}"
        if line.get("error"):
            return f"the nest ended with error {line['error']}"
        for key, value in result.case.expect.items():
            if str(line.get(key)) != value:
                return f"{key} is {line.get(key)}, expected {value}"
    return "ok"
