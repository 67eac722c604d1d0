# SPDX-License-Identifier: Apache-2.0
"""Graphs over all devices: what a task costs and soft bodies on this machine; Figures 3 to 5 of Hermann et al. 2010,
simulated on its machine; published beside measured. The policies are those that real devices get."""
from pathlib import Path
from statistics import mean
from typing import Dict, Iterator, List, Tuple

from measure import Case, Row, Section, Session, progress
from suites import graph_here

TITLE = "graphs: a task's cost and soft bodies here; partitions, affinity and stealing on the paper's machine, simulated"
MACHINE = Path(__file__).resolve().parents[2] / "toolchain" / "heddle" / "sim" / "machines" / "hermann2010.machine"
POLICIES = ("affinity", "affinity_published", "steal", "static", "round_robin", "heft")
SCENES = {"fall": "free fall", "contact": "60 pairs in contact", "collide": "pairs come and go (Figure 3)", "mixed": "100 to 3000 particles, half mass-springs"}
PUBLISHED = {"collide": 5.3, "mixed": 4.4}
GOALS = {"fall": 7.5, "contact": 6.0}
COMBINATIONS = ((0, 1), (0, 2), (0, 4), (1, 0), (2, 0), (4, 0), (1, 1), (2, 2), (4, 1), (4, 2), (4, 4))
FIGURE5 = {(4, 0): 3.5, (0, 4): 22.0, (4, 4): 29.0}  # against one core


def run(session: Session) -> Iterator[Section]:
    yield from graph_here.run(session)
    if session.only == "gpu":
        return
    if not MACHINE.is_file():
        yield Section("The paper's machine", rows=[Row("affinity against its rivals", note="not run: the machine's file is not here")])
        return
    yield falling(session)
    yield growing(session)
    yield bars(session)
    yield combinations(session)


def sim(session: Session, title: str, example: str, cores: int, gpus: int, more: Tuple[str, ...] = (),
        policies: Tuple[str, ...] = POLICIES) -> Tuple[Dict[str, float], Dict[str, List[float]], str]:
    """Speed-ups by policy against one unit of the fastest kind, a mean over seeds; those of each step; the command."""
    speedup: Dict[str, List[float]] = {policy: [] for policy in policies}
    steps: Dict[str, List[float]] = {}
    case = Case(example, "heddle", [])
    for seed in range(1, 3 if session.quick else 11):
        case = Case(f"{example}, {cores} cores, {gpus} GPUs", "heddle",
                    ["sim", "graph", f"--machine={MACHINE}", f"--counts={cores},{gpus}", f"--example={example}", f"--policy={','.join(policies)}",
                     f"--seed={seed}", "--json", *more])
        lines = session.execute_all(case)
        if isinstance(lines, str):
            session.once(title, case)  # records what is wrong
            return {}, {}, ""
        for line in lines:
            speedup[line["policy"]].append(line["speedup"])
            steps.setdefault(line["policy"], line["steps"])
    shown = Case(case.name, case.program, [word.replace(str(MACHINE.parent), "machines") for word in case.args])
    return {policy: mean(values) for policy, values in speedup.items()}, steps, shown.command()


def falling(session: Session) -> Section:
    progress("graphs: 64 bodies on 8 GPUs")
    rows, body, figure, last = [], [], [], ""
    for example, what in SCENES.items():
        speedup, steps, command = sim(session, "64 bodies", example, 0, 8)
        if not speedup:
            continue
        last = command
        rows.append(Row(f"8 GPUs, {what}: affinity", speedup["affinity"], "×", GOALS.get(example) or PUBLISHED.get(example), commands=[command]))
        body.append([what, *(f"{speedup[policy]:.2f}" for policy in POLICIES), str(PUBLISHED.get(example, ""))])
        if example == "collide":
            figure = [[str(12 * (5 - abs(5 - k))), *(f"{steps[policy][k]:.2f}" for policy in POLICIES)] for k in range(len(steps["affinity"]))]
    return Section("64 bodies on 8 GPUs (Figure 3)",
                   "Speed-up against one GPU. Published: about 7 of 8 without contacts, at least 4 with 60 pairs, 5.3 on average; 4.4 of the mixed scene.",
                   rows, [{"title": "by scene", "head": ["scene", *POLICIES, "published"], "body": body, "commands": [last]},
                          {"title": "Figure 3: pairs come and go, one run", "head": ["pairs", *POLICIES], "body": figure, "commands": []}])


def growing(session: Session) -> Section:
    progress("graphs: 2 to 64 GPUs")
    body, last = [], ""
    for gpus in (2, 4, 8, 16, 32, 64):
        speedup, _, last = sim(session, "more GPUs", "contact", 0, gpus, ("--bodies=512", "--iterations=6"), ("affinity", "steal", "static", "round_robin"))
        body.append([str(gpus), *(f"{value:.1f}" for value in speedup.values())])
    return Section("512 bodies in contact on 2 to 64 GPUs", "Speed-up against one GPU; not in the paper.", [],
                   [{"title": "by GPUs", "head": ["GPUs", "affinity", "steal", "static", "round_robin"], "body": body, "commands": [last]}])


def bars(session: Session) -> Section:
    progress("graphs: bars")
    rows, body, last = [], [], ""
    for example, particles in (("bars-small", 512), ("bars-large", 3000)):
        for gpus in (4, 8):
            speedup, _, command = sim(session, "bars", example, 0, gpus)
            if not speedup:
                continue
            last = command
            body.append([f"{particles}", f"{gpus}", *(f"{speedup[policy]:.3f}" for policy in POLICIES)])
            rows += [Row(f"blocks of {particles}, {gpus} GPUs: affinity against {rival}", speedup["affinity"] / speedup[rival], "×", 1, commands=[command])
                     for rival in ("steal", "static")]
    return Section("30 blocks in 12 bars (Figure 4)", "Published, 4 GPUs: affinity is first for both sizes of blocks; small ones: stealing before static and round-robin; "
                   "large ones: stealing last.", rows,
                   [{"title": "speed-up against one GPU", "head": ["particles", "GPUs", *POLICIES], "body": body, "commands": [last]}])


def combinations(session: Session) -> Section:
    progress("graphs: cores and GPUs")
    rows, body, last = [], [], ""
    one: Dict[Tuple[int, int], Dict[str, float]] = {}
    policies = ("affinity", "affinity_published", "steal", "static")
    scale = 1.0
    for cores, gpus in COMBINATIONS:
        speedup, _, last = sim(session, "combinations", "independent", cores, gpus, (), policies)
        if not speedup:
            return Section("Cores and GPUs (Figure 5)")
        one[cores, gpus] = speedup
    core = alone(session, 1, 0)
    gpu = alone(session, 0, 1)
    for (cores, gpus), speedup in one.items():
        scale = core / gpu if gpus else 1.0  # the simulator's is against the fastest kind
        body.append([str(cores), str(gpus), *(f"{scale * speedup[policy]:.1f}" for policy in policies), str(FIGURE5.get((cores, gpus), ""))])
    ratio = core / gpu
    rows.append(Row("4 cores and 4 GPUs against one core: affinity (published: 29)", ratio * one[4, 4]["affinity"], "×", commands=[last]))
    rows.append(Row("the same, over the sum of 4 cores and of 4 GPUs", ratio * one[4, 4]["affinity"] / (one[4, 0]["affinity"] + ratio * one[0, 4]["affinity"]), "×", 1))
    rows += [Row(f"{cores} cores and {gpus} GPUs: affinity against stealing", speedup["affinity"] / speedup["steal"], "×", 1)
             for (cores, gpus), speedup in one.items() if cores and gpus]
    return Section("Cores and GPUs (Figure 5)", "64 bodies of 512 to 3000 particles that do not touch; speed-up against one core.", rows,
                   [{"title": "speed-up", "head": ["cores", "GPUs", *policies, "published"], "body": body, "commands": [last]}])


def alone(session: Session, cores: int, gpus: int) -> float:
    """Seconds of one unit."""
    lines = session.execute_all(Case("alone", "heddle", ["sim", "graph", f"--machine={MACHINE}", f"--counts={cores},{gpus}", "--example=independent",
                                                        "--policy=static", "--json"]))
    return 1.0 if isinstance(lines, str) else float(lines[0]["alone"])
