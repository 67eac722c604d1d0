# SPDX-License-Identifier: Apache-2.0
"""Timelines as figures 2 and 3 of Tzeng, Lloyd and Owens (2012): workers down, time across, white where one is idle."""
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from svg import frame, number, text

Spans = Dict[str, List[Tuple[int, int]]]  # begin and end in ns, by worker
LEFT, RIGHT, TOP, ROW, GAP = 10, 690, 34, 5, 26


def last_run(path: Path, tasks: int) -> Spans:
    """The last `tasks` tasks on a device in a file that HEDDLE_TRACE has written."""
    tracks: List[Tuple[str, str]] = []
    names: List[str] = []
    found: List[Tuple[int, int, str]] = []
    for line in path.read_text().splitlines():
        word = line.split("\t")
        if word[0] == "track":
            tracks.append((word[1], word[2]))
        elif word[0] == "name":
            names.append(word[1])
        elif word[0] == "e":
            group, track = tracks[int(word[1])]
            if group.startswith("device") and " task " in names[int(word[2])]:
                found.append((int(word[3]), int(word[3]) + int(word[4]), track))
    spans: Spans = {}
    for begin, end, track in sorted(found)[-tasks:]:
        spans.setdefault(track, []).append((begin, end))
    return spans


def extent(spans: Spans) -> Tuple[int, int]:
    every = [span for some in spans.values() for span in some]
    return (min(begin for begin, _ in every), max(end for _, end in every)) if every else (0, 0)


def busy(spans: Spans) -> Optional[float]:
    """The share of the workers' time in which they run tasks."""
    first, last = extent(spans)
    work = sum(end - begin for some in spans.values() for begin, end in some)
    return work / (len(spans) * (last - first)) if last > first else None


def panel(name: str, spans: Spans, y: float, longest: int) -> List[str]:
    first, last = extent(spans)
    scale = (RIGHT - LEFT) / longest
    share = busy(spans)
    label = f"{name}: {number((last - first) / 1e6)} ms" + (f", {100 * share:.0f} % busy" if share else "")
    parts = [text(LEFT, y - 5, label)]
    for k, worker in enumerate(sorted(spans, key=lambda one: int(one.rsplit(" ", 1)[1]))):
        middle = y + ROW * k + ROW / 2
        path = "".join(f"M{LEFT + (begin - first) * scale:.1f} {middle:g}h{max(.1, (end - begin) * scale - .15):.1f}"
                       for begin, end in spans[worker])
        parts.append(f'<path d="{path}" stroke="{"#3b6fb6" if k % 2 else "#5b8fd0"}" stroke-width="{ROW - 1}"/>')
    return parts


def picture(title: str, panels: Sequence[Tuple[str, Spans]]) -> str:
    shown = [(name, spans) for name, spans in panels if spans]
    longest = max([extent(spans)[1] - extent(spans)[0] for _, spans in shown] + [1])
    parts: List[str] = []
    y = TOP + GAP / 2
    for name, spans in shown:
        parts += panel(name, spans, y, longest)
        y += ROW * len(spans) + GAP
    return frame(RIGHT + 10, int(y), title, parts)
