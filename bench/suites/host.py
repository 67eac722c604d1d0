# SPDX-License-Identifier: Apache-2.0
"""Loops on the host's threads, by length and kind: `#pragma heddle for` against `omp parallel for` of the same compiler on the same loop, in
turns in one process (bench-host)."""
from statistics import median
from typing import List, Optional

import machine
from measure import Case, Result, Row, Section, Session

TITLE = "loops on the host: heddle against omp parallel for"
KINDS = ("triad", "stencil", "compute", "triangle", "sum", "rows", "columns", "few")
FIRST = ("triad", "stencil", "compute")
LEAST = 0.98


def run(session: Session) -> List[Section]:
    threads = [min(2, machine.cores())] + ([machine.cores()] if machine.cores() > 2 else [])
    ends = [first(session, threads[0]), short(session, threads[-1]), at_once(session, threads[-1])]
    return [lengths(session, count) for count in threads] + ends


def case(session: Session, kind: str, length: str, threads: int, *more: str) -> Case:
    return Case(f"{kind} {length}", "bench-host", ["--json", f"--method={kind}", "--check", f"--repeat={3 if session.quick else 31}", *more],
                env={"HEDDLE_MODELS": "none", "OMP_NUM_THREADS": str(threads)})


def sample(session: Session, result: Result) -> bool:
    """A line has its own check and no checksum: the forms of a loop are compared inside the process."""
    line = session.execute(result.case)
    good = not isinstance(line, str)
    result.check = "ok" if good else line
    if good:
        result.samples.append(line)
    return good


def measured(session: Session, title: str, cases: List[Case]) -> List[Result]:
    results = [Result(one, f"host: {title}") for one in cases]
    for result in results:
        for _ in range(1 if session.quick else 3):
            if not sample(session, result):
                break
    session.results.extend(results)
    return results


def middle(result: Result, key: str) -> Optional[float]:
    return median(result.values(key)) if result.check == "ok" else None


def lengths(session: Session, threads: int) -> Section:
    micros = (50,) if session.quick else (50, 500, 5000)
    title = f"{threads} threads"
    cases = [case(session, kind, f"{length} µs", threads, f"--micros={length}") for kind in KINDS for length in micros]
    results = measured(session, title, cases)
    rows, body = [], []
    for result in results:
        value = middle(result, "ratio")
        rows.append(Row(f"{result.case.name}: omp parallel for over heddle", value, "×", LEAST, "" if value else result.check, [result.case.command()]))
        first = [sample["openmp_first_seconds"] / sample["first_seconds"] for sample in result.samples]
        body.append([result.case.name, *(f"{1e6 * (middle(result, key) or 0):.1f}" for key in ("serial_seconds", "openmp_seconds", "seconds")),
                     f"{median(first):.2f}" if first else ""])
    return Section(title, "Each line is the loop as written for about so long. The last column is the first ten calls together, by OpenMP over heddle; "
                   "threads have been started before.", rows,
                   [{"title": f"microseconds of a call, {title}", "head": ["loop", "as written", "omp parallel for", "heddle", "first ten"], "body": body,
                     "commands": [result.case.command() for result in results]}])


def iterations(session: Session, kind: str, micros: int) -> Optional[int]:
    """All processes run equal loops."""
    line = session.execute(Case(f"{kind}, iterations", "bench-host", ["--json", f"--method={kind}", f"--micros={micros}", "--find"]))
    return None if isinstance(line, str) else int(line["iterations"])


def first_calls(session: Session, kind: str, micros: int, awake: bool, threads: int) -> List[Result]:
    count = iterations(session, kind, micros)
    cases = [Case(f"{kind} {micros} µs, first calls by {way}", "bench-host",
                  ["--json", f"--method={kind}", f"--iterations={count}", f"--first={way}", *(["--awake"] if awake else [])],
                  env={"HEDDLE_MODELS": "none", "OMP_NUM_THREADS": str(threads)}) for way in ("heddle", "openmp")]
    results = [Result(one, "host: first calls") for one in cases]
    for _ in range(1 if session.quick else 15):
        for result in results:
            if count:
                sample(session, result)
            else:
                result.check = "no number of iterations"
    session.results.extend(results)
    return results


def first(session: Session, threads: int) -> Section:
    """Processes in turns; the first call starts the threads, or they are awake."""
    rows, body = [], []
    for kind, micros, awake in [(k, m, a) for k in FIRST for m in ((50,) if session.quick else (50, 500, 5000)) for a in (True, False)]:
        results = first_calls(session, kind, micros, awake, threads)
        seconds = {key: [middle(result, key) for result in results] for key in ("seconds", "ten_seconds", "settled_seconds")}
        commands = [result.case.command() for result in results]
        name = f"{kind} {micros} µs, threads {'awake' if awake else 'to be started'}"
        for key, what in (("seconds", "the first call"), ("ten_seconds", "the first ten calls")):
            heddle, openmp = seconds[key]
            rows.append(Row(f"{name}, {what} of a process: omp parallel for over heddle", openmp / heddle if heddle and openmp else None, "×", LEAST,
                            "" if heddle and openmp else results[0].check, commands))
        body.append([name, *(f"{1e6 * (value or 0):.0f}" for key in seconds for value in seconds[key])])
    return Section("First calls", "A process of its own for each, in turns; the first call starts OpenMP's threads, or they are awake.", rows,
                   [{"title": "microseconds", "head": ["loop", "first, heddle", "OpenMP", "ten, heddle", "OpenMP", "later calls, heddle", "OpenMP"],
                     "body": body, "commands": [row.commands[0] for row in rows if row.commands]}])


def short(session: Session, threads: int) -> Section:
    [result] = measured(session, "a short loop", [case(session, "triad", "of 64 iterations", threads, "--iterations=64")])
    heddle, serial = middle(result, "seconds"), middle(result, "serial_seconds")
    rows = [Row("64 iterations: what a call costs over the loop as written", 1e9 * (heddle - serial) if heddle and serial else None, "ns", None,
                "" if heddle else result.check, [result.case.command()]),
            Row("64 iterations: omp parallel for over heddle", middle(result, "ratio"), "×", LEAST, "" if heddle else result.check,
                [result.case.command()])]
    return Section("A loop of no length", "", rows)


def at_once(session: Session, threads: int) -> Section:
    cases = [Case(f"two host threads, {method}", "bench-at-once", ["--json", "--device=host", f"--method={method}", f"--repeat={1 if session.quick else 15}",
                                                                  *(["--size=1000", "--loops=2"] if session.quick else [])],
                  env={"HEDDLE_MODELS": "none", "OMP_NUM_THREADS": str(threads)}) for method in ("loops", "jobs", "mixed")]
    rows = [Row(f"{result.case.name}: one after the other over at once", middle(result, "ratio"), "×", LEAST if result.case.name != "two host threads, mixed" else None,
                "" if result.check == "ok" else result.check, [result.case.command()]) for result in measured(session, "at once", cases)]
    return Section("Several host threads at once", "Each calls ten loops or jobs. Nothing is lost at once where all cores are busy either way; what one call "
                   "leaves idle the other one has.", rows)
