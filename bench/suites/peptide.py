# SPDX-License-Identifier: Apache-2.0
"""The peptide search beside Comet (Debian's comet-ms): same proteins, same spectra, same tolerances and modifications;
whole programs, from the start of the process to its end, in turn."""
import os
import re
import shutil
import subprocess
import tempfile
import time
from statistics import median
from typing import Any, Dict, Iterator, List, Optional

import machine
from measure import Case, Result, Row, Section, Session, progress

TITLE = "peptide search: whole program, against Comet"

# what both are told; Comet's own defaults are meant for a wider search
COMET = {"peptide_mass_units": "0", "precursor_tolerance_type": "0", "isotope_error": "0", "variable_mod01": "0.0 X 0 3 -1 0 0",
         "digest_mass_range": "600.0 5000.0", "peptide_length_range": "6 50", "num_output_lines": "1", "output_txtfile": "1",
         "output_pepxmlfile": "0", "allowed_missed_cleavage": "2", "fragment_bin_tol": "1.0005", "fragment_bin_offset": "0.4"}


def run(session: Session) -> Iterator[Section]:
    comet = shutil.which("comet-ms")
    if not comet:
        yield Section(TITLE, rows=[Row("against Comet", note="not run: comet-ms is not installed")])
        return
    with tempfile.TemporaryDirectory() as folder:
        for kind, tolerance, spectra, wide in (("closed", 10.0, session.size(20000, 300), session.size(20000, 300)),
                                               ("open", 100.0, session.size(2000, 60), session.size(4500, 60))):
            if session.only in (None, "cpu"):
                yield Job(session, comet, folder, kind, tolerance, spectra).section("host", 2, 2)
            if session.only in (None, "gpu") and session.gpu: # a GPU's search has to be large to be more than its start
                job = Job(session, comet, folder, kind, tolerance * (5 if kind == "open" else 1), wide)
                yield job.section(str(session.gpu["number"]), machine.cores(), 20 if kind == "open" else None)
            elif session.only in (None, "gpu"):
                yield Section(f"{kind} search on a GPU", rows=[Row("against Comet", note=session.no_gpu)])


class Job:
    """One set of seeded proteins with decoys and of spectra, and both programs on it."""

    def __init__(self, session: Session, comet: str, folder: str, kind: str, tolerance: float, spectra: int):
        self.session, self.comet, self.kind, self.tolerance, self.spectra = session, comet, kind, tolerance, spectra
        self.stem = os.path.join(folder, kind)
        self.unit = "ppm" if kind == "closed" else "da"
        proteins = 400 if session.quick else 4000
        self.make = Case("the data", "peptide", [f"--proteins={proteins}", f"--synthesize={spectra}", f"--out={self.stem}.mgf",
                                                 f"--save-proteins={self.stem}.fasta"])
        self.process(self.make)

    def process(self, case: Case) -> float:
        begin = time.monotonic()
        subprocess.run([str(self.session.programs / case.program)] + case.args, check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - begin

    def write_parameters(self, threads: int) -> None:
        folder = os.path.dirname(self.stem)
        subprocess.run([self.comet, "-p"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "comet.params.new"), encoding="ascii") as file:
            text = file.read()
        wanted = {**COMET, "database_name": f"{self.stem}.fasta", "num_threads": str(threads),
                  "peptide_mass_tolerance": str(self.tolerance), "peptide_mass_units": "2" if self.unit == "ppm" else "0"}
        for key, value in wanted.items():
            text = re.sub(rf"^{key} =.*$", f"{key} = {value}", text, flags=re.MULTILINE)
        with open(f"{self.stem}.params", "w", encoding="ascii") as file:
            file.write(text)

    def run_comet(self, threads: int) -> float:
        self.write_parameters(threads)
        begin = time.monotonic()
        subprocess.run([self.comet, f"-P{self.stem}.params", f"{self.stem}.mgf"], check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - begin

    def ours(self, device: str, threads: int) -> Case:
        return Case(f"peptide, device {device}", "peptide",
                    [f"{self.stem}.fasta", f"{self.stem}.mgf", f"--tolerance={self.tolerance:g}{self.unit}", f"--threads={threads}",
                     f"--device={device}", "--json", f"--out={self.stem}.tsv"], env={"OMP_NUM_THREADS": str(threads)})

    def section(self, device: str, threads: int, goal: Optional[float]) -> Section:
        case = self.ours(device, threads)
        rounds: List[Dict[str, Any]] = []
        ours = Result(case, f"peptide: {self.kind} search", check="ok")
        self.session.results.append(ours)
        for turn in range(self.session.rounds or (1 if self.session.quick else 3)):
            progress(f"peptide: {self.kind}, device {device}, round {turn + 1}")
            line = self.session.once(f"{self.kind} search", case, ours)
            if isinstance(line, str):
                return Section(f"{self.kind} search, device {device}", rows=[Row("peptide", note=line)])
            rounds.append({"ours": line["process_seconds"], "comet": self.run_comet(threads), "line": line})
        line = rounds[0]["line"]
        text = (f"{self.spectra} spectra, {line['size'].split('x')[1]} candidates, {line['compared']:.3g} comparisons at ±{self.tolerance:g} "
                f"{self.unit}; {threads} threads each.")
        commands = [self.make.command(), case.command(), f"comet-ms -P{self.kind}.params {self.kind}.mgf"]
        same, found = self.agreement()
        return Section(f"{self.kind} search, device {device}", text, [
            Row("peptide, whole program", median(one["ours"] for one in rounds), "s", commands=commands[:2]),
            Row("the loop alone", median(one["line"]["rate"] for one in rounds) * 1e3, "M candidates/s", commands=commands[:2]),
            Row("Comet", median(one["comet"] for one in rounds), "s", commands=commands[2:]),
            Row("faster than Comet", median(one["comet"] / one["ours"] for one in rounds), "×", goal, commands=commands),
            Row(f"of {found} identifications (q <= 0.01) Comet has the same", 100.0 * same / max(found, 1), "%", commands=commands)])

    def agreement(self) -> Any:
        theirs = {}
        with open(f"{self.stem}.txt", encoding="ascii") as file:
            for row in (line.split("\t") for line in file.readlines()[2:]):
                theirs[row[0]] = row[11].replace("I", "L")
        same = found = 0
        with open(f"{self.stem}.tsv", encoding="ascii") as file:
            for row in (line.rstrip("\n").split("\t") for line in file if not line.startswith("#")):
                if row[1] == "1" and float(row[12]) <= 0.01 and row[11] == "0":
                    found += 1
                    same += theirs.get(row[0]) == re.sub(r"\[.*?\]", "", row[6][2:-2]).replace("I", "L")
        return same, found
