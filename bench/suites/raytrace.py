# SPDX-License-Identifier: Apache-2.0
"""The ray tracer on a million triangles: beside Embree on two threads (camera, shading and rays are the same source), and on a GPU."""
from typing import Any, Iterator, List

from measure import Case, Row, Section, Session

TITLE = "ray tracer: a million triangles, against Embree and on a GPU"


def run(session: Session) -> Iterator[Section]:
    if session.only in (None, "cpu"):
        yield against_embree(session)
    if session.only in (None, "gpu"):
        yield on_gpu(session)


def scene(session: Session, sizes: List[str]) -> List[str]:
    return [f"--triangles={session.size(1000000, 20000)}", "--repeat=3", "--json", f"--size={sizes[session.quick]}"]


def rows(session: Session, case: Case, make: Any) -> List[Row]:
    line = session.once("a million triangles", case)
    if isinstance(line, str):
        return [Row(case.name, note=line)]
    return make(line, [case.command()])


def against_embree(session: Session) -> Section:
    title = "two threads, against Embree"
    if not (session.programs / "bench-embree").exists():
        return Section(title, rows=[Row("Embree", note="not run: libembree-dev was not there when the programs were built")])
    case = Case("bench-embree", "bench-embree", scene(session, ["960x540", "160x90"]) + ["--threads=2"], env={"OMP_NUM_THREADS": "2"})
    return Section(title, "Rays from the camera, to the sun and reflected, one at a time; both in one process, in turn.", rows(session, case, lambda line, commands: [
        Row("Embree", line["rate"] * 1e3, "M rays/s", commands=commands),
        Row("raytrace", line["own_rate"] * 1e3, "M rays/s", commands=commands),
        Row("share of Embree's speed", line["own_share"], "×", 0.5, commands=commands),
        Row("hierarchy, Embree", line["build"], "s", commands=commands),
        Row("hierarchy, raytrace", line["own_build"], "s", commands=commands),
        Row("equal pixels", 100 * line["equal_pixels"], "%", commands=commands)]))


def on_gpu(session: Session) -> Section:
    title = "on a GPU"
    if not session.gpu:
        return Section(title, rows=[Row("rays", unit="G rays/s", note=session.no_gpu)])
    found = []
    for name, more, goal in (("scene on the device", ["--resident"], 1.0), ("scene sent for each picture", [], None)):
        case = Case(name, "raytrace", ["--scene=landscape"] + scene(session, ["3840x2160", "320x180"]) + [f"--device={session.gpu['number']}"] + more)
        found += rows(session, case, lambda line, commands, name=name, goal=goal: [Row(name, line["rate"], "G rays/s", goal, commands=commands)])
    check = Case("check", "raytrace", ["--scene=landscape"] + scene(session, ["480x270", "160x90"]) + [f"--device={session.gpu['number']}", "--check"])
    return Section(title, "Rays from the camera, to the sun and reflected; the picture comes back.", found + rows(session, check, lambda line, commands: [
        Row("pixels that differ from the serial program's", 0, "", commands=commands)]))
