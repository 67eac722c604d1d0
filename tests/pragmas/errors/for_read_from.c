/* SPDX-License-Identifier: Apache-2.0 */
static void set(int *x) { *x = 1; }
void f(int n, int *p, int *q)
{
#pragma heddle for map(from: p[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        p[i] += 2;
#pragma heddle for map(from: p[heddle_lo : heddle_count], q[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        q[i] = 1;
        q[i] *= 3; /* fine */
        p[i] = 2 * p[i];
    }
#pragma heddle for map(from: p[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) { /* fine: a pointer is handed on */
        set(p + i);
        p[i] += 2;
    }
}
// expect: 7:9: error: 'p' is read before it is written, but map(from) does not send it; use map(tofrom: …)
// expect: 12:20: error: 'p' is read before it is written, but map(from) does not send it; use map(tofrom: …)
