/* SPDX-License-Identifier: Apache-2.0 */
/* restrict says that nothing overlaps, so that on the host nobody has to know where the array ends; nothing looks up a place that the loop itself computes. */
void restricted(int n, const int *at, double *restrict x, double y[n])
{
#pragma heddle for device(host)
    for (int i = 0; i < n; i++)
        y[i] += x[at[i]];
}

void plain(int n, const int *restrict at, double *x, double y[n])
{
#pragma heddle for device(host)
    for (int i = 0; i < n; i++)
        y[i] += x[at[i] + (int)y[i]];
}
// expect: 14:17: error: nothing shows where 'x' ends, and so whether it overlaps another array that the loop uses; if it does not, write '#pragma heddle for independent', or add map(to: x[first : count]) with all that the loop uses of it
