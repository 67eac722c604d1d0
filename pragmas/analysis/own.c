/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays and structures from outside of a loop that each turn fills before it reads them, as it is proven or as
 * private(x) says. Nothing that runs later may read what a turn leaves in them, and nobody else knows their address.
 */
#include "analysis/capture.h"
#include "prepare.h"
#include "assigned.h"

#include <string.h>

enum { MOST = 1 << 20 }; /* bytes on a thread's stack that nobody asked for */

/* ---- how it is declared once more ---- */

bool own_is_aggregate(CXCursor decl) {
    const CXType t = clang_getCanonicalType(clang_getCursorType(decl));
    return clang_getCursorKind(decl) != CXCursor_ParmDecl && (ast_is_array(t) || t.kind == CXType_Record);
}

/* The text of the brackets behind the variable's name. */
static const char *brackets(const struct prepare *s, CXCursor decl) {
    CXFile file = NULL;
    unsigned at = 0;
    struct lexer lx;
    int depth = 0;
    const char *name = ast_name(decl);
    clang_getFileLocation(clang_getCursorLocation(decl), &file, NULL, NULL, &at);
    if (!file || !clang_File_isEqual(file, s->u->file))
        return NULL;
    lexer_init(&lx, s->u->src.text, at, s->u->src.size);
    if (!lexer_is_word(&lx, name))
        return NULL;
    lexer_next(&lx);
    const size_t begin = lx.tok.b;
    size_t end = begin;
    while (lx.tok.kind != TOKEN_END && (depth || lexer_is(&lx, '['))) {
        depth += lexer_is(&lx, '[');
        depth -= lexer_is(&lx, ']');
        end = lx.tok.e;
        lexer_next(&lx);
    }
    return end > begin ? source_flat(&s->u->src, (struct span){begin, end}) : NULL;
}

size_t own_declarator_end(const struct unit *u, size_t name_end) {
    struct lexer lx;
    int depth = 0;
    size_t end = name_end;
    lexer_init(&lx, u->src.text, name_end, u->src.size);
    while (lx.tok.kind != TOKEN_END && (depth || lexer_is(&lx, '['))) {
        depth += lexer_is(&lx, '[');
        depth -= lexer_is(&lx, ']');
        end = lx.tok.e;
        lexer_next(&lx);
    }
    return end;
}

struct sizes {
    const struct prepare *s;
    bool fixed;
};

static enum CXChildVisitResult size_visit(CXCursor c, CXCursor parent, CXClientData data) {
    struct sizes *z = data;
    (void)parent;
    const CXCursor d = clang_getCursorKind(c) == CXCursor_DeclRefExpr ? clang_getCursorReferenced(c) : c;
    const enum CXCursorKind kind = clang_getCursorKind(d);
    if (clang_getCursorKind(c) == CXCursor_CallExpr)
        z->fixed = false;
    if (clang_getCursorKind(c) == CXCursor_DeclRefExpr && (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl))
        z->fixed &= !node_is_global(d) && !node_changes(z->s->tree, d, NULL);
    return CXChildVisit_Recurse;
}

bool own_declarator(const struct prepare *s, CXCursor decl, const char **type, const char **behind) {
    struct buf out = {0};
    bool constant = true;
    const CXType t = clang_getCursorType(decl);
    *behind = "";
    if (!ast_is_array(clang_getCanonicalType(t)))
        return true;
    const struct var *v = capture_var(&(struct nest){.u = s->u}, decl);
    for (int d = 0; d < v->ndims; d++) {
        buf_printf(&out, "[%ld]", v->dim[d]);
        constant &= v->dim[d] > 0;
    }
    if (!v->sized || ast_is_array(clang_getCanonicalType(v->elem_type)) || clang_isConstQualifiedType(v->elem_type) ||
        clang_isVolatileQualifiedType(v->elem_type) || type_has_no_name(v->elem_type))
        return false;
    *type = v->elem_plain;
    *behind = out.s;
    if (constant)
        return true;
    struct sizes z = {s, true};
    clang_visitChildren(decl, size_visit, &z);
    *behind = z.fixed ? brackets(s, decl) : NULL;
    return *behind != NULL;
}

/* ---- what is read ---- */

static bool fills(const struct prepare *s, struct node *region, CXCursor decl) {
    const struct assigned_fixed none = {0};
    return assigned_before_read(s->u, region, capture_var(&(struct nest){.u = s->u}, decl),
                                ast_contains(s->root, region) ? own_fixed(s) : none);
}

static bool is_fixed(const void *of, CXCursor decl) { return prepare_is_fixed(of, decl); }

struct assigned_fixed own_fixed(const struct prepare *s) {
    return keep_knows_calls(s) ? (struct assigned_fixed){is_fixed, s} : (struct assigned_fixed){0};
}

bool own_fills(const struct prepare *s, struct node *region, CXCursor decl) { return fills(s, region, decl); }

/* A block, or the body of a loop: what may be looked at by itself. */
static bool is_region(const struct node *n) {
    return n->kind == CXCursor_CompoundStmt || (n->up && n->up->kind == CXCursor_ForStmt && n->up->last == n);
}

/* The mention reads what the block around it, which does not hold the loop, has written before. */
static bool is_covered(const struct prepare *s, struct node *n, CXCursor decl) {
    for (; n && !ast_contains(n, s->root); n = n->up)
        if (is_region(n) && fills(s, n, decl))
            return true;
    return false;
}

/* Does it run after the loop, as far as the text says? The function may be called again, and have kept the array. */
static bool is_later(const struct prepare *s, const struct node *n, CXCursor decl) {
    if (n->b >= s->root->b || node_is_global(decl))
        return true;
    for (const struct node *up = s->root->up; up; up = up->up)
        if ((up->kind == CXCursor_ForStmt || up->kind == CXCursor_WhileStmt || up->kind == CXCursor_DoStmt) &&
            ast_contains(up, n))
            return true;
    return false;
}

static bool read_later(const struct prepare *s, struct node *n, CXCursor decl) {
    if (n == s->root)
        return false;
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), decl) &&
        !(capture_access(n) & ACCESS_UNEVALUATED) && capture_access(n) != ACCESS_WRITE && is_later(s, n, decl) &&
        !is_covered(s, n, decl))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (read_later(s, c, decl))
            return true;
    return false;
}

bool own_is_read_later(const struct prepare *s, CXCursor decl) { return read_later(s, s->tree, decl); }

/* ---- who else knows it ---- */

static bool shown_outside(const struct prepare *s, struct node *n, CXCursor decl) {
    if (n == s->root)
        return false;
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), decl) &&
        (capture_access(n) & ACCESS_ADDRESS))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (shown_outside(s, c, decl))
            return true;
    return false;
}

struct search {
    const struct prepare *s;
    CXCursor decl;
    bool found;
};

static enum CXChildVisitResult mention_visit(CXCursor c, CXCursor parent, CXClientData data) {
    struct search *f = data;
    (void)parent;
    if (clang_equalCursors(c, f->s->function))
        return CXChildVisit_Continue;
    f->found |=
        clang_getCursorKind(c) == CXCursor_DeclRefExpr &&
        clang_equalCursors(clang_getCanonicalCursor(clang_getCursorReferenced(c)), clang_getCanonicalCursor(f->decl));
    return f->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Other functions of the file, or of other files, name it. */
static bool is_common(const struct prepare *s, CXCursor decl) {
    struct search f = {s, decl, false};
    if (!node_is_global(decl))
        return false;
    if (clang_Cursor_getStorageClass(decl) != CX_SC_Static)
        return true;
    clang_visitChildren(clang_getTranslationUnitCursor(s->u->tu), mention_visit, &f);
    return f.found;
}

static bool is_read(struct node *n, CXCursor decl) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), decl))
        return capture_access(n) & (ACCESS_READ | ACCESS_ADDRESS);
    for (struct node *c = n->first; c; c = c->next)
        if (is_read(c, decl))
            return true;
    return false;
}

/* What no turn reads is a result, even if nobody wants it. */
bool own_may_be(const struct prepare *s, struct node *region, CXCursor decl) {
    return is_read(region, decl) && clang_Type_getSizeOf(clang_getCursorType(decl)) <= MOST &&
           !shown_outside(s, s->tree, decl);
}

bool own_is_proven(const struct prepare *s, struct node *region, CXCursor decl) {
    return own_may_be(s, region, decl) && fills(s, region, decl) && !own_is_read_later(s, decl) && !is_common(s, decl);
}

/* A function that the loop calls names it: it would see another one. */
const char *own_is_called(const struct prepare *s, struct node *n, CXCursor decl, unsigned visit) {
    struct function *f = n->kind == CXCursor_CallExpr ? function_called(s->u, n) : NULL;
    if (f && !function_seen(f, visit)) {
        if (nest_is_mentioned(f->body, decl))
            return f->name;
        const char *name = own_is_called(s, f->body, decl, visit);
        if (name)
            return name;
    }
    for (struct node *c = n->first; c; c = c->next) {
        const char *name = own_is_called(s, c, decl, visit);
        if (name)
            return name;
    }
    return NULL;
}
