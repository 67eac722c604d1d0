/* SPDX-License-Identifier: Apache-2.0 */
/*
 * f_d of Weber 2012, section 4.2.1: seconds of an iteration on each class of devices, piecewise constant over the
 * iteration space, from samples of this run and of earlier ones. Between measured bins it is interpolated. With
 * `shared`, a class takes the shape from the others there: where the work of a loop lies is mostly the data's doing,
 * and only the ratio of two classes, which changes slowly, is interpolated.
 */
#include "plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FADE = 0.97; /* weight of an earlier run's sample against the next newer one of its class */
static const double SPREADS = 16;
static const int TURNS = 3; /* of sharing out long chunks by what the turn before says of their places */

long heddle__costs_begin(const struct heddle__costs *c, int bin) { return (long)((double)c->p->n * bin / c->bins); }

int heddle__costs_bin(const struct heddle__costs *c, long i) {
    int b = c->p->n > 0 ? (int)((double)i * c->bins / (double)c->p->n) : 0;
    b = b < 0 ? 0 : b >= c->bins ? c->bins - 1 : b;
    while (b + 1 < c->bins && heddle__costs_begin(c, b + 1) <= i)
        b++;
    while (b > 0 && heddle__costs_begin(c, b) > i)
        b--;
    return b;
}

struct heddle__costs *heddle__costs_start(const struct heddle_loop_problem *p, int bins, bool history, bool shared) {
    struct heddle__costs *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->p = p;
    c->bins = p->n < bins ? (p->n > 0 ? (int)p->n : 1) : bins;
    c->classes = p->classes;
    c->shared = shared;
    const size_t cells = (size_t)c->classes * (size_t)c->bins + 1;
    c->iterations = calloc(4 * cells + 2 * (size_t)c->classes, sizeof *c->iterations);
    c->known = calloc((size_t)c->classes + 1, sizeof *c->known);
    if (!c->iterations || !c->known) {
        heddle__costs_free(c);
        return NULL;
    }
    c->seconds = c->iterations + cells;
    c->covered = c->seconds + cells;
    c->each = c->covered + cells;
    c->setup = c->each + cells;
    c->alpha = c->setup + c->classes;
    double rate;
    for (int d = 0; d < p->devices; d++)
        if (p->device[d].class < c->classes)
            c->setup[p->device[d].class] = p->device[d].setup;
    for (int class = 0; history && class < c->classes; class ++)
        heddle__loop_recall_curve(p, class, &c->setup[class], &c->alpha[class], &rate);
    if (history)
        heddle__costs_recall(c);
    return c;
}

void heddle__costs_recall(struct heddle__costs *c) {
    const struct heddle_loop_problem *p = c->p;
    for (int turn = 0; turn < TURNS; turn++) {
        memset(c->iterations, 0, (size_t)(c->each - c->iterations) * sizeof *c->iterations);
        for (int class = 0; class < c->classes; class ++) {
            double weight = 1;
            for (int k = p->samples - 1; k >= 0; k--)
                if (p->sample_class[k] == class) {
                    heddle__costs_add(c, class, &p->sample[k], weight);
                    weight *= FADE;
                }
        }
        heddle__costs_fill(c);
    }
}

void heddle__costs_free(struct heddle__costs *c) {
    if (!c)
        return;
    free(c->iterations);
    free(c->known);
    free(c);
}

void heddle__costs_add(struct heddle__costs *c, int class, const struct heddle_loop_sample *s, double weight) {
    double seconds = s->compute + s->move;
    if (s->chunk.count <= 0 || s->n <= 0 || !(seconds > 0))
        return;
    seconds = seconds - c->setup[class] > 0.05 * seconds ? seconds - c->setup[class] : 0.05 * seconds;
    seconds /= heddle__costs_slowed(c, class, (double)s->chunk.count);
    const double from = (double)s->chunk.first / (double)s->n * c->bins,
                 width = (double)s->chunk.count / (double)s->n * c->bins;
    const double *each = c->each + class * c->bins;
    double sum = 0; /* a long chunk's time is shared out by what is known of its places (as in MLEM reconstruction) */
    const bool even = !c->known[class] || !(each[0] > 0);
    weight /= 1 + width; /* one that spans many bins says little of each */
    for (int turn = 0; turn < 2; turn++)
        for (int b = from < 0 ? 0 : (int)from; b < c->bins && b < from + width; b++) {
            const double low = b > from ? b : from, high = b + 1 < from + width ? b + 1 : from + width;
            const double part = (high - low) / width, share = even ? part : part * each[b];
            if (!turn) {
                sum += share;
                continue;
            }
            c->iterations[class * c->bins + b] += weight * part * (double)s->chunk.count;
            c->covered[class * c->bins + b] += part * (double)s->chunk.count * (double)c->p->n / (double)s->n;
            c->seconds[class * c->bins + b] += weight * (sum > 0 ? share / sum : part) * seconds;
        }
    c->known[class] = true;
}

/* Linear between the bins that have a value > 0, constant beyond the outermost. */
static void interpolate(double *v, int bins, const double *measured) {
    int last = -1;
    for (int b = 0; b < bins; b++) {
        if (!(measured[b] > 0))
            continue;
        for (int k = last + 1; k < b; k++)
            v[k] = last < 0 ? v[b] : v[last] + (v[b] - v[last]) * (k - last) / (b - last);
        last = b;
    }
    for (int k = last + 1; last >= 0 && k < bins; k++)
        v[k] = v[last];
}

/*
 * The bin's mean of what was measured. A few iterations say little of a bin of hundreds, one of which may cost as much
 * as all others: the less of the bin was seen, the more its neighbours count.
 */
static double measured(const struct heddle__costs *c, int class, int b) {
    const double *it = c->iterations + class * c->bins, *s = c->seconds + class * c->bins;
    const double size = (double)c->p->n / c->bins, seen = c->covered[class * c->bins + b] / size;
    double its = 0, seconds = 0;
    if (!(it[b] > 0))
        return 0;
    const int near = c->bins / 16;
    for (int k = b > near ? b - near : 0; k <= b + near && k < c->bins; k++) {
        its += it[k];
        seconds += s[k];
    }
    const double trust =
        seen < 1 ? SPREADS * (1 - seen) : 0; /* iterations, as if they had cost what the neighbours do */
    return (s[b] + trust * seconds / its) / (it[b] + trust);
}

static int best_known(const struct heddle__costs *c) {
    int best = -1, most = 0;
    for (int class = 0; class < c->classes; class ++) {
        int have = 0;
        for (int b = 0; b < c->bins; b++)
            have += c->iterations[class * c->bins + b] > 0;
        if (have > most) {
            most = have;
            best = class;
        }
    }
    return best;
}

/* The shape of the loop: the best known class; where it has no value, another one's at the ratio of both. */
static void shape(const struct heddle__costs *c, int of, double *v, double *have) {
    for (int b = 0; b < c->bins; b++) {
        have[b] = c->iterations[of * c->bins + b];
        v[b] = measured(c, of, b);
    }
    for (int class = 0; class < c->classes; class ++) {
        const double *it = c->iterations + class * c->bins;
        double sum = 0;
        int both = 0;
        for (int b = 0; b < c->bins; b++)
            if (class != of && it[b] > 0 && c->iterations[of * c->bins + b] > 0) {
                sum += log(v[b] / measured(c, class, b));
                both++;
            }
        for (int b = 0; both && b < c->bins; b++)
            if (it[b] > 0 && !(have[b] > 0)) {
                v[b] = measured(c, class, b) * exp(sum / both);
                have[b] = it[b];
            }
    }
    interpolate(v, c->bins, have);
}

void heddle__costs_fill(struct heddle__costs *c) {
    double v[HEDDLE__BINS], have[HEDDLE__BINS], ratio[HEDDLE__BINS];
    const int of = c->shared ? best_known(c) : -1;
    if (of >= 0)
        shape(c, of, v, have);
    for (int class = 0; class < c->classes; class ++) {
        const double *it = c->iterations + class * c->bins;
        double *each = c->each + class * c->bins;
        for (int b = 0; b < c->bins; b++) {
            each[b] = measured(c, class, b);
            ratio[b] = it[b] > 0 && of >= 0 ? each[b] / v[b] : 0;
        }
        if (of < 0) {
            interpolate(each, c->bins, it);
        } else {
            interpolate(ratio, c->bins, it);
            for (int b = 0; b < c->bins && c->known[class]; b++)
                each[b] = it[b] > 0 ? each[b] : v[b] * ratio[b];
        }
    }
}

double heddle__costs_slowed(const struct heddle__costs *c, int class, double count) {
    return c->alpha[class] < 0 && count > 0 ? -1 / expm1(c->alpha[class] * count) : 1;
}

double heddle__costs_time(const struct heddle__costs *c, int class, struct heddle_loop_chunk k) {
    return c->setup[class] + heddle__costs_work(c, class, k) * heddle__costs_slowed(c, class, (double)k.count);
}

double heddle__costs_work(const struct heddle__costs *c, int class, struct heddle_loop_chunk k) {
    const double *each = c->each + class * c->bins;
    double sum = 0;
    for (int b = heddle__costs_bin(c, k.first); b < c->bins && heddle__costs_begin(c, b) < k.first + k.count; b++) {
        const long low = heddle__costs_begin(c, b), high = heddle__costs_begin(c, b + 1);
        const long from = low > k.first ? low : k.first, to = high < k.first + k.count ? high : k.first + k.count;
        sum += (double)(to - from) * each[b];
    }
    return sum;
}

static long count_work(const struct heddle__costs *c, int class, struct heddle_loop_chunk interval, double seconds) {
    const double *each = c->each + class * c->bins;
    const long end = interval.first + interval.count;
    long at = interval.first;
    for (int b = heddle__costs_bin(c, at); b < c->bins && at < end; b++) {
        const long high = heddle__costs_begin(c, b + 1), to = high < end ? high : end;
        if ((double)(to - at) * each[b] > seconds)
            return at - interval.first + (long)(seconds > 0 ? seconds / each[b] : 0);
        seconds -= (double)(to - at) * each[b];
        at = to;
    }
    return interval.count;
}

/* The smaller the chunk, the slower it is: from above, the turns come down to what fits. */
long heddle__costs_count(const struct heddle__costs *c, int class, struct heddle_loop_chunk interval, double seconds) {
    long count = count_work(c, class, interval, seconds);
    for (int turn = 0; turn < 6 && c->alpha[class] < 0 && count > 0; turn++)
        count = count_work(c, class, interval, seconds / heddle__costs_slowed(c, class, (double)count));
    return count;
}

double heddle__costs_mean(const struct heddle__costs *c, int class, const struct heddle__interval_set *left) {
    double sum = 0;
    for (int k = 0; k < left->count; k++)
        sum += heddle__costs_work(c, class, left->at[k]);
    return left->left ? sum / (double)left->left : 0;
}

double heddle__costs_norm(const struct heddle__costs *c, int class, int bin) {
    const double mine = c->each[class * c->bins + bin];
    double sum = 0;
    for (int other = 0; other < c->classes; other++) {
        const double its = c->each[other * c->bins + bin];
        if (other != class && its > 0 && mine > 0)
            sum += its / mine * (its / mine);
    }
    return sum > 0 ? sqrt(sum) : 1;
}
