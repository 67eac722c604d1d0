/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Elements that are structures, captured structures, typedefs, unsigned char. */
#include "run.h"

typedef struct { int score; short from; unsigned char kind; } cell;
struct scheme { int match, mismatch, gap; };
typedef unsigned char byte;
typedef const byte *text;

static void table(int n, int m, text a, text b, cell (*restrict H)[m + 1], const struct scheme s, const struct scheme *p)
{
#pragma heddle wavefront map(to: a[0:n], b[0:m], p[0:1])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            cell best = {H[i - 1][j - 1].score + (a[i - 1] == b[j - 1] ? s.match : p->mismatch), 0, 1};
            if (H[i - 1][j].score - s.gap > best.score)
                best = (cell){H[i - 1][j].score - s.gap, 1, 2};
            if (H[i][j - 1].score - p->gap > best.score)
                best = (cell){H[i][j - 1].score - s.gap, 2, 3};
            H[i][j].score = best.score;
            H[i][j].from = best.from;
            H[i][j].kind = (byte)(best.kind + H[i - 1][j].kind);
        }
}

/* Structures that functions get to see: one of the caller's, and a constant one. */
static const struct scheme plain = {1, 2, 1};

static inline int rated(const struct scheme *s, int x)
{
    return x % 7 ? x + s->match : x - s->gap;
}

static void shown(int n, int m, int (*S)[m])
{
    struct scheme own = {5, 1, n};
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            S[i][j] = (rated(&own, S[i - 1][j]) + rated(&plain, S[i][j - 1])) & 1023;
}

/* Rows go to functions and to pointers to const. */
static inline int distance(const int *a, const int b[4])
{
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

static void rows(int n, int m, int (*x)[4], int (*y)[4], int *flat, int (*C)[m])
{
#pragma heddle wavefront map(to: x[0:n], y[0:m], flat[0:4*n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            const int *own = x[i], *other = flat + i * 4;
            const int up = C[i - 1][j], left = C[i][j - 1];
            C[i][j] = (distance(x[i], y[j]) + distance(own, other) + (up < left ? up : left)) & 4095;
        }
}

/* A pointer to one structure needs no map clause. */
struct limits { int low, high; const int *elsewhere; int weight[4]; };

static void pointed(int n, int m, int (*S)[m], const struct limits *l, struct limits *other)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            const int v = S[i - 1][j] + l->weight[j & 3] * S[i][j - 1] - (*other).low;
            S[i][j] = v < l->low ? l->low : v > l->high ? other->high : v;
        }
}

static void bytes(int n, int m, byte (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (byte)(A[i - 1][j - 1] + A[i][j - 1] * 3);
}

/* Sizes that are no powers of two, and one that is larger than a vector. */
typedef struct { byte r, g, b; } pixel;
static void pixels(int n, int m, text a, pixel (*P)[m])
{
#pragma heddle wavefront map(to: a[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            pixel up = P[i - 1][j], p = {(byte)(up.r + a[i]), (byte)(P[i][j - 1].g + 1), (byte)(up.b - P[i][j - 1].b)};
            P[i][j] = p;
        }
}

typedef struct { double x, y, z, w, v; } five;
static void fives(int n, int m, text a, five (*V)[m])
{
#pragma heddle wavefront map(to: a[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            V[i][j].x = V[i - 1][j].y + a[i];
            V[i][j].y = V[i][j - 1].x - 1;
            V[i][j].z = V[i - 1][j - 1].w + 0.5;
            V[i][j].w = V[i][j - 1].v * 0.5;
            V[i][j].v = V[i - 1][j].z + j;
        }
}

int main(void)
{
    enum { N = 21, M = 17 };
    static pixel P[N][M];
    static five V[N][M];
    byte a[N], b[M], A[N][M];
    cell (*H)[M + 1] = calloc(N + 1, sizeof *H);
    struct scheme s = {3, -2, 1};
    run_fill(a, N, 4);
    run_fill(b, M, 4);
    run_fill(A, sizeof A, 200);
    table(N, M, a, b, H, s, &s);
    bytes(N, M, A);
    run_fill(P, sizeof P, 100);
    pixels(N, M, a, P);
    run_report("P", P, sizeof P);
    fives(N, M, a, V);
    run_report("V", V, sizeof V);
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            printf("%d,%d,%d ", H[i][j].score, H[i][j].from, H[i][j].kind);
    run_report("A", A, sizeof A);
    static int S[N][M];
    run_ints(&S[0][0], N * M, 100);
    shown(N, M, S);
    static int x[N][4], y[M][4], flat[N * 4];
    run_ints(&x[0][0], N * 4, 30);
    run_ints(&y[0][0], M * 4, 30);
    run_ints(flat, N * 4, 30);
    rows(N, M, x, y, flat, S);
    struct limits l = {3, 900, NULL, {1, 2, 1, 0}}, other = {5, 800, NULL, {0}};
    pointed(N, M, S, &l, &other);
    run_report("S", S, sizeof S);
    free(H);
    return 0;
}
