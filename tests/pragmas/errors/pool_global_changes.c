/* SPDX-License-Identifier: Apache-2.0 */
static int level, table[4];
static void h(int *out) { out[0] = level; }
static void k(int *out) { out[0] = table[1]; }
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
        for (level = 0; level < 3; level++)
#pragma heddle task
            h(x);
#pragma heddle task
        k(x);
    }
}
// expect: 3:36: error: global variable 'level' changes while the pool runs; pass its value to the task as an argument
