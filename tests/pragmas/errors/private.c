/* SPDX-License-Identifier: Apache-2.0 */
int unset(int n, int m, const int *x, int *y)
{
    int i, j, t = 0, k = 0;
#pragma heddle for map(to: x[0 : n]) map(from: y[heddle_lo : heddle_count])
    for (i = 0; i < n; i++) { /* only some turns set it */
        if (x[i])
            t = x[i];
        y[i] = t;
    }
#pragma heddle for map(to: x[0 : n]) map(from: y[heddle_lo : heddle_count])
    for (i = 0; i < n; i++) { /* perhaps no turn does */
        for (j = 0; j < m; j++)
            t = x[j];
        y[i] = t;
    }
#pragma heddle for map(to: x[0 : n]) map(from: y[heddle_lo : heddle_count])
    for (i = 0; i < n; i++) { /* one goes on from the other */
        for (; k < x[i]; k++)
            y[i] = k;
    }
    return 0;
}
int wanted(int n, int m, const int *x, int *y)
{
    int i, j, t;
#pragma heddle for map(to: x[0 : n]) map(from: y[heddle_lo : heddle_count])
    for (i = 0; i < n; i++) {
        t = x[i];
        y[i] = t;
    }
    if (m)
        t = 0;
    y[0] = t;
#pragma heddle for map(to: x[0 : n]) map(from: y[heddle_lo : heddle_count])
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
            y[i] = x[j];
    return j;
}
int around(int n, int m, const int *x, int *y)
{
    int i, t = 0;
    while (m--) {
        if (t)
            y[0] = 1;
#pragma heddle for map(to: x[0 : n]) map(from: y[heddle_lo : heddle_count])
        for (i = 0; i < n; i++) {
            t = x[i];
            y[i] = t;
        }
    }
    return 0;
}
void shown(int n, int *y)
{
    int i, *p = &i;
#pragma heddle for map(from: y[heddle_lo : heddle_count])
    for (i = 0; i < n; i++)
        y[i] = *p;
}
void jumps(int n, int *y)
{
    int i = 0;
again:
#pragma heddle for map(from: y[heddle_lo : heddle_count])
    for (i = 0; i < n; i++)
        y[i] = 1;
    if (y[0] < i)
        goto again;
}
// expect: 37:14: error: 'j' is declared outside of the loop and read behind it, but its last value there is that of an inner loop; set it again before it is read
// expect: 8:13: error: 't' is changed by every iteration; declare it inside the loop, or add reduction(op: t), or firstprivate(t) if no iteration reads what another one wrote
// expect: 14:13: error: 't' is changed by every iteration; declare it inside the loop, or add reduction(op: t), or firstprivate(t) if no iteration reads what another one wrote
// expect: 19:26: error: 'k' is changed by every iteration; declare it inside the loop, or add reduction(op: k), or firstprivate(k) if no iteration reads what another one wrote
// expect: 29:9: error: 't' is changed by every iteration; declare it inside the loop, or add reduction(op: t), or firstprivate(t) if no iteration reads what another one wrote
// expect: 49:13: error: 't' is changed by every iteration; declare it inside the loop, or add reduction(op: t), or firstprivate(t) if no iteration reads what another one wrote
// expect: 59:10: error: not a canonical loop: the loop variable is declared outside; write for (int i = first; …)
// expect: 67:10: error: not a canonical loop: the loop variable is declared outside; write for (int i = first; …)
