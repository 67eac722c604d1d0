/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x, int n) { *x += n; }
int g(int *x, int *n)
{
    int sum = 0;
#pragma heddle pool map(tofrom: x[0:1]) map(to: n[0:1]) device(0)
    {
#pragma heddle task
        f(x, n[0]);
        sum += x[0];
        sum += n[0];
        n[0] = 2;
    }
    return sum;
}
// expect: 10:16: error: the block reads mapped 'x' itself, but the tasks' copy may be on a device; do it before or after the pool, or in a task
// expect: 12:9: error: the block changes mapped 'n' itself, but the tasks' copy may be on a device; do it before or after the pool, or in a task
