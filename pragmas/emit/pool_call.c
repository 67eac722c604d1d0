/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The block of a pool on the host: what stands in place of the directives in it, and the record of a task where
 * it is made, on the host or inside another task.
 */
#include "emit.h"
#include "analysis/assigned.h"

#include <string.h>

static const char *flat(const struct pool *p, struct span s) { return source_flat(&p->u->src, s); }

/* ---- records ---- */

/* The value of a captured variable as the surrounding region knows it. */
static const char *value(const struct task_type *k, const struct local *l) {
    const struct local *outer = k->parent ? region_local((struct region *)k->parent, l->decl) : NULL;
    if (outer && outer->place == PLACE_SCRATCH)
        return mem_printf("heddle_s->%s", outer->field);
    if (outer && outer->place == PLACE_FRAME)
        return mem_printf(l->place == PLACE_DEREF ? "&heddle_r->%s" : "heddle_r->%s", outer->field);
    return l->name;
}

const char *emit_record(struct task_type *k, const char *in) {
    struct buf out = {.prefix = pool_prefix(k->r.pool)}, arrays = {0};
    buf_printf(&out, "%s    struct $_%s heddle_t = {", in, k->name);
    size_t start = out.n;
    for (size_t i = 0; i < k->r.locals.n; i++) {
        const struct local *l = k->r.locals.at[i];
        if (!emit_is_member(l))
            continue;
        if (l->array && l->place == PLACE_VALUE)
            buf_printf(&arrays, "%s    __builtin_memcpy(heddle_t.%s, %s, sizeof heddle_t.%s);\n", in, l->name,
                       value(k, l), l->name);
        else
            buf_printf(&out, "%s.%s = %s", out.n == start ? "" : ", ", l->name, value(k, l));
    }
    if (k->dims) {
        buf_printf(&out, "%s.heddle_lo = {", out.n == start ? "" : ", ");
        for (int d = 0; d < k->dims; d++)
            buf_printf(&out, "%s%s", d ? ", " : "", loop_first(k->r.pool->u, &k->loop[d]));
        buf_puts(&out, "}");
    }
    bool none = true;
    for (size_t i = 0; i < k->r.locals.n; i++)
        none &= !emit_is_member(k->r.locals.at[i]);
    if (none && !k->dims && (!k->whole || k->called) && !k->r.frame)
        buf_puts(&out, ".heddle_none = 0");
    if (out.n == start && arrays.n) /* set just below */
        out.n = strlen(out.s) - 4, out.s[out.n] = 0;
    else
        buf_puts(&out, out.n == start ? "0}" : "}"); /* 0: set by the task itself */
    buf_puts(&out, ";\n");
    buf_puts(&out, arrays.n ? arrays.s : "");
    return out.s;
}

static const char *priority(const struct task_type *k) {
    const struct clause *c = site_clause(k->m, CLAUSE_PRIORITY);
    return c ? mem_printf("(int)(%s)", flat(k->r.pool, c->arg[0])) : "0";
}

/* An lvalue of a depend clause as the surrounding region knows its variable, which stands in front. */
static const char *named(const struct task_type *k, const char *text) {
    size_t len = 0;
    while (text[len] == '_' || (text[len] >= '0' && text[len] <= '9') || (text[len] >= 'a' && text[len] <= 'z') ||
           (text[len] >= 'A' && text[len] <= 'Z'))
        len++;
    for (size_t i = 0; k->parent && i < k->parent->locals.n; i++) {
        const struct local *l = k->parent->locals.at[i];
        if (strlen(l->name) != len || strncmp(l->name, text, len) != 0)
            continue;
        if (l->place == PLACE_SCRATCH || l->place == PLACE_FRAME)
            return mem_printf("%s->%s%s", l->place == PLACE_FRAME ? "heddle_r" : "heddle_s", l->field, text + len);
        if (l->place == PLACE_DEREF)
            return mem_printf("(*%s)%s", l->name, text + len);
    }
    return text;
}

static int depends(const struct task_type *k, struct buf *out, const char *in) {
    int n = 0;
    for (size_t i = 0; i < k->m->p->clauses.n; i++) {
        const struct clause *c = &k->m->p->clauses.at[i];
        for (size_t d = 0; c->id == CLAUSE_DEPEND && d < c->items.n; d++)
            buf_printf(out, "%s{&(%s), %s}", n++ ? ", " : mem_printf("%s    struct heddle_depend heddle_d[] = {", in),
                       named(k, flat(k->r.pool, c->items.at[d].name)), clause_pool_constant(c));
    }
    if (n)
        buf_puts(out, "};\n");
    return n;
}

/* The clause's expression is evaluated where the task is made: with the surrounding region's variables. */
const char *emit_spawn(struct task_type *k) {
    struct unit *u = k->r.pool->u;
    const char *in = emit_indent(u, k->m->p->b);
    struct buf out = {.prefix = pool_prefix(k->r.pool)};
    buf_printf(&out, "{\n%s", emit_record(k, in));
    if (k->called) {
        buf_printf(&out, "%s    $_%s_make(heddle_w, heddle_e, &heddle_t);\n%s}", in, k->name, in);
        worker_resume(u, &out, k->m->end);
        return out.s;
    }
    int n = k->inner ? taskloop_depends(k, &out, in) : depends(k, &out, in);
    k->depends = n > 0;
    buf_printf(&out, "%s    heddle_spawn%s(heddle_w, $_%s_kind, &heddle_t, sizeof heddle_t, %s%s);\n%s}", in,
               n ? "_depend" : "", k->name, priority(k), n ? mem_printf(", heddle_d, %d", n) : "", in);
    worker_resume(u, &out, k->inner ? k->r.e : k->m->end);
    return out.s;
}

const char *emit_submit(struct task_type *k) {
    struct unit *u = k->r.pool->u;
    const char *in = emit_indent(u, k->m->p->b);
    struct buf out = {.prefix = pool_prefix(k->r.pool)};
    buf_printf(&out, "{\n%s", emit_record(k, in));
    if (k->dims) {
        taskloop_call(k, &out, in);
    } else {
        int n = depends(k, &out, in);
        buf_printf(&out, "%s    heddle_pool_task(&heddle_p, $_%s_kind, &heddle_t, sizeof heddle_t, %s, %s, %d);\n", in,
                   k->name, priority(k), n ? "heddle_d" : "0", n);
    }
    buf_printf(&out, "%s}", in);
    worker_resume(u, &out, k->m->end);
    return out.s;
}

/* ---- around the block ---- */

static void environment(const struct pool *p, struct buf *out, const char *in) {
    buf_printf(out, "%s    struct $_env heddle_env = {", in);
    for (size_t i = 2; i < p->env.vars.n; i++) {
        const struct var *v = p->env.vars.at[i];
        const char *cast = v->ndims > 1 ? mem_printf("(%s *)", v->elem) : "";
        buf_printf(out, "%s.%s = %s%s%s", i > 2 ? ", " : "", v->name,
                   v->kind == VAR_SCALAR && env_is_mapped(v) ? "&" : "", cast, v->name);
        struct buf sub = {0};
        for (int d = 1; d < v->ndims; d++) {
            buf_puts(&sub, "[0]");
            if (!v->dim[d])
                buf_printf(out, ", .heddle_%s_ld%d = (long)(sizeof %s%s / sizeof %s%s[0])", v->name, d, v->name, sub.s,
                           v->name, sub.s);
        }
    }
    buf_puts(out, p->env.vars.n == 2 ? ".heddle_none = 0};\n" : "};\n");
}

static int maps(const struct pool *p, struct buf *out, const char *in) {
    int n = 0;
    for (size_t i = 2; i < p->env.vars.n; i++) {
        const struct var *v = p->env.vars.at[i];
        if (!env_is_mapped(v))
            continue;
        if (!n++)
            buf_printf(out, "%s    struct heddle_map heddle_m[] = {\n", in);
        const char *unsent;
        const enum map_kind kind = assigned_pool_kind(p->u, p->m->stmt, v, &unsent);
        buf_printf(out, "%s        HEDDLE_MAP($, %s, %s%s, heddle_env.%s, %s, %s),\n", in, v->name,
                   emit_map_kind(kind, unsent), v->map_kind == MAP_TO ? "" : " | HEDDLE_MAP_W", v->name, v->map_first,
                   v->map_count);
    }
    if (n)
        buf_printf(out, "%s    };\n", in);
    return n;
}

static void options(const struct pool *p, struct buf *out) {
    const struct clause *schedule = site_clause(p->m, CLAUSE_SCHEDULE), *device = site_clause(p->m, CLAUSE_DEVICE);
    const struct clause *memory = site_clause(p->m, CLAUSE_MEMORY), *idle = site_clause(p->m, CLAUSE_IDLE);
    buf_printf(out, ".schedule = %s, .device = ", schedule ? clause_pool_constant(schedule) : "HEDDLE_POOL_AUTO");
    const bool named = device && !strcmp(flat(p, device->arg[0]), "host");
    if (named || (p->host && !p->u->host))
        buf_puts(out, "HEDDLE_DEVICE_HOST");
    else
        buf_puts(out, device ? mem_printf("(int)(%s)", flat(p, device->arg[0])) : "HEDDLE_DEVICE_AUTO");
    if (memory)
        buf_printf(out, ", .memory = (size_t)(%s)", flat(p, memory->arg[0]));
    if (idle)
        buf_printf(out, ", .idle = %s", flat(p, idle->arg[0]));
}

void emit_pool_call(struct pool *p) {
    struct unit *u = p->u;
    const char *in = emit_indent(u, p->m->p->b);
    struct buf out = {.prefix = pool_prefix(p)}, close = {0};
    buf_printf(&out, "{\n%s    HEDDLE_QUIET\n", in);
    environment(p, &out, in);
    int n = maps(p, &out, in);
    buf_printf(&out,
               "%s    struct heddle_pool heddle_p = {.type = &$_type, .env = &heddle_env, .maps = %s, .nmaps = %d,\n"
               "%s        ",
               in, n ? "heddle_m" : "0", n, in);
    options(p, &out);
    buf_printf(&out, "};\n%s    heddle_pool_begin(&heddle_p);\n%s    HEDDLE_LOUD\n", in, in);
    emit_next_line(u, &out, p->m->p);
    vec_push(&u->edits, (struct edit){p->m->p->b, p->m->p->e, out.s});
    buf_printf(&close, "\n%s    heddle_pool_end(&heddle_p);\n%s}", in, in);
    worker_resume(u, &close, p->m->end);
    vec_push(&u->edits, (struct edit){p->m->end, p->m->end, close.s});
}
