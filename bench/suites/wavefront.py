# SPDX-License-Identifier: Apache-2.0
"""PeerWave's evaluation (Belviranli et al., ICS 2015, section 7: figures 8 to 13, table 2) on this machine: its five methods
on its six applications, heddle's own form and OpenMP's own ways beside them. What bounds its peers: suite peers."""
import json
import shutil
import subprocess
from pathlib import Path
from statistics import median
from typing import Any, Dict, List, Optional, Tuple

import machine
import svg
from measure import Case, Result, Row, Section, Session, progress

TITLE = "PeerWave's evaluation: five methods on six applications, the width model, idle times"
APPS = ("sw", "dtw", "heat2d", "sor", "sat", "inthist")
EQUAL = ("barrier-square", "peer-square", "barrier", "peer")
WIDTHS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
Runs = Dict[Tuple[str, str], List[Dict[str, Any]]]


def run(session: Session) -> List[Section]:
    sections = []
    if session.only != "gpu":
        sections.append(cpu_methods(session))
    if session.only != "cpu":
        if not session.gpu:
            return sections + [Section("GPU: figures 8 to 13", rows=[Row("all figures", note=session.no_gpu)])]
        runs = measure_all(session)
        timed = measure_times(session, runs)
        sections += [figure8(session, runs), figure9(session, runs), figure10(session, runs),
                     idle(session, runs, timed), memory(session, runs)]
    return sections


# ---- running


def execute(session: Session, app: str, size: Any, methods: List[str], *more: str) -> List[Dict[str, Any]]:
    """All methods of one recurrence in one process, so that the data stays on the device; one line for each run."""
    progress(f"{session.suite}: {app}, {len(methods)} methods")
    done = session.start(Case(app, "bench-methods", [f"--recurrence={app}", f"--size={size}", "--json",
                                                     f"--methods={';'.join(methods)}", *more]))
    if done.returncode:
        progress(f"FAILED {app}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def seconds_of(line: Dict[str, Any]) -> float:
    return line["device_seconds"] or line.get("kernel_seconds") or line["seconds"]


def middle(lines: Optional[List[Dict[str, Any]]], key: str = "") -> Optional[float]:
    values = [line.get(key) if key else seconds_of(line) for line in lines or []]
    values = [value for value in values if value is not None]
    return median(values) if values else None


def collect(runs: Runs, lines: List[Dict[str, Any]]) -> None:
    for line in lines:
        runs.setdefault((line["recurrence"], line["method"]), []).append(line)


def verdict(lines: List[Dict[str, Any]], method: str, want: str) -> str:
    asked = method.split(",")[0].split("@")[0].split("/")[0]
    for line in lines:
        if line["checksum"] != want:
            return f"checksum {line['checksum']}, expected {want}"
        if line.get("error") or line.get("schedule", "serial") != asked:
            return f"ran {line.get('schedule')}, error {line.get('error')}"
    return "ok"


def judge_app(session: Session, title: str, app: str, mine: Dict[str, List[Dict[str, Any]]]) -> List[str]:
    """Every method must have the checksum of the serial program, or where that takes too long of most methods."""
    bad = []
    sums = [line["checksum"] for line in mine.get("serial") or [line for lines in mine.values() for line in lines]]
    if not sums:
        bad.append(app)
        session.results.append(Result(Case(app, "bench-methods", []), f"{session.suite}: {title}", [], "printed nothing"))
    for method, lines in mine.items():
        check = verdict(lines, method, max(set(sums), key=sums.count))
        rows, columns = lines[0]["size"].split("x")
        args = [f"--recurrence={app}", f"--size={rows if rows == columns else lines[0]['size']}",
                "--serial" if method == "serial" else f"--methods={method}", f"--device={lines[0].get('device', 'host')}"]
        session.results.append(Result(Case(f"{app} {method}", "bench-methods", args), f"{session.suite}: {title}", lines, check))
        if check != "ok":
            bad.append(f"{app} {method}")
            progress(f"FAILED {app} {method}: {check}")
    return bad


def judge(session: Session, title: str, runs: Runs) -> str:
    bad = [name for app in APPS
           for name in judge_app(session, title, app, {method: lines for (one, method), lines in runs.items() if one == app})]
    return "All methods computed the same." if not bad else "WRONG OR NOT AS ASKED: " + ", ".join(bad)


def ms(value: Optional[float]) -> str:
    return "none" if value is None else svg.number(value * 1e3)


def command(app: str, size: Any, methods: List[str], more: str = "") -> str:
    return f"bench-methods --recurrence={app} --size={size} --methods='{';'.join(methods)}'{more}"


# ---- CPU


def cpu_methods(session: Session) -> Section:
    size, cores = session.size(4096, 1024), machine.cores()
    methods = [f"{name},{h}" for h in (64, 256) for name in EQUAL] + ["flexible", "registers"]
    runs: Runs = {}
    for app in APPS:
        collect(runs, [dict(line, device_seconds=0) for line in
                       execute(session, app, size, methods, "--device=host", f"--repeat={session.rounds or 3}", "--warm=1")])
        collect(runs, [dict(line, method="serial", device_seconds=0) for line in
                       execute(session, app, size, ["serial"], "--serial", f"--repeat={session.rounds or 3}")])
    rows, body = [], []
    for app in APPS:
        best = {name: min((value for value in (middle(runs.get((app, method))) for method in methods
                                               if method.split(",")[0] == name) if value), default=None)
                for name in EQUAL + ("flexible", "registers")}
        serial = middle(runs.get((app, "serial")))
        body.append([app, ms(serial)] + [ms(best[name]) for name in EQUAL + ("flexible", "registers")])
        value = best["barrier"] / best["flexible"] if best["barrier"] and best["flexible"] else None
        rows.append(Row(f"{app}: flexible against barrier, hyper-tiles, best sides", value, "×", None, "",
                        [command(app, size, methods, " --device=host")]))
        value = serial / best["registers"] if serial and best["registers"] else None
        rows.append(Row(f"{app}: registers against the serial loop", value, "×", None, "",
                        [command(app, size, methods, " --device=host")]))
    table = {"title": f"CPU, {cores} threads, {size}², ms, best of sides 64 and 256", "body": body,
             "head": ["", "serial", *EQUAL, "flexible", "registers"], "commands": []}
    return Section("CPU: the methods on host threads", judge(session, "CPU methods", runs) + " OpenMP's doacross and tasks on the same "
                   "recurrence as sw: suite foundation.", rows, [table])


# ---- GPU


def sides(session: Session) -> List[int]:
    return [256] if session.quick else [64, 128, 256]  # a block has no more threads in this layout


def gpu_size(session: Session) -> int:
    """The paper's, by the number of its tiles: 45 x 45 of 1024 x 1024."""
    return session.side or (8192 if session.quick else 46080)


def methods_of(session: Session) -> List[str]:
    methods = [f"{name},{h}/hybrid" for h in sides(session) for name in EQUAL]
    methods += [f"barrier,{h}@16/hybrid" for h in sides(session) if h <= 256]
    methods += [f"flexible,{h}/hybrid" for h in sides(session)]
    methods += [f"{name},256/row" for name in ("barrier", "peer", "flexible")]
    return methods + ["registers"]


def measure_all(session: Session) -> Runs:
    runs: Runs = {}
    device = f"--device={session.gpu['number']}"
    for app in APPS:
        collect(runs, execute(session, app, gpu_size(session), methods_of(session), device,
                              f"--repeat={session.rounds or 3}", "--warm=1"))
    widths = [f"flexible,256,{w}/hybrid" for w in WIDTHS]
    collect(runs, execute(session, "sw", gpu_size(session), widths, device, f"--repeat={session.rounds or 3}"))
    return runs


def measure_times(session: Session, runs: Runs) -> Runs:
    """The best sides of each method once more, with the timers in the kernel, which cost the narrow tiles most."""
    timed: Runs = {}
    for app in APPS:
        methods = [best_of(runs, app, name)[1] for name in EQUAL + ("flexible",)]
        collect(timed, execute(session, app, gpu_size(session), [method for method in methods if method],
                               f"--device={session.gpu['number']}", "--times", "--warm=1"))
    return timed


def best_of(runs: Runs, app: str, name: str) -> Tuple[Optional[float], Optional[str]]:
    """Time and method of the fastest sides; hybrid layout."""
    found = [(middle(lines), method) for (a, method), lines in runs.items()
             if a == app and method.split(",")[0].split("/")[0] == name and not method.endswith("/row") and method.count(",") < 2]
    found = [(value, method) for value, method in found if value]
    return min(found) if found else (None, None)


def figure8(session: Session, runs: Runs) -> Section:
    plots, tables, size = [], [], gpu_size(session)
    for app in APPS:
        title = f"Figure 8, {app}: equal sides, {size}², ms"
        values = [(f"{name} {h}", (middle(runs.get((app, f"{name},{h}/hybrid"))) or 0) * 1e3 or None)
                  for h in sides(session) for name in EQUAL]
        plots.append({"name": f"wavefront-8-{app}", "title": title, "svg": svg.bars(title, values, "ms"),
                      "commands": [command(app, size, methods_of(session))]})
    body = [[app] + [ms(best_of(runs, app, name)[0]) for name in EQUAL + ("flexible", "registers")] for app in APPS]
    body += [[f"{app}, row-major"] + ["", ""] + [ms(middle(runs.get((app, f"{name},256/row"))))
                                                 for name in ("barrier", "peer", "flexible")] + [""] for app in APPS]
    tables.append({"title": "Best sides of each method, kernel time in ms (row-major: sides of 256)", "body": body,
                   "head": ["", *EQUAL, "flexible", "registers (auto)"], "commands": []})
    return Section("Figure 8: equal tile dimensions", f"{session.gpu['name']}. Device clock, kernel alone, data in device "
                   "memory, hybrid layout unless it says row-major. " + judge(session, "GPU methods", runs), [], tables, plots)


def expected(known: List[Tuple[float, float]], h: int, workers: int, size: int) -> Tuple[float, float]:
    """The model's d and tau by least squares over the measured widths, as the runtime fits its corner."""
    points = [(w, seconds / path(w, h, workers, size)) for w, seconds in known]
    weight = [1 / (y * y) for _, y in points]
    s, sw, sy = sum(weight), sum(k * w for k, (w, _) in zip(weight, points)), sum(k * y for k, (_, y) in zip(weight, points))
    sww = sum(k * w * w for k, (w, _) in zip(weight, points))
    swy = sum(k * w * y for k, (w, y) in zip(weight, points))
    d = (s * swy - sw * sy) / (s * sww - sw * sw)
    return d, max(0.0, (sy - d * sw) / s)


def path(w: float, h: int, workers: int, size: int) -> float:
    rows = max(1.0, size / h)
    return rows * (h / w + 1) + max(0.0, (size + h) / w - workers) * max(0.0, rows / workers - 1) + size / w - 1


def figure9(session: Session, runs: Runs) -> Section:
    size = gpu_size(session)
    lines = {w: runs.get(("sw", f"flexible,256,{w}/hybrid"), []) for w in WIDTHS}
    measured = [(float(w), middle(some)) for w, some in lines.items() if some]
    chosen = runs.get(("sw", "flexible,256/hybrid"), [])
    if len(measured) < 3 or not chosen:
        return Section("Figure 9: the tile-width model", rows=[Row("model", note="a run failed")])
    workers = lines[int(measured[0][0])][0]["workers"]
    d, tau = expected([(w, t) for w, t in measured if w in (8, 32, 128)] or measured, 256, workers, size)
    predicted = [(w, path(w, 256, workers, size) * (w * d + tau)) for w, _ in measured]
    best = min(t for _, t in measured)
    title = f"Figure 9: sw, {size}², tile height 256: time by tile width, ms"
    picture = svg.lines(title, {"measured": [(w, t * 1e3) for w, t in measured],
                                "model": [(w, t * 1e3) for w, t in predicted]}, "tile width", "ms")
    rows = [Row(f"the model's width ({chosen[0]['w']}): time against the best of all widths", best / middle(chosen), "×", 0.95,
                "", [command("sw", size, [f"flexible,256,{w}/hybrid" for w in WIDTHS])])]
    return Section("Figure 9: the tile-width model", f"The model's line has d = {d * 1e9:.1f} ns and tau = {tau * 1e9:.0f} ns.",
                   rows, plots=[{"name": "wavefront-9", "title": title, "svg": picture, "commands": rows[0].commands}])


def figure10(session: Session, runs: Runs) -> Section:
    """Two bases for the register form, which works on the arrays as the program has them: barrier on the same arrays, and
    barrier's kernel alone in the hybrid layout, whose conversion both ways takes several times as long as the kernel."""
    rows, values, size = [], [], gpu_size(session)
    for app in APPS:
        base, with_sides = best_of(runs, app, "barrier")
        for name, goal in (("peer", None), ("flexible", 1.5), ("registers", None)):
            fast, method = best_of(runs, app, name)
            value = base / fast if base and fast else None
            rows.append(Row(f"{app}: {name} against barrier + hyper-tiles, hybrid layout, kernels alone", value, "×", goal,
                            f"{method} against {with_sides}", [command(app, size, [str(with_sides), str(method)])]))
            values.append((f"{app} {name}", value))
        same = middle(runs.get((app, "barrier,256/row")))
        for name, method, goal in (("flexible", "flexible,256/row", None), ("registers", "registers", 6)):
            fast = middle(runs.get((app, method)))
            rows.append(Row(f"{app}: {name} against barrier + hyper-tiles, arrays as they are", same / fast if same and fast else None,
                            "×", goal, f"{method} against barrier,256/row", [command(app, size, ["barrier,256/row", method])]))
    title = "Figure 10: against barrier + hyper-tiles, best sides of each"
    return Section("Figure 10: flexible hyper-tiles", "", rows,
                   plots=[{"name": "wavefront-10", "title": title, "svg": svg.bars(title, values, "×"), "commands": []}])


def idle(session: Session, runs: Runs, timed: Runs) -> Section:
    body, corner, between, tile = [], [], [], []
    for app in APPS:
        for name in EQUAL + ("flexible",):
            _, method = best_of(runs, app, name)
            lines = timed.get((app, method or ""))
            values = {key: middle(lines, key) for key in ("busy", "corner", "middle", "sync", "tiles", "blocks")}
            if values["tiles"]:
                each = values["busy"] * values["blocks"] / values["tiles"]
                per_cell = each / (lines[0]["h"] * lines[0]["w"]) * 1e12
                body.append([app, method] + [ms(values[key]) for key in ("busy", "corner", "middle", "sync")] +
                            [svg.number(each * 1e6), svg.number(per_cell)])
                corner.append((f"{app} {name}", values["corner"] * 1e3))
                between.append((f"{app} {name}", values["middle"] * 1e3))
                tile.append((f"{app} {name}", each * 1e6))
    table = {"title": "Mean over the blocks, ms: in tiles, idle at the corners, idle in between, flags or barriers themselves "
                      "(table 2); tile time in us and a cell's share of it in ps (figure 12)", "body": body,
             "head": ["", "method", "busy", "corner", "intermediate", "synchronisation", "tile us", "cell ps"], "commands": []}
    plots = [{"name": f"wavefront-{name}", "title": title, "svg": svg.bars(title, values, unit), "commands": []}
             for name, title, values, unit in (("11-corner", "Figure 11: idle at the corners, mean per block", corner, "ms"),
                                               ("11-intermediate", "Figure 11: idle in between, mean per block", between, "ms"),
                                               ("12", "Figure 12: time of a tile", tile, "us"))]
    return Section("Figures 11 and 12, table 2: idle times", "In-kernel timers (HEDDLE_TIMERS=1), best sides of each method. "
                   "Corner: waiting while fewer tiles than blocks can run.", [], [table], plots)


def ncu_program() -> Optional[str]:
    places = [shutil.which("ncu")] + [str(path) for path in Path("/usr/local").glob("cuda*/bin/ncu")]
    return next((place for place in places if place), None)


def memory(session: Session, runs: Runs) -> Section:
    """Figure 13 from the cells' bytes and, where ncu is there, L2 misses by hardware counters."""
    size, values, rows = gpu_size(session), [], []
    for app in APPS:
        for name in EQUAL + ("flexible",):
            seconds, _ = best_of(runs, app, name)
            if seconds:
                values.append((f"{app} {name}", size * size * 4 / seconds * 1e-9))
    title = "Figure 13: cells written, GB/s of kernel time"
    plots = [{"name": "wavefront-13", "title": title, "svg": svg.bars(title, values, "GB/s"), "commands": []}]
    ncu = ncu_program()
    for name in ("barrier,256/hybrid", "peer,256/hybrid", "flexible,256,32/hybrid"):
        count = misses(session, ncu, name) if ncu else None
        rows.append(Row(f"L2 read misses, sw 16384², {name}", count, "sectors", None,
                        "" if count is not None else "not run: no ncu" if not ncu else "ncu gave no counters"))
    return Section("Figures 12 (b) and 13: memory", "", rows, plots=plots)


def misses(session: Session, ncu: str, method: str) -> Optional[float]:
    metric = "lts__t_sectors_op_read_lookup_miss.sum"
    done = subprocess.run([ncu, "--csv", "--metrics", metric, "-k", "regex:launch_hybrid", "-c", "1",
                           str(session.programs / "bench-methods"), "--recurrence=sw", "--size=16384",
                           f"--methods={method}", f"--device={session.gpu['number']}"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, check=False, timeout=300)
    for line in done.stdout.splitlines():
        if metric in line:
            try:
                return float(line.rsplit('","', 1)[1].strip('"').replace(",", ""))
            except (IndexError, ValueError):
                return None
    return None
