/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lastprivate(x): the last iteration leaves its value behind a pointer to x, whose section belongs to the chunk that
 * holds that iteration.
 */
#include "prepare.h"

#include <string.h>

static const struct node *declaration(const struct node *n, CXCursor decl) {
    if (clang_equalCursors(n->c, decl))
        return n;
    for (const struct node *c = n->first; c; c = c->next) {
        const struct node *found = declaration(c, decl);
        if (found)
            return found;
    }
    return NULL;
}

/* Behind the variable's declaration, or where the function begins. */
static size_t behind(const struct prepare *s, CXCursor decl) {
    const struct node *n = declaration(s->tree, decl);
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

static const char *text_of(const struct prepare *s, const struct node *n) {
    return source_flat(&s->u->src, (struct span){n->b, n->e});
}

bool prepare_last(struct prepare *s, CXCursor decl, const char *type) {
    struct loop_count c;
    long constant;
    const char *name = ast_name(decl), *pointer = mem_printf("%s_last", name), *step = "1";
    const size_t at = behind(s, decl);
    if (!at || !loop_counts(s->root, &c) || c.sooner || clause_find(s->p, CLAUSE_COLLAPSE) || goes_on(s->root->last) ||
        clang_equalCursors(decl, c.var) || strstr(s->u->src.text, pointer)) {
        diag_error(s->u, s->p->b,
                   "lastprivate(%s) needs one loop that counts, without collapse and continue, and the name '%s' free",
                   name, pointer);
        return false;
    }
    if (c.step)
        step = ast_constant(c.step, &constant) ? mem_printf("%ld", constant < 0 ? -constant : constant)
                                               : text_of(s, c.step);
    const char *compare = c.down ? c.open ? ">" : ">=" : c.open ? "<" : "<=", *bound = text_of(s, c.bound);
    const char sign = c.down ? '-' : '+';
    prepare_insert(s, at, mem_printf(" %s *%s = &%s;", type, pointer, name));
    prepare_insert(s, s->p->name.e,
                   mem_printf(" map(tofrom: %s[0 : !(heddle_lo %c heddle_count * (%s) %s (%s))])", pointer, sign, step,
                              compare, bound));
    /* around all that the body gets besides */
    prepare_insert(s, prepare_head_end(s, s->root), mem_printf(" { %s %s;", type, name));
    s->close = mem_printf(" if (!(%s %c (%s) %s (%s))) %s[0] = %s; }%s", ast_name(c.var), sign, step, compare, bound,
                          pointer, name, s->close);
    return true;
}
