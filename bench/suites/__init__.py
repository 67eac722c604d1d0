# SPDX-License-Identifier: Apache-2.0
"""The suites. A suite is one file here with TITLE and run(session) -> list of sections; its name goes
into the list below."""
from importlib import import_module

NAMES = [
    "foundation",
    "selector",
    "cpu",
    "intra",
    "tasks",
    "prefix",
    "sweeps",
    "wavefront",
    "peers",
    "panels",
    "peptide",
    "raytrace",
    "gemm",
    "for",
    "host",
    "batch",
    "jobs",
    "graph",
]
FILES = {"for": "loop"}  # a keyword is no name for a module


def load(name):
    return import_module(f"suites.{FILES.get(name, name)}")
