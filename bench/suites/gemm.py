# SPDX-License-Identifier: Apache-2.0
"""The matrix product with its data on the host: against cuBLAS with the data on the GPU, against NVIDIA's cuBLASXt, and on two
GPUs against one; what `auto` makes of all devices is suite for's (loop_apps.py). Reals, since whole numbers draw less power and run
faster; the loop's result is checked once per size and type before."""
from statistics import median
from typing import Any, Iterator, Optional, Sequence

from measure import Case, Result, Row, Section, Session, progress

TITLE = "matrix product: data on the host"
TYPES = ("fp32", "fp64")


def run(session: Session) -> Iterator[Section]:
    if session.only in (None, "cpu"):
        yield host(session)
    if session.only in (None, "gpu") and session.gpu:
        for part in (resident, two):
            yield part(session)
    elif session.only in (None, "gpu"):
        yield Section("GPU", rows=[Row("share of cuBLAS with the data there", unit="%", note=session.no_gpu)])


def gemm(name: str, size: int, kind: str, *more: str) -> Case:
    return Case(name, "gemm", ["--json", f"--size={size}", f"--type={kind}", "--repeat=3", *more])  # the last --repeat counts


class Group:
    """Cases in turns, after one run of the last whose result is checked. `wrong` says what went wrong, or nothing."""

    def __init__(self, session: Session, title: str, cases: Sequence[Case], rounds: int = 3):
        self.cases = {case.name: case for case in cases}
        self.results = {case.name: Result(case, f"gemm: {title}", check="ok") for case in cases}
        self.wrong = ""
        session.results.extend(self.results.values())
        last = cases[-1]
        self.note(last.name, session.once(title, Case(f"{last.name}, check", last.program, [*last.args, "--repeat=1", "--check"], expect={"check": "ok"})))
        for turn in range(session.rounds or (1 if session.quick else rounds)):
            for case in cases:
                if self.wrong:
                    return
                progress(f"gemm: {title}: round {turn + 1}, {case.name}")
                self.note(case.name, session.once(title, case, self.results[case.name]))

    def note(self, name: str, line: Any) -> None:
        if isinstance(line, str):
            self.wrong = f"{name}: {line}"

    def rate(self, name: str) -> Optional[float]:
        return None if self.wrong else median(self.results[name].values("rate"))

    def row(self, figure: str, name: str, unit: str = "GFLOP/s") -> Row:
        return Row(figure, self.rate(name), unit, note=self.wrong, commands=[self.cases[name].command()])

    def ratio(self, figure: str, of: str, to: Sequence[str], goal: Optional[float] = None, unit: str = "×") -> Row:
        """Rate of one case over the best of others, in turns."""
        value = None
        if not self.wrong:
            turns = zip(self.results[of].values("rate"), *(self.results[name].values("rate") for name in to))
            value = median(mine / max(others) for mine, *others in turns)
            value *= 100 if unit == "%" else 1
        return Row(figure, value, unit, goal, self.wrong, [self.cases[name].command() for name in (of, *to)])


def host(session: Session) -> Section:
    rows = []
    for kind in TYPES:
        size = session.size(2048, 200)
        group = Group(session, f"host {kind}", [gemm("plain C", size, kind, "--device=host", "--blas=none"),
                                                gemm("library", size, kind, "--device=host")])
        rows += [group.row(f"{kind}, {size}³, processor's BLAS", "library"), group.ratio("against plain C", "library", ["plain C"])]
    return Section("Host", "The loop on all threads; without an OpenBLAS or BLIS both are plain C.", rows)


def resident(session: Session) -> Section:
    """A loop on one GPU; the link allows the goal from about 4000 (fp32) and 8000 (fp64) on."""
    number, rows = session.gpu["number"], []
    for kind in TYPES:
        for size in (1024,) if session.quick else (4096, 8192, 16384) + ((32768,) if kind == "fp64" else ()):
            one = f"--device={number}"
            cases = [gemm("resident", size, kind, "--resident", one), gemm("host", size, kind, one, "--schedule=static")]
            beside_xt = size <= 16384 and session.gpu["kind"] == "cuda"
            if beside_xt:
                cases.insert(1, gemm("cuBLASXt", size, kind, "--xt=2048", one, "--repeat=1"))  # after one that is not timed
            if size == 16384 and kind == "fp64":
                cases.insert(1, gemm("own kernels", size, kind, "--plain", one, "--schedule=static"))
            group = Group(session, f"{kind} {size}", cases, 3 if size <= 16384 else 1)
            goal = 90 if size >= 16384 else None
            rows += [group.row(f"{kind}, {size}³, cuBLAS, data on the GPU", "resident"),
                     group.ratio("data on the host, share of it", "host", ["resident"], goal, "%")]
            rows += [group.ratio("against cuBLASXt", "host", ["cuBLASXt"])] if beside_xt else []
            rows += [group.ratio("against tiles by the kernels that cuBLAS chooses", "host", ["own kernels"])] if "own kernels" in group.cases else []
    text = f"{session.gpu['name']}. Times hold all transfers, not page-locking, which happens once per program (lock_seconds)."
    return Section("One GPU, data on the host", text, rows)


def two(session: Session) -> Section:
    size, rows = 1024 if session.quick else 16384, []
    line = session.execute(gemm("probe", 256, "fp32", "--device=0,1"))
    if isinstance(line, str) or len(line.get("device_iterations", [])) < 2:
        return Section("Two GPUs", rows=[Row("against one", note="not run: there is one GPU")])
    for kind in TYPES:
        group = Group(session, f"two {kind}", [gemm("one", size, kind, "--device=0", "--schedule=static"),
                                               gemm("two", size, kind, "--device=0,1", "--schedule=static")])
        rows.append(group.ratio(f"{kind}, {size}³, two GPUs against one", "two", ["one"], 1.9))
    return Section("Two GPUs", "", rows)
