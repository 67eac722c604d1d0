# SPDX-License-Identifier: Apache-2.0
"""Task pools: what a task costs on a GPU and on a CPU, OpenMP's tasks and kernels beside it; the schedules on the
task graph of Tzeng, Lloyd and Owens (2012), figures 2 to 4; n-queens; textbook programs on single lanes."""
from typing import Any, Dict, List, Optional, Tuple

import svg
import timeline
from measure import Case, Result, Row, Section, Session, ratio_row
from suites import queens_rival

TITLE = "task pools: cost of a task, schedules, n-queens"


def run(session: Session) -> List[Section]:
    parts = {"cpu": (cpu_tasks, cpu_schedules), "gpu": (gpu_tasks, gpu_schedules, gpu_timelines, gpu_slices, gpu_lengths, gpu_queens, gpu_textbook)}
    return [part(session) for kind, members in parts.items() if session.only in (None, kind) for part in members]


def task(name: str, method: str, size: str, *more: str, **expect: str) -> Case:
    return Case(name, "bench-tasks", ["--json", f"--method={method}", f"--size={size}", *more], expect={"check": "ok", **expect})


def per_second(result: Result) -> Optional[float]:
    seconds = result.median("kernel_seconds")
    return float(result.samples[0]["tasks"]) / seconds if seconds else None


def million_row(figure: str, result: Result, goal: Optional[float]) -> Row:
    value = per_second(result)
    note = "" if value else "a run failed or its result was wrong"
    return Row(figure, value / 1e6 if value else None, "M/s", goal, note, [result.case.command()])


def plot(name: str, title: str, picture: str, results: List[Result]) -> Dict[str, Any]:
    return {"name": name, "title": title, "svg": picture, "commands": [result.case.command() for result in results]}


# ---- CPU


def cpu_tasks(session: Session) -> Section:
    side = min(session.size(512, 128), 512)
    size, rounds = f"{side}x{side}", 3 if session.quick else 5
    common = ("--rounds=300", "--threads=2", "--device=host")
    cases = {name: task(f"{words}, {size}", method, size, *common) for name, method, words in (
        ("serial", "spin-serial", "serial loop"), ("heddle", "spin", "heddle taskloop"), ("omp", "spin-omp", "omp task depend"))}
    got = session.measure("CPU, 1 us tasks with 3 dependences, 2 threads", list(cases.values()), rounds)
    by = {name: got[case.name] for name, case in cases.items()}
    rows = [million_row("tasks with 3 dependences, heddle", by["heddle"], None),
            million_row("the same, omp task depend", by["omp"], None),
            million_row("the same, serial loop: what a task takes", by["serial"], None),
            ratio_row("heddle against omp task depend, tasks per second", by["omp"], by["heddle"], 5)]
    return Section("CPU: tasks with dependences, 2 threads", "A grid; each task spins for 300 rounds after its left, upper "
                   "and upper right neighbour.", rows)


def synth(name: str, size: str, schedule: str, device: str, *more: str) -> Case:
    return Case(name, "synth", ["--json", f"--size={size}", f"--schedule={schedule}", f"--device={device}", "--check",
                                "--repeat=5", *more], expect={"check": "ok", "schedule": schedule})


SCHEDULES = ("dynamic", "static", "barrier")


def cpu_schedules(session: Session) -> Section:
    cases = {s: synth(f"synth 23x40, CPU, {s}", "23x40", s, "host") for s in SCHEDULES}
    got = session.measure("CPU schedules", list(cases.values()), 2 if session.quick else 5)
    by = {name: got[case.name] for name, case in cases.items()}
    rows = [ratio_row(f"dynamic against {s}, 40 x 23, random lengths", by[s], by["dynamic"], None, "kernel_seconds")
            for s in ("barrier", "static")]
    return Section("CPU: schedules of the task graph", "All threads.", rows)


# ---- GPU


def not_run(session: Session, title: str, *figures: Tuple[str, str, Optional[float]]) -> Section:
    return Section(title, rows=[Row(name, unit=unit, goal=goal, note=session.no_gpu, most=unit in ("us", "ms")) for name, unit, goal in figures])


# figure, method, size, size with --quick, options, goal; of RATES in millions a second, of TIMES in us a task
RATES = (
    ("independent warp tasks", "independent", "4096x4096", "1024x1024", (), 1200.0),
    ("grid of 1M tasks with 3 dependences", "grid", "1024x1024", "256x256", (), 200.0),
    ("grid of 1M tasks with 3 dependences, static order", "grid", "1024x1024", "256x256", ("--schedule=static",), 200.0),
    ("grid of 1M tasks with 3 dependences, static order, one task at a time", "grid", "1024x1024", "256x256", ("--schedule=static",), None),
    ("binary tree of 8.4 M tasks made by tasks (12 ms is 699 M/s)", "tree", "22", "16", (), 8388607 / 12e3),
    ("tasks from the host", "stream", "100000x1", "10000x1", (), 2.0),
)
TIMES = (
    ("from producer to consumer on another SM, in a static order", "handover", "10000x1", "1000x1", ("--schedule=static",), 1.2),
    ("the same, own queues and stealing", "handover", "10000x1", "1000x1", ("--schedule=steal",), None),
    ("the same through one queue", "handover", "10000x1", "1000x1", ("--schedule=global",), None),
    ("a chain, static order: the task itself too", "chain", "10000x1", "1000x1", ("--schedule=static",), None),
    ("fork and join of two tasks, one after the other", "forkjoin", "2000x1", "200x1", (), 6.0),
    ("one task from the host and back, one after the other", "roundtrip", "5000x1", "500x1", (), 3.5),
)
RIVALS = (("synchronous target region per task", "target", "1000x1", "100x1"),
          ("target nowait with depend, a chain", "target-nowait", "1000x1", "100x1"),
          ("CUDA graph, a node per task of a chain", "graph-chain", "10000x1", "1000x1"),
          ("CUDA graph, a node per task of a grid with 3 dependences", "graph-grid", "256x256", "64x64"))


def cost(session: Session, figure: str, method: str, size: str, options: Tuple[str, ...], rounds: int, **env: str) -> Result:
    device = str(session.gpu["number"])
    expect = {} if method in {rival[1] for rival in RIVALS} else {"device": device}
    case = task(figure, method, size, f"--device={device}", "--warm=1", *options, **expect)
    case.env.update(env)
    return session.measure(figure, [case], rounds)[case.name]


def link_row(session: Session, trip: Result, rounds: int) -> Row:
    """What a word to a thread of a kernel and back takes at least on this machine's link, as a share of a task's round trip."""
    floor = cost(session, "a word to a bare kernel and back: the link alone", "pingpong", "500x1" if session.quick else "5000x1", (), rounds)
    row = ratio_row("round trip of a task / bare ping-pong", trip, floor, None, "seconds_per_task")
    least = floor.median("seconds_per_task")
    row.note = f"ping-pong {svg.number(1e6 * least)} us" if least else row.note
    return row


def gpu_tasks(session: Session) -> Section:
    title = "GPU: what a task costs"
    if not session.gpu:
        return not_run(session, title, *[(one[0], "M/s", one[5]) for one in RATES], *[(one[0], "us", one[5]) for one in TIMES])
    rows, values, used, rounds = [], [], [], 3 if session.quick else 5
    for figure, method, full, quick, options, goal in RATES:
        alone = {"HEDDLE_TUNE": "pool-tile=off"} if "one task at a time" in figure else {}
        used.append(cost(session, figure, method, quick if session.quick else full, options, rounds, **alone))
        rows.append(million_row(figure, used[-1], goal))
        values.append((f"heddle: {figure.split(' (')[0]}"[:56], per_second(used[-1])))
    for figure, method, full, quick, options, goal in TIMES:
        used.append(cost(session, figure, method, quick if session.quick else full, options, rounds))
        rate = per_second(used[-1])
        rows.append(Row(figure, 1e6 / rate if rate else None, "us", goal, "" if rate else "a run failed or its result was wrong",
                        [used[-1].case.command()], most=True))
        values.append((f"heddle: {figure}"[:56], rate))
    rows.append(link_row(session, used[-1], rounds))
    for figure, method, full, quick in RIVALS:
        used.append(cost(session, figure, method, quick if session.quick else full, (), 3))
        rows.append(million_row(figure, used[-1], None))
        values.append((figure, per_second(used[-1])))
    picture = svg.bars(title, [(name, value / 1e6 if value else None) for name, value in values], "M/s")
    return Section(title, f"{session.gpu['name']}. Kernel time; tasks from the host: the whole block.", rows,
                   plots=[plot("task-costs", title, picture, used)])


# rows x columns, lengths, options
GRAPHS = (("23x40", "random", ()), ("23x40", "constant", ("--constant=8",)), ("45x80", "random", ()),
          ("45x80", "constant", ("--constant=8",)), ("45x80", "random, a quarter", ("--base=125",)))
ALL_SCHEDULES = ("dynamic", "steal", "global", "static", "barrier")


def some_workers(session: Session) -> Tuple[int, int]:
    """One worker per multiprocessor of the paper's GPU and of this one."""
    return 15, session.gpu["units"]


def gain_rows(graph: str, workers: int, got: Dict[str, Result], goal: Optional[float]) -> List[Row]:
    """What dynamic gains, and the most that any schedule could."""
    most = bound_row(got["barrier"], graph, workers)
    reachable = goal is not None and most.value is not None and most.value >= goal
    rows = [ratio_row(f"dynamic against {s}, {graph}, random lengths, {workers} workers", got[s], got["dynamic"],
                      goal if s == "barrier" else None, "kernel_seconds") for s in ("barrier", "static")]
    if goal is not None and not reachable:
        rows[0].note = "more than the graph allows, see below"
    return rows + [most]


def bound_row(result: Result, graph: str, workers: int) -> Row:
    """What the lengths and dependences alone allow: no schedule can be further ahead of the barrier schedule."""
    sample = result.samples[0] if result.samples else {}
    least, barrier = float(sample.get("least_rounds", 0)), float(sample.get("barrier_rounds", 0))
    return Row(f"the most that any schedule can gain over barrier, {graph}, random lengths, {workers} workers",
               barrier / least if least else None, "×", None,
               f"computed from the graph: {barrier:.0f} rounds by levels, {least:.0f} at least", [result.case.command()])


def gpu_schedules(session: Session) -> Section:
    """Figure 4, left: each graph by each schedule, with one worker per SM of the paper's GPU and with all."""
    title = "GPU: schedules of the task graph"
    if not session.gpu:
        return not_run(session, title, ("dynamic against barrier, 23x40, random lengths, 15 workers", "×", 1.5))
    device, body, rows, bars, used = str(session.gpu["number"]), [], [], [], []
    for graph, lengths, more in GRAPHS[:1] if session.quick else GRAPHS:
        for workers in some_workers(session):
            cases = [synth(s, graph, s, device, f"--workers={workers}", *more) for s in ALL_SCHEDULES]
            got = session.measure(f"synth {graph}, {lengths} lengths, {workers} workers", cases, 1)
            used += got.values()
            times = {s: got[s].median("kernel_seconds") for s in ALL_SCHEDULES}
            body.append([f"{graph}, {lengths}", str(workers)] + [svg.number(1e3 * t) if t else "failed" for t in times.values()])
            bars += [(f"{graph} {lengths}, {workers}, {s}"[:38], 1e3 * t if t else None) for s, t in times.items()]
            if lengths == "random":
                rows += gain_rows(graph, workers, got, 1.5 if workers == 15 else None)
    table = {"title": "Kernel time in ms", "head": ["graph, lengths", "workers", *ALL_SCHEDULES], "body": body,
             "commands": [result.case.command() for result in used]}
    return Section(title, f"{session.gpu['name']}.", rows, [table], [plot("task-schedules", title, svg.bars(title, bars, "ms"), used)])


def timeline_of(session: Session, name: str, case: Case) -> Tuple[Result, timeline.Spans]:
    path = session.out / "timeline.trace"
    case.env["HEDDLE_TRACE"] = str(path)
    result = session.measure(name, [case], 1)[case.name]
    spans = timeline.last_run(path, int(result.samples[0]["tasks"])) if result.check == "ok" and path.exists() else {}
    path.unlink(missing_ok=True)
    return result, spans


# figure of the paper, graph, slices and schedules
TIMELINES = (("figure 2", "23x40", ((1, "barrier"), (1, "static"), (1, "dynamic"), (4, "barrier"), (4, "static"), (4, "dynamic"))),
             ("figure 3", "45x80", ((4, "static"), (4, "dynamic"))))


def gpu_timelines(session: Session) -> Section:
    """Figures 2 and 3."""
    title = "GPU: timelines, 15 workers, random lengths"
    if not session.gpu:
        return not_run(session, title, ("share of their time that workers run tasks, 23x40, dynamic", "%", None))
    device, plots, body, commands = str(session.gpu["number"]), [], [], []
    for figure, graph, panels in TIMELINES[:1] if session.quick else TIMELINES:
        shown, used = [], []
        for slices, schedule in panels:
            case = synth(f"timeline {graph}, {slices} slices, {schedule}", graph, schedule, device, f"--slices={slices}", "--workers=15")
            result, spans = timeline_of(session, case.name, case)
            shown.append((f"{schedule}, {slices} slice{'s' * (slices > 1)}", spans))
            used.append(result)
            share = timeline.busy(spans)
            body.append([f"{graph}, {slices} slices", schedule, svg.number(100 * share) if share else "failed"])
        words = f"{graph} tasks by time ({figure} of the paper)"
        plots.append(plot(f"timeline-{graph}", words, timeline.picture(words, shown), used))
        commands += [result.case.command() for result in used]
    table = {"title": "Share of the workers' time in which they run tasks, %", "head": ["graph", "schedule", "busy"], "body": body,
             "commands": commands}
    return Section(title, f"{session.gpu['name']}. From the kernel's own clocks.", [], [table], plots)


def gpu_slices(session: Session) -> Section:
    """Time by number of slices."""
    title = "GPU: slices"
    if not session.gpu:
        return not_run(session, title, ("4 slices against 1, dynamic, 45x80", "×", None))
    device, rows, plots = str(session.gpu["number"]), [], []
    for graph in ("45x80",) if session.quick else ("23x40", "45x80"):
        for workers in some_workers(session):
            got, series = {}, {}
            for slices in (1, 4) if session.quick else (1, 2, 4):
                cases = [synth(s, graph, s, device, f"--slices={slices}", f"--workers={workers}") for s in SCHEDULES]
                for s, result in session.measure(f"{graph}, {slices} slices, {workers} workers", cases, 1).items():
                    got[slices, s] = result
                    seconds = result.median("kernel_seconds")
                    if seconds:
                        series.setdefault(s, []).append((slices, 1e3 * seconds))
            words = f"{graph}, random lengths, {workers} workers"
            rows += [ratio_row(f"4 slices against 1, {s}, {words}", got[1, s], got[4, s], None, "kernel_seconds") for s in SCHEDULES]
            plots.append(plot(f"task-slices-{graph}-{workers}", words, svg.lines(words, series, "slices", "ms", True), list(got.values())))
    return Section(title, f"{session.gpu['name']}.", rows, plots=plots)


def gpu_lengths(session: Session) -> Section:
    """Figure 4, right: time by length of the tasks; the same tasks without dependences as the base line."""
    title = "GPU: lengths of tasks, 45x80"
    if not session.gpu:
        return not_run(session, title, ("dynamic, time over that without dependences, 500 to 8000 rounds", "×", None))
    device, series, used, last = str(session.gpu["number"]), {}, [], {}
    for base in (10, 500) if session.quick else (1, 10, 50, 100, 500):
        more = (f"--workers={session.gpu['units']}", f"--base={base}")
        for name, s, extra in [(s, s, ()) for s in SCHEDULES] + [("no dependences", "dynamic", ("--independent",))]:
            case = synth(f"{name}, base {base}", "45x80", s, device, *more, *extra)
            last[name] = session.measure(f"length {base}, {name}", [case], 1)[case.name]
            used.append(last[name])
            seconds = last[name].median("kernel_seconds")
            if seconds:
                series.setdefault(name, []).append((base, 1e3 * seconds))
    rows = [ratio_row(f"{s}, time over that without dependences, 500 to 8000 rounds", last[s], last["no dependences"], None, "kernel_seconds")
            for s in SCHEDULES]
    picture = svg.lines(title, series, "rounds of the shortest task", "ms", True)
    return Section(title, f"{session.gpu['name']}, one worker per multiprocessor.", rows, plots=[plot("task-lengths", title, picture, used)])


QUEENS = (16, 18, 20)


def gpu_queens(session: Session) -> Section:
    title = "GPU: n-queens"
    if not session.gpu:
        return not_run(session, title, *[(f"n = {n}", "ms", None) for n in QUEENS])
    device, rows = str(session.gpu["number"]), []
    for n in (12, 14) if session.quick else QUEENS:
        case = Case(f"nqueens {n}", "nqueens", ["--json", f"--size={n}", f"--device={device}", "--check", "--repeat=3"],
                    expect={"check": "ok"})
        ours, rival = Result(case, f"{session.suite}: nqueens {n}", check="ok"), queens_rival.Rival(session, n)
        session.results.append(ours)
        for _ in range(session.rounds or 3):
            if ours.check == "ok":
                session.once(f"nqueens {n}", case, ours)
            rival.run()
        seconds, theirs = ours.median(), rival.result.median()
        rows.append(Row(f"n = {n}", 1e3 * seconds if seconds else None, "ms", None, queens_rival.published(n) if seconds else ours.check,
                        [case.command()], most=True))
        if rival.result.case.program:
            rows.append(Row(f"n = {n}, ygch/n_queens", 1e3 * theirs if theirs else None, "ms", None, "" if theirs else rival.result.check,
                            [rival.result.case.command()], most=True))
            rows.append(ratio_row(f"n = {n} against ygch/n_queens", rival.result, ours, None if session.quick or n == 16 else 1.0))
    return Section(title, f"{session.gpu['name']}. The whole call; of ygch/n_queens the time on the GPU, without what its host does first. "
                   f"{queens_rival.VARIABLE} names its program.", rows)


# method, size, size with --quick, cut, words, goal in ms, what GTaP's paper has for a GH200 in ms
GTAP = "GTaP (Y. Maeda and K. Taura, arXiv:2604.05982), as published, on a GH200"
TEXTBOOK = (("fib", 40, 30, 0, "fib(40), a task for each call", 77.0, 77.0),
            ("cilksort", 10**7, 10**6, 64, "cilksort of 10^7 integers", 10.0, 10.0),
            ("cilksort", 10**8, 10**6, 64, "cilksort of 10^8 integers", 80.0, 82.0),
            ("queens", 16, 13, 0, "plain n-queens, N = 16, a task for each queen", 100.0, 116.0))


def gpu_textbook(session: Session) -> Section:
    """Fork-join programs without any tuning, tasks on single lanes."""
    title = "GPU: textbook programs"
    if not session.gpu:
        return not_run(session, title, *[(one[4], "ms", one[5]) for one in TEXTBOOK])
    device, rows = str(session.gpu["number"]), []
    for method, full, quick, cut, words, goal, published in TEXTBOOK[:2] if session.quick else TEXTBOOK:
        size = quick if session.quick else full
        case = Case(f"{method} {size}", "bench-textbook", [f"--method={method}", f"--size={size}", f"--cut={cut}", f"--device={device}",
                                                           "--repeat=5"], expect={"check": "ok", "device": device})
        result = session.measure(words, [case], 1)[case.name]
        seconds = result.median("kernel_seconds")
        rows.append(Row(words, 1e3 * seconds if seconds else None, "ms", None if session.quick else goal,
                        f"{GTAP}: {published:.0f} ms" if seconds else result.check, [case.command()], most=True))
    return Section(title, f"{session.gpu['name']}. Kernel time, medians of five in one process.", rows)
