/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows behind pointers, T **x or T ***x, of loops that stay on the host: where each use is by all subscripts, and these
 * show which rows and columns the loop touches, the run time looks at these rows before it runs the loop, and the proof
 * takes different rows for different memory.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "loop.h"
#include "analysis/area.h"

#include <string.h>

enum { MOST_DEPTH = 3 };

/* T **: 2; 0: not so simple */
static int depth_of(const struct var *v, CXType *elem) {
    CXType t = v->elem_type;
    int depth = 1;
    if ((v->kind != VAR_POINTER && v->kind != VAR_ARRAY) || v->ndims != 1)
        return 0;
    for (; clang_getCanonicalType(t).kind == CXType_Pointer; depth++)
        t = clang_getPointeeType(clang_getCanonicalType(t));
    *elem = t;
    const CXType c = clang_getCanonicalType(t);
    return depth < 2 || depth > MOST_DEPTH || ast_is_array(c) || c.kind == CXType_Void || type_holds_pointer(c) ||
                   clang_Type_getSizeOf(c) <= 0
               ? 0
               : depth;
}

static bool may_change(const void *of, const struct var *v) {
    return (v->kind == VAR_POINTER || v->kind == VAR_ARRAY) && for_may_write((struct for_loop *)of, v);
}

/* Tables that are followed have to be there: each of these pointers is read by the loop, too. */
static bool is_safe(const struct for_loop *f, const struct area *a, int depth) {
    for (int d = 0; d < depth; d++)
        if (!a->known[d] || (d < depth - 1 && !a->pace[d]))
            return false;
    return !a->conditional && !(a->access & ACCESS_ADDRESS) && (depth == 2 || !refs_after_condition(&f->w, a->ref.n));
}

static void collect(struct for_loop *f, struct var *v) {
    CXType elem;
    area_list all = {0};
    const struct look look = {.w = &f->w, .changes = may_change, .of = f};
    const struct var before = *v;
    const int depth = depth_of(v, &elem);
    if (!depth || for_hidden_uses(f, v))
        return;
    v->ndims = depth; /* as an array of so many dimensions */
    v->elem_type = elem;
    bool ok = area_collect(&look, v, NULL, &all);
    *v = before;
    for (size_t i = 0; ok && i < all.n; i++)
        ok = is_safe(f, &all.at[i], depth);
    if (!ok)
        return;
    v->rows_apart = depth;
    for (size_t i = 0; i < all.n; i++)
        vec_push(&f->rows, all.at[i]);
}

void for_rows(struct for_loop *f) {
    if (f->jobs || f->host_driven || nest_clause(&f->w, CLAUSE_INDEPENDENT))
        return;
    for (size_t i = 2; i < f->w.vars.n; i++)
        collect(f, f->w.vars.at[i]);
}
