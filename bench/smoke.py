# SPDX-License-Identifier: Apache-2.0
"""Smoke test of bench/run on tiny problems: exit status, results.json, reports, and that a wrong
result is noticed. usage: smoke.py PROGRAMS OUT"""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ("bench-score", "bench-matrix", "bench-doacross")  # of suite foundation


def run(programs: Path, out: Path, *more: str) -> subprocess.CompletedProcess:
    shutil.rmtree(out, ignore_errors=True)
    return subprocess.run([sys.executable, str(HERE / "run"), "--quick", "--device=host", "--rounds=1", "--size=512",
                           f"--programs={programs}", f"--out={out}", *more],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)


def check_good(programs: Path, out: Path) -> None:
    done = run(programs, out, "foundation")
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "results.json").read_text())
    assert record["failed"] == [] and len(record["runs"]) > 20, record["failed"]
    assert all(one["runs"] and one["seconds"]["min"] > 0 for one in record["runs"])
    page = (out / "report.html").read_text()
    assert "<svg" in page and "bench-score --json" in page and "src=" not in page
    assert "not run: --device=host" in (out / "report.md").read_text()


def check_cpu(programs: Path, out: Path) -> None:
    done = run(programs, out, "cpu", "--size=150")
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "results.json").read_text())
    assert record["failed"] == [] and len(record["runs"]) > 50, record["failed"]


def check_tasks(programs: Path, out: Path) -> None:
    done = run(programs, out, "tasks", "--size=64")
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "results.json").read_text())
    assert record["failed"] == [] and len(record["runs"]) == 6, record["failed"]


def check_gemm(programs: Path, out: Path) -> None:
    done = run(programs, out, "gemm", "--size=90")
    assert done.returncode == 0, done.stderr
    text = (out / "report.md").read_text()
    assert text.count("against plain C") >= 2 and "not run: --device=host" in text, text


def check_wavefront(programs: Path, out: Path) -> None:
    done = run(programs, out, "wavefront", "--size=300")
    assert done.returncode == 0, done.stderr
    text = (out / "report.md").read_text()
    assert "All methods computed the same." in text and "not run: --device=host" in text, text
    assert text.count("registers against the serial loop") >= 6


def check_host(programs: Path, out: Path) -> None:
    done = run(programs, out, "host")
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "results.json").read_text())
    rows = [row for section in record["suites"][0]["sections"] for row in section["rows"]]
    assert record["failed"] == [] and all(row["value"] for row in rows), rows


def check_batch(programs: Path, out: Path) -> None:
    """Rivals that are not installed are named, and nothing is fetched."""
    done = run(programs, out, "batch", "--size=20")
    assert done.returncode == 0, done.stderr
    text = (out / "report.md").read_text()
    assert "many, share of the rate of one" in text and "CUDASW++ 4.0, published" in text and "not run: --device=host" in text, text
    record = json.loads((out / "results.json").read_text())
    assert record["failed"] == [] and len(record["suites"][0]["sections"]) == 7, record["failed"]


def check_jobs(programs: Path, out: Path) -> None:
    """The paper's machines, simulated: every table is there, and the LP is ahead of stealing."""
    done = run(programs, out, "jobs")
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "results.json").read_text())
    assert record["failed"] == [] and len(record["suites"][0]["sections"]) > 5, record["failed"]


def check_jobs_here(programs: Path, out: Path) -> None:
    """On two devices of the processor in place of GPUs, where such programs were built: every part is there and every result is right."""
    apps = [name for name in ("ccd", "pathtrace", "roadmap") if (programs / "tests" / f"{name}-devices").exists()]
    if not apps:
        return
    shutil.rmtree(out, ignore_errors=True)
    (out / "programs").mkdir(parents=True)
    for name in ("bench-score", "heddle"):
        os.symlink(programs / name, out / "programs" / name)
    for name in apps:
        os.symlink(programs / "tests" / f"{name}-devices", out / "programs" / name)
    done = subprocess.run([sys.executable, str(HERE / "run"), "jobs", "--quick", "--only=gpu", "--rounds=1", "--device=host",
                           f"--programs={out / 'programs'}", f"--out={out / 'report'}"], env={**os.environ, "BENCH_DEVICES": "0,1"},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "report" / "results.json").read_text())
    sections = record["suites"][0]["sections"]
    assert record["failed"] == [] and len(sections) == len(apps) + 3 + 2 * ("ccd" in apps), record["failed"]
    types, devices = sections[-2]["tables"]
    assert len(types["body"]) > 3 * len(apps) and len(devices["body"][0]) == len(devices["head"]), sections[-2]
    assert len(sections[-1]["tables"][0]["body"]) == len(apps) + 2 * ("ccd" in apps), sections[-1]


def check_graph(programs: Path, out: Path) -> None:
    """What runs here, without the simulated part; no device takes part."""
    done = run(programs, out, "graph", "--only=gpu")
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "results.json").read_text())
    sections = record["suites"][0]["sections"]
    assert record["failed"] == [] and len(sections) == (5 if (programs / "softbody").exists() else 1), record["failed"]
    assert sections[0]["rows"][0]["note"] == "not run: --device=host", sections[0]


def lying_programs(programs: Path, folder: Path) -> None:
    """The same programs, but the score program is one off in every heddle run."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in PROGRAMS[1:]:
        os.symlink(programs / name, folder / name)
    liar = folder / PROGRAMS[0]
    liar.write_text(f'#!/bin/sh\ncase "$*" in *heddle*) change=1;; *) change=;; esac\n'
                    f'"{programs / PROGRAMS[0]}" "$@" | sed "s/\\"checksum\\": \\"/&$change/"\n')
    liar.chmod(0o755)


def check_bad(programs: Path, out: Path) -> None:
    lying_programs(programs, out / "programs")
    done = run(out / "programs", out / "bad", "for", "foundation")  # `for` has none of its programs: the other one gets its turn
    assert done.returncode == 1, (done.returncode, done.stderr)
    failed = json.loads((out / "bad" / "results.json").read_text())["failed"]
    assert failed[0] == "for: suite for", failed
    assert len(failed) > 1 and all("heddle" in name for name in failed[1:]), failed


def check_cut_off(programs: Path, out: Path) -> None:
    """A run that is stopped has a report with what was done until then."""
    out.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(out / "programs", ignore_errors=True)
    (out / "programs").mkdir()
    for name in PROGRAMS:
        os.symlink(programs / name, out / "programs" / name)
    stuck = out / "programs" / "heddle"  # the simulator: stops bench/run, as a terminal would, where the second part begins
    stuck.write_text(f'#!/bin/sh\ncase "$*" in *cost=60s*) kill -INT $PPID; exec sleep 2;; *) exec "{programs / "heddle"}" "$@";; esac\n')
    stuck.chmod(0o755)
    command = [sys.executable, str(HERE / "run"), "for", "--quick", "--device=host", f"--programs={out / 'programs'}", f"--out={out / 'report'}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    record = json.loads((out / "report" / "results.json").read_text())
    assert done.returncode == 130 and not record["complete"], (done.returncode, done.stderr)
    assert [part["title"] for part in record["suites"][0]["sections"]] == ["What a schedule has to cope with"], record["suites"][0]
    assert "NOT FINISHED" in (out / "report" / "report.md").read_text()


def check_for(programs: Path, out: Path) -> None:
    """What is measured of it; the simulated part takes longer than all else here."""
    done = run(programs, out, "for", "--only=gpu")
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "results.json").read_text())
    assert record["failed"] == [] and record["complete"], record["failed"]
    last = record["suites"][0]["sections"][-2]
    assert last["title"] == "Every real loop" and len(last["tables"][0]["body"]) == 9, last


def check_prefix(programs: Path, out: Path) -> None:
    done = run(programs, out, "prefix")
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "results.json").read_text())
    assert record["failed"] == [] and len(record["runs"]) == 6, record["failed"]


def check_against(programs: Path, out: Path) -> None:
    """Beside themselves, and beside a build whose results are others."""
    done = run(programs, out / "itself", "foundation", f"--against={programs}")
    assert done.returncode == 0, done.stderr
    rows = json.loads((out / "itself" / "results.json").read_text())["suites"][-1]["sections"][0]["rows"]
    assert len(rows) > 20 and all(row["value"] > 0 and "pairs" in row["note"] for row in rows), rows
    lying_programs(programs, out / "programs")
    done = run(programs, out / "other", "foundation", f"--against={out / 'programs'}")
    assert done.returncode == 1 and "RESULTS DIFFER: bench-score" in (out / "other" / "report.md").read_text(), done.stderr


def check_usage(programs: Path, out: Path) -> None:
    for wrong in (["nothing"], ["--device=x"], ["--size=0"], [f"--programs={out / 'empty'}"], [f"--against={out / 'empty'}"]):
        done = run(programs, out / "usage", *wrong)
        assert done.returncode == 2, (wrong, done.returncode, done.stderr)
    assert run(programs, out / "usage", "--list").stdout.startswith("foundation")


def main() -> None:
    programs, out = (Path(word).resolve() for word in sys.argv[1:3])
    check_good(programs, out / "good")
    check_cpu(programs, out / "cpu")
    check_tasks(programs, out / "tasks")
    check_gemm(programs, out / "gemm")
    check_wavefront(programs, out / "wavefront")
    check_for(programs, out / "for")
    check_cut_off(programs, out / "cut-off")
    check_bad(programs, out)
    check_prefix(programs, out / "prefix")
    check_host(programs, out / "host")
    check_batch(programs, out / "batch")
    check_jobs(programs, out / "jobs")
    check_jobs_here(programs, out / "jobs-here")
    check_graph(programs, out / "graph")
    check_against(programs, out / "against")
    check_usage(programs, out)


if __name__ == "__main__":
    main()
