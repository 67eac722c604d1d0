# SPDX-License-Identifier: Apache-2.0
"""Many small problems: proteins against a database, reads against a genome, all pairs of series, and problems of one size against one
problem of as many cells. Whole processes beside those of other programs; where one thread is compared, each process has one core."""
import re
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Optional

import machine
from measure import Case, Result, Row, Section, Session, ratio
from suites import batch_data, cudasw_rival
from suites.batch_rivals import DTAIDISTANCE, Job, dtaidistance_folder, rival, take_turns

TITLE = "many small problems at once, against the programs that people take"

PROCESS = "process_seconds"
CUDASW = "B. Schmidt et al., BMC Bioinformatics 25:342 (2024), on an H100"
CUDTW = "more than 90 % of the theoretical peak of a V100: B. Schmidt, C. Hundt, Euro-Par 2020"
# by the serial program: sizes for which it takes minutes
SCORES = {100000: "76034"}
PIECES = {100000: "7833549400897646982"}


def run(session: Session) -> Iterator[Section]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if session.only in (None, "cpu"):
            targets = session.size(3000, 40)
            for queries, count in ((1, targets), (3, targets), *(((3, 10 * targets),) if not session.quick else ())):
                yield proteins(session, folder, queries, count)
            yield reads(session, folder)
            yield pairs(session, folder)
            yield one_or_many(session, "host", 3000 if session.quick else 100000)
        if session.only in (None, "gpu"):
            yield from on_gpu(session, folder)


def failed(figure: str, note: str = "a run failed or its result was wrong") -> Row:
    return Row(figure, note=note)


def time_row(figure: str, result: Optional[Result], key: str = PROCESS) -> Row:
    value = result.median(key) if result else None
    return Row(figure, value, "s", commands=[result.case.command()]) if value is not None and result else failed(figure)


def nests_row(figure: str, result: Result) -> Row:
    """G cells a second of the nests alone, as the program says."""
    value = result.median("rate")
    return Row(figure, value, "GCUPS", commands=[result.case.command()]) if value is not None else failed(figure)


def against(figure: str, theirs: Result, ours: Result, goal: Optional[float] = None, key: str = PROCESS) -> Row:
    value = ratio(theirs, ours, key)
    return Row(figure, value, "×", goal, commands=[ours.case.command(), theirs.case.command()]) if value is not None else failed(figure)


def threads_of(all_threads: int) -> List[int]:
    return [1] if all_threads == 1 else [1, all_threads]


def threads_text(threads: int) -> str:
    return "one thread" if threads == 1 else f"{threads} threads"


def best_of_sw(path: Path) -> Dict[str, int]:
    """The best score of each query."""
    found: Dict[str, int] = {}
    for words in (line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")):
        found[words[0]] = max(found.get(words[0], 0), int(words[5]))
    return found


def compare(results: List[Result], same: bool, what: str) -> None:
    for result in results:
        if result.check == "ok" and not same:
            result.check = what


# --- proteins ---

def best_of_parasail(path: Path) -> Dict[str, int]:
    found: Dict[str, int] = {}
    for words in (line.split(",") for line in path.read_text().splitlines()):
        query = f"q{int(words[0]) + 1}"
        found[query] = max(found.get(query, 0), int(words[4]))
    return found


def proteins(session: Session, folder: Path, queries: int, targets: int) -> Section:
    title = f"proteins: {queries} of 350 residues against {targets}"
    cells = batch_data.proteins(folder, queries, targets)
    ssw, parasail, most = rival("ssw-align"), rival("parasail_aligner"), machine.cores()
    files = [str(folder / "q.fa"), str(folder / "db.fa")]
    jobs, sw = [], ["--protein", "--device=host", "--json"]
    for threads in threads_of(most):
        few = threads_text(threads)
        jobs.append(Job(f"sw, {few}", "sw", [*sw, f"--threads={threads}", f"--out={folder / 'sw.tsv'}", *files], threads))
        if parasail:
            jobs.append(Job(f"parasail, {few}", parasail, ["-a", "sw_striped_16", "-x", "-o", "11", "-e", "1", "-t", str(threads), "-f", files[1],
                                                           "-g", str(folder / "parasail.csv")], threads, folder / "q.fa", folder / "nothing"))
    if ssw:
        jobs.append(Job("ssw-align, one thread", ssw, ["-p", "-o", "11", "-e", "1", files[1], files[0]], 1, out=folder / "ssw.txt"))
    got = take_turns(session, title, jobs, 3 if targets > 5000 else 7)
    if parasail and got["parasail, one thread"].check == "ok" and got["sw, one thread"].check == "ok":
        compare([got["sw, one thread"]], best_of_sw(folder / "sw.tsv") == best_of_parasail(folder / "parasail.csv"), "parasail has other best scores")
    rows = [time_row(name, result) for name, result in got.items()]
    for threads in threads_of(most):
        few = threads_text(threads)
        rows.append(nests_row(f"nests of sw, {few}", got[f"sw, {few}"]))
        if parasail:
            rows.append(against(f"sw against parasail, {few} each", got[f"parasail, {few}"], got[f"sw, {few}"], 1))
    if ssw:
        rows.append(against("sw against ssw-align, one thread each", got["ssw-align, one thread"], got["sw, one thread"], 2))
    if queries > 1 and targets <= 5000:
        job = Job("sw, all hits written, one thread", "sw", [*sw, "--threads=1", "--top=0", f"--out={folder / 'all.tsv'}", *files], 1)
        rows.append(time_row(job.case.name, take_turns(session, f"{title}, all hits", [job], 1)[job.case.name]))
    rows += absent({"ssw-align": ssw, "parasail_aligner": parasail})
    return Section(title, f"{cells * 1e-9:.3g} G cells, BLOSUM62, gaps 11 and 1; parasail striped in 16 bits, ssw-align by its own BLOSUM50. Whole processes, "
                   "medians. The others write all scores and ends; sw the best target of each query (--top=1), or all (--top=0).", rows)


def absent(programs: Dict[str, Optional[str]]) -> List[Row]:
    return [Row(f"against {name}", note="not run: not installed") for name, path in programs.items() if not path]


# --- reads ---

def reads(session: Session, folder: Path) -> Section:
    count, ssw, most = session.size(500, 10), rival("ssw-align"), machine.cores()
    title = f"{count} reads of 150 to 250 letters against {batch_data.GENOME}, both strands"
    cells = batch_data.reads(folder, count)
    files = [str(folder / "reads.fa"), str(folder / "genome.fa")]
    jobs = [Job(f"sw, {threads_text(threads)}", "sw", ["--strand=both", "--device=host", f"--threads={threads}", "--json", f"--out={folder / 'reads.tsv'}",
                                                       *files], threads) for threads in threads_of(most)]
    if ssw:
        jobs.append(Job("ssw-align, one thread", ssw, ["-r", "-m", "2", "-x", "2", "-o", "3", "-e", "1", files[1], files[0]], 1, out=folder / "ssw.txt"))
    got = take_turns(session, title, jobs, 5)
    rows = [time_row(name, result) for name, result in got.items()]
    rows += [nests_row(f"nests of {name}", result) for name, result in got.items() if name.startswith("sw")]
    if ssw:
        theirs = [int(word) for word in re.findall(r"^optimal_alignment_score: (\d+)", (folder / "ssw.txt").read_text(), re.MULTILINE)]
        compare([got["sw, one thread"]], list(best_of_sw(folder / "reads.tsv").values()) == theirs, "ssw-align has other best scores")
        rows.append(against("sw against ssw-align, one thread each", got["ssw-align, one thread"], got["sw, one thread"], 3))
    return Section(title, f"{cells * 1e-9:.3g} G cells, match 2, mismatch 2, gaps 3 and 1. Whole processes, medians.", rows + absent({"ssw-align": ssw}))


# --- series ---

def warp(folder: Path, name: str, precision: str, threads: int, device: str = "host") -> Job:
    shown = threads_text(threads) if device == "host" else f"device {device}"
    return Job(f"dtw, {precision}, {shown}", "dtw", [f"--precision={precision}", f"--device={device}", f"--threads={threads}", "--json",
                                                     f"--out={folder / (name + '.tsv')}", str(folder / (name + ".csv"))], threads)


def sum_of_dtw(path: Path) -> float:
    return sum(float(line.split("\t")[2]) for line in path.read_text().splitlines() if not line.startswith("#"))


def pairs(session: Session, folder: Path) -> Section:
    count, few, samples, most = session.size(800, 24), 12 if session.quick else 40, 100 if session.quick else 1000, machine.cores()
    title = f"dtw: all pairs of {count} series of {samples} samples"
    batch_data.series(folder / "all.csv", count, samples)
    batch_data.series(folder / "few.csv", few, samples)
    got = take_turns(session, title, [warp(folder, "all", precision, most) for precision in ("double", "single")], 3)
    rows = [row for name, result in got.items() for row in (time_row(name, result), nests_row(f"nests of {name}", result))]
    where = dtaidistance_folder(not session.quick)
    if where is None:
        rows.append(Row("against dtaidistance", note="not run: not installed, " + ("and --quick does not fetch it" if session.quick else "and pip cannot fetch it")))
        return Section(title, "Squared differences, no band.", rows)
    jobs = []
    for threads in threads_of(most):
        jobs += [warp(folder, "few", precision, threads) for precision in ("single", "double")]
        jobs.append(Job(f"dtaidistance, {threads_text(threads)}", sys.executable, ["-c", DTAIDISTANCE, str(folder / "few.csv"), str(threads)], threads,
                        env={"PYTHONPATH": where}))
    theirs = take_turns(session, f"all pairs of {few}", jobs, 5)
    for threads in threads_of(most):
        text = threads_text(threads)
        other, ours = theirs[f"dtaidistance, {text}"], theirs[f"dtw, double, {text}"]
        if other.samples and ours.samples:
            compare([ours], abs(sum_of_dtw(folder / "few.tsv") - other.samples[0]["sum"]) <= 1e-5 * other.samples[0]["sum"], "dtaidistance has other distances")
        rows += [nests_row(f"nests of dtw, {precision}, {few} series, {text}", theirs[f"dtw, {precision}, {text}"]) for precision in ("double", "single")]
        cells = few * (few - 1) / 2 * samples * samples
        seconds = other.median()
        rows.append(Row(f"dtaidistance, double, {few} series, {text}", cells / seconds * 1e-9, "GCUPS", commands=[f"dtw.distance_matrix_fast({few}.csv)"])
                    if seconds else failed("dtaidistance"))
        rows += [against(f"dtw in {precision} against dtaidistance, {text} each", other, theirs[f"dtw, {precision}, {text}"], key="seconds")
                 for precision in ("double", "single")]
    return Section(title, f"Squared differences, no band. dtaidistance (its C library) computes in double, all pairs of {few} of the same series; "
                   "there, the time of the distances alone is compared, without reading.", rows)


# --- one problem or many ---

def one_or_many(session: Session, device: str, size: int) -> Section:
    title = f"{(size // 100) ** 2} problems of 100 x 100 against one of {size} x {size}, device {device}"
    more = ["--json", f"--size={size}", f"--device={device}", "--warm=1"]
    found = {}
    known = {"huge": SCORES.get(size), "batch": PIECES.get(size)}
    for method, serial in (("huge", "serial"), ("batch", "serial-batch")):
        if not known[method]:
            line = session.once(title, Case(serial, "bench-batch", ["--json", f"--size={size}", f"--method={serial}"]))
            known[method] = None if isinstance(line, str) else line["checksum"]
        found[method] = Job(method, "bench-batch", [*more, f"--method={method}"], machine.cores())
        found[method].case.expect["checksum"] = str(known[method])
    got = take_turns(session, title, list(found.values()), 5)
    for result in got.values():
        compare([result], all(str(line.get("checksum")) == result.case.expect["checksum"] for line in result.samples), "wrong result")
    value = ratio(got["huge"], got["batch"])
    share = Row("many, share of the rate of one", 100 * value, "%", 50 if device != "host" else None,
                commands=[result.case.command() for result in got.values()]) if value is not None else failed("many, share of the rate of one")
    return Section(title, "Smith-Waterman scores in 32 bits by one nest, as it stands and as a problem of a batch; the same letters and number of cells.",
                   [nests_row("one", got["huge"]), nests_row("many", got["batch"]), share])


# --- GPU ---

def on_gpu(session: Session, folder: Path) -> Iterator[Section]:
    published = [Row("CUDASW++ 4.0, published", 5710.0, "GCUPS", note=CUDASW)]
    if not session.gpu:
        yield Section("proteins on a GPU", rows=[Row("sw", unit="GCUPS", note=session.no_gpu), *published])
        yield Section("series on a GPU", rows=[Row("dtw", unit="GCUPS", note=session.no_gpu), Row("cuDTW++, published", note=CUDTW)])
        return
    device, targets = str(session.gpu["number"]), session.size(100000, 200)
    cells = batch_data.proteins(folder, 6, targets)
    title = f"proteins on a GPU: 6 of 350 residues against {targets}"
    job = Job("sw", "sw", ["--protein", f"--device={device}", "--json", f"--out={folder / 'gpu.tsv'}", str(folder / "q.fa"), str(folder / "db.fa")], machine.cores())
    rival_there = cudasw_rival.Rival(session, title, folder)
    rival_there.run()
    sw = take_turns(session, title, [job], 3)["sw"]
    rival_there.run()
    if rival_there.result.samples and sw.check == "ok":
        compare([sw], best_of_sw(folder / "gpu.tsv") == rival_there.scores, "CUDASW++ 4.0 has other best scores")
    rate, theirs = sw.median("rate"), rival_there.result.median()
    rows = [time_row("sw, whole process", sw), nests_row("nests of sw", sw), *published]
    if rival_there.result.case.program:
        command = rival_there.result.case.command()
        rows.append(Row("CUDASW++ 4.0 here", cells / theirs * 1e-9 if theirs else None, "GCUPS", note="" if theirs else rival_there.result.check, commands=[command]))
        if rate and theirs:
            rows.append(Row("share of CUDASW++ 4.0 here", rate * 1e9 * theirs / cells, "×", 0.5, commands=[sw.case.command(), command]))
    elif rate:
        rows.append(Row("share of CUDASW++ 4.0 as published", rate / 5710, "×", 0.5, f"{session.gpu['name']}; nests here, its kernels there", [sw.case.command()]))
    yield Section(title, f"{cells * 1e-9:.3g} G cells.", rows)
    count, samples = session.size(800, 24), 100 if session.quick else 1000
    batch_data.series(folder / "gpu.csv", count, samples)
    title = f"series on a GPU: all pairs of {count} of {samples} samples"
    got = take_turns(session, title, [warp(folder, "gpu", precision, machine.cores(), device) for precision in ("double", "single")], 3)
    rows = [row for name, result in got.items() for row in (time_row(name, result), nests_row(f"nests of {name}", result))]
    rows[-1].goal = 1000
    yield Section(title, "Squared differences, no band.", [*rows, Row("cuDTW++, published", note=CUDTW)])
    yield one_or_many(session, device, 3000 if session.quick else 100000)
