/* SPDX-License-Identifier: Apache-2.0 */
/* See nests.h: maxima and minima with their places, of which there are many equal ones. */
#include "nests.h"
#include <string.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Smith-Waterman with short scores: the first of the best cells, and what the arrays kept. */
void NEST(places_first)(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*H)[m + 1] = p->x;
    int best = 0, bi = -1, bj = -2;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = (H[i - 1][j - 1] & 7) + (a[i - 1] == b[j - 1] ? 1 : -2);
            s = MAX(s, MAX(H[i - 1][j], H[i][j - 1]) - 1);
            H[i][j] = MAX(s, 0) & 15;
            if (H[i][j] > best) {
                best = H[i][j];
                bi = i;
                bj = j;
            }
        }
    p->result[0] = best;
    p->result[1] = bi;
    p->result[2] = bj;
}

/* The last one, of rolling rows, with its number in the table, and a sum beside it. */
void NEST(places_last)(struct problem *p) {
    const int n = p->n, m = p->m;
    const unsigned char *a = p->a, *b = p->b;
    int(*R)[m + 1] = p->x;
    int low = 1 << 20, sum = 3;
    long at = -1;
#pragma heddle wavefront map(to : a[0 : n], b[0 : m]) reduction(+ : sum)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            const int s = MIN(R[(i - 1) & 1][j], R[i & 1][j - 1]) + (a[i - 1] ^ b[j - 1]);
            R[i & 1][j] = s & 31;
            sum += s & 1;
            if (s <= low) {
                low = s;
                at = (long)i * m + j;
            }
        }
    p->result[0] = low;
    p->result[1] = at;
    p->result[2] = sum;
}

/* Reals, in a row that reads further along the one above; conditions on the cell besides. */
void NEST(places_wide)(struct problem *p) {
    const int n = p->n, m = p->m;
    const double(*E)[m + 2] = p->y;
    double(*D)[m + 2] = p->x;
    double most = -1e9;
    long mi = 0, mj = 0;
#pragma heddle wavefront
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= m; j++) {
            const double d = MIN(D[i - 1][j - 1], MIN(D[i - 1][j], D[i - 1][j + 1]));
            D[i][j] = (double)((long)(E[i][j] + d) % 5);
            if (i % 3 != 1 && D[i][j] > most) {
                mj = j - 1;
                most = D[i][j];
                mi = i;
            }
        }
    p->real[0] = most;
    p->result[0] = mi;
    p->result[1] = mj;
}
