#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A target region that its device does not run: the host's version takes its place where the region brings its data
# itself, and the selector is there to say so. Where data lies on the device the program ends; no result is wrong.
set -u
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
failed=0
cat >kept.c <<'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 1000 };
int main(void) {
    int *a = malloc(N * sizeof *a);
    unsigned sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#ifdef KEEP
#pragma omp target enter data map(to : a[0 : N])
#endif
    for (int s = 0; s < 5; s++) {
#pragma omp target teams distribute parallel for map(a[0 : N])
        for (int i = 0; i < N; i++)
            a[i] = a[i] * 3 + s;
    }
#ifdef KEEP
#pragma omp target exit data map(from : a[0 : N])
#endif
#pragma heddle for device(host)
    for (int i = 0; i < N; i++)
        a[i]++;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + (unsigned)a[i];
    printf("%u\n", sum);
    free(a);
    return 0;
}
END
"$HEDDLE_BUILD/bin/heddle" cc --targets=x86_64 -O1 -DKEEP kept.c -o kept && "$HEDDLE_BUILD/bin/heddle" cc --targets=x86_64 -O1 kept.c -o brought || exit 1
export HEDDLE_MODELS=none
./kept >expected || { echo "skipped: offload programs do not start here"; exit 77; }
./brought | cmp - expected || { echo "FAIL: the two programs differ"; exit 1; }

# try PROGRAM VARIABLE…: right, or one line and an exit status
try() {
    program=$1
    shift
    env "$@" timeout 60 "./$program" >out 2>err
    status=$?
    if [ $status = 0 ]; then
        cmp -s out expected || { echo "FAIL: $program $*: a wrong result"; cat err; failed=1; }
    else
        [ $status = 1 ] && grep -q "did not run .*region" err || { echo "FAIL: $program $*: status $status"; cat err; failed=1; }
    fi
}
ended() { [ $status = 1 ] || { echo "FAIL: $*: the program went on"; cat err; failed=1; }; }
went_on() { [ $status = 0 ] || { echo "FAIL: $*: the program ended"; cat err; failed=1; }; }

for n in 1 3 5; do
    for fault in launch vanish; do
        for program in kept brought; do
            try $program HEDDLE_FAULT=$fault:$n
            ended "$program, $fault:$n, as plain OpenMP"
            try $program HEDDLE_FAULT=$fault:$n HEDDLE_POLICY=fixed
            ended "$program, $fault:$n, policy fixed"
        done
        try kept HEDDLE_FAULT=$fault:$n HEDDLE_POLICY=earliest-finish
        try kept HEDDLE_FAULT=$fault:$n HEDDLE_POLICY=earliest-finish HEDDLE_CANDIDATES=0
        ended "kept, $fault:$n, one device"
        try brought HEDDLE_FAULT=$fault:$n HEDDLE_POLICY=earliest-finish
        went_on "brought, $fault:$n"
        try brought HEDDLE_FAULT=$fault:$n HEDDLE_POLICY=earliest-finish HEDDLE_CANDIDATES=0
        went_on "brought, $fault:$n, one device"
    done
done
exit $failed
