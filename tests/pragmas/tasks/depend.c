/* SPDX-License-Identifier: Apache-2.0 */
/* Chains, diamonds and a blocked triangular solve by depend clauses. */
#include "../run/run.h"

enum { B = 8, S = 12, ROUNDS = 40 };

static void step(unsigned long *x, unsigned long k) { *x = *x * 3 + k; }
static void join(unsigned long *out, const unsigned long *a, const unsigned long *b) { *out = *a * 7 + *b; }
static void update(int *c, const int *a, const int *b)
{
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            c[i * S + j] += a[i * S + (j + 1) % S] - b[((i + 3) % S) * S + j];
}
static void diagonal(int *c)
{
    for (int i = 1; i < S * S; i++)
        c[i] ^= c[i - 1] & 15;
}

int main(void)
{
    unsigned long x = 1, a = 0, b = 0, y = 0; /* the sums wrap around */
#pragma heddle pool map(tofrom: x, a, b, y)
    {
        for (int k = 0; k < ROUNDS; k++) {
#pragma heddle task depend(inout: x)
            step(&x, (unsigned long)k);
#pragma heddle task depend(in: x) depend(inout: a)
            join(&a, &x, &a);
#pragma heddle task depend(in: x) depend(inout: b)
            join(&b, &b, &x);
#pragma heddle task depend(in: a, b) depend(inout: y)
            {
                y += a ^ b;
            }
        }
    }
    printf("%lu %lu %lu %lu\n", x, a, b, y);

    static int m[B][B][S * S];
    run_ints(&m[0][0][0], (size_t)B * B * S * S, 100);
#pragma heddle pool map(tofrom: m)
    {
        for (int k = 0; k < B; k++) {
#pragma heddle task depend(inout: m[k][k])
            diagonal(m[k][k]);
            for (int i = k + 1; i < B; i++) {
#pragma heddle task depend(in: m[k][k]) depend(inout: m[i][k]) priority(B - i)
                update(m[i][k], m[k][k], m[k][k]);
            }
            for (int i = k + 1; i < B; i++)
                for (int j = k + 1; j <= i; j++) {
#pragma heddle task depend(in: m[i][k], m[j][k]) depend(inout: m[i][j])
                    update(m[i][j], m[i][k], m[j][k]);
                }
        }
    }
    run_report("blocks", m, sizeof m);
    return 0;
}
