/* SPDX-License-Identifier: Apache-2.0 */
/* Whose a variable is: what parallel, single and task say of it; parallel regions inside of tasks say nothing of other
 * tasks. Statements of regions that are no blocks. */
#include <stdio.h>

enum { N = 40 };
static int of_file;

static void print(const char *what, const double *x) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * (i % 7 + 1);
    printf("%s %.12g\n", what, sum);
}

/* The team's threads share s, and each has its own t. */
static double combined(double *x) {
    double s = 1, t = 2;
#pragma heddle graph
#pragma omp parallel master firstprivate(t)
    for (int k = 0; k < N; k++) {
#pragma omp task depend(inout : s)
        s += t * k;
#pragma omp task depend(in : s) depend(out : x[k])
        x[k] = s;
        t++;
    }
#pragma heddle graph
#pragma omp parallel
#pragma omp masked
    {
#pragma omp task depend(inout : s)
        s *= 3;
    }
    return s;
}

/* k and the team of the region before have nothing to do with each other. */
static void team_inside(double *x) {
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < N; t++) {
        int k = t * 2;
#pragma omp target nowait depend(inout : x[0 : N]) map(tofrom : x[0 : N])
#pragma omp parallel
        {
#pragma omp single
            x[1] += 1;
        }
#pragma omp task depend(inout : x[0 : N])
        x[t] += k;
    }
}

static void own(double *x) {
    static int kept;
    int i, k, at[3] = {1, 2, 3};
    double *p = x, sum[3] = {0, 0, 0};
#pragma heddle graph
#pragma omp parallel private(i) firstprivate(at, p) shared(sum)
#pragma omp single private(k)
    for (k = 0; k < 3; k++) {
#pragma omp task depend(inout : p[0 : N]) private(i)
        for (i = 0; i < N; i++)
            p[i] += at[k];
        i = 2 - k;
#pragma omp task depend(in : p[0 : N]) depend(out : sum[i])
        sum[i] = p[i] + p[N - 1];
        at[k] += 10;
    }
#pragma heddle graph
    for (kept = 0; kept < 3; kept++) {
#pragma omp task depend(out : x[kept]) firstprivate(kept)
        x[kept] += sum[kept] * kept;
    }
#pragma heddle graph
    for (of_file = 0; of_file < N; of_file++) {
#pragma omp task depend(out : x[of_file]) firstprivate(of_file)
        x[of_file] += of_file;
    }
}

static long statements(double *x) {
    long s = 1;
#pragma heddle graph
    for (int k = 0; k < 3; k++) {
#pragma omp target nowait depend(inout : x[0 : N]) map(tofrom : x[0 : N])
        for (int i = 0; i < N; i++)
            x[i] += i;
#pragma omp target nowait depend(inout : s) map(tofrom : s) map(to : x[0 : N])
        s += (long)x[k + 4];
#pragma omp target nowait depend(inout : s) map(tofrom : s)
#pragma omp atomic
        s *= 3;
#pragma omp target nowait depend(inout : s) map(tofrom : s)
        if (s % 2)
            s -= 3;
        else
            s += 100;
#pragma omp target nowait depend(inout : x[0 : N]) map(tofrom : x[0 : N]) firstprivate(k)
#pragma omp parallel
        for (int i = k; i < k + 1; i++) {
#pragma omp single
            x[i] *= 2;
        }
    }
    return s;
}

/* What a macro names and nobody sets goes along; which directive a task has may be chosen. */
#define PART(k) (x + (k) * 4)
#define MANY 1
static void chosen(double *x) {
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < N / 4; k++) {
        double *part = PART(k);
#if MANY
#pragma omp task depend(inout : x[4 * k : 4])
#else
#pragma omp task depend(inout : part[0 : 1])
#endif
        PART(k)[1] += PART(k)[0];
#ifdef NEVER
#pragma omp target nowait depend(inout : x[4 * k : 4]) map(tofrom : x[4 * k : 4])
#else
#pragma omp target nowait depend(inout : part[0 : 4]) map(tofrom : part[0 : 4])
#endif
#if MANY
#pragma omp parallel
#else
#pragma omp teams
#endif
        {
#pragma omp single
            part[2] -= part[1];
        }
    }
}

int main(void) {
    double x[N] = {0};
    printf("%.12g\n", combined(x));
    print("combined", x);
    team_inside(x);
    print("inside", x);
    own(x);
    print("own", x);
    printf("%ld\n", statements(x));
    print("statements", x);
    chosen(x);
    print("chosen", x);
    return 0;
}
