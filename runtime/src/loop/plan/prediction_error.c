/* SPDX-License-Identifier: Apache-2.0 */
/* How far predictions were off, by class: the factor between this run and earlier ones, the scatter of chunks, and how
 * bad a single iteration can be. */
#include "plan.h"
#include <math.h>

static const double NEW = 0.7,
                    OLD = 0.1;     /* scatter before anything was seen in this run: without and with earlier runs */
static const double LATEST = 0.25; /* weight of the latest chunk in the scatter */
static const double WORST = 50,
                    PLAIN = 0.5; /* of the loop's mean iteration: no more is believed, no less tells anything */
enum { SHORT = 64 };             /* iterations of a chunk that can tell of single ones */

/* The longest ones stay: rare ones are what is asked for, and a few recent chunks hold none of them. */
static void note(struct heddle__prediction_error *d, double over) {
    int least = 0;
    for (int k = 1; k < d->overs; k++)
        least = d->over[k] < d->over[least] ? k : least;
    if (d->overs < HEDDLE__OVER)
        d->over[d->overs++] = over;
    else if (d->over[least] < over)
        d->over[least] = over;
    d->worst = over > d->worst ? over : d->worst;
}

/* What a short chunk took too long, beyond what its iterations' scatter adds up to, is taken to be one iteration's. */
static void look_at(struct heddle__prediction_error *d, const struct heddle__costs *c, int class,
                    const struct heddle_loop_sample *m) {
    const double scale = m->n > 0 ? (double)c->p->n / (double)m->n : 0, count = (double)m->chunk.count;
    const struct heddle_loop_chunk there = {(long)((double)m->chunk.first * scale), m->chunk.count};
    d->largest = m->chunk.count > d->largest ? m->chunk.count : d->largest;
    if (m->chunk.count > SHORT || m->chunk.count < 1 || there.first + there.count > c->p->n)
        return;
    const double mean = heddle__costs_work(c, class, (struct heddle_loop_chunk){0, c->p->n}) / (double)c->p->n;
    const double scatter = heddle__costs_work(c, class, there) / count * (sqrt(count) - 1);
    const double over = m->compute + m->move - heddle__costs_time(c, class, there) - scatter;
    d->looked += count;
    if (over > PLAIN * mean)
        note(d, over > WORST * mean ? WORST * mean : over);
}

double heddle__prediction_overrun(const struct heddle__prediction_error *d, double each, double left) {
    double sum = 0;
    for (int k = 0; k < d->overs; k++)
        sum += each + d->over[k] > left ? each + d->over[k] - left : 0;
    sum += (d->looked - d->overs) * (each > left ? each - left : 0);
    return d->looked > 0 ? sum / d->looked : 0;
}

void heddle__prediction_start(struct heddle__prediction_error *d, const struct heddle__costs *c, int class) {
    *d = (struct heddle__prediction_error){.spread = c->known[class] ? OLD : NEW};
    for (int k = 0; k < c->p->samples; k++)
        if (c->p->sample_class[k] == class)
            look_at(d, c, class, &c->p->sample[k]);
}

double heddle__prediction_drift(const struct heddle__prediction_error *d, double horizon) {
    return horizon > 0 ? (d->measured + 0.5 * horizon) / (d->predicted + 0.5 * horizon) : 1;
}

void heddle__prediction_note(struct heddle__prediction_error *d, const struct heddle__costs *c, int class,
                             const struct heddle_loop_sample *s, double horizon) {
    const double took = s->compute + s->move, setup = c->setup[class],
                 expected = heddle__costs_time(c, class, s->chunk) - setup;
    look_at(d, c, class, s);
    if (!c->known[class] || !(took > 0) || !(expected > 0))
        return;
    const double error = log(took / (setup + expected * heddle__prediction_drift(d, horizon)));
    d->spread = sqrt((1 - LATEST) * d->spread * d->spread + LATEST * (error * error < 1 ? error * error : 1));
    d->measured += took > setup ? took - setup : 0.05 * took;
    d->predicted += expected;
}
