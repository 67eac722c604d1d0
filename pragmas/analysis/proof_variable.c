/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables of the body and of what it calls. One that is set once stands for its value; a pointer that moves stays in
 * the object that all its values point into; a structure that does not change keeps what it was made of.
 */
#include "analysis/capture.h"
#include "proof.h"

#include <stdlib.h>
#include <string.h>

static CXType type_of(CXCursor c) { return clang_getCanonicalType(clang_getCursorType(c)); }

void proof_bind(struct proof *o, CXCursor var, CXCursor field, const struct proof_value *v) {
    vec_push(&o->bindings, (struct proof_binding){var, field, *v});
}

/* ---- pointers that move ---- */

static bool same_object(const struct proof_place *a, const struct proof_place *b) {
    return a->kind == b->kind && (a->kind == ROOT_PRIVATE || (a->kind == ROOT_SHARED && strcmp(a->root, b->root) == 0));
}

/* Every value that it gets points into the object that the binding has. */
static bool stays(struct proof *o, struct node *n, CXCursor var, const struct proof_place *in) {
    struct proof_value v;
    struct node *up = n->up;
    while (up && up->kind == CXCursor_ParenExpr)
        up = up->up;
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var)) {
        const unsigned access = capture_access(n);
        if (access & ACCESS_ADDRESS)
            return false;
        if (access != ACCESS_WRITE) /* p++ and p += n, too */
            return true;
        proof_value(o, up->last, &v);
        return v.kind == VALUE_POINTER && same_object(&v.at, in);
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!stays(o, c, var, in))
            return false;
    return true;
}

static void moving(struct proof *o, CXCursor var, const struct proof_value *first) {
    struct proof_value v = {.kind = VALUE_POINTER, .at = {.kind = ROOT_UNKNOWN, .fuzzy = true}};
    if (first && first->kind == VALUE_POINTER && first->at.kind != ROOT_UNKNOWN) {
        v = *first;
        v.at.decl = clang_getNullCursor();
        proof_lose(&v.at);
    }
    proof_bind(o, var, clang_getNullCursor(), &v);
    if (v.at.kind != ROOT_UNKNOWN && !stays(o, o->frame->root, var, &v.at))
        o->bindings.at[o->bindings.n - 1].is.at = (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true};
}

/* ---- one assignment ---- */

static bool is_older(const struct packed *p, int axes) {
    for (int i = 0; i < p->n; i++)
        for (int a = 0; a < p->t[i].n; a++)
            if (p->t[i].atom[a][0] == '\1' && p->t[i].atom[a][1] == 'C' && atoi(p->t[i].atom[a] + 2) >= axes)
                return false;
    return true;
}

/* The value is that of one turn of the loops that the variable is declared in: no loop further inside changes it. */
static bool is_settled(const struct proof_value *v, int axes) {
    if (v->kind == VALUE_INT)
        return is_older(v->is, axes);
    for (int s = 0; v->kind == VALUE_POINTER && s < v->at.n; s++)
        if (v->at.step[s].subscript && !is_older(v->at.step[s].at, axes))
            return false;
    return v->kind == VALUE_POINTER;
}

static void value_for(struct proof *o, CXCursor var, struct node *n, struct proof_value *out) {
    struct poly p;
    const CXType t = type_of(var);
    if (t.kind == CXType_Pointer || t.kind == CXType_Record || ast_is_array(t)) {
        proof_value(o, n, out);
        return;
    }
    proof_int(o, n, &p);
    *out = (struct proof_value){.kind = VALUE_INT, .is = proof_pack(&p)};
}

void proof_assigned(struct proof *o, struct node *assignment) {
    const struct node *to = ast_strip(assignment->first);
    struct proof_value v;
    for (size_t i = 0; to->kind == CXCursor_DeclRefExpr && i < o->declared.n; i++) {
        const struct proof_declared *d = &o->declared.at[i];
        if (!clang_equalCursors(d->var, clang_getCursorReferenced(to->c)))
            continue;
        value_for(o, d->var, assignment->last, &v);
        if (is_settled(&v, d->axes))
            proof_bind(o, d->var, clang_getNullCursor(), &v);
    }
}

/* ---- declarations ---- */

static bool is_kept(CXType t) {
    return t.kind == CXType_Pointer || t.kind == CXType_Record || t.kind == CXType_Enum ||
           (t.kind >= CXType_Bool && t.kind <= CXType_Int128);
}

void proof_declare(struct proof *o, CXCursor var, const struct proof_value *first) {
    const CXType t = type_of(var);
    const bool pointer = t.kind == CXType_Pointer || (ast_is_array(t) && clang_getCursorKind(var) == CXCursor_ParmDecl);
    struct node *assignment = NULL;
    if (!pointer && !is_kept(t))
        return;
    const int changes = node_changes(o->frame->root, var, &assignment);
    if (!changes && first && first->kind != VALUE_NONE)
        proof_bind(o, var, clang_getNullCursor(), first);
    else if (changes == 1 && assignment && !first && t.kind != CXType_Record)
        vec_push(&o->declared, (struct proof_declared){var, o->axes});
    else if (pointer && changes && first)
        moving(o, var, first);
}
