/* SPDX-License-Identifier: Apache-2.0 */
/* Last values that a switch or a loop inside sets on some ways only: what is missing is said. */
int f(int n, int *restrict x, const int *restrict a)
{
    int t = 0, u = 0, v = 0, w = 0, z = 0, y = 0, q = 0;
#pragma heddle for lastprivate(t)
    for (int i = 0; i < n; i++)
        switch (a[i]) { case 0: t = 1; break; case 1: t = 2; }
#pragma heddle for lastprivate(u)
    for (int i = 0; i < n; i++)
        switch (a[i]) { case 0: u = 1; break; case 1: if (i) break; u = 3; break; default: u = 2; }
#pragma heddle for lastprivate(v)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) { if (a[k]) break; v = k; }
#pragma heddle for lastprivate(w)
    for (int i = 0; i < n; i++)
        if (a[i]) w = i; else x[i] = 1;
#pragma heddle for lastprivate(z)
    for (int i = 0; i < n; i++)
        switch (a[i]) { case 0: z = 1; break; case 1: break; default: z = 2; }
#pragma heddle for lastprivate(y)
    for (int i = 0; i < n; i++)
        switch (a[i]) { case 0: while (a[y]) { case 1: y = 1; } break; default: y = 2; }
#pragma heddle for lastprivate(q)
    for (int i = 0; i < n; i++)
        for (int k = 3; k < 3; k++) q = k;
    return t + u + v + w + z + y + q;
}
// expect: 6:1: error: lastprivate(t): nothing shows that each iteration sets 't' on every way before it reads it, and what the last one does not set would have no value: the switch in line 8 has no 'default', or a case that leaves it as it is; set it at the beginning of the body
// expect: 9:1: error: lastprivate(u): nothing shows that each iteration sets 'u' on every way before it reads it, and what the last one does not set would have no value: the switch in line 11 has no 'default', or a case that leaves it as it is; set it at the beginning of the body
// expect: 12:1: error: lastprivate(v): nothing shows that each iteration sets 'v' on every way before it reads it, and what the last one does not set would have no value: nothing shows that the loop in line 14 has a turn and comes to it; set it at the beginning of the body
// expect: 15:1: error: lastprivate(w): nothing shows that each iteration sets 'w' on every way before it reads it, and what the last one does not set would have no value: a branch of the 'if' in line 17 does not set it; set it at the beginning of the body
// expect: 18:1: error: lastprivate(z): nothing shows that each iteration sets 'z' on every way before it reads it, and what the last one does not set would have no value: the switch in line 20 has no 'default', or a case that leaves it as it is; set it at the beginning of the body
// expect: 21:1: error: lastprivate(y): nothing shows that each iteration sets 'y' on every way before it reads it, and what the last one does not set would have no value: the switch in line 23 has no 'default', or a case that leaves it as it is; set it at the beginning of the body
// expect: 24:1: error: lastprivate(q): nothing shows that each iteration sets 'q' on every way before it reads it, and what the last one does not set would have no value: nothing shows that the loop in line 26 has a turn and comes to it; set it at the beginning of the body
// expect: 8:33: error: 't' is changed by every iteration; declare it inside the loop, or add reduction(op: t), or firstprivate(t) if no iteration reads what another one wrote
// expect: 8:55: error: 't' is changed by every iteration; declare it inside the loop, or add reduction(op: t), or firstprivate(t) if no iteration reads what another one wrote
// expect: 11:33: error: 'u' is changed by every iteration; declare it inside the loop, or add reduction(op: u), or firstprivate(u) if no iteration reads what another one wrote
// expect: 11:69: error: 'u' is changed by every iteration; declare it inside the loop, or add reduction(op: u), or firstprivate(u) if no iteration reads what another one wrote
// expect: 11:92: error: 'u' is changed by every iteration; declare it inside the loop, or add reduction(op: u), or firstprivate(u) if no iteration reads what another one wrote
// expect: 14:56: error: 'v' is changed by every iteration; declare it inside the loop, or add reduction(op: v), or firstprivate(v) if no iteration reads what another one wrote
// expect: 17:19: error: 'w' is changed by every iteration; declare it inside the loop, or add reduction(op: w), or firstprivate(w) if no iteration reads what another one wrote
// expect: 20:33: error: 'z' is changed by every iteration; declare it inside the loop, or add reduction(op: z), or firstprivate(z) if no iteration reads what another one wrote
// expect: 20:71: error: 'z' is changed by every iteration; declare it inside the loop, or add reduction(op: z), or firstprivate(z) if no iteration reads what another one wrote
// expect: 23:56: error: 'y' is changed by every iteration; declare it inside the loop, or add reduction(op: y), or firstprivate(y) if no iteration reads what another one wrote
// expect: 23:81: error: 'y' is changed by every iteration; declare it inside the loop, or add reduction(op: y), or firstprivate(y) if no iteration reads what another one wrote
// expect: 26:37: error: 'q' is changed by every iteration; declare it inside the loop, or add reduction(op: q), or firstprivate(q) if no iteration reads what another one wrote
