/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where pointers point and lvalues are: an object, and the members and subscripts that lead to a part of it. Arrays
 * under different names are different objects, which the run time checks.
 */
#include "proof.h"

#include <string.h>

bool proof_is_inside(const struct proof *o, CXCursor decl) {
    struct span s;
    const CXCursor around = clang_getCursorSemanticParent(decl);
    for (const struct proof_frame *f = o->frame; f; f = f->up)
        if (f->f && clang_equalCursors(clang_getCanonicalCursor(around), clang_getCanonicalCursor(f->f->c)))
            return !node_is_global(decl);
    return ast_span(o->u, decl, &s) && s.b >= o->body->b && s.b < o->body->e && !node_is_global(decl);
}

const struct proof_value *proof_bound(struct proof *o, CXCursor var, CXCursor field) {
    for (size_t i = o->bindings.n; i-- > 0;)
        if (clang_equalCursors(o->bindings.at[i].var, var) && clang_equalCursors(o->bindings.at[i].field, field))
            return &o->bindings.at[i].is;
    return NULL;
}

/* ---- steps ---- */

void proof_lose(struct proof_place *p) { p->fuzzy = true; }

static const struct packed *constant(long k) {
    struct poly p;
    affine_constant(&p, k);
    return proof_pack(&p);
}

static void step(struct proof_place *p, struct proof_step s) {
    if (p->n == PROOF_STEPS)
        proof_lose(p);
    if (!p->fuzzy && !p->cut)
        p->step[p->n++] = s;
}

void proof_add(struct proof_place *p, const struct poly *by) {
    struct poly at;
    if (!by->n && by->ok)
        return;
    if (p->fuzzy || p->cut || !p->n || !p->step[p->n - 1].subscript) {
        proof_lose(p);
        return;
    }
    proof_unpack(p->step[p->n - 1].at, &at);
    affine_add(&at, by, 1);
    p->step[p->n - 1].at = proof_pack(&at);
}

/* May a pointer to the one be used as a pointer to the other, element for element? */
static bool same_element(CXType a, CXType b) {
    if (a.kind == CXType_Invalid || b.kind == CXType_Invalid)
        return true;
    a = clang_getUnqualifiedType(clang_getCanonicalType(a));
    b = clang_getUnqualifiedType(clang_getCanonicalType(b));
    if (clang_equalTypes(a, b))
        return true;
    if (ast_is_array(a) && ast_is_array(b))
        return (clang_getArraySize(a) < 0 || clang_getArraySize(b) < 0 ||
                clang_getArraySize(a) == clang_getArraySize(b)) &&
               same_element(clang_getArrayElementType(a), clang_getArrayElementType(b));
    return a.kind != CXType_Record && b.kind != CXType_Record && !ast_is_array(a) && !ast_is_array(b) &&
           clang_Type_getSizeOf(a) > 0 && clang_Type_getSizeOf(a) == clang_Type_getSizeOf(b);
}

/* The pointer is used as one to `t`. */
static void used_as(struct proof_place *p, CXType t) {
    if (!same_element(p->elem, t))
        proof_lose(p);
}

/* ---- arrays ---- */

struct sizes {
    CXCursor at[MAX_DIMS];
    int n;
};

static enum CXChildVisitResult size_visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct sizes *s = data;
    if (clang_isExpression(clang_getCursorKind(c)) && s->n < MAX_DIMS)
        s->at[s->n++] = c;
    return CXChildVisit_Continue;
}

static int depth_of(CXType t) {
    int depth = 0;
    for (t = clang_getCanonicalType(t); ast_is_array(t); t = clang_getCanonicalType(clang_getArrayElementType(t)))
        depth++;
    return depth;
}

/* The number of elements of the array that the lvalue is; what a declaration's brackets hold comes innermost first. */
static const struct packed *extent_of(struct proof *o, struct node *n) {
    struct poly p = {0};
    struct sizes sizes = {.n = 0};
    const CXType t = ast_type(n);
    const long size = clang_getArraySize(t);
    if (size >= 0)
        return constant(size);
    for (n = ast_strip(n); n && (n->kind == CXCursor_ArraySubscriptExpr || ast_unary(n) == CXUnaryOperator_Deref);
         n = ast_strip(n->first))
        ;
    if (!n || n->kind != CXCursor_DeclRefExpr || t.kind != CXType_VariableArray)
        return proof_pack(&p);
    clang_visitChildren(clang_getCursorReferenced(n->c), size_visit, &sizes);
    if (depth_of(t) <= sizes.n)
        proof_int(o, ast_tree(o->u, sizes.at[depth_of(t) - 1]), &p);
    return proof_pack(&p);
}

/* ---- pointers out of memory ---- */

static bool is_fixed(const struct proof_place *p) {
    struct poly at;
    for (int s = 0; s < p->n; s++) {
        if (!p->step[s].subscript)
            continue;
        proof_unpack(p->step[s].at, &at);
        if (!at.ok || proof_top(&at))
            return false;
    }
    return p->kind == ROOT_SHARED && !p->fuzzy && !p->cut;
}

static const char *key_of(const struct proof_place *p) {
    struct buf b = {0};
    struct poly at;
    buf_puts(&b, p->root);
    for (int s = 0; s < p->n; s++) {
        if (p->step[s].subscript)
            proof_unpack(p->step[s].at, &at);
        buf_printf(&b, p->step[s].subscript ? "[%s]" : ".%s",
                   p->step[s].subscript ? affine_text(&at, "", "") : ast_name(p->step[s].field));
    }
    return b.s;
}

static void points_to(struct proof_place *out, const char *root, CXCursor decl, CXType t) {
    *out = (struct proof_place){
        .kind = ROOT_SHARED, .root = mem_printf("*%s", root), .decl = decl, .elem = ast_pointee(t)};
    step(out, (struct proof_step){.subscript = true, .at = constant(0)});
}

/* Rows of a table, which the run time tells apart: its subscripts are the first ones of theirs. */
static bool is_table(const struct proof *o, const struct proof_place *p) {
    bool found = false;
    for (size_t i = 0; p->kind == ROOT_SHARED && !p->fuzzy && !p->cut && i < o->tables.n; i++)
        found |= clang_equalCursors(o->tables.at[i], p->decl);
    for (int s = 0; s < p->n; s++)
        found &= p->step[s].subscript;
    return found && p->n;
}

static void row(struct proof_place *out, const struct proof_place *table, CXType t) {
    *out = *table;
    out->root = mem_printf("*%s", table->root);
    out->elem = ast_pointee(t);
    step(out, (struct proof_step){.subscript = true, .at = constant(0)});
}

/* What is in the place: known of what does not change while the loop runs. A change would be a dependence, too. */
static void loaded(struct proof *o, const struct proof_place *p, CXType t, struct proof_value *out) {
    struct poly number;
    const struct proof_value *v = NULL;
    t = clang_getCanonicalType(t);
    *out = (struct proof_value){.kind = VALUE_NONE};
    if (p->kind == ROOT_PRIVATE && !p->fuzzy && !p->cut && p->n == 1 && !p->step[0].subscript)
        v = proof_bound(o, p->decl, p->step[0].field);
    if (v) {
        *out = *v;
    } else if (t.kind == CXType_Pointer) {
        out->kind = VALUE_POINTER;
        out->at = (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true};
        if (is_table(o, p))
            row(&out->at, p, t);
        else if (is_fixed(p))
            points_to(&out->at, key_of(p), clang_getNullCursor(), t);
    } else if (is_fixed(p) && ast_is_integer(t)) {
        affine_atom(&number, mem_printf("%s%s", t.kind <= CXType_UInt128 ? "\3" : "", key_of(p)));
        *out = (struct proof_value){.kind = VALUE_INT, .is = proof_pack(&number)};
    }
}

/* ---- lvalues ---- */

bool proof_is_object(const struct node *n) {
    const enum CXCursorKind kind =
        n->kind == CXCursor_DeclRefExpr ? clang_getCursorKind(clang_getCursorReferenced(n->c)) : n->kind;
    return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_ArraySubscriptExpr ||
           kind == CXCursor_MemberRefExpr || ast_unary(n) == CXUnaryOperator_Deref;
}

static void variable(struct proof *o, CXCursor decl, struct proof_place *out) {
    const struct proof_value *v = proof_bound(o, decl, clang_getNullCursor());
    bool private = proof_is_inside(o, decl);
    for (int d = 0; d < o->dims; d++)
    private |= clang_equalCursors(o->loop[d]->var, decl);
    for (size_t i = 0; i < o->privates.n; i++)
    private |= clang_equalCursors(o->privates.at[i], decl);
    if (v && v->kind == VALUE_RECORD)
        *out = v->at;
    else
        *out = (struct proof_place){
            .kind = private ? ROOT_PRIVATE : ROOT_SHARED,
            .decl = decl,
            .root = mem_printf("%s@%u", ast_name(decl), clang_hashCursor(clang_getCanonicalCursor(decl)))};
}

static void subscript(struct proof *o, struct node *n, struct proof_place *out) {
    struct node *base = ast_strip(n->first);
    struct proof_value v;
    struct poly at;
    proof_int(o, n->last, &at);
    if (ast_is_array(ast_type(base)) && proof_is_object(base) &&
        !(base->kind == CXCursor_DeclRefExpr &&
          clang_getCursorKind(clang_getCursorReferenced(base->c)) == CXCursor_ParmDecl)) {
        proof_place(o, base, out);
        step(out, (struct proof_step){.subscript = true, .at = proof_pack(&at), .extent = extent_of(o, base)});
        return;
    }
    proof_value(o, n->first, &v);
    *out = v.at;
    if (v.kind != VALUE_POINTER)
        *out = (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true};
    used_as(out, ast_type(n));
    proof_add(out, &at);
}

/* Members of a union share their place, as bit-fields beside each other may. */
static void member(struct proof *o, struct node *n, struct proof_place *out) {
    struct proof_value v;
    const CXCursor field = clang_getCursorReferenced(n->c);
    if (n->first && ast_type(n->first).kind == CXType_Pointer) {
        proof_value(o, n->first, &v);
        *out = v.kind == VALUE_POINTER ? v.at : (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true};
        used_as(out, ast_pointee(ast_type(n->first)));
    } else if (n->first) {
        proof_place(o, ast_strip(n->first), out);
    } else {
        *out = (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true};
    }
    if (clang_getCursorKind(clang_getCursorSemanticParent(field)) == CXCursor_UnionDecl ||
        clang_Cursor_isBitField(field))
        out->cut = true;
    else
        step(out, (struct proof_step){.field = field});
}

void proof_place(struct proof *o, struct node *n, struct proof_place *out) {
    struct proof_value v;
    n = ast_strip(n);
    *out = (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true};
    if (n->kind == CXCursor_DeclRefExpr) {
        variable(o, clang_getCursorReferenced(n->c), out);
    } else if (n->kind == CXCursor_ArraySubscriptExpr) {
        subscript(o, n, out);
    } else if (n->kind == CXCursor_MemberRefExpr) {
        member(o, n, out);
    } else if (ast_unary(n) == CXUnaryOperator_Deref) {
        proof_value(o, n->first, &v);
        if (v.kind == VALUE_POINTER)
            *out = v.at;
        used_as(out, ast_type(n));
    } else if (n->kind == CXCursor_CompoundLiteralExpr || n->kind == CXCursor_StringLiteral ||
               n->kind == CXCursor_InitListExpr) {
        *out = (struct proof_place){.kind = ROOT_PRIVATE, .decl = clang_getNullCursor()};
    } else if (n->kind == CXCursor_CallExpr || n->kind == CXCursor_ConditionalOperator ||
               n->kind == CXCursor_StmtExpr) {
        *out = (struct proof_place){.kind = ROOT_PRIVATE, .decl = clang_getNullCursor()}; /* a structure by value */
    }
}

/* ---- pointers ---- */

/* An array, as a pointer to its first element. */
static void decayed(struct proof *o, struct node *n, struct proof_value *out) {
    *out = (struct proof_value){.kind = VALUE_POINTER};
    proof_place(o, n, &out->at);
    out->at.elem = ast_pointee(ast_type(n));
    step(&out->at, (struct proof_step){.subscript = true, .loose = true, .at = constant(0), .extent = extent_of(o, n)});
}

static void address(struct proof *o, struct node *n, struct proof_value *out) {
    *out = (struct proof_value){.kind = VALUE_POINTER};
    n = ast_strip(n);
    proof_place(o, n, &out->at);
    out->at.elem = ast_type(n);
    if (out->at.n && out->at.step[out->at.n - 1].subscript)
        out->at.step[out->at.n - 1].loose = true;
}

static void pointer_sum(struct proof *o, struct node *n, struct proof_value *out) {
    struct node *base = n->first, *by = n->last;
    struct poly p, minus;
    const bool decays = ast_type(ast_strip(base)).kind == CXType_Pointer || ast_is_array(ast_type(ast_strip(base)));
    if (!decays) {
        base = n->last;
        by = n->first;
    }
    proof_value(o, base, out);
    proof_int(o, by, &p);
    affine_constant(&minus, 0);
    affine_add(&minus, &p, ast_binary(n) == CXBinaryOperator_Sub ? -1 : 1);
    if (out->kind == VALUE_POINTER) {
        used_as(&out->at, ast_pointee(ast_type(n)));
        proof_add(&out->at, &minus);
    }
}

static void either(struct proof *o, struct node *n, struct proof_value *out) {
    struct proof_value b;
    proof_value(o, ast_child(n, 1), out);
    proof_value(o, ast_child(n, 2), &b);
    if (out->kind != VALUE_POINTER || b.kind != VALUE_POINTER)
        *out = (struct proof_value){.kind = VALUE_NONE};
    else if (out->at.kind == b.at.kind &&
             (b.at.kind == ROOT_PRIVATE || (b.at.kind == ROOT_SHARED && !strcmp(out->at.root, b.at.root))))
        proof_lose(&out->at);
    else
        out->at = (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true};
    out->at.decl = clang_getNullCursor();
}

static void of_variable(struct proof *o, struct node *n, struct proof_value *out) {
    const CXCursor decl = clang_getCursorReferenced(n->c);
    const enum CXCursorKind kind = clang_getCursorKind(decl);
    const struct proof_value *v = proof_bound(o, decl, clang_getNullCursor());
    const CXType t = ast_type(n);
    struct proof_place at;
    *out = (struct proof_value){.kind = VALUE_NONE};
    if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl)
        return;
    if (v) {
        *out = *v;
    } else if (ast_is_array(t) && kind != CXCursor_ParmDecl) {
        decayed(o, n, out);
    } else if (t.kind == CXType_Pointer || ast_is_array(t)) {
        variable(o, decl, &at);
        out->kind = VALUE_POINTER;
        out->at = (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true};
        if (at.kind == ROOT_SHARED)
            points_to(&out->at, at.root, decl, t);
    } else {
        variable(o, decl, &at);
        loaded(o, &at, t, out);
        if (t.kind == CXType_Record)
            *out = (struct proof_value){.kind = VALUE_RECORD, .at = at};
    }
}

void proof_value(struct proof *o, struct node *n, struct proof_value *out) {
    struct poly p;
    struct proof_place at;
    n = ast_strip(n);
    while (n && n->kind == CXCursor_CStyleCastExpr && ast_type(n).kind == CXType_Pointer && n->last)
        n = ast_strip(n->last);
    *out = (struct proof_value){.kind = VALUE_NONE};
    if (!n)
        return;
    for (size_t i = o->results.n; i-- > 0 && n->kind == CXCursor_CallExpr;)
        if (o->results.at[i].call == n) {
            *out = o->results.at[i].is;
            return;
        }
    const CXType t = ast_type(n);
    if (n->kind == CXCursor_DeclRefExpr) {
        of_variable(o, n, out);
    } else if (proof_is_object(n)) {
        if (ast_is_array(t)) {
            decayed(o, n, out);
        } else {
            proof_place(o, n, &at);
            loaded(o, &at, t, out);
            if (t.kind == CXType_Record)
                *out = (struct proof_value){.kind = VALUE_RECORD, .at = at};
        }
    } else if (t.kind == CXType_Pointer && ast_unary(n) >= CXUnaryOperator_PostInc &&
               ast_unary(n) <= CXUnaryOperator_PreDec) {
        proof_value(o, n->first, out); /* of a pointer that moves: somewhere in its object */
    } else if (ast_unary(n) == CXUnaryOperator_AddrOf) {
        address(o, n->first, out);
    } else if (t.kind == CXType_Pointer &&
               (ast_binary(n) == CXBinaryOperator_Add || ast_binary(n) == CXBinaryOperator_Sub)) {
        pointer_sum(o, n, out);
    } else if (t.kind == CXType_Pointer && n->kind == CXCursor_ConditionalOperator && ast_children(n) == 3) {
        either(o, n, out);
    } else if (n->kind == CXCursor_StmtExpr && n->first && n->first->last) {
        proof_value(o, n->first->last, out);
    } else if (n->kind == CXCursor_StringLiteral || n->kind == CXCursor_CompoundLiteralExpr) {
        out->kind = VALUE_POINTER;
        proof_place(o, n, &out->at);
        step(&out->at, (struct proof_step){.subscript = true, .at = constant(0)});
    } else if (n->kind == CXCursor_BinaryOperator &&
               (ast_binary(n) == CXBinaryOperator_Comma || ast_binary(n) == CXBinaryOperator_Assign)) {
        proof_value(o, n->last, out);
    } else if (n->kind == CXCursor_BinaryOperator && t.kind != CXType_Pointer && t.kind != CXType_Record) {
        proof_int(o, n, &p);
        *out = (struct proof_value){.kind = VALUE_INT, .is = proof_pack(&p)};
    }
}
