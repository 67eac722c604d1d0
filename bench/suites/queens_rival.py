# SPDX-License-Identifier: Apache-2.0
"""n-queens beside ygch/n_queens, a solver in CUDA, where the environment variable BENCH_N_QUEENS names its program."""
import os
import re
import subprocess
from datetime import datetime
from typing import Union

from measure import TIMEOUT, Case, Result, Session, progress

VARIABLE = "BENCH_N_QUEENS"
COUNTS = {12: 14200, 14: 365596, 16: 14772512, 18: 666090624, 20: 39029188884}
ROWS = 6  # that it places on the host: the best of 5, 6 and 7 for 18, of 5 and 6 for 20
# Whole process, one H800, of version 2.1: README of github.com/ygch/n_queens, arXiv:2511.12009
PUBLISHED = {16: 645, 18: 791, 20: 4140}


def published(n: int) -> str:
    return f"ygch/n_queens (arXiv:2511.12009), as published, whole process on an H800: {PUBLISHED[n]} ms" if n in PUBLISHED else ""


def gpu_seconds(text: str, count: int) -> Union[float, str]:
    """The time on the GPU: the kernel's if the program tells it, else from its line `start job` to `finish job`, with the copies."""
    result = re.search(r"queens result (\d+)", text)
    if not result or int(result[1]) != count:
        return f"result {result[1]}, not {count}" if result else "printed no result"
    kernel = re.search(r"kernel_ms ([\d.]+)", text)
    if kernel:
        return 1e-3 * float(kernel[1])
    stamps = [re.search(rf"\[([\d :.-]+)\] gpu \[0\] {word} job", text) for word in ("start", "finish")]
    begin, end = [datetime.strptime(stamp[1], "%Y-%m-%d %H:%M:%S.%f") if stamp else None for stamp in stamps]
    return (end - begin).total_seconds() if begin and end else "printed no times"


class Rival:
    def __init__(self, session: Session, n: int):
        program = os.environ.get(VARIABLE, "")
        case = Case(f"ygch/n_queens {n}", program, [str(n), str(ROWS)], {"CUDA_MODULE_LOADING": "EAGER"})
        self.n, self.result = n, Result(case, f"{session.suite}: nqueens {n}", check="ok" if program else "not run")
        if program:
            session.results.append(self.result)

    def run(self) -> None:
        """One process, if there was nothing wrong with those before."""
        case = self.result.case
        if self.result.check != "ok":
            return
        try:
            done = subprocess.run([case.program, *case.args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                                  timeout=TIMEOUT, check=False, env={**os.environ, **case.env})
            seconds = gpu_seconds(done.stdout, COUNTS[self.n])
        except (OSError, subprocess.SubprocessError) as error:
            seconds = str(error)
        if isinstance(seconds, str):
            self.result.check = seconds
            progress(f"FAILED {case.name}: {seconds}")
        else:
            self.result.samples.append({"seconds": seconds})
