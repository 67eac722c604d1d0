/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks made in host loops: by value, with structures, arrays, priorities, over several pools in a function. */
#include "../run/run.h"

struct job { int from, count; double scale; };
enum { N = 4096, JOBS = 64 };

static int add(int a, int b) { return a + b; }
static void fill(double *out, struct job j, const int *table)
{
    for (int i = 0; i < j.count; i++)
        out[j.from + i] = j.scale * table[i & 3] + i;
}

static void scale(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

int main(void)
{
    static double out[N];
    static long sums[JOBS];
    int table[4] = {1, 5, 2, 9};
#pragma heddle pool map(tofrom: out)
    {
        for (int k = 0; k < JOBS; k++) {
            struct job j = {k * (N / JOBS), N / JOBS, 1.0 + k};
            table[k & 3] = k;
#pragma heddle task priority(k & 3)
            fill(out, j, table);
        }
    }
    run_report("fill", out, sizeof out);
#pragma heddle pool map(to: out) map(from: sums) schedule(dynamic) device(host)
    {
        for (int k = 0; k < JOBS; k++)
#pragma heddle task
        {
            long sum = 0;
            for (int i = 0; i < N / JOBS; i++)
                sum += (long)out[k * (N / JOBS) + i];
            sums[k] = add((int)sum, k);
        }
    }
    run_report("sums", sums, sizeof sums);
    long total = 0;
#pragma heddle pool map(tofrom: total, out)
    {
        for (int k = 0; k < 8; k++) {
#pragma heddle task
            {
#pragma omp atomic
                total += k * k;
            }
        }
#pragma heddle taskwait
        for (int k = 0; k < 4; k++)
#pragma heddle task
            scale(&out[k * (N / 4)], N / 4);
    }
    run_report("scale", out, sizeof out);
    printf("%ld\n", total);
    return 0;
}
