#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the PTX of translated nests and checks what clang 19 gets wrong silently when left to itself:

- each kernel has the ordered accesses that its protocol needs, every one with its order and the scope .gpu, or .sys where
  the words may come from another GPU;
- no plain load or store touches an address that is accessed in order elsewhere in the kernel;
- shuffles are shfl.sync of the full warp; block barriers stand exactly where the source has them (a copy in a
  divergent branch would be another one); nothing is called, above all not __kmpc_alloc_shared (a kernel
  that calls it without the OpenMP run time is undefined).

usage: check_ptx.py FILE.ptx
"""
import re
import sys

# kernel -> least number of each instruction, exact number of block barriers
PROTOCOL = {
    "launch_8": ({"atom.relaxed.gpu.global.add.u64": 1, "ld.relaxed.sys.global.u64": 1,
                  "st.relaxed.sys.global.u64": 1, "st.release.gpu.global.u64": 1, "st.release.sys.global.u64": 1}, 0),
    "launch_tiles": ({"atom.relaxed.gpu.global.add.u64": 1, "atom.acq_rel.gpu.global.add.u64": 1,
                      "ld.acquire.gpu.global.u64": 3, "st.release.gpu.global.u64": 3}, 4),
    "launch_hybrid": ({"atom.relaxed.gpu.global.add.u64": 1, "atom.acq_rel.gpu.global.add.u64": 1,
                       "ld.acquire.gpu.global.u64": 3, "st.release.gpu.global.u64": 3,
                       "ld.relaxed.sys.global.u64": 1, "st.relaxed.sys.global.u64": 1}, 9),
    "launch_convert": ({}, 0),
    "launch_sweeps": ({"atom.relaxed.gpu.global.add.u64": 1, "ld.relaxed.gpu.global.u64": 1,
                       "st.relaxed.gpu.global.u64": 1, "ld.acquire.gpu.global.u64": 1,
                       "st.release.gpu.global.u64": 2}, 0),
}
PROTOCOL["launch_4"] = PROTOCOL["launch_8"]
ORDERED = re.compile(r"\.(acquire|release|relaxed|acq_rel)\.")
# no nest kernel may use these: no scope of their own, or a scope that heddle does not need
FORBIDDEN = re.compile(r"^(red\.|ld\.volatile|st\.volatile|membar|.*\.(sys|cta)\.)")
# ... but these, where rows may come from another GPU
BETWEEN = re.compile(r"^(ld\.relaxed|st\.relaxed|st\.release)\.sys\.global\.u64$")
SHARED = ("launch_4", "launch_8", "launch_hybrid")


def instructions(text):
    lines = (re.sub(r"//.*", "", x).strip() for x in text.split("\n"))
    return [re.sub(r"^@!?%p\d+\s+", "", x) for x in lines if x]


def kernels(text):
    """Name and body of every entry, and the same of the functions they call (less optimised code has some)."""
    functions = {m.group(1): instructions(m.group(2))
                 for m in re.finditer(r"\.func\s+(?:\([^)]*\)\s*)?(\w+)\s*\([^)]*\)[^{;]*\{(.*?)\n\}", text, re.S)}
    for m in re.finditer(r"\.entry\s+(\S+)\(.*?\)(.*?)\n\}", text, re.S):
        bodies, called, wait = [instructions(m.group(2))], set(), [m.group(2)]
        while wait:
            for name in re.findall(r"call(?:\.uni)?\s+(?:\([^)]*\),\s*)?(\w+)", wait.pop()):
                if name in functions and name not in called:
                    called.add(name)
                    bodies.append(functions[name])
                    wait.append("\n".join(functions[name]))
                elif name not in functions:
                    bodies.append([f"call {name}"])
        yield m.group(1), bodies


class Addresses:
    """Registers followed back through copies and constant offsets to where they come from."""

    def __init__(self, body):
        self.source, defined = {}, {}
        for x in body:
            m = re.match(r"\S+\s+(%rd\d+),", x)
            if m:
                defined[m.group(1)] = defined.get(m.group(1), 0) + 1
        for x in body:
            m = re.match(r"(?:mov\.[bu]64|cvta\.to\.global\.u64)\s+(%rd\d+), (%rd\d+);", x)
            if m and defined[m.group(1)] == 1:
                self.source[m.group(1)] = (m.group(2), 0)
            m = re.match(r"add\.s64\s+(%rd\d+), (%rd\d+), (-?\d+);", x)
            if m and defined[m.group(1)] == 1:
                self.source[m.group(1)] = (m.group(2), int(m.group(3)))
            # two loads of the same kernel parameter are the same pointer
            m = re.match(r"ld\.param\.u64\s+(%rd\d+), \[(\S+)\];", x)
            if m:
                self.source[m.group(1)] = (m.group(2), 0)

    def of(self, operand):
        m = re.match(r"(%rd\d+|\w+)(?:\+(-?\d+))?$", operand)
        base, offset = m.group(1), int(m.group(2) or 0)
        while base in self.source:
            base, more = self.source[base]
            offset += more
        return base, offset


def check(name, bodies):
    wrong, count = [], {}
    kind = next((k for k in PROTOCOL if "_" + k + "_" in name), None)
    least, barriers = PROTOCOL[kind] if kind else ({}, 0)
    for body in bodies:
        wrong += check_body(body, count, kind in SHARED)
    for op, n in least.items():
        if count.get(op, 0) < n:
            wrong.append(f"{count.get(op, 0)} {op}, at least {n} expected")
    found = sum(n for op, n in count.items() if op.startswith(("bar.sync", "barrier.sync")))
    if found != barriers:
        wrong.append(f"{found} block barriers, {barriers} in the source")
    return [f"{name}: {w}" for w in wrong], kind


def check_body(body, count, shared):
    wrong, ordered, plain = [], {}, []
    where = Addresses(body)
    for x in body:
        op = x.split()[0]
        count[op] = count.get(op, 0) + 1
        address = re.search(r"\[([^\]]+)\]", x)
        between = shared and BETWEEN.match(op)
        if FORBIDDEN.match(op) and not between:
            wrong.append(f"uses {op}")
        if op == "call": # of a function that is not here
            wrong.append(f"calls something: {x}")
        if op.startswith("shfl") and not (op.startswith("shfl.sync.") and x.endswith(", -1;")):
            wrong.append(f"a shuffle of part of a warp: {x}")
        if op.startswith("atom") and not re.match(r"atom\.(relaxed|acq_rel)\.gpu\.global\.", op):
            wrong.append(f"an atomic without order or scope: {x}")
        if not address or not re.match(r"(ld|st|atom)\.", op) or ".param" in op or ".shared" in op or ".local" in op:
            continue
        if ORDERED.search(op):
            if ".gpu." not in op and not between:
                wrong.append(f"no .gpu scope: {x}")
            ordered.setdefault(where.of(address.group(1)), x)
        else:
            plain.append((where.of(address.group(1)), x))
    for place, x in plain:
        if place in ordered:
            wrong.append(f"plain '{x}' to the address of '{ordered[place]}'")
    return wrong


def main():
    with open(sys.argv[1], encoding="ascii", errors="replace") as f:
        text = f.read()
    wrong, seen = [], {}
    if "__kmpc_alloc_shared" in text:
        wrong.append("__kmpc_alloc_shared is there: compile with -fopenmp-cuda-mode")
    for name, bodies in kernels(text):
        if "gpu_probe" in name:
            continue
        errors, kind = check(name, bodies)
        wrong += errors
        seen[kind] = seen.get(kind, 0) + 1
    for kind in PROTOCOL:
        if not seen.get(kind):
            wrong.append(f"no kernel {kind}")
    for w in wrong:
        print("check_ptx: " + w, file=sys.stderr)
    print("check_ptx: " + ", ".join(f"{n} x {k}" for k, n in sorted(seen.items(), key=str)))
    return 1 if wrong else 0


sys.exit(main())
