# SPDX-License-Identifier: Apache-2.0
"""Bar and line plots as SVG text, readable on light and dark pages."""
from html import escape
from math import ceil, floor, log10
from typing import Dict, List, Optional, Sequence, Tuple

COLOURS = ("#3b6fb6", "#d1682b", "#4a9b55", "#a34d9c", "#8a7a2e", "#5a5f66")
STYLE = ("<style>text{font:12px sans-serif;fill:#222}.grid{stroke:#ccc;stroke-width:1}"
         ".goal{stroke:#b00;stroke-width:1.5;stroke-dasharray:5 3}.goaltext{fill:#b00}"
         ".line{fill:none;stroke-width:2}</style>")


def number(value: float) -> str:
    """Three digits that mean something."""
    if value == 0:
        return "0"
    digits = max(0, 2 - int(floor(log10(abs(value)))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def frame(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-label="{escape(title, quote=True)}">{STYLE}'
            f'<rect width="{width}" height="{height}" fill="#fff"/>'
            f'<text x="10" y="20" font-weight="bold">{escape(title)}</text>{"".join(parts)}</svg>\n')


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def ticks(low: float, high: float, logarithmic: bool) -> List[float]:
    if logarithmic:
        return [10.0 ** k for k in range(int(floor(log10(low))), int(ceil(log10(high))) + 1)]
    raw = (high - low) / 5 or 1.0
    unit = 10.0 ** floor(log10(raw))
    step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= raw)
    return [step * k for k in range(int(floor(low / step)), int(ceil(high / step)) + 1)]


class Axis:
    """Maps values to pixels, linearly or by logarithm, over whole ticks."""

    def __init__(self, low: float, high: float, first: float, last: float, logarithmic: bool = False):
        self.logarithmic = logarithmic
        self.ticks = ticks(low, high, logarithmic)
        if len(self.ticks) < 2:
            self.ticks.append(self.ticks[0] * 10 if logarithmic else self.ticks[0] + 1)
        self.first, self.last = first, last

    def place(self, value: float) -> float:
        a, b = self.ticks[0], self.ticks[-1]
        share = log10(value / a) / log10(b / a) if self.logarithmic else (value - a) / (b - a)
        return self.first + share * (self.last - self.first)


def bars(title: str, values: Sequence[Tuple[str, Optional[float]]], unit: str,
         goal: Optional[float] = None) -> str:
    """Horizontal bars, heddle's own in another colour; a value of None leaves its bar out."""
    left, right, row = 250, 640, 26
    height = 60 + row * len(values)
    top = max([v for _, v in values if v] + [goal or 0.0, 1e-9])
    axis = Axis(0, top, left, right)
    parts = []
    for tick in axis.ticks:
        parts.append(line(axis.place(tick), 32, axis.place(tick), height - 24, "grid"))
        parts.append(text(axis.place(tick), height - 8, number(tick), "middle"))
    for k, (name, value) in enumerate(values):
        y = 36 + row * k
        width = axis.place(value or 0.0) - left
        parts.append(text(left - 8, y + 15, name, "end"))
        parts.append(f'<rect x="{left}" y="{y}" width="{width:.1f}" height="{row - 7}" '
                     f'fill="{COLOURS["heddle" in name]}"/>')
        parts.append(text(left + width + 6, y + 15, "none" if value is None else f"{number(value)} {unit}"))
    if goal:
        parts.append(line(axis.place(goal), 32, axis.place(goal), height - 24, "goal"))
    return frame(740, height, title, parts)


def lines(title: str, series: Dict[str, Sequence[Tuple[float, float]]], x_label: str, y_label: str,
          logarithmic: bool = False) -> str:
    """One line per series over x values that stand at equal distances (1024, 2048, …)."""
    left, right, top, bottom = 60, 560, 40, 300
    points = [point for some in series.values() for point in some]
    if not points:
        return frame(740, 60, title, [text(10, 44, "no data")])
    xs = sorted({x for x, _ in points})
    ys = [y for _, y in points]
    axis = Axis(min(ys) if logarithmic else min(0.0, *ys, 0.0), max(ys), bottom, top, logarithmic)
    at = {x: left + 20 + (right - left - 40) * k / max(1, len(xs) - 1) for k, x in enumerate(xs)}
    parts = [text(left, bottom + 38, x_label), text(left, top - 6, y_label)]
    for tick in axis.ticks:
        parts.append(line(left, axis.place(tick), right, axis.place(tick), "grid"))
        parts.append(text(left - 6, axis.place(tick) + 4, number(tick), "end"))
    for x in xs:
        parts.append(text(at[x], bottom + 18, number(x) if x < 1000 else f"{x:.0f}", "middle"))
    for k, (name, some) in enumerate(series.items()):
        colour = COLOURS[k % len(COLOURS)]
        path = " ".join(f"{at[x]:.1f},{axis.place(y):.1f}" for x, y in some)
        parts.append(f'<polyline points="{path}" class="line" stroke="{colour}"/>')
        parts += [f'<circle cx="{at[x]:.1f}" cy="{axis.place(y):.1f}" r="3" fill="{colour}"/>' for x, y in some]
        parts.append(f'<rect x="{right + 14}" y="{top + 20 * k}" width="12" height="12" fill="{colour}"/>')
        parts.append(text(right + 32, top + 20 * k + 11, name))
    return frame(740, bottom + 50, title, parts)
