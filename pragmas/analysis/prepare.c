/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of the file's directives, one after the other. */
#include "prepare.h"
#include "front/macros.h"

#include <string.h>

static bool has_goto(const struct node *n) {
    if (n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt || n->kind == CXCursor_AddrLabelExpr)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (has_goto(c))
            return true;
    return false;
}

static bool find_function(struct prepare *s, const struct pragma *p) {
    CXCursor function;
    if (!ast_function_at(s->u, p->b, &function))
        return false;
    if (!s->tree || !clang_equalCursors(function, s->function)) {
        s->function = function;
        s->tree = ast_tree(s->u, function);
    }
    s->p = p;
    return true;
}

static bool find(struct prepare *s, const struct pragma *p) {
    if (!find_function(s, p))
        return false;
    s->root = ast_at(s->tree, CXCursor_ForStmt, p->next);
    if (!s->root || strncmp(s->u->src.text + s->root->b, "for", 3) != 0 || has_goto(s->tree))
        return false;
    s->root_end = ast_statement_end(s->u, s->root, s->root->b);
    return true;
}

static bool find_block(struct prepare *s, const struct pragma *p) {
    if (!find_function(s, p))
        return false;
    s->root = ast_at(s->tree, CXCursor_CompoundStmt, p->next);
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

static bool is_again(const CXCursor *list, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (clang_equalCursors(list[k], list[n]))
            return true;
    return false;
}

static void hush(struct prepare *s) {
    for (size_t i = 0; i < s->unused.n; i++) {
        unsigned at = 0;
        CXFile file = NULL;
        const char *name = ast_name(s->unused.at[i]);
        clang_getFileLocation(clang_getCursorLocation(s->unused.at[i]), &file, NULL, NULL, &at);
        if (is_again(s->unused.at, i) || !file || !clang_File_isEqual(file, s->u->file) ||
            at + strlen(name) > s->u->src.size || strncmp(s->u->src.text + at, name, strlen(name)) != 0)
            continue;
        const size_t end = own_declarator_end(s->u, at + strlen(name));
        vec_push(&s->edits, (struct edit){end, end, " __attribute__((unused))"});
    }
    for (size_t i = 0; i < s->quiet.n; i++) {
        struct span f;
        if (is_again(s->quiet.at, i) || !ast_span(s->u, s->quiet.at[i], &f))
            continue;
        vec_push(&s->edits, (struct edit){f.b, f.b, QUIET});
        vec_push(&s->edits, (struct edit){f.e, f.e, " _Pragma(\"clang diagnostic pop\")"});
    }
}

void prepare_unused(struct prepare *s, CXCursor decl) {
    vec_push(&s->unused, decl);
    vec_push(&s->quiet, s->function);
}

/* All of them at once: a loop in another one's is part of it. */
static bool prepare_names(struct prepare *s) {
    const size_t before = s->edits.n;
    size_t end = 0;
    for (size_t i = 0; i < s->u->pragmas->n; i++) {
        const struct pragma *p = &s->u->pragmas->at[i];
        if (p->b >= end && (find(s, p) || find_block(s, p)) && s->root->b >= end) {
            prepare_shadows(s);
            end = s->root_end;
        }
    }
    return s->edits.n > before;
}

/* Tests of heads that say how they will turn out. */
static bool prepare_tests(struct prepare *s) {
    bool any = false;
    size_t end = 0;
    for (size_t i = 0; i < s->u->pragmas->n; i++) {
        const struct pragma *p = &s->u->pragmas->at[i];
        if (p->b >= end && (find(s, p) || find_block(s, p)) && s->root->b >= end) {
            any |= prepare_expected(s);
            end = s->root_end;
        }
    }
    return any;
}

bool prepare_is_inside(const struct prepare *s, CXCursor decl) {
    struct span at;
    return ast_span(s->u, decl, &at) && at.b >= s->root->b && at.b < s->root_end;
}

bool prepare_is_named(const struct prepare *s, const char *name) {
    for (size_t i = 0; i < s->u->pragmas->n; i++) {
        const struct pragma *p = &s->u->pragmas->at[i];
        if ((p == s->p || (p->b > s->root->b && p->b < s->root_end)) &&
            macros_name(s->u, (struct span){p->name.e, p->e}, name))
            return true;
    }
    return false;
}

/* Jobs know their lists by their members. */
static bool has_jobs(const struct prepare *s) {
    for (size_t i = 0; i < s->u->pragmas->n; i++)
        if (s->u->pragmas->at[i].directive->bit == DIRECTIVE_JOBS)
            return true;
    return false;
}

/* Likewise of a loop with all in it. */
static bool prepare_pointers(struct prepare *s) {
    const size_t before = s->edits.n;
    size_t end = 0;
    for (size_t i = 0; i < s->u->pragmas->n && !has_jobs(s); i++) {
        const struct pragma *p = &s->u->pragmas->at[i];
        if (!(p->directive->bit & (DIRECTIVE_FOR | DIRECTIVE_WAVEFRONT)) || p->b < end || !find(s, p) ||
            s->root->b < end)
            continue;
        prepare_members(s);
        end = s->root_end;
    }
    return s->edits.n > before;
}

/* One variable of each loop that stands apart from those before. */
static bool prepare_each(struct prepare *s) {
    size_t done = 0;
    bool any = false;
    if (prepare_tests(s) || prepare_names(s) || prepare_pointers(s))
        return true;
    for (size_t i = 0; i < s->u->pragmas->n; i++) {
        const struct pragma *p = &s->u->pragmas->at[i];
        const bool rows = p->directive->bit & (DIRECTIVE_FOR | DIRECTIVE_WAVEFRONT);
        if (!find(s, p) || s->root->b < done || !((rows && prepare_row_pointers(s)) || prepare_inductions(s)))
            continue;
        done = s->root_end;
        any = true;
    }
    return any;
}

bool prepare_file(struct unit *u, edit_list *edits, bool *again) {
    struct prepare s = {.u = u};
    *again = *again && prepare_each(&s);
    if (*again) {
        hush(&s);
        *edits = s.edits;
        return true;
    }
    s = (struct prepare){.u = u};
    for (size_t i = 0; i < u->pragmas->n; i++) {
        const struct pragma *p = &u->pragmas->at[i];
        if (p->directive->bit & (DIRECTIVE_FOR | DIRECTIVE_WAVEFRONT | DIRECTIVE_TASKLOOP | DIRECTIVE_LANES) &&
            find(&s, p)) {
            prepare_declarations(&s);
            prepare_heads(&s);
            s.after = (struct buf){0};
            prepare_places(&s);
            prepare_variables(&s);
        }
        if (p->directive->bit & DIRECTIVE_GRAPH && (find_block(&s, p) || find(&s, p)))
            prepare_declarations(&s);
        if (p->directive->bit & DIRECTIVE_TASK) {
            if (find_block(&s, p))
                prepare_task(&s, has_goto(s.tree));
            else if (find(&s, p)) {
                s.after = (struct buf){0};
                prepare_variables(&s);
            }
        }
    }
    hush(&s);
    *edits = s.edits;
    return s.edits.n != 0;
}
