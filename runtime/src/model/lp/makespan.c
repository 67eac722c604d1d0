/* SPDX-License-Identifier: Apache-2.0 */
/* The linear program of the shortest time in which all machines together do all of the work. */
#include "lp.h"
#include <stdlib.h>
#include <string.h>

/* Columns: x[j][r], then T. Rows: the load of each machine, then what there is of each kind (more would only cost
 * time).
 */
static void fill(int kinds, int machines, const double *time, const double *count, const double *start, double *a,
                 double *b) {
    const size_t columns = (size_t)(kinds * machines) + 1;
    for (int r = 0; r < machines; r++) {
        double *row = a + (size_t)r * columns;
        for (int j = 0; j < kinds; j++)
            row[j * machines + r] = time[j * machines + r] < 0 ? 0 : time[j * machines + r];
        row[columns - 1] = -1;
        b[r] = start ? -start[r] : 0;
    }
    for (int j = 0; j < kinds; j++) {
        double *row = a + (size_t)(machines + j) * columns;
        for (int r = 0; r < machines; r++)
            row[j * machines + r] = time[j * machines + r] < 0 ? 0 : -1;
        b[machines + j] = -count[j];
    }
}

double heddle__makespan(int kinds, int machines, const double *time, const double *count, const double *start,
                        double *x) {
    const int columns = kinds * machines + 1, rows = machines + kinds;
    double *a = calloc((size_t)rows * (size_t)columns, sizeof *a), *b = calloc((size_t)rows, sizeof *b);
    double *c = calloc((size_t)columns, sizeof *c), *all = calloc((size_t)columns, sizeof *all), makespan = -1;
    if (a && b && c && all) {
        c[columns - 1] = 1;
        fill(kinds, machines, time, count, start, a, b);
        if (!heddle__simplex(rows, columns, a, b, c, all)) {
            memcpy(x, all, (size_t)(columns - 1) * sizeof *x);
            makespan = all[columns - 1];
        }
    }
    free(a);
    free(b);
    free(c);
    free(all);
    return makespan;
}
