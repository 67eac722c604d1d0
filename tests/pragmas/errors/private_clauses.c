/* SPDX-License-Identifier: Apache-2.0 */
int f(int n, int *x)
{
    int i, t = 0, unused, all[3] = {0}, last;
#pragma heddle for private(unused)
    for (i = 0; i < n; i++)
        x[i] = 1;
#pragma heddle for private(t)
    for (i = 0; i < n; i++) {
        t = x[i];
        x[i] = t + 1;
    }
    x[0] += t;
#pragma heddle for lastprivate(all)
    for (i = 0; i < n; i++) {
        all[0] = x[i];
        x[i] = all[0];
    }
#pragma heddle for lastprivate(last)
    for (i = 0; i < n; i++) {
        last = x[i];
        if (last)
            continue;
        x[i] = last;
    }
    return last + all[0];
}
// expect: 5:28: error: 'private' of 'unused', which is no variable of the function that the loop sets; remove it
// expect: 8:1: error: 't' is private and read behind the loop, which gives it no value; lastprivate does
// expect: 14:1: error: lastprivate(all): nothing shows that each iteration sets all of 'all' on every way before it reads it, and what the last one does not set would have no value; set it at the beginning of the body
// expect: 19:1: error: lastprivate(last) needs one loop that counts, without collapse and continue, and the name 'last_last' free
// expect: 10:9: error: 't' is changed by every iteration; declare it inside the loop, or add reduction(op: t), or firstprivate(t) if no iteration reads what another one wrote
// expect: 16:9: error: one iteration writes 'all[0]', another writes 'all[0]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'all' before it reads it, add private(all)
// expect: 21:9: error: 'last' is changed by every iteration; declare it inside the loop, or add reduction(op: last), or firstprivate(last) if no iteration reads what another one wrote
