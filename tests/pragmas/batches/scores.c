/* SPDX-License-Identifier: Apache-2.0 */
/* One sequence against many, in 16 bits: rows that all problems share, a table, problems of size 0 and 1, a large one
   among small ones, and more problems than any vector has lanes. */
#include "../run/run.h"
static inline short max2(short x, short y) { return x > y ? x : y; }
enum { LETTERS = 24, PROBLEMS = 203 };

static void scores(int count, const int *start, const signed char *residues, int n, const signed char *a,
                   const short (*S)[32], int open, int extend, short *score) {
#pragma heddle wavefront batch(p) reduction(max: best) map(to: a[0:n], residues[0:start[count]], S[0:LETTERS])         \
    map(from: score[0:count])
    for (int p = 0; p < count; p++) {
        const int m = start[p + 1] - start[p];
        const signed char *b = residues + start[p];
        short best = 0;
        short H[2][m + 1], F[m + 1], E[n + 1];
        memset(H, 0, sizeof H);
        for (int j = 0; j <= m; j++)
            F[j] = 0;
        for (int i = 0; i < n + 1; i++)
            E[i] = 0;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                short f = max2(F[j] - extend, H[(i - 1) & 1][j] - open);
                short e = max2(E[i] - extend, H[i & 1][j - 1] - open);
                short h = max2(max2(H[(i - 1) & 1][j - 1] + S[a[i - 1]][b[j - 1]], 0), max2(e, f));
                F[j] = f;
                E[i] = e;
                H[i & 1][j] = h;
                best = max2(best, h);
            }
        score[p] = best;
    }
}

int main(void) {
    static signed char residues[40000], a[131];
    static short S[LETTERS][32], score[PROBLEMS];
    int start[PROBLEMS + 1] = {0};
    for (int p = 0; p < PROBLEMS; p++)
        start[p + 1] = start[p] + (p == 7 ? 20000 : p % 41 == 3 ? 0 : p % 17 == 2 ? 1 : (int)(run_random() % 150));
    run_fill(residues, sizeof residues, LETTERS);
    run_fill(a, sizeof a, LETTERS);
    for (int x = 0; x < LETTERS; x++)
        for (int y = 0; y < 32; y++)
            S[x][y] = (short)((int)(run_random() % 16) - 9 + 8 * (x == y));
    const int rows[] = {131, 1, 0, 37};
    for (int k = 0; k < 4; k++) {
        memset(score, 1, sizeof score);
        scores(PROBLEMS, start, residues, rows[k], a, (const short(*)[32])S, 11, 1, score);
        run_report("score", score, sizeof score);
    }
    scores(0, start, residues, 5, a, (const short(*)[32])S, 11, 1, score);
    scores(1, start, residues, 5, a, (const short(*)[32])S, 11, 1, score);
    run_report("score", score, sizeof score);
    return 0;
}
