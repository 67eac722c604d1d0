# SPDX-License-Identifier: Apache-2.0
"""What machine and which versions a report is about."""
import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, List, Optional


def output_of(command: List[str]) -> Optional[str]:
    """Standard output of a command, or None if it is not there or fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              universal_newlines=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def field(path: str, key: str) -> str:
    """The value of the first line 'key : value' of a file in /proc."""
    try:
        for line in Path(path).read_text(errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == key:
                return value.strip()
    except OSError:
        pass
    return "unknown"


def memory_gib() -> float:
    words = field("/proc/meminfo", "MemTotal").split()
    return round(int(words[0]) / 2**20, 1) if words[0].isdigit() else 0.0


def gpus() -> List[Dict[str, str]]:
    text = output_of(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"])
    rows = [line.split(", ") for line in (text or "").splitlines()]
    return [dict(zip(("name", "driver", "memory"), row)) for row in rows if len(row) == 3]


def describe() -> Dict[str, Any]:
    return {
        "date": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
        "cpu": field("/proc/cpuinfo", "model name"),
        "cores": cores(),
        "memory_gib": memory_gib(),
        "load_at_start": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "gpus": gpus(),
    }


def versions(found: Dict[str, Any], here: Path) -> Dict[str, str]:
    """From the programs themselves, because the machine may have no compiler."""
    result = {"heddle": found.get("heddle", "unknown"), "compiler": found.get("compiler", "unknown"),
              "reference flags": found.get("flags", "unknown"), "python": platform.python_version()}
    revision = output_of(["git", "-C", str(here), "rev-parse", "--short=12", "HEAD"])
    if revision:
        changed = output_of(["git", "-C", str(here), "status", "--porcelain"])
        result["revision"] = revision + (" with changes" if changed else "")
    return result
