/* SPDX-License-Identifier: Apache-2.0 */
/* A spectrum as a device reads it: its m/z axis in bins of two bits that say the intensity class of the strongest peak
 * within the fragment tolerance, 0 where there is none. With narrow tolerances nearly all bins are empty: then only
 * blocks of 64 bins with a peak are there (score.h). */
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLAT_MOST = 1 << 16, BLOCK = 64 };

static double tolerance_at(const struct search *s, double mz) {
    return s->rule.fragment.unit == UNIT_PPM ? s->rule.fragment.value * 1e-6 * mz : s->rule.fragment.value;
}

/* The bins whose centre is within the tolerance of a peak; at least one. */
static void bins_of(const struct search *s, double mz, long *low, long *high) {
    const double t = tolerance_at(s, mz);
    *low = (long)ceil((mz - t) / s->bin - 0.5);
    *high = (long)floor((mz + t) / s->bin - 0.5);
    if (*low > *high)
        *low = *high = (long)floor(mz / s->bin);
    *low = *low < 0 ? 0 : *low;
    *high = *high < 0 ? 0 : *high;
}

/* Range and class sizes; returns the number of blocks of a sparse table (an upper bound). */
static uint32_t measure(const struct search *s, const struct spectrum *spectrum, struct shape *shape) {
    const double *mz = s->spectra->mz + spectrum->first;
    const int classes = s->spectra->filter.classes, unit = spectrum->peaks / ((1 << classes) - 1);
    long low = 0, high = 0, first, last;
    double smallest = mz[0], largest = mz[0];
    uint32_t blocks = 0;
    for (int k = 0; k < spectrum->peaks; k++) {
        bins_of(s, mz[k], &first, &last);
        low = !k || first < low ? first : low;
        high = !k || last > high ? last : high;
        smallest = fmin(smallest, mz[k]);
        largest = fmax(largest, mz[k]);
        blocks += (uint32_t)((last - first) / BLOCK + 2);
    }
    *shape = (struct shape){.low = (uint32_t)low, .span = (uint32_t)(high - low)};
    for (int c = 0; c < classes; c++)
        shape->count[c] = (uint32_t)unit << c;
    const double t = s->rule.fragment.value, from = fmax(smallest, 1);
    const double bins = s->rule.fragment.unit == UNIT_PPM ? log(fmax(largest, 1) / from) / (2e-6 * t) + 1
                                                          : (largest - smallest) / (2 * t) + 1;
    shape->bins = (uint32_t)fmax(bins, spectrum->peaks + 1);
    return blocks;
}

/* A power of two that keeps all masses below 2^30. */
static void set_masses(struct search *s) {
    double heaviest = 100;
    const struct chemistry *c = s->chemistry;
    const long n = s->candidates->count;
    if (n)
        heaviest += s->candidates->mass[n - 1];
    heaviest += fabs(c->start) + fabs(c->end) + MASS_WATER + FRAGMENT_CHARGES * MASS_PROTON;
    while (s->plan.shift < 24 && heaviest / s->bin * ldexp(1, (int)s->plan.shift + 1) < 0x1p30)
        s->plan.shift++;
    const double scale = ldexp(1, (int)s->plan.shift) / s->bin;
    for (int k = 1; k < c->codes; k++)
        s->plan.mass[k] = (uint32_t)llround(c->mass[k] * scale);
    for (int z = 1; z <= FRAGMENT_CHARGES; z++) {
        s->plan.start[z] = (uint32_t)llround((c->start + z * MASS_PROTON) * scale);
        s->plan.end[z] = (uint32_t)llround((c->end + MASS_WATER + z * MASS_PROTON) * scale);
        s->plan.inverse[z] = (uint32_t)((UINT64_C(1) << 31) / (unsigned)z);
    }
    s->totals = app_resize(NULL, (size_t)n, sizeof *s->totals);
#pragma omp parallel for schedule(static)
    for (long k = 0; k < n; k++) {
        uint32_t total = 0;
        for (uint32_t w = s->candidates->first[k]; w < s->candidates->first[k + 1]; w++)
            for (int i = 0; i < 8; i++)
                total += s->plan.mass[s->candidates->words[w] >> (8 * i) & 255];
        s->totals[k] = total;
    }
}

static int compare_windows(const void *left, const void *right) {
    const struct window *a = left, *b = right;
    if (a->charge != b->charge)
        return a->charge < b->charge ? -1 : 1;
    return (a->low > b->low) - (a->low < b->low);
}

/* The first candidate of at least this mass. */
static uint32_t find_mass(const struct candidates *c, double mass) {
    long low = 0, high = c->count;
    while (low < high) {
        const long middle = (low + high) / 2;
        if (c->mass[middle] < mass)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static uint32_t find_windows(const struct search *s, const struct spectrum *spectrum, struct window *out) {
    const struct search_rule *r = &s->rule;
    uint32_t n = 0, kept = 0;
    for (int z = 1; z <= CHARGE_MOST; z++) {
        if (spectrum->charges ? !(spectrum->charges >> z & 1) : z < r->charge_low || z > r->charge_high)
            continue;
        for (long isotope = r->isotopes_low; isotope <= r->isotopes_high; isotope++) {
            const double mass = (spectrum->mz - MASS_PROTON) * z - (double)isotope * MASS_ISOTOPE,
                         t = r->precursor.value;
            const double margin = r->precursor.unit == UNIT_PPM  ? t * 1e-6 * mass
                                  : r->precursor.unit == UNIT_MZ ? t * z
                                                                 : t;
            const struct window w = {find_mass(s->candidates, mass - margin),
                                     find_mass(s->candidates, nextafter(mass + margin, 1e9)), (uint32_t)z};
            if (w.low < w.high)
                out[n++] = w;
        }
    }
    qsort(out, n, sizeof *out, compare_windows);
    for (uint32_t k = 0; k < n; k++) /* isotopes overlap when the tolerance is wide */
        if (kept && out[kept - 1].charge == out[k].charge && out[k].low <= out[kept - 1].high)
            out[kept - 1].high = out[k].high > out[kept - 1].high ? out[k].high : out[kept - 1].high;
        else
            out[kept++] = out[k];
    for (uint32_t k = kept; k < n; k++)
        out[k] = (struct window){0};
    return kept;
}

/* All windows of all spectra, then the same with as many per spectrum as any has. */
static void set_windows(struct search *s) {
    const long n = s->spectra->count;
    const uint32_t room = (uint32_t)(CHARGE_MOST * (s->rule.isotopes_high - s->rule.isotopes_low + 1));
    struct window *all = app_alloc((size_t)n * room, sizeof *all);
    uint32_t most = 1;
#pragma omp parallel for schedule(dynamic, 64) reduction(max : most)
    for (long k = 0; k < n; k++) {
        const uint32_t found = find_windows(s, &s->spectra->at[k], all + (size_t)k * room);
        most = found > most ? found : most;
    }
    s->plan.windows = most;
    s->windows = app_resize(NULL, (size_t)n * most, sizeof *s->windows);
    for (long k = 0; k < n; k++)
        memcpy(s->windows + (size_t)k * most, all + (size_t)k * room, most * sizeof *all);
    free(all);
}

static void set_logs(struct search *s, uint32_t most) {
    long double sum = 0;
    s->logs_count = (long)most + 64 * 2 * FRAGMENT_CHARGES;
    s->logs = app_resize(NULL, (size_t)s->logs_count, sizeof *s->logs);
    for (long k = 0; k < s->logs_count; k++) {
        sum += k ? logl((long double)k) : 0;
        s->logs[k] = (int64_t)roundl(ldexpl(sum, LOG_BITS));
    }
}

void search_prepare(struct search *s) {
    const struct tolerance t = s->rule.fragment;
    const long n = s->spectra->count;
    uint32_t span = 0, blocks = 0, bins = 0;
    s->bin = t.unit == UNIT_PPM ? t.value * 1e-6 * 500 / 4 : t.value / 4;
    s->plan = (struct score_plan){.charges = (uint32_t)s->rule.fragment_charges, .least = (uint32_t)s->rule.least};
    s->shapes = app_resize(NULL, (size_t)n, sizeof *s->shapes);
    for (long k = 0; k < n; k++) {
        const uint32_t need = measure(s, &s->spectra->at[k], &s->shapes[k]);
        blocks = need > blocks ? need : blocks;
        span = s->shapes[k].span > span ? s->shapes[k].span : span;
        bins = s->shapes[k].bins > bins ? s->shapes[k].bins : bins;
    }
    set_masses(s);
    set_windows(s);
    set_logs(s, bins);
    if (span + 2 > FLAT_MOST) {
        s->plan.sparse = 2 * ((span + 2) / BLOCK / 32 + 1);
        s->plan.stride = s->plan.sparse + blocks * (BLOCK / 16);
    } else {
        s->plan.stride = (span + 2) / 16 + 1;
    }
}

/* Says which blocks there are. */
static void make_index(const struct search *s, long k, uint32_t *table) {
    const struct spectrum *spectrum = &s->spectra->at[k];
    for (int peak = 0; peak < spectrum->peaks; peak++) {
        long low, high;
        bins_of(s, s->spectra->mz[spectrum->first + (size_t)peak], &low, &high);
        low = (low - s->shapes[k].low) / BLOCK;
        high = (high - s->shapes[k].low) / BLOCK;
        for (long block = low; block <= high; block++)
            table[block / 32 * 2] |= 1u << (block & 31);
    }
    uint32_t before = 0;
    for (uint32_t pair = 0; pair < s->plan.sparse; pair += 2) {
        table[pair + 1] = before;
        before += (uint32_t)__builtin_popcount(table[pair]);
    }
}

static void set_class(const struct search *s, uint32_t *table, uint32_t bin, uint32_t class) {
    uint32_t word = bin >> 4;
    if (s->plan.sparse) {
        const uint32_t *pair = table + bin / BLOCK / 32 * 2;
        word = s->plan.sparse +
               4 * (pair[1] + (uint32_t)__builtin_popcount(pair[0] & ((1u << (bin / BLOCK & 31)) - 1))) + (word & 3);
    }
    table[word] = (table[word] & ~(3u << 2 * (bin & 15))) | class << 2 * (bin & 15);
}

void table_fill(const struct search *s, long k, uint32_t *table) {
    const struct spectrum *spectrum = &s->spectra->at[k];
    const struct shape *shape = &s->shapes[k];
    const double *mz = s->spectra->mz + spectrum->first;
    uint32_t class = (uint32_t)s->spectra->filter.classes, left = shape->count[class - 1];
    memset(table, 0, s->plan.stride * sizeof *table);
    if (s->plan.sparse)
        make_index(s, k, table);
    for (int peak = spectrum->peaks - 1; peak >= 0; peak--) { /* stronger ones overwrite weaker ones */
        long low, high;
        bins_of(s, mz[peak], &low, &high);
        for (long bin = low; bin <= high; bin++)
            set_class(s, table, (uint32_t)bin - shape->low, class);
        if (--left == 0 && class > 1)
            left = shape->count[--class - 1];
    }
}
