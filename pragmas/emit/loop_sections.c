/* SPDX-License-Identifier: Apache-2.0 */
/* Where the parts of arrays lie that move with a chunk: sections of map clauses, and rectangles that subscripts show.
 */
#include "emit.h"

bool emit_for_is_chunked(const struct for_loop *f) {
    for (size_t i = 0; i < f->maps.n; i++)
        if (f->maps.at[i].chunked)
            return true;
    return false;
}

static void head(struct buf *out, const char *name, const char *result) {
    buf_printf(out,
               "static void $_%s(const void *heddle_env, long heddle_lo, long heddle_count, %s)\n"
               "{\n    const struct $_env *heddle_e = HEDDLE_PTR(heddle_env);\n"
               "    (void)heddle_e, (void)heddle_lo, (void)heddle_count;\n",
               name, result);
}

/* Its type and rows are those of the array. */
static void mark(const struct nest *w, const struct var *v, bool *used) {
    for (size_t k = 0; k < w->vars.n; k++)
        used[k] |= w->vars.at[k] == v;
}

/* ---- rectangles ---- */

static size_t map_of(const struct for_loop *f, const struct var *v) {
    size_t i = 0;
    while (f->maps.at[i].v != v || !f->maps.at[i].rects)
        i++;
    return i;
}

static const char *extent(const struct var *v, int d) {
    if (!d)
        return "0";
    return v->dim[d] ? mem_printf("%ld", v->dim[d]) : mem_printf("heddle_e->heddle_%s_ld%d", v->name, d);
}

static void rectangle(const struct for_loop *f, size_t i, struct buf *out) {
    const struct for_rect *r = &f->rects.at[i];
    struct buf lists[3] = {{0}};
    for (int d = 0; d < r->v->ndims; d++) {
        buf_printf(&lists[0], "%s%s", d ? ", " : "", extent(r->v, d));
        buf_printf(&lists[1], "%s%s", d ? ", " : "", r->lo[d]);
        buf_printf(&lists[2], "%s%s", d ? ", " : "", r->hi[d]);
    }
    buf_printf(out, "    heddle_r[%zu] = (struct heddle_rect){.map = %zu, .kind = %s%s%s};\n", i, map_of(f, r->v),
               r->access & ACCESS_READ ? "HEDDLE_MAP_TO" : "", r->access == (ACCESS_READ | ACCESS_WRITE) ? " | " : "",
               r->access & ACCESS_WRITE ? "HEDDLE_MAP_FROM" : "");
    buf_printf(out, "    if (heddle_e->%s%s%s)\n", r->v->name, *r->some ? " && " : "", r->some);
    buf_printf(
        out,
        "        heddle_rect_set(&heddle_r[%zu], sizeof *heddle_e->%s, %d, (const long[]){%s}, (const long[]){%s}, "
        "(const long[]){%s});\n",
        i, r->v->name, r->v->ndims, lists[0].s, lists[1].s, lists[2].s);
}

static void rectangles(struct for_loop *f, struct buf *out) {
    bool *used = emit_set(&f->w);
    for_scope_text(f, f->step[0], used);
    for (size_t i = 0; i < f->rects.n; i++) {
        const struct for_rect *r = &f->rects.at[i];
        for_scope_text(f, r->some, used);
        for (int d = 0; d < r->v->ndims; d++) {
            for_scope_text(f, r->lo[d], used);
            for_scope_text(f, r->hi[d], used);
        }
    }
    head(out, "rects", "struct heddle_rect *heddle_r");
    emit_unpack_variables(&f->w, used, out);
    buf_printf(out,
               "    const long heddle_last = heddle_lo + (heddle_count - 1) * %s;\n"
               "    const long heddle_low = heddle_least(heddle_lo, heddle_last), heddle_high = heddle_most(heddle_lo, "
               "heddle_last);\n    (void)heddle_low, (void)heddle_high;\n",
               f->step[0]);
    for (size_t i = 0; i < f->rects.n; i++)
        rectangle(f, i, out);
    buf_puts(out, "}\n");
}

/* ---- sections ---- */

static void section(const struct for_map *m, size_t i, struct buf *out) {
    const char *pointer = mem_printf("heddle_e->%s%s", m->v->name, m->member);
    buf_printf(out,
               "    heddle_m[%zu].first = (ptrdiff_t)(%s) * (ptrdiff_t)sizeof *%s;\n"
               "    heddle_m[%zu].bytes = HEDDLE_SECTION_BYTES(%s, sizeof *%s);\n",
               i, m->first, pointer, i, m->count, pointer);
}

void emit_for_sections(struct for_loop *f, struct buf *out) {
    struct nest *w = &f->w;
    bool *used = emit_set(w);
    if (!emit_for_is_chunked(f))
        return;
    if (f->rects.n)
        rectangles(f, out);
    for (size_t i = 0; i < f->maps.n; i++) {
        const struct for_map *m = &f->maps.at[i];
        if (!m->chunked || m->rects)
            continue;
        for_scope_used(f, m->item->section[0].first, used);
        for_scope_used(f, m->item->section[0].count, used);
        if (m->v->ndims > 1)
            mark(w, m->v, used);
    }
    head(out, "sections", "struct heddle_map *heddle_m");
    emit_unpack_variables(w, used, out);
    for (size_t i = 0; i < f->maps.n; i++)
        if (f->maps.at[i].chunked && !f->maps.at[i].rects)
            section(&f->maps.at[i], i, out);
    if (f->rects.n)
        buf_printf(out,
                   "    struct heddle_rect heddle_r[%zu];\n"
                   "    $_rects(heddle_env, heddle_lo, heddle_count, heddle_r);\n"
                   "    heddle_rect_spans(heddle_r, %zu, heddle_m);\n",
                   f->rects.n, f->rects.n);
    buf_puts(out, "}\n");
}
