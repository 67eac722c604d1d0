/* SPDX-License-Identifier: Apache-2.0 */
/* The block of a graph: what stands before and behind it, and in place of each task construct and taskwait. */
#include "emit.h"
#include "graph.h"

#include <string.h>

static const char *flat(const struct graph *g, struct span s) { return source_flat(&g->u->src, s); }

static const char *flags(int set) {
    static const char *const names[] = {"READ", "WRITE", "DATA", "HERE"};
    struct buf out = {0};
    for (int k = 0; k < 4; k++)
        if (set >> k & 1)
            buf_printf(&out, "%sHEDDLE_GRAPH_%s", out.n ? " | " : "", names[k]);
    return out.n ? out.s : "0";
}

static void items(const struct graph_item *item, size_t n, const char *array, struct buf *out, const char *in) {
    if (!n)
        return;
    buf_printf(out, "%s    const struct heddle_graph_item %s[] = {\n", in, array);
    for (size_t i = 0; i < n; i++) {
        const char *slot =
            item[i].slot ? mem_printf("offsetof(struct %s_env, %s)", out->prefix, item[i].slot->name) : "-1";
        buf_printf(out, "%s        {%s, %s, %s, %s},\n", in, item[i].begin, item[i].bytes, flags(item[i].flags), slot);
    }
    buf_printf(out, "%s    };\n", in);
}

static const char *lines_of(const struct graph *g, struct span s) {
    struct buf out = {0};
    buf_add(&out, "", 0);
    for (size_t i = s.b; i < s.e; i++)
        if (g->u->src.text[i] == '\n')
            buf_puts(&out, "\n");
    return out.s;
}

/* ---- a task ------------------------------------------------------------------------------------------------------ */
static void values(const struct graph_task *t, struct buf *out, const char *in) {
    struct buf arrays = {0};
    bool any = false;
    buf_printf(out, "%s    struct $_env heddle_e = {", in);
    for (size_t i = 2; i < t->w.vars.n; i++) {
        const struct var *v = t->w.vars.at[i];
        const enum capture_form form = t->captures.at[i].form;
        struct buf sub = {0};
        if (form == FORM_NONE)
            continue;
        if (form == FORM_ARRAY) {
            buf_printf(&arrays, "%s    __builtin_memcpy(heddle_e.%s, %s, sizeof heddle_e.%s);\n", in, v->name, v->name,
                       v->name);
            continue;
        }
        any = true;
        if (form == FORM_COPY)
            buf_printf(out, ".%s = %s, ", v->name, v->name);
        else if (form == FORM_ADDRESS)
            buf_printf(out, ".%s = (__typeof__(heddle_e.%s))&%s, ", v->name, v->name, v->name);
        else
            buf_printf(out, ".%s = (%s *)%s, ", v->name, v->elem, v->name);
        for (int d = 1; form == FORM_POINTER && d < v->ndims; d++) {
            buf_puts(&sub, "[0]");
            if (!v->dim[d])
                buf_printf(out, ".heddle_%s_ld%d = (long)(sizeof %s%s / sizeof %s%s[0]), ", v->name, d, v->name, sub.s,
                           v->name, sub.s);
        }
    }
    if (any)
        out->s[out->n -= 2] = 0;
    buf_puts(out, any ? "};\n" : "0};\n");
    buf_puts(out, arrays.n ? arrays.s : "");
}

static void task(const struct graph_task *t) {
    struct unit *u = t->g->file;
    const char *in = emit_indent(u, t->d->b);
    struct buf text = {.prefix = emit_prefix(&t->w)}, *out = &text;
    buf_printf(out, "{\n%s    HEDDLE_QUIET\n", in);
    values(t, out, in);
    items(t->items.at, t->items.n, "heddle_a", out, in);
    buf_printf(out, "%s    heddle_graph_task(%s, &$_type, &heddle_e, %s, %zu);\n%s    HEDDLE_LOUD\n%s}", in, t->g->call,
               t->items.n ? "heddle_a" : "0", t->items.n, in, in);
    worker_resume(u, out, t->end);
    vec_push(t->g->edits, (struct edit){t->d->b, t->d->e, lines_of(t->g, (struct span){t->d->b, t->d->e})});
    for (size_t i = 0; i < t->g->directives.n; i++) {
        const struct omp *d = &t->g->directives.at[i];
        if (d->b > t->d->b && d->b < t->w.root->b)
            vec_push(t->g->edits, (struct edit){d->b, d->e, lines_of(t->g, (struct span){d->b, d->e})});
    }
    vec_push(t->g->edits, (struct edit){t->w.root->b, t->end, text.s});
}

/* ---- around the block -------------------------------------------------------------------------------------------- */
static void options(const struct graph *g, struct buf *out) {
    const struct clause *schedule = clause_find(g->p, CLAUSE_SCHEDULE), *device = clause_find(g->p, CLAUSE_DEVICE);
    const char *word = device ? clause_loop_device(device->kind) : "HEDDLE_DEVICE_AUTO";
    if (schedule)
        buf_printf(out, ".schedule = \"%s\", ", clause_graph_schedule(schedule->kind));
    if (schedule && schedule->items.n) {
        buf_puts(out, ".parameter = {");
        for (size_t i = 0; i < schedule->items.n; i++)
            buf_printf(out, "%s%s", i ? ", " : "", flat(g, schedule->items.at[i].name));
        buf_puts(out, "}, ");
    }
    buf_printf(out, ".device = %s", word ? word : mem_printf("(int)(%s)", flat(g, device->arg[0])));
}

static void begin(struct graph *g, const struct nest *whole) {
    const char *in = emit_indent(g->file, g->p->b);
    struct buf text = {.prefix = emit_prefix(whole)}, *out = &text;
    buf_printf(out, "{\n%s    HEDDLE_QUIET\n", in);
    items(g->held.at, g->held.n, "heddle_h", out, in);
    buf_printf(out, "%s    struct heddle_graph_call heddle_g = {.site = &$_site, .held = %s, .nheld = %zu, ", in,
               g->held.n ? "heddle_h" : "0", g->held.n);
    options(g, out);
    buf_puts(out, "};\n");
    for (size_t i = 0; i < g->called.n; i++) /* of which no other call may be left */
        buf_printf(out, "%s    (void)%s;\n", in, g->called.at[i]->function_name);
    buf_printf(out, "%s    heddle_graph_begin(&heddle_g);\n%s    HEDDLE_LOUD\n", in, in);
    emit_next_line(g->file, out, g->p);
    vec_push(&g->file->edits, (struct edit){g->p->b, g->p->e, text.s});
}

static void end(struct graph *g) {
    const char *in = emit_indent(g->file, g->p->b);
    struct buf text = {0};
    buf_printf(&text, "\n%s    heddle_graph_end(&heddle_g);\n%s}", in, in);
    worker_resume(g->file, &text, g->end);
    vec_push(&g->file->edits, (struct edit){g->end, g->end, text.s});
}

/* ---- statements with copies of variables ---------------------------------------------------------------------------
 */
static const char *copies(const struct graph_team *t) {
    struct buf out = {0};
    buf_puts(&out, "{ HEDDLE_QUIET");
    for (size_t i = 0; i < t->copies.n; i++) {
        const char *name = t->copies.at[i].name;
        if (t->copies.at[i].first)
            buf_printf(&out, " __typeof__(%s) heddle_%s; __builtin_memcpy(&heddle_%s, &%s, sizeof %s);", name, name,
                       name, name, name);
    }
    buf_puts(&out, " {");
    for (size_t i = 0; i < t->copies.n; i++) {
        const char *name = t->copies.at[i].name;
        const bool first = t->copies.at[i].first;
        buf_printf(&out, " __typeof__(%s) %s%s;", name, name, first || t->copies.at[i].sized ? "" : " = {0}");
        if (first)
            buf_printf(&out, " __builtin_memcpy(&%s, &heddle_%s, sizeof %s);", name, name, name);
        buf_printf(&out, " (void)%s;", name);
    }
    buf_puts(&out, " HEDDLE_LOUD ");
    return out.s;
}

/* The copies go, so their tasks have run before. */
static void team(struct graph *g, const struct graph_team *t) {
    const char *lines = lines_of(g, (struct span){t->d->b, t->d->e});
    vec_push(g->edits, (struct edit){t->d->b, t->d->e, t->copies.n ? mem_printf("%s%s", copies(t), lines) : lines});
    if (t->copies.n)
        vec_push(g->edits, (struct edit){t->end, t->end, mem_printf(" heddle_graph_wait(%s); } }", g->call)});
}

/* Its tasks, waits and calls: in the file, or in the text of a function. */
void emit_graph_inside(struct graph *g) {
    for (size_t i = 0; i < g->removed.n; i++)
        vec_push(g->edits, (struct edit){g->removed.at[i].b, g->removed.at[i].e, lines_of(g, g->removed.at[i])});
    for (size_t i = 0; i < g->teams.n; i++)
        team(g, &g->teams.at[i]);
    for (size_t i = 0; i < g->waits.n; i++)
        vec_push(g->edits, (struct edit){g->waits.at[i].b, g->waits.at[i].e,
                                         mem_printf("heddle_graph_wait(%s);%s", g->call, lines_of(g, g->waits.at[i]))});
    for (size_t i = 0; i < g->wait_after.n; i++)
        vec_push(g->edits, (struct edit){g->wait_after.at[i], g->wait_after.at[i],
                                         mem_printf(" heddle_graph_wait(%s);", g->call)});
    for (size_t i = 0; i < g->calls.n; i++) {
        const struct node *n = g->calls.at[i].n;
        const struct graph *f = g->calls.at[i].of;
        const size_t name = n->b + strlen(f->function_name),
                     open = lexer_skip_blank(g->u->src.text, name, g->u->src.size) + 1;
        vec_push(g->edits, (struct edit){n->b, name, f->name});
        vec_push(g->edits, (struct edit){open, open, mem_printf("%s%s", g->call, n->first->next ? ", " : "")});
    }
    for (size_t i = 0; i < g->tasks.n; i++)
        task(g->tasks.at[i]);
}

void emit_graph_call(struct graph *g, const struct nest *whole) {
    begin(g, whole);
    emit_graph_inside(g);
    end(g);
}
