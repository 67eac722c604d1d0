# SPDX-License-Identifier: Apache-2.0
"""What the suite `batch` compares with: where it is, and how one process of it is timed."""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Sequence

import machine
from measure import TIMEOUT, Case, Result, Session, progress

# Reads the series of FILE and times the distances of all pairs, without reading.
DTAIDISTANCE = """
import json, sys, time
import numpy
from dtaidistance import dtw
series = [numpy.array([float(word) for word in line.split(",")]) for line in open(sys.argv[1])]
begin = time.monotonic()
found = dtw.distance_matrix_fast(series, parallel=int(sys.argv[2]) > 1, compact=True)
print(json.dumps({"seconds": time.monotonic() - begin, "sum": float(sum(found))}))
"""


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Processes started within run on one core, whatever threads they have."""
    all_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(all_cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_cores)


class Job:
    """A case of a group of processes that take turns; `threads` 1: on one core."""

    def __init__(self, name: str, program: str, args: Sequence[str], threads: int, stdin: Optional[Path] = None, out: Optional[Path] = None,
                 env: Optional[Dict[str, str]] = None):
        self.case = Case(name, program, list(args), env={"OMP_NUM_THREADS": str(threads), **(env or {})})
        self.threads, self.stdin, self.out = threads, stdin, out

    def run(self, session: Session) -> Any:
        """The result line, or what went wrong."""
        with one_core() if self.threads == 1 else contextlib.nullcontext():
            return self.rival() if os.path.isabs(self.case.program) else session.execute(self.case)

    def rival(self) -> Any:
        with contextlib.ExitStack() as files:
            stdin = files.enter_context(self.stdin.open()) if self.stdin else subprocess.DEVNULL
            stdout = files.enter_context(self.out.open("w")) if self.out else subprocess.PIPE
            begin = time.monotonic()
            try:
                done = subprocess.run([self.case.program, *self.case.args], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE,
                                      universal_newlines=True, timeout=TIMEOUT, check=False, env={**os.environ, **self.case.env})
            except (OSError, subprocess.SubprocessError) as error:
                return str(error)
            seconds = time.monotonic() - begin
        if done.returncode:
            return f"exit status {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}"
        line = {"seconds": seconds} if self.out else json.loads(done.stdout)
        return {**line, "process_seconds": seconds}


def take_turns(session: Session, title: str, jobs: Sequence[Job], rounds: int) -> Dict[str, Result]:
    """Each round begins with another job. A job that fails is not run again."""
    results = {job.case.name: Result(job.case, f"{session.suite}: {title}", check="ok") for job in jobs}
    rounds = session.rounds or (1 if session.quick else rounds)
    for turn in range(rounds):
        first = turn % max(1, len(jobs))
        for job in [*jobs[first:], *jobs[:first]]:
            result = results[job.case.name]
            if result.check != "ok":
                continue
            progress(f"{session.suite}: {title}: round {turn + 1}/{rounds}, {job.case.name}")
            line = job.run(session)
            if isinstance(line, str):
                result.check = line
                progress(f"FAILED {job.case.name}: {line}")
            else:
                result.samples.append(line)
    session.results.extend(results.values())
    return results


def rival(name: str) -> Optional[str]:
    """The program's path, None: not installed."""
    return shutil.which(name)


def dtaidistance_folder(fetch: bool) -> Optional[str]:
    """Where the library is: "" beside Python's own, else a private folder that pip fills where it may; None: nowhere."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(cache, "heddle", "rivals", "dtaidistance")
    if finds_dtaidistance(""):
        return ""
    if not finds_dtaidistance(str(folder)) and fetch:
        progress("batch: pip fetches dtaidistance")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "dtaidistance", "numpy"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, check=False)
    return str(folder) if finds_dtaidistance(str(folder)) else None


def finds_dtaidistance(folder: str) -> bool:
    command = ["env", f"PYTHONPATH={folder}", sys.executable, "-c", "import numpy; from dtaidistance import dtw; dtw.dtw_cc.distance_matrix and print(1)"]
    return machine.output_of(command) == "1"
