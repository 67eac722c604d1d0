/* SPDX-License-Identifier: Apache-2.0 */
/* jobs_state.c - what a run of jobs holds, from its machine and stream; the bound that no run can beat. */
#include "jobs_state.h"
#include "model/lp/lp.h"

#include <math.h>
#include <stdlib.h>

bool jobs_prepare(struct state *s, const struct jobs_setting *set) {
    const struct sim_machine *m = &set->machine->machine;
    const size_t d = (size_t)m->devices, t = (size_t)set->stream->types, kinds = t * (d + 1), k = (size_t)m->kinds;
    s->set = set;
    s->m = set->machine;
    s->devices = (int)d;
    s->types = (int)t;
    s->device = calloc(d, sizeof *s->device);
    s->device_facts = calloc(d, sizeof *s->device_facts);
    s->time = calloc(t * k, sizeof *s->time);
    s->move = calloc(t * k * k, sizeof *s->move);
    s->unassigned = calloc(kinds, sizeof *s->unassigned);
    s->queued = calloc(d * t, sizeof *s->queued);
    s->running = calloc(d * t, sizeof *s->running);
    s->here = calloc(d * t, sizeof *s->here);
    s->when = calloc(d, sizeof *s->when);
    s->look = calloc(d, 1);
    s->unused = calloc(d, 1);
    s->rest = calloc(d, sizeof *s->rest);
    s->kind = calloc(kinds, sizeof *s->kind);
    s->left = calloc(kinds, sizeof *s->left);
    s->row = calloc(kinds, sizeof *s->row);
    s->run->device = calloc(d, sizeof *s->run->device);
    return s->device && s->device_facts && s->time && s->move && s->unassigned && s->queued && s->running && s->here &&
           s->when && s->look && s->unused && s->rest && s->kind && s->left && s->row && s->run->device;
}

void jobs_describe_machine(struct state *s) {
    const struct jobs_machine *m = s->m;
    const int kinds = m->machine.kinds;
    int d = 0;
    for (int k = 0; k < kinds; k++)
        for (int i = 0; i < m->machine.kind[k].count; i++, d++) {
            s->device_facts[d] = (struct heddle_jobs_device){m->machine.kind[k].host ? -1 : d, k,
                                                             m->memory[k] ? -m->memory[k] : d, d / 64};
            s->device[d] = (struct device){.kind = k, .batch = {.type = -1}, .speed = 1, .heard = -1};
            s->run->device[d].kind = k;
        }
    for (int t = 0; t < s->types; t++)
        for (int k = 0; k < kinds; k++) {
            s->time[t * kinds + k] = (struct heddle_jobs_time){m->cost[t][k].setup, m->cost[t][k].each};
            for (int to = 0; to < kinds; to++)
                s->move[(t * kinds + k) * kinds + to] = m->move[t][k][to];
        }
    s->machine = (struct heddle_jobs_machine){.devices = s->devices,
                                              .classes = kinds,
                                              .types = s->types,
                                              .device = s->device_facts,
                                              .time = s->time,
                                              .move = s->move};
    s->machine.parameter = s->set->parameter;
}

void jobs_drop(struct state *s) {
    for (int d = 0; s->device && d < s->devices; d++)
        free(s->device[d].parcel);
    free(s->device);
    free(s->device_facts);
    free(s->time);
    free(s->move);
    free(s->unassigned);
    free(s->queued);
    free(s->running);
    free(s->here);
    free(s->when);
    free(s->look);
    free(s->unused);
    free(s->rest);
    free(s->kind);
    free(s->left);
    free(s->row);
    free(s->placed);
}

double jobs_bound(const struct state *s) {
    double load[JOBS_TYPES * SIM_CLASSES], share[JOBS_TYPES * SIM_CLASSES], fixed[SIM_CLASSES] = {0};
    int kinds = 0, types = 0, at[SIM_CLASSES];
    for (int k = 0; k < s->m->machine.kinds; k++)
        if (s->m->machine.kind[k].count)
            at[kinds++] = k;
    for (int t = 0; t < s->types; t++) {
        if (!s->frame->total[t])
            continue;
        for (int k = 0; k < kinds; k++) {
            const double each = s->m->cost[t][at[k]].each;
            load[types * kinds + k] =
                each < 0 ? -1 : each * (double)s->frame->total[t] / s->m->machine.kind[at[k]].count;
        }
        types++;
    }
    return types ? fmax(heddle__unrelated(types, kinds, load, fixed, share), 0) : 0;
}

void jobs_set_faults(struct state *s) {
    const double length = fmax(jobs_bound(s), 1e-9) * 2 * s->set->stream->frames;
    for (int d = 0; d < s->devices; d++) {
        const struct sim_kind *kind = &s->m->machine.kind[s->device[d].kind];
        if (isfinite(kind->fail) && (d == 0 || s->device[d - 1].kind != s->device[d].kind)) {
            s->device[d].fault = VANISH;
            s->device[d].fault_at = kind->fail;
        }
    }
    for (int k = 0; k < s->set->faults; k++) {
        struct device *v = &s->device[sim_random(&s->random) % (uint64_t)s->devices];
        v->fault = (enum fault)(1 + (int)(sim_random(&s->random) % 3));
        if (v->fault == VANISH && v == s->device) /* one is left, and can run what the machine's first kind can */
            v->fault = SLOW;
        v->fault_at = length * sim_uniform(&s->random);
        v->factor = 1 + 9 * sim_uniform(&s->random);
    }
}
