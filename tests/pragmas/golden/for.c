/* SPDX-License-Identifier: Apache-2.0 */
static const double weight[3] = {1, 2, 3};
static double f(double x) { return x * weight[1]; }
struct scene { int n; const double *at; };

double run(int n, const double *a, double *b, struct scene s)
{
    double sum = 0, k = 2.5, table[16] = {0};
#pragma heddle for schedule(gss, 10) map(to: a[heddle_lo : 2 * heddle_count], s.at[0 : s.n]) \
    map(from: b[heddle_lo * 2 : heddle_count * 4]) reduction(+: sum)
    for (long i = 3; i < n; i += 2) {
        b[2 * i] = f(a[i]) * k + table[i & 15] + s.at[i % s.n];
        b[2 * i + 1] = 1;
        sum += b[2 * i];
    }
    return sum;
}

void pairs(int n, int m, int (*x)[m])
{
#pragma heddle for collapse(2) map(from: x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i][j] = i + j;
}

void gpu(double *, int), cpu(double *, long, long), both(double *, int);
void calls(int n, double *b, const int *start)
{
#pragma heddle for independent map(from: b[start[heddle_lo] : start[heddle_lo + heddle_count] - start[heddle_lo]]) device(all)
    for (int i = n; i > 0; i -= 3) {
#pragma heddle variant(cuda: gpu) variant(host: cpu(b, heddle_lo, heddle_count))
        both(b, i);
    }
}
