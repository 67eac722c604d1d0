/* SPDX-License-Identifier: Apache-2.0 */
/* Names that stand for something else inside: what is moved or computed anew still means what it meant. */
#include <stdio.h>

enum { E = 3, N = 40 };
static int y[500], x[500];
static double a[N][N];

static void counted(int n, int m, int s) {
    int i, k = n;
#pragma heddle for
    for (int i = n; i < m; i++) { int n = 5; y[i] = x[k++] + n; }
    printf("%d\n", k);
    k = 0;
#pragma heddle for
    for (int i = 0; i < m; i++) { k += s; { int s = 2; y[i] += x[k] + s; } }
    printf("%d\n", k);
#pragma heddle for
    for (int i = 0, k = n; i < m; i++, k += 2) { int n = 1; y[i] += x[k] + n; }
#pragma heddle for
    for (i = 0, k = n; i < m; i++, k += n) { for (int n = 0; n < 2; n++) y[2 * i + n] += x[k] + n; }
    printf("%d\n", k);
}

static void within(int m, int s) {
    int k = 0;
#pragma heddle for
    for (int i = 0; i < m; i++) { int q; { long i = 3; q = x[k++] + (int)i; } y[i] += q; }
    k = 0;
#pragma heddle for
    for (int i = 0; i < m; i++) {
        k += s;
        { int s = 2; { int s = 4; y[i] += x[k] + s; } for (int m = 0; m < 3; m++) y[i] += s + m + x[k]; }
    }
    k = 0;
#pragma heddle for device(host)
    for (int i = 0; i < m; i++) { k += E; { enum { E = 7 }; y[i] += x[k] + E; } }
}

static void rows(int n) {
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        double left = i * 0.5;
        for (int j = 1; j < n; j++) {
            { int i = 2, n = 3; left = left * 0.5 + i + n; }
            a[i][j] = a[i - 1][j] * 0.25 + left;
        }
    }
}

static void best(int m) {
    int most = -1, at = 0;
#pragma heddle wavefront
    for (int i = 1; i < m; i++)
        for (int j = 1; j < 10; j++) {
            int more;
            { int i = x[j] % 3; more = i; }
            y[i * 10 + j] = y[(i - 1) * 10 + j] / 2 + y[i * 10 + j - 1] / 2 + x[j] + more;
            if (y[i * 10 + j] > most) { most = y[i * 10 + j]; at = i * j; }
        }
    printf("%d %d\n", most, at);
}

int main(void) {
    long all = 0;
    double sum = 0;
    for (int i = 0; i < 500; i++) x[i] = i * 7 % 31;
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i - j;
    counted(3, 40, 4); within(40, 4); rows(N); best(40);
    for (int i = 0; i < 500; i++) all += (i + 1) * (long)y[i];
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) sum += a[i][j] * (i + 2 * j);
    printf("%ld %.17g\n", all, sum);
}
