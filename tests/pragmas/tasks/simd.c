/* SPDX-License-Identifier: Apache-2.0 */
/* omp simd in a task. */
#include <stdio.h>
enum { N = 64 };
int main(void)
{
    static double x[N][N], s[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            x[i][j] = i + j;
#pragma heddle pool
    {
#pragma heddle taskloop
        for (int i = 0; i < N; i++) {
            double t = 0;
#pragma omp simd reduction(+ : t)
            for (int j = 0; j < N; j++)
                t += x[i][j];
            s[i] = t;
        }
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += s[i];
    printf("%g\n", sum);
}
