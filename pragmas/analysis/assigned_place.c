/* SPDX-License-Identifier: Apache-2.0 */
/* Which element of the array an expression names, and integer expressions as polynomials. */
#include "assigned.h"

#include <string.h>

static bool same(CXCursor a, CXCursor b) {
    return clang_equalCursors(clang_getCanonicalCursor(a), clang_getCanonicalCursor(b));
}

static const struct binding *bound(const struct assigned *a, CXCursor decl) {
    for (size_t i = a->bindings.n; i-- > 0;)
        if (same(a->bindings.at[i].decl, decl))
            return &a->bindings.at[i];
    return NULL;
}

/* ---- what does not change ---- */

static bool is_fixed(const struct assigned *a, CXCursor decl) {
    struct span s;
    const enum CXCursorKind kind = clang_getCursorKind(decl);
    if (a->calls.n || (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl) ||
        clang_isVolatileQualifiedType(clang_getCursorType(decl)) ||
        (ast_span(a->u, decl, &s) && s.b >= a->root->b && s.b < a->root->e))
        return false;
    if (!a->w)
        return (!node_is_global(decl) || node_is_table(decl) || (a->fixed.is && a->fixed.is(a->fixed.of, decl))) &&
               !node_changes(a->root, decl, NULL);
    for (size_t i = 0; i < a->w->vars.n; i++)
        if (same(a->w->vars.at[i]->decl, decl))
            return a->w->vars.at[i]->kind != VAR_LOOP && !a->w->vars.at[i]->reduced && !a->w->vars.at[i]->private;
    return true;
}

/* A variable from outside, or what stands for it in a function: its name. */
static const char *outside(const struct assigned *a, const struct node *n) {
    const CXCursor decl = clang_getCursorReferenced(n->c);
    const struct binding *b = n->kind == CXCursor_DeclRefExpr ? bound(a, decl) : NULL;
    if (b)
        return b->text;
    return n->kind == CXCursor_DeclRefExpr && is_fixed(a, decl) ? ast_name(decl) : NULL;
}

/* s.n, and p->n where p points to what nobody changes */
static const char *member(const struct assigned *a, struct node *n) {
    if (n->kind != CXCursor_MemberRefExpr)
        return outside(a, n);
    struct node *base = n->first ? ast_strip(n->first) : NULL;
    const char *text = base ? member(a, base) : NULL;
    const CXType t = base ? clang_getCanonicalType(clang_getCursorType(base->c)) : (CXType){.kind = CXType_Invalid};
    if (!text || (t.kind == CXType_Pointer && !clang_isConstQualifiedType(clang_getPointeeType(t))))
        return NULL;
    return mem_printf("%s%s%s", text, t.kind == CXType_Pointer ? "->" : ".", ast_name(n->c));
}

static void leaf(void *of, struct node *n, struct poly *out) {
    const struct binding *b = n->kind == CXCursor_DeclRefExpr ? bound(of, clang_getCursorReferenced(n->c)) : NULL;
    const char *text = NULL;
    if (b && !b->pointer && !b->text)
        *out = b->value;
    else if ((n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_MemberRefExpr) &&
             affine_is_integer(clang_getCursorType(n->c)))
        text = member(of, n);
    if (text)
        affine_atom(out, text);
}

void assigned_value(struct assigned *a, struct node *n, struct poly *out) {
    affine_read(&(struct affine_names){.of = a, .leaf = leaf}, n, out);
}

/* ---- elements ---- */

static struct element origin(void) {
    struct element p = {0};
    for (int d = 0; d < MAX_DIMS; d++)
        p.at[d].ok = true;
    return p;
}

/* The array itself: a variable, or a pointer in one, s.out */
static bool is_whole(const struct assigned *a, const struct node *n) {
    const char *path = "";
    for (; n && n->kind == CXCursor_MemberRefExpr; n = n->first ? ast_strip(n->first) : NULL)
        path = mem_printf(".%s%s", ast_name(n->c), path);
    return n && n->kind == CXCursor_DeclRefExpr && same(clang_getCursorReferenced(n->c), a->v->decl) &&
           strcmp(path, a->member) == 0;
}

bool assigned_is_target(const struct assigned *a, const struct node *n) {
    if (n->kind != CXCursor_DeclRefExpr && n->kind != CXCursor_MemberRefExpr)
        return false;
    const struct binding *b = n->kind == CXCursor_DeclRefExpr ? bound(a, clang_getCursorReferenced(n->c)) : NULL;
    return b ? b->pointer : is_whole(a, n);
}

static bool same_type(CXType x, CXType y) {
    if (x.kind == CXType_Invalid || y.kind == CXType_Invalid)
        return false;
    x = clang_getCanonicalType(clang_getUnqualifiedType(x));
    y = clang_getCanonicalType(clang_getUnqualifiedType(y));
    if (ast_is_array(x) && ast_is_array(y))
        return (clang_getArraySize(x) == clang_getArraySize(y) || clang_getArraySize(x) < 0 ||
                clang_getArraySize(y) < 0) &&
               same_type(clang_getArrayElementType(x), clang_getArrayElementType(y));
    return clang_equalTypes(x, y);
}

static bool is_sum(const struct node *n) {
    return ast_binary(n) == CXBinaryOperator_Add || ast_binary(n) == CXBinaryOperator_Sub;
}

static void move(struct assigned *a, struct element *p, struct node *by, long sign) {
    struct poly n;
    assigned_value(a, by, &n);
    if (p->level < MAX_DIMS)
        affine_add(&p->at[p->level], &n, sign);
}

bool assigned_pointer(struct assigned *a, struct node *n, struct element *p) {
    n = ast_strip(n);
    if (!n)
        return false;
    const bool target = assigned_is_target(a, n);
    if (target && n->kind == CXCursor_DeclRefExpr && bound(a, clang_getCursorReferenced(n->c))) {
        *p = bound(a, clang_getCursorReferenced(n->c))->place;
        return true;
    }
    if (target) {
        *p = origin();
        return a->rank > 0;
    }
    if (n->kind == CXCursor_CStyleCastExpr)
        return n->last &&
               same_type(ast_pointee(clang_getCursorType(n->c)),
                         ast_pointee(clang_getCursorType(ast_strip(n->last)->c))) &&
               assigned_pointer(a, n->last, p);
    if (is_sum(n)) {
        struct node *by = n->last;
        if (!assigned_pointer(a, n->first, p)) {
            by = n->first;
            if (ast_binary(n) != CXBinaryOperator_Add || !assigned_pointer(a, n->last, p))
                return false;
        }
        move(a, p, by, ast_binary(n) == CXBinaryOperator_Add ? 1 : -1);
        return true;
    }
    if (ast_unary(n) == CXUnaryOperator_AddrOf) {
        if (!assigned_lvalue(a, n->first, p) || p->field || p->part || !p->level)
            return false;
        p->level--;
        return true;
    }
    if (!ast_is_array(clang_getCanonicalType(clang_getCursorType(n->c))) || !assigned_lvalue(a, n, p))
        return false;
    p->part |= p->level == a->rank;
    return true;
}

static void close_dimension(struct assigned *a, struct element *p) {
    if (p->level < a->rank)
        p->level++;
    else
        p->part = true;
}

static bool field(struct assigned *a, struct node *n, struct element *p) {
    const CXCursor decl = clang_getCursorReferenced(n->c);
    if (!n->first)
        return false;
    if (clang_getCanonicalType(clang_getCursorType(n->first->c)).kind == CXType_Pointer) {
        if (!assigned_pointer(a, n->first, p))
            return false;
        close_dimension(a, p);
    } else if (!assigned_lvalue(a, n->first, p)) {
        return false;
    }
    p->part |= p->field != NULL || p->level < a->rank ||
               clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_UnionDecl;
    p->field = p->field ? p->field : ast_name(decl);
    return true;
}

bool assigned_lvalue(struct assigned *a, struct node *n, struct element *p) {
    n = ast_strip(n);
    if (!n)
        return false;
    if (!a->rank && assigned_is_target(a, n)) {
        *p = origin();
        return true;
    }
    if (n->kind == CXCursor_MemberRefExpr && !assigned_is_target(a, n))
        return field(a, n, p);
    const bool subscript = n->kind == CXCursor_ArraySubscriptExpr;
    if ((!subscript && ast_unary(n) != CXUnaryOperator_Deref) || !assigned_pointer(a, n->first, p))
        return false;
    if (subscript && !p->part)
        move(a, p, n->last, 1);
    close_dimension(a, p);
    return true;
}

/* ---- variables ---- */

void assigned_bind(struct assigned *a, CXCursor decl, struct node *scope, struct node *value) {
    struct binding b = {.decl = decl};
    const CXType t = clang_getCanonicalType(clang_getCursorType(decl));
    const bool changed = node_changes(scope, decl, NULL),
               array = clang_getCursorKind(decl) == CXCursor_ParmDecl && ast_is_array(t);
    struct node *stripped = ast_strip(value);
    b.pointer = (t.kind == CXType_Pointer || array) && assigned_pointer(a, value, &b.place);
    if (b.pointer) {
        a->failed |= changed || !same_type(ast_pointee(t), ast_pointee(clang_getCursorType(stripped->c)));
    } else if (changed) {
        return;
    } else if (affine_is_integer(t)) {
        assigned_value(a, value, &b.value);
    } else if (stripped) {
        b.text = outside(a, stripped);
    }
    if (b.pointer || b.value.ok || b.text)
        vec_push(&a->bindings, b);
}
