/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows with statements beside their inner loop, with several inner loops one behind the other, or with bounds that
 * depend on the row: one inner loop over all columns of all rows, and a condition for each part. Statements in front of
 * the loop are the column before its first one, those behind it the column after its last one; each row then has the
 * order that it had. Cells that a row does not have are no elements of any array: such nests run in the memory form.
 */
#include "normal.h"
#include "prepare.h"

#include <stdint.h>
#include <string.h>

enum { MAX_PARTS = 4 };

struct limit { /* of a loop: the first column, or the one after the last */
    struct node *n;
    long more;
    struct poly is; /* not affine: a choice */
    bool by_row;
};

struct part { /* a loop over columns */
    struct node *loop;
    struct loop_count c;
    struct limit lo, hi;
};

struct rows {
    struct normal *x;
    struct loop_count outer;
    const char *name; /* of the outer variable */
    struct poly first, last;
    struct node *before, *after, *end; /* statements before the first part, behind the last one */
    struct part part[MAX_PARTS];
    int parts;
};

/* ---- bounds ---- */

static void leaf(void *of, struct node *n, struct poly *out) {
    const struct rows *r = of;
    if (n->kind != CXCursor_DeclRefExpr)
        return;
    affine_atom(out, clang_equalCursors(clang_getCursorReferenced(n->c), r->outer.var) ? ATOM_I : ast_name(n->c));
}

static void poly_of(struct rows *r, struct node *n, struct poly *out) {
    affine_read(&(struct affine_names){r, leaf, NULL, NULL}, n, out);
}

static bool row_coefficient(const struct poly *p, long *k) {
    struct poly coef, rest;
    return affine_split(p, ATOM_I, &coef, &rest) && affine_is_constant(&coef, k);
}

static void add(struct poly *p, long k) {
    struct poly constant;
    affine_constant(&constant, k);
    affine_add(p, &constant, 1);
}

/* With the row that makes it smallest, or largest. */
static bool extreme(const struct rows *r, const struct poly *p, bool largest, struct poly *out) {
    struct poly coef, rest;
    long k;
    if (!p->ok || !affine_split(p, ATOM_I, &coef, &rest) || !affine_is_constant(&coef, &k))
        return false;
    *out = rest;
    affine_add(out, (k > 0) == largest ? &r->last : &r->first, k);
    return out->ok;
}

static bool limit(struct rows *r, struct node *n, long more, struct limit *out) {
    long k;
    *out = (struct limit){.n = n, .more = more, .by_row = nest_is_mentioned(n, r->outer.var)};
    poly_of(r, n, &out->is);
    add(&out->is, more);
    if (out->is.ok)
        return row_coefficient(&out->is, &k);
    return normal_is_plain(r->x, n);
}

static const char *limit_text(const struct rows *r, const struct limit *l, long more) {
    struct poly p = l->is;
    if (!p.ok)
        return mem_printf("(%s) + %ld", unit_text(r->x->u, l->n), l->more + more);
    add(&p, more);
    return affine_text(&p, r->name, "");
}

/* Over all rows; a choice may be any of the two. NULL: not known */
static const char *all_rows(struct rows *r, struct node *n, long more, bool largest) {
    struct poly p, out;
    poly_of(r, n, &p);
    add(&p, more);
    if (p.ok)
        return extreme(r, &p, largest, &out) ? affine_text(&out, "", "") : NULL;
    n = ast_strip(n);
    if (n->kind != CXCursor_ConditionalOperator)
        return NULL;
    const char *a = all_rows(r, ast_child(n, 1), more, largest), *b = all_rows(r, ast_child(n, 2), more, largest);
    return a && b ? mem_printf("((%s) %c (%s) ? %s : %s)", a, largest ? '>' : '<', b, a, b) : NULL;
}

/* No row has fewer columns than none. */
static bool is_forward(const struct rows *r, const struct part *p) {
    struct poly d = p->hi.is, least;
    long k;
    affine_add(&d, &p->lo.is, -1);
    return extreme(r, &d, false, &least) && affine_is_constant(&least, &k) && k >= 0;
}

/* A row without columns in C, whose first one is a large number, would have those from below zero on. */
static bool is_straight(const struct rows *r, const struct part *p) {
    struct poly least;
    long k;
    return !count_begins_below(&p->c) ||
           (extreme(r, &p->lo.is, false, &least) && affine_is_constant(&least, &k) && k >= 0);
}

/* ---- the parts ---- */

static int depth_of(const struct node *n) {
    int most = 0;
    for (const struct node *c = n->first; c; c = c->next) {
        const int d = depth_of(c);
        most = d > most ? d : most;
    }
    return most + (n->kind == CXCursor_ForStmt);
}

static bool add_part(struct rows *r, struct node *loop) {
    struct part *p = &r->part[r->parts];
    long k = 1;
    if (r->parts == MAX_PARTS || loop->kind != CXCursor_ForStmt || ast_children(loop) != 4 ||
        loop->first->kind != CXCursor_DeclStmt || !loop_counts(loop, &p->c) || p->c.sooner ||
        !normal_is_apart(loop, &p->c) || p->c.down || (p->c.step && !(ast_constant(p->c.step, &k) && k == 1)) ||
        !normal_is_plain(r->x, p->c.first) || !normal_is_plain(r->x, p->c.bound))
        return false;
    p->loop = loop;
    if (!limit(r, p->c.first, 0, &p->lo) || !limit(r, p->c.bound, !p->c.open, &p->hi))
        return false;
    r->parts++;
    return true;
}

static bool follows(const struct rows *r) {
    const struct part *p = &r->part[r->parts - 1];
    return p->lo.is.ok && p[-1].hi.is.ok && affine_equal(&p->lo.is, &p[-1].hi.is);
}

/* double w; that every statement and every cell sets before it reads it: each cell may have its own */
static bool is_cells_own(const struct node *declaration) {
    if (declaration->kind != CXCursor_DeclStmt)
        return false;
    for (const struct node *d = declaration->first; d; d = d->next) {
        if (d->kind != CXCursor_VarDecl || (d->last && clang_isExpression(d->last->kind)) ||
            clang_Cursor_getStorageClass(d->c) != CX_SC_None || ast_is_array(ast_type(d)))
            return false;
        for (const struct node *n = declaration->next; n; n = n->next)
            if (live_reads_first(n->kind == CXCursor_ForStmt ? n->last : n, d->c) ||
                (n->kind != CXCursor_ForStmt && nest_is_mentioned((struct node *)(uintptr_t)n, d->c)))
                return false;
    }
    return true;
}

static bool find_parts(struct rows *r) {
    struct node *body = r->x->outer->last, *most = NULL, *n;
    if (body->kind == CXCursor_ForStmt)
        return add_part(r, body);
    if (body->kind != CXCursor_CompoundStmt)
        return false;
    for (n = body->first; n; n = n->next)
        if (n->kind == CXCursor_ForStmt && (!most || depth_of(n) > depth_of(most)))
            most = n;
    if (!most || !add_part(r, most))
        return false;
    for (n = body->first; is_cells_own(n);)
        n = n->next;
    r->before = n != most ? n : NULL;
    for (n = most->next; n && n->kind == CXCursor_ForStmt && add_part(r, n); n = n->next)
        if (!follows(r)) {
            r->parts--;
            break;
        }
    r->after = n;
    return true;
}

/* ---- may it be done? ---- */

static bool jumps(const struct node *n, bool inside) {
    if (n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt || n->kind == CXCursor_LabelStmt ||
        n->kind == CXCursor_IndirectGotoStmt ||
        (!inside && (n->kind == CXCursor_ContinueStmt || n->kind == CXCursor_BreakStmt)))
        return true;
    inside |= n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
    for (const struct node *c = n->first; c; c = c->next)
        if (jumps(c, inside))
            return true;
    return false;
}

static bool mentions_name(const struct node *n, const char *name) {
    if ((n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_VarDecl) && strcmp(ast_name(n->c), name) == 0)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (mentions_name(c, name))
            return true;
    return false;
}

/* Does something outside of first … end (not included) use what they declare? */
static bool shares(struct node *first, const struct node *end) {
    for (const struct node *n = first; n != end; n = n->next)
        for (const struct node *d = n->kind == CXCursor_DeclStmt ? n->first : NULL; d; d = d->next)
            for (struct node *other = first; other; other = other->next) {
                bool inside = false;
                for (const struct node *k = first; k != end; k = k->next)
                    inside |= k == other;
                if (!inside && (d->kind != CXCursor_VarDecl || nest_is_mentioned(other, d->c)))
                    return true;
            }
    return false;
}

static bool fits(const struct rows *r, struct node *first, const struct node *end) {
    for (const struct node *n = first; n && n != end; n = n->next)
        if (jumps(n, false) || mentions_name(n, ast_name(r->part[0].c.var)))
            return false;
    return !first || !shares(first, end);
}

static bool may_be_done(const struct rows *r) {
    const struct source *s = &r->x->u->src;
    const bool several = r->parts + (r->before != NULL) + (r->after != NULL) > 2 || r->parts > 1;
    if (memchr(s->text + r->x->outer->b, '#', r->x->end - r->x->outer->b))
        return false;
    for (int k = 0; k < r->parts; k++) {
        if (!is_straight(r, &r->part[k]))
            return false;
        if (several && (!r->part[k].lo.is.ok || !r->part[k].hi.is.ok || !is_forward(r, &r->part[k])))
            return false;
        if (k && strcmp(ast_name(r->part[k].c.var), ast_name(r->part[0].c.var)) != 0)
            return false;
    }
    return fits(r, r->before, r->part[0].loop) && fits(r, r->after, NULL);
}

/* ---- as text ---- */

static size_t end_of(const struct rows *r, struct node *n) {
    return n->kind == CXCursor_DeclStmt ? n->e : ast_statement_end(r->x->u, n, n->b);
}

static void insert(struct rows *r, size_t at, const char *text) { vec_push(r->x->edits, (struct edit){at, at, text}); }

static void put_part(struct rows *r, int k) {
    const struct part *p = &r->part[k];
    const char *j = ast_name(r->part[0].c.var);
    const size_t body = ast_loop_body(r->x->u, p->loop);
    normal_put(r->x, (struct span){p->loop->b, body},
               mem_printf("%sif (%s >= %s && %s < %s) { ", k || r->before ? "else " : "", j, limit_text(r, &p->lo, 0),
                          j, limit_text(r, &p->hi, 0)));
    insert(r, ast_statement_end(r->x->u, p->loop, p->loop->b), " }");
}

static const char *row_ends(struct rows *r, const char **first, const char **end) {
    const struct part *a = &r->part[0], *z = &r->part[r->parts - 1];
    *first = limit_text(r, &a->lo, r->before ? -1 : 0);
    *end = limit_text(r, &z->hi, r->after ? 1 : 0);
    const char *low = all_rows(r, a->c.first, r->before ? -1 : 0, false);
    const char *high = all_rows(r, z->c.bound, !z->c.open + (r->after ? 1 : 0), true);
    if (!low || !high)
        return NULL;
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(a->c.var)));
    const char *j = ast_name(a->c.var);
    return mem_printf("for (%s %s = (%s)(%s); %s < %s; %s++) { ", type, j, type, low, j, high, j);
}

static bool put(struct rows *r) {
    const char *first, *end, *head = row_ends(r, &first, &end), *j = ast_name(r->part[0].c.var);
    struct node *last = r->part[r->parts - 1].loop;
    if (!head)
        return false;
    insert(r, r->x->outer->last->kind == CXCursor_CompoundStmt ? r->x->outer->last->first->b : r->part[0].loop->b,
           head);
    if (r->before) {
        struct node *n = r->before;
        insert(r, n->b, mem_printf("if (%s == %s) { ", j, limit_text(r, &r->part[0].lo, -1)));
        while (n->next != r->part[0].loop)
            n = n->next;
        insert(r, end_of(r, n), " }");
    }
    for (int k = 0; k < r->parts; k++)
        put_part(r, k);
    if (r->after) {
        for (last = r->after; last->next;)
            last = last->next;
        insert(r, r->after->b, mem_printf("else if (%s == %s) { ", j, limit_text(r, &r->part[r->parts - 1].hi, 0)));
        insert(r, end_of(r, last), " }");
    }
    insert(r, end_of(r, last), " }");
    vec_push(&r->x->u->clipped, (struct clipped){.number = r->x->number, .first = first, .end = end});
    return true;
}

bool normal_rows(struct normal *x) {
    struct rows r = {.x = x};
    long k = 1;
    if (x->outer != x->root || x->outer->first->kind != CXCursor_DeclStmt || !loop_counts(x->outer, &r.outer) ||
        !normal_is_apart(x->outer, &r.outer) || r.outer.sooner || r.outer.down ||
        (r.outer.step && !(ast_constant(r.outer.step, &k) && k == 1)) || !normal_is_plain(x, r.outer.first) ||
        !normal_is_plain(x, r.outer.bound) || !find_parts(&r))
        return false;
    r.name = ast_name(r.outer.var);
    if (r.parts == 1 && !r.before && !r.after && !r.part[0].lo.by_row && !r.part[0].hi.by_row)
        return false;
    poly_of(&r, r.outer.first, &r.first);
    poly_of(&r, r.outer.bound, &r.last);
    add(&r.last, r.outer.open ? -1 : 0);
    return r.first.ok && r.last.ok && may_be_done(&r) && put(&r);
}
