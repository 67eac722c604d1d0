/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which part of an array a chunk needs, where nobody mapped it, as the subscripts show it (analysis/area.c). Parts that
 * come back have to be apart for any two chunks, which is proven in apart.c.
 */
#include "analysis/map.h"
#include "infer.h"

#include <string.h>

/* A chunk needs a part of its own. */
static bool moves(const struct area *a) {
    for (int d = 0; d < a->ref.nsubs; d++) {
        bool all = a->known[d];
        for (int i = 0; all && i < a->lo[d].n; i++)
            all = area_holds(&a->lo[d].at[i], ATOM_I);
        for (int i = 0; all && i < a->hi[d].n; i++)
            all = area_holds(&a->hi[d].at[i], ATOM_I);
        if (all)
            return true;
    }
    return false;
}

static bool same_place(const struct for_rect *a, const struct for_rect *b) {
    bool same = strcmp(a->some, b->some) == 0;
    for (int d = 0; same && d < a->v->ndims; d++)
        same = strcmp(a->lo[d], b->lo[d]) == 0 && strcmp(a->hi[d], b->hi[d]) == 0;
    return same;
}

static void add_rect(struct for_loop *f, const struct area *a, const char *rows) {
    struct for_rect r = {.v = a->ref.v, .some = a->some};
    const bool in = (a->access & ACCESS_READ) || !a->exact;
    r.some = area_condition(a, "heddle_low", "heddle_high");
    r.access = (in ? ACCESS_READ : 0) | (a->access & ACCESS_WRITE);
    for (int d = 0; d < a->ref.nsubs; d++) {
        r.lo[d] = a->known[d] ? area_bound(a, d, false, "heddle_low", "heddle_high") : "0";
        r.hi[d] = a->known[d] ? area_bound(a, d, true, "heddle_low", "heddle_high")
                  : d         ? "(long)(~0ul >> 1)"
                              : mem_printf("%s - 1", rows);
        if (a->known[d] && !d && rows) {
            r.lo[d] = mem_printf("heddle_most(0, %s)", r.lo[d]);
            r.hi[d] = mem_printf("heddle_least(%s - 1, %s)", rows, r.hi[d]);
        }
    }
    for (size_t i = 0; i < f->rects.n; i++)
        if (f->rects.at[i].v == r.v && same_place(&f->rects.at[i], &r)) {
            f->rects.at[i].access |= r.access;
            return;
        }
    vec_push(&f->rects, r);
}

/* Rows that any iteration touches, for all chunks. */
static void whole(struct for_loop *f, struct var *v, const area_list *all, const char *rows, struct for_map *m) {
    const struct loop *l = &f->w.loop[0];
    const char *first = loop_first(f->w.u, l), *end = loop_end(f->w.u, l);
    const char *last = mem_printf("(%s + (heddle_loop_trips(%s, %s, %s, %d) - 1) * %s)", first, first, end, f->step[0],
                                  !l->open, f->step[0]);
    area_whole(v, all, rows, l->down ? last : first, l->down ? first : last, &m->first, &m->count);
    m->kind = MAP_TO;
}

static bool may_change(const void *of, const struct var *v) {
    return (v->kind == VAR_POINTER || v->kind == VAR_ARRAY) && for_may_write((struct for_loop *)of, v);
}

/* Column by column of a linear array, what chunks write lies between each other. */
static bool stay(struct for_loop *f, struct var *v) {
    if (nest_clause(&f->w, CLAUSE_DEVICE) || (nest_clause(&f->w, CLAUSE_INDEPENDENT) && for_section(f, v)))
        return false;
    vec_push(&f->not_apart, v);
    return true;
}

bool for_infer(struct for_loop *f, struct var *v, struct for_map *m) {
    area_list all = {0};
    const struct look look = {.w = &f->w, .changes = may_change, .of = f};
    const char *rows = map_rows_declared(&f->w, v);
    bool chunked = true, written = for_may_write(f, v), sent = false;
    if (for_hidden_uses(f, v) || !v->ndims || v->ndims > 3 || !area_collect(&look, v, rows, &all))
        return false;
    for (size_t i = 0; i < all.n; i++)
        chunked &= moves(&all.at[i]);
    if (!written && !chunked) {
        whole(f, v, &all, rows, m);
        return true;
    }
    if (written && !f->host && !for_apart(f, &all) && !stay(f, v)) /* on the host nothing travels */
        return false;
    for (size_t i = 0; i < all.n; i++)
        add_rect(f, &all.at[i], rows);
    for (size_t i = 0; i < f->rects.n; i++)
        sent |= f->rects.at[i].v == v && (f->rects.at[i].access & ACCESS_READ);
    m->kind = !written ? MAP_TO : sent ? MAP_TOFROM : MAP_FROM;
    m->chunked = m->rects = true;
    m->written = written;
    m->unsent = sent ? NULL : "";
    m->first = m->count = "0";
    return true;
}
