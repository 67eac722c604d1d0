/* SPDX-License-Identifier: Apache-2.0 */
/* References to arrays that are looked up: where they are, and under which conditions inside of their statement. */
#include "reach_walk.h"

#include "analysis/capture.h"
#include "analysis/refs.h"
#include "front/macros.h"

#include <ctype.h>
#include <string.h>

/* ---- text ---- */

const char *reach_between(const struct reach *r, size_t b, size_t e) {
    return source_flat(&r->f->w.u->src, (struct span){b, e});
}

char reach_before(const struct reach *r, size_t at) {
    const char *s = r->f->w.u->src.text;
    while (at > 0 && (isspace((unsigned char)s[at - 1]) || s[at - 1] == '('))
        at--;
    return at > 0 ? s[at - 1] : '\0';
}

char reach_behind(const struct reach *r, size_t at) {
    const char *s = r->f->w.u->src.text;
    at += strspn(s + at, " \t\r\n)");
    return s[at];
}

bool reach_is_looked_up(const struct reach *r, const struct var *v) {
    if (r->only)
        return v == r->only;
    for (size_t i = 0; i < r->f->reached.n; i++)
        if (r->f->reached.at[i].v == v)
            return true;
    return false;
}

/* ---- references ---- */

static bool is_subscript(const struct reach *r, const struct node *sub) {
    return reach_before(r, sub->b) == '[' && reach_behind(r, sub->e) == ']';
}

/* Is the text of a part of `up` in the file, and not all that is there of it? Else a macro has put something there. */
static bool is_own_text(const struct reach *r, const struct node *up, const struct node *n) {
    return n->b >= up->b && n->e <= up->e && n->b < n->e && (n->b > up->b || n->e < up->e) &&
           !expansion_begins(r->f->w.u, up);
}

/* The subscript; or, of an element that a macro stands for, its address. NULL: neither. */
static const char *place_of(const struct reach *r, const struct var *v, const struct ref *ref) {
    const struct node *n = ref->n, *up = n->up;
    if (is_subscript(r, ref->sub[0]))
        return reach_between(r, ref->sub[0]->b, ref->sub[0]->e);
    while (up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr))
        up = up->up;
    if (v->ndims > 1 || !up || !expansion_begins(r->f->w.u, n) || (up->b == n->b && up->e == n->e))
        return NULL;
    return mem_printf("&(%s) - %s", reach_between(r, n->b, n->e), v->name);
}

static bool fits_int(CXType t) {
    return t.kind == CXType_Int || t.kind == CXType_Short || t.kind == CXType_SChar || t.kind == CXType_Char_S ||
           t.kind == CXType_UChar || t.kind == CXType_UShort;
}

/* The conditions under which the statement evaluates n, as C: "(i > 0) && !(mask[i])". False: some have an
   effect, or are no text of the file. Their stage is r->loads from here on. */
static bool conditions(struct reach *r, const struct node *n, const struct node *statement, struct buf *out) {
    for (const struct node *up = n->up; n != statement; n = up, up = up->up) {
        const enum CXBinaryOperatorKind op = ast_binary(up);
        struct node *test = up->first;
        if ((up->kind != CXCursor_ConditionalOperator && op != CXBinaryOperator_LAnd && op != CXBinaryOperator_LOr) ||
            n == test)
            continue;
        const bool otherwise = up->kind == CXCursor_ConditionalOperator ? n == up->last : op == CXBinaryOperator_LOr;
        if (!is_own_text(r, up, test) || !reach_is_plain(r, test))
            return false;
        struct buf outer = {0};
        buf_printf(&outer, "%s(%s)%s%s", otherwise ? "!" : "", reach_between(r, test->b, test->e), out->n ? " && " : "",
                   out->n ? out->s : "");
        *out = outer;
    }
    return true;
}

static bool keeps_names(const struct node *n, const struct reach_seen *seen) {
    if (n->kind == CXCursor_DeclRefExpr && node_changes(seen->scope, clang_getCursorReferenced(n->c), NULL))
        return false;
    for (const struct node *c = n->first; c; c = c->next)
        if (!keeps_names(c, seen))
            return false;
    return true;
}

static bool is_seen(const struct reach *r, const struct var *v, struct node *sub, const struct node *use) {
    for (size_t i = 0; i < r->seen.n; i++)
        if (r->seen.at[i].v == v && ast_contains(r->seen.at[i].scope, use) && ast_same_value(r->seen.at[i].sub, sub) &&
            keeps_names(sub, &r->seen.at[i]))
            return true;
    return false;
}

static void look_up(struct reach *r, struct var *v, struct node *use, const struct node *statement) {
    struct ref ref = {.v = v};
    struct buf when = {0};
    const int loads = r->loads;
    if (capture_access(use) & ACCESS_UNEVALUATED)
        return;
    const char *place = refs_subscripts(v, use, &ref) ? place_of(r, v, &ref) : NULL;
    if (!place || (capture_access(ref.n) & ACCESS_ADDRESS) || !conditions(r, use, statement, &when) ||
        !reach_is_plain(r, ref.sub[0])) {
        r->failed = true;
        return;
    }
    const int stage = reach_later(r->loads, 1);
    r->loads = loads;
    if (is_seen(r, v, ref.sub[0], use))
        return;
    if (!when.n)
        vec_push(&r->seen, (struct reach_seen){v, ref.sub[0], r->scope});
    r->wide |= !fits_int(ast_type(ref.sub[0]));
    r->stages = reach_later(r->stages, stage);
    if (r->stage && r->stage != stage)
        return;
    if (when.n)
        r->rows.none = true;
    else
        reach_add_row(r, v, ref.sub[0]);
    buf_printf(&r->out, when.n ? "HEDDLE_REACH_IF(%s, " : "HEDDLE_REACH(", when.s);
    buf_printf(&r->out, "%s, heddle_%s_low, heddle_%s_high) ", place, v->name, v->name);
}

void reach_references(struct reach *r, const struct node *n) {
    for (size_t i = 0; i < r->f->w.uses.n; i++) {
        const struct use *use = &r->f->w.uses.at[i];
        if (reach_is_looked_up(r, use->v) && ast_contains(n, use->n))
            look_up(r, use->v, use->n, n);
    }
}
