/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
int elsewhere(int);
static int counter;
static const int table[] = {1, 2};
static int next(void) { return counter++; }
static int again(int x)
{
    static int calls;
    return x + ++calls;
}
int weight(int) __attribute__((const)); /* says itself that it has no effects: its code is found by the linker */
static int fine(int x) { return table[x & 1] + (int)erf(x) + weight(x); }
void f(int n, int m, int (*A)[m], int (*call)(int))
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + printf("%d", i);
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + elsewhere(i);
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + next();
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + again(fine(j));
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + call(j);
}
// expect: 20:37: note: this nest stays on the host: 'printf' is called in the nest, but its body is not in this file, so it cannot run on a device; define it here or in a header; without effects and linked for every device, declare it __attribute__((const)); or write 'independent' if it touches nothing of other cells, and the nest stays on the host
// expect: 24:37: error: 'elsewhere' is called in the nest, but its body is not in this file, so it cannot run on a device; define it here or in a header; without effects and linked for every device, declare it __attribute__((const)); or write 'independent' if it touches nothing of other cells, and the nest stays on the host
// expect: 28:37: error: 'next' uses the global variable 'counter', which devices do not have; pass it as an argument, or make it const
// expect: 32:37: error: 'again' uses the global variable 'calls', which devices do not have; pass it as an argument, or make it const
// expect: 36:37: error: call through a pointer in code for devices; call the functions by name
