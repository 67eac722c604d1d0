/* SPDX-License-Identifier: Apache-2.0 */
/* See nests.h: nests whose rows read further along the row above, one column to the right or two to the left. */
#include "nests.h"
#include <string.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* From above on the right: skew 2. */
void NEST(skew2)(struct problem *p) {
    const int n = p->n, m = p->m;
    int(*A)[m + 2] = p->x;
    long sum = 5;
#pragma heddle wavefront reduction(+ : sum)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] * 3 + A[i - 1][j + 1] + A[i][j - 1]) % 10007;
            sum += A[i][j];
        }
    p->result[0] = sum;
}

/* The same in rolling rows with a reduction, from two columns on the left as well, and a row that is given back whole.
 */
void NEST(wide_rolling)(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*R)[m + 4] = p->x;
    int high = -7;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) reduction(max : high)
    for (int i = 1; i <= n; i++)
        for (int j = 2; j < m + 2; j++) {
            int s = a[i - 1] == b[j - 2] ? 2 : -1;
            R[i & 1][j] =
                (R[(i - 1) & 1][j - 2] + 3 * R[(i - 1) & 1][j + 1] + 5 * R[(i - 1) & 1][j] + R[i & 1][j - 1] + s) &
                0xffff;
            high = MAX(high, R[i & 1][j]);
        }
    p->result[0] = high;
}

/* The knight's left move alone; nothing on the right. */
void NEST(wide_left)(struct problem *p) {
    const int n = p->n, m = p->m;
    float(*A)[m + 3] = p->x;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 2; j < m + 2; j++)
            A[i][j] = A[i - 1][j - 2] * 0.5f + A[i][j - 1] * 0.25f + 1.0f;
}

/* Least path from above, as in seam carving; another array's cells are read on the way, the last row and column stay.
 */
void NEST(wide_seam)(struct problem *p) {
    const int n = p->n, m = p->m;
    const double(*E)[m + 2] = p->y;
    double(*D)[m + 2] = p->x;
#pragma heddle wavefront keep(D : last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            D[i][j] = E[i][j] + MIN(D[i - 1][j - 1], MIN(D[i - 1][j], D[i - 1][j + 1])) * 0.5;
    for (int i = 1; i < n; i++)
        if (m > 1)
            memset(&D[i][1], 0, (size_t)(m - 1) * sizeof(double));
}

/* A value for each column, read on the right before it is written, beside a carried matrix of bytes whose old values
   from the lower left and the right are read too; the division keeps it out of speculation. */
void NEST(wide_mixed)(struct problem *p) {
    const int n = p->n, m = p->m;
    unsigned char(*A)[m + 4] = p->x;
    int *F = p->z;
    long sum = 1;
#pragma heddle wavefront reduction(+ : sum)
    for (int i = 1; i <= n; i++)
        for (int j = 2; j <= m + 1; j++) {
            F[j] = ((F[j] & 0xfff) + 3 * (F[j + 1] & 0xfff) + A[i][j - 1] / (j + 1)) & 0xfff;
            A[i][j] = (unsigned char)(A[i - 1][j + 1] + F[j] + 2 * A[i + 1][j - 1] + A[i][j + 1] + A[i - 1][j - 2]);
            sum += A[i][j];
        }
    p->result[0] = sum;
}
