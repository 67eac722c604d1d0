#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Translates ptx_nests.c, compiles it to PTX and has it checked. No GPU and no CUDA needed, only a clang with the
# NVPTX back end (skipped without). Also sees to it that the checker itself finds the faults it is there for.
set -u
here=$(cd "$(dirname "$0")" && pwd)
clang=${HEDDLE_CLANG:?}
command -v "$clang" >/dev/null && "$clang" -print-targets 2>/dev/null | grep -q nvptx64 ||
    { echo "skipped: no clang here that compiles for NVIDIA GPUs"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3 here"; exit 77; }
test -x "${HEDDLE_BUILD:?}/bin/heddle" || { echo "skipped: this build has no heddle command"; exit 77; }
ptx=--cuda-feature=+ptx85 # clang takes the PTX version from the CUDA it finds, and an old one where there is none
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
die() { echo "ptx: $*" >&2; exit 1; }

"$HEDDLE_BUILD/bin/heddle" cc --emit-c "$here/ptx_nests.c" -o "$tmp/nests.c" || die "not translated"
for level in -O1 -O2 -O3; do
    for arch in sm_70 sm_90; do
        test $arch = sm_70 && test $level != -O3 && continue
        "$clang" -std=gnu11 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target=nvptx64-nvidia-cuda \
            -march=$arch --offload-device-only -S -nogpulib $ptx -fopenmp-cuda-mode $level -w \
            -I"${HEDDLE_SOURCE:?}/runtime/include" "$tmp/nests.c" -o "$tmp/nests.ptx" || die "$arch $level: not compiled"
        python3 "$here/check_ptx.py" "$tmp/nests.ptx" || die "$arch $level"
    done
done

# a plain store to a progress word, a lost scope, a copied barrier, a foreign call: each must be found
fault() {
    sed "$2" "$tmp/nests.ptx" >"$tmp/fault.ptx"
    cmp -s "$tmp/nests.ptx" "$tmp/fault.ptx" && die "fault '$1' changes nothing"
    python3 "$here/check_ptx.py" "$tmp/fault.ptx" >/dev/null 2>"$tmp/err" && die "fault '$1' is not found"
    grep -q "$3" "$tmp/err" || { cat "$tmp/err" >&2; die "fault '$1' is not named"; }
}
fault "plain store" 's/^\([ 	]*\)st\.release\.gpu\.global\.u64 \(.*\)$/\1st.release.gpu.global.u64 \2\n\1st.global.u64 \2/' "plain 'st"
fault "no scope" 's/ld\.acquire\.gpu\.global/ld.acquire.global/' "at least 3 expected"
fault "plain load" 's/ld\.relaxed\.gpu\.global\.u64/ld.global.u64/' "at least 1 expected"
fault "one GPU only" 's/st\.relaxed\.sys\.global\.u64/st.relaxed.gpu.global.u64/' "at least 1 expected"
fault "two barriers" '0,/bar\.sync/s/^\(.*bar\.sync.*\)$/\1\n\1/' "block barriers"
fault "weak atomic" 's/atom\.acq_rel\.gpu\.global/atom.global/' "without order or scope"
exit 0
