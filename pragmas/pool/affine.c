/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions of a taskloop's body as polynomials over its axes and what has one value for all iterations. Local
 * variables that are set once stand for what they are set to; rows of a ring, y & 1 or y % 3, are atoms of their own.
 */
#include "order.h"

#include <stdlib.h>

/* ---- polynomials with axes ---- */

const char *order_atom(int axis) { return mem_printf("\1%d", axis); }

static const char *roll_atom(int axis, long size, long offset) {
    return mem_printf("\2%d %ld %ld", axis, size, offset);
}

bool order_is_axis(const char *atom) { return *atom == '\1' || *atom == '\2'; }

static bool is_roll(const char *atom, int *axis, long *size, long *offset) {
    if (*atom != '\2')
        return false;
    char *end;
    *axis = (int)strtol(atom + 1, &end, 10);
    *size = strtol(end, &end, 10);
    *offset = strtol(end, NULL, 10);
    return true;
}

/* No products of axes. */
bool order_is_linear(const struct poly *p) {
    for (int i = 0; i < p->n; i++) {
        int axes = 0;
        for (int a = 0; a < p->t[i].n; a++)
            axes += order_is_axis(p->t[i].atom[a]);
        if (axes > 1)
            return false;
    }
    return p->ok;
}

void order_split(const struct poly *p, int axis, struct poly *coef) {
    struct poly rest;
    affine_split(p, order_atom(axis), coef, &rest);
}

/* k * ((axis + offset) mod size) times other atoms; with two rows, the other one is 1 - this one */
static void add_roll(struct poly *p, const struct term *t, int at, int axis, long size, long offset) {
    struct poly one = {.ok = true, .n = 1};
    long k = 1;
    one.t[0] = *t;
    offset = (offset % size + size) % size;
    if (size == 2 && offset == 1) {
        one.t[0].atom[at] = one.t[0].atom[--one.t[0].n];
        affine_add(p, &one, 1);
        one.t[0] = *t;
        offset = 0;
        k = -1;
    }
    one.t[0].atom[at] = roll_atom(axis, size, offset);
    affine_add(p, &one, k);
}

void order_shift(struct poly *p, int axis, long by) {
    struct poly coef, out = {.ok = p->ok};
    order_split(p, axis, &coef);
    for (int i = 0; i < p->n; i++) {
        const struct term *t = &p->t[i];
        int roll = -1, of = -1;
        long size = 0, offset = 0;
        for (int a = 0; a < t->n && roll < 0; a++)
            if (is_roll(t->atom[a], &of, &size, &offset) && of == axis)
                roll = a;
        struct poly one = {.ok = true, .n = 1, .t = {*t}};
        if (roll >= 0)
            add_roll(&out, t, roll, axis, size, offset + by);
        else
            affine_add(&out, &one, 1);
    }
    affine_add(&out, &coef, by);
    *p = out;
}

/* (axis + c) & mask, (axis + c) % size */
static bool rolling(void *of, const struct poly *p, long size, struct poly *out) {
    const struct order *o = of;
    long offset, one;
    struct poly coef, rest;
    for (int axis = 0; p->ok && axis < o->dims; axis++)
        if (affine_split(p, order_atom(axis), &coef, &rest) && affine_is_constant(&coef, &one) && one == 1 &&
            affine_is_constant(&rest, &offset)) {
            const struct term t = {.k = 1, .n = 1, .atom = {""}};
            *out = (struct poly){.ok = true};
            add_roll(out, &t, 0, axis, size, offset);
            return true;
        }
    return false;
}

/* y & 1, or 1 - (y & 1) */
static bool is_row_of_two(const struct poly *p) {
    int axis;
    long size, offset, k = 0;
    const struct term *roll = NULL;
    for (int i = 0; i < p->n; i++) {
        if (!p->t[i].n)
            k = p->t[i].k;
        else if (roll || p->t[i].n > 1)
            return false;
        else
            roll = &p->t[i];
    }
    return p->ok && roll && is_roll(roll->atom[0], &axis, &size, &offset) && size == 2 &&
           (k == 0 ? roll->k == 1 : k == 1 && roll->k == -1);
}

static bool other_row(const struct poly *row, struct poly *out) {
    if (!is_row_of_two(row))
        return false;
    affine_constant(out, 1);
    affine_add(out, row, -1);
    return true;
}

/* ---- values ---- */

bool order_inside(const struct order *o, CXCursor decl) {
    struct span s;
    return ast_span(o->u, decl, &s) && s.b >= o->k->r.root->b && s.b < o->k->r.e;
}

/* Does the variable have one value for all iterations? */
static bool is_fixed(struct order *o, CXCursor decl) {
    const enum CXCursorKind kind = clang_getCursorKind(decl);
    const struct var *v = env_find(o->k->r.pool, decl);
    return (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && !(v && env_is_mapped(v)) &&
           !order_inside(o, decl) && !node_changes(o->k->r.root, decl, NULL);
}

static const char *name_of(struct order *o, CXCursor decl, const char *text) {
    struct span s = {0, 0};
    ast_span(o->u, decl, &s);
    return mem_printf("%s@%zu", text, s.b); /* two variables may have one name */
}

static void variable(struct order *o, struct node *n, struct poly *out) {
    const CXCursor decl = clang_getCursorReferenced(n->c);
    for (size_t i = 0; i < o->values.n; i++)
        if (clang_equalCursors(o->values.at[i].var, decl)) {
            *out = o->values.at[i].is;
            return;
        }
    if (is_fixed(o, decl))
        affine_atom(out, name_of(o, decl, ast_name(decl)));
}

/* s.ld of a structure that is captured as a whole */
static void member(struct order *o, struct node *n, struct poly *out) {
    struct node *base = n;
    while (base && base->kind == CXCursor_MemberRefExpr) {
        base = ast_strip(base->first);
        if (!base || clang_getCanonicalType(clang_getCursorType(base->c)).kind != CXType_Record)
            return;
    }
    if (base && base->kind == CXCursor_DeclRefExpr && is_fixed(o, clang_getCursorReferenced(base->c)))
        affine_atom(out, name_of(o, clang_getCursorReferenced(base->c), unit_text(o->u, n)));
}

static void leaf(void *of, struct node *n, struct poly *out) {
    if (n->kind == CXCursor_DeclRefExpr)
        variable(of, n, out);
    else if (n->kind == CXCursor_MemberRefExpr)
        member(of, n, out);
}

void order_poly(struct order *o, struct node *n, struct poly *out) {
    affine_read(&(struct affine_names){o, leaf, rolling, other_row}, n, out);
    out->ok = order_is_linear(out);
}
