/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses that speak of carried arrays: keep, and sink. */
#include "analysis/capture.h"
#include "wavefront/wavefront.h"

#include <string.h>

static bool kept_twice(struct nest *w, const struct clause *before, const struct item *item) {
    const char *name = source_flat(&w->u->src, item->name);
    for (size_t k = 0; before->id == CLAUSE_KEEP && k < before->items.n; k++)
        if (!strcmp(source_flat(&w->u->src, before->items.at[k].name), name)) {
            diag_error(w->u, item->name.b, "'%s' is named in two 'keep' clauses; name it once", name);
            diag_note(w->u, before->items.at[k].name.b, "the first one is here");
            return true;
        }
    return false;
}

bool dep_apply_keep(struct nest *w) {
    bool ok = true;
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_KEEP && k < c->items.n; k++) {
            struct var *v = capture_named(w, c->items.at[k].name);
            if (!v || !v->write) {
                diag_error(w->u, c->items.at[k].name.b, "'keep' of '%s', which %s; name an array that the nest writes",
                           source_flat(&w->u->src, c->items.at[k].name),
                           v ? "is not written in the nest" : "is not used in the nest");
                ok = false;
                continue;
            }
            for (size_t before = 0; before < i; before++)
                ok &= !kept_twice(w, &w->p->clauses.at[before], &c->items.at[k]);
            v->keep = (enum keep_mode)c->kind;
        }
    }
    return ok;
}

static bool sink_has(const struct nest *w, const struct vector *x) {
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        if (c->id == CLAUSE_SINK && -c->items.at[0].offset == x->di && -c->items.at[1].offset == x->dj)
            return true;
    }
    return false;
}

static bool check_sink(struct nest *w, const struct clause *c) {
    if (c->items.n != 2) {
        diag_error(w->u, c->name.b, "'sink' needs one entry for each of the 2 loops, %zu given", c->items.n);
        return false;
    }
    for (int l = 0; l < 2; l++) {
        struct span s = c->items.at[l].name;
        if (strcmp(source_flat(&w->u->src, s), w->loop[l].name) != 0) {
            diag_error(w->u, s.b, "expected the loop variable '%s' plus or minus a constant", w->loop[l].name);
            return false;
        }
    }
    long di = -c->items.at[0].offset, dj = -c->items.at[1].offset;
    if (di < 0 || (di == 0 && dj <= 0)) {
        diag_error(w->u, c->items.at[0].name.b,
                   "this sink is not an earlier cell; dependences must be carried forward");
        return false;
    }
    return true;
}

bool dep_apply_sinks(struct nest *w) {
    if (!nest_clause(w, CLAUSE_SINK))
        return true;
    for (size_t i = 0; i < w->p->clauses.n; i++)
        if (w->p->clauses.at[i].id == CLAUSE_SINK && !check_sink(w, &w->p->clauses.at[i]))
            return false;
    for (size_t i = 0; i < w->vectors.n; i++)
        if (!w->vectors.at[i].anti && !sink_has(w, &w->vectors.at[i])) {
            dep_error(w, w->vectors.at[i].ref,
                      mem_printf("depends on (%s - %ld, %s - %ld), which no sink() names; add it or remove them all",
                                 w->loop[0].name, w->vectors.at[i].di, w->loop[1].name, w->vectors.at[i].dj));
            return false;
        }
    if (w->registers)
        return true;
    for (size_t i = 0; i < w->p->clauses.n; i++)
        if (w->p->clauses.at[i].id == CLAUSE_SINK)
            dep_add_vector(w, NULL, -w->p->clauses.at[i].items.at[0].offset, -w->p->clauses.at[i].items.at[1].offset,
                           false);
    return true;
}
