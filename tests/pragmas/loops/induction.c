/* SPDX-License-Identifier: Apache-2.0 */
/* Integers and pointers that go on by the same amount: in bodies, inner loops, both branches, and heads of several. */
#include <stdio.h>

static double a[400], b[400], c[400]; 
int main(void) {
    int k = -1, x, pi, j; double *p = a, *q = b; const double *r = c; long m = 3; unsigned z = 4000000000u;
    for (int i = 0; i < 400; i++) a[i] = i, b[i] = 2 * i, c[i] = i % 7;
#pragma heddle for
    for (int i = 0; i < 100; i++) { k++; a[k] = b[i] + k; }
    printf("%d\n", k);
#pragma heddle for
    for (int i = 0; i < 100; i++) *p++ = *q++ + *r++;
    printf("%d %d\n", (int)(p - a), (int)(q - b));
#pragma heddle for
    for (pi = 0, x = 0; pi < 100; pi++, x += 2) a[x] = b[x + 1] + pi;
    printf("%d %d\n", pi, x);
#pragma heddle for
    for (int i = 0, l = 399; i < 200; i++, l--) a[i] = c[l];
    k = 0;
#pragma heddle for
    for (int i = 0; i < 20; i++) { for (j = 0; j < 20; j++) { a[k] = b[k] + c[k]; k++; } }
    printf("%d\n", k);
    k = 0;
#pragma heddle for
    for (int i = 19; i >= 0; i--) { for (j = 1; j < 20; j++) { b[k] += a[k]; k++; } ++k; }
    printf("%d\n", k);
    k = m;
#pragma heddle for
    for (int i = 3; i < 300; i += 3) { c[i] = a[k]; k += m; z += 50000000u; b[i] = z; }
    printf("%d %u\n", k, z);
    int cnt = 5;
#pragma heddle for
    for (int i = 0; i < 50; i++) { cnt++; b[i] = cnt; }
    double s = 0; for (int i = 0; i < 400; i++) s += a[i] * i + b[i] * (i % 5) + c[i];
    printf("%d %.17g\n", cnt, s);
    const double *t = c + 7;
    int n3 = 3, z3 = 0, d = 50;
    z = 7;
#pragma heddle for
    for (int i = n3 - 1; i < 60; i += n3) {
        z3 += n3;
        a[i] += b[100 - z3];
    }
    printf("%d\n", z3);
#pragma heddle for
    for (int i = 0; i < 100; i++) {
        if (b[i] > 40) {
            d--;
            a[i] = t[0] * t[1];
        } else {
            a[i] = t[2 - 1];
            --d;
        }
        b[i] = d;
        t += 2;
    }
    printf("%d %d\n", d, (int)(t - c));
    {
        int i, u;
#pragma heddle for
        for (i = 10, u = n3; i > 0; u += n3, i--)
            a[i] = b[u] + u;
        printf("%d %d\n", i, u);
    }
    k = -1;
    for (int i = 0; i < 20; i++) {
#pragma heddle for
        for (int l = 0; l < 20; l++) {
            k++;
            a[k] += c[k] * i;
        }
    }
    for (int e = 0; e < 3; e++) {
        int n = e * 10 - 10, w = 7;
#pragma heddle for
        for (int i = 0; i < n; i++) { a[i] = w; w += 2; }
        printf("%d\n", w);
    }
    double all = 0;
    for (int i = 0; i < 400; i++)
        all += a[i] * (i % 3 + 1) + b[i] * (i % 5) + c[i];
    printf("%.17g\n", all);
    return 0;
}
