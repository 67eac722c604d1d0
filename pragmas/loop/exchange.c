/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops of a `for` a strip of iterations goes into: those that may, and for which it pays. */
#include "front/macros.h"
#include "analysis/normal.h"
#include "exchange.h"

#include <stdint.h>
#include <string.h>

/* ---- the pieces of j's body ---- */

static bool is_written_out(const struct exchange *x, const struct node *n, const char *word) {
    return !strncmp(x->f->w.u->src.text + n->b, word, strlen(word)) && !expansion_begins(x->f->w.u, n);
}

/* A loop that a strip may go into: its head has one value for all of j. */
static bool is_loop(const struct exchange *x, struct node *n) {
    struct loop_count c;
    return n->kind == CXCursor_ForStmt && loop_counts(n, &c) && !c.sooner && n->first->kind == CXCursor_DeclStmt &&
           !n->first->first->next && exchange_is_named(clang_getCursorType(c.var)) && is_written_out(x, n, "for") &&
           normal_is_apart(n, &c) && exchange_is_fixed(x, c.first) && exchange_is_fixed(x, c.bound) &&
           exchange_is_fixed(x, c.step);
}

typedef VEC(struct exchange_piece *) piece_list;

static void split(struct exchange *x, struct node *n, piece_list *out);

static void split_one(struct exchange *x, struct node *n, piece_list *out) {
    struct exchange_piece *p = mem_alloc(sizeof *p);
    if (is_loop(x, n)) {
        piece_list inside = {0};
        p->loop = n;
        split(x, n->last, &inside);
        for (size_t i = 0; i < inside.n; i++)
            vec_push(&p->inside, inside.at[i]);
    } else {
        vec_push(&p->statements, n);
    }
    vec_push(out, p);
}

/* A loop's body; a block in it stays one statement, with names of its own. */
static void split(struct exchange *x, struct node *n, piece_list *out) {
    if (n->kind != CXCursor_CompoundStmt)
        split_one(x, n, out);
    for (struct node *c = n->kind == CXCursor_CompoundStmt ? n->first : NULL; c; c = c->next)
        split_one(x, c, out);
}

/* Loops that stay are statements; what stands beside each other is one piece. */
static void gather(piece_list *all) {
    piece_list out = {0};
    for (size_t i = 0; i < all->n; i++) {
        struct exchange_piece *p = all->at[i], *last = out.n ? out.at[out.n - 1] : NULL;
        if (p->loop && p->open) {
            piece_list inside = {0};
            for (size_t k = 0; k < p->inside.n; k++)
                vec_push(&inside, p->inside.at[k]);
            gather(&inside);
            p->inside.n = 0;
            for (size_t k = 0; k < inside.n; k++)
                vec_push(&p->inside, inside.at[k]);
            vec_push(&out, p);
            continue;
        }
        if (!last || last->loop)
            last = *vec_push(&out, mem_alloc(sizeof *last));
        for (size_t k = 0; k < p->statements.n; k++)
            vec_push(&last->statements, p->statements.at[k]);
        if (p->loop)
            vec_push(&last->statements, p->loop);
    }
    *all = out;
}

static bool is_built(struct exchange *x) {
    piece_list pieces = {0};
    split(x, x->body, &pieces);
    for (int k = x->narounds; k-- > 0;) { /* innermost first */
        struct exchange_piece *p = mem_alloc(sizeof *p);
        p->loop = x->around[k];
        for (size_t i = 0; i < pieces.n; i++)
            vec_push(&p->inside, pieces.at[i]);
        pieces.n = 0;
        vec_push(&pieces, p);
    }
    for (size_t i = 0; i < pieces.n; i++)
        vec_push(&x->pieces, pieces.at[i]);
    if (!exchange_pays(x) || (x->narounds && !x->pieces.at[0]->open))
        return false;
    gather(&pieces);
    x->pieces.n = 0;
    for (size_t i = 0; i < pieces.n; i++)
        vec_push(&x->pieces, pieces.at[i]);
    return exchange_may(x) && exchange_scalars(x) &&
           (!x->narounds || x->width == EXCHANGE_NARROW || (x->narounds == 1 && x->pieces.at[0]->jams));
}

/* ---- candidates ---- */

bool exchange_is_named(CXType t) {
    const char *text = ast_spelling(clang_getUnqualifiedType(t));
    return !strpbrk(text, "([") && !strstr(text, "unnamed") && !strstr(text, "anonymous");
}

static bool is_unit_step(const struct loop_count *c) {
    long k;
    return !c->down && (!c->step || (ast_constant(c->step, &k) && k == 1));
}

/* j in some loops with nothing beside it: they go inside, or some of the loops in j do. */
static struct exchange *find_at(struct for_loop *f, struct node *n) {
    struct exchange *x = mem_alloc(sizeof *x);
    struct node *loop = n;
    x->f = f;
    x->b = n->b;
    for (;;) {
        struct exchange *y = mem_alloc(sizeof *y);
        *y = *x;
        y->loop = loop;
        y->body = loop->last;
        y->e = ast_statement_end(f->w.u, n, n->b);
        if (loop_counts(loop, &y->count) && !y->count.sooner && is_unit_step(&y->count) &&
            loop->first->kind == CXCursor_DeclStmt && is_written_out(y, loop, "for") &&
            normal_is_apart(loop, &y->count) && exchange_is_named(clang_getCursorType(y->count.var))) {
            bool fixed = exchange_is_fixed(y, y->count.first) && exchange_is_fixed(y, y->count.bound);
            for (int k = 0; k < x->narounds; k++) {
                struct loop_count c;
                fixed = fixed && loop_counts(x->around[k], &c) && is_loop(y, x->around[k]) &&
                        !exchange_mentions(y->count.first, c.var) && !exchange_mentions(y->count.bound, c.var);
            }
            y->name = ast_name(y->count.var);
            y->type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(y->count.var)));
            if (fixed && is_built(y))
                return y;
        }
        if (x->narounds == EXCHANGE_LOOPS)
            return NULL;
        x->around[x->narounds++] = loop;
        struct node *next = loop->last;
        while (next->kind == CXCursor_CompoundStmt && next->first && !next->first->next)
            next = next->first;
        if (next->kind != CXCursor_ForStmt || ast_children(next) != 4)
            return NULL;
        loop = next;
    }
}

static void find_in(struct for_loop *f, struct node *n, exchange_list *out) {
    if (n->kind == CXCursor_ForStmt && ast_children(n) == 4) {
        struct exchange *x = find_at(f, n);
        if (x) {
            vec_push(out, x);
            return;
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        find_in(f, c, out);
}

/* The directive's own loop. */
static struct exchange *find_own(struct for_loop *f) {
    struct exchange *x = mem_alloc(sizeof *x);
    const struct loop *l = &f->w.loop[0];
    *x = (struct exchange){
        .f = f,
        .count =
            {.var = l->var, .first = l->first, .bound = l->bound, .step = l->step, .open = l->open, .down = l->down},
        .name = l->name,
        .type = l->type,
        .body = f->w.body,
        .b = f->w.body_begin,
        .e = f->w.body_end};
    return !f->step[1] && is_unit_step(&x->count) && is_built(x) ? x : NULL;
}

/* A turn of the directive's loop then hands something on. */
static bool reduces(const struct for_loop *f) {
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->reduced || f->w.vars.at[i]->joined)
            return true;
    return false;
}

void exchange_find(struct for_loop *f, exchange_list *out) {
    if (f->jobs || f->host_driven || f->variants.n || f->targets.n || f->hidden.n || f->hidden_text.n ||
        !exchange_is_plain(f))
        return;
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->user)
            return;
    struct exchange *own = reduces(f) ? NULL : find_own(f);
    if (!own || own->width == EXCHANGE_NARROW)
        find_in(f, f->w.body, out);
    if (own && !out->n)
        vec_push(out, own);
}

/* The loop that the strip is inside of, the innermost one. */
static const struct node *inner_of(const struct exchange_piece *p) {
    for (size_t i = 0; i < p->inside.n; i++)
        if (p->inside.at[i]->loop)
            return inner_of(p->inside.at[i]);
    return p->loop;
}

const char *exchange_order(const exchange_list *all) {
    struct buf out = {0};
    for (size_t i = 0; i < all->n; i++) {
        const struct exchange *x = all->at[i];
        const struct source *src = &x->f->w.u->src;
        struct loop_count c;
        size_t k = 0;
        while (!x->pieces.at[k]->loop)
            k++;
        const struct node *inner = inner_of(x->pieces.at[k]);
        loop_counts((struct node *)(uintptr_t)inner, &c);
        buf_printf(&out, "%s%s (line %u) inside %s (line %u)", i ? ", " : "", x->name,
                   source_line(src, x->loop ? x->loop->b : x->f->w.root->b), ast_name(c.var),
                   source_line(src, inner->b));
    }
    return out.s;
}
