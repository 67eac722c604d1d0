/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int *x)
{
#pragma heddle task
    f(x);
}
// expect: 5:1: error: no pool reaches this directive; put it into the block of a '#pragma heddle pool', or into a function that a task of a pool in this file calls
