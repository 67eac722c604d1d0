# SPDX-License-Identifier: Apache-2.0
"""The loops of the six applications on the CPU: heddle against the serial loop and against OpenMP's doacross
and tasks on tiles, and against a copy of what they write where memory is the bound."""
from typing import Any, Dict, List, Optional

import machine
import svg
from measure import Case, Result, Row, Section, Session, fastest, rate_row, ratio, ratio_row

TITLE = "the six applications' loops on the CPU: heddle, serial, doacross, tasks, copy"

PATTERNS = {"sw": "Smith-Waterman, score only", "sw-all": "Smith-Waterman, every cell kept",
            "dtw": "dynamic time warping, distance only", "dtw-all": "dynamic time warping, every cell kept",
            "heat2d": "heat2d, one sweep, float", "sor": "SOR, one sweep, float, with a right-hand side",
            "sat": "summed-area table, int", "inthist": "integral histogram, one bin, int"}
TILES = ["32x1024", "64x256", "128x512", "256x1024"]
GOAL = 4.0


def run(session: Session) -> List[Section]:
    if session.only == "gpu":
        return []
    size, threads = session.size(8192, 1024), min(2, machine.cores())
    sections = [pattern(session, name, size, threads) for name in PATTERNS]
    rates = [(name, section.tables[0]["body"]) for name, section in zip(PATTERNS, sections)]
    sections.append(Section("All of them", plots=[overview(rates, size, threads)]))
    return sections


def case(name: str, method: str, size: int, threads: int, *more: str) -> Case:
    label = f"{name}, {method}, {threads} thread{'s' if threads > 1 else ''}{''.join(', ' + word for word in more)}"
    args = ["--json", f"--pattern={name}", f"--method={method}", f"--size={size}", f"--threads={threads}",
            "--device=host", "--warm=1", *more]
    return Case(label, "bench-patterns", args)


def best_tile(session: Session, name: str, method: str, size: int, threads: int) -> str:
    """By one round; the serial loop stands first because its result is the reference."""
    tiles = TILES[1:3] if session.quick else TILES
    cases = {tile: case(name, method, size, threads, f"--tile={tile}") for tile in tiles}
    first = case(name, "serial", size, 1)
    results = session.measure(f"{name}, tiles for {method}", [first] + list(cases.values()), 1)
    winner = fastest([results[one.name] for one in cases.values()])
    return str(winner.samples[0]["tile"]) if winner else tiles[0]


def pattern(session: Session, name: str, size: int, threads: int) -> Section:
    cases = {"serial": case(name, "serial", size, 1), "heddle 1": case(name, "heddle", size, 1)}
    for method in ("doacross", "tasks"):
        tile = best_tile(session, name, method, size, threads)
        cases[method] = case(name, method, size, threads, f"--tile={tile}")
    cases["heddle"] = case(name, "heddle", size, threads)
    if machine.cores() > threads:
        cases["heddle, all"] = case(name, "heddle", size, machine.cores())
    results = session.measure(name, list(cases.values()), 3 if session.quick else 7)
    got = {key: results[one.name] for key, one in cases.items()}
    copy = bound(session, name, size, threads) if got["serial"].samples and got["serial"].samples[0]["moved"] else None
    return Section(f"{PATTERNS[name]}, {size}², {threads} threads",
                   "OpenMP's ways run the serial loop on tiles, the best of a sweep of sizes. Ratios are medians over rounds in "
                   "which every case ran once.",
                   rows_of(got, threads, copy), [table(name, got)])


def bound(session: Session, name: str, size: int, threads: int) -> Optional[Result]:
    one = case(name, "copy", size, threads)
    line = session.measure(f"{name}, copy", [one], 3 if session.quick else 7)
    return line[one.name]


def rows_of(got: Dict[str, Result], threads: int, copy: Optional[Result]) -> List[Row]:
    rows = [ratio_row(f"{threads} threads, against the serial loop", got["serial"], got["heddle"], GOAL),
            ratio_row(f"{threads} threads, against doacross", got["doacross"], got["heddle"], GOAL),
            ratio_row(f"{threads} threads, against tasks", got["tasks"], got["heddle"]),
            ratio_row("one thread, against the serial loop", got["serial"], got["heddle 1"])]
    if "heddle, all" in got:
        rows.append(ratio_row(f"{machine.cores()} threads, against the serial loop", got["serial"], got["heddle, all"]))
    share = ratio(copy, got["heddle"]) if copy else None
    if copy and share is not None:
        moved, written = got["heddle"].samples[0]["moved"], copy.samples[0]["cell"] * 2
        rows.append(Row(f"share of copy speed ({moved} bytes a cell must move, {written} copied)", share * moved / written * 100, "%",
                        commands=[copy.case.command(), got["heddle"].case.command()]))
    return rows + [rate_row(f"heddle, {threads} threads", got["heddle"])]


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
