# SPDX-License-Identifier: Apache-2.0
"""Schedules of loops over all devices. First the simulator (`heddle sim loop`) on machines like those of Weber's dissertation
(2012), figure by figure as far as they are about schedules, and on 3 to 64 devices; then this machine (loop_here.py)."""
import json
import math
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterator, List, Sequence, Tuple

import svg
from measure import Row, Section, Session, progress

from . import loop_here

TITLE = "loops over all devices: schedules, simulated and measured"
SHOWN = ("chunk", "egs", "gss", "pina", "auto")  # the dissertation's three, and ours
RUNS = 4


def sim(session: Session, *words: str) -> Tuple[List[Dict[str, Any]], str]:
    """The result lines of one simulation and the command that made them."""
    command = ["heddle", "sim", "loop", "--json", *words]
    done = subprocess.run([str(session.programs / "heddle"), *command[1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False, timeout=600)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()], " ".join(command)


def sims(session: Session, cases: Sequence[Sequence[str]]) -> List[Tuple[List[Dict[str, Any]], str]]:
    """Several at once; a simulation's clock is its own."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda words: sim(session, *words), cases))


def last(lines: Sequence[Dict[str, Any]], runs: int = RUNS) -> Dict[str, Dict[str, Any]]:
    return {line["schedule"]: line for line in lines if line.get("run") == runs and "chunk" not in line}


def plot(name: str, title: str, picture: str, commands: Sequence[str]) -> Dict[str, Any]:
    return {"name": name, "title": title, "svg": picture, "commands": list(commands)}


# ---- figures 4.1 to 4.3, 6.12 and 6.13: what a schedule has to cope with


MACHINE = """cpu count=1 speed=1 curve=182 setup=5us host vary=0.3
gpu count=1 speed=5 curve=737 setup=60us vary=0.3
"""


def curves(session: Session, folder: str) -> Section:
    kinds, times, used = MACHINE.splitlines(), {}, []
    for line in kinds:
        name = line.split()[0]
        with open(f"{folder}/{name}", "w") as file:
            file.write(line + "\n")
        lines, command = sim(session, f"--machine={folder}/{name}", "--loop=spectra", "--n=20000", "--schedule=chunk", "--chunk=1000",
                             "--runs=1", "--chunks")
        chunks = sorted((line for line in lines if "chunk" in line), key=lambda one: one["first"])
        times[name] = [(float(k), 1e3 * (one["end"] - one["begin"])) for k, one in enumerate(chunks) if one["count"] == 1000]
        used.append(command)
    ratio = [(x, cpu / gpu) for (x, cpu), (_, gpu) in zip(times["cpu"], times["gpu"])]
    plots = [plot("for-4-1", "figure 4.1: time of a batch of 1000", svg.lines("time of a batch (fig. 4.1)", times, "batch", "ms"), used),
             plot("for-4-2", "figure 4.2: speed-up of the GPU", svg.lines("speed-up (fig. 4.2)", {"gpu over cpu": ratio}, "batch", "x"), used)]
    rows = []
    for name, published in (("cpu", 182), ("gpu", 737)):
        series, alpha, command = amortised(session, f"{folder}/{name}")
        chunk = math.ceil(math.log(0.05) / alpha)
        figure = "6.12" if name == "cpu" else "6.13"
        plots.append(plot(f"for-{figure.replace('.', '-')}", f"figures 4.3 and {figure}: rate by size of the chunk",
                          svg.lines(f"{name}: measured and 1 - exp(alpha s) (figs. 4.3, {figure})", series, "iterations", "of the highest rate"),
                          [command]))
        rows.append(Row(f"{name}: chunk with 95 % of the full speed by the fitted curve (published for a device like it: {published})",
                        chunk, "iterations", None, "", [command]))
    return Section("What a schedule has to cope with", "Simulated devices after chapters 4 and 6. Figures 6.8 and 6.9 compare programs, not "
                   "schedules: suite peptide.", rows, plots=plots)


def amortised(session: Session, machine: str) -> Tuple[Dict[str, List[Tuple[float, float]]], float, str]:
    """Rates of single chunks of powers of two, relative to the highest, and alpha by equation 4.13. As loops of that length: in a longer one
    no schedule gives a device less than fills it."""
    done = sims(session, [(f"--machine={machine}", "--loop=uniform", f"--n={1 << k}", "--cost=100us", "--schedule=static", "--runs=1") for k in range(13)])
    points, command = [(float(1 << k), (1 << k) / lines[0]["seconds"]) for k, (lines, _) in enumerate(done)], done[-1][1]
    top = max(rate for _, rate in points)
    share = [(size, rate / top) for size, rate in points]
    fit = [(size, math.log(1.001 - s)) for size, s in share if s <= 0.95]
    alpha = sum(size * y for size, y in fit) / sum(size * size for size, _ in fit)
    return {"measured": share, "1 - exp(alpha s)": [(size, 1 - math.exp(alpha * size)) for size, _ in share]}, alpha, command


# ---- figures 5.4, 5.5, 6.10, 6.11, 7.6 to 7.9: three GPUs, with and without the cores


def gemm(session: Session) -> Section:
    """Tiles of C are the iterations: side by side 1, 2, 3 … of them."""
    plots = []
    for figure, devices, note in (("5.4", "gpu:3@166,cpu:1@1", "3 GPUs and 32 cores as one slow device"), ("5.5", "gpu:3@166", "3 GPUs")):
        series: Dict[str, List[Tuple[float, float]]] = {name: [] for name in SHOWN}
        sides = (1, 2, 3, 4, 6, 8, 12, 16) if session.quick else range(1, 17)
        done = sims(session, [(f"--devices={devices}", "--loop=uniform", f"--n={side * side}", "--cost=60s", "--runs=4",
                               f"--schedule={','.join(SHOWN)}", "--chunk=1") for side in sides])
        for side, (lines, command) in zip(sides, done):
            for name, line in last(lines).items():
                series[name].append((float(side), line["efficiency"]))
        plots.append(plot(f"for-{figure.replace('.', '-')}", f"figure {figure}: {note}",
                          svg.lines(f"GEMM, efficiency (fig. {figure})", series, "tiles a side", "of all devices' speed"), [command]))
    return Section("GEMM as chapter 5 has it", "Equal iterations, few of them, and one device that is 166 times slower: who gives it a tile "
                   "waits for it.", plots=plots)


CASES = (("6.10", "peptide search, 3 GPUs and 32 cores", "gpu:3@5,cpu:1@1", "spectra", 100000),
         ("6.11", "peptide search, 3 GPUs", "gpu:3@5", "spectra", 100000),
         ("7.6", "ray tracing, 3 GPUs", "gpu:3@12", "image", 2160),
         ("7.7", "ray tracing, 3 GPUs and 32 cores", "gpu:3@12,cpu:32@0.2", "image", 2160),
         ("7.8", "ray tracing, 3 GPUs and 16 cores", "gpu:3@12,cpu:16@0.2", "image", 2160))


def applications(session: Session) -> Section:
    plots, body, used, rates = [], [], [], []
    done = sims(session, [(f"--devices={devices}", f"--loop={shape}", f"--n={n}", "--runs=4", "--cost=5ms") for _, _, devices, shape, n in CASES])
    for (figure, note, devices, shape, n), (lines, command) in zip(CASES, done):
        got = last(lines)
        used.append(command)
        bars = [(("heddle: " if name in ("pina", "auto") else "") + name, line["efficiency"]) for name, line in got.items()]
        plots.append(plot(f"for-{figure.replace('.', '-')}", f"figure {figure}: {note}",
                          svg.bars(f"{note}: efficiency (fig. {figure})", bars, "", 0.95), [command]))
        body += [[figure, name, f"{line['efficiency']:.3f}", f"{line['balance']:.3f}", str(line["chunks"]),
                  " ".join(f"{kind} {100 * share:.1f} %" for kind, share in line["share"].items())] for name, line in got.items()]
        if shape == "image":
            rates.append((note, {name: 3840 * n / line["seconds"] / 1e6 for name, line in got.items()}))
    series = {name: [(float(k + 1), rate[name]) for k, (_, rate) in enumerate(rates)] for name in SHOWN}
    plots.append(plot("for-7-9", "figure 7.9: primary rays a second; 1: 3 GPUs, 2: and 32 cores, 3: and 16 cores",
                      svg.lines("ray tracing, M rays/s (fig. 7.9)", series, "machine", "M rays/s"), used))
    table = {"title": "all schedules", "head": ["figure", "schedule", "efficiency", "balance", "chunks", "shares"], "body": body, "commands": used}
    return Section("Peptide search and ray tracing as chapters 6 and 7 have them", "Fourth run of each loop.", tables=[table], plots=plots)


# ---- devices whose chunks overlap, with what a chunk costs


OVERLAPPING = {"two GPUs": "gpu count=2 speed=20 setup=60us move=0.2us curve=300 ready=1ms noise=2%",
               "two GPUs, 2 ms a chunk": "gpu count=2 speed=20 setup=2ms curve=300 noise=2%",
               "two GPUs and 14 cores": "cpu count=14 speed=1 host\ngpu count=2 speed=20 setup=100us move=0.2us curve=300 ready=1ms noise=2% vary=0.3",
               "a GPU and 14 cores": "cpu count=14 speed=1 host noise=3%\ngpu count=1 speed=5 setup=60us move=1us curve=300 noise=2% vary=0.3"}


def overlapping(session: Session, folder: str) -> Section:
    for number, text in enumerate(OVERLAPPING.values()):
        with open(f"{folder}/overlapping-{number}", "w") as file:
            file.write(f"ahead=3\n{text}\n")
    cases = [(number, shape, n, seed) for number in range(len(OVERLAPPING)) for shape in SHAPES for n in (2000, 20000)
             for seed in ((1,) if session.quick else (1, 2))]
    done = sims(session, [(f"--machine={folder}/overlapping-{number}", f"--loop={shape}", f"--n={n}", "--cost=100us", f"--runs={RUNS}", f"--seed={seed}")
                          for number, shape, n, seed in cases])
    names, body, shares = list(OVERLAPPING), [], []
    for (number, shape, n, seed), (lines, _) in zip(cases, done):
        got = last(lines)
        best = min(got, key=lambda name: got[name]["seconds"])
        shares.append(got[best]["seconds"] / min(got["auto"]["seconds"], got["pina"]["seconds"]))
        body.append([names[number], shape, str(n), str(seed), best, *(f"{got[name]['seconds'] / got[best]['seconds']:.3f}" for name in
                                                                       ("auto", "pina", "lp", "static", "steal_time"))])
    rows = [Row(f"auto or pina within 3 % of the best schedule, of {len(cases)} machines and loops", sum(share >= 0.97 for share in shares), "cases", None,
                f"worst {min(shares):.3f}", [done[0][1]])]
    table = {"title": "time over that of the best schedule, fourth run", "commands": [command for _, command in done],
             "head": ["machine", "loop", "n", "seed", "best", "auto", "pina", "lp", "static", "steal_time"], "body": body}
    described = "; ".join(f"{name}: {text}" for name, text in OVERLAPPING.items()).replace("\n", ", ")
    return Section("Devices whose chunks overlap", f"Three chunks under way (ahead=3), 2000 and 20000 iterations of 100 us at speed 1. {described}.", rows, [table])


# ---- 3 to 64 devices


GRID = ("cpu:2,gpu:1@20", "cpu:4,gpu:1@20", "cpu:16,gpu:1@50", "cpu:16,gpu:2@50", "cpu:32,gpu:3@30,old:1@8", "cpu:56,gpu:8@40", "cpu:64")
SHAPES = ("uniform", "linear", "falling", "random", "heavy", "peaks", "steps", "spectra", "image")


def grid(session: Session) -> Section:
    body, worst, first, used, close = [], 1.0, 1.0, [], 0
    cases = [(devices, shape, seed) for devices in GRID for shape in SHAPES for seed in ((1,) if session.quick else (1, 2, 3))]
    progress(f"for: {len(cases)} simulated machines and loops")
    done = sims(session, [(f"--devices={devices}", f"--loop={shape}", "--n=20000", f"--runs={RUNS}", f"--seed={seed}") for devices, shape, seed in cases])
    for (devices, shape, seed), (lines, command) in zip(cases, done):
        got = last(lines)
        begun = {line["schedule"]: line["seconds"] for line in lines if line["run"] == 1}
        best = min(got, key=lambda name: got[name]["seconds"])
        ours = min(got["auto"]["seconds"], got["pina"]["seconds"])
        share, early = got[best]["seconds"] / ours, min(begun.values()) / begun["auto"]
        worst, first, close = min(worst, share), min(first, early), close + (share >= 0.97)
        body.append([devices, shape, str(seed), best] + [f"{got[name]['seconds'] / got[best]['seconds']:.3f}" for name in
                                                          ("auto", "pina", "egs", "gss", "static", "steal_time", "lp")] + [f"{1 / early:.3f}"])
        used.append(command)
    note = f"{close} within 3 %"
    rows = [Row(f"auto or pina against the best schedule, worst of {len(cases)} machines and loops", worst, "×", 0.97, note, used[:1]),
            Row("auto in a first run against the best schedule's first run, worst", first, "×", None, "", used[:1])]
    table = {"title": "time over that of the best schedule, fourth run", "commands": used,
             "head": ["devices", "loop", "seed", "best", "auto", "pina", "egs", "gss", "static", "steal_time", "lp", "auto, run 1"], "body": body}
    return Section("3 to 64 devices, uneven loops", "20000 iterations of 1 ms at speed 1.", rows, [table])


def run(session: Session) -> Iterator[Section]:
    with tempfile.TemporaryDirectory(prefix="heddle-for-") as folder:
        if session.only != "gpu":
            yield curves(session, folder)
            yield gemm(session)
            yield applications(session)
            yield grid(session)
            yield overlapping(session, folder)
        yield from loop_here.run(session, folder)
