/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *p)
{
#pragma heddle pool map(tofrom: p[0:n])
    {
#pragma heddle task final(1)
        p[0] = 1;
    }
}
// expect: 6:21: error: unknown clause 'final'; known here: depend, priority, private
