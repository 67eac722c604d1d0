# SPDX-License-Identifier: Apache-2.0
"""A second build beside the first: every process that a suite starts has a twin there, before or after it in turn.
What both print is compared line by line."""
import json
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, Callable, Dict, List, Sequence, Tuple

import machine
from measure import Row, Section, progress

WORSE = 1.03  # a time that is longer by more is named
ENOUGH = 3  # pairs; fewer are not judged
WAY = ("recurrence", "pattern", "method", "way", "schedule", "device", "size")  # members that tell a program's lines apart

Start = Callable[[Path, Dict[str, str]], "subprocess.CompletedProcess[str]"]
Line = Dict[str, Any]


def lines_of(done: "subprocess.CompletedProcess[str]") -> Dict[str, List[Line]]:
    """The result lines of a process by what they are about."""
    found: Dict[str, List[Line]] = {}
    for text in done.stdout.splitlines():
        line = json.loads(text) if text.startswith("{") else {}
        if "seconds" in line:
            about = " ".join(str(line[key]) for key in WAY[:-1] if key in line) + f" {line.get('size', '')}"
            found.setdefault(about, []).append(line)
    return found


def ratios(pairs: Sequence[Tuple[Line, Line]], key: str) -> List[float]:
    return [new[key] / old[key] for old, new in pairs if new.get(key) and old.get(key)]


class Against:
    def __init__(self, programs: Path):
        self.programs = programs
        self.turn = 0
        self.wrong: List[str] = []
        self.pairs: Dict[Tuple[str, str], List[Tuple[Line, Line]]] = {}
        self.folder = tempfile.TemporaryDirectory(prefix="bench-against-")  # what its programs learn stays apart

    def settings(self, env: Dict[str, str]) -> Dict[str, str]:
        models = env.get("HEDDLE_MODELS", os.environ.get("HEDDLE_MODELS", ""))
        apart = {"XDG_CACHE_HOME": self.folder.name}
        return apart if models in ("", "none") else {**apart, "HEDDLE_MODELS": models + ".against"}

    def run(self, command: str, env: Dict[str, str], start: Start, ours: Path) -> "subprocess.CompletedProcess[str]":
        """Both, the first one in turn; gives back ours."""
        self.turn += 1
        both = [lambda: start(ours, {}), lambda: start(self.programs, self.settings(env))]
        if self.turn % 2:
            new, old = both[0](), both[1]()
        else:
            old, new = both[1](), both[0]()
        if old.returncode and not new.returncode:
            progress(f"against: {command}: exit status {old.returncode} of the other build")
        self.compare(command, lines_of(old), lines_of(new))
        return new

    def compare(self, command: str, old: Dict[str, List[Line]], new: Dict[str, List[Line]]) -> None:
        for about in new:
            pairs = list(zip(old.get(about, []), new[about]))
            if any(a.get("checksum") != b.get("checksum") for a, b in pairs):
                self.wrong.append(command)
            self.pairs.setdefault((command, about), []).extend(pairs)

    def rows(self) -> List[Row]:
        found = []
        several = [command for command, _ in self.pairs]
        for (command, about), pairs in self.pairs.items():
            whole, kernel = ratios(pairs, "seconds"), ratios(pairs, "kernel_seconds")
            if whole:
                times = sorted(old["seconds"] for old, _ in pairs)
                note = (f"{median(times) * 1e3:.3g} ms before; {len(whole)} pairs, {min(whole):.3f} to {max(whole):.3f}"
                        + (f"; in the kernel {median(kernel):.3f}" if kernel else ""))
                figure = command.replace(" --json", "") + (f": {about}" if several.count(command) > 1 else "")
                found.append(Row(figure, median(whole), "×", WORSE if len(whole) >= ENOUGH else None, note, [], True))
        return sorted(found, key=lambda row: -(row.value or 0))

    def suite(self) -> Dict[str, Any]:
        rows = self.rows()
        middle = median(row.value for row in rows if row.value) if rows else 0
        text = (f"The time of this build over that of {self.programs}: the median of pairs, each run one after the other, and who began "
                f"changed. {len(rows)} figures, their median {middle:.3f}; {machine.cores()} cores. ")
        text += f"RESULTS DIFFER: {'; '.join(sorted(set(self.wrong)))}" if self.wrong else "All results are equal."
        return {"name": "against", "title": "this build beside another", "sections": [Section("Every run", text, rows)]}
