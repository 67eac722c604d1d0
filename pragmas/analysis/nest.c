/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the loop nest behind a pragma and checks its form: two perfectly nested canonical loops (three with
 * sweeps), `for (T i = lo; i < hi; i++)`, unit stride, rectangular, and no way out but the end.
 */
#include "analysis/capture.h"
#include "function.h"
#include "batch.h"
#include "normal.h"
#include "prepare.h"

#include <string.h>

struct search {
    struct unit *u;
    size_t offset;
    CXCursor found;
    struct span span;
    bool ok;
};

/* The outermost statement that starts where the pragma's next token stands. */
static enum CXChildVisitResult statement_visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct search *s = data;
    struct span span;
    if (clang_isStatement(clang_getCursorKind(c)) && ast_span(s->u, c, &span) && span.b == s->offset) {
        s->found = c;
        s->span = span;
        s->ok = true;
        return CXChildVisit_Break;
    }
    return CXChildVisit_Recurse;
}

const struct clause *nest_clause(const struct nest *w, enum clause_id id) { return clause_find(w->p, id); }

static bool find_function(struct nest *w) {
    const struct function *f = function_around(w->u, w->p->b);
    if (!f) {
        diag_error(w->u, w->p->b, "'#pragma heddle %s' outside a function; put it before the loop",
                   w->p->directive->name);
        return false;
    }
    w->function = f->c;
    w->function_name = f->name;
    w->function_begin = f->begin;
    return true;
}

/* libclang shows nothing of the statement behind an OpenMP directive that it does not know. */
static bool stands_there(const struct nest *w) {
    const char *text = w->u->src.text + w->p->next;
    return w->p->next + 3 < w->u->src.size && strncmp(text, "for", 3) == 0 && (text[3] == ' ' || text[3] == '(');
}

static bool find_loop(struct nest *w) {
    struct search s = {.u = w->u, .offset = w->p->next};
    clang_visitChildren(w->function, statement_visit, &s);
    if (!s.ok || clang_getCursorKind(s.found) != CXCursor_ForStmt) {
        diag_error(w->u, s.ok || w->p->next < w->u->src.size ? w->p->next : w->p->b,
                   stands_there(w)
                       ? "the loop of '#pragma heddle %s' belongs to an OpenMP directive and cannot be seen there; put "
                         "it into a function of its own, or take that directive away: heddle's start threads by "
                         "themselves, and 'omp target enter data' and 'exit data' stand for 'omp target data'"
                       : "expected a 'for' loop after '#pragma heddle %s'; move the pragma to the line before the loop",
                   w->p->directive->name);
        return false;
    }
    if (w->u->src.text[s.span.b] != 'f' || strncmp(w->u->src.text + s.span.b, "for", 3) != 0) {
        diag_error(w->u, s.span.b, "the loop comes out of a macro; write the 'for' out");
        return false;
    }
    w->root = ast_tree(w->u, s.found);
    return true;
}

static bool fail(struct nest *w, size_t offset, const char *what, const char *way_out) {
    diag_error(w->u, offset, "not a canonical loop: %s; %s", what, way_out);
    return false;
}

bool nest_is_variable(struct node *n, CXCursor var) {
    n = ast_strip(n);
    return n && n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var);
}

bool nest_check_apart(struct nest *w, const struct node *variable, const struct node *n, const char *what) {
    if (variable->e <= n->b || n->e <= variable->b)
        return true;
    return fail(w, n->b, mem_printf("the %s comes out of a macro together with the loop variable", what),
                "write one of them out");
}

/* i < j; i++, j-- */
static bool meets_another(const struct node *init) {
    struct node *loop = init->up, *test = loop && ast_children(loop) == 4 ? ast_strip(ast_child(loop, 1)) : NULL;
    const enum CXBinaryOperatorKind op = test ? ast_binary(test) : CXBinaryOperator_Invalid;
    if (op < CXBinaryOperator_LT || op > CXBinaryOperator_NE)
        return false;
    for (struct node *side = test->first; side; side = side->next)
        if (ast_strip(side)->kind != CXCursor_DeclRefExpr ||
            !node_changes(ast_child(loop, 2), clang_getCursorReferenced(ast_strip(side)->c), NULL))
            return false;
    return true;
}

bool nest_loop_init(struct nest *w, struct node *init, struct loop *l) {
    static const char way_out[] = "write for (int i = first; …)";
    const char *const amount =
        w->p->directive->bit == DIRECTIVE_FOR ? ", or let the head add a constant to each of them" : "";
    if (meets_another(init))
        return fail(w, init->b, "its test compares two variables that it changes, and no bound stays where it is",
                    "count with one, for (int i = 0; i < n / 2; i++), and compute the other from it, j = n - 1 - i");
    if (ast_binary(ast_strip(init)) == CXBinaryOperator_Comma)
        return fail(w, init->b, "it sets more than its variable",
                    mem_printf("set the others before the loop%s", amount));
    if (init->kind != CXCursor_DeclStmt)
        return fail(w, init->b, "the loop variable is declared outside", way_out);
    struct node *var = init->first;
    if (!var || var->next || var->kind != CXCursor_VarDecl)
        return fail(w, init->b, "it declares more than its variable",
                    mem_printf("declare the others before the loop%s", amount));
    CXType t = clang_getCanonicalType(clang_getCursorType(var->c));
    if (t.kind == CXType_Pointer)
        return fail(w, var->b, "the loop variable is a pointer",
                    "count with an integer, for (long i = 0; i < n; i++), and write a[i] for what it points to");
    if (t.kind < CXType_Char_U || t.kind > CXType_LongLong)
        return fail(w, var->b, "the loop variable is not an integer", way_out);
    struct node *value = var->last;
    if (!value || !clang_isExpression(value->kind))
        return fail(w, var->b, "the loop variable has no first value", way_out);
    l->var = var->c;
    l->name = ast_name(var->c);
    l->type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(var->c)));
    l->lo = (struct span){value->b, value->e};
    l->first = value;
    if (value->b <= var->b)
        return fail(w, init->b, mem_printf("the first value of '%s' comes out of a macro together with it", l->name),
                    "write one of them out");
    return true;
}

static bool loop_test(struct nest *w, struct node *test, struct loop *l) {
    struct loop_count c = {.var = l->var};
    if (!loop_bound(test, &c) || c.down)
        return fail(w, ast_strip(test)->b,
                    mem_printf("the test is not '%s < bound' or '%s <= bound'", l->name, l->name),
                    "rewrite the test that way");
    if (!ast_is_integer(ast_type(ast_strip(c.bound))))
        return fail(w, c.bound->b, "the bound is not an integer", "compute it before the loop");
    l->open = c.open;
    l->hi = (struct span){c.bound->b, c.bound->e};
    l->bound = c.bound;
    return nest_check_apart(w, c.variable, c.bound, "bound");
}

static bool loop_increment(struct nest *w, struct node *inc, struct loop *l) {
    struct loop_count c = {.var = l->var};
    bool down;
    long step = 1;
    if (loop_step(inc, &c, &down) && !down && (!c.step || (ast_constant(c.step, &step) && step == 1)))
        return true;
    return fail(w, ast_strip(inc)->b, "the stride is not 1",
                mem_printf("use '%s++' and scale the subscripts", l->name));
}

bool nest_loop(struct nest *w, struct node *stmt, struct loop *l) {
    l->stmt = stmt;
    if (ast_children(stmt) != 4)
        return fail(w, stmt->b, "it needs an initialisation, a test, an increment and a body",
                    "write for (int i = first; i < bound; i++)");
    if (!nest_loop_init(w, ast_child(stmt, 0), l) || !loop_test(w, ast_child(stmt, 1), l) ||
        !loop_increment(w, ast_child(stmt, 2), l))
        return false;
    if (w->p->directive->bit != DIRECTIVE_WAVEFRONT || !loop_goes_round(l))
        return true;
    return fail(w, l->first->b, mem_printf("'%s' has no sign, and both its ends may be below zero", l->name),
                "give it a type with a sign");
}

static struct node *mention(struct node *n, CXCursor var) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var))
        return n;
    for (struct node *c = n->first; c; c = c->next) {
        struct node *m = mention(c, var);
        if (m)
            return m;
    }
    return NULL;
}

bool nest_is_mentioned(struct node *n, CXCursor var) { return mention(n, var) != NULL; }

bool nest_sweep_chooses(const struct nest *w, const struct ref *r) {
    for (int d = 0; w->swept && d < r->nsubs; d++)
        if (mention(r->sub[d], w->sweep.var))
            return true;
    return false;
}

static bool check_rectangular(struct nest *w, const struct loop *inner, const struct loop *outer) {
    for (int part = 0; part < 2; part++) {
        struct node *m = mention(ast_child(inner->stmt, part), outer->var);
        if (m) {
            diag_error(w->u, m->b,
                       "the inner loop's bounds depend on '%s'; the nest must be "
                       "rectangular: loop over the whole range and skip cells with 'if'",
                       outer->name);
            return false;
        }
    }
    return true;
}

/* Something stands beside the inner loop, and no rewriting took it in. */
static void imperfect(struct nest *w, const struct node *stmt, size_t beside) {
    size_t at = beside;
    const char *why = w->swept && stmt == w->root ? normal_steps_reason(w->u, w->p, &at) : NULL;
    if (!why && !w->swept)
        why = imperfect_row(w, stmt, &at);
    if (why)
        diag_error(w->u, at, "%s", why);
    else
        diag_error(w->u, beside,
                   "not a perfect nest of %s loops; move what "
                   "stands between them into the inner loop or out of the nest",
                   w->swept ? "three" : "two");
}

/* The loop that is all there is inside `stmt`; NULL after an error. */
static struct node *only_loop(struct nest *w, struct node *stmt) {
    const char *loops = w->swept ? "three" : "two";
    struct node *inner = stmt->last;
    if (inner->kind == CXCursor_CompoundStmt) {
        if (!inner->first || inner->first->kind != CXCursor_ForStmt || inner->first->next) {
            struct node *odd =
                inner->first && inner->first->kind == CXCursor_ForStmt ? inner->first->next : inner->first;
            imperfect(w, stmt, odd ? odd->b : inner->b);
            return NULL;
        }
        inner = inner->first;
    }
    if (inner->kind != CXCursor_ForStmt) {
        diag_error(w->u, inner->b,
                   "not a perfect nest of %s loops; 'heddle wavefront' needs a 'for' directly inside the %s", loops,
                   w->swept && stmt != w->root ? "second" : "first");
        return NULL;
    }
    return inner;
}

/* sweeps(t), batch(b): the outermost loop counts sweeps over the two inside it, or the turns of a batch.*/
static bool find_sweeps(struct nest *w, const struct clause *c) {
    struct span s = c->items.at[0].name;
    w->swept = true;
    if (!nest_loop(w, w->root, &w->sweep))
        return false;
    if (strcmp(source_flat(&w->u->src, s), w->sweep.name) != 0) {
        diag_error(w->u, s.b, "'%s' names the outermost loop's variable, which is '%s'",
                   w->batched ? "batch" : "sweeps", w->sweep.name);
        return false;
    }
    return true;
}

bool nest_find_two(struct nest *w, struct node *outer) {
    if (!nest_loop(w, outer, &w->loop[0]))
        return false;
    struct node *inner = only_loop(w, outer);
    if (!inner || !nest_loop(w, inner, &w->loop[1]) || !check_rectangular(w, &w->loop[1], &w->loop[0]))
        return false;
    for (int l = 0; w->swept && l < 2; l++)
        if (!check_rectangular(w, &w->loop[l], &w->sweep))
            return false;
    w->body = inner->last;
    w->body_begin = ast_loop_body(w->u, inner);
    w->body_end = ast_statement_end(w->u, w->body, w->body_begin);
    w->root_end = ast_statement_end(w->u, w->root, w->root->b);
    return true;
}

static bool find_nest(struct nest *w) {
    struct unit *u = w->u;
    const struct clause *sweeps = nest_clause(w, CLAUSE_SWEEPS), *batch = nest_clause(w, CLAUSE_BATCH);
    struct node *outer = w->root;
    if (sweeps && batch) {
        diag_error(u, batch->name.b, "the outermost loop counts sweeps or a batch; leave one of the clauses out");
        return false;
    }
    if (batch && batch_has_statements(w))
        return batch_find(w, batch);
    w->batched = batch != NULL;
    sweeps = batch ? batch : sweeps;
    if (sweeps && (!find_sweeps(w, sweeps) || !(outer = only_loop(w, w->root))))
        return false;
    return nest_find_two(w, outer);
}

/* ---- ways out of the nest, and macros that the emitted functions could not see ---- */

static void jump_error(struct nest *w, struct node *n, const char *what) {
    const bool loop = w->p->directive->bit == DIRECTIVE_FOR;
    diag_error(w->u, n->b,
               "'%s' leaves the %s, whose %s run in parallel; compute a condition instead, or reduce over it", what,
               loop ? "loop" : "nest", loop ? "iterations" : "cells");
}

/* Its label is in the body, as far as the name tells: what jumps leave out is not followed. */
static bool stays_inside(struct nest *w, const struct node *jump, const struct node *n) {
    if (n->kind == CXCursor_LabelStmt && jump->first &&
        strcmp(ast_name(clang_getCursorReferenced(jump->first->c)), ast_name(n->c)) == 0)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (stays_inside(w, jump, c))
            return true;
    return false;
}

static bool check_jumps(struct nest *w, struct node *n, bool inside) {
    bool ok = true;
    if (n->kind == CXCursor_ReturnStmt)
        jump_error(w, n, "return"), ok = false;
    if (n->kind == CXCursor_GotoStmt && stays_inside(w, n, w->body)) {
        diag_error(w->u, n->b,
                   "what a 'goto' inside of the %s leaves out is not followed; use if and else, or a function",
                   w->p->directive->bit == DIRECTIVE_FOR ? "loop" : "nest");
        ok = false;
    } else if (n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt) {
        jump_error(w, n, "goto"), ok = false;
    }
    if (n->kind == CXCursor_BreakStmt && !inside)
        jump_error(w, n, "break"), ok = false;
    if (n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(n->c) == CX_SC_Static) {
        diag_error(w->u, n->b, "static variable '%s' inside the %s run in parallel", ast_name(n->c),
                   w->p->directive->bit == DIRECTIVE_FOR ? "loop; its iterations" : "nest; its cells");
        ok = false;
    }
    bool breakable = inside || n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt ||
                     n->kind == CXCursor_DoStmt || n->kind == CXCursor_SwitchStmt;
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_jumps(w, c, breakable);
    return ok;
}

bool nest_check_jumps(struct nest *w) { return check_jumps(w, w->body, false); }

struct macro_search {
    struct nest *w;
    bool ok;
};

static int definitions(const struct unit *u, const char *name) {
    int n = 0;
    for (size_t i = 0; i < u->defined.n; i++)
        n += strcmp(u->defined.at[i].name, name) == 0;
    return n;
}

static enum CXChildVisitResult macro_visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct macro_search *s = data;
    struct nest *w = s->w;
    struct span use, def;
    if (clang_getCursorKind(c) != CXCursor_MacroExpansion || !ast_span(w->u, c, &use) || use.b < w->root->b ||
        use.b >= w->root_end)
        return CXChildVisit_Continue;
    CXCursor definition = clang_getCursorReferenced(c);
    if (clang_Cursor_isNull(definition) || !ast_span(w->u, definition, &def))
        return CXChildVisit_Continue;
    if (def.b <= w->function_begin)
        return CXChildVisit_Continue;
    for (size_t i = 0; i < w->defines.n; i++)
        if (strcmp(w->defines.at[i].name, ast_name(c)) == 0)
            return CXChildVisit_Continue;
    const bool said = w->p->directive->bit & (DIRECTIVE_FOR | DIRECTIVE_WAVEFRONT); /* again, before the function */
    if (said && definitions(w->u, ast_name(c)) == 1) {
        vec_push(&w->defines, (struct macro){ast_name(c), definition});
        return CXChildVisit_Continue;
    }
    diag_error(w->u, use.b, "macro '%s' is defined inside the function%s, but the %s becomes a function before it; %s",
               ast_name(c), said ? ", and once more elsewhere" : "", nest_word(w),
               said ? "call it something else" : "move the #define up");
    diag_note(w->u, def.b, "defined here");
    s->ok = false;
    return CXChildVisit_Continue;
}

/* The body is copied, so an #if around its beginning or its end would lose the other half. */
static bool check_conditions(struct nest *w) {
    const char *text = w->u->src.text;
    int depth = 0;
    for (size_t at = w->body_begin; depth >= 0 && at < w->body_end; at++) {
        size_t line = at;
        while (line && (text[line - 1] == ' ' || text[line - 1] == '\t'))
            line--;
        if (text[at] != '#' || (line && text[line - 1] != '\n'))
            continue;
        const char *word = text + at + 1 + strspn(text + at + 1, " \t");
        if (strncmp(word, "if", 2) == 0)
            depth++;
        else if (strncmp(word, "endif", 5) == 0 || (strncmp(word, "el", 2) == 0 && depth == 0))
            depth--;
    }
    if (depth == 0)
        return true;
    diag_error(w->u, w->body_begin,
               "an '#if' %s, and the body becomes a function of its own; write the loop's head once, with what "
               "differs in variables before it",
               depth < 0 ? "before this body ends in it" : "in this body ends behind it");
    return false;
}

bool nest_check_macros(struct nest *w) {
    struct macro_search s = {w, check_conditions(w)};
    clang_visitChildren(clang_getTranslationUnitCursor(w->u->tu), macro_visit, &s);
    return s.ok;
}

bool nest_find_root(struct unit *u, const struct pragma *p, struct nest *w) {
    *w = (struct nest){.u = u, .p = p};
    return find_function(w) && find_loop(w);
}

bool nest_find(struct unit *u, const struct pragma *p, struct nest *w) {
    return nest_find_root(u, p, w) && find_nest(w) && nest_check_jumps(w) && nest_check_macros(w);
}
