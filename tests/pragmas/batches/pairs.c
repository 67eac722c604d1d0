/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs: both sequences are a problem's own, and so is a scalar that its cells read. The last cell is wanted, of empty
   problems, too. First values by expressions, in chains of assignments and for single elements. */
#include "../run/run.h"
#define FAR 1e30f
enum { SERIES = 23, PAIRS = 301 };

static inline float min2(float x, float y) { return x < y ? x : y; }

static void warp(int pairs, const int *x, const int *y, const int *start, const float *samples, const float *weight,
                 float *distance, int *cells) {
#pragma heddle wavefront batch(p) map(to: samples[0:start[SERIES]], start[0:SERIES + 1])
    for (int p = 0; p < pairs; p++) {
        const int n = start[x[p] + 1] - start[x[p]], m = start[y[p] + 1] - start[y[p]];
        const float *a = samples + start[x[p]], *b = samples + start[y[p]];
        const float w = weight[p];
        float D[2][m + 1];
        for (int j = 0; j <= m; j++)
            D[0][j] = D[1][j] = FAR + j;
        D[1][0] = FAR;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                float corner = i == 1 && j == 1 ? 0.0f : D[(i - 1) & 1][j - 1];
                float cost = (a[i - 1] - b[j - 1]) * (a[i - 1] - b[j - 1]);
                D[i & 1][j] = cost + min2(min2(D[(i - 1) & 1][j] + w, corner), D[i & 1][j - 1] + w);
            }
        distance[p] = D[n & 1][m];
        cells[p] = n * m;
    }
}

/* Global alignment of bytes that share a table; full arrays of the problem's own, and a sum. */
static void count(int pairs, const int *x, const int *y, const int *start, const unsigned char *text, const int *T,
                  long *sum, int *last) {
#pragma heddle wavefront batch(q) reduction(+: matches) map(to: text[0:start[SERIES]], start[0:SERIES + 1], T[0:64])   \
    map(tofrom: sum[0:pairs])
    for (int q = 0; q < pairs; q++) {
        const unsigned char *a = text + start[x[q]], *b = text + start[y[q]];
        int n = start[x[q] + 1] - start[x[q]], m = start[y[q] + 1] - start[y[q]];
        long matches = q;
        int G[n + 1][m + 1];
        for (int j = 0; j <= m; ++j)
            G[0][j] = -j * 2;
        for (int i = 1; i <= n; i += 1)
            G[i][0] = -i * 2 - q % 3;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int up = G[i][j + 1] - 2, left = G[i + 1][j] - 2, corner = G[i][j] + T[8 * a[i] + b[j]];
                int best = MAX(MAX(up, left), corner);
                matches += best == corner;
                G[i + 1][j + 1] = best;
            }
        sum[q] += matches;
        last[q] = G[n - 1 + 1][m - 1 + 1];
    }
}

int main(void) {
    int start[SERIES + 1] = {0}, x[PAIRS], y[PAIRS], cells[PAIRS], T[64], last[PAIRS];
    static float samples[4000], weight[PAIRS], distance[PAIRS];
    static unsigned char text[4000];
    long sum[PAIRS];
    for (int k = 0; k < SERIES; k++)
        start[k + 1] = start[k] + (k == 4 ? 0 : k == 9 ? 1 : k == 11 ? 900 : (int)(run_random() % 90));
    run_floats(samples, 4000);
    run_floats(weight, PAIRS);
    run_fill(text, sizeof text, 8);
    run_ints(T, 64, 7);
    run_ints(x, PAIRS, SERIES);
    run_ints(y, PAIRS, SERIES);
    for (int q = 0; q < PAIRS; q++)
        sum[q] = 1000 * q;
    warp(PAIRS, x, y, start, samples, weight, distance, cells);
    run_report("distance", distance, sizeof distance);
    run_report("cells", cells, sizeof cells);
    count(PAIRS, x, y, start, text, T, sum, last);
    run_report("sum", sum, sizeof sum);
    run_report("last", last, sizeof last);
    return 0;
}
