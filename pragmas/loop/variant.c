/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma heddle variant(kind: function)` before a call in the body of a `for` loop: what devices of a kind call
 * instead. The call is then made by the host thread that drives the device. variant(kind: function(arguments)) gives
 * the whole call; where it names heddle_count it stands for all iterations of a chunk, and has to be all that the body
 * does.
 */
#include "front/macros.h"
#include "loop.h"

#include <string.h>

bool variant_translate(struct unit *u, const struct pragma *p) {
    for (size_t i = 0; i < u->pragmas->n; i++) {
        const struct pragma *loop = &u->pragmas->at[i];
        if (loop->directive->bit != DIRECTIVE_FOR || loop->b > p->b)
            continue;
        struct function *g = function_around(u, p->b);
        if (g && g == function_around(u, loop->b) && u->variants_done > p->b)
            return true;
    }
    if (!u->errors)
        diag_error(u, p->b,
                   "no '#pragma heddle for' loop around this directive; put it before a call in the loop's body");
    return false;
}

/* The call statement that begins at an offset. */
static struct node *call_at(struct node *n, size_t offset) {
    if (n->kind == CXCursor_CallExpr && n->b == offset)
        return n;
    for (struct node *c = n->first; c; c = c->next) {
        struct node *found = c->b <= offset && offset < c->e + 1 ? call_at(c, offset) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static bool is_call(const char *text) {
    size_t n = strlen(text);
    return n && text[n - 1] == ')';
}

/* All of it comes out of a macro; one that only stands for the function's name does no harm. */
static bool in_macro(const struct unit *u, const struct node *call) {
    return expansion_begins(u, call) && call->first->e >= call->e;
}

static bool add(struct for_loop *f, const struct pragma *p) {
    struct unit *u = f->w.u;
    struct for_variant *v = mem_alloc(sizeof *v);
    v->p = p;
    v->call = call_at(f->w.body, p->next);
    if (!v->call || in_macro(u, v->call)) {
        diag_error(u, p->next < u->src.size ? p->next : p->b,
                   "expected a call of a function after '#pragma heddle variant', as a statement of its own: f(…); "
                   "with its result through a pointer");
        return false;
    }
    for (size_t i = 0; i < p->clauses.n; i++) {
        const struct clause *c = &p->clauses.at[i];
        if (v->on[c->kind]) {
            diag_error(u, c->name.b, "two variants for one kind of device; give one");
            return false;
        }
        v->on[c->kind] = c;
        const bool chunk = macros_name(u, c->arg[0], "heddle_count");
        struct node *only = f->w.body;
        while (only->kind == CXCursor_CompoundStmt && only->first && !only->first->next)
            only = only->first;
        if (chunk && ast_strip(only) != v->call) {
            diag_error(u, c->arg[0].b,
                       "a call for a whole chunk has to be all that the loop's body does; move the rest into the "
                       "function, or call it for one iteration");
            return false;
        }
        if (chunk && !is_call(source_flat(&u->src, c->arg[0]))) {
            diag_error(u, c->arg[0].b, "expected the name of a function or a call");
            return false;
        }
        f->whole |= chunk;
    }
    vec_push(&f->variants, v);
    return true;
}

bool for_variants(struct for_loop *f) {
    struct unit *u = f->w.u;
    bool ok = true;
    for (size_t i = 0; i < u->pragmas->n; i++) {
        const struct pragma *p = &u->pragmas->at[i];
        if (p->directive->bit == DIRECTIVE_VARIANT && p->b >= f->w.body_begin && p->b < f->w.body_end)
            ok &= add(f, p);
    }
    for (size_t i = 0; i < u->pragmas->n;
         i++) /* a pragma before the body's only statement stands before it in the text */
        if (u->pragmas->at[i].directive->bit == DIRECTIVE_VARIANT && u->pragmas->at[i].b > f->w.p->b &&
            u->pragmas->at[i].b < f->w.root_end && u->pragmas->at[i].b >= u->variants_done)
            u->variants_done = u->pragmas->at[i].b + 1;
    return ok;
}

bool for_variants_of_devices(const struct for_loop *f) {
    for (size_t i = 0; i < f->variants.n; i++)
        for (int kind = 0; kind < KINDS; kind++)
            if (kind != KIND_HOST && f->variants.at[i]->on[kind])
                return true;
    return false;
}

const char *for_variant_whole(struct for_loop *f, int kind) {
    const struct clause *c = f->variants.n ? f->variants.at[0]->on[kind] : NULL;
    return c && macros_name(f->w.u, c->arg[0], "heddle_count") ? source_flat(&f->w.u->src, c->arg[0]) : NULL;
}

/* The directive's line goes; its line breaks stay. */
static void remove_line(const struct for_loop *f, const struct pragma *p, edit_list *edits) {
    struct buf lines = {0};
    buf_add(&lines, "", 0);
    for (size_t i = p->b; i < p->e; i++)
        if (f->w.u->src.text[i] == '\n')
            buf_puts(&lines, "\n");
    vec_push(edits, (struct edit){p->b, p->e, lines.s});
}

void for_variant_remove(struct for_loop *f) {
    for (size_t i = 0; i < f->variants.n; i++)
        remove_line(f, f->variants.at[i]->p, &f->w.u->edits);
    for_target_edits(f, KIND_HOST, &f->w.u->edits);
}

bool for_variant_edits(struct for_loop *f, int kind, edit_list *edits) {
    bool any = kind == KIND_HOST || !f->variants.n;
    for_target_edits(f, kind, edits);
    for (size_t i = 0; i < f->variants.n; i++) {
        const struct for_variant *v = f->variants.at[i];
        remove_line(f, v->p, edits);
        if (!v->on[kind])
            continue;
        any = true;
        const char *text = source_flat(&f->w.u->src, v->on[kind]->arg[0]);
        const struct node *callee = v->call->first;
        if (is_call(text))
            vec_push(edits, (struct edit){v->call->b, v->call->e, text});
        else
            vec_push(edits, (struct edit){callee->b, callee->e, text});
    }
    return any;
}
