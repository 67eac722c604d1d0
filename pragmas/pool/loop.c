/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma heddle taskloop`: a perfect nest of one to three canonical loops, as many as the sinks or collapse()
 * say, else one; each iteration is a task that waits for the iterations that the sinks name.
 */
#include "pool.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SINKS = 8 };

static const struct clause *first_sink(const struct task_type *k) { return site_clause(k->m, CLAUSE_SINK); }

static bool check_rectangular(struct task_type *k) {
    for (int d = 1; d < k->dims; d++)
        for (int o = 0; o < d; o++)
            for (int part = 0; part < 2; part++) {
                struct node *n = ast_child(k->loop[d].stmt, part);
                if (nest_is_mentioned(n, k->loop[o].var)) {
                    diag_error(k->r.pool->u, n->b,
                               "the inner loop's bounds depend on '%s'; a taskloop must be "
                               "rectangular: loop over the whole range and skip iterations with 'if'",
                               k->loop[o].name);
                    return false;
                }
            }
    return true;
}

static bool check_sink(struct task_type *k, const struct clause *c) {
    struct unit *u = k->r.pool->u;
    if ((int)c->items.n != k->dims) {
        diag_error(u, c->name.b, "the sink names %zu variable%s, but the taskloop has %d loop%s", c->items.n,
                   c->items.n == 1 ? "" : "s", k->dims, k->dims == 1 ? "" : "s");
        return false;
    }
    long first = 0;
    for (int d = 0; d < k->dims; d++) {
        const struct item *item = &c->items.at[d];
        const char *name = k->loop[d].name;
        if (strcmp(source_flat(&u->src, item->name), name) != 0) {
            diag_error(u, item->name.b,
                       "expected '%s', the variable of loop %d; a sink names the loop variables in order", name, d + 1);
            return false;
        }
        if (item->offset > 32767 || item->offset < -32767) {
            diag_error(u, item->name.b, "a sink reaches 32767 iterations at most");
            return false;
        }
        first = first ? first : item->offset;
    }
    if (first < 0)
        return true;
    diag_error(u, c->name.b,
               first ? "the sink is an iteration that comes later; its first offset that is not 0 must be negative"
                     : "the sink is the iteration itself, which would wait for itself; subtract from a variable");
    return false;
}

static bool check_sinks(struct task_type *k) {
    int n = 0;
    bool ok = true;
    for (size_t i = 0; i < k->m->p->clauses.n; i++) {
        const struct clause *c = &k->m->p->clauses.at[i];
        if (c->id != CLAUSE_SINK)
            continue;
        ok &= check_sink(k, c);
        if (++n == MAX_SINKS + 1) {
            diag_error(k->r.pool->u, c->name.b, "more than %d sinks; leave out those that others imply", MAX_SINKS);
            ok = false;
        }
    }
    return ok;
}

static int loops_wanted(struct task_type *k) {
    const struct clause *sink = first_sink(k), *collapse = site_clause(k->m, CLAUSE_COLLAPSE);
    if (!collapse)
        return sink ? (int)sink->items.n : 1;
    char *end;
    const char *text = source_flat(&k->r.pool->u->src, collapse->arg[0]);
    long n = strtol(text, &end, 0);
    if (*end || n < 1 || n > MAX_LOOPS) {
        diag_error(k->r.pool->u, collapse->arg[0].b, "collapse takes a number of loops, 1 to %d", MAX_LOOPS);
        return 0;
    }
    return (int)n;
}

/* Where the tasks of a taskloop are made, without a complaint about its form. */
struct node *taskloop_body(struct unit *u, struct site *m) {
    struct task_type k = {.m = m};
    const struct clause *sink = first_sink(&k), *collapse = site_clause(m, CLAUSE_COLLAPSE);
    long wanted = collapse ? strtol(source_flat(&u->src, collapse->arg[0]), NULL, 0) : sink ? (long)sink->items.n : 1;
    struct node *n = m->stmt;
    for (; wanted > 1 && n->kind == CXCursor_ForStmt; wanted--) {
        n = n->last;
        if (n->kind == CXCursor_CompoundStmt && n->first && n->first == n->last)
            n = n->first;
    }
    return n->kind == CXCursor_ForStmt ? n->last : n;
}

bool taskloop_parse(struct task_type *k) {
    struct unit *u = k->r.pool->u;
    int wanted = loops_wanted(k);
    struct nest head = {.u = u, .p = k->m->p};
    struct node *stmt = k->m->stmt, *body = stmt;
    if (!wanted)
        return false;
    if (wanted > MAX_LOOPS) {
        diag_error(u, first_sink(k)->name.b, "a taskloop has %d loops at most", MAX_LOOPS);
        return false;
    }
    for (; k->dims < wanted && stmt; k->dims++) {
        if (!nest_loop(&head, stmt, &k->loop[k->dims]))
            return false;
        body = stmt;
        struct node *inner = stmt->last;
        if (inner->kind == CXCursor_CompoundStmt && inner->first && inner->first == inner->last)
            inner = inner->first;
        stmt = inner->kind == CXCursor_ForStmt ? inner : NULL;
    }
    if (k->dims < wanted) {
        diag_error(u, k->m->p->name.b,
                   "the taskloop should have %d loops, but only %d are nested perfectly; move what "
                   "stands between them into the innermost",
                   wanted, k->dims);
        return false;
    }
    k->r.root = body->last;
    k->r.b = ast_loop_body(u, body);
    k->r.e = ast_statement_end(u, body->last, k->r.b);
    for (int d = 0; d < k->dims && !site_clause(k->m, CLAUSE_INDEPENDENT); d++)
        if (!taskloop_check_bound(u, k->loop[d].first, k->r.root) ||
            !taskloop_check_bound(u, k->loop[d].bound, k->r.root))
            return false;
    return check_rectangular(k) && check_sinks(k);
}

/* "{ … }" after the record: the index space, and the call */
void taskloop_call(struct task_type *k, struct buf *out, const char *in) {
    const char *prefix = pool_prefix(k->r.pool);
    buf_printf(out, "%s    struct heddle_taskloop heddle_l = {.kind = %s_%s_kind, .dims = %d,\n%s        .count = {",
               in, prefix, k->name, k->dims, in);
    for (int d = 0; d < k->dims; d++) {
        const struct loop *l = &k->loop[d];
        buf_printf(out, "%s%s - %s%s", d ? ", " : "", loop_end(k->r.pool->u, l), loop_first(k->r.pool->u, l),
                   l->open ? "" : " + 1");
    }
    size_t n = 0;
    struct buf sinks = {0};
    for (size_t i = 0; i < k->m->p->clauses.n; i++) {
        const struct clause *c = &k->m->p->clauses.at[i];
        if (c->id != CLAUSE_SINK)
            continue;
        buf_puts(&sinks, n++ ? ", {" : "{");
        for (int d = 0; d < k->dims; d++)
            buf_printf(&sinks, "%s%ld", d ? ", " : "", c->items.at[d].offset);
        buf_puts(&sinks, "}");
    }
    buf_printf(out, "}, .sinks = %zu", n);
    if (n)
        buf_printf(out, ", .sink = {%s", sinks.s);
    buf_printf(out, "%s};\n%s    heddle_pool_loop(&heddle_p, &heddle_l, &heddle_t, sizeof heddle_t);\n", n ? "}" : "",
               in);
}

static const char *iteration(const struct task_type *k, const struct clause *sink) {
    struct buf out = {0};
    buf_printf(&out, "HEDDLE_ITERATION(%d", k->id);
    for (int d = 0; d < MAX_LOOPS; d++) {
        const long offset = sink && d < k->inner ? sink->items.at[d].offset : 0;
        if (d >= k->inner)
            buf_puts(&out, ", 0");
        else
            buf_printf(&out, ", (long)%s %s %ld", k->loop[d].name, offset < 0 ? "-" : "+",
                       offset < 0 ? -offset : offset);
    }
    buf_puts(&out, ")");
    return out.s;
}

int taskloop_depends(const struct task_type *k, struct buf *out, const char *in) {
    int n = 0;
    for (size_t i = 0; i < k->m->p->clauses.n; i++) {
        const struct clause *c = &k->m->p->clauses.at[i];
        if (c->id != CLAUSE_SINK)
            continue;
        buf_printf(out, "%s{%s, HEDDLE_DEPEND_IN}",
                   n ? ", " : mem_printf("%s    struct heddle_depend heddle_d[] = {", in), iteration(k, c));
        n++;
    }
    if (n)
        buf_printf(out, ", {%s, HEDDLE_DEPEND_OUT}};\n", iteration(k, NULL));
    return n ? n + 1 : 0;
}
