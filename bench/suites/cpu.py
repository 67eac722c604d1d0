# SPDX-License-Identifier: Apache-2.0
"""The loops of the six applications on the CPU: heddle against the serial loop and against OpenMP's doacross
and tasks on tiles, and against a copy of what they write where memory is the bound. heat2d and sor are there as the
applications run them, many sweeps in one nest, and as a single sweep."""
from typing import Any, Dict, List, Optional

import machine
import svg
from measure import Case, Result, Row, Section, Session, fastest, rate_row, ratio, ratio_row

TITLE = "the six applications' loops on the CPU: heddle, serial, doacross, tasks, copy"

PATTERNS = {"sw": "Smith-Waterman, score only", "sw-all": "Smith-Waterman, every cell kept",
            "dtw": "dynamic time warping, distance only", "dtw-all": "dynamic time warping, every cell kept",
            "heat2d-sweeps": "heat2d, 32 sweeps, float", "heat2d": "heat2d, one sweep, float",
            "sor-sweeps": "SOR, 32 sweeps, float", "sor-rhs-sweeps": "SOR, 32 sweeps, float, with a right-hand side",
            "sor": "SOR, one sweep, float, with a right-hand side",
            "sat": "summed-area table, int", "inthist": "integral histogram, one bin, int"}
TILED = ["doacross", "tasks"]
TILES = ["32x1024", "64x256", "128x512", "256x1024"]
GOAL = 4.0
SWEEPS = {name: 32 for name in PATTERNS if name.endswith("-sweeps")}
SOME = 4  # sweeps by which tiles are chosen
TRIALS = 6  # first calls, in which heddle still tries its forms of a nest: not counted


def run(session: Session) -> List[Section]:
    if session.only == "gpu":
        return []
    size, threads = session.size(8192, 1024), min(2, machine.cores())
    sections = [pattern(session, name, size, threads) for name in PATTERNS]
    rates = [(name, section.tables[0]["body"]) for name, section in zip(PATTERNS, sections)]
    sections.append(Section("All of them", plots=[overview(rates, size, threads)]))
    return sections


def case(session: Session, name: str, ways: List[str], size: int, threads: int, rounds: int, warm: int, sweeps: int) -> Case:
    args = ["--json", f"--pattern={name}", f"--method={','.join(ways)}", f"--size={size}", f"--threads={threads}",
            "--device=host", f"--warm={warm}", f"--repeat={session.rounds or rounds}"]
    args += [f"--sweeps={sweeps}"] if name in SWEEPS else []
    return Case(f"{name}, {threads} thread{'s' if threads > 1 else ''}", "bench-patterns", args)


def best_tiles(session: Session, name: str, size: int, threads: int) -> Dict[str, str]:
    """By one round; the serial loop stands first because its result is the reference."""
    tiles = TILES[1:3] if session.quick else TILES
    ways = ["serial"] + [f"{method}@{tile}" for method in TILED for tile in tiles]
    one = case(session, name, ways, size, threads, 1, 1, SOME)
    results = session.measure_ways(f"{name}, tiles", one, ways)
    best = {}
    for method in TILED:
        winner = fastest([results[f"{method}@{tile}"] for tile in tiles])
        best[method] = str(winner.samples[0]["way"]) if winner else f"{method}@{tiles[0]}"
    return best


def pattern(session: Session, name: str, size: int, threads: int) -> Section:
    keys = {"serial": "serial", "heddle 1": "heddle/1", "heddle": "heddle", **best_tiles(session, name, size, threads), "copy": "copy"}
    if machine.cores() > threads:
        keys["heddle, all"] = f"heddle/{machine.cores()}"
    swept = name in SWEEPS
    rounds, warm = (3, 1) if session.quick or swept else (7, TRIALS)
    one = case(session, name, list(keys.values()), size, threads, rounds, warm, SWEEPS.get(name, 1))
    results = session.measure_ways(name, one, list(keys.values()), ["copy"])
    got = {key: results[way] for key, way in keys.items()}
    copy = got.pop("copy")
    moves = got["serial"].samples and got["serial"].samples[0]["moved"] and not swept
    how = ("heddle has one nest for all sweeps, OpenMP's ways have one for each; the largest change in the last sweep is a result, too."
           if swept else "Some rounds are not counted, in which heddle still tries its forms of the nest.")
    return Section(f"{PATTERNS[name]}, {size}², {threads} threads",
                   "OpenMP's ways run the serial loop on tiles, the best of a sweep of sizes. All ways take turns in one process; "
                   "ratios are medians over the rounds. " + how, rows_of(got, threads, copy if moves else None), [table(name, got)])


def rows_of(got: Dict[str, Result], threads: int, copy: Optional[Result]) -> List[Row]:
    rows = [ratio_row(f"{threads} threads, against the serial loop", got["serial"], got["heddle"], GOAL),
            ratio_row(f"{threads} threads, against doacross", got["doacross"], got["heddle"], GOAL),
            ratio_row(f"{threads} threads, against tasks", got["tasks"], got["heddle"]),
            ratio_row("one thread, against the serial loop", got["serial"], got["heddle 1"])]
    if "heddle, all" in got:
        rows.append(ratio_row(f"{machine.cores()} threads, against the serial loop", got["serial"], got["heddle, all"]))
    if copy and ratio(copy, got["heddle"]) is not None:
        rows += bound(got, copy)
    return rows + [rate_row(f"heddle, {threads} threads", got["heddle"])]


def bound(got: Dict[str, Result], copy: Result) -> List[Row]:
    """What a copy of the same run says: how near the loop is to it, and how much faster than the serial loop it would be there."""
    moved, copied = got["heddle"].samples[0]["moved"], copy.samples[0]["cell"] * 2
    cells = (copy.rate() or 0.0) * copied
    near, far = ratio(copy, got["heddle"]), ratio(got["serial"], copy)
    commands = [copy.case.command()]
    return [Row(f"copy in the same run ({copied} bytes a cell, read and written)", cells, "GB/s", commands=commands),
            Row(f"share of copy speed ({moved} bytes a cell must move)", (near or 0.0) * moved / copied * 100, "%", commands=commands),
            Row("bound by memory: at copy speed the loop would be the serial one's", (far or 0.0) * copied / moved, "×", commands=commands)]


def table(name: str, got: Dict[str, Result]) -> Dict[str, Any]:
    body = []
    for key, result in got.items():
        rate, over = result.rate(), ratio(got["serial"], result)
        form = str(result.samples[0].get("form", "")) if result.samples else ""
        body.append([key, "failed" if rate is None else svg.number(rate), "failed" if over is None else svg.number(over), form])
    return {"title": f"{name}: Gcells/s, and how many times the serial loop", "body": body,
            "head": ["way", "Gcells/s", "× serial", "form"], "commands": [result.case.command() for result in got.values()]}


def overview(rates: List[Any], size: int, threads: int) -> Dict[str, Any]:
    title = f"Times the serial loop, {threads} threads, {size}²"
    values = []
    for name, body in rates:
        for row in body:
            if row[0] in ("doacross", "heddle") and row[2] != "failed":
                values.append((f"{name}, {row[0]}", float(row[2])))
    return {"name": "cpu-patterns", "title": title, "svg": svg.bars(title, values, "×"), "commands": []}
