# SPDX-License-Identifier: Apache-2.0
"""Jobs over all devices: the figures and tables of Kim et al. 2013 on its three machines, simulated; published beside
measured. The policies are those that real devices get."""
import itertools
from pathlib import Path
from statistics import mean
from typing import Any, Dict, Iterator, List, Optional, Tuple

from measure import Case, Row, Section, Session, progress

from . import jobs_here

TITLE = "jobs: the LP scheduler against the paper, on this machine, and on the paper's, simulated"
BENCHMARKS = ("cloth", "nbody", "fracture", "path", "motion")
MACHINES = Path(__file__).resolve().parents[2] / "toolchain" / "heddle" / "sim" / "machines"
RIVALS = {"lau10": ["lau10"], "tan09": [f"tan09:{k}" for k in (1000, 2000, 5000, 10000, 20000)],
          "steal": [f"steal:{k}" for k in (30, 40, 50, 60, 70)], "steal_times": ["steal_times"]}
FULL = {1: (1, 1, 1), 2: (2, 1, 1, 1, 1), 3: (2, 4)}
SHOWN = {1: {"C": (1, 0, 0), "lG": (0, 1, 0), "hG": (0, 0, 1), "C+lG": (1, 1, 0), "C+hG": (1, 0, 1), "lG+hG": (0, 1, 1), "C+lG+hG": (1, 1, 1)},
         2: {"1C": (1, 0, 0, 0, 0), "2C": (2, 0, 0, 0, 0), "2C+1G": (2, 1, 0, 0, 0), "2C+2G": (2, 1, 1, 0, 0), "2C+3G": (2, 1, 1, 1, 0),
             "2C+4G": (2, 1, 1, 1, 1)},
         3: {"2C+4G": (2, 4)}}
PUBLISHED = {1: 22, 2: 36, 3: 12}  # percent that the LP is ahead of stealing
TABLE2 = {3: (4.3, 0.94, 0.53, 160), 4: (5.5, 0.90, 0.60, 200), 5: (6.6, 0.91, 0.62, 250), 6: (7.5, 0.81, 0.41, 300),
          13: (29.9, 0.96, 0.65, 930), 14: (35.0, 0.92, 0.63, 990), 15: (35.5, 0.90, 0.71, 1040), 16: (38.5, 0.88, 0.74, 1400)}
FASTER = ["--decide=10us", "--program=10us"]  # what a program takes here; the machines' files have the paper's


def run(session: Session) -> Iterator[Section]:
    if session.only != "cpu":
        yield from jobs_here.run(session)
    if session.only == "gpu":
        return
    yield from decisions(session)
    if not MACHINES.is_dir():
        yield Section("The paper's machines", rows=[Row("LP against its rivals", note="not run: the machines' files are not here")])
        return
    for machine in (1, 2, 3):
        yield rivals(session, machine)
    yield adding(session)
    yield ablations(session)


def sim(session: Session, title: str, machine: str, benchmark: str, policies: List[str], more: List[str]) -> Tuple[Dict[str, Any], Case]:
    """Result lines by policy; of a policy with several parameters the best."""
    frames = 2 if session.quick else 10
    case = Case(f"{machine}, {benchmark}", "heddle", ["sim", "jobs", f"--machine={MACHINES}/kim2013-{machine}.machine", f"--benchmark={benchmark}",
                                                    f"--frames={frames}", f"--policy={','.join(policies)}", "--json", *more])
    lines = session.execute_all(case)
    shown = Case(case.name, case.program, [word.replace(str(MACHINES), "machines") for word in case.args])
    if isinstance(lines, str):
        session.once(title, case)  # records what is wrong
        return {}, shown
    best: Dict[str, Any] = {}
    for line in lines:
        name = line["policy"]
        if name not in best or line["seconds"] < best[name]["seconds"]:
            best[name] = line
    return best, shown


def counts(which: Tuple[int, ...]) -> str:
    return "--counts=" + ",".join(map(str, which))


def rivals(session: Session, machine: int) -> Section:
    progress(f"jobs: machine {machine}")
    policies = ["lp", "lp_steal", "lp_published", *itertools.chain.from_iterable(RIVALS.values())]
    body: List[List[str]] = []
    ratios: Dict[str, List[float]] = {}
    paper: Dict[str, List[float]] = {}
    commands: List[str] = []
    for benchmark in BENCHMARKS:
        for name, which in SHOWN[machine].items():
            best, case = sim(session, f"machine {machine}", str(machine), benchmark, policies, [*FASTER, counts(which)])
            slow, _ = sim(session, f"machine {machine}", str(machine), benchmark, policies, [counts(which)])
            if not best or not slow:
                continue
            commands.append(case.command())
            body.append([benchmark, name, *(f"{best[p]['per_second']:.4g}" for p in ("lp", "lp_steal", "lp_published", *RIVALS)),
                         f"{100 * best['lp']['idle']:.1f} %", f"{best['lp']['of_bound']:.2f}"])
            if sum(which) > 1:
                for rival in RIVALS:
                    ratios.setdefault(f"LP against {rival}", []).append(best[rival]["seconds"] / best["lp"]["seconds"])
                    ratios.setdefault(f"lp_steal against {rival}", []).append(best[rival]["seconds"] / best["lp_steal"]["seconds"])
                    paper.setdefault(rival, []).append(slow[rival]["seconds"] / slow["lp"]["seconds"])
    rows = [Row(f"machine {machine}: {what}, mean over benchmarks and combinations", mean(values), "×",
                1 + PUBLISHED[machine] / 100 if what == "LP against steal" else None) for what, values in ratios.items()]
    rows += [Row(f"machine {machine}: LP against {rival}, a program takes as long as in the paper", mean(paper[rival]), "×")
             for rival in paper]
    rows += efficiency(session, machine)
    return Section(f"Machine {machine}: frames per second (Figs 4, 5, 7; Table 4)",
                   f"Published: the LP is ahead of stealing by {PUBLISHED[machine]} % on average. Of stealing and of blocks the best parameter of each line.",
                   rows, [{"title": "frames per second; idle and part of the bound: of the LP",
                           "head": ["benchmark", "devices", "lp", "lp_steal", "lp_published", *RIVALS, "idle", "of bound"], "body": body, "commands": commands[-1:]}])


def efficiency(session: Session, machine: int) -> List[Row]:
    """The rate of all devices by the sum of the rates that each has alone, which is above 1 where each gets what it is good at."""
    values: Dict[str, List[float]] = {"lp": [], "lp_steal": []}
    last = ""
    full = FULL[machine]
    for benchmark in BENCHMARKS:
        alone = 0.0
        for k, count in enumerate(full):
            best, _ = sim(session, "efficiency", str(machine), benchmark, ["lp"], [*FASTER, counts(tuple(int(i == k) for i in range(len(full))))])
            alone += count * best["lp"]["per_second"] if best else 0
        best, case = sim(session, "efficiency", str(machine), benchmark, list(values), [*FASTER, counts(full)])
        last = case.command()
        for policy, line in best.items():
            values[policy].append(line["per_second"] / alone)
    return [Row(f"machine {machine}: efficiency of all devices ({policy}), {what} of the benchmarks", value, "", 0.95 if what == "mean" else None, commands=[last])
            for policy, some in values.items() if some for what, value in (("mean", mean(some)), ("least", min(some)))]


def adding(session: Session) -> Section:
    progress("jobs: adding devices")
    body, last = [], ""
    worst = {"lp": 0.0, "lp_steal": 0.0}
    for machine, full in FULL.items():
        for benchmark in BENCHMARKS:
            took: Dict[str, Dict[Tuple[int, ...], float]] = {policy: {} for policy in worst}
            for which in itertools.product(*[range(k + 1) for k in full]):
                if sum(which):
                    best, case = sim(session, "adding", str(machine), benchmark, list(worst), [*FASTER, counts(which)])
                    for policy, line in best.items():
                        took[policy][which], last = line["seconds"], case.command()
            row = [str(machine), benchmark]
            for policy in worst:
                losses = losses_of(took[policy], len(full))
                worst[policy] = max(worst[policy], *losses)
                row += [str(len(losses)), str(sum(loss > 0.01 for loss in losses)), f"{100 * max(losses):+.1f} %"]
            body.append(row)
    return Section("Adding a device", "Every set of devices of a machine, and each with one more.",
                   [Row(f"most that a device loses, {policy}", 100 * most, "%", 1 if policy == "lp_steal" else None, commands=[last], most=True)
                    for policy, most in worst.items()],
                   [{"title": "by machine: lp, then lp_steal", "head": ["machine", "benchmark", *["additions", "lose more than 1 %", "most"] * 2],
                     "body": body, "commands": [last]}])


def losses_of(took: Dict[Tuple[int, ...], float], kinds: int) -> List[float]:
    """Of each addition of a device: how much longer it takes."""
    losses = []
    for which, seconds in took.items():
        for k in range(kinds):
            more = tuple(count + (i == k) for i, count in enumerate(which))
            if more in took:
                losses.append(took[more] / seconds - 1)
    return losses


def ablations(session: Session) -> Section:
    progress("jobs: ablations")
    body, sums, last = [], {}, ""  # type: List[List[str]], Dict[str, List[float]], str
    names = {"proportional": "no LP (26 % published)", "lp_no_setup": "no set-ups in the LP (9 %)", "hpccd": "HPCCD's fixed rule (Fig. 8)"}
    for machine in ("1", "2"):
        for benchmark in BENCHMARKS:
            best, case = sim(session, "ablations", machine, benchmark, ["lp", "steal", "steal_times", *names], FASTER)
            cores, _ = sim(session, "ablations", "2-cores", benchmark, ["lp_flat"], FASTER) if machine == "2" else ({}, case)
            last = case.command()
            if not best:
                continue
            row = [machine, benchmark]
            for name in names:
                ratio = best[name]["seconds"] / best["lp"]["seconds"]
                sums.setdefault(names[name], []).append(ratio)
                row.append(f"{ratio:.2f}")
            flat: Optional[float] = cores["lp_flat"]["seconds"] / best["lp"]["seconds"] if cores else None
            if flat is not None:
                sums.setdefault("no hierarchy (35 %)", []).append(flat)
            row += [f"{flat:.2f}" if flat else "", f"{best['steal']['transfers'] / max(1, best['lp']['transfers']):.1f}",
                    f"{1 - best['steal_times']['transfers'] / max(1, best['steal']['transfers']):+.0%}",
                    f"{100 * best['lp']['deciding'] / best['lp']['seconds']:.1f} %"]
            body.append(row)
    return Section("Ablations, transfers, the scheduler's share (section 5, Fig. 6)",
                   "Times against the LP's. Published: stealing launches 11 times as many transfers for collisions, expected times save 71 % of them, "
                   "and the scheduler takes 7 %.",
                   [Row(what, mean(values), "×", commands=[last]) for what, values in sums.items()],
                   [{"title": "time against the LP's", "head": ["machine", "benchmark", *names.values(), "no hierarchy", "transfers, stealing / LP",
                                                               "saved by times", "deciding"], "body": body, "commands": [last]}])


def decisions(session: Session) -> Iterator[Section]:
    case = Case("decisions", "bench-jobs", ["--json", f"--sets={50 if session.quick else 500}"])
    progress("jobs: decisions")
    lines = session.execute_all(case)
    if isinstance(lines, str):
        session.once("decisions", case)
        yield Section("Decisions (Table 2)", rows=[Row("above the optimum", note=lines, commands=[case.command()])])
        return
    commands = [case.command()]
    sets = [line for line in lines if line["what"] == "sets"]

    def of(reading: str, resources: int, most: int = 30000) -> Dict[str, Any]:
        return next(line for line in sets if (line["reading"], line["resources"], line["most"]) == (reading, resources, most))

    body = [[str(r), f"{p[0]} / {p[1]} / {p[2]} / {p[3]}",
             *(f"{one['rounds']:.1f} / {one['ratio']:.2f} / {one['least_ratio']:.2f} / {one['round_us']:.2g}"
               for one in (of(reading, r) for reading in ("published", "at_once", "zeros", "best")))] for r, p in TABLE2.items()]
    devices = [line for line in lines if line["what"] == "devices"]
    rows = [Row("|R| = 3, above the optimum, best of both", 100 * of("best", 3)["gap"], "%", 1, commands=commands, most=True),
            Row("|R| = 3, above the optimum, as published (6 %)", 100 * of("published", 3)["gap"], "%", 6, commands=commands, most=True),
            Row("the same, sets of up to 10,000 jobs, best of both", 100 * of("best", 3, 10000)["gap"], "%", 1, commands=commands, most=True),
            Row("one decision, 6 resources, 12 types, best of both (median)", of("best", 6)["decision_us"] / 1e3, "ms", 0.1, commands=commands, most=True),
            Row("one decision, 10,000 devices, 10⁶ jobs", 1e3 * min(line["seconds"] for line in devices), "ms", 50, commands=commands, most=True)]
    yield Section("Decisions (Table 2)", "Random sets of the jobs of Table 1. Rounds / L_fin over L_init / its least / µs a round (published: LINDO on a Xeon "
                  "of 2010). 13 and more resources: twelve cores and GPUs, no hierarchy.", rows,
                  [{"title": "by reading of \"the smallest ratio\"", "head": ["resources", "published", "lp_published", "lp_at_once", "lp_zeros", "lp (best of both)"],
                    "body": body, "commands": commands}])
