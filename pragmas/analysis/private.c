/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables from outside that each iteration sets before it reads them: the loops' own, and scalars. They get
 * declarations inside. What the loops' variables are afterwards is computed by loops without a body; where a
 * scalar's last value is read, that is an error.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "prepare.h"

#include <stdint.h>
#include <string.h>

struct outer { /* a variable */
    CXCursor decl;
    const char *name, *type, *behind; /* behind: an array's brackets, "" */
    VEC(struct node *) mentions;      /* in the loop */
    bool changes, kept;               /* kept: as lastprivate(x) has it */
};

static CXType type_of(CXCursor c) { return clang_getCursorType(c); }

/* Loops of directives inside others' come twice. */
bool prepare_insert(struct prepare *s, size_t at, const char *text) {
    for (size_t i = 0; i < s->edits.n; i++)
        if (s->edits.at[i].b == at && strcmp(s->edits.at[i].text, text) == 0)
            return false;
    vec_push(&s->edits, (struct edit){at, at, text});
    return true;
}

/* ---- which variables ---- */

static bool is_automatic(const struct prepare *s, CXCursor decl) {
    const enum CXCursorKind kind = clang_getCursorKind(decl);
    const enum CX_StorageClass storage = clang_Cursor_getStorageClass(decl);
    if (kind == CXCursor_ParmDecl)
        return true;
    return kind == CXCursor_VarDecl && storage != CX_SC_Static && storage != CX_SC_Extern &&
           clang_equalCursors(clang_getCursorSemanticParent(decl), s->function);
}

/* Its type as it stands before a name; NULL: not so simple. */
static const char *declared_type(CXCursor decl) {
    const CXType t = type_of(decl), canonical = clang_getCanonicalType(t);
    const char *text = ast_spelling(clang_getUnqualifiedType(t));
    if (ast_is_array(canonical) || clang_isVolatileQualifiedType(canonical) || strpbrk(text, "([") ||
        strstr(text, "unnamed") || strstr(text, "anonymous"))
        return NULL;
    return text;
}

static bool is_item(const struct prepare *s, enum clause_id id, const char *name) {
    for (size_t i = 0; i < s->p->clauses.n; i++)
        for (size_t k = 0; s->p->clauses.at[i].id == id && k < s->p->clauses.at[i].items.n; k++)
            if (strcmp(source_flat(&s->u->src, s->p->clauses.at[i].items.at[k].name), name) == 0)
                return true;
    return false;
}

static bool is_hidden(const struct prepare *s, const struct node *n, const char *name) {
    if (ast_is_openmp(n))
        return macros_name(s->u, ast_openmp_statement(s->u, n), name);
    for (const struct node *c = n->first; c; c = c->next)
        if (is_hidden(s, c, name))
            return true;
    return false;
}

/* A directive inside the loop names it: depend(in: x). */
static bool is_named(const struct prepare *s, const char *name) {
    for (size_t i = 0; i < s->u->pragmas->n; i++) {
        const struct pragma *p = &s->u->pragmas->at[i];
        if (p->b > s->root->b && p->b < s->root_end && macros_name(s->u, (struct span){p->name.e, p->e}, name))
            return true;
    }
    return is_item(s, CLAUSE_REDUCTION, name) || is_item(s, CLAUSE_FIRSTPRIVATE, name) ||
           is_item(s, CLAUSE_APPEND, name) || is_item(s, CLAUSE_MAP, name) || is_item(s, CLAUSE_KEEP, name);
}

typedef VEC(struct outer) outer_list;

static struct outer *outer_of(struct prepare *s, outer_list *all, CXCursor decl) {
    for (size_t i = 0; i < all->n; i++)
        if (clang_equalCursors(all->at[i].decl, decl))
            return &all->at[i];
    const enum CXCursorKind kind = clang_getCursorKind(decl);
    const bool common = kind == CXCursor_VarDecl && node_is_global(decl) && own_is_aggregate(decl);
    if ((!is_automatic(s, decl) && !common) || prepare_is_inside(s, decl))
        return NULL;
    struct outer v = {.decl = decl, .name = ast_name(decl), .type = declared_type(decl), .behind = ""};
    if (own_is_aggregate(decl) && !own_declarator(s, decl, &v.type, &v.behind))
        v.type = NULL;
    return vec_push(all, v);
}

static void collect(struct prepare *s, outer_list *all, struct node *n) {
    struct outer *v = n->kind == CXCursor_DeclRefExpr ? outer_of(s, all, clang_getCursorReferenced(n->c)) : NULL;
    if (v) {
        vec_push(&v->mentions, n);
        v->changes |= (capture_access(n) & (ACCESS_WRITE | ACCESS_ADDRESS)) != 0;
    }
    for (struct node *c = n->first; c; c = c->next)
        collect(s, all, c);
}

/* ---- variables of loops ---- */

/* for (v = first; …), written out */
static bool begins(const struct prepare *s, const struct node *loop, const struct outer *v) {
    const struct node *init = ast_children(loop) == 4 ? loop->first : NULL;
    return init && ast_binary(init) == CXBinaryOperator_Assign && nest_is_variable(init->first, v->decl) &&
           !nest_is_mentioned(init->last, v->decl) && refs_is_whole_text(s->u, init, v->name) &&
           refs_is_whole_text(s->u, ast_strip(init->first), v->name) && init->last->b > init->b;
}

/* The loop that a mention belongs to, which sets the variable before and does not change it in its body. */
static struct node *own_loop(const struct prepare *s, struct node *n, const struct outer *v) {
    struct node *found = NULL;
    for (struct node *up = n->up, *below = n; up && ast_contains(s->root, up); below = up, up = up->up) {
        if (up->kind != CXCursor_ForStmt || !begins(s, up, v) || node_changes(up->last, v->decl, NULL))
            continue;
        if (found)
            return NULL; /* twice the same */
        found = up;
        (void)below;
    }
    return found;
}

typedef VEC(struct node *) node_list;

static bool loops_of(const struct prepare *s, const struct outer *v, node_list *loops) {
    for (size_t i = 0; i < v->mentions.n; i++) {
        struct node *loop = own_loop(s, v->mentions.at[i], v);
        bool again = false;
        if (!loop)
            return false;
        for (size_t k = 0; k < loops->n; k++)
            again |= loops->at[k] == loop;
        if (!again)
            vec_push(loops, loop);
    }
    return loops->n != 0;
}

/* Behind the parenthesis that closes a loop's head. */
size_t prepare_head_end(const struct prepare *s, const struct node *loop) {
    struct lexer lx;
    int depth = 0;
    for (lexer_init(&lx, s->u->src.text, loop->b, s->u->src.size); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        depth += lexer_is(&lx, '(');
        if (lexer_is(&lx, ')') && --depth == 0)
            return lx.tok.e;
    }
    return loop->b;
}

static const char *head(const struct prepare *s, const struct node *loop) {
    return source_flat(&s->u->src, (struct span){loop->b, prepare_head_end(s, loop)});
}

/* What shall stand behind the loop, which may be the body of another one. */
static bool append(struct prepare *s, const char *text) {
    const struct node *up = s->root->up;
    if (up->kind != CXCursor_CompoundStmt) {
        if (up->kind != CXCursor_ForStmt && up->kind != CXCursor_WhileStmt)
            return false;
    }
    buf_puts(&s->after, text);
    return true;
}

/* The loops around the innermost one of a perfect nest: is `loop` among them? Its head only knows what is outside. */
static bool is_perfect(const struct prepare *s, const struct node *loop) {
    for (const struct node *n = loop; n != s->root; n = n->up) {
        if (n->up->kind == CXCursor_CompoundStmt ? n->next || n->up->first != n : n->up->kind != CXCursor_ForStmt)
            return false;
        if (n->up->kind == CXCursor_ForStmt && n->up->last != n)
            return false;
    }
    return true;
}

static bool mentions_inner(const struct prepare *s, const struct node *n) {
    for (const struct node *up = s->root; up;
         up = up->last->kind == CXCursor_CompoundStmt ? up->last->first : up->last) {
        struct loop_count c;
        if (up->kind != CXCursor_ForStmt)
            break;
        for (int k = 0; k < 3 && loop_counts((struct node *)(uintptr_t)up, &c); k++)
            if (up != n && nest_is_mentioned(ast_child((struct node *)(uintptr_t)n, k), c.var))
                return true;
        if (up == n)
            break;
    }
    return false;
}

/* What the variable of a loop is behind the directive's: it counts again, in vain. */
static const char *last_value(const struct prepare *s, const struct node *loop) {
    struct loop_count c;
    if (loop == s->root)
        return mem_printf(" %s {}", head(s, loop));
    if (!is_perfect(s, loop) || mentions_inner(s, loop))
        return NULL;
    struct buf text = {0};
    buf_puts(&text, " ");
    for (const struct node *n = s->root; n != loop;
         n = n->last->kind == CXCursor_CompoundStmt ? n->last->first : n->last) {
        struct node *outer = (struct node *)(uintptr_t)n;
        if (!loop_counts(outer, &c))
            return NULL;
        /* one turn is enough: the others do the same */
        buf_printf(&text, "for (%s %s = %s; %s; ) { ", ast_spelling(clang_getUnqualifiedType(type_of(c.var))),
                   ast_name(c.var), unit_text(s->u, c.first),
                   source_flat(&s->u->src, (struct span){ast_child(outer, 1)->b, ast_child(outer, 1)->e}));
    }
    buf_printf(&text, "%s {}", head(s, loop));
    for (const struct node *n = s->root; n != loop;
         n = n->last->kind == CXCursor_CompoundStmt ? n->last->first : n->last)
        buf_puts(&text, " break; }");
    return text.s;
}

static void complain(struct prepare *s, const struct outer *v, const struct node *at) {
    if (at == s->root->first)
        diag_error(
            s->u, at->b,
            "'%s' is declared outside of the loop and read behind it, where there is no room for its last value; "
            "write { } around the loop",
            v->name);
    else
        diag_error(s->u, at->b,
                   "'%s' is declared outside of the loop and read behind it, but its last value there is that of an "
                   "inner loop; set it again before it is read",
                   v->name);
}

static void declare_in_heads(struct prepare *s, const struct outer *v, const node_list *loops) {
    const bool live = live_after(s->root, v->decl);
    const char *last = live && loops->n == 1 ? last_value(s, loops->at[0]) : NULL;
    if (live && (!last || !append(s, last)))
        complain(s, v, loops->at[0]->first);
    for (size_t i = 0; i < loops->n; i++) {
        const size_t at = loops->at[i]->first->b;
        prepare_insert(s, at, mem_printf("%s ", v->type));
    }
    prepare_unused(s, v->decl);
}

/* ---- other variables ---- */

static struct node *common(struct node *a, struct node *b) {
    while (!ast_contains(a, b))
        a = a->up;
    return a;
}

/* The innermost block or loop body around all mentions; NULL: the loop's head has one. */
static struct node *region_of(const struct prepare *s, const struct outer *v) {
    struct node *n = v->mentions.at[0];
    for (size_t i = 1; i < v->mentions.n; i++)
        n = common(n, v->mentions.at[i]);
    for (; n != s->root && ast_contains(s->root, n); n = n->up)
        if (n->kind == CXCursor_CompoundStmt || (n->up->kind == CXCursor_ForStmt && n->up->last == n))
            return n;
    return NULL;
}

static bool declare_in(struct prepare *s, struct node *region, const struct outer *v) {
    const char *text = mem_printf("%s %s%s;", v->type, v->name, v->behind);
    if (region->kind == CXCursor_CompoundStmt) {
        if (s->u->src.text[region->b] != '{')
            return false;
        prepare_insert(s, region->b + 1, mem_printf(" %s", text));
        return true;
    }
    const size_t begin = ast_loop_body(s->u, region->up), end = ast_statement_end(s->u, region, begin);
    const size_t at = prepare_head_end(s, region->up);
    if (prepare_insert(s, at, mem_printf(" { %s", text)))
        vec_push(&s->edits, (struct edit){end, end, " }"});
    return true;
}

/* private(x): that no turn reads what another one left is the user's word. */
static void declare_private(struct prepare *s, const struct outer *v) {
    struct node *region = region_of(s, v);
    const bool aggregate = own_is_aggregate(v->decl);
    const char *called = aggregate ? own_is_called(s, s->root, v->decl, function_visit()) : NULL;
    if (region && (aggregate ? !own_is_proven(s, region, v->decl) : live_reads_first(region, v->decl)))
        region = s->root->last;
    if (region && (aggregate ? own_is_read_later(s, v->decl) : live_after(s->root, v->decl)))
        diag_error(s->u, s->p->b, "'%s' is private and read behind the loop, which gives it no value; %s", v->name,
                   aggregate && node_is_global(v->decl) ? "let the loop write to another one what is wanted later"
                                                        : "lastprivate does");
    else if (called)
        diag_error(s->u, s->p->b,
                   "'%s' is private, but '%s' names it and would see another one; give it as an argument", v->name,
                   called);
    else if (region && declare_in(s, region, v))
        prepare_unused(s, v->decl);
}

static void declare_inside(struct prepare *s, const struct outer *v) {
    struct node *region = region_of(s, v);
    const bool plain = !own_is_aggregate(v->decl), loop = s->p->directive->bit & (DIRECTIVE_FOR | DIRECTIVE_WAVEFRONT);
    if (!region)
        return; /* the directive says what is wrong with it */
    if ((plain ? !live_reads_first(region, v->decl) && !live_after(s->root, v->decl)
               : loop && own_is_proven(s, region, v->decl)) &&
        declare_in(s, region, v))
        prepare_unused(s, v->decl);
}

void prepare_add_after(struct prepare *s) {
    if (*s->close)
        vec_push(&s->edits, (struct edit){s->root_end, s->root_end, s->close});
    const bool body = s->root->up->kind != CXCursor_CompoundStmt;
    if (s->after.n && prepare_insert(s, s->root_end, mem_printf(body ? "%s }" : "%s", s->after.s)) && body) {
        const size_t at = prepare_head_end(s, s->root->up);
        vec_push(&s->edits, (struct edit){at, at, " {"});
    }
}

/* Clauses name variables of the function that the loop uses. */
static void check_items(struct prepare *s, const outer_list *all, enum clause_id id) {
    for (size_t i = 0; i < s->p->clauses.n; i++)
        for (size_t k = 0; s->p->clauses.at[i].id == id && k < s->p->clauses.at[i].items.n; k++) {
            const struct span name = s->p->clauses.at[i].items.at[k].name;
            const char *text = source_flat(&s->u->src, name);
            bool found = false, pointer = false;
            for (size_t v = 0; v < all->n; v++)
                if (strcmp(all->at[v].name, text) == 0) {
                    found |= all->at[v].changes;
                    pointer |= clang_getCanonicalType(type_of(all->at[v].decl)).kind == CXType_Pointer;
                }
            if (!found && pointer)
                diag_error(s->u, name.b,
                           "'%s' is a pointer, and what it points to is no copy of each iteration; declare an array in "
                           "the loop",
                           text);
            else if (!found)
                diag_error(s->u, name.b,
                           "'%s' of '%s', which is no variable of the function that the loop sets; remove it",
                           id == CLAUSE_PRIVATE ? "private" : "lastprivate", text);
        }
}

/* An array that other functions know, or that is read later, and that each iteration fills alike. */
static void keep_array(struct prepare *s, struct outer *v) {
    if (s->p->directive->bit != DIRECTIVE_FOR || !v->changes || !v->type || !*v->behind ||
        is_item(s, CLAUSE_PRIVATE, v->name) || is_hidden(s, s->root, v->name) || is_named(s, v->name) ||
        own_is_proven(s, s->root->last, v->decl) || !own_is_kept(s, v->decl))
        return;
    v->kept = prepare_keep(s, v->decl, v->type, v->behind);
    if (v->kept)
        prepare_unused(s, v->decl);
}

/* Before all others: their blocks are the outermost ones. */
static void keep_last(struct prepare *s, outer_list *all) {
    s->close = "";
    for (size_t i = 0; i < all->n; i++) {
        struct outer *v = &all->at[i];
        if (!is_item(s, CLAUSE_LASTPRIVATE, v->name)) {
            keep_array(s, v);
            continue;
        }
        if (!v->type || is_hidden(s, s->root, v->name) || node_is_global(v->decl) ||
            (!*v->behind && capture_is_shown(s->tree, v->decl)))
            diag_error(
                s->u, s->p->b,
                "'%s' is no scalar or array that only this function knows, so it cannot be lastprivate; copy what "
                "is wanted of it to another variable",
                v->name);
        else if (prepare_last(s, v->decl, v->type, v->behind))
            prepare_unused(s, v->decl);
    }
}

void prepare_variables(struct prepare *s) {
    outer_list all = {0};
    collect(s, &all, s->root);
    check_items(s, &all, CLAUSE_PRIVATE);
    check_items(s, &all, CLAUSE_LASTPRIVATE);
    keep_last(s, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct outer *v = &all.at[i];
        node_list loops = {0};
        if (is_item(s, CLAUSE_LASTPRIVATE, v->name) || v->kept)
            continue;
        const bool aggregate = own_is_aggregate(v->decl), private = is_item(s, CLAUSE_PRIVATE, v->name);
        if (private && !v->type)
            diag_error(s->u, s->p->b, "'%s' has no type that can be written once more; declare it in the loop",
                       v->name);
        if (!v->changes || !v->type || is_hidden(s, s->root, v->name) || is_named(s, v->name) ||
            (!aggregate && !private && capture_is_shown(s->tree, v->decl)))
            continue;
        if (loops_of(s, v, &loops))
            declare_in_heads(s, v, &loops);
        else if (private)
            declare_private(s, v);
        else
            declare_inside(s, v);
    }
    prepare_add_after(s);
}

void prepare_task(struct prepare *s, bool jumps) {
    outer_list all = {0};
    collect(s, &all, s->root);
    check_items(s, &all, CLAUSE_PRIVATE);
    for (size_t i = 0; i < all.n; i++) {
        struct outer *v = &all.at[i];
        const bool named = is_item(s, CLAUSE_PRIVATE, v->name);
        if (named && !v->type)
            diag_error(s->u, s->p->b, "'%s' has no type that can be written once more; declare it in the task",
                       v->name);
        if (!v->changes || !v->type || is_named(s, v->name))
            continue;
        if (named || (!jumps && !is_hidden(s, s->root, v->name) && !capture_is_shown(s->tree, v->decl) &&
                      !live_reads_first(s->root, v->decl) && !live_after(s->root, v->decl)))
            if (declare_in(s, s->root, v))
                prepare_unused(s, v->decl);
    }
}
