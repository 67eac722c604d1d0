# SPDX-License-Identifier: Apache-2.0
"""The device selector over unmodified OpenMP programs: a mix of small and large regions against the best of all fixed
assignments of regions to places, how well it predicts, and independent regions on two GPUs."""
import csv
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any, Dict, List

from measure import Case, Row, Section, Session, progress, ratio

TITLE = "the device selector: policies against the best fixed assignment, two GPUs"
POLICIES = ["earliest-finish", "lp", "estimate-history", "history"]
PLAIN = ["first-free", "round-robin", "fixed"]  # these do not look at times
WARM, ROUNDS, PROCESSES = 3, 100, 3
GOAL = 0.97  # the time is at most 1.03 times the best assignment's


def run(session: Session) -> List[Section]:
    if not session.gpu:
        return [Section(TITLE, rows=[Row("speed against the best fixed assignment", goal=GOAL, note=session.no_gpu)])]
    models = tempfile.mkdtemp(prefix="heddle-models-")
    try:
        return [mix(session, Path(models)), spread(session), overhead(session)]
    finally:
        shutil.rmtree(models, ignore_errors=True)


def fresh(folder: Path) -> str:
    folder.mkdir()
    return str(folder)


def mix(session: Session, models: Path) -> Section:
    """Each process runs rounds of the best assignment and rounds of its policy in turns. The processes of one policy come one
    after the other and share what they learn."""
    progress("selector: trying all assignments")
    tried = session.execute(Case("try all", "bench-mix", ["--try-all", "--warm=1", "--rounds=3"]))
    if isinstance(tried, str):
        return Section("Small and large regions of one program", rows=[Row("speed against the best fixed assignment", goal=GOAL, note=tried)])
    best = tried["assign"]
    rows: List[Row] = []
    body: List[List[str]] = []
    commands: List[str] = []
    rounds = 20 if session.quick else ROUNDS
    for policy in POLICIES + PLAIN:
        case = Case(policy, "bench-mix", [f"--compare={best}", f"--warm={WARM}", f"--rounds={rounds}"],
                    env={"HEDDLE_POLICY": policy, "HEDDLE_MODELS": fresh(models / policy)})
        lines = [session.execute(case) for _ in range(PROCESSES if policy in POLICIES else 1)]
        wrong = [line for line in lines if isinstance(line, str)]
        if wrong:
            rows.append(Row(f"speed of {policy}", note=wrong[0], commands=[case.command()]))
            continue
        rows += rows_of(policy, lines, best, case)
        commands.append(case.command())
        body += [[f"{policy}, process {k + 1}", f"{1e3 * line['seconds']:.3f}", f"{1e3 * line['fixed_seconds']:.3f}",
                  f"{line['ratio_of_medians']:.3f}", f"{line['ratio_of_sums']:.3f}"] for k, line in enumerate(lines)]
    rows += prediction(models / POLICIES[0])
    return Section("Small and large regions of one program",
                   f"Best assignment by trying all 64: {best} (H host, D device 0, for tiny, small, stream, search, matrix, filter). Rounds of it and "
                   f"rounds of the policy in turns in one process, {WARM} of each before; three processes share their models (one where the policy looks at no times).",
                   rows, tables=[{"title": "one round, ms", "head": ["", "policy", "best fixed", "ratio of medians", "ratio of sums"],
                                  "body": body, "commands": commands}])


def rows_of(policy: str, lines: List[Dict[str, Any]], best: str, case: Case) -> List[Row]:
    learns = policy in POLICIES
    return [Row(f"speed of {policy} against {best}, {'first' if k == 0 else 'third'} process", 1 / lines[k]["ratio_of_medians"], "×",
                GOAL if policy == POLICIES[0] else None, "", [case.command()]) for k in ((0, PROCESSES - 1) if learns else (0,))]


def prediction(folder: Path) -> List[Row]:
    """The error column of the models: per region, size and place the median of |predicted - measured| / measured."""
    errors: List[float] = []
    for path in folder.glob("*.csv"):
        with path.open() as lines:
            rows = csv.DictReader(line for line in lines if not line.startswith("#"))
            errors += [float(row["error_percent"]) for row in rows if int(row["runs"]) >= 10 and not row["region"].startswith("(")]  # ( begins a link
    if not errors:
        return [Row("prediction error", note="no models were written")]
    return [Row("median prediction error over regions and places with ten runs", statistics.median(errors), "%", 10, most=True),
            Row("the worst of them", max(errors), "%")]


def spread(session: Session) -> Section:
    found = session.execute(Case("devices", "bench-score", ["--devices"]))
    count = sum(device["kind"] == "cuda" for device in found.get("devices", [])) if isinstance(found, dict) else 0
    if count < 2:
        return Section("Independent regions on two GPUs", rows=[Row("two GPUs against one", goal=1.9, note="not run: fewer than two GPUs")])
    rows: List[Row] = []
    for method in ("threads", "data", "nowait"):
        args = [f"--method={method}", "--arrays=8", "--regions=12", "--size=1048576", "--work=40000", "--warm=1", "--repeat=1"]
        hidden = {"LIBOMP_NUM_HIDDEN_HELPER_THREADS": "16"}  # as `heddle run` sets it
        one = Case(f"{method}, one GPU", "bench-spread", args, env=hidden)
        two = Case(f"{method}, two GPUs", "bench-spread", args,
                   env={"HEDDLE_POLICY": "earliest-finish", "HEDDLE_CANDIDATES": "0,1", "HEDDLE_MODELS": "none", **hidden})
        got = session.measure(f"independent regions, {method}", [one, two], 3)
        rows.append(Row(f"two GPUs against one, {method}", ratio(got[one.name], got[two.name]), "×", 1.9,
                        "" if got[two.name].check == "ok" else got[two.name].check, [one.command(), two.command()]))
    return Section("Independent regions on two GPUs", "Eight arrays, twelve regions each; a thread per array maps it for each region, or keeps it "
                   "mapped on the default device, or the regions are target nowait tasks with dependences.", rows)


def overhead(session: Session) -> Section:
    """Regions that do nothing: what a policy adds to each of them over plain libomptarget on the same device."""
    args = [f"--repeat={40 if session.quick else 200}"]
    goals = {"off": None, "fixed": 0.5, "earliest-finish": 2.0}
    cases = {policy: Case(policy, "bench-overhead", args,
                          env={} if policy == "off" else {"HEDDLE_POLICY": policy, "HEDDLE_CANDIDATES": "0", "HEDDLE_MODELS": "none"})
             for policy in goals}
    got = session.measure("overhead per region", list(cases.values()), 5)
    rows: List[Row] = []
    body: List[List[str]] = []
    for key, what in (("empty", "empty"), ("mapped", "with a map of 64 B"), ("resident", "on mapped data")):
        plain = got["off"].values(f"{key}_us")
        line = [what, f"{statistics.median(plain):.2f}" if plain else ""]
        for policy, case in cases.items():
            result = got[policy]
            added = result.values(f"{key}_added_us")
            if goals[policy] is not None:
                rows.append(Row(f"{policy}: added to a region {what}", statistics.median(added) if result.check == "ok" else None, "us",
                                goals[policy], "" if result.check == "ok" else result.check, [case.command()], most=True))
            line.append(f"{statistics.median(added):.3f} ({min(added):.3f} to {max(added):.3f})" if added else "")
        body.append(line)
    return Section("Regions that do nothing", "Batches that go straight to libomptarget and batches that go through the selector in turns in one process; the "
                   "median difference. Medians of five processes, the least and the most. Off: no HEDDLE_POLICY.", rows,
                   tables=[{"title": "us per region", "head": ["", "plain", *goals], "body": body,
                            "commands": [case.command() for case in cases.values()]}])
