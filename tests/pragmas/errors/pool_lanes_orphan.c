/* SPDX-License-Identifier: Apache-2.0 */
void g(int *x, int n)
{
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        x[i] = i;
}
// expect: 4:1: error: no task reaches this loop; put '#pragma heddle lanes' into a task or a function that a task calls
