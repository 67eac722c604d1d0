# SPDX-License-Identifier: Apache-2.0
"""The wavefront on CPU and GPU: an annotated loop against the serial loop, against what OpenMP itself
has for such loops, and its schedules against each other."""
from typing import Any, Dict, List, Optional, Tuple

import machine
import svg
from measure import Case, Result, Row, Section, Session, fastest, rate_row, ratio, ratio_row

TITLE = "the wavefront: annotated loop, serial loop, OpenMP's own ways, schedules"

# Checksums by the serial program for sizes that it needs minutes for: --method=tuned of bench-score,
# --method=sum of bench-matrix, --seed=1.
KNOWN = {
    ("bench-score", 65536): "49749",
    ("bench-score", 262144): "199514",
    ("bench-score", 524288): "399064",
    ("bench-matrix", 32768): "9401615286945",
    ("bench-matrix", 65536): "75180853283909",
}

TILES = ["64x256", "128x512", "256x256", "256x1024", "512x512"]
WAYS = {"doacross": "OpenMP doacross (ordered, depend(sink))", "tasks": "OpenMP task depend",
        "diagonals": "OpenMP loop and barrier per diagonal"}


HAND = {"cuda-barrier": "hand-written kernel with a grid barrier, 256x256",
        "cuda-graph": "hand-written kernels, one graph node a diagonal, 256x256"}


def run(session: Session) -> List[Section]:
    parts = {"cpu": (cpu_score, openmp_ways, cpu_schedules), "gpu": (gpu_score, gpu_all, gpu_schedules)}
    return [part(session) for kind, members in parts.items() if session.only in (None, kind) for part in members]


def sized(size: int, *more: str) -> List[str]:
    return ["--json", f"--size={size}", *more]


def score(name: str, size: int, method: str, *more: str, **expect: str) -> Case:
    return Case(name, "bench-score", sized(size, f"--method={method}", *more), expect=expect)


def on_host(size: int, threads: int) -> Case:
    name = f"heddle, {threads} thread{'s' if threads > 1 else ''}, {size}"
    return score(name, size, "heddle", "--device=host", f"--threads={threads}", "--warm=1", device="host",
                 schedule="registers")


def by_name(cases: Dict[str, Case], results: Dict[str, Result]) -> Dict[str, Result]:
    return {key: results[case.name] for key, case in cases.items()}


def plot(name: str, title: str, picture: str, results: List[Result]) -> Dict[str, Any]:
    return {"name": name, "title": title, "svg": picture,
            "commands": [result.case.command() for result in results]}


# ---- CPU: the score alone


def cpu_score(session: Session) -> Section:
    size, cores = session.size(16384, 8192), machine.cores()
    cases = {"serial": score("serial loop", size, "serial", "--warm=1"),
             "tuned": score("serial loop tuned by hand", size, "tuned", "--warm=1"),
             "1": on_host(size, 1), "2": on_host(size, 2)}
    if cores > 2:
        cases["all"] = on_host(size, cores)
    measured = session.measure("CPU score", list(cases.values()), 3 if session.quick else 7)
    got = by_name(cases, measured)
    return Section(
        f"CPU, score only, {size}²",
        "The serial loop is the annotated source with the pragma ignored, built by the plain compiler with the "
        "reference flags above. Its max becomes branches that random letters mispredict; the loop tuned by hand "
        "has one row, registers and no branches. Ratios are medians over rounds in which every case ran once.",
        cpu_score_rows(got, cores), plots=[rates_plot(list(got.values()), size), sizes_plot(session)])


def cpu_score_rows(got: Dict[str, Result], cores: int) -> List[Row]:
    rows = [ratio_row("one thread, against the serial loop", got["serial"], got["1"], 15),
            ratio_row("two threads, against the serial loop", got["serial"], got["2"], 25)]
    if cores < 2:
        rows[1] = Row("two threads, against the serial loop", goal=25, note="not run: one core")
    if "all" in got:
        rows.append(ratio_row(f"{cores} threads, against the serial loop", got["serial"], got["all"]))
    rows.append(ratio_row("one thread, against the serial loop tuned by hand", got["tuned"], got["1"]))
    rows.append(ratio_row("two threads, against the serial loop tuned by hand", got["tuned"], got["2"]))
    return rows + [rate_row("one thread", got["1"]), rate_row("two threads", got["2"])]


def rates_plot(results: List[Result], size: int) -> Dict[str, Any]:
    title = f"Score only on the CPU, {size}²"
    values = [(result.case.name, result.rate()) for result in results]
    return plot("cpu-score", title, svg.bars(title, values, "GCUPS"), results)


def sizes_plot(session: Session) -> Dict[str, Any]:
    top = session.size(16384, 8192)
    sizes = [size for size in (256, 512, 1024, 2048, 4096, 8192, 16384) if size <= top]
    series: Dict[str, List[Tuple[float, float]]] = {}
    used = []
    for size in sizes:
        cases = {"serial": score(f"serial loop, {size}", size, "serial", "--warm=1"), "1 thread": on_host(size, 1),
                 "2 threads": on_host(size, 2)}
        results = session.measure(f"size {size}", list(cases.values()), 1 if session.quick else 3)
        for name, result in by_name(cases, results).items():
            rate = result.rate()
            used.append(result)
            if rate:
                series.setdefault(name, []).append((size, rate))
    title = "Rate by size of the problem"
    return plot("cpu-sizes", title, svg.lines(title, series, "rows = columns", "GCUPS", True), used)


# ---- OpenMP's own ways


def doacross(size: int, method: str, keep: str, tile: str, threads: int, name: str) -> Case:
    return Case(name, "bench-doacross", sized(size, f"--method={method}", f"--keep={keep}", f"--tile={tile}",
                                              f"--threads={threads}", "--warm=1"))


def sweep(session: Session, size: int, threads: int, keep: str) -> Dict[str, Optional[str]]:
    """The fastest tile of each way; the tiles of one sweep run in one group."""
    tiles = TILES[1:4:2] if session.quick else TILES
    cases = [score(f"check of the {keep} sweep", size, "tuned")]
    cases += [doacross(size, way, keep, tile, threads, f"{way}, {keep}, tile {tile}") for way in WAYS for tile in tiles]
    results = session.measure(f"tile sweep, {keep}", cases, 1 if session.quick else 2)
    best: Dict[str, Optional[str]] = {}
    for way in WAYS:
        winner = fastest([results[f"{way}, {keep}, tile {tile}"] for tile in tiles])
        best[way] = winner.samples[0]["tile"] if winner else tiles[0]
    return best


def openmp_ways(session: Session) -> Section:
    size, threads = session.size(16384, 4096), min(2, machine.cores())
    best = {keep: sweep(session, size, threads, keep) for keep in ("all", "edges")}
    cases = {"tuned": score("serial loop tuned by hand", size, "tuned", "--warm=1"), "heddle": on_host(size, threads)}
    for keep, tiles in best.items():
        for way, tile in tiles.items():
            cases[f"{way} {keep}"] = doacross(size, way, keep, str(tile), threads, f"{way}, {keep}, best tile {tile}")
    got = by_name(cases, session.measure("OpenMP", list(cases.values()), 3 if session.quick else 7))
    rows = [ratio_row(f"against {words}, matrix in memory", got[f"{way} all"], got["heddle"],
                      10 if way != "diagonals" else None) for way, words in WAYS.items()]
    rows += [ratio_row(f"against {words}, tiles rewritten by hand", got[f"{way} edges"], got["heddle"])
             for way, words in WAYS.items()]
    title = f"The same score, {threads} threads, {size}²"
    picture = svg.bars(title, [(result.case.name, result.rate()) for result in got.values()], "GCUPS")
    return Section(
        f"Against OpenMP's own ways, {threads} threads, {size}²",
        "Each way runs the loop as it is written on tiles of the whole matrix; the tile size is the best of a sweep. "
        "'Rewritten by hand' keeps only what tiles pass to each other and has the inner loop of the tuned serial "
        "form: work that the annotated source does not ask for.",
        rows, plots=[plot("openmp-ways", title, picture, list(got.values()))])


# ---- schedules, every cell kept


def matrix(name: str, size: int, schedule: str, device: str) -> Case:
    args = sized(size, "--method=heddle", f"--schedule={schedule}", f"--device={device}", "--warm=1")
    return Case(name, "bench-matrix", args, expect={"schedule": schedule.split(",")[0], "device": device})


def cpu_schedules(session: Session) -> Section:
    size = session.size(8192, 4096)
    cases = {"serial": Case("matrix, serial loop", "bench-matrix", sized(size, "--method=serial", "--warm=1"))}
    for schedule in ("registers", "peer", "barrier"):
        cases[schedule] = matrix(f"matrix, {schedule}, CPU", size, schedule, "host")
    got = by_name(cases, session.measure("CPU schedules", list(cases.values()), 3 if session.quick else 5))
    rows = [ratio_row(f"{name}, against the serial loop", got["serial"], got[name])
            for name in ("registers", "peer", "barrier")]
    rows.append(ratio_row("peer, against barrier, same tiles", got["barrier"], got["peer"]))
    return Section(f"CPU, every cell kept, {size}²", "All threads.", rows)


# ---- GPU


def not_run(session: Session, *figures: Tuple[str, str, Optional[float]]) -> List[Row]:
    return [Row(name, unit=unit, goal=goal, note=session.no_gpu) for name, unit, goal in figures]


def gpu_sizes(session: Session) -> List[Tuple[int, Optional[float]]]:
    return [(16384, None)] if session.quick else [(65536, 350), (262144, 1000)]


def gpu_score(session: Session) -> Section:
    title = "GPU, score only"
    if not session.gpu:
        return Section(title, rows=not_run(session, *[(f"{size}², kernel", "GCUPS", goal)
                                                      for size, goal in gpu_sizes(session)]))
    rows, device, values, used = [], str(session.gpu["number"]), [], []
    for size, goal in gpu_sizes(session):
        case = score(f"heddle, GPU, {size}", size, "heddle", f"--device={device}", "--warm=1", device=device,
                     schedule="registers")
        known = KNOWN.get(("bench-score", size))
        cases = [case] if known else [score(f"serial loop tuned by hand, {size}", size, "tuned"), case]
        result = session.measure(f"GPU score {size}", cases, 3 if session.quick else 5, known)[case.name]
        rows.append(rate_row(f"{size}², kernel", result, goal, "kernel_seconds"))
        rows.append(rate_row(f"{size}², whole call", result))
        values += [(f"{size}², kernel", result.rate("kernel_seconds")), (f"{size}², whole call", result.rate())]
        used.append(result)
    picture = svg.bars(title, values, "GCUPS")
    return Section(title, f"{session.gpu['name']}. The whole call includes mapping and transfers.", rows,
                   plots=[plot("gpu-score", title, picture, used)])


def gpu_all(session: Session) -> Section:
    """One wavefront over all GPUs. The pipeline's fill is shared by nobody: the larger the nest, the less it counts."""
    title, goal = f"{max(session.gpus, 2)} GPUs in one wavefront, score only", 1.85
    sizes = [16384] if session.quick else [524288, 1048576]
    if not session.gpu or session.gpus < 2:
        note = session.no_gpu if not session.gpu else "not run: one GPU"
        return Section(title, rows=[Row(f"{size}², against one of them", unit="×", goal=goal, note=note) for size in sizes])
    rows, one = [], str(session.gpu["number"])
    for size in sizes:
        case = score(f"heddle, {size}", size, "heddle", f"--turns={one},all", "--warm=1", "--repeat=3", schedule="registers")
        got = session.measure_ways(f"all GPUs {size}", case, [one, "all"], known=KNOWN.get(("bench-score", size)), key="device")
        single, shared = got[one], got["all"]
        rows.append(ratio_row(f"{size}², kernel, against one of them", single, shared, goal, "kernel_seconds"))
        rows.append(ratio_row(f"{size}², whole call, against one of them", single, shared))
    return Section(title, f"{session.gpu['name']}. The result of the first case is the reference where the score is not known.", rows)


def tile_sizes(session: Session) -> List[Tuple[int, int]]:
    if session.quick:
        return [(256, 64)]
    return [(128, 64), (256, 64), (256, 256), (512, 64)]


def matrix_size(session: Session) -> int:
    """From twice as many tile rows as multiprocessors on, peers can be uneven; that takes 17 GB on both sides."""
    if session.quick:
        return 4096
    return 65536 if session.gpu.get("memory", 0) >= 40 << 30 else 32768


def gpu_sweep(session: Session, size: int, device: str) -> Tuple[Dict[str, Any], Dict[Tuple[str, int, int], Result]]:
    """Peer and barrier with the same tiles; one table of ratios."""
    cases = {(s, h, w): matrix(f"matrix, GPU, {s} {h}x{w}", size, f"{s},{h},{w}", device)
             for h, w in tile_sizes(session) for s in ("peer", "barrier")}
    known = KNOWN.get(("bench-matrix", size))
    first = [] if known else [Case(f"sum of all cells, {size}", "bench-matrix", sized(size, "--method=sum"))]
    results = session.measure("GPU tiles", first + list(cases.values()), 1, known)
    got = {key: results[case.name] for key, case in cases.items()}
    body = []
    for h, w in tile_sizes(session):
        peer, barrier = got["peer", h, w], got["barrier", h, w]
        cells = [peer.rate("kernel_seconds"), barrier.rate("kernel_seconds"), ratio(barrier, peer, "kernel_seconds")]
        body.append([f"{h} x {w}"] + ["failed" if cell is None else svg.number(cell) for cell in cells])
    table = {"title": f"Every cell kept, {size}², kernel time, one run each", "body": body,
             "head": ["tile", "peer GCUPS", "barrier GCUPS", "peer / barrier"],
             "commands": [case.command() for case in cases.values()]}
    return table, got


def best_tile(got: Dict[Tuple[str, int, int], Result], schedule: str) -> Tuple[int, int]:
    winner = fastest([result for key, result in got.items() if key[0] == schedule], "kernel_seconds")
    keys = [key[1:] for key, result in got.items() if result is winner]
    return keys[0] if keys else (256, 64)


def gpu_schedules(session: Session) -> Section:
    title = "GPU, every cell kept: peer, barrier, registers"
    if not session.gpu:
        return Section(title, rows=not_run(session, ("peer against barrier, same tiles", "×", 1.15),
                                           ("registers against barrier", "×", 8)))
    size, device = matrix_size(session), str(session.gpu["number"])
    table, swept = gpu_sweep(session, min(size, 32768), device)  # smaller: these only choose the tiles
    tiles = {schedule: best_tile(swept, schedule) for schedule in ("peer", "barrier")}
    got = gpu_finals(session, size, device, tiles)
    values = [(key, result.rate("kernel_seconds")) for key, result in got.items()]
    picture = svg.bars(title, values, "GCUPS")
    return Section(title, f"{session.gpu['name']}, {size}², kernel time.", gpu_schedule_rows(got, tiles), [table],
                   [plot("gpu-schedules", title, picture, list(got.values()))])


def gpu_finals(session: Session, size: int, device: str, tiles: Dict[str, Tuple[int, int]]) -> Dict[str, Result]:
    """Both schedules on the best tile of each, the register form, and the score alone."""
    cases: Dict[str, Case] = {}
    for h, w in sorted(set(tiles.values())):
        for schedule in ("peer", "barrier"):
            cases[f"{schedule} {h}x{w}"] = matrix(f"matrix, GPU, {schedule} {h}x{w}", size,
                                                  f"{schedule},{h},{w}", device)
    cases["registers"] = matrix("matrix, GPU, registers", size, "registers", device)
    for way, text in HAND.items():
        cases[way] = Case(f"matrix, {text}", "bench-matrix", sized(size, f"--method={way}", "--warm=1"))
    known = KNOWN.get(("bench-matrix", size))
    first = [] if known else [Case(f"sum of all cells, {size}", "bench-matrix", sized(size, "--method=sum"))]
    rounds = 2  # each moves the matrix both ways and touches it on the host: 20 s
    got = by_name(cases, session.measure("GPU schedules", first + list(cases.values()), rounds, known))
    alone = score(f"heddle, GPU, score only, {size}", size, "heddle", f"--device={device}", "--warm=1", device=device)
    best = KNOWN.get(("bench-score", size))
    check = [] if best else [score(f"serial loop tuned by hand, {size}, for the score", size, "tuned")]
    got["registers, score only"] = session.measure("GPU score only", check + [alone], rounds, best)[alone.name]
    return got


def gpu_schedule_rows(got: Dict[str, Result], tiles: Dict[str, Tuple[int, int]]) -> List[Row]:
    key = "kernel_seconds"
    peer, barrier = (f"{s} {tiles[s][0]}x{tiles[s][1]}" for s in ("peer", "barrier"))
    rows = []
    for name in sorted({"{}x{}".format(*tile) for tile in tiles.values()}):
        rows.append(ratio_row(f"peer against barrier, same tiles {name}", got[f"barrier {name}"],
                              got[f"peer {name}"], 1.15, key))
    for way, text in HAND.items():
        rows.append(ratio_row(f"registers, every cell kept, against {text}", got[way], got["registers"], None, key))
    rows.append(ratio_row("best peer against best barrier", got[barrier], got[peer], None, key))
    rows.append(ratio_row("registers, every cell kept, against best barrier", got[barrier], got["registers"], 8, key))
    rows.append(ratio_row("registers, score only, against best barrier", got[barrier], got["registers, score only"],
                          8, key))
    return rows
