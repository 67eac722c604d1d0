/* SPDX-License-Identifier: Apache-2.0 */
void g(int n, int *z, double *y)
{
#pragma heddle pool map(tofrom: z[0:n], y[0:n]) device(0)
    {
#pragma heddle taskloop
        for (int i = 0; i < z[0]; i++)
            y[i] = i;
    }
}
// expect: 7:29: error: the block reads mapped 'z' itself, but the tasks' copy may be on a device; do it before or after the pool, or in a task
