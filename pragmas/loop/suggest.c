/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map clause that a message proposes for an array that nobody mapped. It names a section only where the subscripts
 * show it: rows at known distances from the loop variable's own, of one element or of as many as it is multiplied by.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "loop.h"

#include <string.h>

static const char INNER[] = "\3"; /* begins the atoms of variables of the body */

struct rows {
    struct poly each; /* elements of a row; no terms: the row is the same for all iterations */
    long first, last; /* beside the iteration's own */
};

static void leaf(void *of, struct node *n, struct poly *out) {
    struct for_loop *f = of;
    affine_of(&f->w, n, out);
    if (!out->ok && n->kind == CXCursor_DeclRefExpr && affine_is_integer(clang_getCursorType(n->c)))
        affine_atom(out, mem_printf("%s%s", INNER, ast_name(n->c)));
}

static bool inner_term(const struct term *t) {
    for (int a = 0; a < t->n; a++)
        if (t->atom[a][0] == *INNER || strcmp(t->atom[a], ATOM_J) == 0)
            return true;
    return false;
}

static bool same_atoms(const struct term *a, const struct term *b) {
    const struct poly one = {.ok = true, .n = 1, .t = {*a}};
    struct poly other = {.ok = true, .n = 1, .t = {*b}};
    other.t[0].k = a->k;
    return affine_equal(&one, &other);
}

static long rounded_down(long a, long b) { return a / b - (a % b < 0); }

/* What a subscript adds to the iteration's own row: rest = row * each + what stays inside a row. */
static bool distance(const struct poly *each, const struct poly *rest, long *row) {
    const struct term *whole = &each->t[0];
    bool inside = false;
    *row = 0;
    for (int t = 0; t < rest->n; t++) {
        const struct term *m = &rest->t[t];
        const bool inner = inner_term(m);
        inside |= inner;
        if (same_atoms(whole, m))
            *row = rounded_down(m->k, whole->k);
        else if (m->n && !inner)
            return false;
    }
    return whole->n || !inside || (whole->k > 1 && *row == 0); /* x[i + j], x[4 * i + j - 1]: not in one row */
}

static bool rows_of(struct for_loop *f, struct node *subscript, struct rows *r) {
    struct poly p, rest;
    affine_read(&(struct affine_names){f, leaf, NULL, NULL}, subscript, &p);
    if (!p.ok || !affine_split(&p, ATOM_I, &r->each, &rest))
        return false;
    if (r->each.n == 0)
        return true;
    if (r->each.n > 1 || r->each.t[0].k < 1 || inner_term(&r->each.t[0]) || !distance(&r->each, &rest, &r->first))
        return false;
    r->last = r->first;
    return true;
}

/* Of all places where the array is used; false: not known. */
static bool rows_of_all(struct for_loop *f, struct var *v, struct rows *all, bool *read) {
    bool any = false;
    for (size_t i = 0; i < f->w.uses.n; i++) {
        const struct use *use = &f->w.uses.at[i];
        struct ref ref = {.v = v};
        struct rows r = {.first = 0};
        if (use->v != v || (capture_access(use->n) & ACCESS_UNEVALUATED))
            continue;
        if (!refs_subscripts(v, use->n, &ref) || !rows_of(f, ref.sub[0], &r) ||
            (any && !affine_equal(&all->each, &r.each)))
            return false;
        *read |= (capture_access(ref.n) & ACCESS_READ) != 0;
        if (!any)
            *all = r;
        all->first = r.first < all->first ? r.first : all->first;
        all->last = r.last > all->last ? r.last : all->last;
        any = true;
    }
    return any;
}

static const char *shifted(const char *name, long by) {
    return by ? mem_printf("%s %c %ld", name, by < 0 ? '-' : '+', by < 0 ? -by : by) : name;
}

/* `rows` rows, in elements. */
static const char *scaled(const char *rows, const struct poly *each) {
    const struct term *t = &each->t[0];
    struct buf b = {0};
    if (!t->n && t->k == 1)
        return rows;
    buf_printf(&b, strchr(rows, ' ') ? "(%s)" : "%s", rows);
    if (t->k != 1)
        buf_printf(&b, " * %ld", t->k);
    for (int k = 0; k < t->n; k++)
        buf_printf(&b, " * %s", t->atom[k]);
    return b.s;
}

static const char *section(const struct for_loop *f, const struct var *v, const struct rows *r) {
    const struct loop *l = &f->w.loop[0];
    if (!r->each.n || l->step || l->down)
        return NULL;
    return mem_printf("%s[%s : %s]", v->name, scaled(shifted("heddle_lo", r->first), &r->each),
                      scaled(shifted("heddle_count", r->last - r->first), &r->each));
}

const char *for_section(struct for_loop *f, struct var *v) {
    struct rows r;
    bool read = false;
    return !for_hidden_uses(f, v) && rows_of_all(f, v, &r, &read) ? section(f, v, &r) : NULL;
}

const char *for_suggestion(struct for_loop *f, struct var *v) {
    const bool written = for_may_write(f, v);
    bool read = false;
    struct rows r;
    const bool known = !for_hidden_uses(f, v) && rows_of_all(f, v, &r, &read);
    const char *kind = !written ? "to" : read || !known ? "tofrom" : "from", *rows = known ? section(f, v, &r) : NULL;
    if (rows)
        return mem_printf("add map(%s: %s)", kind, rows);
    if (known && !r.each.n && written)
        return mem_printf(
            "all iterations write in the same rows, and chunks bring back rows of their own: declare '%s' in "
            "the loop, let the loop over its rows be the parallel one, or use taskloop in a pool",
            v->name);
    if (known && !r.each.n)
        return mem_printf("add map(%s: %s[first : count]) with all that the loop reads", kind, v->name);
    return mem_printf("add map(%s: %s[first : count]); a section with heddle_lo, a chunk's first value of '%s', and "
                      "heddle_count, its number of iterations, moves with the chunk",
                      kind, v->name, f->w.loop[0].name);
}
