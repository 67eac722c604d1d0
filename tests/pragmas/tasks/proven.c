/* SPDX-License-Identifier: Apache-2.0 */
/* Taskloops that are proven, with and without sinks, and some that `independent` asserts: a permutation, a pivot row. */
#include "../run/run.h"

enum { N = 40, M = 24 };
struct cell { int height, colour; };

static void paint(struct cell *c, const struct cell *left, int by) { c->colour = left->colour * 3 + c->height + by; }

static void grid(int n, int m, struct cell (*g)[m], int *line)
{
#pragma heddle pool map(tofrom: g[0:n], line[0:n*m])
    {
#pragma heddle taskloop
        for (int y = 0; y < n; y++)
            for (int x = 1; x < m; x++)
                paint(&g[y][x], &g[y][x - 1], y);
#pragma heddle taskwait
#pragma heddle taskloop sink(y-1, x) sink(y, x-1)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++) {
                const int at = y * m + x;
                if (y > 0 && x > 0)
                    line[at] += line[at - m] ^ line[at - 1];
                else if (y > 0)
                    line[at] += line[at - m];
                else if (x > 0)
                    line[at] += line[at - 1];
                g[y][x].height += line[at] & 15;
            }
    }
}

static void asserted(int n, int m, int k, int (*a)[m], int *to, const int *place)
{
#pragma heddle pool map(tofrom: a[0:n], to[0:n*m]) map(to: place[0:n*m])
    {
#pragma heddle taskloop independent
        for (int i = 0; i < n * m; i++)
            to[place[i]] = i * 5;
#pragma heddle taskloop independent
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m && i != k; j++)
                a[i][j] += a[k][j];
#pragma heddle taskwait
#pragma heddle taskloop sink(i-2) independent
        for (int i = 2; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] += a[i - (2 + 0 * place[i])][j] & 7;
    }
}

int main(void)
{
    static struct cell g[N][M];
    static int line[N * M], a[N][M], to[N * M], place[N * M];
    run_ints(line, N * M, 50);
    run_ints(&a[0][0], N * M, 50);
    for (int i = 0; i < N * M; i++) {
        (&g[0][0])[i] = (struct cell){i % 7, i % 3};
        place[i] = i * 7 % (N * M);
    }
    grid(N, M, g, line);
    asserted(N, M, 11, a, to, place);
    run_report("g", g, sizeof g);
    run_report("line", line, sizeof line);
    run_report("a", a, sizeof a);
    run_report("to", to, sizeof to);
    return 0;
}
