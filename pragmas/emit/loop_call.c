/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in place of `#pragma heddle for`: environment, reductions and maps filled in, one call of the runtime,
   and `else` in front of the user's own loop. */
#include "emit.h"

#include <string.h>

static const char *flat(const struct for_loop *f, struct span s) { return source_flat(&f->w.u->src, s); }

static bool writes(const void *of, const struct var *v) {
    const struct for_loop *f = of;
    for (size_t i = 0; i < f->maps.n; i++)
        if (f->maps.at[i].v == v && f->maps.at[i].written)
            return true;
    return false;
}

/* Behind the arrays: scalars that are compared with what is written. Returns how many. */
static int kept(const struct for_loop *f, struct buf *out, const char *in) {
    int n = 0;
    for (size_t i = 2; i < f->w.vars.n && f->maps.n && !f->jobs && !nest_clause(&f->w, CLAUSE_INDEPENDENT); i++) {
        const struct var *v = f->w.vars.at[i];
        if (!nest_is_exposed(&f->w, v, writes, f))
            continue;
        buf_printf(out, "%s        HEDDLE_MAP($, %s, 0, &%s, 0, 1),\n", in, v->name, v->name);
        n++;
    }
    return n;
}

int emit_for_maps(const struct for_loop *f, struct buf *out, const char *in) {
    if (f->maps.n)
        buf_printf(out, "%s    struct heddle_map heddle_m[] = {\n", in);
    for (size_t i = 0; i < f->maps.n; i++) {
        const struct for_map *m = &f->maps.at[i];
        buf_printf(out, "%s        HEDDLE_MAP($, %s%s, %s%s%s, heddle_e.%s%s, %s, %s),\n", in, m->v->name, m->member,
                   emit_map_kind(m->kind, m->unsent), m->written ? " | HEDDLE_MAP_W" : "",
                   m->v->joined ? " | HEDDLE_MAP_REDUCED"
                   : m->rects   ? " | HEDDLE_MAP_CHUNK | HEDDLE_MAP_RECTS"
                   : m->chunked ? " | HEDDLE_MAP_CHUNK"
                   : m->reached ? " | HEDDLE_MAP_REACHED"
                                : "",
                   m->v->name, m->member, m->chunked ? "0" : m->first, m->chunked ? "0" : m->count);
    }
    const int n = kept(f, out, in);
    if (f->maps.n)
        buf_printf(out, "%s    };\n", in);
    return n;
}

/* What each reference to rows behind pointers reaches in the whole loop; the same texts are the same. */
static void rows(const struct for_loop *f, struct buf *out, const char *in) {
    const struct loop *l = &f->w.loop[0];
    const char *first = loop_first(f->w.u, l), *end = loop_end(f->w.u, l);
    const char *last = mem_printf("(%s + (heddle_loop_trips(%s, %s, %s, %d) - 1) * %s)", first, first, end, f->step[0],
                                  !l->open, f->step[0]);
    const char *low = l->down ? last : first, *high = l->down ? first : last;
    struct buf list = {0};
    for (size_t i = 0; i < f->rows.n; i++) {
        const struct area *a = &f->rows.at[i];
        const struct var *v = a->ref.v;
        struct buf one = {0}, text[3] = {{0}};
        const char *some = area_condition(a, low, high), *stars = "***";
        for (int d = 0; d < a->ref.nsubs; d++) {
            const char *lo = area_bound(a, d, false, low, high), *hi = area_bound(a, d, true, low, high);
            buf_printf(&text[0], "%s%s", d ? ", " : "", !d && *some ? mem_printf("%s ? %s : 1", some, lo) : lo);
            buf_printf(&text[1], "%s%s", d ? ", " : "", !d && *some ? mem_printf("%s ? %s : 0", some, hi) : hi);
            buf_printf(&text[2], "%s%ld", d ? ", " : "", a->pace[d] ? a->pace[d] : 1);
        }
        size_t number = 0;
        while (f->w.vars.at[number] != v)
            number++;
        buf_printf(&one, "%s        {\"%s\", %s, %zu, %d, %d, sizeof %s%s, {%s}, {%s}, {%s}},\n", in, v->name, v->name,
                   number, a->ref.nsubs, (a->access & ACCESS_WRITE) != 0, stars + 3 - a->ref.nsubs, v->name, text[0].s,
                   text[1].s, text[2].s);
        if (!list.n || !strstr(list.s, one.s))
            buf_puts(&list, one.s);
    }
    buf_printf(out, "%s    const struct heddle_rows heddle_t[] = {\n%s%s    };\n", in, list.s, in);
}

static void options(const struct for_loop *f, struct buf *out) {
    const struct clause *schedule = nest_clause(&f->w, CLAUSE_SCHEDULE), *device = nest_clause(&f->w, CLAUSE_DEVICE);
    if (schedule)
        buf_printf(out, ".schedule = \"%s\", ", clause_loop_schedule(schedule->kind));
    if (schedule && schedule->nargs)
        buf_printf(out, ".chunk = %s, ", affine_span(f->w.u, schedule->arg[0]));
    const char *word = device ? clause_loop_device(device->kind) : "HEDDLE_DEVICE_AUTO";
    buf_printf(out, ".device = %s,\n", word ? word : mem_printf("(int)(%s)", flat(f, device->arg[0])));
}

void for_inner_values(const struct nest *w, struct buf *out, const char *in) {
    const struct for_loop *f = (const struct for_loop *)w; /* its first member */
    const struct loop *l = &w->loop[1];
    const char *lo = loop_first(f->w.u, l);
    buf_printf(out,
               "\n%s        .heddle_lo1 = %s, .heddle_step1 = %s,\n%s        "
               ".heddle_count1 = heddle_loop_trips(%s, %s, %s, %d),",
               in, lo, f->step[1], in, lo, loop_end(f->w.u, l), f->step[1], !l->open);
}

void emit_for_call(struct for_loop *f, struct buf *out) {
    const struct nest *w = &f->w;
    const struct loop *l = &w->loop[0];
    const char *in = emit_indent(w->u, w->p->b);
    emit_call_begin(w, out, in);
    const int nkept = emit_for_maps(f, out, in);
    if (f->rows.n)
        rows(f, out, in);
    if (f->rows.n || f->conditions.n)
        buf_printf(out, "%s    static int heddle_said;\n", in);
    buf_printf(out,
               "%s    struct heddle_loop heddle_c = {\n"
               "%s        .type = &$_type, .env = &heddle_e, .red = &heddle_r, .maps = %s, .nmaps = %zu,\n",
               in, in, f->maps.n ? "heddle_m" : "0", f->maps.n);
    buf_printf(out, "%s        .lo = %s, .hi = %s, .step = %s, .closed = %d,\n%s        ", in, loop_first(f->w.u, l),
               loop_end(f->w.u, l), f->step[0], !l->open, in);
    if (nkept)
        buf_printf(out, ".nkept = %d, ", nkept);
    if (f->step[1])
        buf_puts(out, ".inner = heddle_e.heddle_count1, ");
    if (f->rows.n)
        buf_puts(out, ".rows = heddle_t, .nrows = sizeof heddle_t / sizeof *heddle_t, ");
    if (f->conditions.n)
        buf_printf(out, ".unproven = %s ? 0 : \"%s, since it is not so that %s\",\n%s        ",
                   f->conditions.n > 1 ? for_conditions(f) : mem_printf("(%s)", for_conditions(f)),
                   f->only_straight ? "the loop's variable may go round below zero"
                                    : "iterations may touch the same element",
                   for_conditions_shown(f), in);
    if (f->rows.n || f->conditions.n)
        buf_puts(out, ".said = &heddle_said, ");
    options(f, out);
    emit_call_end(w, out, in, "heddle_loop_run");
}
