# SPDX-License-Identifier: Apache-2.0
"""Graphs on this machine: what a task costs on threads and on a device beside libomp, StarPU and a CUDA graph, and the
soft bodies of Figures 3 to 5. Devices that OpenMP has on the processor may stand in for GPUs: BENCH_DEVICES=0,1."""
import os
from typing import Any, Dict, Iterator, List, Optional

from measure import Case, Row, Section, Session, progress, ratio_row

SCHEDULERS = ("", "dmda", "ws", "lws")  # StarPU's; the first: its default
POLICIES = ("affinity", "affinity_published", "steal", "static", "round_robin", "heft")


def devices_of(session: Session) -> List[str]:
    """Numbers of those that take part beside the host."""
    named = os.environ.get("BENCH_DEVICES")
    if named:
        return named.split(",")
    if session.gpu and session.gpu["kind"] != "cuda":
        return [str(session.gpu["number"])]
    return [str(k) for k in range(session.gpus)] if session.gpu else []


def run(session: Session) -> Iterator[Section]:
    if session.only != "gpu":
        yield on_threads(session)
    devices = devices_of(session)
    if session.only != "cpu" and not devices:
        yield Section("A task's cost on a device", rows=[Row("replayed against target nowait depend", note=session.no_gpu)])
    elif session.only != "cpu":
        yield on_device(session, devices[0])
    if (session.programs / "softbody").exists():
        yield from bodies(session, [] if session.only == "cpu" else devices)


def host_cases(session: Session, what: str, rounds: int) -> Dict[str, Case]:
    size = ["--json", f"--rounds={rounds}", "--threads=2", "--repeat=3"]
    cases = {m: Case(f"{what}, {m}", "bench-graph", [*size, f"--method={m}"], expect={"check": "ok"}) for m in ("heddle", "omp")}
    for scheduler in SCHEDULERS:
        name = f"starpu {scheduler}".strip()
        case = Case(f"{what}, {name}", "bench-graph", [*size, "--method=starpu"], {"STARPU_SCHED": scheduler} if scheduler else {}, {"check": "ok"})
        if isinstance(session.execute_all(case), str):
            break  # it is not in this build
        cases[name] = case
    return cases


def on_threads(session: Session) -> Section:
    """A ring of 64 blocks that read their neighbours; empty tasks, and tasks of some microseconds. Results are the serial loop's."""
    progress("graphs: a task's cost on threads")
    rows: List[Row] = []
    for what, rounds in (("empty tasks", 0), ("tasks of 3000 rounds", 3000)):
        cases = host_cases(session, what, rounds)
        got = session.measure(what, list(cases.values()), 1 if session.quick else 5)
        by = {m: got[case.name] for m, case in cases.items()}
        rows += [Row(f"{what}, {m}: one task", result.median("task_us"), "us", 1 if m == "heddle" and not rounds else None, most=True,
                     commands=[cases[m].command()]) for m, result in by.items()]
        rows += [ratio_row(f"{what}: heddle against {m}", by[m], by["heddle"], 1) for m in list(cases)[1:]]
    return Section("A task's cost on threads", "Two threads; the graph is recorded before and replayed. StarPU by its default scheduler and by others.", rows)


def on_device(session: Session, device: str) -> Section:
    progress("graphs: a task's cost on a device")
    is_cuda = bool(session.gpu) and session.gpu["kind"] == "cuda"  # type: ignore[index]
    env = {"HEDDLE_DEVICE": device, "OMP_DEFAULT_DEVICE": device, "HEDDLE_MODELS": "none"}
    rows: List[Row] = []
    for block in (1024,) if session.quick else (1024, 65536):
        size = ["--json", f"--block={block}", "--iterations=16", "--repeat=3"]
        cases = {m: Case(f"{block} numbers, {m}", "bench-graph", [*size, f"--method={m}"], env, {"check": "ok"})
                 for m in ("target-heddle", "target-omp", "cuda") if is_cuda or m != "cuda"}
        omp = cases["target-omp"]
        if not is_cuda and any(isinstance(session.execute_all(omp), str) for _ in range(1 if session.quick else 6)):
            del cases["target-omp"]  # LLVM 19 (docs/lab/2026-11-26-softbody-devices.md): it would be no result of heddle's
            rows.append(Row(f"{block} numbers, target-omp: one task", note="libomp aborts now and then where regions on the processor's devices are short",
                            commands=[omp.command()]))
        got = session.measure(f"tasks of {block} numbers on device {device}", list(cases.values()), 1 if session.quick else 5)
        by = {m: got[case.name] for m, case in cases.items()}
        rows += [Row(f"{block} numbers, {m}: one task", result.median("task_us"), "us", commands=[cases[m].command()],
                     note="" if result.median("task_us") else result.check) for m, result in by.items()]
        rows += [ratio_row(f"{block} numbers: heddle's graph against {m}", by[m], by["target-heddle"], 1) for m in cases if m != "target-heddle"]
    return Section("A task's cost on a device",
                   "The ring of 64 blocks by `#pragma heddle graph`, by `target nowait depend` of plain libomptarget with the arrays on the device "
                   "around it, and as a CUDA graph that is written by hand, whose arrays are there already.", rows)


# ---- soft bodies --------------------------------------------------------------------------------------------------
def body_case(session: Session, scene: str, where: str, threads: Optional[int] = None, groups: int = 0, policy: str = "", size: int = 3000) -> Case:
    small = session.quick or not session.gpu or session.gpu["kind"] != "cuda"  # a device of the processor has one thread
    sizes = ["--bodies=8", "--size=200", "--steps=3"] if session.quick else ["--bodies=16", f"--size={size // 3}", "--steps=10"] if small \
        else [f"--size={size}", "--steps=20"]
    name = " ".join([f"{scene}, {where}", *([f"{threads} threads"] if threads else []), *([f"one graph, {groups} groups"] if groups else []), policy]).strip()
    return Case(name, "softbody", ["--json", f"--scene={scene}", f"--device={where}", *([f"--threads={threads}"] if threads else []), *sizes,
                                   *([f"--groups={groups}"] if groups else [])],
                {"HEDDLE_MODELS": "none", **({"HEDDLE_GRAPH": policy} if policy else {})})


def table(session: Session, title: str, cases: List[Case], base: str) -> Dict[str, Any]:
    got = session.measure(title, cases, 1 if session.quick else 3)
    first = got[base].median("best_ms")
    body = []
    for case in cases:
        own = got[case.name].median("best_ms")
        body.append([case.name, f"{own:.3f}" if own else got[case.name].check, f"{first / own:.2f}" if first and own else ""])
    return {"title": f"against {base}", "head": ["where", "ms a step, the best", "times as fast"], "body": body, "commands": [case.command() for case in cases]}


def bodies(session: Session, devices: List[str]) -> Iterator[Section]:
    progress("graphs: soft bodies")
    cores, joined = os.cpu_count() or 1, ",".join(devices)
    for scene, figure, text in (("pairs", "Pairs that fly at each other (Figure 3)", "Published: 5.3 times on 8 GPUs against one, on average."),
                                ("mixed", "Bodies of 100 to 3000 nodes, cores and devices (Figure 5)",
                                 "Published, against one core: 3.5 of 4 cores, 22 of 4 GPUs, 29 of both.")):
        cases = [body_case(session, scene, "host", threads) for threads in sorted({1, 2, cores})] + [body_case(session, scene, "host", cores, 16)]
        if devices:
            cases += [body_case(session, scene, devices[0]), body_case(session, scene, f"{joined},host"), body_case(session, scene, f"{joined},host", cores, 16)]
        if len(devices) > 1:
            cases.append(body_case(session, scene, joined))
        yield Section(figure, f"{text} Bits are the same everywhere.", [], [table(session, scene, cases, cases[0].name)])
    yield strategies(session, devices)
    yield throughput(session, devices)


def strategies(session: Session, devices: List[str]) -> Section:
    """Figure 4, by the policies of `#pragma heddle graph`."""
    tables = []
    for size in (512, 3000):
        where = ",".join(devices) or "host"
        cases = [body_case(session, "bars", where, os.cpu_count(), 30, policy, size) for policy in POLICIES]
        tables.append({**table(session, f"bars of blocks of {size}", cases, cases[0].name), "title": f"blocks of {size} nodes"})
    return Section("Blocks in bars, by policy (Figure 4)", "Published, 4 GPUs: bars without numbers; affinity is first.", [], tables)


def throughput(session: Session, devices: List[str]) -> Section:
    """Bodies that fall, more and more."""
    is_cuda = bool(session.gpu) and session.gpu["kind"] == "cuda" and bool(devices)  # type: ignore[index]
    body, rates = [], []
    for count in (64, 128, 256, 512, 1024) if is_cuda else (4, 8):
        case = Case(f"{count} bodies", "softbody", ["--json", "--scene=fall", f"--bodies={count}", f"--size={3000 if is_cuda else 200}",
                                                     f"--steps={max(4, 640 // count) if is_cuda else 3}", f"--device={devices[0] if devices else 'host'}"],
                    {"HEDDLE_MODELS": "none"})
        line = session.once("more bodies", case)
        if isinstance(line, str):
            break
        rates.append(count / line["best_ms"])
        body.append([str(count), f"{line['best_ms']:.3f}", f"{rates[-1]:.2f}", case.command()])
    least = min((b / a for a, b in zip(rates, rates[1:])), default=None)
    return Section("Throughput as bodies grow", "Best step of some.",
                   [Row("bodies a millisecond: the least growth from one line to the next", least, "×", 0.97 if is_cuda else None)],
                   [{"title": "fall", "head": ["bodies", "ms a step", "bodies a ms", "command"], "body": body, "commands": []}])
