/* SPDX-License-Identifier: Apache-2.0 */
/* Marks for --verify: pools, their tasks and taskloops. */
#include "verify.h"

#include "analysis/assigned.h"

#include <string.h>

/* A task has copies of what it captures, unless it got the address. */
static void captured(const struct task_type *k, struct buf *out) {
    for (size_t i = 0; i < k->r.locals.n; i++) {
        const struct local *l = k->r.locals.at[i];
        if (!l->captured || l->looped || l->env)
            continue;
        if (l->place == PLACE_VALUE && verify_in_memory(k->m->f->tree, l->decl))
            buf_printf(out, " heddle_verify_copied(&%s, sizeof %s);", l->name, l->name);
        else if (l->place != PLACE_VALUE)
            buf_printf(out, " heddle_verify_shared(&%s, sizeof %s);", l->name, l->name);
    }
    verify_shared(k->r.pool->u, k->m->f->tree, k->m->p->b, out);
}

static void depends(const struct task_type *k, struct buf *out) {
    for (size_t i = 0; i < k->m->p->clauses.n; i++) {
        const struct clause *c = &k->m->p->clauses.at[i];
        for (size_t d = 0; c->id == CLAUSE_DEPEND && d < c->items.n; d++)
            buf_printf(out, " heddle_verify_depend((const void *)&(%s), HEDDLE_VERIFY_%s);",
                       source_flat(&k->r.pool->u->src, c->items.at[d].name),
                       strcmp(clause_pool_constant(c), "HEDDLE_DEPEND_IN") ? "OUT" : "IN");
    }
}

static void task(const struct task_type *k) {
    struct unit *u = k->r.pool->u;
    const int id = verify_number();
    const struct verify_site s = {.u = u, .p = k->m->p, .kind = "TASK"};
    struct buf b = {0};
    captured(k, &b);
    depends(k, &b);
    verify_replace(
        u, k->m->p,
        mem_printf("{ %s%s heddle_verify_task(&heddle_v%d, %d);", verify_site(&s, id), b.n ? b.s : "", id, k->waits));
    verify_own(u, k->m->p, k->m->stmt);
    verify_insert(u, k->m->end, "heddle_verify_task_done(); }");
}

static void taskloop(const struct task_type *k) {
    struct unit *u = k->r.pool->u;
    const int id = verify_number();
    const int dims = k->inner ? k->inner : k->dims;
    struct verify_site s = {.u = u, .p = k->m->p, .kind = "TASKLOOP", .dims = dims};
    struct buf b = {0};
    for (int d = 0; d < dims; d++)
        s.loop[d] = &k->loop[d];
    for (size_t i = 0; i < k->m->p->clauses.n; i++) {
        const struct clause *c = &k->m->p->clauses.at[i];
        if (c->id != CLAUSE_SINK)
            continue;
        buf_puts(&s.sink, s.sinks++ ? ", {" : "{");
        for (int d = 0; d < dims; d++)
            buf_printf(&s.sink, "%s%ld", d ? ", " : "", -c->items.at[d].offset);
        buf_puts(&s.sink, "}");
    }
    captured(k, &b);
    verify_replace(u, k->m->p, mem_printf("{ %s heddle_verify_begin(&heddle_v%d);", verify_site(&s, id), id));
    verify_body(u, k->m->p, k->r.root, k->r.b, k->r.e,
                mem_printf("%s %s", b.n ? b.s : "", verify_iteration(s.loop, dims)), "heddle_verify_done();");
    verify_insert(u, k->m->end, "heddle_verify_end(); }");
}

static const char *section(struct pool *p, const struct var *v, int k) {
    const bool scalar = env_is_scalar(v);
    const char *base = mem_printf("(const volatile void *)%s%s", scalar ? "&" : "", v->name);
    const char *unsent = NULL;
    const enum map_kind kind = env_is_mapped(v) ? assigned_pool_kind(p->u, p->m->stmt, v, &unsent) : MAP_TO;
    return env_is_mapped(v) ? verify_section(k, v->name, kind, unsent, base, v->map_first, v->map_count, v->elem)
                            : verify_section(k, v->name, kind, NULL, mem_printf("(const volatile void *)&%s", v->name),
                                             "0", "1", v->name);
}

static bool is_done(const struct unit *u, const struct site *m) {
    for (size_t i = 0; i < u->verify_edits.n; i++)
        if (u->verify_edits.at[i].b == m->p->b && u->verify_edits.at[i].e == m->p->e)
            return true;
    return false;
}

void verify_pool(struct pool *p) {
    struct unit *u = p->u;
    const int id = verify_number();
    const struct verify_site s = {.u = u, .p = p->m->p, .kind = "POOL", .flags = "HEDDLE_VERIFY_MAPPED"};
    struct buf b = {0};
    for (size_t i = p->task_types.n; i-- > 0;) /* inner ones first: their statements may end where the outer ones do */
        if (!is_done(u, p->task_types.at[i]->m))
            site_is(p->task_types.at[i]->m, DIRECTIVE_TASKLOOP) ? taskloop(p->task_types.at[i])
                                                                : task(p->task_types.at[i]);
    buf_printf(&b, "{ %s heddle_verify_begin(&heddle_v%d);", verify_site(&s, id), id);
    int k = 0;
    verify_shared(u, p->m->f->tree, p->m->p->b, &b);
    for (size_t i = 2; i < p->env.vars.n; i++)
        buf_printf(&b, " %s", section(p, p->env.vars.at[i], k++));
    verify_replace(u, p->m->p, b.s);
    verify_insert(u, p->m->end, "heddle_verify_end(); }");
}
