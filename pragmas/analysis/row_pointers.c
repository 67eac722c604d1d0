/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers that a turn sets once, as to its row: T *row = a + i * n. Where they lead is written out, row[j] as
 * a[(long)(i * n) + (j)], so that subscripts say what a turn touches.
 */
#include "induction.h"
#include "analysis/capture.h"
#include "analysis/refs.h"

#include <string.h>

struct row {
    struct prepare *s;
    CXCursor var;
    struct node *scope; /* the block whose statements may name it */
    const char *base;   /* what it points into ... */
    struct buf first;   /* ... and from where on: numbers, as text with their signs */
    bool memory;        /* part of that is read from memory */
    VEC(size_t) seen;   /* where it is named: an argument that a macro uses twice is one */
    edit_list edits;
};

/* ---- its value ---- */

static bool is_variable(CXCursor d) {
    const enum CXCursorKind kind = clang_getCursorKind(d);
    return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

/* Calls that may change memory. */
static bool calls(struct unit *u, struct node *n) {
    if (n->kind == CXCursor_CallExpr && !function_only_reads(u, n))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (calls(u, c))
            return true;
    return false;
}

/* It has one value as long as the pointer is there. */
static bool stays(const struct row *r, struct node *n) {
    const CXCursor d = clang_getCursorReferenced(n->c);
    const CXType t = clang_getCanonicalType(clang_getCursorType(d));
    if (clang_getCursorKind(d) == CXCursor_EnumConstantDecl)
        return true;
    if (!is_variable(d) || clang_isVolatileQualifiedType(t) || !refs_is_whole_text(r->s->u, n, ast_name(d)))
        return false;
    if (ast_is_array(t) && clang_getCursorKind(d) == CXCursor_VarDecl)
        return true;
    return !node_changes(r->scope, d, NULL) && !capture_is_shown(r->s->tree, d) &&
           (!node_is_global(d) || !calls(r->s->u, r->scope));
}

static bool is_number(struct row *r, struct node *n);

/* a[i], a number that the loop leaves as it is */
static bool is_element(struct row *r, struct node *n) {
    struct node *base = ast_strip(n->first);
    const CXType t = ast_type(n), array = ast_type(base);
    const bool is_byte = clang_Type_getSizeOf(t) == 1; /* of any object */
    r->memory = true;
    return base->kind == CXCursor_DeclRefExpr && !clang_isVolatileQualifiedType(t) && n->last->b >= base->e &&
           stays(r, base) && is_number(r, n->last) &&
           (!is_byte || (ast_is_array(array) && !node_changes(r->s->root, clang_getCursorReferenced(base->c), NULL))) &&
           !prepare_may_change(r->s, t);
}

/* Numbers, variables, and what is read from memory that stays as it is. */
static bool is_number(struct row *r, struct node *n) {
    long k;
    n = ast_strip(n);
    if (ast_constant(n, &k) || n->kind == CXCursor_UnaryExpr) /* sizeof */
        return true;
    if (!ast_is_integer(ast_type(n)))
        return false;
    if (n->kind == CXCursor_DeclRefExpr)
        return stays(r, n);
    if (n->kind == CXCursor_CStyleCastExpr)
        return n->last && is_number(r, n->last);
    if (n->kind == CXCursor_ArraySubscriptExpr)
        return is_element(r, n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    const bool sum = op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub || op == CXBinaryOperator_Mul ||
                     op == CXBinaryOperator_Div || op == CXBinaryOperator_Rem;
    return sum && is_number(r, n->first) && is_number(r, n->last);
}

static bool add(struct row *r, struct node *number, char sign) {
    long k;
    if (!is_number(r, number))
        return false;
    if (ast_constant(number, &k) && !k)
        return true;
    if (r->first.n || sign == '-')
        buf_printf(&r->first, r->first.n ? " %c " : "%c", sign);
    buf_printf(&r->first, "(long)(%s)", unit_text(r->s->u, number));
    return true;
}

/* a, a[i]: rows of arrays, and pointers in them. Who points to A[0] in every turn means all of A, not its row 0. */
static bool is_base(struct row *r, struct node *n) {
    long k;
    n = ast_strip(n);
    if (n->kind == CXCursor_DeclRefExpr)
        return stays(r, n);
    if (n->kind != CXCursor_ArraySubscriptExpr || n->last->b < n->first->e || !is_number(r, n->last) ||
        (ast_is_array(ast_type(n)) && ast_constant(n->last, &k)))
        return false;
    r->memory |= ast_type(n).kind == CXType_Pointer;
    return is_base(r, n->first);
}

/* base + number + number …, &base[number] */
static bool is_place(struct row *r, struct node *n) {
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) {
        const bool turned = op == CXBinaryOperator_Add && ast_is_integer(ast_type(n->first));
        return is_place(r, turned ? n->last : n->first) &&
               add(r, turned ? n->first : n->last, op == CXBinaryOperator_Add ? '+' : '-');
    }
    if (ast_unary(n) == CXUnaryOperator_AddrOf) {
        struct node *of = ast_strip(n->first);
        return of->kind == CXCursor_ArraySubscriptExpr && of->last->b >= of->first->e && is_place(r, of->first) &&
               add(r, of->last, '+');
    }
    r->base = unit_text(r->s->u, n);
    return is_base(r, n);
}

static bool same_elements(CXType pointer, CXType place) {
    return clang_equalTypes(clang_getUnqualifiedType(ast_pointee(pointer)),
                            clang_getUnqualifiedType(ast_pointee(place)));
}

/* ---- its mentions ---- */

static bool replace(struct row *r, size_t b, size_t e, const char *text) {
    if (memchr(r->s->u->src.text + b, '\n', e - b))
        return false;
    vec_push(&r->edits, (struct edit){b, e, text});
    return true;
}

/* row[j] or *row */
static bool mention(struct row *r, struct node *n) {
    const char *text = r->s->u->src.text;
    struct node *up = n->up;
    for (size_t i = 0; i < r->seen.n; i++)
        if (r->seen.at[i] == n->b)
            return true;
    vec_push(&r->seen, n->b);
    if (up->kind == CXCursor_UnexposedExpr)
        up = up->up;
    if (!refs_is_whole_text(r->s->u, n, ast_name(r->var)))
        return false;
    if (ast_unary(up) == CXUnaryOperator_Deref && text[up->b] == '*' && up->e == n->e)
        return replace(r, up->b, up->e, mem_printf("%s[%s]", r->base, r->first.n ? r->first.s : "0"));
    if (up->kind != CXCursor_ArraySubscriptExpr || up->b != n->b || up->last->b < n->e || text[up->e - 1] != ']')
        return false;
    if (!r->first.n)
        return replace(r, n->b, n->e, r->base);
    if (!ast_mentions(up->last, r->var))
        return replace(r, up->b, up->e, mem_printf("%s[%s + (%s)]", r->base, r->first.s, unit_text(r->s->u, up->last)));
    return replace(r, n->b, n->e, r->base) && replace(r, up->last->b, up->last->b, mem_printf("%s + (", r->first.s)) &&
           replace(r, up->last->e, up->last->e, ")");
}

static bool mentions(struct row *r, struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), r->var))
        return mention(r, n);
    for (struct node *c = n->first; c; c = c->next)
        if (!mentions(r, c))
            return false;
    return true;
}

/* How often the text names it: in other directives, too, and in typeof. */
static size_t words(const struct row *r, size_t b) {
    struct lexer lx;
    size_t n = 0;
    for (lexer_init(&lx, r->s->u->src.text, b, r->scope->e); lx.tok.kind != TOKEN_END; lexer_next(&lx))
        n += lexer_is_word(&lx, ast_name(r->var));
    return n;
}

/* All that follow are written out, and there is one at least. */
static bool mentions_behind(struct row *r, struct node *statement) {
    for (struct node *c = statement->next; c; c = c->next)
        if (!mentions(r, c))
            return false;
    return r->seen.n && words(r, ast_statement_end(r->s->u, statement, statement->b)) == r->seen.n;
}

/* ---- one pointer ---- */

static bool begin(struct row *r, struct prepare *s, CXCursor var, struct node *scope) {
    const CXType t = clang_getCanonicalType(clang_getCursorType(var));
    *r = (struct row){.s = s, .var = var, .scope = scope};
    return t.kind == CXType_Pointer && !clang_isVolatileQualifiedType(t) && !node_is_global(var) &&
           clang_Cursor_getStorageClass(var) != CX_SC_Static && !prepare_is_named(s, ast_name(var));
}

static bool leads(struct row *r, struct node *value) {
    return is_place(r, value) && same_elements(clang_getCursorType(r->var), ast_type(ast_strip(value))) &&
           !ast_hides_any(r->scope, value) &&
           (!r->memory || (!calls(r->s->u, r->scope) && !prepare_may_change(r->s, clang_getCursorType(r->var))));
}

/* What stood there goes; its lines stay. */
static void take_out(struct prepare *s, size_t b, size_t e) {
    struct buf lines = {0};
    for (size_t i = b; i < e; i++)
        if (s->u->src.text[i] == '\n')
            buf_puts(&lines, "\n");
    vec_push(&s->edits, (struct edit){b, e, lines.n ? lines.s : ""});
}

static void keep(struct prepare *s, const struct row *r) {
    for (size_t i = 0; i < r->edits.n; i++)
        vec_push(&s->edits, r->edits.at[i]);
}

/* T *a = …, *b = …; all of them, or none */
static bool declared(struct prepare *s, struct node *statement) {
    edit_list edits = {0};
    if (memchr(s->u->src.text + statement->b, '#', statement->e - statement->b))
        return false;
    for (struct node *d = statement->first; d; d = d->next) {
        struct row r;
        if (d->kind != CXCursor_VarDecl || !d->last || !clang_isExpression(d->last->kind) ||
            !begin(&r, s, d->c, statement->up) || !leads(&r, d->last) || node_changes(r.scope, r.var, NULL))
            return false;
        for (struct node *other = d->next; other; other = other->next)
            if (ast_mentions(other, d->c))
                return false;
        if (!mentions_behind(&r, statement))
            return false;
        for (size_t i = 0; i < r.edits.n; i++)
            vec_push(&edits, r.edits.at[i]);
    }
    take_out(s, statement->b, statement->e);
    keep(s, &(struct row){.edits = edits});
    return true;
}

/* row = …; of a variable that nothing else sets in the loop, and whose value nobody wants behind it */
static bool assigned(struct prepare *s, struct node *statement) {
    struct row r;
    struct node *to = ast_binary(statement) == CXBinaryOperator_Assign ? ast_strip(statement->first) : NULL;
    const CXCursor var =
        to && to->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(to->c) : clang_getNullCursor();
    if (!to || !is_variable(var) || !begin(&r, s, var, statement->up) || capture_is_shown(s->tree, var) ||
        node_changes(s->root, var, NULL) != 1 || live_after(s->root, var) || !leads(&r, statement->last) ||
        !mentions_behind(&r, statement))
        return false;
    int behind = 0;
    for (struct node *c = statement->next; c; c = c->next)
        behind += ast_mentions(c, var);
    if (ast_mentions(s->root, var) != behind + 1)
        return false;
    take_out(s, statement->b, ast_statement_end(s->u, statement, statement->b));
    keep(s, &r);
    prepare_unused(s, var);
    return true;
}

static bool any_in(struct prepare *s, struct node *n) {
    for (struct node *c = n->first; c; c = c->next) {
        const bool in_block = n->kind == CXCursor_CompoundStmt;
        if (in_block && (c->kind == CXCursor_DeclStmt ? declared(s, c) : assigned(s, c)))
            return true;
        if (any_in(s, c))
            return true;
    }
    return false;
}

bool prepare_row_pointers(struct prepare *s) { return !ast_has_openmp(s->root) && any_in(s, s->root->last); }
