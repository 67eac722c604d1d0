/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalars are copied when a loop begins. One whose address somebody may have, of file scope or under & in the function,
 * might be what the loop writes through a pointer, p = (char *)&x: the run time compares it with what is written, as it
 * does with arrays. Structures are not looked at: their arrays are often what is written beside their numbers.
 */
#include "analysis/capture.h"
#include "function.h"
#include "nest.h"

static bool may_be(CXType written, CXType t) {
    written = clang_getUnqualifiedType(clang_getCanonicalType(written));
    t = clang_getUnqualifiedType(clang_getCanonicalType(t));
    if (written.kind == CXType_Record || clang_Type_getSizeOf(written) == 1)
        return true;
    return ast_is_integer(written) && ast_is_integer(t) ? clang_Type_getSizeOf(written) == clang_Type_getSizeOf(t)
                                                        : written.kind == t.kind;
}

static bool has_address(const struct nest *w, CXCursor decl) {
    const struct function *g = function_of(w->u, w->function);
    return node_is_global(decl) || !g || capture_is_shown(g->tree, decl);
}

bool nest_is_exposed(const struct nest *w, const struct var *v, bool (*writes)(const void *of, const struct var *v),
                     const void *of) {
    const enum CXCursorKind kind = clang_getCursorKind(v->decl);
    const CXType t = clang_getCanonicalType(v->elem_type);
    if (v->kind != VAR_SCALAR || v->reduced || v->private || v->own || v->sweep || t.kind == CXType_Record ||
        (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl) || clang_isConstQualifiedType(t) ||
        clang_isVolatileQualifiedType(t))
        return false;
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *p = w->vars.at[i];
        if (p->kind == VAR_POINTER && !p->joined && !p->local &&
            !clang_isRestrictQualifiedType(clang_getCursorType(p->decl)) && may_be(p->elem_type, t) && writes(of, p))
            return has_address(w, v->decl);
    }
    return false;
}
