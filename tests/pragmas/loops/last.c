/* SPDX-License-Identifier: Apache-2.0 */
/* Last values that every way through a switch sets, or a loop inside that has a turn for sure. */
#include "../run/run.h"

enum { N = 99, FEW = 3 };

static void choices(int n, int *restrict x, const int *restrict a, int *restrict last)
{
    int t = -1, w = -4, y = -6;
#pragma heddle for lastprivate(t) map(to: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        switch (a[i] & 3) {
        case 0:
            t = 5;
            break;
        case 1:
        case 2:
            x[i]++;
            __attribute__((fallthrough));
        default: {
            t = a[i];
            break;
        }
        }
        x[i] += t;
    }
#pragma heddle for
    for (int i = 0; i < n; i++) {
        const int key = a[i];
        switch (key) {
        case 0:
            w = 2;
            break;
        default:
            w = 1;
            break;
        case 3:
            w = 4;
        }
        x[i] += w;
    }
#pragma heddle for lastprivate(y)
    for (int i = 0; i < n; i++) {
        const int key = a[i] % 4;
        switch (key) {
        default:
            y = 1;
            __attribute__((fallthrough));
        case 2:
            y = 3;
            break;
        case 3:
            if (i)
                y = 2;
            else
                y = 4;
        }
    }
    last[0] = t, last[1] = y;
}

static void loops(int n, int *restrict x, const int *restrict a, int *restrict last)
{
    int u = -2, v = -3, z = -5;
#pragma heddle for lastprivate(u)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < FEW; k++)
            u = a[i] + k;
        x[i] += u;
    }
#pragma heddle for lastprivate(v)
    for (int i = 0; i < n; i++) {
        const int by = a[i];
        int k = 0;
        do {
            v = by * k;
        } while (++k < FEW);
        x[i] += v;
    }
#pragma heddle for lastprivate(z)
    for (int i = n; i > 0; i--) {
        for (unsigned char k = 7; k >= 5; k--) {
            if (a[i - 1] > 2)
                z = k;
            else
                z = 3;
        }
        x[i - 1] += z;
    }
    last[0] = u, last[1] = v, last[2] = z;
}

/* A way out of the loop around, behind which the variable is set again. */
static int left(int n, int *x)
{
    int i, k, turns = 0;
    while (turns < 5) {
        turns++;
#pragma heddle for
        for (k = 0; k < n; k++)
            for (i = 0; i < k % 7; i++)
                x[k] += i;
        if (x[n - 1] > 40)
            break;
        for (i = 0; i < n; i++)
            x[i]--;
    }
    for (i = 1; i < n; i++)
        turns += x[i] % 3 + x[i - 1] % 2;
    return turns;
}

int main(void)
{
    int x[N] = {0}, a[N], last[5];
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % 5;
    for (int n = 0; n < N; n += 14) {
        choices(n, x, a, last);
        loops(n, x, a, last + 2);
        run_report("last", last, sizeof last);
    }
    last[0] = left(N, x);
    run_report("left", last, sizeof *last);
    run_report("x", x, sizeof x);
    return 0;
}
