/* SPDX-License-Identifier: Apache-2.0 */
void g(int n)
{
#pragma heddle pool
    {
        (void)n;
    }
}
// expect: 4:1: error: a pool without tasks; put '#pragma heddle task' before a call in it
