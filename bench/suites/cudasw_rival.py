# SPDX-License-Identifier: Apache-2.0
"""A protein database beside CUDASW++ 4.0, where the environment variable BENCH_CUDASW names its program `align`, with `makedb` beside it."""
import os
import re
import subprocess
from pathlib import Path
from typing import Dict, List, Union

from measure import TIMEOUT, Case, Result, Session, progress

VARIABLE = "BENCH_CUDASW"


def call(program: str, args: List[str]) -> str:
    done = subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, timeout=TIMEOUT, check=True)
    return done.stdout


def best_scores(text: str) -> Dict[str, int]:
    """Of each query; queries are q1, q2, … in order."""
    queries = re.split(r"^Query \d+, header", text, flags=re.MULTILINE)[1:]
    found = [(re.match(r"\S+?(?=,)", query), re.search(r"Result 0\. Score: (\d+)", query)) for query in queries]
    return {name[0]: int(score[1]) for name, score in found if name and score}


def total_seconds(text: str) -> Union[float, str]:
    total = re.search(r"^Total time: ([\d.]+) s", text, re.MULTILINE)
    return float(total[1]) if total else "printed no total time"


class Rival:
    """`scores` are those of its last process."""

    def __init__(self, session: Session, title: str, folder: Path):
        program = os.environ.get(VARIABLE, "")
        args = ["--query", str(folder / "q.fa"), "--db", str(folder / "cudasw"), "--top", "1", "--verbose", "--dpx"]
        case = Case("CUDASW++ 4.0", program, args)
        self.folder, self.scores = folder, {}
        self.result = Result(case, f"{session.suite}: {title}", check="ok" if program else "not run")
        if program:
            session.results.append(self.result)

    def run(self) -> None:
        """One process, if there was nothing wrong with those before; the first makes the database, too."""
        case = self.result.case
        if self.result.check != "ok":
            return
        try:
            if not self.result.samples:
                call(str(Path(case.program).with_name("makedb")), [str(self.folder / "db.fa"), str(self.folder / "cudasw")])
            text = call(case.program, case.args)
            self.scores, seconds = best_scores(text), total_seconds(text)
        except (OSError, subprocess.SubprocessError) as error:
            seconds = str(error)
        if isinstance(seconds, str):
            self.result.check = seconds
            progress(f"FAILED {case.name}: {seconds}")
        else:
            self.result.samples.append({"seconds": seconds})
