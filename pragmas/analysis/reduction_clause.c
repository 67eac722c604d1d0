/* SPDX-License-Identifier: Apache-2.0 */
/* The reduction clause: which variables and sections it names, and whether their type fits. */
#include "analysis/capture.h"
#include "analysis/map.h"
#include "prepare.h"

bool reduction_is_number(CXType t) {
    t = clang_getCanonicalType(t);
    return ast_is_integer(t) || t.kind == CXType_Float || t.kind == CXType_Double || t.kind == CXType_LongDouble ||
           t.kind == CXType_Half || t.kind == CXType_Float16;
}

static bool apply_array(struct nest *w, struct var *v, const struct item *item) {
    struct unit *u = w->u;
    if (v->joined || v->map_item) {
        diag_error(u, item->name.b, "'%s' is reduced twice; name it once", v->name);
        return false;
    }
    if (!item->nsections && !v->sized) {
        diag_error(u, item->name.b, "'%s' is a pointer, so its size is not known; write %s[first : count]", v->name,
                   v->name);
        return false;
    }
    v->map_item = item;
    v->joined = true;
    if (item->nsections)
        return map_section(w, v, item);
    map_whole(v);
    return true;
}

static bool undeclared(struct nest *w, const struct clause *c, const char *op, const struct var *v, bool other) {
    const char *type = ast_spelling(clang_getUnqualifiedType(v->elem_type));
    diag_error(w->u, c->arg[0].b,
               "no reduction '%s' of '%s' is declared in this file before the loop%s; write '#pragma omp declare "
               "reduction(%s : %s : omp_out = …) initializer(omp_priv = …)' before the function",
               op, type, other ? ", only of other types" : "", op, type);
    return false;
}

/* By the user's own operator: what the loop does with its copy is the user's, too. */
static bool apply_declared(struct nest *w, const struct clause *c, const struct item *item, struct var *v) {
    struct unit *u = w->u;
    const char *op = source_flat(&u->src, c->arg[0]);
    bool other;
    if (v->kind != VAR_SCALAR || item->nsections) {
        diag_error(u, item->name.b,
                   "'%s' is an array, and '%s' a declared reduction, which joins scalars and structures; put the "
                   "array into a structure",
                   v->name, op);
        return false;
    }
    if (v->reduced) {
        diag_error(u, item->name.b, "'%s' is reduced twice; name it once", v->name);
        return false;
    }
    v->user = place_declared(u, op, w->p->b);
    if (!v->user)
        v->user = declared_find(u, op, w->p->b, v->elem_type, &other);
    v->op = RED_USER;
    v->reduced = v->user != NULL;
    return v->user || undeclared(w, c, op, v, other);
}

static bool apply(struct nest *w, const struct clause *c, const struct item *item) {
    struct unit *u = w->u;
    const char *name = source_flat(&u->src, item->name);
    struct var *v = capture_named(w, item->name);
    enum red_op op = (enum red_op)c->kind;
    if (!v || v->kind == VAR_LOOP || v->sweep) {
        diag_error(u, item->name.b,
                   v ? "'%s' is a loop variable and cannot be reduced"
                     : "'%s' is not used in the nest; remove it from 'reduction'",
                   name);
        return false;
    }
    const bool structure = clang_getCanonicalType(v->elem_type).kind == CXType_Record && v->kind == VAR_SCALAR;
    if (w->p->directive->bit == DIRECTIVE_FOR && (c->kind == RED_USER || structure))
        return apply_declared(w, c, item, v);
    if (c->kind == RED_USER) { /* analysis/place_cell.c wrote what is done with it */
        v->op = RED_USER;
        v->place = c;
        v->reduced = true;
        return true;
    }
    const bool array = v->kind != VAR_SCALAR && w->p->directive->bit == DIRECTIVE_FOR;
    if ((v->kind != VAR_SCALAR && !array) || !reduction_is_number(v->elem_type) || (!array && item->nsections)) {
        diag_error(u, item->name.b,
                   "reduction variable '%s' is not a number%s; reduce into a local variable of "
                   "arithmetic type",
                   name, array ? ", nor an array of numbers" : "");
        return false;
    }
    if (!ast_is_integer(v->elem_type) && op >= RED_AND && op <= RED_XOR) {
        diag_error(u, item->name.b, "reduction operator '%s' needs an integer, but '%s' has type '%s'",
                   clause_op_name(op), name, ast_spelling(v->elem_type));
        return false;
    }
    if (v->reduced) {
        diag_error(u, item->name.b, "'%s' is reduced twice; name it once", name);
        return false;
    }
    v->op = op;
    if (array)
        return apply_array(w, v, item);
    v->reduced = true;
    return true;
}

bool reduction_apply(struct nest *w) {
    bool ok = true;
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_REDUCTION && k < c->items.n; k++)
            ok &= apply(w, c, &c->items.at[k]);
    }
    return ok;
}
