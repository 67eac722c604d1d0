# SPDX-License-Identifier: Apache-2.0
"""outputs.py BIN: every program that writes a file, with its N-th write failing or the program killed there, N = 1, 2, ...

Under the file's name is what was there before, or all of the new one; nothing else is left once the next run was there. A write that fails is
said in one line, and the exit status is not zero. /dev/full is refused, /dev/stdout and pipes are written to."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

BEFORE = b"before\n"
PROGRAMS = [  # the command without the file, its option, endings
    (["sw", "q.fa", "t.fa"], "--out=", [".tsv"]),
    (["dtw", "s.txt"], "--out=", [".tsv"]),
    (["dtw", "s.txt"], "--matrix-out=", [".tsv"]),
    (["heat2d", "--size=20x20"], "--out=", [".png", ".pgm", ".bin"]),
    (["heat2d", "--size=20x20"], "--residuals=", [".tsv"]),
    (["sor", "--size=20"], "--residuals=", [".tsv"]),
    (["sat", "--size=20x20"], "--out=", [".bin", ".png"]),
    (["inthist", "--size=16x16"], "--out=", [".bin"]),
    (["gemm", "--size=20", "--device=host"], "--out=", [".npy", ".bin"]),
    (["raytrace", "--size=24x16", "--device=host"], "--out=", [".png", ".ppm"]),
    (["pathtrace", "--size=24x16", "--triangles=90", "--device=host"], "--out=", [".png", ".ppm"]),
    (["pathtrace", "--size=24x16", "--triangles=90", "--device=host"], "--hdr=", [".pfm"]),
    (["ccd", "--size=200", "--device=host"], "--out=", [".tsv"]),
    (["ccd", "--size=200", "--device=host"], "--mesh=", [".obj"]),
    (["ccd", "--size=200", "--pixels=24", "--device=host"], "--picture=", [".png", ".ppm"]),
    (["intra", "--size=64x64", "--frames=2", "--device=host"], "--out=", [".264"]),
    (["intra", "--size=64x64", "--frames=2", "--device=host"], "--recon=", [".yuv"]),
    (["peptide", "--synthesize=5", "--device=host"], "--out=", [".mgf", ".mzML"]),
]
environment = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_")} | {"HEDDLE_MODELS": "none", "HEDDLE_DEVICE": "host"}
bad = []


def run(command, folder, fault=None, **more):
    extra = {"HEDDLE_FAULT": fault} if fault else {}
    return subprocess.run(command, cwd=folder, env=environment | extra, capture_output=True, timeout=300, **more)


def messages(result):
    text = result.stderr.decode(errors="replace")
    return [line for line in text.splitlines() if "HEDDLE_FAULT" not in line and line.strip()]


def check(condition, *what):
    if not condition:
        bad.append(what)
        print("BAD", *what, flush=True)


def one(program, option, ending):
    name = " ".join(program[:1] + [option + "x" + ending])
    with tempfile.TemporaryDirectory(prefix="heddle-outputs-") as folder:
        place = pathlib.Path(folder)
        (place / "q.fa").write_text(">q\nACGTACGTTTACG\n")
        (place / "t.fa").write_text(">t\nACGTTCGTTTACG\n>u\nTTTACG\n")
        (place / "s.txt").write_text("1\n2\n3\n\n2\n3\n5\n")
        file = place / ("x" + ending)
        command = [bin_folder / program[0], *program[1:], option + file.name]
        first = run(command, folder)
        check(first.returncode == 0, name, "fails:", first.stderr[-300:])
        if first.returncode:
            return
        good, others = file.read_bytes(), sorted(os.listdir(folder))
        for kind in ("write", "kill"):
            for n in range(1, 400):
                file.write_bytes(BEFORE)
                result = run(command, folder, f"{kind}:{n}")
                if result.returncode == 0 and b"HEDDLE_FAULT" not in result.stderr:
                    break
                now = file.read_bytes() if file.exists() else None
                if kind == "kill":
                    check(result.returncode == -signal.SIGKILL, name, kind, n, "status", result.returncode)
                    check(now in (BEFORE, good), name, kind, n, "half a file")
                else:
                    check(result.returncode > 0 and len(messages(result)) == 1, name, kind, n, "status", result.returncode, messages(result))
                    check(now == BEFORE, name, kind, n, "the file from before is gone")
            check(n > 1, name, kind, "nothing could be made to fail")
            run(command, folder)
            check(file.read_bytes() == good and sorted(os.listdir(folder)) == others, name, kind, "something is left:", os.listdir(folder))
        full = place / ("full" + ending)
        full.symlink_to("/dev/full")
        result = run([*command[:-1], option + full.name], folder)
        check(result.returncode > 0 and len(messages(result)) == 1, name, "/dev/full", result.returncode, messages(result))
        to_stdout = place / ("out" + ending)
        to_stdout.symlink_to("/dev/stdout")
        result = run([*command[:-1], option + to_stdout.name], folder)
        check(result.returncode == 0 and good in result.stdout, name, "/dev/stdout", result.returncode, messages(result))
        check(to_stdout.is_symlink(), name, "/dev/stdout: the link is gone")


bin_folder = pathlib.Path(sys.argv[1])
there = [(p, o, e) for p, o, endings in PROGRAMS for e in endings if (bin_folder / p[0]).exists()]
for case in there:
    one(*case)
print(f"{len(there)} outputs, {len(bad)} bad")
sys.exit(77 if not there else bool(bad))
