/* SPDX-License-Identifier: Apache-2.0 */
/* Loops without a sign that may begin below zero. */
void f(unsigned n, int (*A)[64])
{
#pragma heddle wavefront
    for (unsigned i = n - 20; i < n - 1; i++)
        for (unsigned j = 1; j < 60; j++)
            A[i + 21][j] = A[i + 20][j] + A[i + 21][j - 1];
#pragma heddle wavefront
    for (unsigned i = 3; i < 40; i++)
        for (unsigned j = i - 5; j < i + 2; j++)
            A[i][j + 5] = A[i - 1][j + 5] + A[i][j + 4];
}
// expect: 6:23: error: not a canonical loop: 'i' has no sign, and both its ends may be below zero; give it a type with a sign
// expect: 11:27: error: the inner loop's bounds depend on 'i'; the nest must be rectangular: loop over the whole range and skip cells with 'if'
