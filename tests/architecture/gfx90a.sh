#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles and links programs of every engine for an AMD GPU and looks whether their kernels are in the image, since the
# optimiser may take a kernel that it holds for undefined away. Nothing is run: no such GPU is needed. Exit 77: no device
# libraries of ROCm, after a look at what heddle cc says then.
set -u
here=$(cd "$(dirname "$0")" && pwd)
heddle=${HEDDLE_BUILD:?}/bin/heddle
test -x "$heddle" || { echo "skipped: this build has no heddle command"; exit 77; }
test -e "$HEDDLE_BUILD/lib/libheddle.so" || { echo "skipped: this build has no libheddle"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3 here"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
die() { echo "gfx90a: $*" >&2; exit 1; }
tests=$(dirname "$here")
echo 'int main(void) { return 0; }' >"$tmp/none.c"
if ! "$heddle" cc --targets=gfx90a -c "$tmp/none.c" -o "$tmp/none.o" 2>"$tmp/err"; then
    grep -q 'device run-time library for gfx90a' "$tmp/err" && { echo "skipped: $(cat "$tmp/err")"; exit 77; }
    grep -q 'apt-get install rocm-device-libs' "$tmp/err" || { cat "$tmp/err" >&2; die "the package is not named"; }
    echo "skipped: no rocm-device-libs here"
    exit 77
fi

# program FILE KERNEL…: all of these kernels are in what it is linked to
program() {
    file=$1
    shift
    "$heddle" cc --targets=gfx90a -std=gnu11 -w -O2 "$tests/$file" -o "$tmp/program" -lm 2>"$tmp/err" ||
        { head -n 20 "$tmp/err" >&2; die "$file: not compiled"; }
    "$heddle" doctor "$tmp/program" | grep -q 'image 0: amdgcn-amd-amdhsa gfx90a' || die "$file: no image for gfx90a"
    python3 - "$tmp/program" "$@" <<'PY' || die "$file: kernels are missing"
import re
import sys
names = set(re.findall(rb"__omp_offloading_[0-9a-f]+_[0-9a-f]+_\w*?((?:batch_)?launch_\w+?|gpu|kernel|\w*probe)_l\d+\.kd", open(sys.argv[1], "rb").read()))
missing = [k for k in sys.argv[2:] if not any(n.endswith(k.encode()) for n in names)]
if missing:
    sys.exit(f"no kernel {missing} among {sorted(names)}")
PY
}
program pragmas/run/sw_linear.c launch_8 launch_4 launch_tiles launch_hybrid launch_convert probe
program pragmas/run/sat.c launch_scan
program pragmas/run/wide.c launch_2 launch_4
program pragmas/run/sweeps.c launch_sweeps
program pragmas/batches/scores.c batch_launch_8 batch_launch_4
for file in depend lanes mixed spawn; do
    program pragmas/tasks/$file.c gpu probe
done
for file in basic reductions; do
    program pragmas/loops/$file.c kernel probe
done
exit 0
