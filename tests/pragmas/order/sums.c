/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix sums of fractions, whose bits depend on the order of the additions, and of integers, whose do not. The
 * test makes the former scans, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { ROWS = 211, COLS = 307, PLANES = 3 };
static float in[ROWS][COLS], F[ROWS][COLS], P[PLANES][ROWS][COLS];
static double D[ROWS][COLS], along[ROWS][COLS];
static int I[ROWS][COLS];

static void fractions(void) {
#pragma heddle wavefront schedule(auto)
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLS; j++)
            F[i][j] = in[i][j] + F[i - 1][j] + F[i][j - 1] - F[i - 1][j - 1];
#pragma heddle wavefront schedule(auto)
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLS; j++)
            D[i][j] = D[i - 1][j] + D[i][j - 1] - D[i - 1][j - 1];
#pragma heddle wavefront schedule(auto)
    for (int i = 0; i < ROWS; i++)
        for (int j = 1; j < COLS; j++)
            along[i][j] += along[i][j - 1];
#pragma heddle wavefront batch(p) schedule(auto)
    for (int p = 0; p < PLANES; p++)
        for (int i = 1; i < ROWS; i++)
            for (int j = 1; j < COLS; j++)
                P[p][i][j] = in[i][j] / (float)(p + 3) + P[p][i - 1][j] + P[p][i][j - 1] - P[p][i - 1][j - 1];
}

static void integers(void) {
#pragma heddle wavefront
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLS; j++)
            I[i][j] += I[i - 1][j] + I[i][j - 1] - I[i - 1][j - 1];
}

static void report(const char *name, const void *p, size_t bytes) {
    unsigned long h = 1469598103934665603ul;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const unsigned char *)p)[i]) * 1099511628211ul;
    printf("%s %016lx\n", name, h);
}

/* The table of floats against sums in long double: what any order of additions keeps to. */
static int is_near(void) {
    static long double above[COLS];
    for (int i = 1; i < ROWS; i++) {
        long double row = 0;
        for (int j = 1; j < COLS; j++) {
            above[j] += row += in[i][j];
            if (fabsl(F[i][j] - above[j]) > 4e-3L * above[j])
                return 0;
        }
    }
    return 1;
}

int main(void) {
    srand(2026);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            in[i][j] = (float)rand() / 3e9f;
            D[i][j] = along[i][j] = rand() / 7e8;
            I[i][j] = rand() % 100;
        }
    fractions();
    integers();
    report("F", F, sizeof F);
    report("D", D, sizeof D);
    report("along", along, sizeof along);
    report("P", P, sizeof P);
    report("I", I, sizeof I);
    puts(is_near() ? "near" : "far");
    return 0;
}
