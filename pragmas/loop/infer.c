/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which part of an array a chunk needs, where nobody mapped it: the least and the largest value of each subscript. The
 * variables of loops inside are replaced by their bounds, from the innermost one outwards; what is left holds the
 * parallel loop's variable and what does not change. Of the first dimension all has to be known, unless its extent is;
 * of the others the whole row is taken else. Parts that come back have to be apart for any two chunks, which is proven
 * in apart.c.
 */
#include "infer.h"

#include <string.h>

/* ---- loops around a reference ---- */

struct inner {
    CXCursor var;
    const char *atom;
    struct poly least, most;
    bool down;
    bool exact; /* it runs through all values between */
    bool fixed; /* they are the same for all iterations of the parallel loop */
    bool seen;  /* a subscript holds it */
};

struct look {
    struct for_loop *f;
    VEC(struct inner) inner; /* outermost first */
    int depth;               /* of names of the body that stand for their values */
};

static struct node *declaration(struct node *n, CXCursor decl) {
    if (n->kind == CXCursor_VarDecl && clang_equalCursors(n->c, decl))
        return n;
    for (struct node *c = n->first; c; c = c->next) {
        struct node *found = declaration(c, decl);
        if (found)
            return found;
    }
    return NULL;
}

/* int k = i * n + j; that is never changed */
static struct node *constant_value(struct for_loop *f, CXCursor d) {
    struct node *n = capture_is_inside(&f->w, d) ? declaration(f->w.body, d) : NULL;
    return n && n->last && clang_isExpression(n->last->kind) && affine_is_integer(clang_getCursorType(d)) &&
                   !node_changes(f->w.body, d, NULL)
               ? n->last
               : NULL;
}

struct node *infer_value(struct look *k, struct node *n) {
    return constant_value(k->f, clang_getCursorReferenced(n->c));
}

static bool changes(struct for_loop *f, struct node *n) {
    struct var *v = n->kind == CXCursor_DeclRefExpr ? capture_lookup(&f->w, clang_getCursorReferenced(n->c)) : NULL;
    if (v && (v->private || v->reduced || ((v->kind == VAR_POINTER || v->kind == VAR_ARRAY) && for_may_write(f, v))))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (changes(f, c))
            return true;
    return false;
}

static void leaf(void *of, struct node *n, struct poly *out) {
    struct look *k = of;
    const CXCursor d = clang_getCursorReferenced(n->c);
    struct node *value = n->kind == CXCursor_DeclRefExpr && k->depth < 8 ? constant_value(k->f, d) : NULL;
    for (size_t i = 0; n->kind == CXCursor_DeclRefExpr && i < k->inner.n; i++)
        if (clang_equalCursors(d, k->inner.at[i].var)) {
            affine_atom(out, k->inner.at[i].atom);
            return;
        }
    if (value) {
        k->depth++;
        affine_read(&(struct affine_names){k, leaf, NULL, NULL}, value, out);
        k->depth--;
    } else if (!changes(k->f, n)) {
        affine_of(&k->f->w, n, out);
    }
}

void infer_poly(struct look *k, struct node *n, struct poly *out) {
    affine_read(&(struct affine_names){k, leaf, NULL, NULL}, n, out);
}

bool infer_holds(const struct poly *p, const char *atom) {
    for (int t = 0; t < p->n; t++)
        for (int a = 0; a < p->t[t].n; a++)
            if (strcmp(p->t[t].atom[a], atom) == 0)
                return true;
    return false;
}

bool infer_holds_inner(const struct look *k, const struct poly *p) {
    bool any = false;
    for (size_t i = 0; i < k->inner.n; i++)
        any |= infer_holds(p, k->inner.at[i].atom);
    return any;
}

static bool holds_loop(const struct look *k, const struct poly *p) {
    return infer_holds(p, ATOM_I) || infer_holds_inner(k, p);
}

static void enter(struct look *k, const struct loop_count *c) {
    long step = 1;
    struct poly one = {.ok = true, .n = 1, .t = {{.k = 1}}}, first, bound;
    struct inner in = {.var = c->var, .atom = mem_printf("\3%zu", k->inner.n), .down = c->down};
    infer_poly(k, c->first, &first);
    infer_poly(k, c->bound, &bound);
    if (c->open)
        affine_add(&bound, &one, c->down ? 1 : -1);
    if (c->step && (!ast_constant(c->step, &step) || (step != 1 && step != -1)))
        bound.ok = false; /* where it ends is not known */
    in.least = c->down ? bound : first;
    in.most = c->down ? first : bound;
    in.exact = !c->sooner;
    in.fixed = first.ok && bound.ok && !holds_loop(k, &first) && !holds_loop(k, &bound);
    vec_push(&k->inner, in);
}

static void enter_loops(struct look *k, struct node *at) {
    struct nest *w = &k->f->w;
    struct loop_count c;
    if (at == w->body) {
        const struct loop *l = &w->loop[1];
        if (l->stmt)
            enter(k, &(struct loop_count){l->var, l->first, l->bound, l->step, l->open, l->down, false, NULL});
        return;
    }
    enter_loops(k, at->up);
    if (at->up->kind == CXCursor_ForStmt && at == at->up->last) {
        if (loop_counts(at->up, &c))
            enter(k, &c);
        else
            vec_push(&k->inner, (struct inner){.var = clang_getNullCursor(), .atom = "\3?"});
    }
}

/* ---- the values of a subscript ---- */

static bool add(struct side *s, const struct poly *p) {
    if (!p->ok || s->n == BOUNDS)
        return false;
    s->at[s->n++] = *p;
    return true;
}

static bool extreme(const struct look *k, const struct poly *p, bool upper, struct side *out) {
    struct poly coef, rest, sum[2], product;
    size_t i = k->inner.n;
    while (i > 0 && !infer_holds(p, k->inner.at[i - 1].atom))
        i--;
    if (!i)
        return add(out, p);
    const struct inner *in = &k->inner.at[i - 1];
    if (!affine_split(p, in->atom, &coef, &rest) || holds_loop(k, &coef) || !in->least.ok || !in->most.ok)
        return false;
    for (int s = 0; s < 2; s++) {
        affine_multiply(&coef, s ? &in->most : &in->least, &product);
        sum[s] = rest;
        affine_add(&sum[s], &product, 1);
    }
    long number;
    if (affine_is_constant(&coef, &number))
        return extreme(k, &sum[upper == (number > 0)], upper, out);
    return extreme(k, &sum[0], upper, out) && extreme(k, &sum[1], upper, out);
}

/* One variable, once, and nothing that scales it. */
static bool is_plain(struct look *k, const struct poly *p, bool *iteration) {
    struct poly coef, rest;
    long c;
    int variables = 0;
    for (size_t i = 0; i <= k->inner.n; i++) {
        const char *atom = i < k->inner.n ? k->inner.at[i].atom : ATOM_I;
        if (!infer_holds(p, atom))
            continue;
        if (!affine_split(p, atom, &coef, &rest) || !affine_is_constant(&coef, &c) || (c != 1 && c != -1))
            return false;
        variables++;
        if (i == k->inner.n) {
            if (*iteration)
                return false;
            *iteration = true;
        } else {
            if (k->inner.at[i].seen || !k->inner.at[i].exact || !k->inner.at[i].fixed)
                return false;
            k->inner.at[i].seen = true;
        }
    }
    return variables < 2;
}

static bool jumps(const struct node *n) {
    if (n->kind == CXCursor_BreakStmt || n->kind == CXCursor_ContinueStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (jumps(c))
            return true;
    return false;
}

/* Does a chunk surely write all of the area? */
static bool is_exact(struct look *k, const struct area *a, const struct poly *sub) {
    const struct loop *l = &k->f->w.loop[0];
    bool iteration = false;
    long step = 1;
    if (a->access != ACCESS_WRITE || refs_after_condition(&k->f->w, a->ref.n) || jumps(k->f->w.body) ||
        (l->step && (!ast_constant(l->step, &step) || (step != 1 && step != -1))))
        return false;
    for (int d = 0; d < a->ref.nsubs; d++)
        if (!sub[d].ok || !is_plain(k, &sub[d], &iteration))
            return false;
    for (size_t i = 0; i < k->inner.n; i++)
        if (!k->inner.at[i].seen)
            return false; /* perhaps it has no turn */
    return iteration;
}

/* Loops whose bounds are the same for all iterations have a turn, or there is nothing to map; of others only the
   iterations count for which there is one. */
static void turns(struct look *k, struct area *a) {
    struct buf b = {0};
    buf_add(&b, "", 0);
    for (size_t i = 0; i < k->inner.n; i++) {
        const struct inner *in = &k->inner.at[i];
        struct poly turn = in->most;
        affine_add(&turn, &in->least, -1);
        if (in->fixed)
            buf_printf(&b, "%s%s <= %s", b.n ? " && " : "", affine_text(&in->least, "", ""),
                       affine_text(&in->most, "", ""));
        else if (turn.ok && !infer_holds_inner(k, &turn))
            infer_clip(a, &turn);
    }
    a->some = b.s;
}

static bool read_area(struct for_loop *f, const struct use *use, struct area *a) {
    struct look k = {.f = f};
    struct poly sub[MAX_DIMS] = {{.ok = false}};
    if (!refs_subscripts(a->ref.v, use->n, &a->ref))
        return false;
    a->access = capture_access(a->ref.n);
    if (a->access & ACCESS_ADDRESS)
        return false;
    enter_loops(&k, a->ref.n);
    infer_guards(f, &k, a);
    for (int d = 0; d < a->ref.nsubs; d++) {
        infer_poly(&k, a->ref.sub[d], &sub[d]);
        a->known[d] = sub[d].ok && extreme(&k, &sub[d], false, &a->lo[d]) && extreme(&k, &sub[d], true, &a->hi[d]);
    }
    a->exact = is_exact(&k, a, sub);
    turns(&k, a);
    return true;
}

/* ---- texts ---- */

/* The least, or the largest, of the iterations that come there. */
static const char *iteration(const struct area *a, bool most, const char *text) {
    for (size_t i = 0; i < a->clips.n; i++)
        if (a->clips.at[i].most == most)
            text =
                mem_printf("heddle_%s(%s, %s)", most ? "least" : "most", text, affine_text(&a->clips.at[i].p, "", ""));
    return text;
}

/* ... under which there are any. */
static const char *condition(const struct area *a, const char *low, const char *high) {
    return a->clips.n ? mem_printf("%s%s%s <= %s", a->some, *a->some ? " && " : "", iteration(a, false, low),
                                   iteration(a, true, high))
                      : a->some;
}

static const char *text_of(const struct area *a, int d, bool upper, const char *low, const char *high) {
    const char *text = NULL, *function = upper ? "heddle_most" : "heddle_least", *first = iteration(a, false, low);
    const char *last = iteration(a, true, high);
    const struct side *s = upper ? &a->hi[d] : &a->lo[d];
    for (int i = 0; i < s->n; i++)
        for (int end = 0; end < (infer_holds(&s->at[i], ATOM_I) ? 2 : 1); end++) {
            const char *one = affine_text(&s->at[i], end ? last : first, "");
            text = text ? mem_printf("%s(%s, %s)", function, text, one) : one;
        }
    return text;
}

/* ---- one array ---- */

static bool same_side(const struct side *a, const struct side *b) {
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (!affine_equal(&a->at[i], &b->at[i]))
            return false;
    return true;
}

/* What is only perhaps touched is in the array where something is surely touched. */
static bool is_vouched(const area_list *all, const struct area *a) {
    for (size_t i = 0; i < all->n; i++) {
        const struct area *b = &all->at[i];
        if (!b->conditional && b->known[0] && same_side(&a->lo[0], &b->lo[0]) && same_side(&a->hi[0], &b->hi[0]))
            return true;
    }
    return false;
}

/* if (p), p != NULL && …: the pointer is not followed. */
static bool is_tested(const struct node *n) {
    const struct node *up = n->up;
    for (; up; n = up, up = up->up) {
        const enum CXBinaryOperatorKind op = ast_binary(up);
        if (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr)
            continue;
        return op == CXBinaryOperator_EQ || op == CXBinaryOperator_NE || op == CXBinaryOperator_LAnd ||
               op == CXBinaryOperator_LOr || ast_unary(up) == CXUnaryOperator_LNot ||
               ((up->kind == CXCursor_IfStmt || up->kind == CXCursor_ConditionalOperator) && up->first == n);
    }
    return false;
}

static bool collect(struct for_loop *f, struct var *v, area_list *all, const char *rows) {
    for (size_t i = 0; i < f->w.uses.n; i++) {
        const struct use *use = &f->w.uses.at[i];
        struct area a = {.ref = {.v = v}};
        if (use->v != v || (capture_access(use->n) & ACCESS_UNEVALUATED) || is_tested(use->n))
            continue;
        if (!read_area(f, use, &a) || a.ref.nsubs > 3)
            return false;
        vec_push(all, a);
    }
    for (size_t i = 0; i < all->n; i++)
        if (!rows && (!all->at[i].known[0] || (all->at[i].conditional && !is_vouched(all, &all->at[i]))))
            return false;
    return all->n != 0;
}

/* A chunk needs a part of its own. */
static bool moves(const struct area *a) {
    for (int d = 0; d < a->ref.nsubs; d++) {
        bool all = a->known[d];
        for (int i = 0; all && i < a->lo[d].n; i++)
            all = infer_holds(&a->lo[d].at[i], ATOM_I);
        for (int i = 0; all && i < a->hi[d].n; i++)
            all = infer_holds(&a->hi[d].at[i], ATOM_I);
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
    r.some = condition(a, "heddle_low", "heddle_high");
    r.access = (in ? ACCESS_READ : 0) | (a->access & ACCESS_WRITE);
    for (int d = 0; d < a->ref.nsubs; d++) {
        r.lo[d] = a->known[d] ? text_of(a, d, false, "heddle_low", "heddle_high") : "0";
        r.hi[d] = a->known[d] ? text_of(a, d, true, "heddle_low", "heddle_high")
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

/* Rows that any iteration reads, for all chunks. */
static void whole(struct for_loop *f, struct var *v, const area_list *all, const char *rows, struct for_map *m) {
    const struct loop *l = &f->w.loop[0];
    const char *first = affine_span(f->w.u, l->lo), *end = affine_span(f->w.u, l->hi), *lo = NULL, *hi = NULL;
    const char *last = mem_printf("(%s + (heddle_loop_trips(%s, %s, %s, %d) - 1) * %s)", first, first, end, f->step[0],
                                  !l->open, f->step[0]);
    const char *low = l->down ? last : first, *high = l->down ? first : last;
    for (size_t i = 0; i < all->n; i++) {
        const struct area *a = &all->at[i];
        const char *some = condition(a, low, high);
        const char *from = a->known[0] ? text_of(a, 0, false, low, high) : "0";
        const char *to = a->known[0] ? text_of(a, 0, true, low, high) : mem_printf("%s - 1", rows);
        if (*some) {
            from = mem_printf("(%s ? %s : (long)(~0ul >> 1))", some, from);
            to = mem_printf("(%s ? %s : -(long)(~0ul >> 1))", some, to);
        }
        if (lo && strcmp(from, lo) != 0)
            from = mem_printf("heddle_least(%s, %s)", lo, from);
        if (hi && strcmp(to, hi) != 0)
            to = mem_printf("heddle_most(%s, %s)", hi, to);
        lo = from, hi = to;
    }
    if (rows) {
        lo = mem_printf("heddle_most(0, %s)", lo);
        hi = mem_printf("heddle_least(%s - 1, %s)", rows, hi);
    }
    const char *factor = map_row_factor(v);
    m->first = mem_printf("heddle_rows_first(%s, %s)%s", lo, hi, factor);
    m->count = mem_printf("(%s ? heddle_rows_number(%s, %s) : 0)%s", v->name, lo, hi, factor);
    m->kind = MAP_TO;
}

bool for_infer(struct for_loop *f, struct var *v, struct for_map *m) {
    area_list all = {0};
    const char *rows = map_rows_declared(&f->w, v);
    bool chunked = true, written = for_may_write(f, v), sent = false;
    if (for_hidden_uses(f, v) || !v->ndims || v->ndims > 3 || !collect(f, v, &all, rows))
        return false;
    for (size_t i = 0; i < all.n; i++)
        chunked &= moves(&all.at[i]);
    if (!written && !chunked) {
        whole(f, v, &all, rows, m);
        return true;
    }
    if (written && !for_apart(f, &all))
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
