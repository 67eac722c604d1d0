/* SPDX-License-Identifier: Apache-2.0 */
void g(int *x, int n)
{
#pragma heddle pool map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = i;
}
// expect: 5:5: error: expected a block { … } after '#pragma heddle pool'
