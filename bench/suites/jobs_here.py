# SPDX-License-Identifier: Apache-2.0
"""Jobs on this machine's devices: the applications of Kim et al. 2013 by every policy, each device alone and all
together; published beside measured. Devices that OpenMP has on the processor may stand in for GPUs: BENCH_DEVICES=0,1."""
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from statistics import mean
from typing import Any, Dict, Iterator, List, Optional, Tuple

from measure import Case, Result, Row, Section, Session, progress

POLICIES = ["lp", "lp_steal", "lp_published", "lau10", "steal_times", "proportional", "hpccd"]
FAMILIES = {"steal": ("30", "50", "70"), "tan09": ("1000", "5000", "20000")}  # the best is reported, as in the paper
# Fig. 4 (Machine 1) and section 5.5: how far the LP is ahead on average; 0: not published
AHEAD = {"steal": 22, "steal_times": 12, "lau10": 0, "tan09": 0, "proportional": 26}
# Table 3: frames per second of the CPUs and GPUs of 2012
TABLE3 = {"ccd, cloth": "9.75 … 64.6", "ccd, bodies": "3.80 … 32.4", "ccd, funnel": "3.60 … 23.6 (fracture)",
          "pathtrace": "0.004 … 0.020", "roadmap": "0.25 … 0.71 (samples alone)"}
IDLE = {"ccd, cloth": 0.18, "ccd, bodies": 0.18, "ccd, funnel": 0.16, "pathtrace": 0.01, "roadmap": 0.13}  # Table 4, means
AUTO = "nothing named"
LINE = re.compile(r"^heddle: (?:.*/)?([^/:]+:\d+):   (.+) \((host|device)\)[^:]*: (\d+) of (\d+) jobs, (\S+) s and (\S+) s each, correlation (\S+)$")
BUSY = re.compile(r"^heddle: (?:.*/)?([^/:]+:\d+):   (\d+) batches, (\d+) run again, busy (\d+) %(?:; \S+ MB of memory for lists, (\S+) MB came or went)?")
WHOLE = re.compile(r"^heddle: (?:.*/)?([^/:]+:\d+): jobs, (\S+): (\S+) s; (\d+) decisions took (\S+) s .*?, (\d+) linear programs; (\d+) steals")


def devices_of(session: Session) -> List[str]:
    """Numbers of those that take part beside the host."""
    named = os.environ.get("BENCH_DEVICES")
    if named:
        return named.split(",")
    return [str(k) for k in range(session.gpus)] if session.gpu else []


def applications(session: Session) -> Dict[str, Tuple[str, List[str]]]:
    quick = session.quick
    again = ["--warm=1", "--repeat=1"] if quick else ["--warm=4", "--repeat=5"]
    picture = ["--size=40x30", "--samples=2", "--triangles=2000"] if quick else ["--size=1920x1080", "--samples=11"]
    sizes = (600, 600, 600) if quick else (92000, 146000, 252000)
    apps = {f"ccd, {scene}": ("ccd", [f"--scene={scene}", f"--size={size}", *again])
            for scene, size in zip(("cloth", "bodies", "funnel"), sizes)}
    apps["pathtrace"] = ("pathtrace", [*picture, "--resident", *again])
    apps["roadmap"] = ("roadmap", [*(["--size=400", "--triangles=2000"] if quick else ["--size=50000"]), *again])
    apps["trees"] = ("bench-trees", ["--size=20", "--depth=4", "--work=20", *again] if quick
                     else ["--size=2000", "--depth=8", "--work=100", *again])
    return {name: app for name, app in apps.items() if (session.programs / app[0]).exists()}


def case_of(app: Tuple[str, List[str]], policy: str, device: str, seen: str = "") -> Case:
    env = {"HEDDLE_MODELS": "none", **({"CUDA_VISIBLE_DEVICES": seen} if seen else {})}
    where = f"{device} of {seen}" if seen else device
    return Case(f"{where}, {policy}", app[0], ["--json", *app[1], f"--schedule={policy}", f"--device={device}"], env)


def case_of_auto(app: Tuple[str, List[str]], quick: bool) -> Case:
    """What a user gets who names neither: the sets of devices have been tried before it is measured."""
    return Case(AUTO, app[0], ["--json", *app[1], f"--warm={2 if quick else 12}", "--device=auto"], {"HEDDLE_MODELS": "none"})


def best_of(results: Dict[str, Result], prefix: str) -> Optional[Result]:
    good = [r for name, r in results.items() if re.fullmatch(re.escape(prefix) + r"(,\d+)?", name) and r.median() is not None]
    return min(good, key=lambda r: r.median() or 0) if good else None


def run(session: Session) -> Iterator[Section]:
    devices = devices_of(session)
    apps = applications(session)
    if not devices or not apps:
        yield Section("Real devices", rows=[Row("all devices against the best single one", note=session.no_gpu if apps else "not run: no application here")])
        return
    everything: Dict[str, Dict[str, Result]] = {}
    for name, app in apps.items():
        policies = [*POLICIES, *(f"{family},{k}" for family, most in FAMILIES.items() for k in (most[1:2] if session.quick else most))]
        cases = [case_of(app, "lp", device) for device in ("host", *devices)] + [case_of(app, policy, "all") for policy in policies]
        cases.append(case_of_auto(app, session.quick))
        if session.gpus > 1:
            cases += [case_of(app, "lp", "all", ",".join(map(str, range(k)))) for k in range(1, session.gpus)]
            cases.append(case_of(app, "lp", ",".join(devices)))
        everything[name] = session.measure(f"{name}, devices and policies", cases, 1 if session.quick else 3)
        yield one(name, devices, everything[name])
    yield together(devices, everything)
    yield fitted(session, apps)
    yield replayed(session, apps)


def one(name: str, devices: List[str], results: Dict[str, Result]) -> Section:
    """Figs 4, 5 and 7 of one application, and its column of Table 3."""
    lp = results["all, lp"].median()
    body = [[case, f"{1 / seconds:.4g}", f"{seconds:.6f}", f"{seconds / lp:.2f}" if lp else ""]
            for case, result in results.items() for seconds in [result.median()] if seconds]
    alone = {device: results[f"{device}, lp"].median() for device in ("host", *devices)}
    rows = []
    if lp and all(alone.values()):
        commands = [results["all, lp"].case.command()]
        rows = [Row(f"{name}: all against the best single device", min(t for t in alone.values() if t) / lp, "×", 0.98, commands=commands),
                Row(f"{name}: efficiency (rate of all by the sum of rates)", 1 / lp / sum(1 / t for t in alone.values() if t), "", 0.95, commands=commands)]
        auto = results[AUTO].median()
        if auto:
            rows.insert(0, Row(f"{name}: no schedule and no device named, against the best single device", min(t for t in alone.values() if t) / auto, "×", 0.98,
                               commands=[results[AUTO].case.command()]))
            rows.append(Row(f"{name}: no schedule and no device named, efficiency", 1 / auto / sum(1 / t for t in alone.values() if t), "", 0.95,
                            commands=[results[AUTO].case.command()]))
        steal = best_of(results, "all, lp_steal")
        if steal:
            rows.append(Row(f"{name}: the same with lp_steal, against the best single device", min(t for t in alone.values() if t) / (steal.median() or 1), "×", 0.98,
                            commands=[steal.case.command()]))
        many = results.get(",".join(devices) + ", lp") if len(devices) > 1 else None
        if many and many.median():
            rows.append(Row(f"{name}: {len(devices)} GPUs against one", (alone[devices[0]] or 0) / (many.median() or 1), "×",
                            {"pathtrace": 1.9}.get(name, 1.7) if len(devices) == 2 else None, commands=[many.case.command()]))
    return Section(f"{name}: devices and policies (Table 3; Figs 4, 5, 7)", f"Published for devices alone, frames per second: {TABLE3.get(name, 'nothing')}.", rows,
                   [{"title": "a query", "head": ["devices, policy", "per second", "s", "time against all, lp"], "body": body, "commands": []}])


def together(devices: List[str], everything: Dict[str, Dict[str, Result]]) -> Section:
    """The LP against each rival, mean over applications."""
    ratios: Dict[str, List[float]] = {}
    hpccd: List[float] = []
    body = []
    for name, results in everything.items():
        lp = results["all, lp"].median()
        line = [name]
        for rival in ("steal", "steal_times", "lau10", "tan09", "proportional", "hpccd", "lp_published", "lp_steal"):
            best = best_of(results, f"all, {rival}")
            ratio = (best.median() or 0) / lp if best and lp else None
            line.append(f"{ratio:.2f}" if ratio else "")
            if ratio:
                ratios.setdefault(rival, []).append(ratio)
                if rival == "hpccd" and name.startswith("ccd"):
                    hpccd.append(ratio)
        body.append(line)
    rows = [Row(f"LP against {rival}, mean over applications", mean(values), "×", 1 + AHEAD[rival] / 100 if AHEAD.get(rival) else None)
            for rival, values in ratios.items()]
    if hpccd:
        rows.append(Row("LP against HPCCD's rule, collisions (Fig. 8: 1.0 to 1.3 with one GPU, 2 with two)", mean(hpccd), "×"))
    return Section("All devices: the LP against its rivals (Figs 4, 5, 7, 8; section 5.5)",
                   f"Host and devices {', '.join(devices)}. Published goals are those of Machine 1 and of section 5.5. Of stealing and of blocks the best parameter.",
                   rows, [{"title": "time against the LP's", "head": ["application", "steal", "steal_times", "lau10", "tan09", "proportional", "hpccd", "lp_published", "lp_steal"],
                           "body": body, "commands": []}])


def explained(session: Session, app: Tuple[str, List[str]], policy: str) -> Tuple[List[Any], List[Any], List[Any], Case]:
    """Of the last execution of each site: types on devices, devices, the whole."""
    case = case_of(app, policy, "all")
    case.env["HEDDLE_EXPLAIN"] = "1"
    types: Dict[Any, Any] = {}
    busy: Dict[str, List[Any]] = {}
    whole: Dict[str, Any] = {}
    try:
        lines = session.start(case).stderr.splitlines()
    except Exception as error:  # the other sections stay
        progress(f"{case.name}: {error}")
        lines = []
    for line in lines:
        found = WHOLE.match(line)
        if found:
            whole[found[1]], busy[found[1]] = found, []  # of the last one
            continue
        found = LINE.match(line)
        if found:
            types[found[1], found[2]] = found
            continue
        found = BUSY.match(line)
        if found:
            busy.setdefault(found[1], []).append(found)
    return list(types.values()), [b for some in busy.values() for b in some], list(whole.values()), case


def fitted(session: Session, apps: Dict[str, Tuple[str, List[str]]]) -> Section:
    progress("jobs: what batches take")
    body, shares, fits = [], [], []
    rows, commands = [], []
    for name, app in apps.items():
        moved = {}
        for policy in ("lp", "steal"):
            types, busy, whole, case = explained(session, app, policy)
            moved[policy] = sum(float(b[5] or 0) for b in busy), sum(int(b[2]) for b in busy), sum(int(w[7]) for w in whole)
            if policy == "steal" or not whole:
                continue
            commands.append(case.command())
            for t in types:
                body.append([name, t[1], t[2], f"{t[4]} of {t[5]}", t[6], t[7], t[8]])
                if int(t[4]) and float(t[8]):
                    fits.append(float(t[8]))
            seconds = sum(float(w[3]) for w in whole)
            spent = sum(float(w[5]) for w in whole)
            idle = 1 - mean([int(b[4]) for b in busy]) / 100 if busy else 0
            shares.append([name, f"{idle:.3f}", f"{IDLE.get(name, 0) or '':}", f"{100 * spent / seconds:.2f} %" if seconds else "", str(sum(int(w[4]) for w in whole)),
                           str(sum(int(w[6]) for w in whole))])
        if shares and shares[-1][0] == name:
            shares[-1] += [f"{moved['lp'][0]:.1f}", f"{moved['steal'][0]:.1f}", str(moved["steal"][2])]
    if fits:
        rows = [Row("correlation of fitted costs, mean (published 0.91)", mean(fits), "", 0.91, commands=commands[:1]),
                Row("correlation of fitted costs, least (published 0.81)", min(fits), "", commands=commands[:1])]
    return Section("What batches take, idle devices, transfers (Fig. 3; Tables 1 and 4; section 5.1)",
                   "A line through what batches took, as each device has it at the end. Published, collisions (Table 1), setup and each: a quad-core 2.8 to 11 µs, 0.2 to 0.4 µs; "
                   "GTX 480 136 and 43 µs, 0.096 (traversal) and 0.010 µs (leaf). Idle: mean over devices of the last query. Published: decisions take 7 % of the time, stealing "
                   "has 11 times as many transfers.", rows,
                   [{"title": "types on devices", "head": ["application", "type", "device", "jobs", "setup, s", "each, s", "correlation"], "body": body, "commands": commands},
                    {"title": "a query with lp", "head": ["application", "idle", "published (Table 4)", "deciding", "decisions", "programs", "MB moved", "MB moved, steal", "steals"],
                     "body": shares, "commands": commands}])


def flat(machine: str, threads: int) -> str:
    """The host's threads as devices of their own."""
    host = re.search(r"^(class\d+) count=1 host$", machine, re.M)
    if not host:
        return ""
    lines = []
    for line in machine.splitlines():
        each = re.match(rf"^(type {host[1]} \S+ setup=\S+ each=)([^u]+)us$", line)
        line = f"{each[1]}{float(each[2]) * threads:g}us" if each else line
        lines.append(f"{host[1]} count={threads} host" if line == host[0] else line)
    return "\n".join([*lines, f"memory {host[1]}", ""])


def simulate(session: Session, machine: Path, stream: Path, policies: str) -> Dict[str, Any]:
    done = subprocess.run([str(session.programs / "heddle"), "sim", "jobs", f"--machine={machine}", f"--stream={stream}", f"--policy={policies}", "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=300, check=False)
    if done.returncode:
        progress(f"heddle sim jobs: {done.stderr.strip()}")
        return {}
    return {line["policy"]: line for line in map(json.loads, done.stdout.splitlines())}


def replayed(session: Session, apps: Dict[str, Tuple[str, List[str]]]) -> Section:
    """Fig. 6 and section 5.2: the jobs that the applications made, on the devices as they were measured."""
    progress("jobs: replay")
    threads = len(os.sched_getaffinity(0))
    body: List[List[str]] = []
    ratios: Dict[str, List[float]] = {"LP": [], "stealing": []}
    for name, app in apps.items():
        with tempfile.TemporaryDirectory() as folder:
            stream = Path(folder) / "jobs"
            case = case_of(app, "lp", "all")
            case.env["HEDDLE_JOBS_RECORD"] = str(stream)
            machine = Path(f"{stream}.machine")
            if isinstance(session.execute(case), str) or not machine.exists():
                continue
            cores = Path(folder) / "cores.machine"
            cores.write_text(flat(machine.read_text(), threads))
            with_ = simulate(session, machine, stream, "lp,steal")
            without = simulate(session, cores, stream, "lp_flat,steal")
        if len(with_) < 2 or len(without) < 2:
            continue
        ratios["LP"].append(without["lp_flat"]["seconds"] / with_["lp"]["seconds"])
        ratios["stealing"].append(without["steal"]["seconds"] / with_["steal"]["seconds"])
        body.append([name, *(f"{line['per_second']:.4g}" for line in (with_["lp"], without["lp_flat"], with_["steal"], without["steal"])), f"{with_['lp']['of_bound']:.2f}"])
    return Section("The recorded jobs with and without hierarchy, and the bound on throughput (Fig. 6, section 5.2)",
                   f"What the first `jobs` of each application made, by heddle sim on this machine's devices as measured; without hierarchy: {threads} host threads as devices of "
                   "their own. Published: hierarchy gains 38 % (LP) and 29 % (stealing); the LP reaches 0.75 of the bound.",
                   [Row(f"no hierarchy against hierarchy, {what}", mean(values), "×") for what, values in ratios.items() if values],
                   [{"title": "queries per second", "head": ["application", "lp", "lp, no hierarchy", "steal", "steal, no hierarchy", "of bound, lp"], "body": body, "commands": []}])
