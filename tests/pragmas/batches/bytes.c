/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of one byte, which wrap as the serial program's do; cells of a structure's width, with doubles; and cells that
   read memory of their own, which no lane can do. */
#include "../run/run.h"
enum { PROBLEMS = 150 };

static void edits(int count, const int *size, const char *text, const char *pattern, const int *place,
                  unsigned char *distance) {
#pragma heddle wavefront batch(p) independent map(to: text[0:64 * count], pattern[0:40])                               \
    map(from: distance[0:count])
    for (int p = 0; p < count; p++) {
        const char *word = &text[64 * p];
        unsigned char D[41][size[p] + 1];
        for (int j = 0; j < size[p] + 1; j++)
            D[0][j] = (unsigned char)j;
        for (int i = 0; i <= 40; i++)
            D[i][0] = (unsigned char)(i + p);
        for (int i = 1; i <= 40; i++)
            for (int j = 1; j <= size[p]; j++) {
                unsigned char change = D[i - 1][j - 1] + (pattern[i - 1] != word[j - 1]);
                unsigned char gap = MIN(D[i - 1][j], D[i][j - 1]) + 1;
                D[i][j] = MIN(change, gap);
            }
        distance[place[p]] = D[40][size[p]];
    }
}

static void decay(int count, const double *rate, double *top, const float *table) {
#pragma heddle wavefront batch(p) reduction(max: most) map(to: table[0:64 * 80])
    for (int p = 0; p < count; p++) {
        const double r = rate[p];
        double most = -1;
        double A[2][81] = {0};
        for (int i = 1; i <= p % 64; i++)
            for (int j = 1; j <= 80; j++) {
                A[i & 1][j] = A[(i - 1) & 1][j] * r + A[i & 1][j - 1] * 0.25 + table[(i - 1) * 80 + j - 1];
                most = A[i & 1][j] > most ? A[i & 1][j] : most;
            }
        top[p] = most;
    }
}

int main(void) {
    static char text[64 * PROBLEMS], pattern[40];
    static unsigned char distance[PROBLEMS];
    static int size[PROBLEMS], place[PROBLEMS];
    static double rate[PROBLEMS], top[PROBLEMS];
    static float table[64 * 80];
    run_fill(text, sizeof text, 4);
    run_fill(pattern, sizeof pattern, 4);
    run_ints(size, PROBLEMS, 64);
    run_floats(table, 64 * 80);
    for (int p = 0; p < PROBLEMS; p++)
        place[p] = (p * 7 + 3) % PROBLEMS, rate[p] = (double)(run_random() % 100) / 128;
    edits(PROBLEMS, size, text, pattern, place, distance);
    run_report("distance", distance, sizeof distance);
    decay(PROBLEMS, rate, top, table);
    run_report("top", top, sizeof top);
    return 0;
}
