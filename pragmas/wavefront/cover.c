/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Definite assignment: from which point on has a cell of an array been written on every path
 * through the body? If nowhere, or if it is read before, the cell's old value is needed.
 */
#include "analysis/refs.h"

#include <string.h>

struct target {
    struct nest *w;
    const struct var *v;
    const char *member; /* NULL: the whole element */
};

static bool is_target(const struct target *t, struct node *lhs) {
    lhs = ast_strip(lhs);
    if (t->member && lhs->kind == CXCursor_MemberRefExpr) {
        if (strcmp(ast_name(lhs->c), t->member) != 0)
            return false;
        lhs = ast_strip(lhs->first);
    }
    struct ref *r = lhs && lhs->kind == CXCursor_ArraySubscriptExpr ? refs_at(t->w, lhs) : NULL;
    return r && r->v == t->v;
}

/* Offset after which the target is written on every path through n; 0: not on every path. */
static size_t defined(const struct target *t, struct node *n) {
    enum CXBinaryOperatorKind op = ast_binary(n);
    if (op == CXBinaryOperator_Assign && is_target(t, n->first))
        return n->e;
    if (n->kind == CXCursor_IfStmt || n->kind == CXCursor_ConditionalOperator) {
        struct node *yes = ast_child(n, 1), *no = ast_child(n, 2);
        size_t in_test = n->first ? defined(t, n->first) : 0;
        if (in_test)
            return in_test;
        return yes && no && defined(t, yes) && defined(t, no) ? n->e : 0;
    }
    if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr || n->kind == CXCursor_ForStmt ||
        n->kind == CXCursor_SwitchStmt)
        return n->first ? defined(t, n->first) : 0;
    if (n->kind == CXCursor_WhileStmt)
        return 0;
    for (struct node *c = n->first; c; c = c->next) {
        size_t at = defined(t, c);
        if (at)
            return at;
    }
    return 0;
}

struct members {
    const struct target *base;
    size_t at;
    bool all;
};

static enum CXVisitorResult each_member(CXCursor field, CXClientData data) {
    struct members *m = data;
    struct target t = *m->base;
    t.member = ast_name(field);
    size_t at = defined(&t, t.w->body);
    m->all = m->all && at;
    m->at = at > m->at ? at : m->at;
    return CXVisit_Continue;
}

size_t refs_defined_at(struct nest *w, const struct var *v) {
    struct target t = {w, v, NULL};
    size_t at = defined(&t, w->body);
    CXType type = clang_getCanonicalType(v->elem_type);
    if (!at && type.kind == CXType_Record) {
        struct members m = {&t, 0, true};
        clang_Type_visitFields(type, each_member, &m);
        at = m.all ? m.at : 0;
    }
    return at && at < w->continue_at ? at : 0;
}
