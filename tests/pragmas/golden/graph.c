/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of target tasks and one of the host beside it. */
#include <stddef.h>

double relax(long n, int blocks, double x[], double (*rows)[n])
{
    double most = 0;
#pragma heddle graph schedule(affinity, 2) map(tofrom : x[0 : n * blocks])
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < 4; s++) {
        for (int b = 0; b < blocks; b++) {
#pragma omp target teams distribute parallel for nowait depend(inout : x[b * n : n]) map(tofrom : x[b * n : n])
            for (long i = b * n; i < (b + 1) * n; i++)
                x[i] = 0.5 * (x[i] + s);
#pragma omp target nowait map(to : x[b * n : n]) map(tofrom : rows[b : 1][0 : n], most) depend(in : x[b * n : n])     \
    depend(inout : rows[b : 1][0 : n], most)
            {
                for (long i = 0; i < n; i++)
                    rows[b][i] += x[b * n + i];
                most = rows[b][0] > most ? rows[b][0] : most;
            }
        }
#pragma omp task depend(inout : most)
        most *= 0.5;
#pragma omp taskwait
    }
    return most;
}
