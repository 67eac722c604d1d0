#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# HEDDLE_DEVICE names a device where OpenMP finds none: each directive says so once, and runs on the host.
set -u
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
cat >prog.c <<'END'
#include <stdio.h>
enum { N = 100 };
static int a[N], b[N][N];
static void regions(void) {
#pragma heddle graph
    for (int k = 0; k < 4; k++) {
#pragma omp target nowait depend(inout : a[0 : N]) map(a[0 : N])
        {
            for (int i = 0; i < N; i++)
                a[i]++;
        }
    }
}
static void tasks(void) {
#pragma heddle graph
    for (int k = 0; k < 4; k++) {
#pragma omp task depend(inout : a[0 : N])
        a[0]++;
    }
}
static void loop(void) {
#pragma heddle for
    for (int i = 0; i < N; i++)
        a[i] += i;
}
static void nest(void) {
#pragma heddle wavefront
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            b[i][j] = (b[i - 1][j] + b[i][j - 1] + 1) % 1000;
}
static void one(int i) { a[i]++; }
static void pool(void) {
#pragma heddle pool
    {
        for (int i = 0; i < N; i++) {
#pragma heddle task
            one(i);
        }
    }
}
int main(void) {
    for (int k = 0; k < 3; k++) {
        regions();
        tasks();
        loop();
        nest();
        pool();
    }
    printf("%d %d %d\n", a[0], a[5], b[3][3]);
    return 0;
}
END
"$HEDDLE_BUILD/bin/heddle" cc --targets=host -O1 prog.c -o prog || exit 1
failed=0
fail() { echo "FAIL: $*"; cat err; failed=1; }
HEDDLE_MODELS=none HEDDLE_DEVICE=host ./prog >expected 2>err || fail "host"
[ -s err ] && fail "host: messages"
for device in 0 0,2; do
    HEDDLE_MODELS=none HEDDLE_DEVICE=$device ./prog >out 2>err || fail "$device: status"
    cmp -s out expected || fail "$device: differs"
    for line in 5 22 27 34; do
        [ "$(grep -c "prog.c:$line: device ${device#0,} is not there (0 found); running on the host" err)" = 1 ] || fail "$device: line $line"
    done
    [ "$(wc -l <err)" = 4 ] || fail "$device: what runs on the host anyway says nothing, and the others once"
done
HEDDLE_MODELS=none HEDDLE_DEVICE=0,host ./prog >out 2>err || fail "0,host: status"
cmp -s out expected || fail "0,host: differs"
exit $failed
