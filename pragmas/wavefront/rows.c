/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows behind pointers, T **x, of nests that stay on the host: where each use is by both subscripts, x is an array of
 * two dimensions, and dependences are found as in any other. That its rows share no memory with each other, nor with
 * anything else that the nest writes, is looked at before it runs; so each row that is looked at has to be one that the
 * nest uses, too.
 */
#include "analysis/map.h"
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "wavefront/wavefront.h"

/* By some clause, which means all of an array's elements, or its last rows. */
static bool is_named(struct nest *w, const struct var *v) {
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        for (size_t k = 0; (c->id == CLAUSE_MAP || c->id == CLAUSE_KEEP) && k < c->items.n; k++)
            if (capture_named(w, c->items.at[k].name) == v)
                return true;
    }
    return false;
}

static bool holds_rows(struct nest *w, const struct var *v) {
    const CXType row = clang_getCanonicalType(v->elem_type), elem = clang_getCanonicalType(clang_getPointeeType(row));
    return (v->kind == VAR_POINTER || v->kind == VAR_ARRAY) && v->ndims == 1 && !v->local &&
           row.kind == CXType_Pointer && elem.kind != CXType_Void && !ast_is_array(elem) && !type_holds_pointer(elem) &&
           clang_Type_getSizeOf(elem) > 0 && !is_named(w, v);
}

static bool is_used_by_both(struct nest *w, struct var *v) {
    for (size_t i = 0; i < w->uses.n; i++) {
        struct ref r = {.v = v};
        if (w->uses.at[i].v == v && !refs_subscripts(v, w->uses.at[i].n, &r))
            return false;
    }
    return true;
}

void rows_find(struct nest *w) {
    for (size_t i = 0; w->host && !w->batch && !w->swept && w->loop[1].stmt && i < w->vars.n; i++) {
        struct var *v = w->vars.at[i];
        if (!holds_rows(w, v))
            continue;
        v->ndims = 2;
        if (!is_used_by_both(w, v)) {
            v->ndims = 1;
            continue;
        }
        v->rows_apart = 2;
        v->sized = false;
        v->table = v->elem;
        types_element(v, clang_getPointeeType(clang_getCanonicalType(v->elem_type)));
    }
}

/* ---- which rows the nest uses for sure ---- */

static bool is_row(struct nest *w, struct node *n, const struct var *v, const struct poly *row) {
    const struct ref *r = n->kind == CXCursor_ArraySubscriptExpr ? refs_at(w, n) : NULL;
    return r && r->v == v && !(r->access & ACCESS_UNEVALUATED) && affine_equal(&r->poly[0], row);
}

/* In each cell, whatever conditions are. */
static bool is_sure(struct nest *w, struct node *n, const struct var *v, const struct poly *row) {
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (is_row(w, n, v, row))
        return true;
    if (n->b > w->continue_at || n->kind == CXCursor_UnaryExpr || n->kind == CXCursor_ForStmt ||
        n->kind == CXCursor_WhileStmt)
        return false;
    if (n->kind == CXCursor_IfStmt || n->kind == CXCursor_ConditionalOperator)
        return is_sure(w, ast_child(n, 0), v, row) ||
               (ast_children(n) == 3 && is_sure(w, ast_child(n, 1), v, row) && is_sure(w, ast_child(n, 2), v, row));
    if (n->kind == CXCursor_SwitchStmt || op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr)
        return is_sure(w, n->first, v, row);
    for (struct node *c = n->first; c; c = c->next)
        if (is_sure(w, c, v, row))
            return true;
    return false;
}

/* Steps of one loop's variable at most, so that the rows between the first and the last one are known. */
static bool row_pace(const struct poly *row, long *pace) {
    struct poly by_i, by_j, rest;
    long i, j;
    if (!row->ok || row->roll_size || !affine_split(row, ATOM_I, &by_i, &rest) ||
        !affine_split(&rest, ATOM_J, &by_j, &rest) || !affine_is_constant(&by_i, &i) ||
        !affine_is_constant(&by_j, &j) || (i && j))
        return false;
    *pace = i + j < 0 ? -(i + j) : i + j ? i + j : 1;
    return true;
}

static bool has_constant_steps(const struct poly *p) {
    struct poly by_i, by_j, rest;
    long k;
    return p->ok && !p->roll_size && affine_split(p, ATOM_I, &by_i, &rest) &&
           affine_split(&rest, ATOM_J, &by_j, &rest) && affine_is_constant(&by_i, &k) && affine_is_constant(&by_j, &k);
}

static bool box_of(struct nest *w, const struct ref *r, struct rows_used *out) {
    struct poly p;
    *out = (struct rows_used){.v = r->v, .written = (r->access & ACCESS_WRITE) != 0};
    if ((r->access & ACCESS_ADDRESS) || !row_pace(&r->poly[0], &out->pace) || !has_constant_steps(&r->poly[1]) ||
        !is_sure(w, w->body, r->v, &r->poly[0]))
        return false;
    for (int d = 0; d < 2; d++) {
        if (!map_extreme(w, &r->poly[d], false, &p))
            return false;
        out->lo[d] = affine_text(&p, "", "");
        if (!map_extreme(w, &r->poly[d], true, &p))
            return false;
        out->hi[d] = affine_text(&p, "", "");
    }
    return true;
}

static bool unknown(struct nest *w, const struct ref *r, const char *way_out) {
    diag_error(
        w->u, r->b,
        "'%s' holds pointers, and nothing shows which of its rows the nest uses, so that they could be looked at "
        "before; use a pointer to an array, T (*%s)[columns]%s",
        r->v->name, r->v->name, way_out);
    return false;
}

/* Of written ones each cell has an element of its own, and all rows have the same columns. */
static bool is_plain(const struct nest *w, const struct var *v) {
    return v->field == FIELD_NONE || (v->field == FIELD_FULL && !w->ordered && !w->clip);
}

bool rows_check(struct nest *w) {
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        struct rows_used used;
        if (!r->v->rows_apart || (r->access & ACCESS_UNEVALUATED))
            continue;
        if (!is_plain(w, r->v))
            return unknown(w, r, "");
        if (w->sure)
            continue;
        if (w->ordered || w->clip || !box_of(w, r, &used))
            return unknown(w, r, ", or write 'independent' if they overlap nothing that the nest writes");
        vec_push(&w->used_rows, used);
    }
    return true;
}
