/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls: a function whose body is here is gone through with the values of its arguments. Where that would go too deep,
 * it may touch all that its pointers lead to; what has no body here may touch anything.
 */
#include "analysis/capture.h"
#include "proof.h"

#include <string.h>

enum { MAX_DEPTH = 12, MAX_VISITS = 300000 };

static CXType type_of(CXCursor c) { return clang_getCanonicalType(clang_getCursorType(c)); }

static void anything(struct proof *o, struct node *n, bool writes) {
    struct proof_place at = {.kind = ROOT_UNKNOWN, .fuzzy = true};
    proof_record(o, n, &at, writes ? ACCESS_READ | ACCESS_WRITE : ACCESS_READ);
}

/* All that a pointer, or one inside a structure, leads to. */
static void reaches(struct proof *o, struct node *n, bool writes) {
    struct proof_value v;
    const CXType t = type_of(n->c);
    if (t.kind != CXType_Pointer && !ast_is_array(t)) {
        if (type_holds_pointer(t))
            anything(o, n, writes);
        return;
    }
    proof_value(o, n, &v);
    if (v.kind != VALUE_POINTER || type_holds_pointer(clang_getPointeeType(t))) {
        anything(o, n, writes);
        return;
    }
    proof_lose(&v.at);
    proof_record(o, n, &v.at, writes ? ACCESS_READ | ACCESS_WRITE : ACCESS_READ);
}

static void summary(struct proof *o, struct node *call, struct function *g) {
    functions_analyse(o->u);
    if (g->uses_globals)
        anything(o, call, g->stores);
    for (struct node *c = call->first ? call->first->next : NULL; c; c = c->next)
        reaches(o, c, g->stores && !function_takes_const(call, c));
}

/* ---- memcpy and its like ---- */

static void moved(struct proof *o, struct node *call, struct node *to, struct node *bytes, unsigned access) {
    struct proof_value v;
    struct poly size, at, one;
    const CXType elem = clang_getPointeeType(type_of(ast_strip(to)->c));
    const CXType t =
        ast_is_array(type_of(ast_strip(to)->c)) ? clang_getArrayElementType(type_of(ast_strip(to)->c)) : elem;
    const long long width = clang_Type_getSizeOf(t);
    struct proof_limit *before = o->limits;
    proof_value(o, to, &v);
    if (v.kind != VALUE_POINTER) {
        anything(o, call, access & ACCESS_WRITE);
        return;
    }
    proof_int(o, bytes, &size);
    bool whole = width > 0 && v.at.n && v.at.step[v.at.n - 1].subscript;
    for (int i = 0; whole && i < size.n; i++)
        whole = size.t[i].k % width == 0;
    if (whole) {
        for (int i = 0; i < size.n; i++)
            size.t[i].k /= width;
        affine_atom(&at, proof_axis(o));
        affine_constant(&one, 1);
        affine_add(&size, &at, -1);
        affine_add(&size, &one, -1);
        proof_limit(o, &at);
        proof_limit(o, &size);
        proof_add(&v.at, &at);
    } else if (v.at.n && v.at.step[v.at.n - 1].subscript) {
        proof_lose(&v.at);
    }
    proof_record(o, to, &v.at, access);
    o->limits = before;
}

static void memory(struct proof *o, struct node *call, const char *name) {
    struct node *to = ast_child(call, 1), *from = ast_child(call, 2), *bytes = ast_child(call, 3);
    if (!bytes) {
        anything(o, call, true);
        return;
    }
    moved(o, call, to, bytes, ACCESS_WRITE);
    if (!strstr(name, "set"))
        moved(o, call, from, bytes, ACCESS_READ);
}

/* ---- functions ---- */

static bool is_running(const struct proof *o, const struct function *g) {
    for (const struct proof_frame *f = o->frame; f; f = f->up)
        if (f->f == g)
            return true;
    return false;
}

static int returns_of(const struct node *n) {
    int count = n->kind == CXCursor_ReturnStmt;
    for (const struct node *c = n->first; c; c = c->next)
        count += returns_of(c);
    return count;
}

static void argument(struct proof *o, CXCursor parameter, struct node *n, struct proof_value *out) {
    struct poly p;
    const CXType t = type_of(parameter);
    if (t.kind == CXType_Pointer || t.kind == CXType_Record || ast_is_array(t)) {
        proof_value(o, n, out);
        return;
    }
    proof_int(o, n, &p);
    *out = (struct proof_value){.kind = VALUE_INT, .is = proof_pack(&p)};
}

static void inside(struct proof *o, struct node *call, struct function *g) {
    VEC(struct proof_value) values = {0};
    struct proof_frame f = {.f = g,
                            .root = g->body,
                            .site = o->frame->site ? o->frame->site
                                    : g->in_file   ? NULL
                                                   : call};
    const size_t bindings = o->bindings.n, declared = o->declared.n;
    struct node *n = call->first->next;
    for (struct node *p = g->tree->first; p && n; p = p->next) {
        struct proof_value v;
        if (p->kind != CXCursor_ParmDecl)
            continue;
        argument(o, p->c, n, &v);
        vec_push(&values, v);
        n = n->next;
    }
    struct proof_frame *up = o->frame;
    f.up = up;
    o->frame = &f; /* whose parameters they are */
    size_t k = 0;
    for (struct node *p = g->tree->first; p && k < values.n; p = p->next)
        if (p->kind == CXCursor_ParmDecl)
            proof_declare(o, p->c, &values.at[k++]);
    o->frame = up;
    o->depth++;
    proof_frame(o, &f);
    o->depth--;
    o->bindings.n = bindings;
    o->declared.n = declared;
    if (returns_of(g->body) == 1 && f.returns == 1)
        vec_push(&o->results, (struct proof_result){call, f.result});
}

/* What free() gets is gone, what is printed is read. */
static void shown(struct proof *o, struct node *call, bool frees) {
    for (struct node *c = call->first->next; c; c = c->next)
        if (frees || !strstr(ast_spelling(type_of(c->c)), "_IO_FILE"))
            reaches(o, c, frees);
}

/* sincos(x, &s, &c): each pointer leads to one number, which is set. */
static bool splits(const char *name) {
    static const char *const names[] = {"sincos", "frexp", "modf", "remquo"};
    if (strncmp(name, "__builtin_", 10) == 0)
        name += 10;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        if (strncmp(name, names[i], n) == 0 && (!name[n] || ((name[n] == 'f' || name[n] == 'l') && !name[n + 1])))
            return true;
    }
    return false;
}

static void parts(struct proof *o, struct node *call) {
    for (struct node *c = call->first->next; c; c = c->next) {
        struct proof_value v;
        if (type_of(c->c).kind != CXType_Pointer)
            continue;
        proof_value(o, c, &v);
        if (v.kind == VALUE_POINTER)
            proof_record(o, c, &v.at, ACCESS_WRITE);
        else
            anything(o, c, true);
    }
}

void proof_call(struct proof *o, struct node *n) {
    const CXCursor callee = function_callee(n);
    const char *name = clang_Cursor_isNull(callee) ? "" : ast_name(callee);
    struct function *g = function_called(o->u, n);
    for (struct node *c = n->first ? n->first->next : NULL; c; c = c->next)
        proof_visit(o, c);
    if (function_is_memory(name))
        memory(o, n, name);
    else if (!g && function_is_allocation(name))
        vec_push(&o->results, (struct proof_result){
                                  n, {.kind = VALUE_POINTER, .at = {.kind = ROOT_PRIVATE, .elem = type_of(n->c)}}});
    else if (!g && (function_is_output(name) || !strcmp(name, "free")))
        shown(o, n, *name == 'f' && name[1] == 'r');
    else if (!g && splits(name))
        parts(o, n);
    else if (!g && !function_ends(name) && !function_is_pure(callee))
        anything(o, n, true);
    else if (g && (is_running(o, g) || o->depth >= MAX_DEPTH || o->visits > MAX_VISITS))
        summary(o, n, g);
    else if (g)
        inside(o, n, g);
}

/* ---- OpenMP ---- */

/* Of the statement only the variables can be seen. */
void proof_hidden(struct proof *o, struct node *n) {
    for (struct node *c = n->first; c; c = c->next) {
        const CXCursor decl = c->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(c->c) : clang_getNullCursor();
        const enum CXCursorKind kind = clang_getCursorKind(decl);
        if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && ast_name(decl)[0] != '.') {
            const CXType t = type_of(decl), elem = clang_getCanonicalType(ast_is_array(t) ? clang_getArrayElementType(t)
                                                                                          : clang_getPointeeType(t));
            if (t.kind == CXType_Pointer || ast_is_array(t))
                reaches(o, c, !clang_isConstQualifiedType(elem));
            else
                proof_visit(o, c);
        }
        proof_hidden(o, c);
    }
}
