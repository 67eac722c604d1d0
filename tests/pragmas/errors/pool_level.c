/* SPDX-License-Identifier: Apache-2.0 */
static int level;
static void h(int *out) { out[level]++; }
void f(int *x)
{
#pragma heddle pool device(host)
    {
        for (level = 0; level < 3; level++)
#pragma heddle task
            h(x);
    }
}
// expect: 10:13: error: global variable 'level' changes while the pool runs; pass its value to the task as an argument
