/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma heddle graph`: a block or loop that makes tasks. The block itself runs as it is written; task constructs in
 * it become calls that record them, taskwait becomes one that runs what was recorded. Directives that make the threads
 * for the program without heddle go.
 */
#include "graph.h"

#include <string.h>

struct node *graph_statement(struct node *n, size_t offset) {
    for (struct node *c = n->first; c; c = c->next) {
        if (clang_isStatement(c->kind) && c->b == offset)
            return c;
        if (clang_isExpression(c->kind) && c->b == offset && !clang_isExpression(n->kind))
            return c; /* as a statement */
        struct node *found = graph_statement(c, offset);
        if (found)
            return found;
    }
    return NULL;
}

static bool is_condition(const struct lexer *lx) {
    static const char *const words[] = {"if", "ifdef", "ifndef", "elif", "else", "endif"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lexer_is_word(lx, words[i]))
            return true;
    return false;
}

/* Where the statement behind a line begins: behind OpenMP lines that follow it, and lines that only choose, too. */
static size_t behind(const struct graph *g, size_t e) {
    const struct unit *u = g->u;
    for (;;) {
        const size_t at = lexer_skip_blank(u->src.text, e, u->src.size);
        struct lexer lx;
        lexer_init(&lx, u->src.text, at, u->src.size);
        const bool line = lexer_is(&lx, '#');
        lexer_next(&lx);
        const bool chooses = line && is_condition(&lx);
        if (!chooses && (!line || !lexer_is_word(&lx, "pragma")))
            return at;
        lexer_next(&lx);
        if (!chooses && !lexer_is_word(&lx, "omp"))
            return at;
        e = scan_directive_end(&u->src, at);
    }
}

static bool find(struct graph *g) {
    struct span span;
    if (!ast_function_at(g->u, g->p->b, &g->function) || !ast_span(g->u, g->function, &span)) {
        diag_error(g->u, g->p->b, "'#pragma heddle graph' outside a function; put it before a block that makes tasks");
        return false;
    }
    g->function_name = ast_name(g->function);
    g->function_begin = span.b;
    g->tree = ast_tree(g->u, g->function);
    g->b = behind(g, g->p->e);
    g->root = graph_statement(g->tree, g->b);
    if (!g->root || !(g->root->kind == CXCursor_CompoundStmt || g->root->kind == CXCursor_ForStmt ||
                      g->root->kind == CXCursor_WhileStmt || g->root->kind == CXCursor_DoStmt)) {
        diag_error(g->u, g->b < g->u->src.size ? g->b : g->p->b,
                   "'#pragma heddle graph' has to stand before a block or loop that makes tasks");
        return false;
    }
    g->end = ast_statement_end(g->u, g->root, g->root->b);
    omp_scan(g->u, (struct span){g->p->e, g->end}, &g->directives);
    return true;
}

/* ---- directives -------------------------------------------------------------------------------------------------- */
bool graph_statement_end(struct graph *g, const struct omp *d, struct node **n, size_t *end) {
    const size_t at = behind(g, d->e);
    *n = graph_statement(g->tree, at);
    if (!*n || at >= g->end) {
        diag_error(g->u, d->b, "no statement that heddle understands stands behind this directive");
        return false;
    }
    *end = ast_statement_end(g->u, *n, at);
    return true;
}

static bool add_task(struct graph *g, const struct omp *d, size_t *end) {
    struct graph_task *t = mem_alloc(sizeof *t);
    struct node *n;
    if (!graph_statement_end(g, d, &n, end))
        return false;
    *t = (struct graph_task){.g = g, .d = d, .target = d->words & OMP_TARGET, .end = *end};
    t->w = (struct nest){.u = g->u,
                         .p = g->p,
                         .function = g->function,
                         .function_name = g->function_name,
                         .function_begin = g->function_begin,
                         .root = n,
                         .body = n,
                         .root_end = *end,
                         .body_begin = n->b,
                         .body_end = *end};
    vec_push(&g->tasks, t);
    return task_analyse(t);
}

static bool directive(struct graph *g, const struct omp *d, size_t *behind_it) {
    struct node *n;
    size_t end;
    if (d->words == OMP_TASK || d->words & OMP_TARGET) {
        if (d->words & OMP_TARGET && d->text.e < d->e && omp_clause_find(g->u, d, "data")) {
            diag_error(g->u, d->b, "'target data' in a graph; put it around, or name the data in map(…) of the graph");
            return false;
        }
        if (d->words & OMP_TARGET && (omp_clause_find(g->u, d, "enter") || omp_clause_find(g->u, d, "exit") ||
                                      omp_clause_find(g->u, d, "update"))) {
            diag_error(g->u, d->b, "data of a graph travels by itself; remove this directive");
            return false;
        }
        return add_task(g, d, behind_it);
    }
    if (d->words == OMP_TASKWAIT) {
        vec_push(&g->waits, (struct span){d->b, d->e});
        return true;
    }
    if (d->words == OMP_TASKGROUP) {
        if (!graph_statement_end(g, d, &n, &end))
            return false;
        vec_push(&g->removed, (struct span){d->b, d->e});
        vec_push(&g->wait_after, end);
        return true;
    }
    return graph_add_team(g, d);
}

bool graph_directives(struct graph *g) {
    bool ok = true;
    size_t done = 0;
    for (size_t i = 0; i < g->directives.n; i++)
        if (g->directives.at[i].b >= done) /* else inside a task */
            ok &= directive(g, &g->directives.at[i], &done);
    return ok;
}

static bool check_any(const struct graph *g) {
    if (g->tasks.n || g->called.n)
        return true;
    diag_error(g->u, g->p->b,
               "a graph without tasks; put '#pragma omp task depend(…)' or '#pragma omp target nowait depend(…)' "
               "before statements of the block, or of functions that it calls and that are defined before it");
    return false;
}

/* ---- the block itself -------------------------------------------------------------------------------------------- */
bool graph_in_task(const struct graph *g, const struct node *n) {
    for (size_t i = 0; i < g->tasks.n; i++)
        if (g->tasks.at[i]->w.root == n)
            return true;
    return false;
}

static bool fail_jump(struct graph *g, const struct node *n, const char *what) {
    diag_error(g->u, n->b, "'%s' leaves the graph before its tasks have run; leave it at its end", what);
    return false;
}

static bool check_jumps(struct graph *g, struct node *n, bool loop, bool breakable) {
    bool ok = true;
    if (graph_in_task(g, n))
        return true;
    if (n->kind == CXCursor_ReturnStmt)
        ok = fail_jump(g, n, "return");
    if (n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt)
        ok = fail_jump(g, n, "goto");
    if (n->kind == CXCursor_BreakStmt && !breakable)
        ok = fail_jump(g, n, "break");
    if (n->kind == CXCursor_ContinueStmt && !loop)
        ok = fail_jump(g, n, "continue");
    const bool is_loop = n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_jumps(g, c, loop || is_loop, breakable || is_loop || n->kind == CXCursor_SwitchStmt);
    return ok;
}

/* Does the block's clause, or the call of this function, say that only tasks touch it? */
static bool is_held(const struct graph *g, const struct node *n) {
    const char *name = ast_name(n->c);
    for (size_t i = 0; i < g->held.n; i++)
        if (strcmp(name, g->held.at[i].name) == 0)
            return true;
    return g != g->top && node_is_global(clang_getCursorReferenced(n->c)) && is_held(g->top, n);
}

static bool makes_tasks(const struct graph *g, const struct node *call) {
    for (size_t i = 0; i < g->calls.n; i++)
        if (g->calls.at[i].n == call)
            return true;
    return false;
}

/* What the clause map names is the tasks' alone. */
bool graph_check_held(struct graph *g, struct node *n) {
    bool ok = true;
    if (graph_in_task(g, n))
        return true;
    if (n->kind == CXCursor_DeclRefExpr && is_held(g, n)) {
        const struct node *up = n->up;
        while (up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr))
            up = up->up;
        if (up && (up->kind == CXCursor_ArraySubscriptExpr || ast_unary(up) == CXUnaryOperator_Deref ||
                   up->kind == CXCursor_MemberRefExpr || (up->kind == CXCursor_CallExpr && !makes_tasks(g, up)))) {
            const char *name = ast_name(n->c), *what = g == g->top ? "block" : "function";
            diag_error(g->u, n->b,
                       "the %s touches '%s' itself, but map(%s) says that only its tasks do; do it in a task, or "
                       "take it out of the clause",
                       what, name, name);
            ok = false;
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= graph_check_held(g, c);
    return ok;
}

static void read_held(struct graph *g) {
    for (size_t i = 0; i < g->p->clauses.n; i++) {
        const struct clause *c = &g->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_MAP && k < c->items.n; k++) {
            struct graph_item item;
            item_of_clause(g->u, &c->items.at[k], &item);
            item.flags = ITEM_READ | (c->kind == MAP_TOFROM || c->kind == MAP_FROM ? ITEM_WRITE : 0);
            vec_push(&g->held, item);
        }
    }
}

/* A directive without a statement, or the program's own mapping. */
static bool is_harmless(const struct graph *g, const struct omp *d) {
    static const char *const alone[] = {"barrier", "flush",    "taskyield", "threadprivate", "declare",
                                        "end",     "requires", "error",     "nothing",       "begin"};
    const char *text = source_flat(&g->u->src, d->text);
    if (d->words == OMP_TASKWAIT || omp_clause_find(g->u, d, "data") || omp_clause_find(g->u, d, "update"))
        return true;
    for (size_t i = 0; d->words == OMP_OTHER && i < sizeof alone / sizeof *alone; i++)
        if (strcmp(text, alone[i]) == 0)
            return true;
    return false;
}

/* A directive around it would say who shares which variable with the tasks, and how often they are made. */
static bool check_around(const struct graph *g) {
    omp_list before = {0};
    omp_scan(g->u, (struct span){g->function_begin, g->p->b}, &before);
    for (size_t i = 0; i < before.n; i++) {
        const struct omp *d = &before.at[i];
        const size_t at = behind(g, d->e);
        struct node *n = at < g->p->b ? graph_statement(g->tree, at) : NULL;
        if (is_harmless(g, d) || (at < g->p->b && (!n || ast_statement_end(g->u, n, at) <= g->p->b)))
            continue;
        diag_error(g->u, g->p->b,
                   "'#pragma omp %s' at line %u is around this graph; put '#pragma heddle graph' before it",
                   source_flat(&g->u->src, d->text), source_line(&g->u->src, d->b));
        return false;
    }
    return true;
}

/* heddle's own directives inside. */
static bool check_inside(const struct graph *g) {
    bool ok = true;
    for (size_t i = 0; i < g->u->pragmas->n; i++) {
        const struct pragma *p = &g->u->pragmas->at[i];
        if (p->b <= g->p->b || p->b >= g->end)
            continue;
        diag_error(g->u, p->b, "'#pragma heddle %s' in a graph, whose tasks are OpenMP's", p->directive->name);
        ok = false;
    }
    return ok;
}

bool graph_analyse(struct unit *u, const struct pragma *p, struct graph *g) {
    struct unit *serial = u->serial;
    bool ok;
    *g = (struct graph){.u = serial, .file = u, .p = p, .top = g, .call = "&heddle_g", .edits = &u->edits};
    serial->errors = u->errors;
    ok = find(g) && check_inside(g) && check_around(g);
    if (ok) {
        read_held(g);
        ok = graph_directives(g) && graph_find_called(g) && check_any(g) && check_jumps(g, g->root, false, false) &&
             graph_check_held(g, g->root);
    }
    u->errors = serial->errors;
    return ok;
}
