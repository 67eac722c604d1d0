# SPDX-License-Identifier: Apache-2.0
"""The device selector over an unmodified OpenMP program of small and large regions: its policies against the best of
all fixed assignments of regions to places, and how well it predicts."""
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import List, Optional

from measure import Case, Row, Section, Session, progress, ratio

TITLE = "the device selector: policies against the best fixed assignment"
POLICIES = ["earliest-finish", "lp", "estimate-history", "history", "first-free", "round-robin", "fixed"]
WARM, ROUNDS = 3, 20
GOAL = 0.97  # the time is at most 1.03 times the best assignment's


def mix(name: str, *args: str, **env: str) -> Case:
    return Case(name, "bench-mix", ["--json", f"--warm={WARM}", f"--rounds={ROUNDS}", *args], env=env)


def run(session: Session) -> List[Section]:
    if not session.gpu:
        return [Section(TITLE, rows=[Row("speed against the best fixed assignment", goal=GOAL, note=session.no_gpu)])]
    models = tempfile.mkdtemp(prefix="heddle-models-")
    try:
        return [policies(session, models)]
    finally:
        shutil.rmtree(models, ignore_errors=True)


def policies(session: Session, models: str) -> Section:
    progress("selector: trying all assignments")
    tried = session.execute(Case("try all", "bench-mix", ["--try-all", "--warm=1", "--rounds=3"]))
    if isinstance(tried, str):
        return Section(TITLE, rows=[Row("speed against the best fixed assignment", goal=GOAL, note=tried)])
    best = tried["assign"]
    cases = [mix("best fixed", f"--assign={best}"), mix("all on the host", "--assign=HHHHHH"), mix("all on device 0", "--assign=DDDDDD")]
    cases += [mix(policy, HEDDLE_SCHEDULE=policy, HEDDLE_MODELS=f"{models}/{policy}") for policy in POLICIES]
    for case in cases[3:]:  # the first run on a machine learns; the second is measured
        Path(case.env["HEDDLE_MODELS"]).mkdir()
        session.execute(case)
    got = session.measure("mix", cases, 3 if session.quick else 5)
    fixed = got["best fixed"]
    rows = [Row(f"speed of {name} against the best fixed assignment ({best})", ratio(fixed, got[name]), "×",
                GOAL if name == "earliest-finish" else None, "" if got[name].check == "ok" else got[name].check,
                [got[name].case.command(), fixed.case.command()]) for name in got if name != "best fixed"]
    rows.append(prediction(session, cases[3]))
    body = [[name, f"{1e3 * (result.median() or 0):.3f}"] + [f"{1e3 * v:.3f}" for v in result.samples[-1]["parts"].values()]
            for name, result in got.items() if result.samples]
    head = ["", "all, ms"] + [f"{kind}, ms" for kind in fixed.samples[-1]["parts"]] if fixed.samples else []
    return Section("Small and large regions of one program",
                   "The median round of 20 after 3. Letters: H host, D device 0, for tiny, small, stream, search, matrix, filter. The parts are "
                   "of the last round.",
                   rows, tables=[{"title": "one round", "head": head, "body": body, "commands": [case.command() for case in cases]}])


def prediction(session: Session, case: Case) -> Row:
    """Median prediction error over all places, from the summary at exit; places weigh by their regions."""
    explained = Case(case.name, case.program, case.args, {**case.env, "HEDDLE_EXPLAIN": "1"})
    done = subprocess.run([str(session.programs / case.program)] + case.args, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          universal_newlines=True, env={**os.environ, **explained.env}, check=False)
    worst: Optional[float] = None
    for match in re.finditer(r"heddle: (?:host|device \d+) +\d+ +[\d.]+ % +\d+ +([\d.]+) %", done.stderr):
        worst = max(worst or 0.0, float(match.group(1)))
    return Row("median prediction error, the worst place (goal: at most 10 %)", worst, "%", None, "" if worst is not None else "no summary", [explained.command()])
