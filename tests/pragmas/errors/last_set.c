/* SPDX-License-Identifier: Apache-2.0 */
/* What the last iteration may leave as an earlier one left it. */
struct pair {
    int x, y;
};
int f(int n, int *restrict x, const int *restrict a)
{
    int t = 0, before = 3, some[4] = {0}, turns = 1;
    struct pair p = {0, 0};
#pragma heddle for lastprivate(t)
    for (int i = 0; i < n; i++)
        if (a[i] > 5)
            t = a[i];
#pragma heddle for lastprivate(before)
    for (int i = 0; i < n; i++) {
        x[i] = before;
        before = a[i];
    }
#pragma heddle for lastprivate(some)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            some[k] = a[i] + k;
        x[i] = some[0] + some[2];
    }
#pragma heddle for lastprivate(p)
    for (int i = 0; i < n; i++)
        p.x = a[i];
#pragma heddle for lastprivate(turns)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < a[i]; k++)
            turns = k;
    return t + before + some[3] + p.y + turns;
}
// expect: 10:1: error: lastprivate(t): nothing shows that each iteration sets 't' on every way before it reads it, and what the last one does not set would have no value: the 'if' in line 12 has no 'else' that sets it; set it at the beginning of the body
// expect: 14:1: error: lastprivate(before): nothing shows that each iteration sets 'before' on every way before it reads it, and what the last one does not set would have no value: line 16 may read it before it is set; set it at the beginning of the body
// expect: 19:1: error: lastprivate(some): nothing shows that each iteration sets all of 'some' on every way before it reads it, and what the last one does not set would have no value; set it at the beginning of the body
// expect: 25:1: error: lastprivate(p): nothing shows that each iteration sets all of 'p' on every way before it reads it, and what the last one does not set would have no value; set it at the beginning of the body
// expect: 28:1: error: lastprivate(turns): nothing shows that each iteration sets 'turns' on every way before it reads it, and what the last one does not set would have no value: nothing shows that the loop in line 30 has a turn and comes to it; set it at the beginning of the body
// expect: 13:13: error: 't' is changed by every iteration; declare it inside the loop, or add reduction(op: t), or firstprivate(t) if no iteration reads what another one wrote
// expect: 17:9: error: 'before' is changed by every iteration; declare it inside the loop, or add reduction(op: before), or firstprivate(before) if no iteration reads what another one wrote
// expect: 22:13: error: one iteration writes 'some[k]', another writes 'some[k]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'some' before it reads it, add private(some)
// expect: 27:9: error: 'p' is changed by every iteration; declare it inside the loop, or add reduction(op: p), or firstprivate(p) if no iteration reads what another one wrote
// expect: 31:13: error: 'turns' is changed by every iteration; declare it inside the loop, or add reduction(op: turns), or firstprivate(turns) if no iteration reads what another one wrote
