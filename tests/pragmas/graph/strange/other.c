/* SPDX-License-Identifier: Apache-2.0 */
enum { PARTS = 4, M = 16, N = PARTS * M };

void other_tasks(double *x, double *y);
void other_targets(double *x);
void other_graph(double *x, double *y);
double other_team(const double *z);

void other_tasks(double *x, double *y) {
    for (int p = 0; p < PARTS; p++) {
#pragma omp task depend(in : x[p * M : M]) depend(inout : y[p * M : M])
        for (int i = p * M; i < (p + 1) * M; i++)
            y[i] -= x[i] / 8;
    }
}

void other_targets(double *x) {
    for (int p = 0; p < PARTS; p++) {
#pragma omp target nowait depend(inout : x[p * M : M]) map(tofrom : x[p * M : M])
        {
            for (int i = p * M; i < (p + 1) * M; i++)
                for (int k = 0; k < 1000; k++)
                    x[i] = x[i] * 0.999 + 0.001;
        }
    }
}

void other_graph(double *x, double *y) {
#pragma heddle graph
    for (int p = 0; p < PARTS; p++) {
#pragma omp target nowait depend(in : y[p * M : M]) depend(inout : x[p * M : M]) map(to : y[p * M : M])                \
    map(tofrom : x[p * M : M])
        {
            for (int i = p * M; i < (p + 1) * M; i++)
                x[i] += y[i] / 4;
        }
    }
}

/* Its tasks are its own region's, and have ended with it: no graph around it has to know. */
double other_team(const double *z) {
    double part[PARTS], sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int p = 0; p < PARTS; p++) {
#pragma omp task shared(part)
        {
            part[p] = 0;
            for (int i = p * M; i < (p + 1) * M; i++)
                part[p] += z[i];
        }
    }
    for (int p = 0; p < PARTS; p++)
        sum += part[p];
    return sum;
}
