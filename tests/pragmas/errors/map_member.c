/* SPDX-License-Identifier: Apache-2.0 */
struct mesh { int n; double *x, *y; struct mesh *coarse; };
void f(struct mesh *g, int n, int m, double *a, const int *at)
{
#pragma heddle wavefront map(to: g->y[0 : n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i * m + j] = a[(i - 1) * m + j] + g->x[j];
#pragma heddle wavefront map(to: g->coarse->x[0 : n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i * m + j] = a[(i - 1) * m + j] + (at[i] ? g->coarse->x[at[i]] : 0);
#pragma heddle for map(to: g->coarse->x[0 : n])
    for (int i = 1; i < n; i++)
        a[i] = at[i] ? g->coarse->x[at[i]] : 0;
#pragma heddle pool map(to: g->x[0 : n])
    {
#pragma heddle task
        a[0] = g->x[1];
    }
}
// expect: 16:30: error: expected ')' at the end of 'map'; variables are named here: copy what the structure holds to a local one first
// expect: 5:34: error: 'g->y' may be changed by the nest, or is no pointer that it reads in each turn; copy it to a variable before the nest, use that, and map it
// expect: 12:58: error: 'x' is a pointer inside a structure, which cannot be mapped; copy it to a local variable before the nest, or write 'independent', and it stays on the host
// expect: 12:58: error: 'coarse' is a pointer inside a structure, which cannot be mapped; copy it to a local variable before the nest, or write 'independent', and it stays on the host
// expect: 13:29: error: 'g->coarse->x' may be changed by the loop, or is read under a condition alone; copy it to a variable before the loop, use that, and map it
