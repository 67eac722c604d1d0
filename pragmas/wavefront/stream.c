/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads that the register form may do ahead of time. A read that stays a memory access, such as an old value
 * from the right or from below, is at a constant distance from (i, j) and happens in every cell; engines can
 * then fetch whole stretches of the array's rows before they are needed. One stream per array.
 */
#include "wavefront/wavefront.h"

#include <string.h>

static bool simple_type(CXType t) {
    t = clang_getCanonicalType(t);
    return (t.kind >= CXType_Bool && t.kind <= CXType_LongLong) || t.kind == CXType_Float || t.kind == CXType_Double;
}

static bool may_stream(const struct ref *r) {
    return r->role == ROLE_MEMORY && r->access == ACCESS_READ && !r->conditional && !r->macro &&
           simple_type(r->v->elem_type);
}

/* The reference that distances in r's array are counted from. */
static const struct ref *base_of(const struct nest *w, const struct ref *r) {
    for (size_t i = 0; i < w->streams.n; i++)
        if (w->streams.at[i]->v == r->v)
            return w->streams.at[i]->base;
    return r->v->write ? r->v->write : r;
}

static struct stream *stream_of(struct nest *w, const struct ref *base) {
    for (size_t i = 0; i < w->streams.n; i++)
        if (w->streams.at[i]->v == base->v)
            return w->streams.at[i];
    struct stream *s = mem_alloc(sizeof *s);
    *s = (struct stream){.v = base->v, .base = base};
    vec_push(&w->streams, s);
    return s;
}

static const struct early *add_early(struct nest *w, struct stream *s, long di, long dj) {
    int same = 0;
    for (size_t i = 0; i < w->early.n; i++) {
        const struct early *e = w->early.at[i];
        if (e->stream == s && e->di == di && e->dj == dj)
            return e;
        same += strcmp(e->stream->v->name, s->v->name) == 0;
    }
    struct early *e = mem_alloc(sizeof *e);
    *e = (struct early){same ? mem_printf("heddle_%s_%d", s->v->name, same) : s->v->name, s, di, dj};
    s->row_first = di < s->row_first ? di : s->row_first;
    s->row_last = di > s->row_last ? di : s->row_last;
    s->col_first = dj < s->col_first ? dj : s->col_first;
    s->col_last = dj > s->col_last ? dj : s->col_last;
    vec_push(&w->early, e);
    return e;
}

void stream_collect(struct nest *w) {
    for (size_t i = 0; w->registers && i < w->refs.n; i++) {
        struct ref *r = w->refs.at[i];
        long di, dj;
        if (!may_stream(r))
            continue;
        const struct ref *base = base_of(w, r);
        if (dep_offset(base, r, &di, &dj))
            r->early = add_early(w, stream_of(w, base), di, dj);
    }
    /* The cell's own old value. */
    for (size_t i = 0; w->registers && i < w->vars.n; i++) {
        struct var *v = w->vars.at[i];
        long di, dj;
        if (v->preload && v->field == FIELD_FULL && simple_type(v->elem_type) &&
            dep_offset(v->write, v->write, &di, &dj))
            v->old = add_early(w, stream_of(w, v->write), 0, 0);
    }
}
