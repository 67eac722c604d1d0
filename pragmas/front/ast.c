/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tree of libclang cursors with parent links and offsets into the main file. libclang offers
 * visiting only, and every question asked later ("what is this assigned to?") needs the parents.
 * Offsets of code that comes out of a macro's body are those of the macro's use.
 */
#include "front/macros.h"
#include "front/ast.h"

#include <string.h>

bool ast_span(struct unit *u, CXCursor c, struct span *out) {
    CXSourceRange r = clang_getCursorExtent(c);
    CXFile f1 = NULL, f2 = NULL;
    unsigned b = 0, e = 0;
    clang_getFileLocation(clang_getRangeStart(r), &f1, NULL, NULL, &b);
    clang_getFileLocation(clang_getRangeEnd(r), &f2, NULL, NULL, &e);
    CXFile spelled = NULL;
    unsigned at = 0;
    clang_getSpellingLocation(clang_getRangeEnd(r), &spelled, NULL, NULL, &at);
    *out = (struct span){b, e};
    if (!f1 || !f2 || !clang_File_isEqual(f1, u->file) || !clang_File_isEqual(f2, u->file))
        return false;
    *out = expansion_cover(u, *out, at != e || !spelled || !clang_File_isEqual(spelled, f2));
    return true;
}

struct build {
    struct unit *u;
    struct node *up;
};

static enum CXChildVisitResult build_visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct build *build = data;
    struct node *n = mem_alloc(sizeof *n);
    struct span s;
    *n = (struct node){.c = c, .kind = clang_getCursorKind(c), .up = build->up};
    if (ast_span(build->u, c, &s)) {
        n->b = s.b;
        n->e = s.e;
    } else {
        n->b = build->up->b;
        n->e = build->up->e;
    }
    if (n->up->last)
        n->up->last->next = n;
    else
        n->up->first = n;
    n->up->last = n;
    clang_visitChildren(c, build_visit, &(struct build){build->u, n});
    return CXChildVisit_Continue;
}

struct node *ast_tree(struct unit *u, CXCursor c) {
    struct node *n = mem_alloc(sizeof *n);
    struct span s = {0, 0};
    ast_span(u, c, &s);
    *n = (struct node){.c = c, .kind = clang_getCursorKind(c), .b = s.b, .e = s.e};
    clang_visitChildren(c, build_visit, &(struct build){u, n});
    return n;
}

struct node *ast_strip(struct node *n) {
    while (n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr) && n->first && !n->first->next)
        n = n->first;
    return n;
}

struct node *ast_child(struct node *n, int index) {
    struct node *c = n ? n->first : NULL;
    while (c && index-- > 0)
        c = c->next;
    return c;
}

int ast_children(const struct node *n) {
    int count = 0;
    for (const struct node *c = n->first; c; c = c->next)
        count++;
    return count;
}

bool ast_contains(const struct node *outer, const struct node *inner) {
    for (; inner; inner = inner->up)
        if (inner == outer)
            return true;
    return false;
}

/* libclang evaluates a variable to its initial value, which is not what is meant here. */
static bool mentions_variable(const struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr &&
        clang_getCursorKind(clang_getCursorReferenced(n->c)) != CXCursor_EnumConstantDecl)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (mentions_variable(c))
            return true;
    return false;
}

bool ast_constant(struct node *n, long *value) {
    if (!n || !clang_isExpression(n->kind) || mentions_variable(n))
        return false;
    if (!ast_is_integer(ast_type(n)))
        return false;
    CXEvalResult r = clang_Cursor_Evaluate(n->c);
    if (!r)
        return false;
    bool ok = clang_EvalResult_getKind(r) == CXEval_Int;
    if (ok)
        *value = (long)clang_EvalResult_getAsLongLong(r);
    clang_EvalResult_dispose(r);
    return ok;
}

static const char *kept(CXString s) {
    const char *text = clang_getCString(s);
    char *copy = mem_strndup(text ? text : "", text ? strlen(text) : 0);
    clang_disposeString(s);
    return copy;
}

const char *ast_name(CXCursor c) { return kept(clang_getCursorSpelling(c)); }

const char *ast_spelling(CXType t) { return kept(clang_getTypeSpelling(t)); }

enum CXBinaryOperatorKind ast_binary(const struct node *n) {
    return n->kind == CXCursor_BinaryOperator || n->kind == CXCursor_CompoundAssignOperator
               ? clang_getCursorBinaryOperatorKind(n->c)
               : CXBinaryOperator_Invalid;
}

enum CXUnaryOperatorKind ast_unary(const struct node *n) {
    return n->kind == CXCursor_UnaryOperator ? clang_getCursorUnaryOperatorKind(n->c) : CXUnaryOperator_Invalid;
}

bool ast_is_assignment(const struct node *n) {
    return ast_binary(n) == CXBinaryOperator_Assign || n->kind == CXCursor_CompoundAssignOperator;
}

bool ast_is_array(CXType t) {
    return t.kind == CXType_ConstantArray || t.kind == CXType_VariableArray || t.kind == CXType_IncompleteArray;
}

/* clang's extents leave the ';' of an expression statement out, at any depth of nesting. */
size_t ast_statement_end(struct unit *u, struct node *n, size_t begin) {
    struct node *leaf = n;
    while (leaf->last &&
           (leaf->kind == CXCursor_ForStmt || leaf->kind == CXCursor_IfStmt || leaf->kind == CXCursor_WhileStmt ||
            leaf->kind == CXCursor_SwitchStmt || leaf->kind == CXCursor_LabelStmt))
        leaf = leaf->last;
    if (leaf->kind == CXCursor_CompoundStmt || leaf->kind == CXCursor_NullStmt || leaf->kind == CXCursor_DeclStmt)
        return n->e;
    /* Inside a macro's argument n->e is no place for a ';': go on until the parentheses close. */
    struct lexer lx;
    int depth = 0;
    for (lexer_init(&lx, u->src.text, begin, u->src.size); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        depth += lexer_is(&lx, '(') || lexer_is(&lx, '{');
        depth -= lexer_is(&lx, ')') || lexer_is(&lx, '}');
        if (depth < 0)
            break;
        if (depth == 0 && lx.tok.b >= n->e && lexer_is(&lx, ';'))
            return lx.tok.e;
    }
    return n->e;
}

/* Where the text of a loop's body begins: behind the parenthesis that closes the loop's head. */
size_t ast_loop_body(struct unit *u, struct node *loop) {
    struct lexer lx;
    int depth = 0;
    for (lexer_init(&lx, u->src.text, loop->b, u->src.size); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        depth += lexer_is(&lx, '(');
        if (lexer_is(&lx, ')') && --depth == 0)
            return lexer_skip_blank(u->src.text, lx.tok.e, u->src.size);
    }
    return loop->last->b;
}

bool ast_is_openmp(const struct node *n) {
    return n->kind >= CXCursor_OMPParallelDirective && clang_isStatement(n->kind) && n->kind != CXCursor_DeclStmt;
}

bool ast_has_openmp(const struct node *n) {
    if (ast_is_openmp(n))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (ast_has_openmp(c))
            return true;
    return false;
}

struct span ast_openmp_statement(const struct unit *u, const struct node *n) {
    struct span span = {scan_directive_end(&u->src, n->b), n->e};
    for (struct node *c = n->first; c; c = c->next)
        span.e = c->e > span.e ? c->e : span.e;
    return span;
}

bool ast_is_integer(CXType t) {
    t = clang_getCanonicalType(t);
    return (t.kind >= CXType_Bool && t.kind <= CXType_Int128) || t.kind == CXType_Enum;
}

CXType ast_type(const struct node *n) { return clang_getCanonicalType(clang_getCursorType(n->c)); }

CXType ast_pointee(CXType t) {
    t = clang_getCanonicalType(t);
    return clang_getCanonicalType(ast_is_array(t) ? clang_getArrayElementType(t) : clang_getPointeeType(t));
}

/* ---- by place ---------------------------------------------------------------------------------------------------- */
struct function_search {
    struct unit *u;
    size_t offset;
    CXCursor *found;
    bool ok;
};

static enum CXChildVisitResult visit_function(CXCursor c, CXCursor parent, CXClientData data) {
    struct function_search *s = data;
    struct span span;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c) || !ast_span(s->u, c, &span) ||
        s->offset < span.b || s->offset >= span.e)
        return CXChildVisit_Continue;
    *s->found = c;
    s->ok = true;
    return CXChildVisit_Break;
}

bool ast_function_at(struct unit *u, size_t offset, CXCursor *found) {
    struct function_search s = {.u = u, .offset = offset, .found = found};
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit_function, &s);
    return s.ok;
}

struct node *ast_at(struct node *n, enum CXCursorKind kind, size_t offset) {
    for (struct node *c = n->first; c; c = c->next) {
        if (c->kind == kind && c->b == offset)
            return c;
        struct node *found = c->b <= offset && offset < c->e ? ast_at(c, kind, offset) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

bool ast_same_value(struct node *a, struct node *b) {
    long x, y;
    a = ast_strip(a);
    b = ast_strip(b);
    if (ast_constant(a, &x) && ast_constant(b, &y))
        return x == y;
    if (a->kind != b->kind || ast_children(a) != ast_children(b) || ast_unary(a) != ast_unary(b) ||
        ast_binary(a) != ast_binary(b) || ast_is_assignment(a))
        return false;
    switch ((int)a->kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        if (!clang_equalCursors(clang_getCursorReferenced(a->c), clang_getCursorReferenced(b->c)))
            return false;
        break;
    case CXCursor_UnaryOperator:
        if (ast_unary(a) <= CXUnaryOperator_PreDec)
            return false;
        break;
    case CXCursor_BinaryOperator:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_CStyleCastExpr:
        break;
    default:
        return false;
    }
    for (struct node *c = a->first, *d = b->first; c; c = c->next, d = d->next)
        if (!ast_same_value(c, d))
            return false;
    return true;
}

/* ---- by name ---------------------------------------------------------------------------------------------------- */
int ast_mentions(const struct node *n, CXCursor decl) {
    int count = n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), decl);
    for (const struct node *c = n->first; c; c = c->next)
        count += ast_mentions(c, decl);
    return count;
}

struct node *ast_declaration(struct node *n, CXCursor decl) {
    if (clang_isDeclaration(n->kind) && clang_equalCursors(n->c, decl))
        return n;
    for (struct node *c = n->first; c; c = c->next) {
        struct node *found = ast_declaration(c, decl);
        if (found)
            return found;
    }
    return NULL;
}

bool ast_hides(const struct node *n, CXCursor decl) {
    for (const struct node *c = n->first; c; c = c->next)
        if ((clang_isDeclaration(c->kind) && !clang_equalCursors(c->c, decl) &&
             strcmp(ast_name(c->c), ast_name(decl)) == 0) ||
            ast_hides(c, decl))
            return true;
    return false;
}

bool ast_hides_any(const struct node *n, struct node *value) {
    if (value->kind == CXCursor_DeclRefExpr && ast_hides(n, clang_getCursorReferenced(value->c)))
        return true;
    for (struct node *c = value->first; c; c = c->next)
        if (ast_hides_any(n, c))
            return true;
    return false;
}
