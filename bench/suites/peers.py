# SPDX-License-Identifier: Apache-2.0
"""What PeerWave's peers win over a barrier after each diagonal with the same hyper-tiles, what they could win at most, and
how that changes with the size and the shape of the nest. A part of suite wavefront's figure 10, in a minute."""
from typing import Any, Dict, List

import svg
from measure import Row, Section, Session
from suites import wavefront

TITLE = "peers and flexible hyper-tiles against barrier + hyper-tiles: measured, bound, sizes"
METHODS = ["barrier,256/hybrid", "barrier,128@16/hybrid", "barrier,128/hybrid", "peer,256/hybrid", "flexible,256/hybrid"]
SHAPES = ("4096", "8192", "16384", "65536", "65536x8192", "8192x65536")


def run(session: Session) -> List[Section]:
    if session.only == "cpu" or not session.gpu:
        return [Section("Peers against barrier + hyper-tiles", rows=[Row("all figures", note=session.no_gpu)])]
    runs: wavefront.Runs = {}
    timed: wavefront.Runs = {}
    size, device = wavefront.gpu_size(session), f"--device={session.gpu['number']}"
    for app in wavefront.APPS:
        wavefront.collect(runs, wavefront.execute(session, app, size, METHODS, device, f"--repeat={session.rounds or 3}", "--warm=1"))
        best = wavefront.best_of(runs, app, "barrier")[1]
        wavefront.collect(timed, wavefront.execute(session, app, size, [best] if best else METHODS[:1], device, "--times", "--warm=1"))
    return [figure(session, runs, timed), shapes(session)]


def figure(session: Session, runs: wavefront.Runs, timed: wavefront.Runs) -> Section:
    rows, size = [], wavefront.gpu_size(session)
    for app in wavefront.APPS:
        base, method = wavefront.best_of(runs, app, "barrier")
        for name, goal in (("peer", None), ("flexible", 1.5)):
            fast, mine = wavefront.best_of(runs, app, name)
            rows.append(Row(f"{app}: {name} against barrier + hyper-tiles", base / fast if base and fast else None, "×", goal,
                            f"{mine} {wavefront.ms(fast)} ms, {method} {wavefront.ms(base)} ms",
                            [wavefront.command(app, size, [str(method), str(mine)])]))
    return Section(f"Peers against barrier + hyper-tiles, {size}²", f"{session.gpu['name']}. Device clock, kernel alone, hybrid "
                   "layout. " + wavefront.judge(session, "peers", runs), rows, [bounds(session, runs, timed)])


def step_seconds(lines: List[Dict[str, Any]]) -> float:
    """One diagonal of a tile: the model's d, seen from inside."""
    return wavefront.middle(lines, "busy") * wavefront.middle(lines, "blocks") / wavefront.middle(lines, "tiles") / lines[0]["w"]


def bounds(session: Session, runs: wavefront.Runs, timed: wavefront.Runs) -> Dict[str, Any]:
    """What a schedule without barriers could win with the same tiles: all of the time that blocks are idle, but no chain of
    dependences can be shorter than rows + columns steps."""
    body, size = [], wavefront.gpu_size(session)
    for app in wavefront.APPS:
        base, method = wavefront.best_of(runs, app, "barrier")
        fast, flexible = wavefront.best_of(runs, app, "flexible")
        lines = timed.get((app, method or ""))
        if not lines or not fast or not wavefront.middle(lines, "tiles"):
            continue
        whole, busy, step = wavefront.seconds_of(lines[0]), wavefront.middle(lines, "busy"), step_seconds(lines)
        chain = 2 * size * step
        body.append([app, method, svg.number(100 * (1 - busy / whole)) + " %", svg.number(whole / busy), svg.number(step * 1e9), wavefront.ms(chain),
                     svg.number(whole / chain), svg.number(min(whole / busy, whole / chain)), flexible, svg.number(base / fast)])
    return {"title": "What can be won over barrier + hyper-tiles by the same tiles: were no block idle; were the longest chain of "
                     "dependences (rows + columns steps of the measured length) all there is", "body": body, "commands": [],
            "head": ["", "method", "idle", "no idle, ×", "step ns", "chain ms", "chain alone, ×", "bound ×", "flexible", "measured ×"]}


def shapes(session: Session) -> Section:
    """Other sizes than the paper's: the smaller, the more of the time is the corners'."""
    if session.quick:
        return Section("Flexible hyper-tiles by size", rows=[Row("not with --quick", note="not run")])
    device, body, bad = f"--device={session.gpu['number']}", [], []
    used = [(app, size) for app in wavefront.APPS for size in ("32768",)] + [("sw", size) for size in SHAPES]
    for app, size in used:
        runs: wavefront.Runs = {}
        wavefront.collect(runs, wavefront.execute(session, app, size, METHODS, device, f"--repeat={session.rounds or 3}", "--warm=1"))
        bad += wavefront.judge_app(session, f"GPU {size}", app, {method: lines for (_, method), lines in runs.items()})
        found = {name: wavefront.best_of(runs, app, name) for name in ("barrier", "peer", "flexible")}
        if all(value for value, _ in found.values()):
            base = found["barrier"][0]
            body.append([app, size, wavefront.ms(base)] + [text for name in ("peer", "flexible")
                                                           for text in (wavefront.ms(found[name][0]), svg.number(base / found[name][0]))])
    table = {"title": "Best sides of each, kernel time in ms and how many times as fast as barrier + hyper-tiles", "body": body,
             "head": ["", "size", "barrier", "peer", "×", "flexible", "×"],
             "commands": [wavefront.command(app, size, METHODS) for app, size in used]}
    return Section("Flexible hyper-tiles by size", "WRONG OR NOT AS ASKED: " + ", ".join(bad) if bad else "", tables=[table])
