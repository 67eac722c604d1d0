/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a region costs: T = T_setup + T_proc n + T_trans bytes, per region and class of device (Kim 2013, eq. 1).
 * A size that was measured is predicted by its own median; other sizes by the line through the medians, fitted by
 * medians of slopes so that an outlier moves nothing. T_trans is what the links take: the bytes of a region mostly grow
 * with n, and then its own times cannot tell one from the other.
 */
#include "region.h"
#include <math.h>
#include <string.h>

/* ---- cells ------------------------------------------------------------------------------------------------ */

double heddle__median(float *t, int n) {
    for (int a = 1; a < n; a++)
        for (int b = a; b > 0 && t[b] < t[b - 1]; b--) {
            const float swap = t[b];
            t[b] = t[b - 1];
            t[b - 1] = swap;
        }
    return n ? n % 2 ? t[n / 2] : 0.5 * ((double)t[n / 2 - 1] + (double)t[n / 2]) : 0;
}

static bool near(double a, double b) { return fabs(a - b) <= 0.01 * fmax(a, b); }

struct cell *heddle__model_cell(struct model *m, const struct size *size, bool make) {
    for (int k = 0; k < m->count; k++)
        if (near(m->cells[k].n, size->n) && near(m->cells[k].bytes, size->bytes) && near(m->cells[k].to, size->to))
            return &m->cells[k];
    if (!make)
        return NULL;
    int k = m->count;
    if (k == CELLS) { /* the size seen least makes room */
        k = 0;
        for (int j = 1; j < CELLS; j++)
            if (m->cells[j].runs < m->cells[k].runs)
                k = j;
    } else {
        m->count++;
    }
    m->cells[k] = (struct cell){.n = size->n, .bytes = size->bytes, .to = size->to};
    return &m->cells[k];
}

/* The medians, when runs came since; of a cell with many runs only now and then, for one run moves nothing. */
static void refresh(struct cell *c) {
    float t[RING];
    if (!c->stale || (c->runs > 32 && c->stale < 8) || (c->runs > 512 && c->stale < 32))
        return;
    c->stale = 0;
    memcpy(t, c->ring, sizeof t);
    c->median = heddle__median(t, (int)c->filled);
    for (unsigned k = 0; k < c->filled; k++)
        t[k] = (float)fabs((double)c->ring[k] - c->median);
    c->spread = heddle__median(t, (int)c->filled);
}

/* Four runs in a row far from the median, on the same side: the world has changed, so the past is forgotten. It may
   change back, which only another run would tell; so the place is asked again soon, should it lose by this. */
static void note_drift(struct cell *c, double seconds, unsigned long runs) {
    enum { ENOUGH = 4, SOON = 2 };
    const double off = seconds - c->median;
    if (c->filled < 5 || fabs(off) < 5 * c->spread || fabs(off) < 0.5 * c->median) {
        c->outliers = 0;
        return;
    }
    const unsigned sign = off > 0 ? 16 : 32;
    c->outliers = c->outliers & sign ? c->outliers + 1 : sign + 1;
    if ((c->outliers & 15) < ENOUGH)
        return;
    float last[ENOUGH - 1];
    for (unsigned k = 0; k < ENOUGH - 1; k++)
        last[k] = c->ring[(c->next + RING - 1 - k) % RING];
    c->filled = ENOUGH - 1;
    c->next = ENOUGH - 1;
    memcpy(c->ring, last, sizeof last);
    c->outliers = 0;
    c->stale = STALE_NOW;
    c->doubtful = off > 0;
    c->gap = SOON;
    c->retry = runs + SOON;
}

/* The first runs fall from one to the next (threads start, caches and clocks come up); two that agree end it. */
bool heddle__cell_has_settled(const struct cell *c) {
    enum { ENOUGH = 6 };
    if (c->runs >= ENOUGH)
        return true;
    if (c->filled < 2)
        return false;
    const double a = c->ring[(c->next + RING - 1) % RING], b = c->ring[(c->next + RING - 2) % RING];
    return fabs(a - b) <= 0.25 * fmax(a, b);
}

double heddle__cell_least(const struct cell *c) {
    double least = c->median;
    for (unsigned k = 0; k < c->filled; k++)
        least = c->ring[k] < least ? c->ring[k] : least;
    return least;
}

/* Median error of the predictions, as a share of the measured time. */
double heddle__cell_error(const struct cell *c) {
    float e[RING];
    memcpy(e, c->errors, sizeof e);
    return c->guesses ? heddle__median(e, c->guesses < RING ? (int)c->guesses : RING) : c->error;
}

static const double ABOVE_BASELINE = 1.5; /* times slower */

bool heddle__cell_is_suspect(const struct cell *c) {
    return c->baseline > 0 && c->median > ABOVE_BASELINE * c->baseline;
}

/* A machine that is disturbed for 20 ms makes dozens of short runs slow, enough to change their median; what thousands
   of runs said before is remembered until as many runs in a row say otherwise, 64 at most. */
static void note_baseline(struct cell *c, double seconds) {
    enum { LEAST = 6, MOST = 64 };
    const unsigned needed = c->runs < LEAST ? LEAST : c->runs > MOST ? MOST : c->runs;
    c->above_baseline = c->baseline > 0 && seconds > ABOVE_BASELINE * c->baseline ? c->above_baseline + 1 : 0;
    if (c->baseline <= 0 || c->above_baseline >= needed || !heddle__cell_is_suspect(c))
        c->baseline = c->median;
}

void heddle__cell_add(struct cell *c, double predicted, double seconds, unsigned long runs) {
    if (predicted > 0) {
        c->errors[c->guesses % RING] = (float)(fabs(predicted - seconds) / seconds);
        c->guesses++;
    }
    note_drift(c, seconds, runs);
    c->ring[c->next] = (float)seconds;
    c->next = (c->next + 1) % RING;
    c->filled += c->filled < RING;
    c->runs++;
    c->own++;
    c->stale++;
    note_baseline(c, seconds);
}

double heddle__cell_median(struct cell *c) {
    refresh(c);
    return c->median;
}

/* ---- the line --------------------------------------------------------------------------------------------- */

/* Median of the slopes between all pairs of cells, in n; or in bytes, between cells of one n. */
static double slope(const struct model *m, bool by_bytes, const double *rest) {
    float s[CELLS * CELLS / 2];
    int k = 0;
    for (int a = 0; a < m->count; a++)
        for (int b = 0; b < a; b++) {
            const struct cell *x = &m->cells[a], *y = &m->cells[b];
            const double d = by_bytes ? x->bytes - y->bytes : x->n - y->n;
            if (fabs(d) > 1e-9 && (!by_bytes || near(x->n, y->n)))
                s[k++] = (float)((rest[a] - rest[b]) / d);
        }
    return heddle__median(s, k);
}

static double by_links(const struct model *m, const struct cell *c) {
    return m->per_to * c->to + m->per_from * (c->bytes - c->to);
}

/* The links' part is measured apart and comes first. A region may show less of it than pageable memory would: of
   memory that is locked, or where copies overlap. */
static void fit_links(struct model *m, double per_to, double per_from) {
    static const double MOST = 0.95; /* of a region's time */
    m->per_to = per_to;
    m->per_from = per_from;
    m->link = 1;
    for (int k = 0; k < m->count; k++)
        if (m->cells[k].median > 0 && by_links(m, &m->cells[k]) > MOST * m->cells[k].median)
            m->link = fmin(m->link, MOST * m->cells[k].median / by_links(m, &m->cells[k]));
}

void heddle__model_fit_line(struct model *m, double per_to, double per_from) {
    double rest[CELLS];
    float left[CELLS];
    m->fitted = true;
    for (int k = 0; k < m->count; k++)
        refresh(&m->cells[k]);
    fit_links(m, per_to, per_from);
    for (int k = 0; k < m->count; k++)
        rest[k] = m->cells[k].median - m->link * by_links(m, &m->cells[k]);
    m->per_byte = fmax(slope(m, true, rest), -m->link * fmin(m->per_to, m->per_from));
    for (int k = 0; k < m->count; k++)
        rest[k] -= m->per_byte * m->cells[k].bytes;
    m->per_item = fmax(slope(m, false, rest), 0);
    for (int k = 0; k < m->count; k++)
        left[k] = (float)(rest[k] - m->per_item * m->cells[k].n);
    m->setup = heddle__median(left, m->count);
    if (m->count == 1) { /* one size tells no slope: half is taken for setup */
        m->per_item = 0.5 * rest[0] / fmax(m->cells[0].n, 1);
        m->setup = 0.5 * rest[0];
    }
    m->setup = m->setup > 0 ? m->setup : 0;
}

double heddle__per_byte(const struct model *m, const struct size *size) {
    return size->bytes > 0
               ? m->per_byte + m->link * (m->per_to * size->to + m->per_from * (size->bytes - size->to)) / size->bytes
               : m->per_byte;
}

double heddle__model_predict(const struct model *m, const struct size *size) {
    const double t = m->setup + m->per_item * size->n + heddle__per_byte(m, size) * size->bytes;
    return t > 0 ? t : 1e-7;
}
