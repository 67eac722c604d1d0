#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles pool_nests.c and pool_nests_host.c to PTX and looks whether the kernels are there at all (the optimiser may take a kernel that it
# holds for undefined away), call nothing, and have the ordered accesses that the queues need; of pool_orders.c, that each function of the queues
# has its own. No GPU needed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
clang=${HEDDLE_CLANG:?}
command -v "$clang" >/dev/null && "$clang" -print-targets 2>/dev/null | grep -q nvptx64 ||
    { echo "skipped: no clang here that compiles for NVIDIA GPUs"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3 here"; exit 77; }
ptx=--cuda-feature=+ptx85 # clang takes the PTX version from the CUDA it finds, and an old one where there is none
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
compile() { # SOURCE TO
    "$clang" -std=gnu11 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target=nvptx64-nvidia-cuda -march=sm_90 \
        --offload-device-only -S -nogpulib $ptx -fopenmp-cuda-mode -O3 -w -DPOOLS=pools -I"$here" \
        -I"${HEDDLE_SOURCE:?}/runtime/include" "$here/$1" -o "$tmp/$2"
}
compile pool_orders.c orders.ptx && python3 "$here/pool_orders.py" "$tmp/orders.ptx" || exit 1
compile pool_nests.c pools.ptx && compile pool_nests_host.c host.ptx && cat "$tmp/host.ptx" >>"$tmp/pools.ptx" || exit 1
python3 - "$tmp/pools.ptx" <<'PY'
import re
import sys
NEEDED = ("atom.relaxed.gpu.global.add.u64", "atom.acq_rel.gpu.global.add.u64", "atom.acq_rel.gpu.global.add.u32",
          "atom.acq_rel.gpu.global.cas.b64", "ld.acquire.gpu.global.u64", "st.release.gpu.global.u64",
          "st.release.gpu.global.u32", "ld.relaxed.sys.global.u64", "st.relaxed.sys.global.u64", "fence.acq_rel.gpu", "fence.acq_rel.sys")
LANES = ("atom.relaxed.gpu.global.add.u64", "atom.acq_rel.gpu.global.add.u64", "atom.acq_rel.gpu.global.add.u32",
         "atom.acq_rel.gpu.global.cas.b64", "ld.acquire.gpu.global.u64", "st.release.gpu.global.u64", "atom.relaxed.cta.shared.add.u32",
         "atom.relaxed.cta.shared.exch.b32")
text = open(sys.argv[1]).read()
found = 0
for name, body in re.findall(r"\.entry\s+(\S+_gpu_l\d+)\(.*?\)(.*?)\n\}", text, re.S):
    found += 1
    called = re.findall(r"\bcall\S*", body)
    bad = [word for word in ("__kmpc_", "malloc") if word in body]
    missing = [word for word in (LANES if "_p8_" in name else NEEDED) if word not in body]
    # NULL taken for an address in shared memory: a zero that goes through cvta.to.shared
    zeros = set(re.findall(r"mov\.u64\s+(%rd\d+), 0;", body))
    null = [r for r in re.findall(r"cvta\.to\.shared\.u64\s+%rd\d+, (%rd\d+);", body) if r in zeros]
    if null:
        sys.exit(f"pool_ptx: {name}: a NULL pointer becomes an address in shared memory ({null})")
    if bad or missing or called:
        sys.exit(f"pool_ptx: {name}: has {bad}, calls {called}, lacks {missing}")
if found != 8:
    sys.exit(f"pool_ptx: {found} kernels, expected 8")
PY
