/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of the file's directives, one after the other. */
#include "prepare.h"

#include <string.h>

struct search {
    struct unit *u;
    size_t offset;
    CXCursor found;
    bool ok;
};

static enum CXChildVisitResult function_visit_at(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct search *s = data;
    struct span span;
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c) || !ast_span(s->u, c, &span) ||
        s->offset < span.b || s->offset >= span.e)
        return CXChildVisit_Continue;
    s->found = c;
    s->ok = true;
    return CXChildVisit_Break;
}

/* The statement that begins where the directive's next token stands. */
static struct node *loop_at(struct node *n, size_t offset) {
    for (struct node *c = n->first; c; c = c->next) {
        if (c->kind == CXCursor_ForStmt && c->b == offset)
            return c;
        struct node *found = c->b <= offset && offset < c->e ? loop_at(c, offset) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static struct node *block_at(struct node *n, size_t offset) {
    for (struct node *c = n->first; c; c = c->next) {
        if (c->kind == CXCursor_CompoundStmt && c->b == offset)
            return c;
        struct node *found = c->b <= offset && offset < c->e ? block_at(c, offset) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static bool has_goto(const struct node *n) {
    if (n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt || n->kind == CXCursor_AddrLabelExpr)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (has_goto(c))
            return true;
    return false;
}

static bool find_function(struct prepare *s, const struct pragma *p) {
    struct search at = {.u = s->u, .offset = p->b};
    clang_visitChildren(clang_getTranslationUnitCursor(s->u->tu), function_visit_at, &at);
    if (!at.ok)
        return false;
    if (!s->tree || !clang_equalCursors(at.found, s->function)) {
        s->function = at.found;
        s->tree = ast_tree(s->u, at.found);
    }
    s->p = p;
    return true;
}

static bool find(struct prepare *s, const struct pragma *p) {
    if (!find_function(s, p))
        return false;
    s->root = loop_at(s->tree, p->next);
    if (!s->root || strncmp(s->u->src.text + s->root->b, "for", 3) != 0 || has_goto(s->tree))
        return false;
    s->root_end = ast_statement_end(s->u, s->root, s->root->b);
    return true;
}

static bool find_block(struct prepare *s, const struct pragma *p) {
    if (!find_function(s, p))
        return false;
    s->root = block_at(s->tree, p->next);
    if (!s->root || s->u->src.text[s->root->b] != '{')
        return false;
    s->root_end = s->root->e;
    return true;
}

/* -Wunused, -Wshadow, and values that only loops set: what the user wrote is not to blame. */
#define IGNORED(warning) "_Pragma(\"clang diagnostic ignored \\\"" warning "\\\"\") "
#define QUIET                                                                                                          \
    "_Pragma(\"clang diagnostic push\") " IGNORED("-Wshadow") IGNORED("-Wsometimes-uninitialized")                     \
        IGNORED("-Wconditional-uninitialized")

static bool is_again(const struct prepare *s, size_t n, bool function) {
    for (size_t k = 0; k < n; k++) {
        const CXCursor a = s->unused.at[k], b = s->unused.at[n];
        if (clang_equalCursors(function ? clang_getCursorSemanticParent(a) : a,
                               function ? clang_getCursorSemanticParent(b) : b))
            return true;
    }
    return false;
}

static void hush(struct prepare *s) {
    for (size_t i = 0; i < s->unused.n; i++) {
        unsigned at = 0;
        CXFile file = NULL;
        struct span f;
        const char *name = ast_name(s->unused.at[i]);
        clang_getFileLocation(clang_getCursorLocation(s->unused.at[i]), &file, NULL, NULL, &at);
        if (!is_again(s, i, false) && file && clang_File_isEqual(file, s->u->file) &&
            at + strlen(name) <= s->u->src.size && strncmp(s->u->src.text + at, name, strlen(name)) == 0)
            vec_push(&s->edits, (struct edit){at + strlen(name), at + strlen(name), " __attribute__((unused))"});
        if (is_again(s, i, true) || !ast_span(s->u, clang_getCursorSemanticParent(s->unused.at[i]), &f))
            continue;
        vec_push(&s->edits, (struct edit){f.b, f.b, QUIET});
        vec_push(&s->edits, (struct edit){f.e, f.e, " _Pragma(\"clang diagnostic pop\")"});
    }
}

bool prepare_file(struct unit *u, edit_list *edits) {
    struct prepare s = {.u = u};
    for (size_t i = 0; i < u->pragmas->n; i++) {
        const struct pragma *p = &u->pragmas->at[i];
        if (p->directive->bit & (DIRECTIVE_FOR | DIRECTIVE_WAVEFRONT | DIRECTIVE_TASKLOOP | DIRECTIVE_LANES) &&
            find(&s, p)) {
            prepare_declarations(&s);
            prepare_heads(&s);
            prepare_variables(&s);
        }
        if (p->directive->bit & DIRECTIVE_TASK) {
            if (find_block(&s, p))
                prepare_task(&s, has_goto(s.tree));
            else if (find(&s, p))
                prepare_variables(&s);
        }
    }
    hush(&s);
    *edits = s.edits;
    return s.edits.n != 0;
}
