/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Taskloops that stand side by side in a pool's block, with nothing that waits between them, run in any order: does one
 * come to elements that the other writes? Only what is certain is an error: loops over the same values but for
 * constants, the same polynomial in all subscripts, places outside inner loops that no unknown condition guards.
 */
#include "order.h"

#include <string.h>

enum { NEAR = 8 }; /* iterations at the ends that one loop has and the other lacks, where their number is not known */

struct meeting {
    const struct access *first, *second;
    long by[MAX_LOOPS]; /* the second loop's iteration is so many after the first one's */
};

static bool is_waited_between(const struct task_type *a, const struct task_type *b) {
    for (size_t i = 0; i < a->m->f->sites.n; i++) {
        const struct site *m = a->m->f->sites.at[i];
        if (site_is(m, DIRECTIVE_TASKWAIT) && m->p->b > a->m->p->b && m->p->b < b->m->p->b)
            return true;
    }
    return false;
}

/* Only taskloops lie between them: no variable has another value there. */
static bool is_beside(struct pool *p, const struct task_type *a, const struct task_type *b) {
    if (a->parent || b->parent || a->m->f != b->m->f || !site_is(a->m, DIRECTIVE_TASKLOOP) ||
        !site_is(b->m, DIRECTIVE_TASKLOOP))
        return false;
    for (const struct node *n = a->m->stmt->next; n; n = n->next) {
        if (n == b->m->stmt)
            return !is_waited_between(a, b);
        const struct site *m = site_of(p->u, n);
        if (n->kind != CXCursor_NullStmt && (!m || !site_is(m, DIRECTIVE_TASKLOOP)))
            return false;
    }
    return false;
}

/* How much later the second loop's range begins and ends, in each dimension; both have as many. */
static bool is_same_space(const struct order *a, const struct order *b, long *begin, long *end) {
    for (int d = 0; d < a->dims; d++) {
        struct poly lo = b->axis[d].lo, hi = b->axis[d].hi;
        affine_add(&lo, &a->axis[d].lo, -1);
        affine_add(&hi, &a->axis[d].hi, -1);
        if (!affine_is_constant(&lo, &begin[d]) || !affine_is_constant(&hi, &end[d]))
            return false;
        const long count = a->axis[d].count, lost = (begin[d] > 0 ? begin[d] : 0) + (end[d] < 0 ? -end[d] : 0);
        if (count < 0 ? lost > NEAR : lost >= count)
            return false;
    }
    return true;
}

/* By its text: mostly the same value, whoever writes last. */
static bool writes_same(const struct order *o, const struct access *a, const struct access *b) {
    struct span first, second;
    if (a->read || b->read || !a->value || !b->value)
        return false;
    first = (struct span){a->value->b, a->value->e}, second = (struct span){b->value->b, b->value->e};
    return !strcmp(source_flat(&o->u->src, first), source_flat(&o->u->src, second));
}

static bool find_meeting(struct order *a, const struct order *b, struct meeting *out) {
    long begin[MAX_LOOPS] = {0}, end[MAX_LOOPS] = {0};
    if (a->dims != b->dims || !is_same_space(a, b, begin, end))
        return false;
    a->naxes = a->dims; /* loops in the bodies are left out */
    for (size_t i = 0; i < a->accesses.n; i++)
        for (size_t j = 0; j < b->accesses.n; j++) {
            struct access second = *b->accesses.at[j];
            *out = (struct meeting){.first = a->accesses.at[i], .second = b->accesses.at[j]};
            if (!(out->first->write || second.write) || out->first->reach.axes || second.reach.axes ||
                writes_same(a, out->first, &second))
                continue;
            for (int d = 0; d < a->dims; d++) { /* by the first loop's range */
                second.reach.low[d] += begin[d];
                second.reach.high[d] -= end[d];
            }
            if (order_meet(a, out->first, &second, out->by))
                return true;
        }
    return false;
}

static const char *iteration(const struct task_type *k, const long *by) {
    struct buf out = {0};
    for (int i = 0; i < k->dims; i++) {
        buf_printf(&out, "%s%s", i ? ", " : "", k->loop[i].name);
        if (by && by[i])
            buf_printf(&out, " %c %ld", by[i] < 0 ? '-' : '+', by[i] < 0 ? -by[i] : by[i]);
    }
    return out.s;
}

static void say(struct unit *u, const struct task_type *first, const struct task_type *second,
                const struct meeting *m) {
    diag_error(u, m->second->n->b,
               "'%s' is %s here and %s by the taskloop in line %u, whose iterations and these run in any order; put "
               "'#pragma heddle taskwait' between the two",
               unit_text(u, m->second->n), m->second->write ? "written" : "read", m->first->write ? "written" : "read",
               source_line(&u->src, first->m->p->b));
    diag_note(u, m->first->n->b, "iteration (%s) comes to it as '%s' here, iteration (%s) there",
              iteration(first, NULL), unit_text(u, m->first->n), iteration(second, m->by));
}

bool taskloops_check_between(struct pool *p) {
    bool good = true;
    for (size_t i = 0; i < p->task_types.n; i++)
        for (size_t j = 0; j < p->task_types.n; j++) {
            struct order a, b;
            struct meeting m;
            struct task_type *first = p->task_types.at[i], *second = p->task_types.at[j];
            if (first == second || !is_beside(p, first, second) || !order_collect(first, &a) ||
                !order_collect(second, &b) || !find_meeting(&a, &b, &m))
                continue;
            say(p->u, first, second, &m);
            good = false;
        }
    return good;
}
