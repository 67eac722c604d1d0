#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rivals.py [--check]: README's table and picture of results against other programs, out of the committed reports.

Writes docs/pictures/rivals.svg and the lines of README.md between its two marks. --check compares instead: exit status 1
where they are not what the reports say. A new row is a line of ROWS."""
import re
import sys
from math import log10
from pathlib import Path
from typing import Callable, List, NamedTuple

import svg

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/pictures/rivals.svg"
MARKS = ("<!-- table: bench/rivals.py -->\n", "<!-- end of table -->\n")


class Row(NamedTuple):
    """`figures` are searched one behind the other in `report`; how many times as fast heddle is, of their numbers."""
    what: str
    where: str
    rival: str
    report: str
    figures: List[str]
    times: Callable[..., float] = lambda figure: figure


NUMBER = r"([\d.]+)"
RESULTS = "bench/results/"
CPU = RESULTS + "h100-cpu/report.md"
GEMM = RESULTS + "h100-gemm/report.md"
PEPTIDE = RESULTS + "h200-peptide/report.md"
TASKS = RESULTS + "h100-tasks/report.md"
LANES = "docs/lab/2026-11-23-lanes.md"
DATABASES = "docs/lab/2026-11-23-databases.md"
BATCHES = "docs/lab/2026-11-23-batches.md"
QUEENS = "docs/lab/2026-11-23-queens.md"
POLYBENCH = "docs/lab/2026-11-28-polybench.md"
WAVEFRONTS = "docs/lab/2026-11-28-loops-before-devices.md"
GRAPH = "docs/lab/2026-11-27-graph-engine.md"
STEP = rf"\| 1,024 \| \*\*{NUMBER}\*\* \|"
ROWS = [
    Row("PolyBench/C, large, 28 kernels with a line each, mean", "2 cores", "OpenMP by hand on the best loop", POLYBENCH,
        [rf"Geometric mean of the 28 with a line by `advise`: \*\*{NUMBER}"]),
    Row("Parallel Research Kernels, pipeline, 1000 x 1000", "16 cores", "the best of the suite's OpenMP", WAVEFRONTS,
        [rf"1000 x 1000 on 16 threads [\d.]+ / [\d.]+ ms, \*\*{NUMBER}\*\*"]),
    Row("Smith-Waterman score, one long pair", "2 cores", "OpenMP doacross, best of 4 tiles", CPU,
        [r"### Smith-Waterman, score only", rf"2 threads, against doacross \| {NUMBER}"]),
    Row("Smith-Waterman, all cells kept", "H100", "tiles with a barrier per diagonal, as in the literature",
        RESULTS + "h100-wavefront/report.md", [rf"sw: registers against barrier \+ hyper-tiles \| {NUMBER}"]),
    Row("tasks with 3 dependences", "H100", "a node each of a CUDA graph", TASKS,
        [rf"\| grid of 1M tasks with 3 dependences \| {NUMBER}", rf"a node per task of a grid with 3 dependences \| {NUMBER}"], lambda ours, theirs: ours / theirs),
    Row("step of 2,048 target tasks, each", "H100", "`target nowait depend`", GRAPH,
        [STEP + rf" [\d.]+ \| [\d.]+ \| [\d.]+ \| {NUMBER} \|"], lambda ours, theirs: theirs / ours),
    Row("the same", "H100", "a CUDA graph by hand, without the copies", GRAPH,
        [STEP + rf" [\d.]+ \| [\d.]+ \| [\d.]+ \| [\d.]+ \| {NUMBER} \|"], lambda ours, theirs: theirs / ours),
    Row("H.264 intra encoder, 1080p", "H100", "x264, 16 threads, nearly the same size and quality", RESULTS + "h100-intra/report.md",
        [rf"whole encoder, against x264 \| {NUMBER}"]),
    Row("peptide search, ±500 Da", "H200", "Comet, 16 threads", PEPTIDE, [r"### open search", rf"faster than Comet \| {NUMBER}"]),
    Row("matrix product 16384³ fp32, data on the host", "H100", "cuBLASXt", GEMM,
        [r"fp32, 16384³", rf"against cuBLASXt \| {NUMBER}"]),
    Row("the same", "H100", "cuBLAS, data on the GPU already", GEMM,
        [r"fp32, 16384³", rf"data on the host, share of it \| {NUMBER}"], lambda percent: percent / 100),
    Row("six kinds of OpenMP target regions, `heddle run`", "H100", "the best of all 64 fixed assignments",
        RESULTS + "h100-selector/report.md", [rf"speed of earliest-finish against HHHDDH, first process \| {NUMBER}"]),
    Row("loop over GPU and processor", "H100", "the better device alone, worst of 16 sizes", RESULTS + "h100-for/report.md",
        [rf"bench-loops: auto against the best device alone, worst of 16 sizes \| {NUMBER}"]),
    Row("DNA reads against a genome", "a core", "ssw-align, a core", BATCHES, [rf"On one core each `sw` is {NUMBER} times"]),
    Row("ray tracing, one ray at a time", "2 cores", "Embree 3.13 (0.6 to 0.8)", "apps/raytrace/README.md",
        [rf"`bench-embree --repeat=5` .*\| {NUMBER} to [\d.]+ of Embree"]),
    Row("collisions of a rigid body, a state", "a core", "FCL 0.7", "docs/lab/2026-11-23-planner.md",
        [rf"no vectors \| {NUMBER}, ", rf"FCL 0\.7\.0.*\| {NUMBER}, "], lambda ours, theirs: theirs / ours),
    Row("fib(40) by tasks", "H200", "GTaP, published, GH200", LANES, [rf"fib\(40\) by lanes takes {NUMBER} ms", rf"GTaP {NUMBER} \(published\)"], lambda ours, theirs: theirs / ours),
    Row("n queens, n = 20", "H200", "ygch/n_queens v3, its kernel alone", QUEENS,
        [rf"ygch/n_queens v3.0, kernel \|.*\| {NUMBER} s \|", rf"the program's defaults\) \|.*\| {NUMBER} \|"], lambda theirs, ours: theirs / ours),
    Row("protein database", "a core", "ssw-align, a core", BATCHES, [rf"`sw` against ssw-align \| {NUMBER}"]),
    Row("dynamic time warping, all pairs", "a core", "dtaidistance, a core", BATCHES, [rf"`dtw` is {NUMBER} times as fast as dtaidistance"]),
    Row("protein database", "H200", "CUDASW++ 4.0", DATABASES, [rf"`sw` {NUMBER} GCUPS", rf"CUDASW\+\+ 4.0 {NUMBER} GCUPS \|"], lambda ours, theirs: ours / theirs),
]


def times(row: Row) -> float:
    text, at, numbers = (ROOT / row.report).read_text(), 0, []
    for figure in row.figures:
        found = re.compile(figure).search(text, at)
        if not found:
            raise SystemExit(f"{row.report}: nothing like '{figure}', which the table of results needs")
        numbers += [float(group) for group in found.groups()]
        at = found.end()
    return row.times(*numbers)


def table(values: List[float]) -> str:
    lines = ["| what | where | against | times as fast |", "|---|---|---|---|"]
    for row, value in zip(ROWS, values):
        figure = svg.number(value)
        shown = f"**{figure}**" if value >= 1 else figure
        lines.append(f"| {row.what} | {row.where} | {row.rival} | [{shown}]({row.report}) |")
    return "\n".join(lines) + "\n"


def picture(values: List[float]) -> str:
    """Bars to both sides of 1, on a logarithmic axis."""
    names, left, right, row_height, top = 390, 440, 820, 24, 52
    height = top + row_height * len(ROWS) + 34
    axis = svg.Axis(min(values), max(values), left, right, True)
    parts = [svg.text(10, 38, "times as fast as the other program, logarithmic; right of 1: heddle is ahead")]
    for tick in axis.ticks:
        x = axis.place(tick)
        parts.append(svg.line(x, top - 4, x, height - 26, "goal" if tick == 1 else "grid"))
        parts.append(svg.text(x, height - 10, f"{tick:g}", "middle"))
    one = axis.place(1)
    for k, (row, value) in enumerate(zip(ROWS, values)):
        y, end = top + row_height * k, axis.place(value)
        parts.append(svg.text(names, y + 14, f"{row.what.replace('`', '')}, {row.where}", "end"))
        parts.append(f'<rect x="{min(one, end):.1f}" y="{y}" width="{max(1.0, abs(end - one)):.1f}" height="{row_height - 7}" '
                     f'fill="{svg.COLOURS[0 if value >= 1 else 1]}"/>')
        side = "start" if value >= 1 else "end"
        rival = row.rival.split(",")[0].split("(")[0].strip().replace("`", "")
        parts.append(svg.text(end + (6 if value >= 1 else -6), y + 14, svg.number(value), side))
        parts.append(svg.text(one + (-6 if value >= 1 else 6), y + 14, rival, "end" if value >= 1 else "start", "rival"))
    return svg.frame(right + 70, height, "heddle against others", parts)


def main() -> int:
    values = [times(row) for row in ROWS]
    readme = (ROOT / "README.md").read_text()
    before, _, rest = readme.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    if not after:
        raise SystemExit(f"README.md: no lines {MARKS[0].strip()} and {MARKS[1].strip()}")
    wanted = {ROOT / "README.md": before + MARKS[0] + table(values) + MARKS[1] + after, PICTURE: picture(values)}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if sys.argv[1:] == ["--check"]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what the reports say: run bench/rivals.py")
        return bool(stale)
    PICTURE.parent.mkdir(exist_ok=True)
    for path in stale:
        path.write_text(wanted[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
