/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of size 0 and 1, one of 100,000 rows, one of as many columns and one that is worth a whole device, among
   small ones. Arrays that the program keeps on a device, where a batch runs then and asks for the sizes. */
#include "../run/run.h"
enum { PROBLEMS = 600, LETTERS = 1 << 17 };

static inline int max2(int x, int y) { return x > y ? x : y; }

static void local(int count, const int *rows, const int *columns, const char *a, const char *b, int *score, int *last) {
#pragma heddle wavefront batch(p) reduction(max: best) map(to: rows[0:count], columns[0:count], a[0:LETTERS],          \
                                                           b[0:LETTERS]) map(from: score[0:count], last[0:count])
    for (int p = 0; p < count; p++) {
        const int n = rows[p], m = columns[p];
        int best = -1;
        int H[2][m + 1];
        memset(H, 0, sizeof H);
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                int h = max2(H[(i - 1) & 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -3), 0);
                h = max2(h, max2(H[(i - 1) & 1][j], H[i & 1][j - 1]) - 4);
                H[i & 1][j] = h;
                best = max2(best, h);
            }
        score[p] = best;
        last[p] = H[n & 1][m];
    }
}

static void narrow(int count, const int *rows, const int *columns, const char *a, const char *b, unsigned short *last) {
#pragma heddle wavefront batch(p) map(to: rows[0:count], columns[0:count], a[0:LETTERS], b[0:LETTERS])                 \
    map(from: last[0:count])
    for (int p = 0; p < count; p++) {
        const int n = rows[p] % 300, m = columns[p] % 300;
        unsigned short D[n + 1][m + 1];
        for (int j = 0; j <= m; j++)
            D[0][j] = (unsigned short)(2 * j);
        for (int i = 0; i <= n; i++)
            D[i][0] = (unsigned short)(2 * i);
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                unsigned short change = D[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                               gap = MIN(D[i - 1][j], D[i][j - 1]) + 2;
                D[i][j] = MIN(change, gap);
            }
        last[p] = D[n][m];
    }
}

int main(void) {
    static char a[LETTERS], b[LETTERS];
    static int rows[PROBLEMS], columns[PROBLEMS], score[PROBLEMS], last[PROBLEMS];
    static unsigned short distance[PROBLEMS];
    run_fill(a, LETTERS, 4);
    run_fill(b, LETTERS, 4);
    for (int p = 0; p < PROBLEMS; p++) {
        rows[p] = p == 3 ? 100000 : p == 5 ? 2 : p == 7 ? 4300 : p % 7 == 1 ? p % 2 : (int)(run_random() % 150);
        columns[p] = p == 3 ? 3 : p == 5 ? 100000 : p == 7 ? 4100 : p % 11 == 1 ? p % 2 : (int)(run_random() % 150);
    }
    local(PROBLEMS, rows, columns, a, b, score, last);
    run_report("score", score, sizeof score);
    run_report("last", last, sizeof last);
    narrow(PROBLEMS, rows, columns, a, b, distance);
    run_report("distance", distance, sizeof distance);
    memset(score, 0, sizeof score);
#pragma omp target data map(to: rows, columns, a, b) map(from: score, last)
    local(PROBLEMS, rows, columns, a, b, score, last);
    run_report("score", score, sizeof score);
    run_report("last", last, sizeof last);
    for (int p = 0; p < 64; p++) { /* in passes, and wide ones in one pass beside them */
        rows[p] = p < 60 ? 20 : 10;
        columns[p] = p < 60 ? 5 : 131000;
    }
    local(64, rows, columns, a, b, score, last);
    run_report("score", score, sizeof score);
    return 0;
}
