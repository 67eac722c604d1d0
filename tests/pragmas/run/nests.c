/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. Nests that are rewritten first: loops that count down, by more than one or up to !=, indices
   computed before, accessor macros, triangles, bands, several inner loops, and statements beside them. */
#include "run.h"
#include <math.h>

enum { N = 60, W = 7 };
#define A(i, j) fl[(i) * N + (j)]
static double a[N][N], L[N][N], x[N], b[N], fl[N * N];
static int D[N + 1][N + 1], T[N][N];
static void lu(void) {
  int i, j, k;
#pragma heddle wavefront
  for (i = 0; i < N; i++) {
    for (j = 0; j <i; j++) {
       for (k = 0; k < j; k++) {
          a[i][j] -= a[i][k] * a[k][j];
       }
        a[i][j] /= a[j][j];
    }
   for (j = i; j < N; j++) {
       for (k = 0; k < i; k++) {
          a[i][j] -= a[i][k] * a[k][j];
       }
    }
  }
}
static void chol(void) {
  int i, j, k;
#pragma heddle wavefront
  for (i = 0; i < N; i++) {
     for (j = 0; j < i; j++) {
        for (k = 0; k < j; k++) {
           a[i][j] -= a[i][k] * a[j][k];
        }
        a[i][j] /= a[j][j];
     }
     // i==j case
     for (k = 0; k < i; k++) {
        a[i][i] -= a[i][k] * a[i][k];
     }
     a[i][i] = sqrt(a[i][i]);
  }
}
static void trisolv(void) {
  int i, j;
#pragma heddle wavefront
  for (i = 0; i < N; i++)
    {
      x[i] = b[i];
      for (j = 0; j <i; j++)
        x[i] -= L[i][j] * x[j];
      x[i] = x[i] / L[i][i];
    }
}
static void nuss(void) {
 int i, j, k;
#pragma heddle wavefront
 for (i = N-1; i >= 0; i--) {
  for (j=i+1; j<N; j++) {
   if (j-1>=0)
      T[i][j] = MAX(T[i][j], T[i][j-1]);
   if (i+1<N)
      T[i][j] = MAX(T[i][j], T[i+1][j]);
   if (j-1>=0 && i+1<N) {
     if (i<j-1)
        T[i][j] = MAX(T[i][j], T[i+1][j-1]+(i * j % 5 == 0));
     else
        T[i][j] = MAX(T[i][j], T[i+1][j-1]);
   }
   for (k=i+1; k<j; k++) {
      T[i][j] = MAX(T[i][j], T[i][k] + T[k+1][j]);
   }
  }
 }
}
static void band(void) {
#pragma heddle wavefront
  for (int i = 1; i <= N; i++)
    for (int j = MAX(1, i - W); j <= MIN(N, i + W); j++) {
      int s = D[i - 1][j - 1] + (i * j % 3 ? 1 : 0);
      if (j - 1 >= i - W) s = MIN(s, D[i][j - 1] + 1);
      if (j <= i - 1 + W) s = MIN(s, D[i - 1][j] + 1);
      D[i][j] = s;
    }
}

static int steps(int n)
{
    int i, high = 0;
#pragma heddle wavefront reduction(max: high)
    for (i = 3; i < n; i += 2)
        for (int j = n - 2; j > 1; j -= 3) {
            T[i][j] = (T[i - 2][j] + T[i][j + 1] + i - j) & 0xfff;
            high = MAX(high, T[i][j]);
        }
    return high;
}

static void unsigned_rows(unsigned n)
{
#pragma heddle wavefront
    for (unsigned i = 0; n != i; i++)
        for (long j = N - 1; j >= 0; --j)
            A(i, j) = A(i, j) * 0.5 + (i ? A(i - 1, j) : 1);
}

/* rows that end in the middle, with what each leaves at its ends */
static void ends(void)
{
#pragma heddle wavefront
    for (int i = 1; i < N; i++) {
        const int even = !(i & 1);
        x[i] = b[i] * even;
        L[i][0] = 1;
        for (int j = 1; j < N - i; j++)
            L[i][j] = 0.25 * (L[i - 1][j] + L[i - 1][j + 1] + L[i][j - 1]);
        if (i + 1 < N)
            L[i][N - i] = L[i][N - i - 1] + L[i - 1][N - i];
    }
}

/* what is behind a row's last column reads the row above there */
static void seams(int n)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        for (int j = 2; j <= N - 2; j++)
            D[i][j] = (D[i - 1][j + 1] + D[i][j - 1] + 1) & 0xffff;
        D[i][N - 1] = D[i - 1][N - 1] + D[i][N - 2];
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 3) % 11 + (i == j) * 200;
            L[i][j] = 1 + (i + j) % 3 + (i == j) * 30;
            A(i, j) = (i + 2 * j) % 17;
            D[i][j] = i + j;
            b[i] = i;
        }
    lu();
    run_report("lu", a, sizeof a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = a[j][i] = (i * 7 + j * 3) % 11 + (i == j) * 900;
    chol();
    run_report("chol", a, sizeof a);
    trisolv();
    run_report("trisolv", x, sizeof x);
    nuss();
    run_report("nuss", T, sizeof T);
    band();
    run_report("band", D, sizeof D);
    int high = steps(N) + steps(N - 1);
    run_report("steps", T, sizeof T);
    run_report("high", &high, sizeof high);
    unsigned_rows(N);
    run_report("unsigned", fl, sizeof fl);
    ends();
    run_report("ends", L, sizeof L);
    run_report("ends x", x, sizeof x);
    seams(N);
    run_report("seams", D, sizeof D);
    return 0;
}
