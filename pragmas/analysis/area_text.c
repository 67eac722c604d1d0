/* SPDX-License-Identifier: Apache-2.0 */
/* What subscripts show, as the C text of bounds. */
#include "analysis/capture.h"
#include "analysis/map.h"
#include "area.h"

#include <string.h>

/* ---- texts ---- */

/* The least, or the largest, of the iterations that come there. */
static const char *iteration(const struct area *a, bool most, const char *text) {
    for (size_t i = 0; i < a->clips.n; i++)
        if (a->clips.at[i].most == most)
            text =
                mem_printf("heddle_%s(%s, %s)", most ? "least" : "most", text, affine_text(&a->clips.at[i].p, "", ""));
    return text;
}

/* ... under which there are any. */
const char *area_condition(const struct area *a, const char *low, const char *high) {
    return a->clips.n ? mem_printf("%s%s%s <= %s", a->some, *a->some ? " && " : "", iteration(a, false, low),
                                   iteration(a, true, high))
                      : a->some;
}

const char *area_bound(const struct area *a, int d, bool upper, const char *low, const char *high) {
    const char *text = NULL, *function = upper ? "heddle_most" : "heddle_least", *first = iteration(a, false, low);
    const char *last = iteration(a, true, high);
    const struct side *s = upper ? &a->hi[d] : &a->lo[d];
    for (int i = 0; i < s->n; i++)
        for (int end = 0; end < (area_holds(&s->at[i], ATOM_I) ? 2 : 1); end++) {
            const char *one = affine_text(&s->at[i], end ? last : first, "");
            text = text ? mem_printf("%s(%s, %s)", function, text, one) : one;
        }
    return text;
}

/* ---- one array ---- */

static bool same_side(const struct side *a, const struct side *b) {
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (!affine_equal(&a->at[i], &b->at[i]))
            return false;
    return true;
}

/* What is only perhaps touched is in the array where something is surely touched. */
static bool is_vouched(const area_list *all, const struct area *a) {
    for (size_t i = 0; i < all->n; i++) {
        const struct area *b = &all->at[i];
        if (!b->conditional && b->known[0] && same_side(&a->lo[0], &b->lo[0]) && same_side(&a->hi[0], &b->hi[0]))
            return true;
    }
    return false;
}

/* if (p), p != NULL && …: the pointer is not followed. */
static bool is_tested(const struct node *n) {
    const struct node *up = n->up;
    for (; up; n = up, up = up->up) {
        const enum CXBinaryOperatorKind op = ast_binary(up);
        if (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr)
            continue;
        return op == CXBinaryOperator_EQ || op == CXBinaryOperator_NE || op == CXBinaryOperator_LAnd ||
               op == CXBinaryOperator_LOr || ast_unary(up) == CXUnaryOperator_LNot ||
               ((up->kind == CXCursor_IfStmt || up->kind == CXCursor_ConditionalOperator) && up->first == n);
    }
    return false;
}

bool area_collect(const struct look *where, struct var *v, const char *rows, area_list *all) {
    const struct nest *w = where->w;
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        struct area a = {.ref = {.v = v}};
        if (use->v != v || (capture_access(use->n) & ACCESS_UNEVALUATED) || is_tested(use->n))
            continue;
        if (!area_read(where, use, &a) || a.ref.nsubs > 3)
            return false;
        vec_push(all, a);
    }
    for (size_t i = 0; i < all->n; i++)
        if (!rows && (!all->at[i].known[0] || (all->at[i].conditional && !is_vouched(all, &all->at[i]))))
            return false;
    return all->n != 0;
}

/* Rows that any iteration reads, for all chunks. */
void area_whole(const struct var *v, const area_list *all, const char *rows, const char *low, const char *high,
                const char **first, const char **count) {
    const char *lo = NULL, *hi = NULL;
    for (size_t i = 0; i < all->n; i++) {
        const struct area *a = &all->at[i];
        const char *some = area_condition(a, low, high);
        const char *from = a->known[0] ? area_bound(a, 0, false, low, high) : "0";
        const char *to = a->known[0] ? area_bound(a, 0, true, low, high) : mem_printf("%s - 1", rows);
        if (*some) {
            from = mem_printf("(%s ? %s : (long)(~0ul >> 1))", some, from);
            to = mem_printf("(%s ? %s : -(long)(~0ul >> 1))", some, to);
        }
        if (lo && strcmp(from, lo) != 0)
            from = mem_printf("heddle_least(%s, %s)", lo, from);
        if (hi && strcmp(to, hi) != 0)
            to = mem_printf("heddle_most(%s, %s)", hi, to);
        lo = from, hi = to;
    }
    if (rows) {
        lo = mem_printf("heddle_most(0, %s)", lo);
        hi = mem_printf("heddle_least(%s - 1, %s)", rows, hi);
    }
    const char *factor = map_row_factor(v);
    *first = mem_printf("heddle_rows_first(%s, %s)%s", lo, hi, factor);
    *count = mem_printf("(%s ? heddle_rows_number(%s, %s) : 0)%s", v->name, lo, hi, factor);
}
