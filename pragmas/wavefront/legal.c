/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the two forms a nest may take. Register form: every flow dependence reaches one cell to the left, or
 * one row up and there from one cell to the right to two to the left. Memory form: any uniform dependence, skewed, but
 * every written array must be whole in memory. At least one must do.
 */
#include "analysis/refs.h"
#include "wavefront/wavefront.h"

#include <string.h>

/* Does a row run two columns behind the one above, not one? */
static bool looks_ahead(const struct nest *w) {
    for (size_t i = 0; i < w->vectors.n; i++)
        if (!w->vectors.at[i].anti && w->vectors.at[i].dj < 0)
            return true;
    return false;
}

/* What a condition keeps from being read on the right may not exist, and nothing tells: unlike an index below zero. */
static bool fits_registers(const struct vector *x, bool ahead) {
    if (x->anti)
        return x->di >= 0 && x->dj >= (ahead && x->di ? -1 : 0);
    if (x->di == 0)
        return x->dj == 1;
    return x->di == 1 && x->dj >= -1 && x->dj <= 2 && !(x->dj < 0 && x->ref && x->ref->conditional);
}

/* The array that keeps the nest from the memory form, or NULL. */
static const struct var *not_whole(const struct nest *w) {
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->field != FIELD_NONE && (v->field != FIELD_FULL || v->keep != KEEP_ALL))
            return v;
    }
    return NULL;
}

static const char *row_scalar(const struct nest *w, const struct var *v) {
    for (size_t i = 0; i < w->u->row_scalars.n; i++)
        if (strcmp(w->u->row_scalars.at[i].array, v->name) == 0)
            return w->u->row_scalars.at[i].name;
    return NULL;
}

static const char *name_of(const struct nest *w, const struct var *v) {
    const char *scalar = row_scalar(w, v);
    return scalar ? scalar : v->name;
}

static const char *why(const struct nest *w, const struct var *v) {
    if (row_scalar(w, v))
        return "is a scalar that each row carries; make it an array with an element for each cell";
    return v->field == FIELD_ROLLING ? "holds a few rows only; give it all of them"
           : v->field == FIELD_FULL  ? "is not kept whole; say keep(…: all)"
                                     : "has one dimension only; give it two";
}

/* Memory form (PeerWave, ICS 2015): row i + di starts SKEW columns later per row. */
static void skew(struct nest *w) {
    w->skew = 1;
    for (size_t i = 0; i < w->vectors.n; i++) {
        const struct vector *x = &w->vectors.at[i];
        if (x->di >= 1 && 1 - x->dj > w->skew)
            w->skew = 1 - x->dj;
        if (-x->dj > w->ahead)
            w->ahead = -x->dj;
        if (x->di > w->depth)
            w->depth = x->di;
    }
}

static bool check_schedule(struct nest *w) {
    const struct clause *c = nest_clause(w, CLAUSE_SCHEDULE);
    const struct clause *layout = nest_clause(w, CLAUSE_LAYOUT);
    const int kind = c ? c->kind : SCHEDULE_AUTO;
    const bool registers = kind == SCHEDULE_REGISTERS,
               square = kind == SCHEDULE_PEER_SQUARE || kind == SCHEDULE_BARRIER_SQUARE,
               memory = square || kind == SCHEDULE_PEER || kind == SCHEDULE_BARRIER || kind == SCHEDULE_FLEXIBLE,
               hybrid = layout && layout->kind == LAYOUT_HYBRID;
    if (registers && !w->registers) {
        diag_error(w->u, c->name.b,
                   "schedule(registers) needs dependences on the left neighbour and on the row above, from one "
                   "column to the right to two to the left; use schedule(peer) or leave it out");
        return false;
    }
    if (hybrid && (!w->registers || w->extended)) {
        diag_error(w->u, layout->name.b,
                   "layout(hybrid) needs dependences on the upper, left and diagonal neighbour only; leave it out");
        return false;
    }
    if (square && w->ahead) {
        diag_error(w->u, c->name.b,
                   "square tiles need dependences that do not reach to the right, and a row here "
                   "looks %ld ahead in one above; use peer, barrier or flexible",
                   w->ahead);
        return false;
    }
    if (memory && !w->memory && !hybrid) {
        diag_error(w->u, c->name.b, "this schedule works in memory, but '%s' %s", name_of(w, not_whole(w)),
                   why(w, not_whole(w)));
        diag_note(w->u, not_whole(w)->write->b, "'%s' is written here", name_of(w, not_whole(w)));
        return false;
    }
    return true;
}

bool dep_legal(struct nest *w) {
    const struct var *partial = not_whole(w);
    const struct vector *odd = NULL;
    for (size_t i = 0; i < w->vectors.n; i++)
        if (!fits_registers(&w->vectors.at[i], looks_ahead(w))) {
            w->registers = false;
            if (!odd && w->vectors.at[i].ref)
                odd = &w->vectors.at[i];
        }
    for (size_t i = 0; i < w->vectors.n; i++)
        w->extended |= w->registers && !w->vectors.at[i].anti && (w->vectors.at[i].dj < 0 || w->vectors.at[i].dj > 1);
    w->memory = partial == NULL;
    if (w->clip) /* nobody promises that the other cells' elements exist */
        w->registers = w->extended = false;
    if (!w->registers && !w->memory) {
        const char *text = odd ? refs_text(w, odd->ref) : w->p->directive->name;
        diag_error(w->u, odd ? odd->ref->b : w->p->b,
                   "dependence (%ld, %ld) of '%s' reaches further than the left neighbour and the row above from one "
                   "column to the right to two to the left, so all written arrays must be whole in memory, but '%s' %s",
                   odd ? odd->di : 0, odd ? odd->dj : 0, text, name_of(w, partial), why(w, partial));
        diag_note(w->u, partial->write->b, "'%s' is written here", name_of(w, partial));
        return false;
    }
    skew(w);
    return check_schedule(w);
}
