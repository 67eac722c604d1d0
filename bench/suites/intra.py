# SPDX-License-Identifier: Apache-2.0
"""The H.264 intra encoder on the task pool, beside x264 with the same tools on the same pictures."""
import os
import tempfile
from statistics import median
from typing import Dict, List, Optional

import machine
from measure import Case, Result, Row, Section, Session

TITLE = "H.264 intra encoder: macroblocks on the task pool, whole encoder, x264"


def run(session: Session) -> List[Section]:
    if not (session.programs / "bench-x264").exists():
        row = Row("x264", note="not run: libx264-dev was not there when the programs were built")
        return [Section("H.264 intra", rows=[row])]
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=folder) as place:
        return sections(session, os.path.join(place, "video.y4m"))


def sections(session: Session, video: str) -> List[Section]:
    frames, size = (16, "640x360") if session.quick else (256, "1920x1080")
    make = Case("the pictures", "bench-x264", [f"--size={size}", f"--frames={frames}", f"--save={video}"])
    session.execute(make)
    parts = []
    if session.only in (None, "cpu"):
        parts.append(encoder(session, "host", video, min(frames, 64), size))
    if session.only in (None, "gpu"):
        if session.gpu:
            parts.append(encoder(session, str(session.gpu["number"]), video, frames, size))
        else:
            parts.append(Section("H.264 intra on a GPU", rows=[Row("mode decision and reconstruction", unit="fps",
                                                                   note=session.no_gpu)]))
    return parts


def encoder(session: Session, device: str, video: str, frames: int, size: str) -> Section:
    """Rounds of one run of each, so that a ratio compares runs that were seconds apart."""
    threads = machine.cores()
    common = [video, f"--frames={frames}", "--qp=28", "--json"]
    stream = os.path.join(os.path.dirname(video), "out.264")
    cases = {"intra": Case(f"intra, device {device}", "intra",
                           common + [f"--device={device}", "--repeat=3", f"--threads={threads}", f"--out={stream}"],
                           expect={"device": device}),
             "x264": Case(f"x264 ultrafast with 4x4 prediction, {threads} threads", "bench-x264",
                          common + [f"--threads={threads}", f"--out={stream}"])}
    check(session, device)
    rounds = []
    for turn in range(session.rounds or (1 if session.quick else 5)):
        rounds.append({name: session.measure(f"device {device}, {name}, round {turn + 1}", [case], 1)[case.name]
                       for name, case in cases.items()})
    commands = [case.command() for case in cases.values()]
    text = (f"{frames} frames of {size}, QP 28, Y4M in memory, the stream written to memory. x264's pictures are in memory "
            "as planes before its clock starts; intra reads the file while it runs.")
    return Section(f"H.264 intra, device {device}", text, rows(rounds, device, commands))


def check(session: Session, device: str) -> None:
    case = Case(f"check against the serial program, device {device}", "intra",
                ["--size=640x360", "--frames=20", "--slices=3", "--check", "--json", f"--device={device}"],
                expect={"check": "ok", "device": device})
    session.measure(f"check, device {device}", [case], 1)


def middle(rounds: List[Dict[str, Result]], name: str, key: str) -> Optional[float]:
    values = [one[name].median(key) for one in rounds]
    return median(values) if values and None not in values else None


def of_both(rounds: List[Dict[str, Result]], key: str) -> Optional[float]:
    pairs = [(one["intra"].median(key), one["x264"].median(key)) for one in rounds]
    return median(ours / theirs for ours, theirs in pairs) if pairs and None not in sum(pairs, ()) else None


def gain(rounds: List[Dict[str, Result]], key: str) -> Optional[float]:
    ours, theirs = middle(rounds, "intra", key), middle(rounds, "x264", key)
    return None if ours is None or theirs is None else ours - theirs


def rows(rounds: List[Dict[str, Result]], device: str, commands: List[str]) -> List[Row]:
    gpu = device != "host"
    larger = of_both(rounds, "bytes")
    return [Row("mode decision and reconstruction", middle(rounds, "intra", "core_fps"), "fps", 1500 if gpu else None,
                commands=commands[:1]),
            Row("whole encoder", middle(rounds, "intra", "rate"), "fps", commands=commands[:1]),
            Row("x264", middle(rounds, "x264", "rate"), "fps", commands=commands[1:]),
            Row("whole encoder, against x264", of_both(rounds, "rate"), "×", 1 if gpu else None, commands=commands),
            Row("x264's bytes, against ours", None if larger is None else 1 / larger, "×", 0.91, commands=commands),
            *(Row(f"PSNR of {plane}, above x264's", gain(rounds, f"psnr_{plane.lower()}"), "dB", 0, commands=commands)
              for plane in "YUV")]
