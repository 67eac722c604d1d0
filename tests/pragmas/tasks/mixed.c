/* SPDX-License-Identifier: Apache-2.0 */
/* Captures of every shape, globals by value and mapped, tables, pools in loops and beside each other. */
#include "../run/run.h"
#include <stdbool.h>

typedef unsigned char byte;
struct point { short x, y; };
struct shape { struct point corner[4]; bool closed; char name[5]; };
enum { N = 48 };
static int factor, table[8], counts[N];
static const double curve[3] = {0.5, 1.5, 2.5};
static const struct point origin = {3, 4};

static int scaled(int v) { return v * factor + table[v & 7]; }
static long area(const struct shape *s)
{
    long a = 0;
    for (int i = 0; i < 4; i++)
        a += (s->corner[i].x - origin.x) * (s->corner[(i + 1) & 3].y - origin.y);
    return s->closed ? a : -a;
}
static int digit(int v)
{
    static const byte map[10] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    return map[v % 10];
}
static struct point turned(struct point p)
{
    struct point q = {.x = (short)-p.y, .y = p.x};
    return q;
}
static void leaf(struct shape s, const int *weights, long *out, int k)
{
    out[k] = area(&s) + weights[k & 3] + scaled(k) + digit(k) + (long)(curve[k % 3] * 4) + s.name[1];
}
static void spread(struct shape s, int n, long *out)
{
    int weights[4] = {1, 10, 100, 1000}, extra = n;
    struct shape t = s, *p = &t;
    for (int i = 0; i < 4; i++)
        p->corner[i] = turned(s.corner[i]);
    weights[2] += scaled(extra);
    for (int k = 0; k < n; k++) {
        switch (k % 3) {
        case 0:
            t.closed = !t.closed;
#pragma heddle task
            leaf(t, weights, out, k);
            break;
        case 1: {
            int twice[2] = {k, 2 * k};
#pragma heddle task
            {
                long sum = weights[1];
                for (int i = 0; i < 2; i++)
                    sum += twice[i] * t.corner[i].x;
                out[k] = sum;
            }
            break;
        }
        default:
#pragma heddle task
            if (k & 1)
                out[k] = k;
            else
                for (int i = 0; i < k; i++)
                    out[k] += i;
        }
    }
}
static void count(const byte *text, int n)
{
    int local[26];
#pragma heddle lanes
    for (int c = 0; c < 26; c++)
        local[c] = 0;
#pragma heddle lanes
    for (int i = 0; i < n; i++)
#pragma omp atomic
        local[text[i] % 26] += scaled(1) > 0;
#pragma heddle lanes
    for (int c = 0; c < 26; c++) {
        int v = local[c];
#pragma omp atomic
        counts[c] += v;
    }
}
static void squares(int rows, int cols, float (*m)[cols], float *diagonal)
{
    enum { STEP = 2 };
#pragma heddle pool map(tofrom: m[0:rows]) map(from: diagonal[0:rows])
    {
        for (int i = 0; i < rows; i++)
#pragma heddle task
            for (int j = 0; j < cols; j += STEP)
                m[i][j] = m[i][j] * m[i][j];
#pragma heddle taskwait
#pragma heddle taskloop
        for (int i = 0; i < rows; i++) {
            const float *row = m[i];
            float best = row[0];
#pragma heddle lanes reduction(max: best)
            for (int j = 1; j < cols; j++)
                if (row[j] > best)
                    best = row[j];
            diagonal[i] = best + row[i % cols];
        }
    }
}

int main(void)
{
    static long out[N];
    struct shape s = {{{1, 2}, {9, 3}, {8, 12}, {0, 7}}, true, "quad"};
    for (int i = 0; i < 8; i++)
        table[i] = i * i;
    for (int round = 0; round < 3; round++) {
        factor = round + 2;
        s.corner[round].x += 5;
#pragma heddle pool map(to: table) map(tofrom: out)
#pragma heddle task
        spread(s, N - round, out);
        run_report("spread", out, sizeof out);
    }
    static byte text[1000];
    run_fill(text, sizeof text, 200);
#pragma heddle pool map(to: text, table) map(tofrom: counts)
    {
        for (int from = 0; from < 1000; from += 125)
#pragma heddle task priority(from - 300)
            count(text + from, 125);
    }
    run_report("counts", counts, sizeof counts);
    int rows = 19, cols = 33;
    float (*m)[cols] = malloc((size_t)rows * sizeof *m), *diagonal = malloc((size_t)rows * sizeof *diagonal);
    if (!m || !diagonal)
        return 1;
    run_floats(&m[0][0], (size_t)rows * (size_t)cols);
    squares(rows, cols, m, diagonal);
    run_report("squares", m, sizeof *m * (size_t)rows);
    run_report("diagonal", diagonal, sizeof *diagonal * (size_t)rows);
    free(m);
    free(diagonal);
    return 0;
}
