/* SPDX-License-Identifier: Apache-2.0 */
void g(int *x, int n)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        x[0] = n;
    }
}
// expect: 7:9: error: expected a function call or a block { … } after '#pragma heddle task'
