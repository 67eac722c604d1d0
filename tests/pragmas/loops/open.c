/* SPDX-License-Identifier: Apache-2.0 */
/* Structures that end in an array of any length: what is behind them is not a part of the one structure. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 700 };

struct series {
    int n;
    double value[];
};
struct words {
    int n;
    struct {
        short first, rest[1];
    } text;
};

static double sum(const struct series *s) {
    double t = 0;
#pragma heddle for reduction(+: t)
    for (int i = 0; i < s->n; i++)
        t += s->value[i];
    return t;
}

static void shift(const struct series *restrict s, double *restrict out) {
#pragma heddle for
    for (int i = 0; i < s->n; i++)
        out[i] = s->value[i] + s->n;
}

static long letters(const struct words *w) {
    long t = 0;
#pragma heddle for reduction(+: t)
    for (int i = 1; i < w->n; i++)
        t += w->text.rest[i - 1] * i;
    return t;
}

static void twice(struct series *s) {
    const int n = s->n;
#pragma heddle for
    for (int i = 0; i < n; i++)
        s->value[i] *= 2;
}

int main(void) {
    static double out[N];
    struct series *s = malloc(sizeof *s + N * sizeof *s->value);
    struct words *w = calloc(1, sizeof *w + (N + 1) * sizeof(short));
    s->n = w->n = N;
    for (int i = 0; i < N; i++) {
        s->value[i] = i % 13;
        w->text.rest[i] = (short)(i % 31);
    }
    shift(s, out);
    twice(s);
    printf("%g %g %ld\n", sum(s), out[N - 1], letters(w));
    free(s);
    free(w);
    return 0;
}
