/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links: what bytes cost on their way to a class of devices, back, and from device to device. Each is kept as a region
 * that has bytes and no items, T = T_setup + T_trans bytes, so that it is fitted, saved, listed and reset like all
 * others. The two to and from the host are measured once per program and class, right after the class's first region;
 * the one between devices when data moves. Until then a slow link is assumed.
 */
#include "selector.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[LINKS] = {"(host to device)", "(device to host)", "(device to device)"};
static const struct {
    double latency, rate;
} unknown = {20e-6, 1 / 8e9};
static struct region *links[LINKS];
static uint64_t asked; /* classes whose links were measured in this process, or tried to */
_Static_assert(CLASSES <= 64, "a bit for each class");

static const size_t sizes[LINK_SIZES] = {4 << 10, 64 << 10, 1 << 20, 4 << 20};

bool heddle__is_link(const char *key) { return *key == '('; }

static struct region *link_of(enum link link) {
    if (!links[link])
        links[link] = heddle__region_by_key(keys[link]);
    return links[link];
}

static struct model *line_of(enum link link, int class) {
    struct region *r = link_of(link);
    struct model *m = r ? r->model[class] : NULL;
    if (m && !m->fitted)
        heddle__model_fit(r, class);
    return m && m->count ? m : NULL;
}

double heddle__link_rate(enum link link, int class) {
    const struct model *m = class < CLASS_FIRST_DEVICE ? NULL : line_of(link, class);
    return m && m->count > 1 ? m->per_byte : 0;
}

double heddle__predict_migration(int class, size_t bytes) {
    const struct size size = {.bytes = (double)bytes};
    unsigned runs;
    const struct region *r = link_of(LINK_BETWEEN);
    const struct model *m = line_of(LINK_BETWEEN, class);
    if (m && m->count > 1)
        return heddle__predict(r, class, &size, &runs);
    const double rate =
        heddle__link_rate(LINK_TO, class) + heddle__link_rate(LINK_FROM, class); /* by the host, at worst */
    const double guess = unknown.latency + (rate > 0 ? rate : unknown.rate) * (double)bytes;
    if (!m)
        return guess;
    const struct cell *c = &m->cells[0]; /* one size was seen */
    return c->bytes > 0 && bytes > c->bytes ? c->median * (double)bytes / c->bytes
           : guess < c->median              ? guess
                                            : c->median;
}

void heddle__link_add(enum link link, int class, size_t bytes, double seconds) {
    const struct size size = {.bytes = (double)bytes};
    struct region *r = link_of(link);
    unsigned runs;
    if (!r || !bytes || seconds <= 0)
        return;
    const double predicted = heddle__predict(r, class, &size, &runs);
    struct cell *c = heddle__cell_find(r, class, &size, true);
    if (!c)
        return;
    r->runs++;
    heddle__cell_add(c, runs ? predicted : -1, seconds, r->runs);
    r->model[class]->fitted = false;
}

/* ---- the measurement -------------------------------------------------------------------------------------- */

bool heddle__link_claim(int place) {
    const int class = place == HOST ? CLASS_HOST : heddle__class_of(place);
    if (class < CLASS_FIRST_DEVICE || asked >> class & 1)
        return false;
    asked |= (uint64_t)1 << class;
    return !line_of(LINK_TO, class);
}

bool heddle__link_measure(int device, struct link_times *times) {
    const size_t most = sizes[LINK_SIZES - 1];
    const int host = omp_get_initial_device();
    char *here = malloc(most), *there;
    bool good = here;
    heddle__inside++;
    there = good ? heddle__real()->alloc(most, device) : NULL;
    good = there;
    if (here)
        memset(here, 1, most);
    for (int k = 0; k < LINK_SIZES; k++)
        for (int n = -1; good && n < LINK_RUNS; n++) { /* one before, that does not count */
            const double start = heddle__now();
            good = !heddle__real()->copy(there, here, sizes[k], 0, 0, device, host);
            const double middle = heddle__now();
            good = good && !heddle__real()->copy(here, there, sizes[k], 0, 0, host, device);
            if (n < 0)
                continue;
            times->to[k][n] = middle - start;
            times->from[k][n] = heddle__now() - middle;
        }
    if (there)
        heddle__real()->free(there, device);
    heddle__inside--;
    free(here);
    return good;
}

void heddle__link_add_times(int device, const struct link_times *times) {
    const int class = heddle__class_of(device);
    for (int k = 0; k < LINK_SIZES; k++)
        for (int n = 0; n < LINK_RUNS; n++) {
            heddle__link_add(LINK_TO, class, sizes[k], times->to[k][n]);
            heddle__link_add(LINK_FROM, class, sizes[k], times->from[k][n]);
        }
}
