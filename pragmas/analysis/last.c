/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lastprivate(x): the last iteration leaves its value behind a pointer to x, whose section belongs to the chunk that
 * holds that iteration.
 */
#include "analysis/capture.h"
#include "assigned.h"
#include "prepare.h"

#include <string.h>

/* Behind the variable's declaration, or where the function begins. */
static size_t behind_declaration(const struct prepare *s, CXCursor decl) {
    const struct node *n = ast_declaration(s->tree, decl);
    if (!n && node_is_global(decl) && s->tree->last->kind == CXCursor_CompoundStmt)
        return s->tree->last->b + 1;
    if (n && n->up->kind == CXCursor_DeclStmt && n->up->up->kind == CXCursor_CompoundStmt)
        return n->up->e;
    return n && n->kind == CXCursor_ParmDecl && s->tree->last->kind == CXCursor_CompoundStmt ? s->tree->last->b + 1 : 0;
}

static bool goes_on(const struct node *n) {
    if (n->kind == CXCursor_ContinueStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (c->kind != CXCursor_ForStmt && c->kind != CXCursor_WhileStmt && c->kind != CXCursor_DoStmt && goes_on(c))
            return true;
    return false;
}

/* All elements of an array; 0: not constant. 1: a scalar. */
static long elements(CXCursor decl) {
    const struct var *v = capture_var(&(struct nest){.u = NULL}, decl);
    long n = 1;
    for (int d = 0; v->kind == VAR_ARRAY && d < v->ndims; d++)
        n *= v->dim[d];
    return n;
}

static const char *missing_in(const struct node *n, unsigned line, CXCursor decl) {
    if (live_reads_first(n, decl) && n->kind != CXCursor_SwitchStmt)
        return mem_printf("line %u may read it before it is set", line);
    if (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt)
        return mem_printf("nothing shows that the loop in line %u has a turn and comes to it", line);
    if (n->kind == CXCursor_SwitchStmt)
        return mem_printf("the switch in line %u has no 'default', or a case that leaves it as it is", line);
    if (n->kind == CXCursor_IfStmt && !n->first->next->next)
        return mem_printf("the 'if' in line %u has no 'else' that sets it", line);
    if (n->kind == CXCursor_IfStmt)
        return mem_printf("a branch of the 'if' in line %u does not set it", line);
    return mem_printf("line %u sets it on some ways only", line);
}

/* The first statement that has to do with the variable, and does not set it on every way. */
static const char *missing(const struct prepare *s, CXCursor decl) {
    const struct node *body = s->root->last;
    for (const struct node *c = body->kind == CXCursor_CompoundStmt ? body->first : body; c; c = c->next)
        if (ast_mentions(c, decl))
            return missing_in(c, source_line(&s->u->src, c->b), decl);
    return "no statement sets it";
}

/* The serial program keeps what an earlier iteration left where the last one sets nothing. */
static bool is_set(const struct prepare *s, CXCursor decl) {
    if (!own_is_aggregate(decl) ? live_is_set(s->root->last, decl)
                                : assigned_wholly(s->u, s->root->last, capture_var(&(struct nest){.u = s->u}, decl)))
        return true;
    const bool all = own_is_aggregate(decl);
    diag_error(
        s->u, s->p->b,
        "lastprivate(%s): nothing shows that each iteration sets%s '%s' on every way before it reads it, and what "
        "the last one does not set would have no value%s%s; set it at the beginning of the body",
        ast_name(decl), all ? " all of" : "", ast_name(decl), all ? "" : ": ", all ? "" : missing(s, decl));
    return false;
}

struct last {
    CXCursor decl;
    const char *name, *pointer, *type, *behind;
    size_t at; /* of the pointer's declaration */
    long n;
    struct loop_count count;
};

static bool fits(const struct prepare *s, CXCursor decl, struct last *l) {
    l->decl = decl;
    l->name = ast_name(decl);
    l->pointer = mem_printf("%s_last", l->name);
    l->at = behind_declaration(s, decl);
    l->n = elements(decl);
    return l->at && l->n && loop_counts(s->root, &l->count) && !l->count.sooner &&
           !clause_find(s->p, CLAUSE_COLLAPSE) && !goes_on(s->root->last) && !clang_equalCursors(decl, l->count.var) &&
           !strstr(s->u->src.text, l->pointer);
}

/* first: the last iteration begins with what was there */
static void write_last(struct prepare *s, const struct last *l, bool first) {
    long constant;
    const struct loop_count c = l->count;
    const char *name = l->name, *pointer = l->pointer, *type = l->type, *behind = l->behind, *step = "1";
    const size_t at = l->at;
    const long n = l->n;
    if (c.step)
        step = ast_constant(c.step, &constant) ? mem_printf("%ld", constant < 0 ? -constant : constant)
                                               : unit_text(s->u, c.step);
    const char *compare = c.down ? c.open ? ">" : ">=" : c.open ? "<" : "<=", *bound = unit_text(s->u, c.bound);
    const char sign = c.down ? '-' : '+';
    prepare_insert(s, at,
                   *behind ? mem_printf(" %s *%s = (%s *)%s;", type, pointer, type, name)
                           : mem_printf(" %s *%s = &%s;", type, pointer, name));
    prepare_insert(s, s->p->name.e,
                   mem_printf(" map(tofrom: %s[0 : %s!(heddle_lo %c heddle_count * (%s) %s (%s))])", pointer,
                              *behind ? mem_printf("%ld * ", n) : "", sign, step, compare, bound));
    const char *is_last = mem_printf("if (!(%s %c (%s) %s (%s)))", ast_name(c.var), sign, step, compare, bound);
    const char *enter =
        !first ? ""
               : mem_printf(" %s for (long %s_at = 0; %s_at < %ld; %s_at++) ((%s *)%s)[%s_at] = %s[%s_at];", is_last,
                            name, name, n, name, type, name, name, pointer, name);
    /* around all that the body gets besides */
    prepare_insert(s, prepare_head_end(s, s->root), mem_printf(" { %s %s%s;%s", type, name, behind, enter));
    const char *leave = mem_printf("%s[0] = %s;", pointer, name);
    if (*behind)
        leave = mem_printf("for (long %s_at = 0; %s_at < %ld; %s_at++) %s[%s_at] = ((%s *)%s)[%s_at];", name, name, n,
                           name, pointer, name, type, name, name);
    s->close = mem_printf(" %s %s }%s", is_last, leave, s->close);
}

bool prepare_last(struct prepare *s, CXCursor decl, const char *type, const char *behind) {
    struct last l = {.type = type, .behind = behind};
    if (!fits(s, decl, &l)) {
        diag_error(s->u, s->p->b,
                   "lastprivate(%s) needs one loop that counts, without collapse and continue, and the name '%s' free",
                   l.name, l.pointer);
        return false;
    }
    if (!is_set(s, decl))
        return false;
    write_last(s, &l, false);
    return true;
}

bool prepare_keep(struct prepare *s, CXCursor decl, const char *type, const char *behind) {
    struct last l = {.type = type, .behind = behind};
    if (!fits(s, decl, &l) || l.count.step)
        return false;
    write_last(s, &l, !assigned_wholly(s->u, s->root->last, capture_var(&(struct nest){.u = s->u}, decl)));
    return true;
}
