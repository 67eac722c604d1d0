/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of a file, outer ones first: where they are, how they nest, and which belong to a directive already. */
#include "front/macros.h"
#include "advise.h"
#include "analysis/function.h"

#include <string.h>

struct openmp { /* a directive of OpenMP's and the statement behind it */
    struct span directive;
    size_t next, end; /* next == end: not seen yet */
};

struct walk {
    struct unit *u;
    struct advice_list *out;
    const pragma_list *pragmas;
    VEC(struct openmp) openmp;
    const char *function;
};

enum { FEW = 16 }; /* turns that are too few to deal to devices and threads */

static bool reads_for(const struct unit *u, size_t at) {
    const char *text = u->src.text + at;
    return strncmp(text, "for", 3) == 0 && (text[3] == ' ' || text[3] == '(');
}

static const char *variable(struct node *loop) {
    struct node *n = loop->first;
    if (n && n->kind == CXCursor_DeclStmt && n->first)
        return ast_name(n->first->c);
    if (n && ast_binary(n) == CXBinaryOperator_Assign && n->first)
        return ast_name(ast_strip(n->first)->c);
    return "";
}

static bool has_loop(const struct node *n) {
    for (const struct node *c = n->first; c; c = c->next)
        if (c->kind == CXCursor_ForStmt || c->kind == CXCursor_WhileStmt || c->kind == CXCursor_DoStmt || has_loop(c))
            return true;
    return false;
}

/* for (… = lo; … < hi; …): hi - lo, where both are constants. */
static long constant_turns(struct node *loop) {
    struct node *init = ast_child(loop, 0), *test = ast_child(loop, 1);
    long lo, hi;
    if (!init || !test || ast_children(loop) != 4 || ast_children(test) != 2)
        return 0;
    struct node *first = init->kind == CXCursor_DeclStmt ? (init->first ? init->first->last : NULL) : init->last;
    const bool known = first && ast_constant(first, &lo) && ast_constant(ast_child(test, 1), &hi);
    return known && hi > lo && hi - lo < FEW ? hi - lo : 0;
}

/* Clauses that mean the same in both languages; private scalars need no word. */
static const char *const kept[] = {"reduction", "firstprivate", "lastprivate", "collapse", NULL};
static const char *const private[] = {"private", NULL};

static const char *clauses_of(const struct unit *u, struct span directive, const char *const *names) {
    struct lexer lx;
    struct buf b = {0};
    for (lexer_init(&lx, u->src.text, directive.b, directive.e); lx.tok.kind != TOKEN_END;) {
        size_t begin = lx.tok.b;
        bool take = false;
        for (size_t i = 0; names[i]; i++)
            take |= lexer_is_word(&lx, names[i]);
        lexer_next(&lx);
        if (!take || !lexer_is(&lx, '('))
            continue;
        int depth = 0;
        do {
            depth += lexer_is(&lx, '(');
            depth -= lexer_is(&lx, ')');
            lexer_next(&lx);
        } while (depth > 0 && lx.tok.kind != TOKEN_END);
        size_t end = lx.tok.b;
        buf_printf(&b, " %s", source_flat(&u->src, (struct span){begin, end}));
        while (b.n && b.s[b.n - 1] == ' ')
            b.s[--b.n] = '\0';
    }
    return b.n ? b.s : "";
}

static bool shares_loops(const struct unit *u, struct span directive) {
    struct lexer lx;
    bool parallel = false, loop = false;
    for (lexer_init(&lx, u->src.text, directive.b, directive.e); lx.tok.kind != TOKEN_END && !lexer_is(&lx, '(');
         lexer_next(&lx)) {
        parallel |= lexer_is_word(&lx, "parallel");
        loop |= lexer_is_word(&lx, "for") || lexer_is_word(&lx, "loop");
    }
    return parallel && loop;
}

/* One of the loops around, from `l` on, is what the directive stands before. */
static bool is_own(const struct advice *l, const struct openmp *o) {
    while (l && l->openmp.b != o->directive.b)
        l = l->up;
    return l && l->openmp.e;
}

/* The loop is the directive's own, or it runs inside the statement of one. */
static void note_openmp(const struct walk *w, struct advice *l) {
    for (size_t i = 0; i < w->openmp.n; i++) {
        const struct openmp *o = &w->openmp.at[i];
        if (o->next == l->b && shares_loops(w->u, o->directive)) {
            l->openmp = o->directive;
            l->kept = clauses_of(w->u, o->directive, kept);
            l->private = clauses_of(w->u, o->directive, private);
        } else if (o->next <= l->b && l->b < o->end && !is_own(l->up, o)) {
            l->apart = "it runs inside an OpenMP directive; that has to go first";
        }
    }
}

static void note_directives(const struct walk *w, struct advice *l) {
    for (size_t i = 0; i < w->pragmas->n; i++) {
        const struct pragma *p = &w->pragmas->at[i];
        if (p->next == l->b || (p->b > l->b && p->b < l->e)) {
            l->holds_directive = true;
            l->apart = p->next == l->b ? "it has a directive" : "a directive stands in it";
        }
    }
    if (l->up && l->up->apart && strcmp(l->up->apart, "it has a directive") == 0)
        l->apart = l->up->apart;
}

/* Its last statement ends the program: what it says before is said once, with or without a directive. */
static bool ends_program(struct node *block) {
    struct node *last = block->kind == CXCursor_CompoundStmt ? block->last : NULL;
    const CXCursor callee = last && last->kind == CXCursor_CallExpr ? function_callee(last) : clang_getNullCursor();
    if (clang_Cursor_isNull(callee))
        return false;
    const char *name = ast_name(callee);
    return !strcmp(name, "exit") || !strcmp(name, "abort") || !strcmp(name, "_Exit");
}

/* Lines in any order are what nobody wants who did not ask for it. */
static bool prints(struct unit *u, struct node *n, unsigned visit) {
    const CXCursor callee = n->kind == CXCursor_CallExpr ? function_callee(n) : clang_getNullCursor();
    struct function *f = clang_Cursor_isNull(callee) ? NULL : function_of(u, callee);
    if (!clang_Cursor_isNull(callee) && function_is_output(ast_name(callee)))
        return true;
    if (f && !function_seen(f, visit) && prints(u, f->body, visit))
        return true;
    if (ends_program(n))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (prints(u, c, visit))
            return true;
    return false;
}

static struct advice *note_loop(const struct walk *w, struct node *loop, struct advice *up) {
    struct advice *l = mem_alloc(sizeof *l);
    *l = (struct advice){.up = up,
                         .around = up ? up->around + 1 : 0,
                         .b = loop->b,
                         .e = ast_statement_end(w->u, loop, loop->b),
                         .name = variable(loop),
                         .inner = !has_loop(loop),
                         .few = constant_turns(loop),
                         .estimate = advise_cost(w->u, loop, !up),
                         .function = w->function,
                         .kept = ""};
    if (prints(w->u, loop, function_visit()))
        l->apart = "it prints: with a directive its lines would come in any order";
    note_openmp(w, l);
    note_directives(w, l);
    if (up && !l->inner)
        up->deep = true;
    vec_push(&w->out->loops, l);
    return l;
}

static void note_statement(struct walk *w, const struct node *n) {
    for (size_t i = 0; clang_isStatement(n->kind) && i < w->openmp.n; i++)
        if (w->openmp.at[i].next == n->b && w->openmp.at[i].end == n->b)
            w->openmp.at[i].end = n->e;
}

static void walk(struct walk *w, struct node *n, struct advice *up) {
    note_statement(w, n);
    if (n->kind == CXCursor_ForStmt && n->e > n->b && reads_for(w->u, n->b) && !(up && n->b == up->b))
        up = note_loop(w, n, up);
    for (struct node *c = n->first; c; c = c->next)
        walk(w, c, up);
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct walk *w = data;
    struct span s;
    if (clang_getCursorKind(c) == CXCursor_FunctionDecl && clang_isCursorDefinition(c) && ast_span(w->u, c, &s)) {
        w->function = ast_name(c);
        walk(w, ast_tree(w->u, c), NULL);
    }
    return CXChildVisit_Continue;
}

/* The lines that begin with "#pragma omp". */
static void find_openmp(struct walk *w) {
    const struct source *src = &w->u->src;
    for (size_t i = 0; i < src->lines.n; i++) {
        struct lexer lx;
        const size_t b = src->lines.at[i], at = b + strspn(src->text + b, " \t");
        if (src->text[at] != '#')
            continue;
        const size_t e = scan_directive_end(src, at);
        lexer_init(&lx, src->text, at + 1, e);
        if (!lexer_is_word(&lx, "pragma"))
            continue;
        lexer_next(&lx);
        const size_t next = lexer_skip_blank(src->text, e, src->size);
        if (lexer_is_word(&lx, "omp"))
            vec_push(&w->openmp, (struct openmp){{at, e}, next, next});
    }
}

bool advise_loops(struct unit *u, struct advice_list *out) {
    pragma_list pragmas = {0};
    scan_pragmas(u, &pragmas);
    expansion_gather(u);
    struct walk w = {.u = u, .out = out, .pragmas = &pragmas};
    find_openmp(&w);
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit, &w);
    return u->errors == 0;
}
