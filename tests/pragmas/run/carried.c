/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers. Scalars that a row carries from cell to cell, and what a row sets in front of its inner loop. */
#include "run.h"

enum { N = 70, M = 130 };
static int h[M + 1], f[M + 1], full[N + 1][M + 1];
static char a[N], b[M];
static double line[M + 1];

static int score(char x, char y) { return x == y ? 5 : -4; }

/* affine gaps with one row of scores and of gaps, as programs for one processor have it */
static int affine(int n, int m, const char *s, const char *t)
{
    int best = 0, e, hh, p, u;
#pragma heddle wavefront reduction(max: best)
    for (int i = 1; i <= n; i++) {
        hh = p = 0;
        e = -10;
        for (int j = 1; j <= m; j++) {
            e -= 1;
            u = hh - 11;
            if (e < u)
                e = u;
            f[j] -= 1;
            u = h[j] - 11;
            if (f[j] < u)
                f[j] = u;
            hh = p + score(s[i - 1], t[j - 1]);
            if (hh < e)
                hh = e;
            if (hh < f[j])
                hh = f[j];
            if (hh < 0)
                hh = 0;
            p = h[j];
            h[j] = hh;
            if (hh > best)
                best = hh;
        }
    }
    return best;
}

/* declared in the row, all scores kept, and a letter of the row read in front of the loop */
static void kept(int n, int m, const char *s, const char *t)
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++) {
        const char letter = s[i - 1]; /* the row's */
        int e = -100 - i, gap;
        for (int j = 1; j <= m; j++) {
            gap = full[i][j - 1] - 12;
            e = e - 2 > gap ? e - 2 : gap;
            const int d = full[i - 1][j - 1] + score(letter, t[j - 1]);
            full[i][j] = d > e ? d : e;
        }
    }
}

/* rows that count down, no block, other types */
static void smoothed(unsigned n, unsigned m)
{
    for (unsigned k = 0; k < n; k++) {
#pragma heddle wavefront
        for (int i = N - 1; i >= 3; i -= 2) {
            double w = i * 0.5;
            float x = w > 10 ? 1 : 2;
            for (unsigned j = 0; j < m; j++)
                line[j] = w = 0.25 * w + 0.5 * line[j] + x;
        }
    }
}

/* both ways back, as alignments are traced */
static int reversed(int n, int m, const char *s, const char *t)
{
    int best = 0, e, hh, p;
#pragma heddle wavefront reduction(max: best)
    for (int i = n; i > 0; i--) {
        hh = p = 0;
        e = -7;
        for (int j = m; j > 0; j--) {
            e = e - 1 > hh - 9 ? e - 1 : hh - 9;
            f[j] = f[j] - 1 > h[j] - 9 ? f[j] - 1 : h[j] - 9;
            hh = p + score(s[i - 1], t[j - 1]);
            hh = MAX(MAX(hh, e), MAX(f[j], 0));
            p = h[j];
            h[j] = hh;
            best = MAX(best, hh);
        }
    }
    return best;
}

/* no row, and one where no cell is */
static void none(int n, int m)
{
#pragma heddle wavefront
    for (int i = 5; i < n; i++) {
        int e = i;
        for (int j = 0; j < m; j++)
            h[j] = e = e + h[j];
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = "ACGT"[run_random() % 4];
    for (int j = 0; j < M; j++)
        b[j] = "ACGT"[run_random() % 4];
    for (int j = 0; j <= M; j++)
        f[j] = -10;
    int best[3];
    best[0] = affine(N, M, a, b);
    best[1] = affine(1, M, a, b);
    best[2] = affine(N, 1, a, b);
    run_report("best", best, sizeof best);
    run_report("h", h, sizeof h);
    run_report("f", f, sizeof f);
    kept(N, M, a, b);
    run_report("full", full, sizeof full);
    smoothed(3, M);
    run_report("line", line, sizeof line);
    memset(h, 0, sizeof h);
    int back = reversed(N, M, a, b);
    run_report("back", &back, sizeof back);
    run_report("reversed", h, sizeof h);
    none(-4, M);
    none(N, 0);
    none(9, 60);
    run_report("h", h, sizeof h);
}
