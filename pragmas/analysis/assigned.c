/* SPDX-License-Identifier: Apache-2.0 */
/* What the loop, or the pool's block, is sure to write against the section that comes back. */
#include "assigned.h"

#include <string.h>

static const char LO[] = "heddle_lo", COUNT[] = "heddle_count";

static const char *text_of(const struct need *needs) {
    struct buf out = {0};
    buf_add(&out, "", 0);
    for (const struct need *n = needs; n; n = n->next) {
        const char *one = mem_printf("%s %s 0", affine_text(&n->p, "", ""), n->zero ? "==" : ">=");
        if (!strstr(out.s, one))
            buf_printf(&out, "%s%s", out.n ? " && " : "", one);
    }
    return out.s;
}

/* Elements of dimension d of the array. */
static struct poly extent(const struct var *v, int d) {
    struct poly out;
    struct buf rows = {0};
    buf_puts(&rows, v->name);
    for (int k = 0; k < d; k++)
        buf_puts(&rows, "[0]");
    if (v->dim[d])
        affine_constant(&out, v->dim[d]);
    else
        affine_atom(&out, mem_printf("sizeof %s / sizeof %s[0]", rows.s, rows.s));
    return out;
}

static bool at_least(struct assigned *a, const struct poly *more, const struct poly *less, const struct need **needs) {
    struct poly d = *more;
    affine_add(&d, less, -1);
    return assigned_require(a, &d, false, needs);
}

/* All of the rows first … end - 1? */
static bool holds(struct assigned *a, const struct box *b, const struct poly *first, const struct poly *end,
                  const struct need **needs) {
    struct poly zero;
    affine_constant(&zero, 0);
    if (b->field || (a->rank && (!at_least(a, first, &b->lo[0], needs) || !at_least(a, &b->hi[0], end, needs))))
        return false;
    for (int d = 1; d < a->rank; d++) {
        const struct poly size = extent(a->v, d);
        if (!at_least(a, &zero, &b->lo[d], needs) || !at_least(a, &b->hi[d], &size, needs))
            return false;
    }
    return true;
}

/* The condition under which the section is all written; NULL: none is known. */
static const char *conclude(struct assigned *a, const struct poly *first, const struct poly *count) {
    struct poly end = *count;
    affine_add(&end, first, 1);
    assigned_join(a, &a->now);
    const char *best = NULL;
    for (const struct boxes *l = a->now.boxes; l && !a->failed && !(best && !*best); l = l->next) {
        const struct need *needs = a->needs;
        if (!holds(a, l->box, first, &end, &needs))
            continue;
        const char *text = text_of(assigned_both(needs, l->box->needs));
        best = !best || !*text ? text : best;
    }
    return best;
}

/* ---- `for` ---- */

static void chunk(struct assigned *a, struct axis_of_loop *x, const struct loop *l) {
    struct poly count, by;
    long k;
    affine_constant(&by, 1);
    if (l->step)
        assigned_value(a, l->step, &by);
    const bool negative = affine_is_constant(&by, &k) && k < 0;
    affine_constant(&x->step, 0);
    affine_add(&x->step, &by, negative != l->down ? -1 : 1);
    x->down = l->down;
    x->runs = true;
    affine_atom(&x->first, LO);
    affine_atom(&count, COUNT);
    affine_multiply(&count, &x->step, &by);
    x->end = x->first;
    affine_add(&x->end, &by, 1);
}

static void chunk_ranges(struct assigned *a) {
    struct range lo = {.atom = LO}, count = {.atom = COUNT};
    affine_constant(&count.lo, 1);
    vec_push(&a->ranges, lo);
    vec_push(&a->ranges, count);
}

const char *assigned_by_loop(const struct nest *w, const struct var *v, const char *member, const struct item *item) {
    struct assigned a = {.u = w->u, .root = w->root, .w = w, .v = v, .member = member, .rank = *member ? 1 : v->ndims};
    const struct poly first = section_poly(w->u, item->section[0].first),
                      count = section_poly(w->u, item->section[0].count);
    struct axis_of_loop x = {.atom = ATOM_I};
    struct frame frame = {.kind = FRAME_LOOP, .breaks = {.dead = true}, .continues = {.dead = true}};
    struct binding b = {.decl = w->loop[0].var};
    if (!first.ok || !count.ok || !a.rank)
        return NULL;
    chunk_ranges(&a);
    chunk(&a, &x, &w->loop[0]);
    vec_push(&a.ranges, (struct range){.atom = ATOM_I});
    affine_atom(&b.value, ATOM_I);
    vec_push(&a.bindings, b);
    a.frame = &frame;
    assigned_visit(&a, w->root->last);
    a.now = assigned_either(a.now, frame.continues);
    a.ranges.n--;
    if (a.failed || a.now.dead)
        return NULL;
    assigned_widen(&a, (struct state){0}, &x);
    return conclude(&a, &first, &count);
}

/* ---- pools ---- */

static const char *by_pool(struct unit *u, struct node *pool, const struct var *v) {
    struct assigned a = {.u = u, .root = pool, .v = v, .member = "", .rank = v->kind == VAR_SCALAR ? 0 : v->ndims};
    struct poly first, count;
    affine_constant(&first, 0);
    affine_constant(&count, 1);
    if (v->kind != VAR_SCALAR && v->map_item->nsections) {
        first = section_poly(u, v->map_item->section[0].first);
        count = section_poly(u, v->map_item->section[0].count);
    }
    if (v->kind != VAR_SCALAR &&
        (!v->map_item->nsections || v->map_item->section[0].count.e == v->map_item->section[0].count.b)) {
        count = extent(v, 0);
        affine_add(&count, &first, -1);
    }
    if (!first.ok || !count.ok)
        return NULL;
    assigned_visit(&a, a.root);
    return a.failed || a.now.dead ? NULL : conclude(&a, &first, &count);
}

enum map_kind assigned_pool_kind(struct unit *u, struct node *pool, const struct var *v, const char **unsent) {
    *unsent = v->map_kind == MAP_FROM ? by_pool(u, pool, v) : NULL;
    return v->map_kind == MAP_FROM && !*unsent ? MAP_TOFROM : v->map_kind;
}

/* ---- what a statement has for itself ---- */

static bool before_read(struct assigned *a, struct unit *u, struct node *body, const struct var *v,
                        struct assigned_fixed fixed) {
    struct frame frame = {.kind = FRAME_LOOP, .breaks = {.dead = true}, .continues = {.dead = true}};
    *a = (struct assigned){.u = u, .root = body, .v = v, .member = "", .rank = v->kind == VAR_SCALAR ? 0 : v->ndims};
    a->frame = &frame;
    a->fixed = fixed;
    a->sized = v->kind == VAR_ARRAY;
    assigned_visit(a, body);
    a->now = assigned_either(assigned_either(a->now, frame.continues), frame.breaks);
    return !a->failed && !a->needs;
}

bool assigned_before_read(struct unit *u, struct node *body, const struct var *v, struct assigned_fixed fixed) {
    struct assigned a;
    return before_read(&a, u, body, v, fixed);
}

const struct node *assigned_odd(struct unit *u, struct node *body, const struct var *v, struct assigned_fixed fixed) {
    struct assigned a;
    return before_read(&a, u, body, v, fixed) ? NULL : a.odd;
}

/* What it writes on every way; `all`: each write has to be among these. */
static bool written(struct unit *u, struct node *loop, const struct var *v, struct assigned_fixed fixed,
                    const struct state *all, struct state *out) {
    struct frame frame = {.kind = FRAME_LOOP, .breaks = {.dead = true}, .continues = {.dead = true}};
    struct assigned a = {.u = u, .root = loop, .v = v, .member = "", .rank = v->ndims, .fixed = fixed};
    a.frame = &frame;
    a.sized = a.writes = true;
    a.all = all;
    assigned_visit(&a, loop->last);
    if (a.failed || !frame.breaks.dead)
        return false;
    a.now = assigned_either(a.now, frame.continues);
    assigned_join(&a, &a.now);
    *out = a.now;
    return !a.now.dead;
}

/* The loop's variable is one that changes, so no box knows it. */
bool assigned_alike(struct unit *u, struct node *loop, const struct var *v, struct assigned_fixed fixed) {
    struct state all, again;
    return written(u, loop, v, fixed, NULL, &all) && written(u, loop, v, fixed, &all, &again);
}

bool assigned_wholly(struct unit *u, struct node *body, const struct var *v) {
    struct assigned a;
    struct poly first, end;
    if (!before_read(&a, u, body, v, (struct assigned_fixed){0}))
        return false;
    affine_constant(&first, 0);
    end = extent(v, 0);
    assigned_join(&a, &a.now);
    for (const struct boxes *l = a.now.boxes; l; l = l->next)
        if (!l->box->needs && holds(&a, l->box, &first, &end, NULL))
            return true;
    return false;
}
