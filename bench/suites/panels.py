# SPDX-License-Identifier: Apache-2.0
"""Nests larger than a GPU's memory, in panels of rows: how near the longer of transfers and computing. The link's time is
measured beside it, both ways at once from page-locked memory."""
from statistics import median
from typing import Dict, List

from measure import Case, Result, Row, Section, Session, ratio_row

TITLE = "panels of rows on a GPU: share of the longer of transfers and computing"
PATTERNS = {"sw-all": "Smith-Waterman, every cell kept", "heat2d": "heat2d, one sweep, float",
            "sat": "summed-area table, int"}
WAYS = ["heddle", "link"]


def run(session: Session) -> List[Section]:
    if session.only == "cpu":
        return []
    if not session.gpu:
        return [Section("Panels", rows=[Row("share of the longer of transfers and computing", unit="%", note=session.no_gpu)])]
    size, limit = session.size(24576, 4096), "256M" if session.quick else "1G"
    return [pattern(session, name, size, limit) for name in PATTERNS]


def pattern(session: Session, name: str, size: int, limit: str) -> Section:
    number = str(session.gpu["number"]) if session.gpu else "0"
    little = {"HEDDLE_MEMORY_LIMIT": limit}
    known = checksum(session, name, size)
    plain = measure(session, f"{name}, as allocated", case(session, name, size, number, WAYS, little), WAYS, known)
    locked = measure(session, f"{name}, page-locked", case(session, name, size, number, WAYS, little, "--lock"), WAYS, known)
    whole = measure(session, f"{name}, all of it on the device", case(session, name, size, number, WAYS, {}), WAYS, known)
    rows = [share("page-locked arrays, share of the longer of transfers and computing", locked),
            share("arrays as allocated, the same", plain),
            ratio_row("arrays as allocated: panels, against mapping all of it", whole["heddle"], plain["heddle"])]
    if session.gpus > 1:
        every = measure(session, f"{name}, page-locked, all GPUs", case(session, name, size, "all", WAYS[:1], little, "--lock"), WAYS[:1], known)
        rows.append(ratio_row("page-locked arrays: all GPUs, against one", locked["heddle"], every["heddle"]))
    return Section(f"{PATTERNS[name]}, {size}², {limit} of device memory", "", rows)


def case(session: Session, name: str, size: int, device: str, ways: List[str], env: Dict[str, str], *more: str) -> Case:
    args = ["--json", f"--pattern={name}", f"--method={','.join(ways)}", f"--size={size}", f"--device={device}",
            "--warm=1", f"--repeat={session.rounds or 5}", *more]
    return Case(f"{name}, {device}", "bench-patterns", args, env)


def checksum(session: Session, name: str, size: int) -> str:
    args = ["--json", f"--pattern={name}", "--method=serial", f"--size={size}", "--device=host"]
    serial = session.measure_ways(f"{name}, serial", Case(f"{name}, serial", "bench-patterns", args), ["serial"])["serial"]
    return str(serial.samples[0]["checksum"]) if serial.samples else "of the serial loop, which failed"


def measure(session: Session, title: str, one: Case, ways: List[str], known: str) -> Dict[str, Result]:
    return session.measure_ways(title, one, ways, ways[1:], known)


def share(figure: str, got: Dict[str, Result]) -> Row:
    nest, link = got["heddle"], got["link"]
    if nest.check != "ok" or link.check != "ok":
        return Row(figure, unit="%", note="a run failed or its result was wrong")
    parts = [max(link_seconds, float(line["kernel_seconds"])) / float(line["seconds"])
             for line, link_seconds in zip(nest.samples, link.values())]
    return Row(figure, 100 * median(parts), "%", note=f"{nest.samples[0]['panels']} panels", commands=[nest.case.command()])
