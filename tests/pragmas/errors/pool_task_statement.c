/* SPDX-License-Identifier: Apache-2.0 */
int g(int *x, int n)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        int y = n;
        x[0] = y;
#pragma heddle task
    }
    return 0;
}
// expect: 10:5: error: expected a call, an assignment or a block { … } after '#pragma heddle task'
// expect: 7:9: error: expected a call, an assignment or a block { … } after '#pragma heddle task'
