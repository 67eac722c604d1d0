# SPDX-License-Identifier: Apache-2.0
"""Prefix sums: a summed-area table against a copy of as many bytes, against two plain scans, against
the schedules that do not know that addition is associative."""
from typing import List

import machine
import svg
from measure import Case, Row, Section, Session, ratio, ratio_row

TITLE = "prefix sums: a summed-area table as a share of a copy"


def run(session: Session) -> List[Section]:
    parts = {"cpu": cpu, "gpu": gpu}
    return [part(session) for kind, part in parts.items() if session.only in (None, kind)]


def sat(name: str, size: int, method: str, *more: str, **expect: str) -> Case:
    return Case(name, "bench-sat", ["--json", f"--size={size}", f"--method={method}", "--warm=1", "--repeat=5", *more],
                expect=expect)


def share_row(figure: str, copy, table, goal=None, key: str = "seconds") -> Row:
    value = ratio(copy, table, key)
    return Row(figure, None if value is None else 100 * value, "%", goal,
               "" if value is not None else "a run failed or its result was wrong",
               [copy.case.command(), table.case.command()])


def cpu(session: Session) -> Section:
    size, threads = session.size(8192, 2048), min(2, machine.cores())
    host = ("--device=host", f"--threads={threads}")
    cases = [sat("serial loop", size, "serial"), sat("copy, one thread", size, "copy", "--device=host"),
             sat("heddle, one thread", size, "heddle", "--device=host", "--threads=1", schedule="scan"),
             sat(f"heddle, {threads} threads", size, "heddle", *host, schedule="scan"),
             sat("heddle, registers", size, "heddle", *host, "--schedule=registers", schedule="registers"),
             sat("heddle, peer", size, "heddle", *host, "--schedule=peer", schedule="peer")]
    got = session.measure("CPU", cases, 3 if session.quick else 7)
    serial, copy, one, scan, registers, peer = (got[case.name] for case in cases)
    rows = [ratio_row("one thread, against the serial loop", serial, one),
            ratio_row(f"{threads} threads, against the serial loop", serial, scan, 4),
            share_row("one thread, share of one thread's copy", copy, one),
            ratio_row("scan, against registers", registers, scan),
            ratio_row("scan, against peer", peer, scan)]
    return Section(f"CPU, {size}², float", "The copy moves as many bytes as the table and the values have.", rows)


def gpu(session: Session) -> Section:
    if not session.gpu:
        return Section("GPU", rows=[Row("share of a copy", unit="%", note=session.no_gpu)])
    size, device = (8192 if session.quick else 32768), f"--device={session.gpu['number']}"
    cases = [sat("copy", size, "copy", device), sat("heddle", size, "heddle", device, schedule="scan"),
             sat("two scans by omp target", size, "scans", device),
             sat("heddle, barrier 256x64", size, "heddle", device, "--schedule=barrier,256,64", schedule="barrier")]
    got = session.measure("GPU", cases, 1)  # each is the median of five; making and checking 4 GB takes ten seconds
    copy, scan, plain, barrier = (got[case.name] for case in cases)
    rows = [share_row("kernel, share of a copy on the device", copy, scan, 85, "kernel_seconds"),
            share_row("whole call, share of a copy on the device", copy, scan),
            share_row("two plain scans, share of a copy on the device", copy, plain),
            ratio_row("kernel, against barrier with hyper-tiles", barrier, scan, 6, "kernel_seconds")]
    values = [(result.case.name, result.rate("kernel_seconds")) for result in got.values()]
    picture = {"name": "prefix-gpu", "title": f"Summed-area table, {size}²", "commands": [case.command() for case in cases],
               "svg": svg.bars(f"Summed-area table of float, {size}²", values, "G elements/s")}
    return Section(f"GPU, {size}², float", f"{session.gpu['name']}.", rows, plots=[picture])
