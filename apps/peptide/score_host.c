/* SPDX-License-Identifier: Apache-2.0 */
/* What a CPU thread does with a spectrum. Where there are many candidates it first spreads the table of bins to
 * counters, four to a word, for the whole m/z axis: an ion is then an addition, a shift and a load, without any test.
 * The numbers are those of score.h. */
#include "nest.h"
#include "score.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

/* Fewer candidates than this are not worth the spreading. Bins as narrow as those of sparse tables would not fit a
 * cache. */
enum { MANY = 1500, IONS_MOST = 2 * 63 * FRAGMENT_CHARGES };

/* A thread's own; freed at exit by the system. */
struct scratch {
    uint32_t *counters; /* per bin: byte 0 in the range, bytes 1 to 3 the classes */
    size_t room;
    int64_t choose[3][IONS_MOST + 1]; /* ln of C(peaks of the class, k) */
    int64_t all, empty;               /* ln T!, ln (T - m)! */
    uint32_t peaks;
};
static _Thread_local struct scratch scratch;

static void spread(const struct score_plan *plan, const struct shape *shape, const uint32_t *table, const int64_t *logs,
                   uint32_t heaviest) {
    const size_t bins = (heaviest >> plan->shift) + 2;
    const uint32_t last = shape->low + shape->span;
    struct scratch *x = &scratch;
    if (bins > x->room) {
        x->room = bins + bins / 2;
        free(x->counters);
        x->counters = app_resize(NULL, x->room, sizeof *x->counters);
    }
    memset(x->counters, 0, bins * sizeof *x->counters);
    for (uint32_t bin = shape->low; bin <= last && bin < bins; bin++) {
        const uint32_t class = class_of(table, bin - shape->low, 0);
        x->counters[bin] = 1 | (class ? 1u << (8 * class) : 0);
    }
    x->peaks = 0;
    for (int c = 0; c < 3; c++) {
        for (uint32_t k = 0; k <= IONS_MOST; k++)
            x->choose[c][k] = log_choose(logs, shape->count[c], k < shape->count[c] ? k : shape->count[c]);
        x->peaks += shape->count[c];
    }
    x->all = logs[shape->bins];
    x->empty = logs[shape->bins - x->peaks];
}

/* As match_ions(), the counters' bytes added up: a peptide has at most 124 ions of one charge. */
static inline uint32_t add_ions(const struct score_plan *plan, const uint64_t *residues, uint32_t total, uint32_t z) {
    const uint32_t start = plan->start[z], end = plan->end[z] + total, shift = plan->shift + z - 1;
    const uint64_t inverse = plan->inverse[z];
    const uint32_t *counters = scratch.counters, *mass = plan->mass;
    uint32_t prefix = 0, sum = 0;
    for (uint64_t word = *residues;; word = *++residues)
        for (int k = 0; k < 8; k++, word >>= 8) {
            prefix += mass[word & 255];
            if (prefix == total)
                return sum;
            if (z < 3) { /* 2^31 / z is a power of two */
                sum += counters[(prefix + start) >> shift];
                sum += counters[(end - prefix) >> shift];
            } else {
                sum += counters[(prefix + start) * inverse >> (31 + plan->shift)];
                sum += counters[(end - prefix) * inverse >> (31 + plan->shift)];
            }
        }
}

/* As mvh_score(). */
static inline uint32_t look_up_score(const struct score_plan *plan, const struct shape *shape, const int64_t *logs,
                                     const uint32_t *k, uint32_t inside) {
    const struct scratch *x = &scratch;
    uint32_t matched = 0;
    for (int c = 0; c < 3; c++)
        matched += k[c] < shape->count[c] ? k[c] : shape->count[c];
    if (matched < plan->least || (uint64_t)matched * shape->bins <= (uint64_t)inside * x->peaks)
        return 0;
    const uint32_t empty = shape->bins - x->peaks, missed = inside - matched < empty ? inside - matched : empty;
    int64_t p = x->all - logs[matched + missed] - logs[shape->bins - matched - missed];
    p -= x->choose[0][k[0]] + x->choose[1][k[1]] + x->choose[2][k[2]];
    p -= x->empty - logs[missed] - logs[empty - missed];
    return p > 0 ? (uint32_t)(p >> (LOG_BITS - SCORE_BITS)) : 0;
}

static inline uint32_t score_fast(const struct score_plan *plan, const struct shape *shape, const int64_t *logs,
                                  const uint64_t *residues, uint32_t total, uint32_t charge) {
    const uint32_t most = highest_charge(plan, charge);
    uint32_t sum = add_ions(plan, residues, total, 1);
    uint32_t inside = sum & 255, k[3] = {sum >> 8 & 255, sum >> 16 & 255, sum >> 24};
    for (uint32_t z = 2; z <= most; z++) {
        sum = z == 2 ? add_ions(plan, residues, total, 2) : add_ions(plan, residues, total, z);
        inside += sum & 255;
        for (int c = 0; c < 3; c++)
            k[c] += sum >> (8 * c + 8) & 255;
    }
    return look_up_score(plan, shape, logs, k, inside);
}

void score_part_host(const struct score_plan *plan, const struct shape *shape, const uint32_t *table,
                     const struct window *windows, const uint64_t *residues, const uint32_t *first,
                     const uint32_t *totals, const int64_t *logs, uint32_t begin, uint32_t step, uint64_t *best) {
    uint64_t top[TOP] = {0};
    uint64_t work = 0;
    uint32_t heaviest = 0;
    for (uint32_t w = 0; w < plan->windows && begin == 0; w++)
        if (windows[w].high) {
            work += windows[w].high - windows[w].low;
            heaviest = totals[windows[w].high - 1] > heaviest ? totals[windows[w].high - 1] : heaviest;
        }
    const bool fast = work >= MANY && !plan->sparse;
    (void)step;
    if (fast) /* totals ascend but for roundings and the ends' masses */
        spread(plan, shape, table, logs, heaviest + plan->start[1] + plan->end[1] + (64 << plan->shift));
    for (uint32_t w = 0; w < plan->windows && begin == 0; w++)
        for (uint32_t k = windows[w].low; k < windows[w].high; k++) {
            struct matches m;
            const uint32_t score =
                fast ? score_fast(plan, shape, logs, residues + first[k], totals[k], windows[w].charge)
                     : score_candidate(plan, shape, table, logs, residues + first[k], totals[k], windows[w].charge, &m);
            keep_best(top, score, k);
        }
    if (begin == 0)
        memcpy(best, top, sizeof top);
    for (uint32_t k = 0; k < plan->depth && begin; k++)
        if (begin * plan->depth + k >= TOP)
            best[k] = 0;
}
