/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of headers, of a template that is included twice, and of a source that is included. */
#include <stdio.h>
#include <string.h>
#include "inc/scale.h"
#include "inc/deep/total.h"
#include "inc/scale.h" /* once */
#include "source.c"
#include "inc/by_macro.h"

static int where;
static const char *file;
#define T int
#define ADD add_int
#include "add.inc"
#undef T
#undef ADD
#define T double
#define ADD add_double
#include "add.inc"
#ifdef NEVER
#include "missing.h"
#include "inc/scale.h"
#endif
void part(int n, double *x, int *y);

int main(void) {
    enum { N = 1000 };
    static double x[N];
    static int y[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    scale(N, x, 3);
    add_int(N, y);
    add_double(N, x);
    part(N, x, y);
    by_macro(N, y);
    rotate(N, y);
    PARALLEL
    for (int i = 0; i < N; i++)
        x[i] += 1;
    const char *slash = strrchr(file, '/');
    printf("%.17g %d %d %s %d\n", total(N, x), y[N - 1], y[7], slash, where + 1000 * __LINE__);
    return 0;
}
