/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ sources: what a directive runs is plain C, so that the analyses see all that it does. Everything else that C++
 * has is refused here, one thing at a time: it may call, alias or copy without a word in the text.
 */
#include "function.h"

#include <string.h>

struct check {
    struct unit *u;
    unsigned visit;
    bool ok;
};

static void refuse(struct check *k, const struct node *n, const char *what, const char *way_out) {
    diag_error(k->u, n->b, "%s, and what a directive runs is plain C; %s", what, way_out);
    k->ok = false;
}

static bool is_reference(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind == CXType_LValueReference || t.kind == CXType_RValueReference;
}

static bool is_object(CXType t) {
    t = clang_getCanonicalType(t);
    while (ast_is_array(t))
        t = clang_getCanonicalType(clang_getArrayElementType(t));
    return t.kind == CXType_Record && !clang_isPODType(t);
}

/* Its name alone means nothing where the directive's functions stand. */
static bool is_member_of_scope(CXCursor decl) {
    const CXCursor scope = clang_getCursorSemanticParent(decl);
    const enum CXCursorKind kind = clang_getCursorKind(scope);
    return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
           (kind == CXCursor_Namespace && *ast_name(scope));
}

static void variable(struct check *k, const struct node *n, CXCursor decl) {
    const CXType t = clang_getCursorType(decl);
    const enum CXCursorKind kind = clang_getCursorKind(decl);
    if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl)
        return;
    if (is_reference(t))
        refuse(k, n, mem_printf("'%s' is a reference", ast_name(decl)),
               "use a pointer, or a copy in front of the loop");
    else if (is_object(t))
        refuse(k, n, mem_printf("'%s' is an object of a class", ast_name(decl)),
               "use a pointer to its elements, such as data()");
    else if (is_member_of_scope(decl))
        refuse(k, n, mem_printf("'%s' belongs to a namespace or class", ast_name(decl)),
               "use a copy of it or a pointer to it in front of the loop");
}

static void tree(struct check *k, struct node *n);

static void call(struct check *k, struct node *n) {
    const CXCursor callee = clang_getCursorReferenced(n->c);
    const char *name = ast_name(callee);
    if (clang_Cursor_isNull(callee) || clang_getCursorKind(callee) == CXCursor_VarDecl ||
        clang_getCursorKind(callee) == CXCursor_ParmDecl)
        return; /* through a pointer: the directive says that */
    if (strncmp(name, "operator", 8) == 0 && !strchr("_abcdefghijklmnopqrstuvwxyz", name[8])) {
        refuse(k, n, mem_printf("'%s' is overloaded", name),
               strcmp(name, "operator[]") == 0 ? "use a pointer to the elements, such as data()"
                                               : "write out what it does");
        return;
    }
    if (!clang_Cursor_isNull(clang_getSpecializedCursorTemplate(callee))) {
        refuse(k, n, mem_printf("'%s' is a template", name), "write out what it does, or a function of plain types");
        return;
    }
    if (clang_getCursorKind(callee) == CXCursor_Constructor) {
        refuse(k, n, mem_printf("'%s' is made or copied as a whole, by a constructor", name),
               "set its members, or use a pointer to it");
        return;
    }
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl) {
        refuse(k, n, mem_printf("'%s' is a member of a class", name), "call a plain function");
        return;
    }
    bool references = is_reference(clang_getCursorResultType(callee));
    for (int i = 0; i < clang_Cursor_getNumArguments(callee); i++)
        references |= is_reference(clang_getCursorType(clang_Cursor_getArgument(callee, (unsigned)i)));
    if (references) {
        refuse(k, n, mem_printf("'%s' takes or gives references", name), "let it take pointers or values");
        return;
    }
    struct function *f = function_of(k->u, callee);
    if (f && f->tree && !function_seen(f, k->visit))
        tree(k, f->tree->last);
}

static const char *other(enum CXCursorKind kind, const char **way_out) {
    *way_out = "do it in front of the loop or behind it";
    switch ((int)kind) {
    case CXCursor_LambdaExpr:
        *way_out = "write a plain function";
        return "this is a lambda expression";
    case CXCursor_CXXTryStmt:
    case CXCursor_CXXCatchStmt:
    case CXCursor_CXXThrowExpr:
        *way_out = "set a variable, by a reduction, and throw behind the loop";
        return "exceptions leave the loop";
    case CXCursor_CXXForRangeStmt:
        *way_out = "write for (int i = 0; i < n; i++)";
        return "this loop has no variable that counts";
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXDeleteExpr:
        return "new and delete call constructors and the allocator";
    case CXCursor_CXXThisExpr:
        *way_out = "copy the member to a variable in front of the loop";
        return "this is a member of the object";
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXDynamicCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        *way_out = "write (int)x";
        return "this is a cast of C++";
    case CXCursor_CXXTypeidExpr:
        return "types at run time are not known";
    default:
        return NULL;
    }
}

static void tree(struct check *k, struct node *n) {
    const char *way_out, *what = other(n->kind, &way_out);
    if (what) {
        refuse(k, n, what, way_out);
        return;
    }
    const bool before = k->ok;
    k->ok = true;
    if (n->kind == CXCursor_DeclRefExpr)
        variable(k, n, clang_getCursorReferenced(n->c));
    else if (n->kind == CXCursor_VarDecl)
        variable(k, n, n->c);
    else if (n->kind == CXCursor_CallExpr)
        call(k, n);
    const bool fine = k->ok;
    k->ok &= before;
    for (struct node *c = fine ? n->first : NULL; c; c = c->next)
        tree(k, c);
}

/* ---- where it stands ---- */

struct search {
    struct unit *u;
    size_t at;
    CXCursor found; /* the innermost function around it */
    bool ok, plain;
};

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    struct search *s = data;
    struct span span;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    if (!ast_span(s->u, c, &span) || s->at < span.b || s->at >= span.e)
        return CXChildVisit_Continue;
    if (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_FunctionTemplate ||
        kind == CXCursor_Constructor || kind == CXCursor_Destructor || kind == CXCursor_LambdaExpr) {
        s->found = c;
        s->ok = true;
        s->plain = kind == CXCursor_FunctionDecl && clang_getCursorKind(parent) == CXCursor_TranslationUnit;
    }
    return CXChildVisit_Recurse;
}

static struct node *statement_at(struct node *n, size_t at) {
    for (struct node *c = n->first; c; c = c->next) {
        if (clang_isStatement(c->kind) && c->b == at)
            return c;
        struct node *found = c->b <= at && at < c->e ? statement_at(c, at) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

bool cplusplus_check(struct unit *u, const struct pragma *p) {
    enum { C_ALONE = DIRECTIVE_JOBS | DIRECTIVE_GRAPH | DIRECTIVE_VARIANT };
    struct search s = {.u = u, .at = p->b};
    if (p->directive->bit & C_ALONE) {
        diag_error(u, p->b, "'#pragma heddle %s' is for C; put it into a C file, and call that through extern \"C\"",
                   p->directive->name);
        return false;
    }
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit, &s);
    if (!s.ok)
        return true; /* the directive says that */
    if (!s.plain) {
        diag_error(u, p->b,
                   "in C++ '#pragma heddle %s' stands in a plain function, outside of classes, templates, namespaces, "
                   "lambda expressions and extern \"C\" blocks; put the loop into such a function",
                   p->directive->name);
        return false;
    }
    struct node *root = ast_tree(u, s.found), *n = statement_at(root, p->next);
    struct check k = {u, function_visit(), true};
    if (n && p->directive->bit != DIRECTIVE_TASKWAIT)
        tree(&k, n);
    return k.ok;
}
