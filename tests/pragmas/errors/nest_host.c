/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
struct picture {
    int *weight;
};
int elsewhere(int i);
static int at;
static int reads(int i) { return at + i; }
static int leads(int i) { return elsewhere(i) + 1; }
void f(int n, int h[n][n], const int *a, int **rows, const struct picture p[2], int (*by)(int))
{
#pragma heddle wavefront device(host)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) {
            int *own = malloc(4);
            h[i][j] = h[i - 1][j] + h[i][j - 1] + elsewhere(j) + reads(i) + leads(j) + by(i);
            free(own);
        }
#pragma heddle wavefront device(host)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            h[i][j] = h[i - 1][j] + h[i][j - 1] + p[1].weight[j];
#pragma heddle wavefront device(host)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            h[i][j] = h[i - 1][j] + h[i][j - 1] + rows[i][j];
#pragma heddle wavefront device(host)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            h[i][j] = h[i - 1][j] + h[i][j - 1] + a[h[i - 1][j - 1]];
}
// expect: 16:51: error: 'elsewhere' is called in the nest, and nothing shows what it touches; define it here or in a header, or write 'independent', which says that it touches nothing of other cells
// expect: 16:66: error: 'reads' uses the global variable 'at', which other cells may change; pass it as an argument, or make it const, or write 'independent'
// expect: 9:34: error: 'elsewhere' is called in the nest, and nothing shows what it touches; define it here or in a header, or write 'independent', which says that it touches nothing of other cells
// expect: 16:88: error: a function whose name is not written is called in the nest, and nothing shows what it touches; define it here or in a header, or write 'independent', which says that it touches nothing of other cells
// expect: 22:51: error: 'weight' is a pointer inside a structure, and nothing shows whether what it points to overlaps what the nest writes; copy it to a local variable before the nest, or write 'independent'
// expect: 30:51: error: cannot tell how much of 'a' to map; add map(to: a[0:count]), or write 'independent', which says that it overlaps no array that is written
