/* SPDX-License-Identifier: Apache-2.0 */
/* 01_wavefront: the edit distance of two words, and one way to turn the first into the second.
 *
 *     01_wavefront kitten sitting        two words
 *     01_wavefront                       two long generated ones
 *
 * Each cell needs its left, upper and upper left neighbour, so neither loop is parallel; the cells of an
 * anti-diagonal are independent. `#pragma heddle wavefront` finds that out and uses it. Without the pragma this is the
 * textbook program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATED = 3000, SHOWN = 60 };

static inline int smaller(int a, int b) { return a < b ? a : b; }

/* D[i][j]: how many letters to change, insert or delete to get from the first i letters of a to the first j of b. */
static void fill(int n, int m, const char *a, const char *b, int (*D)[m + 1]) {
    for (int i = 0; i <= n; i++)
        D[i][0] = i;
    for (int j = 0; j <= m; j++)
        D[0][j] = j;
#pragma heddle wavefront map(to: a[0 : n], b[0 : m])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int change = D[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int gap = smaller(D[i - 1][j], D[i][j - 1]) + 1;
            D[i][j] = smaller(change, gap);
        }
}

/* Goes back from the last cell and writes both words with gaps, last letters first. Returns the number of columns. */
static int trace_back(int n, int m, const char *a, const char *b, int (*D)[m + 1], char *top, char *bottom) {
    int i = n, j = m, k = 0;
    while (i > 0 || j > 0) {
        int both = i > 0 && j > 0 && D[i][j] == D[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
        int down = !both && i > 0 && D[i][j] == D[i - 1][j] + 1;
        top[k] = both || down ? a[--i] : '-';
        bottom[k++] = both || !down ? b[--j] : '-';
    }
    return k;
}

static char *generate(int n, unsigned seed) {
    char *s = malloc((size_t)n + 1);
    for (int i = 0; s && i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        s[i] = "ACGT"[seed >> 16 & 3];
    }
    if (s)
        s[n] = '\0';
    return s;
}

static int align(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b), changes = 0;
    int(*D)[m + 1] = malloc(sizeof(int[n + 1][m + 1]));
    char *top = malloc((size_t)n + m + 1), *bottom = malloc((size_t)n + m + 1);
    if (!D || !top || !bottom) {
        fprintf(stderr, "no memory for %d x %d cells\n", n, m);
        return 1;
    }
    fill(n, m, a, b, D);
    int columns = trace_back(n, m, a, b, D, top, bottom);
    for (int k = 0; k < columns; k++)
        changes += top[k] != bottom[k];
    if (columns <= SHOWN)
        for (int row = 0; row < 2; row++) {
            for (int k = columns; k-- > 0;)
                putchar(row ? bottom[k] : top[k]);
            putchar('\n');
        }
    printf("distance %d, alignment of %d columns with %d changes: %s\n", D[n][m], columns, changes,
           changes == D[n][m] ? "ok" : "WRONG");
    int wrong = changes != D[n][m];
    free(D), free(top), free(bottom);
    return wrong;
}

int main(int argc, char **argv) {
    if (argc == 3)
        return align(argv[1], argv[2]);
    if (argc != 1) {
        fprintf(stderr, "usage: %s [word word]\n", argv[0]);
        return 2;
    }
    char *a = generate(GENERATED, 1), *b = generate(GENERATED - 200, 2);
    int status = a && b ? align(a, b) : 1;
    free(a), free(b);
    return status;
}
