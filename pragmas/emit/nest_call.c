/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in place of the pragma: environment, reductions and maps filled in, one call of the
 * runtime, and `else` in front of the user's own loop, which runs when the runtime declines.
 */
#include "emit.h"

#include <string.h>

static const char *flat(const struct nest *w, struct span s) { return source_flat(&w->u->src, s); }

void emit_environment_values(const struct nest *w, struct buf *out, const char *in) {
    buf_printf(out, "%s    struct $_env heddle_e = {", in);
    size_t start = out->n;
    for (size_t i = 2; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->kind == VAR_SCALAR && !v->reduced && !v->sweep)
            buf_printf(out, "\n%s        .%s = %s,", in, v->name, v->name);
        if (!emit_is_array(v))
            continue;
        if (emit_is_plain(v)) {
            buf_printf(out, "\n%s        .%s = %s,", in, v->name, v->name);
            continue;
        }
        buf_printf(out, "\n%s        .%s = (%s *)%s,", in, v->name, v->elem, v->name);
        struct buf sub = {0};
        for (int d = 1; d < v->ndims; d++) {
            buf_puts(&sub, "[0]");
            if (!v->dim[d])
                buf_printf(out, " .heddle_%s_ld%d = (long)(sizeof %s%s / sizeof %s%s[0]),", v->name, d, v->name, sub.s,
                           v->name, sub.s);
        }
    }
    if (w->p->directive->bit == DIRECTIVE_FOR && w->loop[1].stmt)
        for_inner_values(w, out, in);
    if (out->n == start)
        buf_puts(out, ".heddle_none = 0");
    else
        buf_printf(out, "\n%s    ", in);
    buf_puts(out, "};\n");
}

const char *emit_map_kind(enum map_kind kind, const char *unsent) {
    return unsent && *unsent ? mem_printf("(%s ? HEDDLE_MAP_FROM : HEDDLE_MAP_TOFROM)", unsent)
                             : clause_map_constant(kind);
}

/* Returns how many; *kept: behind them, arrays that stay on the host. */
static int maps(const struct nest *w, struct buf *out, const char *in, int *kept) {
    int n = 0;
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (!v->map_first)
            continue;
        if (!n++)
            buf_printf(out, "%s    struct heddle_map heddle_m[] = {\n", in);
        buf_printf(out, "%s        HEDDLE_MAP%s($, %s, %s%s, heddle_e.%s, %s, %s", in, v->map_slope ? "_ROWS" : "",
                   v->name, clause_map_constant(v->map_kind), v->field != FIELD_NONE ? " | HEDDLE_MAP_W" : "", v->name,
                   v->map_first, v->map_count);
        if (v->map_slope)
            buf_printf(out, ", %s, %ld, %s", v->map_slope, v->map_reach, v->map_row ? v->map_row : "-1");
        buf_puts(out, "),\n");
    }
    *kept = 0;
    for (size_t i = 0; i < w->vars.n; i++) { /* looked at for overlaps only */
        const struct var *v = w->vars.at[i];
        if (!v->kept_first)
            continue;
        if (!n && !*kept)
            buf_printf(out, "%s    struct heddle_map heddle_m[] = {\n", in);
        ++*kept;
        buf_printf(out, "%s        HEDDLE_MAP($, %s, HEDDLE_MAP_W, heddle_e.%s, %s, %s),\n", in, v->name, v->name,
                   v->kept_first, v->kept_count);
    }
    if (n || *kept)
        buf_printf(out, "%s    };\n", in);
    return n;
}

static void bounds_of(const struct nest *w, struct buf *out, const struct loop *loop, char letter) {
    buf_printf(out, " .%c0 = %s, .%c1 = %s%s,", letter, loop_first(w->u, loop), letter, loop_end(w->u, loop),
               loop->open ? " - 1" : "");
}

static void bounds(const struct nest *w, struct buf *out) {
    for (int l = 0; l < 2; l++)
        bounds_of(w, out, &w->loop[l], "ij"[l]);
    if (w->swept)
        bounds_of(w, out, &w->sweep, 't');
}

void emit_device(const struct nest *w, struct buf *out) {
    const struct clause *device = nest_clause(w, CLAUSE_DEVICE);
    if ((w->clip && w->clip->tiles) || (w->host && !device && !w->u->host)) /* a tile is much for a GPU's thread */
        buf_puts(out, ".device = HEDDLE_DEVICE_HOST,\n");
    else if (device && !strcmp(flat(w, device->arg[0]), "all"))
        buf_puts(out, ".device = HEDDLE_DEVICE_ALL,\n");
    else if (device && !strcmp(flat(w, device->arg[0]), "host"))
        buf_puts(out, ".device = HEDDLE_DEVICE_HOST,\n");
    else if (device)
        buf_printf(out, ".device = (int)(%s),\n", flat(w, device->arg[0]));
    else
        buf_puts(out, ".device = HEDDLE_DEVICE_AUTO,\n");
}

static void options(const struct nest *w, struct buf *out) {
    const struct clause *schedule = nest_clause(w, CLAUSE_SCHEDULE);
    const struct clause *layout = nest_clause(w, CLAUSE_LAYOUT);
    buf_printf(out, ".schedule = %s", clause_schedule_constant(schedule ? schedule->kind : 0));
    for (int a = 0; schedule && a < schedule->nargs; a++)
        buf_printf(out, ", .tile_%c = %s", "hw"[a], affine_span(w->u, schedule->arg[a]));
    if (layout)
        buf_printf(out, ", .layout = %s", clause_layout_constant(layout->kind));
    buf_puts(out, ", ");
    emit_device(w, out);
}

/* Where the user's own elements are, and how many. */
static void emit_joined_values(const struct var *v, struct buf *out) {
    buf_printf(out, " .%s = heddle_e.%s, .heddle_%s_first = %s, .heddle_%s_count = %s,", v->name, v->name, v->name,
               v->map_first, v->name, v->map_count);
}

void emit_call_begin(const struct nest *w, struct buf *out, const char *in) {
    buf_printf(out, "{\n%s    HEDDLE_QUIET\n", in);
    emit_environment_values(w, out, in);
    buf_printf(out, "%s    struct $_red heddle_r = {", in);
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->reduced)
            buf_printf(out, " .%s = %s,", w->vars.at[i]->name, w->vars.at[i]->name);
        else if (w->vars.at[i]->joined)
            emit_joined_values(w->vars.at[i], out);
    buf_puts(out, " };\n");
}

void emit_call_end(const struct nest *w, struct buf *out, const char *in, const char *run) {
    buf_printf(out, "%s    };\n%s    if (%s(&heddle_c) == 0) {\n", in, in, run);
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->reduced)
            buf_printf(out, "%s        %s = heddle_r.%s;\n", in, w->vars.at[i]->name, w->vars.at[i]->name);
    buf_printf(out, "%s    } else\n%s    HEDDLE_LOUD\n", in, in);
    emit_next_line(w->u, out, w->p);
}

static void rows(const struct nest *w, struct buf *out, const char *in) {
    struct buf list = {0};
    for (size_t i = 0; i < w->used_rows.n; i++) {
        const struct rows_used *r = &w->used_rows.at[i];
        size_t number = 0;
        while (w->vars.at[number] != r->v)
            number++;
        const char *one = mem_printf("%s        {\"%s\", %s, %zu, 2, %d, sizeof **%s, {%s, %s}, {%s, %s}, {%ld, 1}},\n",
                                     in, r->v->name, r->v->name, number, r->written, r->v->name, r->lo[0], r->lo[1],
                                     r->hi[0], r->hi[1], r->pace);
        if (!list.n || !strstr(list.s, one))
            buf_puts(&list, one);
    }
    buf_printf(out, "%s    const struct heddle_rows heddle_t[] = {\n%s%s    };\n%s    static int heddle_said;\n", in,
               list.s, in, in);
}

void emit_call(struct nest *w, struct buf *out) {
    const char *in = emit_indent(w->u, w->p->b);
    emit_call_begin(w, out, in);
    int kept, n = maps(w, out, in, &kept);
    if (w->used_rows.n)
        rows(w, out, in);
    buf_printf(out, "%s    struct heddle_wavefront heddle_c = {\n", in);
    buf_printf(out, "%s        .nest = &$_nest, .env = &heddle_e, .red = &heddle_r, .maps = %s, .nmaps = %d,", in,
               n || kept ? "heddle_m" : "0", n);
    if (kept)
        buf_printf(out, " .nkept = %d,", kept);
    if (w->used_rows.n)
        buf_printf(out,
                   "\n%s        .rows = heddle_t, .nrows = sizeof heddle_t / sizeof *heddle_t, .said = &heddle_said,",
                   in);
    buf_printf(out, "\n%s       ", in);
    bounds(w, out);
    if (w->clip && w->clip->loops)
        buf_printf(out, "\n%s        .loops = %s, .loop_rows = %s, .at_once = %s,", in, w->clip->loops, w->clip->rows,
                   w->clip->at_once);
    buf_printf(out, "\n%s        ", in);
    options(w, out);
    emit_call_end(w, out, in, "heddle_wavefront_run");
}
