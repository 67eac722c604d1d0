# SPDX-License-Identifier: Apache-2.0
"""Sweeps in place: one loop over all of them against a nest for each, and against a copy of the grid."""
from typing import Dict, List

import machine
from measure import Case, Result, Row, Section, Session, ratio_row

TITLE = "sweeps in place: over-relaxation against serial, doacross and one copy of the grid for each sweep"


def run(session: Session) -> List[Section]:
    parts = {"cpu": cpu, "gpu": gpu}
    return [part(session) for kind, part in parts.items() if session.only in (None, kind)]


def case(name: str, size: int, sweeps: int, method: str, *more: str, **expect: str) -> Case:
    return Case(name, "bench-sweeps", ["--json", f"--size={size}", f"--sweeps={sweeps}", f"--method={method}", *more],
                expect=expect)


def cpu(session: Session) -> Section:
    size, sweeps, cores = session.size(4096, 1024), 32, machine.cores()
    host = {"device": "host", "schedule": "registers"}
    cases = {"serial": case("serial loop", size, sweeps, "serial"),
             "doacross": case("OpenMP doacross, 2 threads", size, sweeps, "doacross", "--threads=2"),
             "1": case("heddle, 1 thread", size, sweeps, "heddle", "--device=host", "--threads=1", **host),
             "2": case("heddle, 2 threads", size, sweeps, "heddle", "--device=host", "--threads=2", **host)}
    cases["doacross"].env["OMP_NUM_THREADS"] = "2"
    if cores > 2:
        cases["all"] = case(f"heddle, {cores} threads", size, sweeps, "heddle", "--device=host", f"--threads={cores}", **host)
    measured = session.measure(f"CPU, {size}², {sweeps} sweeps", list(cases.values()), 3 if session.quick else 5)
    got: Dict[str, Result] = {key: measured[one.name] for key, one in cases.items()}
    rows = [ratio_row("two threads, against the serial loop", got["serial"], got["2"], 4),
            ratio_row("two threads, against doacross", got["doacross"], got["2"], 4),
            ratio_row("one thread, against the serial loop", got["serial"], got["1"])]
    if "all" in got:
        rows.append(ratio_row(f"{cores} threads, against the serial loop", got["serial"], got["all"]))
    return Section(f"CPU, {size}², float, {sweeps} sweeps",
                   "All forms fill the grid within the time. doacross: tiles of 64 x 512, one nest for each sweep.", rows)


def gpu(session: Session) -> Section:
    size, sweeps = (4096, 20) if session.quick else (16384, 100)
    figure = "one sweep, against a copy of the grid on the device"
    title = f"GPU, {size}², float, {sweeps} sweeps"
    if not session.gpu:
        return Section(title, rows=[Row(figure, goal=1.0, note=session.no_gpu)])
    device = str(session.gpu["number"])
    nest = case("heddle", size, sweeps, "heddle", f"--device={device}", "--warm=1", device=device)
    copy = case("copy", size, sweeps, "copy", f"--device={device}", "--warm=1")
    rounds = 3 if session.quick else 5
    ran = session.measure(f"{title}, nest", [nest], rounds)["heddle"]
    copied = session.measure(f"{title}, copy", [copy], rounds)["copy"]
    commands = [nest.command(), copy.command()]
    kernel, bound = ran.median("kernel_seconds"), copied.median()
    if kernel is None or bound is None:
        return Section(title, rows=[Row(figure, goal=1.0, note="a run failed", commands=commands)])
    return Section(title, "Time in the kernel; the grid is mapped before and copied back after it.",
                   [Row(figure, bound * sweeps / kernel, "×", 1.0, "", commands),
                    Row("cells a second", size * size * sweeps / kernel * 1e-9, "Gcells/s", commands=commands)])
