/* SPDX-License-Identifier: Apache-2.0 */
/* PeerWave's model of the time that hyper-tiles of a width take (ICS 2015, section 4): numbers in, numbers out. */
#include "core/internal.h"
#include <math.h>

/* Equations 1 to 3, as a number of tiles with their synchronisations. Workers that outnumber a row's tiles are never
   blocked by their own last row, and there is nothing to block before the second row of a worker. */
static double tiles_on_path(const struct heddle__width *m, double w) {
    const double rows = fmax(1, m->rows / m->h), rounds = fmax(0, rows / m->workers - 1);
    const double blocked = fmax(0, (m->columns + m->h) / w - m->workers);
    return rows * (m->h / w + 1) + blocked * rounds + fmax(0, m->columns / w - 1);
}

double heddle__width_time(const struct heddle__width *m, double w) { return tiles_on_path(m, w) * (w * m->d + m->tau); }

/* The least of equation 3 over whole widths. Equation 4 is its closed form where workers do block; a test compares. */
long heddle__width_best(const struct heddle__width *m, long low, long high) {
    long best = low;
    for (long w = low; w <= high; w++)
        if (heddle__width_time(m, (double)w) < heddle__width_time(m, (double)best))
            best = w;
    return best;
}

/* T = tiles * (w d + tau): a line through T / tiles over w, each run weighted by its relative error. */
bool heddle__width_fit(struct heddle__width *m, const struct heddle__width_run *runs, int count) {
    double s = 0, sw = 0, sy = 0, sww = 0, swy = 0;
    for (int k = 0; k < count; k++) {
        struct heddle__width at = *m;
        at.rows = runs[k].rows;
        at.columns = runs[k].columns;
        const double y = runs[k].seconds / tiles_on_path(&at, runs[k].w), weight = 1 / (y * y), w = runs[k].w;
        if (!(y > 0))
            return false;
        s += weight, sw += weight * w, sy += weight * y, sww += weight * w * w, swy += weight * w * y;
    }
    const double bottom = s * sww - sw * sw;
    m->d = bottom > 0 ? (s * swy - sw * sy) / bottom : 0;
    m->tau = m->d > 0 ? fmax(0, (sy - m->d * sw) / s) : 0;
    return m->d > 0;
}
