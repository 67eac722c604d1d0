# SPDX-License-Identifier: Apache-2.0
"""The applications as loops over all devices, for the suite `for`: each from a size of which most is overhead to the largest one that
the GPU's memory, the application or the time allows, `auto` against every device alone; then all schedules at one size.

How often a size runs goes by how long it takes: by what the size before took, and where that is no good guide, by one run."""
from dataclasses import dataclass, field
from math import isqrt
from statistics import mean, median
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import svg
from measure import Case, Result, Row, Section, Session, available_bytes, progress

LEARN = 10  # runs of a process that are not counted: auto tries who is best
RUNS = 15   # counted
MANY = 61   # counted where they are short: loops of less than a millisecond scatter by a tenth
SHORT = 0.5 # seconds: so many runs are over in a moment
ROUNDS = 5  # processes of each way in turn, where they are over in a moment


@dataclass
class Size:
    words: List[str]
    work: float  # against other sizes of the application
    title: str = ""

    def name(self) -> str:
        return self.title or " ".join(self.words).replace("--", "")


@dataclass
class Limits:
    """Seconds: of one run of a size that is tried at all, of the host alone beside a GPU, of a way's runs together."""
    run: float
    host: float
    budget: float


def fast(session: Session) -> bool:
    """A real GPU; OpenMP's devices on the processor are as slow as that."""
    return bool(session.gpu) and session.gpu["kind"] == "cuda"


def limits(session: Session) -> Limits:
    return Limits(30, 20, 12) if fast(session) else Limits(5, 5, 4)


def filling(session: Session) -> int:
    """A matrix' side, so that three of them in fp64 fill the device's memory and leave the host some of its own."""
    there = float(session.gpu["memory"]) if session.gpu else 0
    here = 0.6 * available_bytes()
    side = isqrt(int(min(0.85 * there if there else here, here) / 24))
    return side // 1024 * 1024


def ladder(session: Session) -> Dict[str, List[Size]]:
    """Whole numbers in matrices: a product of reals is rounded differently by each library."""
    if session.quick:
        return {"gemm": [Size(["--size=512", "--whole"], 1)], "peptide": [Size(["--size=200", "--proteins=200"], 1)],
                "raytrace": [Size(["--size=160x90"], 1)]}
    gemm = [Size([f"--size={n}", "--whole"], float(n) ** 3) for n in (128, 512, 2048, 8192, 32768)]
    side = filling(session)
    if side >= 4096:
        gemm.append(Size([f"--size={side}", "--whole", "--type=fp64"], 2 * float(side) ** 3, f"{side} fp64, {24e-9 * side * side:.0f} GB"))
    wide = [(400, 400), (4000, 2000), (20000, 8000), (100000, 16000)]
    peptide = [Size(["--size=40", "--proteins=200"], 40 * 20)]
    peptide += [Size([f"--size={n}", f"--proteins={m}", "--tolerance=100da"], float(n) * m, f"{n} of {m} proteins") for n, m in wide]
    trace = [Size(["--size=160x90"], 160 * 90), Size(["--size=640x360"], 640 * 360), Size(["--size=1920x1080", "--samples=4"], 4 * 1920 * 1080.0),
             Size(["--scene=landscape", "--size=3840x2160", "--samples=4"], 8 * 3840 * 2160.0),
             Size(["--scene=landscape", "--size=32768x32768"], 2.0 * 32768 ** 2)]  # its largest picture
    return {"raytrace": trace, "peptide": peptide, "gemm": gemm}  # the longest runs last


def runs(seconds: float, budget: float) -> Tuple[int, int]:
    """To learn and to count."""
    if seconds * (LEARN + RUNS) <= budget:
        return LEARN, MANY if seconds * MANY < SHORT else RUNS
    together = max(2, int(budget / seconds))
    count = max(1, min(RUNS, together * 3 // 5))
    return max(1, min(LEARN, together - count)), count


@dataclass
class Line:
    """One size of one application."""
    app: str
    title: str
    seconds: Dict[str, Optional[float]]  # by way
    share: float                         # best device alone / auto, median of the rounds
    efficiency: Optional[float]
    who: str


@dataclass
class Climb:
    """An application's way up its sizes."""
    session: Session
    app: str
    folder: str
    lines: List[Line] = field(default_factory=list)
    commands: List[str] = field(default_factory=list)
    left_out: List[str] = field(default_factory=list)
    dropped: List[str] = field(default_factory=list)  # ways
    last: Dict[str, Tuple[float, float]] = field(default_factory=dict)  # by way: work and seconds of the size before

    def ways(self) -> Dict[str, List[str]]:
        gpu = {"gpu": [f"--device={self.session.gpu['number']}"]} if self.session.gpu else {}
        return {"auto": ["--device=auto"], **gpu, "host": ["--device=host"]}

    def case(self, size: Size, way: str, warm: int, repeat: int) -> Case:
        env = {"HEDDLE_MODELS": f"{self.folder}/{self.app}-{way}"}
        if not self.session.gpu:
            env["CUDA_VISIBLE_DEVICES"] = ""  # --device=host: auto has no GPU either
        words = ["--json", f"--repeat={repeat}", *([f"--warm={warm}"] if warm else []), *size.words, *self.ways()[way]]
        return Case(f"{self.app} {' '.join(size.words)} {way}", self.app, words, env=env)

    def drop(self, size: Size, way: str, why: str) -> None:
        """Nor is it tried with larger sizes."""
        self.left_out.append(f"{size.name()} by {way}: {why}")
        self.dropped.append(way)

    def expected(self, size: Size, way: str) -> Optional[float]:
        """Seconds of a run; None: it fails, or takes so long that it is not tried."""
        limit = limits(self.session)
        most = limit.host if way == "host" else limit.run
        work, seconds = self.last.get(way, (size.work, 0.0))
        guess = seconds * size.work / work
        if way in self.dropped:
            return None
        if guess > 2 * most:
            self.drop(size, way, f"by the size before it would take some {guess:.0f} s, and so it is for larger ones")
            return None
        if way in self.last and guess <= most:  # small sizes are mostly overhead, so it is rarely more than that
            return guess
        progress(f"for: {self.app} {' '.join(size.words)} {way}: how long does it take?")
        line = self.session.execute(self.case(size, way, 0, 1))
        if isinstance(line, str):
            self.drop(size, way, line)
        elif line["seconds"] > most:
            self.drop(size, way, f"a run took {line['seconds']:.1f} s; larger ones are left out, too")
        return None if way in self.dropped else max(line["seconds"], 1e-6)

    def step(self, size: Size) -> None:
        expected = {way: 0.0 if self.session.quick else self.expected(size, way) for way in self.ways()}
        if expected["auto"] is None or (expected["host"] is None and not self.session.gpu):
            return
        cases: Dict[str, Case] = {}
        counts: Dict[str, int] = {}
        for way, seconds in expected.items():
            if seconds is None:
                continue
            warm, repeat = (0, 1) if self.session.quick else runs(seconds, limits(self.session).budget)
            if way != "auto":  # a host has nothing to load
                warm = 0 if way == "host" and 3 * seconds > limits(self.session).budget else min(warm, 2)
            cases[way] = self.case(size, way, warm, repeat)
            counts[cases[way].name] = warm + repeat

        def further(results: Dict[str, Result]) -> int:
            """What is over in a moment scatters from process to process, and a first guess knows cold runs only."""
            longest = max((count * max(results[name].values(), default=0.0) for name, count in counts.items()), default=0.0)
            return ROUNDS - 1 if longest < 2 * SHORT and not self.session.quick else 0

        got = self.session.measure(f"{self.app} {' '.join(size.words)}", list(cases.values()), 1, further=further)
        self.add(size, {way: got[case.name] for way, case in cases.items()})

    def add(self, size: Size, results: Dict[str, Result]) -> None:
        self.commands += [result.case.command() for result in results.values()]
        seconds = {way: result.median() for way, result in results.items()}
        for way, taken in seconds.items():
            if taken:
                self.last[way] = (size.work, taken)
        alone = [results[way].values() for way in ("gpu", "host") if seconds.get(way)]
        if not seconds["auto"] or not alone:
            return
        share = median(min(others) / mine for mine, *others in zip(results["auto"].values(), *alone))
        sample = results["auto"].samples[-1]
        who = f"host {sample['host_iterations']}, devices {sample['device_iterations']}" if "host_iterations" in sample else ""
        self.lines.append(Line(self.app, size.name(), seconds, share, efficiency(self.session, seconds), who))


def efficiency(session: Session, seconds: Dict[str, Optional[float]]) -> Optional[float]:
    """Ideal / measured, where everybody was measured alone; GPUs are taken to be alike. OpenMP's devices on the host's own cores have no ideal."""
    if not fast(session) or not seconds.get("gpu") or not seconds.get("host"):
        return None
    return 1 / (max(1, session.gpus) / seconds["gpu"] + 1 / seconds["host"]) / seconds["auto"]


HEAD = ["loop", "size", "auto, ms", "GPU alone", "host alone", "auto / best", "efficiency", "who"]


def table(title: str, lines: Sequence[Line], commands: Sequence[str]) -> Dict[str, Any]:
    body = [[line.app, line.title, *(f"{1e3 * line.seconds[way]:.3f}" if line.seconds.get(way) else "" for way in ("auto", "gpu", "host")),
             f"{line.share:.3f}", f"{line.efficiency:.3f}" if line.efficiency else "", line.who] for line in lines]
    return {"title": title, "head": HEAD, "body": body, "commands": list(commands)}


def figures(session: Session, title: str, lines: Sequence[Line], commands: Sequence[str]) -> List[Row]:
    known = [line.efficiency for line in lines if line.efficiency]
    worst = min(lines, key=lambda line: line.share, default=None)
    why = session.no_gpu if not session.gpu else "OpenMP's devices share the host's cores" if not fast(session) else \
        "no size at which everybody was measured alone"
    return [Row(f"{title}: auto against the best device alone, worst of {len(lines)} sizes", worst.share if worst else None, "×", 0.98,
                f"{worst.app} {worst.title}" if worst else "a run failed", list(commands)[:3]),
            Row(f"{title}: efficiency, mean", mean(known) if known else None, "", 0.95, f"{len(known)} sizes" if known else why, list(commands)[:3])]


def every(session: Session, lines: Sequence[Line]) -> Section:
    """All real loops in one table and two pictures."""
    commands = ["bench/run for"]
    plots = [{"name": "for-auto-best", "title": "auto against the best device alone", "commands": commands, "svg": svg.bars(
        "auto against the best device alone", [(f"{line.app} {line.title}", line.share) for line in lines], "", 0.98)}]
    known = [(f"{line.app} {line.title}", line.efficiency) for line in lines if line.efficiency]
    if known:
        plots.append({"name": "for-efficiency", "title": "efficiency", "commands": commands, "svg": svg.bars("ideal / measured", known, "", 0.95)})
    return Section("Every real loop", "Applications and bench-loops together. Efficiency is ideal / measured, the ideal 1 / sum(1 / T) over the devices "
                   "alone; where the host alone would take too long it is left out.", figures(session, "every real loop", lines, commands),
                   [table("by size, medians", lines, commands)], plots)


def climb(session: Session, folder: str, lines: List[Line], times: Dict[str, float]) -> Iterator[Section]:
    """A section for each application; what was measured is added to `lines`, a run's seconds by size to `times`."""
    for app, sizes in ladder(session).items():
        if not (session.programs / app).exists():
            continue
        way = Climb(session, app, folder)
        for size in sizes:
            way.step(size)
            if way.lines:
                times[" ".join([app, *size.words])] = way.lines[-1].seconds["auto"] or 0.0
        lines += way.lines
        text = f"Up to {LEARN} runs of a process before those that count, so that auto has learned; fewer where they are long."
        text += "".join(f" Left out: {one}." for one in way.left_out) + ("" if session.gpu else f" GPU rows: {session.no_gpu}.")
        yield Section(f"Application {app}", text, figures(session, app, way.lines, way.commands), [table("by size, medians", way.lines, way.commands)])


# ---- all schedules


NAMES = ("static", "chunk", "gss", "egs", "pina", "auto")  # the dissertation's three, and ours


def schedules(session: Session, folder: str, times: Dict[str, float]) -> Section:
    """The dissertation's comparison, for real: everybody takes part, whether it pays or not."""
    tables, plots = [], []
    for app, sizes in ladder(session).items():
        if not (session.programs / app).exists():
            continue
        size = sizes[min(1 + (app == "gemm"), len(sizes) - 1)]
        names = NAMES if session.gpu else ("static", "gss", "pina", "auto")
        warm, repeat = (0, 1) if session.quick else runs(times.get(" ".join([app, *size.words]), 1), limits(session).budget)
        cases = {name: Case(f"{app} {name}", app, ["--json", f"--repeat={repeat}", *([f"--warm={warm}"] if warm else []), *size.words,
                                                   "--device=all" if session.gpu else "--device=host", f"--schedule={name}"],
                            env={"HEDDLE_MODELS": f"{folder}/{app}-{name}"}) for name in names}
        got = session.measure(f"schedules, {app} {' '.join(size.words)}", list(cases.values()), 1)
        body, bars = [], []
        for name, result in ((name, got[case.name]) for name, case in cases.items()):
            seconds = result.median()
            line = result.samples[-1] if result.samples else {}
            body.append([name, f"{1e3 * seconds:.3f}" if seconds else result.check,
                         *(str(line.get(key, "")) for key in ("efficiency", "balance", "host_iterations", "device_iterations"))])
            if seconds and "efficiency" in line:
                bars.append((("heddle: " if name in ("pina", "auto") else "") + name, float(line["efficiency"])))
        commands = [case.command() for case in cases.values()]
        tables.append({"title": f"{app} {' '.join(size.words)}", "head": ["schedule", "ms", "efficiency", "balance", "on the host", "on devices"],
                       "body": body, "commands": commands})
        if bars:
            plots.append({"name": f"for-{app}", "title": f"{app} {' '.join(size.words)}: efficiency of everybody together",
                          "svg": svg.bars(f"{app}: efficiency", bars, "", 0.95), "commands": commands})
    return Section("Schedules, everybody together", "Efficiency as the run time sees it: against the speeds that devices had in this run.", [], tables, plots)
