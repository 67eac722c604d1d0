/* SPDX-License-Identifier: Apache-2.0 */
void g(int *, int);
void h(int *, int);
#define NAME g
#define CALL(a, i) g(a, i)
void f(int n, int *a)
{
#pragma heddle for independent map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
#pragma heddle variant(host: h) variant(cuda: h) variant(other: h)
        NAME(a, i);
#pragma heddle for independent map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
#pragma heddle variant(host: h) variant(cuda: h) variant(other: h)
        CALL(a, i);
}
// expect: 15:9: error: expected a call of a function after '#pragma heddle variant', as a statement of its own: f(…); with its result through a pointer
