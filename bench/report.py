# SPDX-License-Identifier: Apache-2.0
"""results.json, report.md and report.html from what the suites returned."""
import json
import os
from html import escape
from pathlib import Path
from typing import Any, Dict, List, TextIO

from measure import Row, Section, Session
from svg import number

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>heddle benchmarks</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body{{font:15px/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em;color:#222;background:#fff}}
table{{border-collapse:collapse;margin:.8em 0}}td,th{{border:1px solid #ccc;padding:.25em .6em;text-align:left}}
td.n{{text-align:right;font-variant-numeric:tabular-nums}}
.ok{{color:#176b2c}}.short{{color:#b00020;font-weight:bold}}
pre{{background:#f4f4f4;padding:.5em;overflow-x:auto;font-size:12px}}svg{{max-width:100%;height:auto}}
details{{margin:.2em 0 1em}}</style></head><body>
{body}
</body></html>
"""


def verdict(row: Row, quick: bool) -> str:
    if row.goal is None or row.value is None:
        return ""
    if quick:
        return "not judged (--quick)"
    return "ok" if (row.value <= row.goal if row.most else row.value >= row.goal) else "short"


def section_record(section: Section, quick: bool) -> Dict[str, Any]:
    rows = [{"figure": row.figure, "value": row.value, "unit": row.unit, "goal": row.goal, "most": row.most,
             "verdict": verdict(row, quick), "note": row.note, "commands": row.commands}
            for row in section.rows]
    return {"title": section.title, "text": section.text, "rows": rows, "tables": section.tables,
            "plots": section.plots}


def record(header: Dict[str, Any], done: List[Dict[str, Any]], session: Session) -> Dict[str, Any]:
    quick = header["quick"] or session.side is not None
    suites = [{"name": suite["name"], "title": suite["title"],
               "sections": [section_record(section, quick) for section in suite["sections"]]}
              for suite in done]
    runs = [result.record() for result in session.results]
    return {"format": 1, **header, "suites": suites, "runs": runs,
            "failed": [f"{run['group']}: {run['case']}" for run in runs if run["check"] != "ok"]}


def value_text(row: Dict[str, Any]) -> str:
    return "" if row["value"] is None else f"{number(row['value'])} {row['unit']}"


def goal_text(row: Dict[str, Any]) -> str:
    return "" if row["goal"] is None else f"{'≤' if row['most'] else '≥'} {number(row['goal'])} {row['unit']}"


def facts(data: Dict[str, Any]) -> List[List[str]]:
    machine = data["machine"]
    rows = [["command", " ".join(data["command"])], ["date", machine["date"]],
            ["processor", f"{machine['cpu']}, {machine['cores']} cores usable"],
            ["memory", f"{machine['memory_gib']} GiB"], ["system", machine["system"]],
            ["load at start", str(machine["load_at_start"])]]
    rows += [["GPU", f"{gpu['name']}, driver {gpu['driver']}, {gpu['memory']}"] for gpu in machine["gpus"]]
    if not machine["gpus"]:
        rows.append(["GPU", "none"])
    return rows + [[name, text] for name, text in data["versions"].items()]


def run_rows(data: Dict[str, Any]) -> List[List[str]]:
    rows = []
    for run in data["runs"]:
        seconds = run["seconds"]
        times = [f"{seconds[k]:.4g}" if seconds else "" for k in ("median", "min", "max")]
        rows.append([run["group"], run["case"], str(len(run["runs"]))] + times + [run["check"], run["command"]])
    return rows


ROW_HEAD = ["figure", "measured", "goal", ""]
RUN_HEAD = ["group", "case", "runs", "median s", "min", "max", "check", "command"]


def row_cells(row: Dict[str, Any]) -> List[str]:
    last = "; ".join(word for word in (row["verdict"], row["note"]) if word)
    return [row["figure"], value_text(row), goal_text(row), last]


def summary(data: Dict[str, Any]) -> str:
    failed = data["failed"]
    text = f"{len(data['runs'])} cases, " + (f"{len(failed)} FAILED: {', '.join(failed)}." if failed else
                                             "no wrong result.")
    return text + (" Sizes reduced (--quick): goals are stated for the full sizes." if data["quick"] else "") + \
        ("" if data["complete"] else " NOT FINISHED: the run goes on, or was cut off here.")


def replace(path: Path, words: str) -> None:
    """At once: who is cut off while writing keeps the report before."""
    new = path.with_name(path.name + ".new")
    new.write_text(words, encoding="utf-8")
    os.replace(new, path)


class Markdown:
    """Writes report.md; plots go into files beside it."""

    def __init__(self, out: Path):
        self.out = out
        self.parts: List[str] = []

    def heading(self, level: int, words: str) -> None:
        self.parts.append(f"{'#' * level} {words}\n")

    def paragraph(self, words: str) -> None:
        self.parts.append(words + "\n")

    def table(self, head: List[str], body: List[List[str]]) -> None:
        cells = [[cell.replace("|", "\\|") for cell in row] for row in [head, ["---"] * len(head)] + body]
        self.parts.append("\n".join(f"| {' | '.join(row)} |" for row in cells) + "\n")

    def commands(self, commands: List[str]) -> None:
        if commands:
            self.parts.append("```sh\n" + "\n".join(commands) + "\n```\n")

    def plot(self, plot: Dict[str, Any]) -> None:
        replace(self.out / f"{plot['name']}.svg", plot["svg"])
        self.parts.append(f"![{plot['title']}]({plot['name']}.svg)\n")

    def close(self) -> None:
        replace(self.out / "report.md", "\n".join(self.parts))


class Html:
    """Writes report.html, with everything in it."""

    def __init__(self, out: Path):
        self.out = out
        self.parts: List[str] = []

    def heading(self, level: int, words: str) -> None:
        self.parts.append(f"<h{level}>{escape(words)}</h{level}>")

    def paragraph(self, words: str) -> None:
        self.parts.append(f"<p>{escape(words)}</p>")

    def table(self, head: List[str], body: List[List[str]]) -> None:
        top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        rows = "".join(f"<tr>{''.join(self.cell(cell) for cell in row)}</tr>\n" for row in body)
        self.parts.append(f"<table><tr>{top}</tr>\n{rows}</table>")

    @staticmethod
    def cell(words: str) -> str:
        kind = words if words in ("ok", "short") else "n" if words[:1].isdigit() and len(words) < 16 else ""
        return f'<td class="{kind}">{escape(words)}</td>' if kind else f"<td>{escape(words)}</td>"

    def commands(self, commands: List[str]) -> None:
        if commands:
            words = escape("\n".join(commands))
            self.parts.append(f"<details><summary>commands</summary><pre>{words}</pre></details>")

    def plot(self, plot: Dict[str, Any]) -> None:
        self.parts.append(f"<figure>{plot['svg']}</figure>")

    def close(self) -> None:
        replace(self.out / "report.html", PAGE.format(body="\n".join(self.parts)))


def write_section(page: Any, section: Dict[str, Any]) -> None:
    page.heading(3, section["title"])
    if section["text"]:
        page.paragraph(section["text"])
    if section["rows"]:
        page.table(ROW_HEAD, [row_cells(row) for row in section["rows"]])
        page.commands([line for row in section["rows"] if row["commands"]
                       for line in [f"# {row['figure']}"] + list(dict.fromkeys(row["commands"]))])
    for table in section["tables"]:
        page.paragraph(table["title"])
        page.table(table["head"], table["body"])
        page.commands(table["commands"])
    for plot in section["plots"]:
        page.plot(plot)
        page.commands(plot["commands"])


def write_page(page: Any, data: Dict[str, Any]) -> None:
    page.heading(1, "heddle benchmarks")
    page.paragraph(summary(data))
    page.table(["", ""], facts(data))
    for suite in data["suites"]:
        page.heading(2, f"{suite['name']}: {suite['title']}")
        for section in suite["sections"]:
            write_section(page, section)
    page.heading(2, "All runs")
    page.paragraph("Seconds of the measured call; every single run is in results.json.")
    page.table(RUN_HEAD, run_rows(data))
    page.close()


def write(out: Path, data: Dict[str, Any]) -> None:
    replace(out / "results.json", json.dumps(data, indent=1) + "\n")
    for page in (Markdown(out), Html(out)):
        write_page(page, data)


def print_rows(data: Dict[str, Any], to: TextIO) -> None:
    """The figures as a plain table on the terminal."""
    rows = [row_cells(row) for suite in data["suites"] for section in suite["sections"]
            for row in section["rows"]]
    widths = [max([len(row[k]) for row in rows] + [0]) for k in range(3)]
    for row in rows:
        print("  ".join([cell.ljust(width) for cell, width in zip(row, widths)] + row[3:]).rstrip(), file=to)
    print(summary(data), file=to)
