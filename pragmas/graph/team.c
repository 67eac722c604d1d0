/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directives that make the threads for the program without heddle: parallel, and single, master or masked in it. They
 * go, since a graph's team is heddle's. What they say of the data stays: which variables tasks share, and which ones
 * the statement has copies of.
 */
#include "analysis/capture.h"
#include "graph.h"

#include <string.h>

enum { ONE = OMP_SINGLE | OMP_MASTER | OMP_MASKED };

static bool is_listed(const struct unit *u, const struct omp *d, const char *clause, const char *name) {
    for (size_t i = 0; i < d->clauses.n; i++)
        if (omp_clause_is(u, &d->clauses.at[i], clause) && omp_lists(u, &d->clauses.at[i], name))
            return true;
    return false;
}

/* The innermost parallel region that the place is in. */
static const struct graph_team *parallel_around(const struct graph *g, size_t offset) {
    const struct graph_team *found = NULL;
    for (size_t i = 0; i < g->teams.n; i++)
        if (g->teams.at[i].d->words & OMP_PARALLEL && g->teams.at[i].d->b < offset && offset < g->teams.at[i].end)
            found = &g->teams.at[i];
    return found;
}

bool graph_team_shares(const struct graph *g, size_t offset, const struct var *v) {
    const struct graph_team *parallel = parallel_around(g, offset);
    struct span at;
    if (!parallel || !ast_span(g->u, v->decl, &at) || at.b > parallel->d->b)
        return false;
    const struct omp_clause *c = omp_clause_find(g->u, parallel->d, "default");
    if (c && strcmp(source_flat(&g->u->src, c->args), "firstprivate") == 0)
        return is_listed(g->u, parallel->d, "shared", v->name);
    for (size_t i = 0; i < g->teams.n; i++) {
        const struct graph_team *t = &g->teams.at[i];
        if (t->d->b >= parallel->d->b && t->d->b < offset && offset < t->end &&
            (is_listed(g->u, t->d, "private", v->name) || is_listed(g->u, t->d, "firstprivate", v->name)))
            return false;
    }
    return true;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */
static bool add_copy(struct graph *g, struct graph_team *t, struct span item, bool first) {
    const char *name = source_flat(&g->u->src, item);
    struct node *decl = names_local(g->tree, name, strlen(name), t->d->b);
    if (!decl) {
        diag_error(g->u, item.b,
                   "the block of a graph has its own copy of a variable of the function only; declare '%s' there",
                   name);
        return false;
    }
    const CXType type = clang_getCursorType(decl->c);
    if (clang_isConstQualifiedType(type))
        return true; /* a copy is the same */
    vec_push(&t->copies, (struct graph_copy){name, first, type.kind == CXType_VariableArray});
    return true;
}

static bool add_copies(struct graph *g, struct graph_team *t) {
    for (size_t i = 0; i < t->d->clauses.n; i++) {
        const struct omp_clause *c = &t->d->clauses.at[i];
        const bool first = omp_clause_is(g->u, c, "firstprivate");
        struct span list = c->args, item;
        if (!first && !omp_clause_is(g->u, c, "private"))
            continue;
        while (omp_next(g->u, &list, &item))
            if (!add_copy(g, t, item, first))
                return false;
    }
    return true;
}

/* ---- the directive ----------------------------------------------------------------------------------------------- */
static const struct omp *next_of(const struct graph *g, const struct omp *d) {
    return d + 1 < g->directives.at + g->directives.n ? d + 1 : NULL;
}

static bool check(struct graph *g, const struct omp *d) {
    const struct omp *next = next_of(g, d);
    const unsigned other = d->words & ~(unsigned)(OMP_PARALLEL | ONE);
    if (other || !d->words) {
        diag_error(g->u, d->b, "'%s' in a graph; its loops and blocks make tasks, and run by themselves",
                   source_flat(&g->u->src, d->text));
        return false;
    }
    if (d->words == OMP_PARALLEL && (!next || !(next->words & ONE))) {
        diag_error(g->u, d->b, "each thread of this parallel region would make the tasks; add '#pragma omp single'");
        return false;
    }
    if (omp_clause_find(g->u, d, "reduction") || omp_clause_find(g->u, d, "copyprivate")) {
        diag_error(g->u, d->b,
                   "this directive goes in a graph, and its clauses with it; remove reduction and copyprivate");
        return false;
    }
    return true;
}

bool graph_add_team(struct graph *g, const struct omp *d) {
    struct graph_team t = {.d = d};
    struct node *n;
    if (!check(g, d) || !graph_statement_end(g, d, &n, &t.end) || !add_copies(g, &t))
        return false;
    vec_push(&g->teams, t);
    return true;
}
