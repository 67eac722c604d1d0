/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a captured declaration is: a scalar, a plain pointer, or an array with dimensions; and how
 * its type is written in the emitted structures.
 */
#include "analysis/capture.h"
#include "function.h"

#include <string.h>

CXType type_number(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Enum ? clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(t)))
                                 : t;
}

bool type_is_signed(CXType t) {
    t = type_number(t);
    return t.kind == CXType_Char_S || (t.kind >= CXType_SChar && t.kind <= CXType_Int128);
}

bool type_holds(CXType to, CXType from) {
    to = type_number(to);
    from = type_number(from);
    if (!ast_is_integer(to) || !ast_is_integer(from))
        return false;
    const long long a = clang_Type_getSizeOf(to), b = clang_Type_getSizeOf(from);
    if (from.kind == CXType_Bool || to.kind == CXType_Bool)
        return from.kind == CXType_Bool;
    return type_is_signed(to) == type_is_signed(from) ? a >= b : type_is_signed(to) && a > b;
}

bool capture_type_is_local(CXType t) {
    CXType forms[] = {t, clang_getCanonicalType(t)};
    for (int i = 0; i < 2; i++) {
        CXCursor d = clang_getTypeDeclaration(forms[i]);
        if (!clang_Cursor_isNull(d) && clang_getCursorKind(d) != CXCursor_NoDeclFound &&
            clang_getCursorKind(clang_getCursorSemanticParent(d)) == CXCursor_FunctionDecl)
            return true;
    }
    return false;
}

/* A type that may stand before a name: `int (*)(int)` may not. */
static const char *declarable(CXType t) {
    const char *s = ast_spelling(t);
    return strpbrk(s, "([") ? mem_printf("__typeof__(%s)", s) : s;
}

static CXType element_of(CXType t) {
    return clang_getArrayElementType(ast_is_array(t) ? t : clang_getCanonicalType(t));
}

void types_element(struct var *v, CXType t) {
    v->elem_type = t;
    v->elem = declarable(t);
    v->elem_plain = declarable(clang_getUnqualifiedType(t));
}

/* Peels arrays off; the outermost extent of what was a pointer is not known. */
static void dimensions(struct var *v, CXType t) {
    while (ast_is_array(clang_getCanonicalType(t)) && v->ndims < MAX_DIMS) {
        long extent = clang_getArraySize(clang_getCanonicalType(t));
        v->dim[v->ndims++] = extent > 0 ? extent : 0;
        t = element_of(t);
    }
    types_element(v, t);
}

struct parameter {
    struct unit *u;
    CXCursor at;
    struct span last; /* expression among its children: inner extents come first */
};

static enum CXChildVisitResult parameter_visit(CXCursor c, CXCursor up, CXClientData data) {
    struct parameter *p = data;
    struct span s;
    (void)up;
    if (clang_isExpression(clang_getCursorKind(c)))
        p->at = c;
    if (clang_isExpression(clang_getCursorKind(c)) && ast_span(p->u, c, &s))
        p->last = s;
    return CXChildVisit_Continue;
}

/* What a parameter's declaration says of the rows. */
static void declared_rows(struct nest *w, struct var *v, CXType t) {
    v->rows = v->dim[0];
    v->dim[0] = 0;
    if (clang_getCanonicalType(t).kind != CXType_VariableArray)
        return;
    struct parameter p = {.u = w->u, .at = clang_getNullCursor()};
    clang_visitChildren(v->decl, parameter_visit, &p);
    v->extent = p.last;
    v->extent_tree = clang_Cursor_isNull(p.at) ? NULL : ast_tree(w->u, p.at);
}

bool type_has_no_name(CXType t) {
    const char *s = ast_spelling(t);
    return strstr(s, "(unnamed") || strstr(s, "(anonymous");
}

/* struct { … } table[9]; of file scope: its type is written by means of the variable. */
static void describe(struct var *v) {
    const char *element = v->name;
    for (int d = 0; d < v->ndims; d++)
        element = mem_printf("%s[0]", element);
    v->elem = mem_printf("__typeof__(%s)", element);
    v->elem_plain = mem_printf("__typeof_unqual__(%s)", element);
    if (v->kind == VAR_SCALAR)
        v->type = v->elem_plain;
}

struct var *capture_var(struct nest *w, CXCursor decl) {
    struct var *v = mem_alloc(sizeof *v);
    CXType t = clang_getCursorType(decl), canonical = clang_getCanonicalType(t);
    *v = (struct var){.decl = decl, .name = ast_name(decl)};
    CXType pointee = clang_getPointeeType(canonical);
    bool is_param = clang_getCursorKind(decl) == CXCursor_ParmDecl;
    if (ast_is_array(canonical)) {
        /* libclang gives a parameter's array type as written although it is a pointer. */
        v->kind = is_param ? VAR_POINTER : VAR_ARRAY;
        dimensions(v, t);
        v->sized = !is_param && canonical.kind != CXType_IncompleteArray;
        if (is_param)
            declared_rows(w, v, t);
    } else if (canonical.kind == CXType_Pointer && pointee.kind != CXType_FunctionProto &&
               pointee.kind != CXType_FunctionNoProto) {
        v->kind = VAR_POINTER;
        v->ndims = 1;
        /* Through a typedef or qualifier the sugared pointee is out of reach. */
        dimensions(v, t.kind == CXType_Pointer ? clang_getPointeeType(t) : pointee);
        if (clang_getCanonicalType(v->elem_type).kind == CXType_Void)
            v->ndims = 0;
    } else {
        v->kind = VAR_SCALAR;
        v->elem_type = t;
        v->type = declarable(clang_getUnqualifiedType(t));
    }
    if (type_has_no_name(v->elem_type) && node_is_global(decl) && !capture_type_is_local(v->elem_type))
        describe(v);
    return v;
}

static enum CXVisitorResult last_visit(CXCursor c, CXClientData data) {
    *(CXType *)data = clang_getCanonicalType(clang_getCursorType(c));
    return CXVisit_Continue;
}

bool type_ends_open(CXType t) {
    CXType last = {.kind = CXType_Invalid};
    t = clang_getCanonicalType(t);
    if (t.kind == CXType_Record)
        clang_Type_visitFields(t, last_visit, &last);
    return last.kind == CXType_Record ? type_ends_open(last)
                                      : last.kind == CXType_IncompleteArray ||
                                            (last.kind == CXType_ConstantArray && clang_getArraySize(last) < 2);
}

static enum CXVisitorResult field_visit(CXCursor c, CXClientData data) {
    bool *found = data;
    *found |= type_holds_pointer(clang_getCursorType(c));
    return *found ? CXVisit_Break : CXVisit_Continue;
}

bool type_holds_pointer(CXType t) {
    bool found = false;
    t = clang_getCanonicalType(t);
    while (ast_is_array(t))
        t = clang_getCanonicalType(clang_getArrayElementType(t));
    if (t.kind == CXType_Record)
        clang_Type_visitFields(t, field_visit, &found);
    return found || t.kind == CXType_Pointer;
}
