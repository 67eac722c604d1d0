/* SPDX-License-Identifier: Apache-2.0 */
/* See nests.h. NESTS is the table's name: plain_nests or heddle_nests. Parts of an array that `keep` gives up
   are cleared afterwards, so that the rest can be compared as a whole. */
#include "nests.h"
#include <string.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Smith-Waterman, the score alone: the matrix never reaches memory. */
static void sw_score(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*H)[m + 1] = p->x;
    int best = 3;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) keep(H : none) reduction(max : best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? 2 : -1;
            H[i][j] = MAX(0, MAX(H[i - 1][j - 1] + s, MAX(H[i - 1][j], H[i][j - 1]) - 1));
            if (H[i][j] > best)
                best = H[i][j];
        }
    for (int i = 1; i <= n; i++)
        memset(&H[i][1], 0, (size_t)m * sizeof(int));
    p->result[0] = best;
}

/* The same in rolling rows. */
static void sw_rolling(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*H)[m + 1] = p->x;
    int best = 0;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) reduction(max : best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? 2 : -1;
            H[i & 1][j] = MAX(0, MAX(H[(i - 1) & 1][j - 1] + s, MAX(H[(i - 1) & 1][j], H[i & 1][j - 1]) - 1));
            if (H[i & 1][j] > best)
                best = H[i & 1][j];
        }
    p->result[0] = best;
}

/* The whole matrix. */
static void sw_full(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*H)[m + 1] = p->x;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) keep(H : all)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            H[i][j] = MAX(0, MAX(H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), MAX(H[i - 1][j], H[i][j - 1]) - 1));
}

/* Its last row and column. */
static void sw_last(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*H)[m + 1] = p->x;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) keep(H : last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            H[i][j] = MAX(0, MAX(H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), MAX(H[i - 1][j], H[i][j - 1]) - 1));
    for (int i = 1; i < n; i++)
        if (m > 1)
            memset(&H[i][1], 0, (size_t)(m - 1) * sizeof(int));
}

/* Affine gaps: one value per row, one per column, two rolling rows; linearised. */
static void affine(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int *H = p->x, *E = p->y, *F = p->z, best = 0;
    const size_t ld = (size_t)m + 1;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) map(tofrom : H[0 : 2 * (m + 1)]) reduction(max : best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            E[i] = MAX(E[i] - 1, H[(i & 1) * ld + j - 1] - 3);
            F[j] = MAX(F[j] - 1, H[((i - 1) & 1) * ld + j] - 3);
            int h = MAX(H[((i - 1) & 1) * ld + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -2), MAX(E[i], F[j]));
            H[(i & 1) * ld + j] = MAX(h, 0);
            best = MAX(best, h);
        }
    p->result[0] = best;
}

static double absolute(double x) { return x < 0 ? -x : x; }

static void dtw(struct problem *p) {
    const int n = p->n, m = p->m;
    const double *s = p->y, *t = p->z;
    double(*D)[m + 1] = p->x;
    double last = 0;
#pragma heddle wavefront map(to : s[0 : n], t[0 : m]) keep(D : last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            D[i][j] = absolute(s[i - 1] - t[j - 1]) + MIN(D[i - 1][j - 1], MIN(D[i - 1][j], D[i][j - 1]));
    if (n > 0 && m > 0)
        last = D[n][m];
    for (int i = 1; i < n; i++)
        if (m > 1)
            memset(&D[i][1], 0, (size_t)(m - 1) * sizeof(double));
    p->real[0] = last;
}

/* Three rolling rows of float, all rows read from the one above. */
static void rolling3(struct problem *p) {
    const int n = p->n, m = p->m;
    float(*R)[m + 2] = p->x;
    float high = -1;
#pragma heddle wavefront reduction(max : high)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            R[i % 3][j] = R[(i + 2) % 3][j] * 0.5f + R[i % 3][j - 1] * 0.25f + R[(i - 1) % 3][j - 1] * 0.125f + 1.0f;
            high = MAX(high, R[i % 3][j]);
        }
    p->real[0] = high;
}

/* Summed-area table: from row and column 0, with the border under a condition. */
static void sat(struct problem *p) {
    const int n = p->n, m = p->m;
    const int(*A)[m + 1] = p->y;
    int(*S)[m + 1] = p->x;
#pragma heddle wavefront
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            S[i][j] = A[i][j] + (i ? S[i - 1][j] : 0) + (j ? S[i][j - 1] : 0) - (i && j ? S[i - 1][j - 1] : 0);
}

/* In place, old values from the right and from below. */
static void sor(struct problem *p) {
    const int n = p->n, m = p->m;
    double(*A)[m + 2] = p->x;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] += 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] - 4 * A[i][j]);
}

/* Two rows up and three columns to the right, two to the left. */
static void distant(struct problem *p) {
    const int n = p->n, m = p->m;
    int(*A)[m + 6] = p->x;
#pragma heddle wavefront
    for (int i = 2; i < n + 2; i++)
        for (int j = 2; j < m + 2; j++)
            A[i][j] = (A[i - 2][j] * 3 + A[i][j - 2] + A[i - 1][j + 3] + A[i - 2][j - 2]) % 10007;
}

/* Old values of all later neighbours. */
static void later(struct problem *p) {
    const int n = p->n, m = p->m;
    int(*A)[m + 3] = p->x;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] = (A[i][j - 1] + A[i + 1][j - 1] * 2 + A[i + 1][j] + A[i + 1][j + 1] * 5 + A[i][j + 2]) % 1009;
}

/* Vertical only and horizontal only. */
static void columns(struct problem *p) {
    const int n = p->n, m = p->m;
    int(*A)[m + 1] = p->x;
    int(*B)[m + 1] = p->y;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 0; j <= m; j++)
            A[i][j] += A[i - 1][j] % 17;
#pragma heddle wavefront
    for (int i = 0; i <= n; i++)
        for (int j = 1; j <= m; j++)
            B[i][j] += B[i][j - 1] % 19;
}

static void diagonal(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*L)[m + 1] = p->x;
    int longest = 0;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) keep(L : none) reduction(max : longest)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            L[i][j] = a[i - 1] == b[j - 1] ? L[i - 1][j - 1] + 1 : 0;
            longest = MAX(longest, L[i][j]);
        }
    for (int i = 1; i <= n; i++)
        memset(&L[i][1], 0, (size_t)m * sizeof(int));
    p->result[0] = longest;
}

static void cells16(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    short(*H)[m + 1] = p->x;
    short best = 0;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) reduction(max : best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            short s = a[i - 1] == b[j - 1] ? 2 : -1, g = MAX(H[i - 1][j], H[i][j - 1]) - 1;
            short h = H[i - 1][j - 1] + s;
            H[i][j] = MAX(0, MAX(h, g));
            best = MAX(best, H[i][j]);
        }
    p->result[0] = best;
}

static void cells8(struct problem *p) {
    const int n = p->n, m = p->m;
    unsigned char(*A)[m + 1] = p->x;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] = (unsigned char)(A[i - 1][j - 1] + A[i][j - 1] * 3 + A[i - 1][j]);
}

typedef struct {
    int score;
    short from, other;
} cell; /* no padding, whose value C leaves open */
static void cells_struct(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    cell(*H)[m + 1] = p->x;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int up = H[i - 1][j].score - 1, left = H[i][j - 1].score - 1;
            int over = H[i - 1][j - 1].score + (a[i - 1] == b[j - 1] ? 2 : -1);
            H[i][j].score = MAX(0, MAX(over, MAX(up, left)));
            H[i][j].from = H[i][j].score == over ? 1 : H[i][j].score == up ? 2 : 3;
        }
}

static void reductions(struct problem *p) {
    const int n = p->n, m = p->m;
    int(*A)[m + 1] = p->x;
    long sum = 7;
    unsigned long product = 3;
    int low = 500, high = 2, and = -1, or = 1, xor = 9, every = 1, any = 0;
#pragma heddle wavefront reduction(+ : sum) reduction(* : product) reduction(min : low) reduction(max : high)          \
    reduction(& : and) reduction(| : or) reduction(^ : xor) reduction(&& : every) reduction(|| : any)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * 3 + 1) & 1023;
            sum += A[i][j];
            product *= (unsigned long)A[i][j] * 2 + 1;
            low = MIN(low, A[i][j]);
            high = MAX(high, A[i][j]);
            and &= A[i][j] | 0xf0;
            or |= A[i][j] & 0xff;
            xor ^= A[i][j];
            every = every && A[i][j] != 77;
            any = any || A[i][j] == 78;
        }
    const long all[9] = {sum, (long)product, low, high, and, or, xor, every, any};
    memcpy(p->result, all, sizeof all);
}

/* Several arrays that carry, one written under a condition; integer division keeps it out of speculation. */
static void mixed(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*A)[m + 1] = p->x;
    int(*B)[m + 1] = p->y;
    int *C = p->z;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            A[i][j] = (A[i - 1][j - 1] + B[i - 1][j] * 3 + a[i - 1]) / (1 + b[j - 1]) % 4099;
            if ((A[i][j] & 3) == 1)
                B[i][j] = B[i][j - 1] + A[i][j] % 5;
            C[j] = (C[j] + B[i][j]) % 997;
        }
}

/* Work between the values: a body with a loop of its own. */
static void inner_loop(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*A)[m + 1] = p->x;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int v = A[i - 1][j] ^ A[i][j - 1];
            for (int k = 0; k < a[i - 1] + b[j - 1]; k++)
                v = (v * 5 + A[i - 1][j - 1]) & 0xffff;
            if (v == 13)
                continue;
            A[i][j] = v;
        }
}

/* Arrays of every width that are kept whole, at odd addresses and pitches. */
static void widths(struct problem *p) {
    const int n = p->n, m = p->m;
    long(*A)[m + 2] = (long(*)[m + 2])((long *)p->x + 1);
    short(*B)[m + 5] = (short(*)[m + 5])((short *)p->y + 3);
    unsigned char(*C)[m + 3] = (unsigned char(*)[m + 3])((unsigned char *)p->z + 5);
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            A[i][j] = (A[i - 1][j] + B[i][j - 1] * 3 + C[i - 1][j - 1]) % 10007;
            B[i][j] = (short)(B[i - 1][j - 1] + A[i][j] % 13);
            C[i][j] = (unsigned char)(C[i][j - 1] + B[i][j]);
        }
}

/* Floats in rows with padding, and an array by columns beside one by rows. */
static void padded(struct problem *p) {
    const int n = p->n, m = p->m;
    const long ld = m + 4, columns = n + 3;
    float *A = (float *)p->x + 7;
    float *T = (float *)p->y + 1;
    float(*F)[m + 1] = (float(*)[m + 1])((float *)p->z + 2);
#pragma heddle wavefront map(tofrom : A[0 : (n + 1) * ld])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i * ld + j] = A[(i - 1) * ld + j] * 0.5f + A[i * ld + j - 1] * 0.25f + A[(i - 1) * ld + j - 1] * 0.125f;
#pragma heddle wavefront map(tofrom : T[0 : (m + 1) * columns], F[0 : n + 1])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            T[j * columns + i] = T[j * columns + i - 1] * 0.5f + F[i][j - 1] * 0.25f;
            F[i][j] = T[j * columns + i] + F[i - 1][j] * 0.5f;
        }
}

/* In place with old values, floats at an odd address; then with another array's elements. */
static void heat(struct problem *p) {
    const int n = p->n, m = p->m;
    float(*A)[m + 2] = (float(*)[m + 2])((float *)p->x + 3);
    const float(*F)[m + 3] = (const float(*)[m + 3])((float *)p->y + 1);
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) * 0.25f;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            const float next = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) * 0.25f;
            A[i][j] = A[i][j] * 0.5f + next * 0.5f - F[i][j + 1] * 0.125f;
        }
}

/* Another array read all around, in bytes; a third one in rows of another length, by one index. */
static void around(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char(*G)[m + 2] = (const unsigned char(*)[m + 2])((unsigned char *)p->y + 1);
    const short *W = (const short *)p->z + 1;
    const int ld = m + 5;
    int(*S)[m + 1] = (int(*)[m + 1])((int *)p->x + 1);
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            const int g = G[i - 1][j - 1] - G[i - 1][j] * 2 + G[i][j - 1] + G[i][j + 1] - G[i + 1][j + 1] * 3;
            S[i][j] = (S[i - 1][j] % 10007 + S[i][j - 1] % 10007 * 3 + g + W[(i + 1) * ld + j]) % 10007;
        }
}

/* Prefix sums: borders that are not zero, a term that reads and computes, another order of the parts. */
static void sat_border(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*S)[m + 1] = p->x;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = S[i][j - 1] - (S[i - 1][j - 1] - S[i - 1][j]) + a[i - 1] * b[j - 1] - 2;
}

/* Eight bytes, size_t subscripts of a linear array, in place. */
static void sat_long(struct problem *p) {
    const size_t n = (size_t)p->n, m = (size_t)p->m, ld = m + 3;
    long *S = p->x;
#pragma heddle wavefront
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++)
            S[i * ld + j] += S[(i - 1) * ld + j] + S[i * ld + j - 1] - S[(i - 1) * ld + j - 1];
}

/* Multiples of 1/8 that are small enough for exact sums in any order. */
static void sat_double(struct problem *p) {
    const int n = p->n, m = p->m;
    const double(*W)[m + 2] = p->y;
    double(*S)[m + 1] = p->x;
#pragma heddle wavefront schedule(scan)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            const double term = W[i][j + 1] * 2 - 3;
            S[i][j] = term + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
        }
}

static void sat_float(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    float(*S)[m + 1] = p->x;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            S[i][j] = (i > 0 ? S[i - 1][j] : 0.0f) + (j > 0 ? S[i][j - 1] : 0.0f) - (j && i ? S[i - 1][j - 1] : 0.0f) +
                      (float)(a[i] == b[j]);
}

static void sat_bytes(struct problem *p) {
    const int n = p->n, m = p->m;
    unsigned char(*S)[m + 1] = p->x;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = (unsigned char)(S[i][j] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1]);
}

/* Sums along the rows and down the columns. */
static void sums(struct problem *p) {
    const int n = p->n, m = p->m;
    int(*A)[m + 1] = p->x;
    int(*B)[m + 1] = p->y;
#pragma heddle wavefront
    for (int i = 0; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] += A[i][j - 1];
#pragma heddle wavefront
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            B[i][j] = (i ? B[i - 1][j] : 0) + j;
}

/* Loops over sweeps: how many depends on the size, so that groups are full, partly filled and alone. */
static int sweeps_of(const struct problem *p) { return 1 + (p->n * 3 + p->m) % 37; }

/* An in-place stencil in integers; the number of the sweep and a table by it are in the body. */
static void sweeps_star(struct problem *p) {
    const int n = p->n, m = p->m, sweeps = sweeps_of(p);
    const int *weight = p->y;
    int(*A)[m + 2] = p->x;
    long sum = 5;
    int last = 0;
#pragma heddle wavefront sweeps(t) map(to : weight[0 : sweeps]) reduction(+ : sum) reduction(max : last)
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                const int old = A[i][j];
                A[i][j] =
                    (A[i - 1][j] + A[i + 1][j] * 3 + A[i][j - 1] + A[i][j + 1] * 5 + old * weight[t] + t) & 0x3fff;
                sum += A[i][j] - old;
                if (t == sweeps - 1 && A[i][j] > last)
                    last = A[i][j];
            }
    p->result[0] = sum;
    p->result[1] = last;
}

/* An in-place stencil with a right-hand side, in double. */
static void sweeps_poisson(struct problem *p) {
    const int n = p->n, m = p->m, sweeps = sweeps_of(p);
    double(*U)[m + 2] = p->x;
    const double(*F)[m + 2] = p->y;
    double change = 0;
#pragma heddle wavefront sweeps(t) reduction(max : change)
    for (int t = 1; t <= sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                double value =
                    -0.5 * U[i][j] + 0.375 * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1] - F[i][j]);
                double by = value < U[i][j] ? U[i][j] - value : value - U[i][j];
                if (t == sweeps)
                    change = by > change ? by : change;
                U[i][j] = value;
            }
    p->real[0] = change;
}

/* Two arrays of different types that lean on each other; one has no column on the right and none on the left. The
   division keeps it out of speculation. */
static void sweeps_pair(struct problem *p) {
    const int n = p->n, m = p->m, sweeps = sweeps_of(p) % 12 + 1;
    if (m < 1) /* B would have rows of no cells */
        return;
    float(*A)[m + 1] = p->x;
    int(*B)[m] = p->y;
#pragma heddle wavefront sweeps(t)
    for (long t = sweeps; t < 2 * sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 0; j < m; j++) {
                B[i][j] = (B[i - 1][j] + B[i + 1][j] / (int)(t + 1) + (int)A[i][j + 1] * 2) % 4099;
                if (B[i][j] & 1)
                    A[i][j] = A[i][j] * 0.25f + (float)B[i][j];
            }
}

/* No in-place stencil: the upper right neighbour is new, the lower left one old. */
static void sweeps_skew(struct problem *p) {
    const int n = p->n, m = p->m, sweeps = sweeps_of(p) % 5 + 1;
    int(*A)[m + 2] = p->x;
    long sum = 0;
#pragma heddle wavefront sweeps(t) reduction(+ : sum)
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                A[i][j] = (A[i - 1][j + 1] + A[i + 1][j - 1] * 3 + A[i][j] + t) % 10007;
                sum += A[i][j] % (t + 2);
            }
    p->result[0] = sum;
}

/* A batch: sums, one launch for all of them, and something else, a launch for each. */
static void batch(struct problem *p) {
    const int n = p->n, m = p->m, first = 2, last = 4;
    int(*S)[n + 1][m + 1] = p->x;
    const unsigned char *a = p->a, *b = p->b;
#pragma heddle wavefront batch(k) map(tofrom : S[0 : 2]) map(to : a[0 : n + 1], b[0 : m + 1])
    for (int k = first; k < last; k++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                S[k - first][i][j] =
                    (a[i] * k + b[j]) + S[k - first][i - 1][j] + S[k - first][i][j - 1] - S[k - first][i - 1][j - 1];
}
static void batch_table(struct problem *p) {
    const int n = p->n, m = p->m;
    int(*T)[n + 1][m + 1] = p->y, high = 0;
#pragma heddle wavefront batch(k) map(tofrom : T[0 : 2]) reduction(max : high)
    for (int k = 0; k < 2; k++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                T[k][i][j] = (T[k][i - 1][j] + 3 * T[k][i][j - 1] + k) & 0xffff;
                high = T[k][i][j] > high ? T[k][i][j] : high;
            }
    p->result[0] = high;
}

const struct nest NESTS[] = {
    {"sw-score", FILL_INT, 0, 1, 0, sw_score},
    {"sw-rolling", FILL_INT, 0, 1, 0, sw_rolling},
    {"sw-full", FILL_INT, 1, 1, 0, sw_full},
    {"sw-last", FILL_INT, 0, 1, 0, sw_last},
    {"affine", FILL_INT, 0, 1, 0, affine},
    {"dtw", FILL_DOUBLE, 0, 1, 0, dtw},
    {"rolling3", FILL_FLOAT, 0, 1, 0, rolling3},
    {"sat", FILL_INT, 1, 1, 1, sat},
    {"sor", FILL_DOUBLE, 1, 1, 0, sor},
    {"skew2", FILL_INT, 1, 2, 0, NEST(skew2)},
    {"distant", FILL_INT, 1, 0, 0, distant},
    {"later", FILL_INT, 1, 0, 0, later},
    {"columns", FILL_INT, 1, 1, 0, columns},
    {"diagonal", FILL_INT, 0, 1, 0, diagonal},
    {"cells16", FILL_SHORT, 1, 1, 0, cells16},
    {"cells8", FILL_BYTE, 1, 1, 0, cells8},
    {"struct", FILL_INT, 1, 1, 0, cells_struct},
    {"reductions", FILL_INT, 1, 1, 0, reductions},
    {"mixed", FILL_INT, 0, 1, 0, mixed},
    {"inner-loop", FILL_INT, 1, 1, 0, inner_loop},
    {"sat-border", FILL_INT, 1, 1, 1, sat_border},
    {"sat-long", FILL_INT, 1, 1, 1, sat_long},
    {"sat-double", FILL_DOUBLE, 1, 1, 1, sat_double},
    {"sat-float", FILL_FLOAT, 1, 1, 1, sat_float},
    {"sat-bytes", FILL_BYTE, 1, 1, 1, sat_bytes},
    {"sums", FILL_INT, 1, 1, 1, sums},
    {"widths", FILL_BYTE, 1, 1, 0, widths},
    {"padded", FILL_FLOAT, 1, 1, 0, padded},
    {"heat", FILL_FLOAT, 1, 1, 0, heat},
    {"around", FILL_BYTE, 1, 1, 0, around},
    {"sweeps-star", FILL_INT, 1, 1, 0, sweeps_star},
    {"sweeps-poisson", FILL_DOUBLE, 1, 1, 0, sweeps_poisson},
    {"sweeps-pair", FILL_INT, 1, 1, 0, sweeps_pair},
    {"sweeps-skew", FILL_INT, 1, 2, 0, sweeps_skew},
    {"wide-rolling", FILL_INT, 0, 2, 0, NEST(wide_rolling)},
    {"wide-left", FILL_FLOAT, 1, 2, 0, NEST(wide_left)},
    {"wide-seam", FILL_DOUBLE, 0, 2, 0, NEST(wide_seam)},
    {"wide-mixed", FILL_BYTE, 0, 2, 0, NEST(wide_mixed)},
    {"places-first", FILL_INT, 1, 1, 0, NEST(places_first)},
    {"places-last", FILL_INT, 0, 1, 0, NEST(places_last)},
    {"places-wide", FILL_DOUBLE, 1, 2, 0, NEST(places_wide)},
    {"batch", FILL_INT, 1, 1, 1, batch},
    {"batch-table", FILL_INT, 1, 1, 0, batch_table},
    {NULL, FILL_INT, 0, 0, 0, NULL},
};
