#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# OMP_AVAILABLE_DEVICES on the four x86_64 devices: what a region, a loop over all devices and a wavefront use of them.
set -u
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
failed=0
cat >prog.c <<'END'
#include <omp.h>
#include <stdio.h>
enum { N = 400 };
static int a[N], A[N][N];
int main(void) {
    for (int k = 0; k < 40; k++) {
#pragma omp target map(tofrom : a)
        for (int i = 0; i < N; i++)
            a[i] += i;
    }
#pragma heddle for map(tofrom : a[heddle_lo : heddle_count])
    for (int i = 0; i < N; i++)
        a[i]++;
#pragma heddle wavefront map(tofrom : A)
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            A[i][j] = 1 + (A[i - 1][j] > A[i][j - 1] ? A[i - 1][j] : A[i][j - 1]);
    printf("default %d\n", omp_get_default_device());
    return a[N - 1] != 40 * (N - 1) + 1 || A[N - 1][N - 1] != 2 * N - 3;
}
END
"$HEDDLE_BUILD/bin/heddle" cc --targets=x86_64 -g -O1 prog.c -o prog || exit 1
HEDDLE_MODELS=none ./prog >out || { echo "skipped: offload programs do not start here"; exit 77; }

# run VARIABLE…: the program under the selector; $T/regions: the devices of its regions
run() {
    env HEDDLE_MODELS=none HEDDLE_EXPLAIN=1 HEDDLE_VERBOSE=1 HEDDLE_POLICY=round-robin "$@" ./prog >out 2>&1 ||
        { echo "FAIL: $*: status $?"; cat out; failed=1; }
    sed -n 's/.*prog\.c:7: .*-> \(device [0-9]*\|host\),.*/\1/p' out | sort -u | tr '\n' ' ' >regions
}
regions() { [ "$(cat regions)" = "$2 " ] || { echo "FAIL: $1: regions on: $(cat regions), not $2"; head -n 5 out; failed=1; }; }
said() { grep -Eq -- "$2" out || { echo "FAIL: $1: no '$2'"; tail -n 12 out; failed=1; }; }
unsaid() { grep -E -- "$2" out && { echo "FAIL: $1: '$2' is there"; failed=1; }; }

run HEDDLE_DEVICE=auto
regions "without" "device 0 device 1 device 2 device 3 host"
run OMP_AVAILABLE_DEVICES='uid(x86_64-2),*[0]' HEDDLE_DEVICE=all
regions "two of four" "device 0 device 2 host"
said "the first is the default device" '^default 2$'
said "a loop uses the same two" 'prog\.c:11: .*; 2 x OpenMP device: '
said "so does a wavefront" '2 devices: '
unsaid "and no other is used" 'device [13][^0-9]'
run OMP_AVAILABLE_DEVICES='uid(x86_64-2),*[0]' HEDDLE_CANDIDATES=0,1
regions "with HEDDLE_CANDIDATES" "device 0 device 2" # the default device is always one
run OMP_AVAILABLE_DEVICES='*[1:2]' OMP_DEFAULT_DEVICE=2 HEDDLE_POLICY=fixed
said "a default device that is available stays" '^default 2$'
run OMP_AVAILABLE_DEVICES='*[1:2]' HEDDLE_DEVICE=3
said "one that is named and may not be used" 'prog\.c:14: device 3 is not among OMP_AVAILABLE_DEVICES; running on the host'
run OMP_AVAILABLE_DEVICES='*[1:2]' HEDDLE_DEVICE=1
said "one that is named and may" 'prog\.c:14: .*device 1'
run OMP_AVAILABLE_DEVICES='kind(gpu)'
said "none is left" 'OMP_AVAILABLE_DEVICES=kind\(gpu\) names none of the 4 devices'
unsaid "and nothing runs on one" '-> device'
run OMP_AVAILABLE_DEVICES='kind(gpu' HEDDLE_DEVICE=auto
said "what cannot be read" "OMP_AVAILABLE_DEVICES=kind\(gpu: '' is not understood; all devices are used"
regions "all are used" "device 0 device 1 device 2 device 3 host"
exit $failed
