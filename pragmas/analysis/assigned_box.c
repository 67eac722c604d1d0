/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of elements: what has to hold for one, and what becomes of it where control flow meets and loops end. */
#include "assigned.h"

#include <string.h>

/* ---- conditions ---- */

static bool mentions_pointer(const struct poly *p) {
    for (int t = 0; t < p->n; t++)
        for (int k = 0; k < p->t[t].n; k++)
            if (strstr(p->t[t].atom[k], "->"))
                return true; /* which may be null where the loop does not run */
    return false;
}

/* The loop variables' least values in p, so that what is left is the least of p; false: not known. */
static bool least(const struct assigned *a, struct poly *p) {
    for (size_t r = a->ranges.n; r-- > 0;) {
        const struct range *range = &a->ranges.at[r];
        struct poly coef, rest;
        long k;
        if (!affine_split(p, range->atom, &coef, &rest))
            return false;
        if (!affine_is_constant(&coef, &k) || !k)
            continue;
        affine_add(&rest, k > 0 ? &range->lo : &range->hi, k);
        *p = rest;
    }
    return p->ok;
}

/* One more condition, if it is not among them. */
static void add_need(const struct need **needs, const struct poly *p, bool zero) {
    for (const struct need *n = *needs; n; n = n->next)
        if (n->zero == zero && affine_equal(&n->p, p))
            return;
    struct need *n = mem_alloc(sizeof *n);
    *n = (struct need){*p, zero, *needs};
    *needs = n;
}

/* needs: NULL where nothing may remain to be tested */
bool assigned_require(struct assigned *a, const struct poly *p, bool zero, const struct need **needs) {
    struct poly rest = *p;
    long k;
    if (!rest.ok || (!zero && !least(a, &rest)))
        return false;
    for (size_t r = a->ranges.n; r-- > 0;) { /* what still holds one has to have no weight */
        struct poly coef, without;
        if (!affine_split(&rest, a->ranges.at[r].atom, &coef, &without) ||
            (coef.n && !assigned_require(a, &coef, true, needs)))
            return false;
        rest = without;
    }
    if (affine_is_constant(&rest, &k))
        return zero ? k == 0 : k >= 0;
    if (!needs || mentions_pointer(&rest))
        return false;
    add_need(needs, &rest, zero);
    return true;
}

static struct poly difference(const struct poly *x, const struct poly *y, long less) {
    struct poly d = *x, one;
    affine_constant(&one, less);
    affine_add(&d, y, -1);
    affine_add(&d, &one, -1);
    return d;
}

/* x - y >= less */
static bool is_above(struct assigned *a, const struct poly *x, const struct poly *y, long less,
                     const struct need **needs) {
    long k, other; /* most are constants, and polynomials are large */
    if (affine_is_constant(x, &k) && affine_is_constant(y, &other) && k > -(1l << 40) && k < 1l << 40 &&
        other > -(1l << 40) && other < 1l << 40)
        return k - other >= less;
    const struct poly d = difference(x, y, less);
    return assigned_require(a, &d, false, needs);
}

const struct need *assigned_both(const struct need *x, const struct need *y) {
    if (x == y)
        return x;
    for (; y; y = y->next)
        add_need(&x, &y->p, y->zero);
    return x;
}

/* ---- sets of boxes ---- */

static void add(struct state *s, const struct box *b) {
    struct boxes *l = mem_alloc(sizeof *l);
    *l = (struct boxes){b, s->boxes};
    s->boxes = l;
}

static bool same_field(const char *x, const char *y) { return x == y || (x && y && strcmp(x, y) == 0); }

static bool same_sides(const struct box *x, const struct box *y, int except) {
    for (int d = 0; d < MAX_DIMS; d++)
        if (d != except && (!affine_equal(&x->lo[d], &y->lo[d]) || !affine_equal(&x->hi[d], &y->hi[d])))
            return false;
    return true;
}

static const struct box *find(struct state s, const struct box *b) {
    for (const struct boxes *l = s.boxes; l; l = l->next)
        if (l->box == b || (same_field(l->box->field, b->field) && same_sides(l->box, b, -1)))
            return l->box;
    return NULL;
}

struct state assigned_either(struct state x, struct state y) {
    struct state out = {0};
    if (x.dead || y.dead)
        return x.dead ? y : x;
    for (const struct boxes *l = x.boxes; l; l = l->next) {
        const struct box *other = find(y, l->box);
        if (!other)
            continue;
        struct box *b = mem_alloc(sizeof *b);
        *b = *l->box;
        if (other != l->box)
            b->needs = assigned_both(b->needs, other->needs);
        add(&out, other == l->box ? l->box : b);
    }
    return out;
}

/* A condition on what does not change holds where the write is: a loop around it has a turn only then. */
static bool is_met(struct assigned *a, const struct need *n) {
    for (size_t r = 0; r < a->ranges.n && !n->zero; r++) {
        const struct poly turns = difference(&a->ranges.at[r].hi, &a->ranges.at[r].lo, 0);
        if (turns.ok && affine_equal(&turns, &n->p))
            return true;
    }
    return assigned_require(a, &n->p, n->zero, NULL);
}

static bool is_inside(struct assigned *a, const struct element *p, const struct box *b) {
    for (const struct need *n = b->needs; n; n = n->next)
        if (!is_met(a, n))
            return false;
    for (int d = 0; d < a->rank; d++) {
        if (!is_above(a, &p->at[d], &b->lo[d], 0, NULL) || !is_above(a, &b->hi[d], &p->at[d], 1, NULL))
            return false;
    }
    return !b->field;
}

/* No other element than what every turn writes. */
static void look_up(struct assigned *a, const struct element *p) {
    bool found = a->now.dead;
    for (const struct boxes *l = a->all->boxes; l && !found && p->level == a->rank && !p->part; l = l->next)
        found = is_inside(a, p, l->box);
    a->failed |= !found;
}

void assigned_write(struct assigned *a, const struct element *p) {
    if (a->all)
        look_up(a, p);
    struct box *b = mem_alloc(sizeof *b);
    struct poly one;
    affine_constant(&one, 1);
    *b = (struct box){.field = p->field};
    for (int d = 0; d < MAX_DIMS; d++) {
        b->lo[d] = b->hi[d] = p->at[d];
        affine_add(&b->hi[d], &one, d < a->rank);
        if (!p->at[d].ok)
            return;
    }
    const struct box *known = p->level == a->rank && !p->part && !a->now.dead ? find(a->now, b) : b;
    if (!known || known->needs)
        add(&a->now, b);
}

/* The box begins, or ends, where the array does. */
static bool at_edge(const struct assigned *a, const struct box *b, int d, bool end) {
    long k;
    if (!a->sized || !affine_is_constant(end ? &b->hi[d] : &b->lo[d], &k))
        return false;
    return end ? a->v->dim[d] && k >= a->v->dim[d] : k <= 0;
}

static bool holds(struct assigned *a, const struct box *b, const struct element *p, const struct need **needs) {
    if (b->field && !same_field(b->field, p->field))
        return false;
    for (int d = 0; d < a->rank; d++) {
        if ((!at_edge(a, b, d, false) && !is_above(a, &p->at[d], &b->lo[d], 0, needs)) ||
            (!at_edge(a, b, d, true) && !is_above(a, &b->hi[d], &p->at[d], 1, needs)))
            return false;
    }
    if (needs)
        *needs = assigned_both(*needs, b->needs);
    return needs || !b->needs;
}

void assigned_read(struct assigned *a, const struct element *p) {
    const struct need *needs = a->needs;
    if (a->writes)
        return;
    if (!a->rank && !p->field) /* a structure, member by member */
        assigned_join(a, &a->now);
    for (int open = 0; open < 2 && p->level == a->rank; open++) {
        for (const struct boxes *l = a->now.boxes; l; l = l->next, needs = a->needs)
            if (holds(a, l->box, p, open ? &needs : NULL)) {
                a->odd = a->odd || needs == a->needs ? a->odd : a->at;
                a->needs = needs;
                return;
            }
        if (!open && a->rank) /* boxes side by side may hold it together */
            assigned_join(a, &a->now);
    }
    a->odd = a->odd || a->now.dead ? a->odd : a->at;
    a->failed |= !a->now.dead;
}

/* ---- side by side ---- */

struct fields {
    struct state *s;
    const struct box *like;
    const struct need *needs;
    bool all;
};

static enum CXVisitorResult each_field(CXCursor c, CXClientData data) {
    struct fields *f = data;
    struct box want = *f->like;
    want.field = ast_name(c);
    const struct box *b = *want.field ? find(*f->s, &want) : f->like;
    f->all = b != NULL;
    f->needs = b ? assigned_both(f->needs, b->needs) : NULL;
    return b ? CXVisit_Continue : CXVisit_Break;
}

static void join_fields(struct assigned *a, struct state *s) {
    const CXType t = clang_getCanonicalType(a->v->elem_type);
    for (const struct boxes *l = s->boxes; l; l = l->next) {
        struct fields f = {s, l->box, NULL, true};
        if (!l->box->field || t.kind != CXType_Record)
            continue;
        struct box *b = mem_alloc(sizeof *b);
        *b = *l->box;
        b->field = NULL;
        if (find(*s, b))
            continue;
        clang_Type_visitFields(t, each_field, &f);
        b->needs = f.needs;
        if (f.all)
            add(s, b);
    }
}

/* The dimension in which x lies behind y; -1: none. */
static int behind(const struct assigned *a, const struct box *x, const struct box *y) {
    for (int d = 0; same_field(x->field, y->field) && d < a->rank; d++)
        if (affine_equal(&y->hi[d], &x->lo[d]) && same_sides(x, y, d))
            return d;
    return -1;
}

/* Both together, where that is not there yet; else NULL. */
static const struct box *joined(const struct assigned *a, const struct state *s, const struct box *x,
                                const struct box *y) {
    const int d = x == y ? -1 : behind(a, x, y);
    struct box b, *out;
    if (d < 0)
        return NULL;
    b = *y;
    b.hi[d] = x->hi[d];
    if (find(*s, &b))
        return NULL;
    b.needs = assigned_both(x->needs, y->needs);
    out = mem_alloc(sizeof *out);
    *out = b;
    return out;
}

/* Of the first two, one of which is new; NULL: none. */
static const struct box *next_joined(const struct assigned *a, const struct state *s) {
    bool old = false;
    for (const struct boxes *x = s->boxes; x; x = x->next) {
        old |= x == s->joined;
        for (const struct boxes *y = s->boxes; y && !(old && y == s->joined); y = y->next) {
            const struct box *b = joined(a, s, x->box, y->box);
            if (b)
                return b;
        }
    }
    return NULL;
}

void assigned_join(struct assigned *a, struct state *s) {
    enum {
        ROUNDS = 64,
        MOST = 256
    }; /* hundreds of statements, each of which writes an element: all pairs are too many */
    int n = 0;
    if (s->joined == s->boxes)
        return;
    join_fields(a, s);
    for (const struct boxes *l = s->boxes; l; l = l->next)
        n++;
    for (int round = 0; round < ROUNDS && n + round < MOST; round++) {
        const struct box *found = next_joined(a, s);
        if (!found) {
            s->joined = s->boxes;
            return;
        }
        add(s, found);
    }
}

/* ---- loops ---- */

static struct poly with(const struct poly *p, const char *atom, const struct poly *value) {
    struct poly coef, rest, product;
    affine_split(p, atom, &coef, &rest);
    affine_multiply(&coef, value, &product);
    affine_add(&rest, &product, 1);
    return rest;
}

/* The dimension whose sides move with the loop variable, and by how much; -1: none. False: more than one, or the width
 * changes. */
static bool moving(const struct assigned *a, const struct box *b, const char *atom, int *dim, struct poly *by) {
    *dim = -1;
    for (int d = 0; d < a->rank; d++) {
        struct poly low, high, rest;
        if (!affine_split(&b->lo[d], atom, &low, &rest) || !affine_split(&b->hi[d], atom, &high, &rest) ||
            !affine_equal(&low, &high) || (low.n && *dim >= 0))
            return false;
        if (low.n) {
            *dim = d;
            *by = low;
        }
    }
    return true;
}

/* Turns that follow each other touch; where the loop makes none, nothing may be left of the box. */
static bool widened(struct assigned *a, struct box *b, const struct axis_of_loop *x) {
    int d;
    struct poly by, moved, width, back = {.ok = true};
    const struct poly turns = difference(x->down ? &x->first : &x->end, x->down ? &x->end : &x->first, 1);
    if (!moving(a, b, x->atom, &d, &by))
        return false;
    if (d < 0)
        return x->runs || assigned_require(a, &turns, false, &b->needs);
    affine_multiply(&by, &x->step, &moved);
    affine_add(&back, &moved, -1);
    width = difference(&b->hi[d], &b->lo[d], 0);
    const bool down = affine_sign(&moved) < 0;
    const struct poly gap = difference(&width, down ? &back : &moved, 0);
    if (!assigned_require(a, &gap, true, &b->needs) ||
        !(x->runs || assigned_require(a, &width, false, NULL) || assigned_require(a, &turns, false, &b->needs)))
        return false;
    const struct poly first = with(&b->lo[d], x->atom, &x->first), end = with(&b->lo[d], x->atom, &x->end);
    b->lo[d] = down ? end : first;
    b->hi[d] = down ? first : end;
    if (down) {
        affine_add(&b->lo[d], &width, 1);
        affine_add(&b->hi[d], &width, 1);
    }
    return b->lo[d].ok && b->hi[d].ok;
}

void assigned_widen(struct assigned *a, struct state before, const struct axis_of_loop *x) {
    struct state after = before;
    assigned_join(a, &a->now);
    for (const struct boxes *l = a->now.boxes; l && l != before.boxes; l = l->next) {
        if (find(before, l->box))
            continue;
        struct box *b = mem_alloc(sizeof *b);
        *b = *l->box;
        if (widened(a, b, x))
            add(&after, b);
    }
    a->now = after;
}
