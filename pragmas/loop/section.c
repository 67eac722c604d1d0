/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections against subscripts. Both are polynomials where they are affine; what is compared is what the first and the
 * last iteration of a chunk touch with what the section holds, for every heddle_lo and every heddle_count. Only what is
 * wrong for sure is an error: a section may hold more than is needed, and symbols may have any value. Inner loops that
 * count are taken to have a first turn.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "loop.h"

#include <stdlib.h>
#include <string.h>

static const char LO[] = "heddle_lo", COUNT[] = "heddle_count";

/* ---- comparing ---- */

struct region {             /* of the first dimension */
    struct poly first, end; /* end: one past the last */
};

static struct poly minus(const struct poly *a, const struct poly *b) {
    struct poly d = *a;
    affine_add(&d, b, -1);
    return d;
}

/* p with `name` replaced by another polynomial. */
static bool put(const struct poly *p, const char *name, const struct poly *value, struct poly *out) {
    struct poly coef, rest, product;
    if (!affine_split(p, name, &coef, &rest))
        return false;
    affine_multiply(&coef, value, &product);
    *out = rest;
    affine_add(out, &product, 1);
    return out->ok;
}

/* Is d >= 0 wrong for some chunk, whatever the symbols are? d = a heddle_lo + b heddle_count + c with known numbers.
   Where it falls with heddle_lo, it is wrong when the second iteration breaks it already: [heddle_lo : 100 - heddle_lo]
   is fine. */
static bool fails(const struct poly *d) {
    struct poly lo, count, rest;
    long a, b, c;
    if (!d->ok || !affine_split(d, LO, &lo, &rest) || !affine_split(&rest, COUNT, &count, &rest) ||
        !affine_is_constant(&lo, &a) || !affine_is_constant(&count, &b) || !affine_is_constant(&rest, &c))
        return false;
    return a < 0 ? a + b + c < 0 : a == 0 && (b < 0 || b + c < 0);
}

/* What the loop's step adds in `count` iterations, as values of the loop variable. */
static struct poly steps(struct for_loop *f, const struct poly *count) {
    const struct loop *l = &f->w.loop[0];
    struct poly step = {.ok = true, .n = 1, .t = {{.k = 1}}}, out;
    if (l->step)
        affine_of(&f->w, l->step, &step);
    long constant;
    if (affine_is_constant(&step, &constant) && constant < 0)
        step.t[0].k = -constant;
    affine_multiply(&step, count, &out);
    for (int t = 0; l->down && t < out.n; t++)
        out.t[t].k = -out.t[t].k;
    return out;
}

static const char *section_text(struct for_loop *f, const struct for_map *m) {
    const struct section *s = &m->item->section[0];
    return mem_printf("%s[%s : %s]", m->v->name, source_flat(&f->w.u->src, s->first),
                      source_flat(&f->w.u->src, s->count));
}

/* ---- what an iteration touches in the first turns of its inner loops ---- */

struct first_turn {
    struct nest *w;
    const struct node *n;
};

static void first_turn_leaf(void *of, struct node *n, struct poly *out) {
    const struct first_turn *p = of;
    const struct affine_names names = {of, first_turn_leaf, NULL, NULL};
    const CXCursor d = clang_getCursorReferenced(n->c);
    struct loop_count c;
    if (p->w->loop[1].first && clang_equalCursors(d, p->w->loop[1].var)) { /* collapse(2) */
        affine_read(&names, p->w->loop[1].first, out);
        return;
    }
    for (struct node *up = p->n->up; up && up != p->w->body->up; up = up->up)
        if (up->kind == CXCursor_ForStmt && loop_counts(up, &c) && clang_equalCursors(d, c.var) &&
            !nest_is_mentioned(c.first, c.var)) {
            affine_read(&names, c.first, out);
            return;
        }
    affine_of(p->w, n, out);
}

/* `subscript` at the chunk's first (last) iteration inside the section? */
static bool check_end(struct for_loop *f, const struct for_map *m, const struct region *r, const struct ref *ref,
                      bool last) {
    struct poly at, lo = {.ok = true, .n = 1, .t = {{1, 1, {LO}}}}, one = {.ok = true, .n = 1, .t = {{.k = 1}}};
    struct poly count = {.ok = true, .n = 1, .t = {{1, 1, {COUNT}}}};
    struct poly left = minus(&count, &one), more = steps(f, &left);
    if (last)
        affine_add(&lo, &more, 1);
    if (!ref->poly[0].ok || !put(&ref->poly[0], ATOM_I, &lo, &at))
        return true;
    struct poly below = minus(&at, &r->first), above = minus(&r->end, &at);
    affine_add(&above, &one, -1);
    const bool low = fails(&below);
    if (!low && !fails(&above))
        return true;
    const char *needed = for_section(f, m->v);
    diag_error(f->w.u, ref->b, "'%s' of a chunk's %s iteration lies %s the section %s that is mapped; %s%s",
               refs_text(&f->w, ref), last ? "last" : "first", low ? "before" : "behind", section_text(f, m),
               needed ? "the loop needs "
                      : "heddle_lo is the loop variable there, heddle_count the number of iterations",
               needed ? needed : "");
    return false;
}

/* The next chunk's first element against the end of this one's: b heddle_count + c; false: not known. */
static bool find_gap(struct for_loop *f, const struct region *r, long *b, long *c) {
    struct poly count = {.ok = true, .n = 1, .t = {{1, 1, {COUNT}}}}, lo = {.ok = true, .n = 1, .t = {{1, 1, {LO}}}};
    struct poly more = steps(f, &count), next, coef, rest;
    affine_add(&lo, &more, 1);
    if (f->w.loop[0].down || !put(&r->first, LO, &lo, &next))
        return false;
    struct poly gap = minus(&next, &r->end);
    return affine_split(&gap, COUNT, &coef, &rest) && affine_is_constant(&coef, b) && affine_is_constant(&rest, c);
}

/* Sections that come back: does each chunk's end before the next one's begin? */
static bool check_disjoint(struct for_loop *f, const struct for_map *m, const struct region *r) {
    struct poly coef, rest;
    long rises, b, c;
    if (!m->written || !affine_split(&r->first, LO, &coef, &rest) || !affine_is_constant(&coef, &rises) || rises <= 0 ||
        !find_gap(f, r, &b, &c) || (b >= 0 && b + c >= 0))
        return true;
    diag_error(f->w.u, m->item->name.b,
               "the sections %s of neighbouring chunks overlap, and what one brings back the other would "
               "overwrite; map the overlap as another array, map(to: …)",
               section_text(f, m));
    return false;
}

static bool mentions(const struct poly *p, const char *atom) {
    for (int t = 0; t < p->n; t++)
        for (int a = 0; a < p->t[t].n; a++)
            if (strcmp(p->t[t].atom[a], atom) == 0)
                return true;
    return false;
}

static const char *way_out(const struct for_map *m, const struct ref *ref) {
    if (!m->written)
        return "map all that the loop reads, without heddle_lo";
    if (capture_access(ref->n) == ACCESS_READ)
        return "copy what all iterations read to another array before the loop, and map that";
    return "chunks bring back rows of their own: let the loop over the rows be the parallel one, or use taskloop in a "
           "pool";
}

/* One row for all iterations lies in one chunk's section at most, where these lie side by side. */
static bool check_moves(struct for_loop *f, const struct for_map *m, const struct region *r, const struct ref *ref) {
    long b, c;
    if (!ref->poly[0].ok || mentions(&ref->poly[0], ATOM_I) || !mentions(&r->first, LO) || !find_gap(f, r, &b, &c) ||
        b < 0 || b + c < 0)
        return true;
    diag_error(f->w.u, ref->b, "'%s' does not move with '%s', but the section %s that is mapped does; %s",
               refs_text(&f->w, ref), f->w.loop[0].name, section_text(f, m), way_out(m, ref));
    return false;
}

static bool check(struct for_loop *f, const struct for_map *m) {
    struct nest *w = &f->w;
    const struct section *s = &m->item->section[0];
    struct region r = {.first = section_poly(w->u, s->first), .end = section_poly(w->u, s->count)};
    affine_add(&r.end, &r.first, 1);
    if (!r.first.ok || !r.end.ok)
        return true;
    bool ok = check_disjoint(f, m, &r);
    for (size_t i = 0; ok && i < w->uses.n; i++) {
        struct ref ref = {.v = m->v};
        struct node *n = w->uses.at[i].n;
        if (w->uses.at[i].v != m->v || !refs_subscripts(m->v, n, &ref) || refs_after_condition(w, ref.n) ||
            (capture_access(ref.n) & (ACCESS_UNEVALUATED | ACCESS_ADDRESS)) || !refs_is_whole_text(w->u, n, m->v->name))
            continue;
        ref.b = ref.n->b;
        ref.e = ref.n->e;
        struct first_turn at = {w, ref.n};
        affine_read(&(struct affine_names){&at, first_turn_leaf, NULL, NULL}, ref.sub[0], &ref.poly[0]);
        ok = check_moves(f, m, &r, &ref) && check_end(f, m, &r, &ref, false) && check_end(f, m, &r, &ref, true);
    }
    return ok;
}

bool for_check_sections(struct for_loop *f) {
    bool ok = true;
    for (size_t i = 0; i < f->maps.n; i++) {
        const struct for_map *m = &f->maps.at[i];
        if (m->chunked && m->item && !*m->member)
            ok &= check(f, m);
    }
    return ok;
}
