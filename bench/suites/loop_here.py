# SPDX-License-Identifier: Apache-2.0
"""Loops over all devices on this machine, for the suite `for`: loops that are one thing only (bench-loops), what a hand-out costs, and
the applications (loop_apps.py), each from small sizes to large ones, `auto` against every device alone.

Every process learns before it is measured. The ideal is Weber's (2012): all devices at the speed that they have alone,
1 / sum(1 / T_i); efficiency is ideal / measured."""
import json
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from measure import Case, Result, Row, Section, Session, progress

from . import loop_apps
from .loop_apps import LEARN, MANY, Line


def run(session: Session, folder: str) -> Iterator[Section]:
    lines: List[Line] = []
    times: Dict[str, float] = {}
    yield synthetic(session, lines)
    yield cost(session)
    yield from loop_apps.climb(session, folder, lines, times)
    yield loop_apps.every(session, lines)
    yield loop_apps.schedules(session, folder, times)


# ---- loops that are one thing only


def compare(session: Session, title: str, ways: Sequence[str], *more: str) -> Tuple[Dict[int, Dict[str, Dict[str, Any]]], str]:
    """By size and way the result line of bench-loops --compare, and the command."""
    case = Case(title, "bench-loops", ["--json", f"--compare={'/'.join(ways)}", *more],
                env={"HEDDLE_MODELS": "none", **({} if session.gpu else {"CUDA_VISIBLE_DEVICES": ""})})
    progress(f"for: {title}")
    result = Result(case, f"for: {title}")
    session.results.append(result)
    got: Dict[int, Dict[str, Dict[str, Any]]] = {}
    done = session.start(case, 600)
    result.samples = [json.loads(line) for line in done.stdout.splitlines()]
    good = done.returncode == 0 and result.samples and all(line["check"] in ("ok", "equal") for line in result.samples)
    result.check = "ok" if good else f"exit status {done.returncode}, or results that differ: {done.stderr.strip()[-200:]}"
    for line in result.samples if good else []:
        got.setdefault(int(line["size"].split("x")[0]), {})[line["way"]] = line
    return got, case.command()


def who(line: Dict[str, Any]) -> str:
    parts = [("host" if "threads" in one else f"device {one['device']}", one["iterations"]) for one in line["devices"]]
    total = sum(count for _, count in parts)
    return ", ".join(f"{name} {100 * count / total:.0f} %" for name, count in parts if count)


# sizes from, to, by a factor; with the host alone, which takes seconds beyond the first range; runs that count
RANGES = {"uneven": ((512, 1 << 18, 8, True, MANY), (1 << 21, 1 << 26, 32, False, 5)),
          "compute": ((4096, 1 << 18, 8, True, MANY), (1 << 21, 1 << 21, 8, True, 15), (1 << 25, 1 << 25, 8, False, 5)),
          "transfer": ((4096, 1 << 21, 8, True, MANY), (1 << 25, 1 << 25, 8, True, 5))}


def synthetic(session: Session, lines: List[Line]) -> Section:
    used: List[str] = []
    found: List[Line] = []
    gpu = f"{session.gpu['number']}:static" if session.gpu else ""
    for method, ranges in RANGES.items():
        for low, high, factor, with_host, runs in ranges[:1] if session.quick else ranges:
            ways = ["auto:auto", *([gpu] if gpu else []), *(["host:auto"] if with_host or not gpu else [])]
            if not with_host and not loop_apps.fast(session):
                continue
            high, factor = (low * 8, 8) if session.quick else (high, factor) if loop_apps.fast(session) else (max(low, high // 8), factor)
            got, command = compare(session, f"{method} from {low}", ways, f"--method={method}", f"--size={low}", f"--to={high}", f"--step={factor}",
                                   f"--warm={1 if session.quick else min(LEARN, runs + 1)}", f"--repeat={1 if session.quick else runs}",
                                   *(["--check"] if session.quick else []))
            used.append(command)
            for size, way in got.items():
                seconds = {"auto": way["auto:auto"]["seconds"], "gpu": way[gpu]["seconds"] if gpu in way else None,
                           "host": way["host:auto"]["seconds"] if "host:auto" in way else None}
                alone = [seconds[name] for name in ("gpu", "host") if seconds[name]]
                found.append(Line(method, str(size), seconds, min(alone) / seconds["auto"], loop_apps.efficiency(session, seconds), who(way["auto:auto"])))
    lines += found
    return Section("Loops that are one thing only", "Results come back in every run. uneven: iterations of different cost; compute: of equal "
                   "cost; transfer: one multiplication for 12 bytes moved." + ("" if session.gpu else f" GPU rows: {session.no_gpu}."),
                   loop_apps.figures(session, "bench-loops", found, used), [loop_apps.table("by size, medians", found, used)])


# ---- what a hand-out costs


def cost(session: Session) -> Section:
    """Chunks of a millisecond against one chunk, the same device."""
    cases = [("host", "compute", 1 << 14 if session.quick else 1 << 21)]
    if session.gpu:
        cases.append((str(session.gpu["number"]), "uneven", 1 << 16 if session.quick or not loop_apps.fast(session) else 1 << 26))
    return Section("What a hand-out costs", "", [chunks(session, *case) for case in cases] + short(session))


def busy(lines: Dict[str, Dict[str, Any]], way: str) -> float:
    """Seconds of all the way's threads together."""
    return float(lines[way]["seconds"]) * max(one.get("threads", 1) for one in lines[way]["devices"])


def chunks(session: Session, device: str, method: str, size: int) -> Row:
    whole, title = f"{device}:static", f"{method} in chunks on {device}"
    more = [f"--method={method}", f"--size={size}"]
    got, _ = compare(session, f"{title}: how long is a chunk?", [whole], *more, "--warm=1", "--repeat=3")
    chunk = max(1, int(size * 1e-3 / busy(got[size], whole))) if size in got else size // 16
    cut = f"{device}:chunk,{chunk}"
    got, command = compare(session, title, [whole, cut], *more, f"--warm={1 if session.quick else 4}", f"--repeat={1 if session.quick else 15}")
    lines = got.get(size)
    each = 1e3 * busy(lines, cut) * chunk / size if lines else 0
    return Row(f"{method} on {device}: one chunk each against chunks of {each:.2f} ms", lines[whole]["seconds"] / lines[cut]["seconds"] if lines else None,
               "×", 0.99, "" if lines else "a run failed", [command])


def short(session: Session) -> List[Row]:
    """A loop of no length at all: what is looked up, written down and, on a device, woken and waited for."""
    gpu = [(f"{session.gpu['number']}:auto", 50)] if session.gpu else []
    rows = []
    for way, calls in [("auto:auto", 2000), ("host:auto", 2000), *gpu]:
        got, command = compare(session, f"a short loop by {way}", ["serial:loop", way], "--method=transfer", "--size=64",
                               f"--calls={20 if session.quick else calls}", "--warm=2", f"--repeat={1 if session.quick else 9}")
        both = got.get(64)
        rows.append(Row(f"64 multiplications by {way}, over the plain loop", 1e9 * (both[way]["seconds"] - both["serial:loop"]["seconds"]) if both else None,
                        "ns a loop", None, "" if both else "a run failed", [command]))
    return rows
