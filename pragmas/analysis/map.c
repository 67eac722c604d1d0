/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which part of each array goes to the device: from the map clause, else the bounding box of the
 * affine subscripts over the loops' ranges, else the whole of an array whose size is known or declared.
 * Arrays that the register form keeps to itself stay on the host; only their borders travel.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "analysis/map.h"

#include <string.h>

static const char *flat(const struct nest *w, struct span s) { return source_flat(&w->u->src, s); }

/* name[0][0]…, `depth` subscripts */
static const char *subscripted(const struct var *v, int depth) {
    struct buf b = {0};
    buf_puts(&b, v->name);
    for (int d = 0; d < depth; d++)
        buf_puts(&b, "[0]");
    return b.s;
}

/* elements of type elem in one step of the first dimension, as a factor " * (long)(…)" */
const char *map_row_factor(const struct var *v) {
    if (v->ndims < 2)
        return "";
    return mem_printf(" * (long)(sizeof %s / sizeof %s)", subscripted(v, 1), subscripted(v, v->ndims));
}

void map_whole(struct var *v) {
    v->map_first = "0";
    v->map_count = mem_printf("(long)(sizeof %s / sizeof %s)", v->name, subscripted(v, v->ndims));
}

/* ---- the clause ---- */

static bool whole_row(const struct nest *w, const struct var *v, const struct item *item, int d) {
    const struct section *s = &item->section[d];
    bool from_zero = s->first.b == s->first.e || strcmp(flat(w, s->first), "0") == 0;
    (void)v;
    return from_zero;
}

bool map_section(struct nest *w, struct var *v, const struct item *item) {
    const struct section *s = &item->section[0];
    if (item->nsections > v->ndims) {
        diag_error(w->u, item->name.b, "'%s' has %d dimension%s, but the section has %d", v->name, v->ndims,
                   v->ndims == 1 ? "" : "s", item->nsections);
        return false;
    }
    const char *first = s->first.e > s->first.b ? macros_guard(w->u, s->first) : "0";
    const char *factor = map_row_factor(v);
    if (s->count.e == s->count.b && !v->sized) {
        diag_error(w->u, item->name.b,
                   "the size of '%s' is not known here; give the section a length, %s[first : count]", v->name,
                   v->name);
        return false;
    }
    const char *count = s->count.e > s->count.b
                            ? affine_span(w->u, s->count)
                            : mem_printf("((long)(sizeof %s / sizeof %s) - (%s))", v->name, subscripted(v, 1), first);
    v->map_first = mem_printf("%s%s", affine_long(first), factor);
    v->map_count = mem_printf("%s%s", count, factor);
    /* Rows are mapped whole; where only a part was asked for, the rest must survive the way back. */
    for (int d = 1; d < item->nsections; d++)
        if (!whole_row(w, v, item, d) && v->map_kind == MAP_FROM)
            v->map_kind = MAP_TOFROM;
    return true;
}

static bool apply_item(struct nest *w, const struct clause *c, const struct item *item) {
    struct var *v = capture_named(w, item->name);
    if (item->member.e > item->member.b) { /* else a variable stands for it now: analysis/members.c */
        diag_error(
            w->u, item->name.b,
            "'%s%s' may be changed by the nest, or is no pointer that it reads in each turn; copy it to a variable "
            "before the nest, use that, and map it",
            flat(w, item->name), flat(w, item->member));
        return false;
    }
    if (!v || v->kind == VAR_LOOP) {
        diag_error(w->u, item->name.b, "'map' of '%s', which the nest does not use; remove it", flat(w, item->name));
        return false;
    }
    if (v->kind == VAR_SCALAR) {
        if (c->kind == MAP_TO && !item->nsections)
            return true; /* copied anyway */
        diag_error(w->u, item->name.b,
                   "'%s' is not an array; scalars are copied to the device, and come back through reduction()",
                   v->name);
        return false;
    }
    if (v->map_item) {
        diag_error(w->u, item->name.b, "'%s' is mapped twice; name it once", v->name);
        return false;
    }
    v->map_item = item;
    v->map_kind = (enum map_kind)c->kind;
    if (v->field == FIELD_NONE && v->map_kind == MAP_FROM) {
        diag_error(w->u, item->name.b, "'%s' is not written, but map(from) does not send it; use map(to: …)", v->name);
        return false;
    }
    if (v->map_kind == MAP_FROM)
        v->map_kind = MAP_TOFROM; /* rows and columns beside the nest are read, or have to come back as they were */
    if (v->field != FIELD_NONE && (v->map_kind == MAP_TO || v->map_kind == MAP_ALLOC) && v->keep != KEEP_NONE) {
        diag_error(w->u, item->name.b,
                   "'%s' is written and kept, but map(%s) does not bring it back; use map(tofrom: …) or keep(%s: none)",
                   v->name, v->map_kind == MAP_TO ? "to" : "alloc", v->name);
        return false;
    }
    if (item->nsections)
        return map_section(w, v, item);
    if (!v->sized) {
        diag_error(w->u, item->name.b, "'%s' is a pointer, so its size is not known; write %s[first : count]", v->name,
                   v->name);
        return false;
    }
    map_whole(v);
    return true;
}

/* ---- inference ---- */

struct box { /* of one subscript: all references seen so far */
    bool any;
    struct poly lo, hi;
    bool lo_conditional;
};

/* A loop's first or last value; what is not affine is taken as it stands. */
static void bound(struct nest *w, int l, bool upper, struct poly *out) {
    const struct loop *loop = &w->loop[l];
    affine_of(w, upper ? loop->bound : loop->first, out);
    if (!out->ok) {
        *out = (struct poly){.ok = true, .n = 1};
        out->t[0] = (struct term){1, 1, {macros_guard(w->u, upper ? loop->hi : loop->lo)}};
    }
    if (upper && loop->open) {
        struct poly one = {.ok = true, .n = 1, .t = {{.k = 1}}};
        affine_add(out, &one, -1);
    }
}

/* Puts each loop variable's extreme value in. */
bool map_extreme(struct nest *w, const struct poly *p, bool upper, struct poly *out) {
    struct poly rest = *p;
    *out = (struct poly){.ok = true};
    for (int l = 0; l < 2; l++) {
        struct poly coef, with, value, product;
        if (!affine_split(&rest, l ? ATOM_J : ATOM_I, &coef, &with))
            return false;
        int sign = affine_sign(&coef);
        if (sign == 2)
            return false;
        if (!coef.n) { /* perhaps there is no such loop */
            rest = with;
            continue;
        }
        bound(w, l, sign < 0 ? !upper : upper, &value);
        affine_multiply(&coef, &value, &product);
        affine_add(out, &product, 1);
        rest = with;
    }
    affine_add(out, &rest, 1);
    return out->ok;
}

static bool has_atom(const struct term *t, const char *atom) {
    for (int a = 0; a < t->n; a++)
        if (strcmp(t->atom[a], atom) == 0)
            return true;
    return false;
}

/* Is the term made of what multiplies a loop variable, a leading dimension and so not negative? */
static bool is_leading(const struct term *t, const struct poly *subscript) {
    for (int a = 0; a < t->n; a++) {
        bool found = false;
        for (int k = 0; k < subscript->n && !found; k++)
            found = has_atom(&subscript->t[k], t->atom[a]) &&
                    (has_atom(&subscript->t[k], ATOM_I) || has_atom(&subscript->t[k], ATOM_J));
        if (!found)
            return false;
    }
    return true;
}

/* Takes the smaller (or larger) of two bounds where it is known which one that is. */
static bool tighten(struct poly *have, const struct poly *p, bool upper, const struct poly *subscript) {
    struct poly d = *p;
    long k = 0;
    affine_add(&d, have, -1);
    /* A whole row outweighs a few columns: without symbols the constant decides, else they do. */
    for (int t = 0; t < d.n; t++)
        if (d.t[t].n == 0) {
            k = d.t[t].k;
            d.t[t] = d.t[--d.n];
            break;
        }
    for (int t = 0; t < d.n; t++)
        if (!is_leading(&d.t[t], subscript))
            return false;
    int sign = d.n ? affine_sign(&d) : (k > 0) - (k < 0);
    if (!d.ok || sign == 2)
        return false;
    if (upper ? sign > 0 : sign < 0)
        *have = *p;
    return true;
}

static bool grow(struct nest *w, struct box *box, const struct ref *r, bool first_pass) {
    struct poly lo, hi, roll = r->poly[0];
    struct poly coef, rest;
    if (!affine_split(&roll, ATOM_ROLL, &coef, &rest))
        return false;
    if (coef.n) { /* a rolling row is 0 … size - 1, whatever the loop does */
        struct poly top = coef;
        for (int t = 0; t < top.n; t++)
            top.t[t].k *= roll.roll_size - 1;
        if (!map_extreme(w, &rest, false, &lo) || !map_extreme(w, &rest, true, &hi))
            return false;
        affine_add(&hi, &top, 1);
    } else if (!map_extreme(w, &r->poly[0], false, &lo) || !map_extreme(w, &r->poly[0], true, &hi)) {
        return false;
    }
    if (!box->any) {
        *box = (struct box){.any = true, .lo = lo, .hi = hi, .lo_conditional = r->conditional};
        return true;
    }
    struct poly before = box->lo, high = box->hi;
    if (!tighten(&box->lo, &lo, false, &r->poly[0]) || !tighten(&box->hi, &hi, true, &r->poly[0]))
        return false;
    if (!affine_equal(&before, &box->lo))
        box->lo_conditional = r->conditional;
    /* Nobody says how far a reference under a condition really goes up. */
    return first_pass || affine_equal(&high, &box->hi);
}

static bool infer_box(struct nest *w, struct var *v) {
    struct box box = {0};
    if (v->bare)
        return false;
    /* Unconditional references first: they are known to be inside the array. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w->refs.n; i++)
            if (w->refs.at[i]->v == v && w->refs.at[i]->conditional == (pass == 1) &&
                !(w->refs.at[i]->access & ACCESS_UNEVALUATED) &&
                (nest_sweep_chooses(w, w->refs.at[i]) ||
                 !grow(w, &box, w->refs.at[i], pass == 0 || v->write == w->refs.at[i])))
                return false;
    if (!box.any)
        return false;
    const char *lo = affine_text(&box.lo, "", ""), *hi = affine_text(&box.hi, "", "");
    struct poly count = box.hi, one = {.ok = true, .n = 1, .t = {{.k = 1}}};
    affine_add(&count, &box.lo, -1);
    affine_add(&count, &one, 1);
    const char *number = affine_text(&count, "", "");
    if (box.lo_conditional && box.lo.n) {
        lo = mem_printf("(%s > 0 ? %s : 0)", lo, lo);
        number = mem_printf("%s - %s + 1", hi, lo);
    }
    const char *factor = map_row_factor(v);
    v->map_first = mem_printf(*factor && box.lo.n > 1 ? "(%s)%s" : "%s%s", lo, factor);
    v->map_count = mem_printf(*factor ? "(%s)%s" : "%s%s", number, factor);
    return true;
}

/* p->x and (*p).x only, and not under a condition alone: p points to a structure, and all of it is wanted. */
bool map_one_structure(struct nest *w, struct var *v) {
    bool always = false;
    if (v->kind != VAR_POINTER || v->ndims != 1 || clang_getCanonicalType(v->elem_type).kind != CXType_Record ||
        type_ends_open(v->elem_type))
        return false;
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct node *n = w->uses.at[i].n, *up = n->up;
        if (w->uses.at[i].v != v)
            continue;
        while (up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr))
            up = up->up;
        if (!up || (up->kind != CXCursor_MemberRefExpr && ast_unary(up) != CXUnaryOperator_Deref))
            return false;
        always |= !refs_conditional(w, n);
    }
    v->map_first = "0";
    v->map_count = "1";
    return always;
}

/* The language, or what it is, says that it overlaps nothing else that the nest writes. */
static bool is_known_apart(const struct var *v) {
    return clang_isRestrictQualifiedType(clang_getCursorType(v->decl)) ||
           strstr(ast_spelling(clang_getCanonicalType(v->elem_type)), "_IO_FILE");
}

bool map_infer(struct nest *w, struct var *v) {
    v->map_kind = v->field != FIELD_NONE ? MAP_TOFROM : MAP_TO;
    if (v->sized) {
        map_whole(v);
        return true;
    }
    if (infer_box(w, v) || (v->field == FIELD_NONE && map_one_structure(w, v)))
        return true;
    const char *rows = v->bare ? NULL : map_rows_declared(w, v);
    if (rows) {
        v->map_first = "0";
        v->map_count = mem_printf("(long)(%s)%s", rows, map_row_factor(v));
        return true;
    }
    if (w->sure || (w->host && is_known_apart(v)))
        return true; /* nothing travels */
    diag_error(w->u, v->use, "cannot tell how much of '%s' to map; add map(%s: %s[0:count])%s", v->name,
               v->field != FIELD_NONE ? "tofrom" : "to", v->name,
               w->host ? ", or write 'independent', which says that it overlaps no array that is written" : "");
    return false;
}

/* ---- by rows: for nests that several devices share, and for those that are larger than a device's memory ---- */

/* Elements from one index of dimension d to the next, as a factor. */
static const char *stride(const struct var *v, int d) {
    return d + 1 == v->ndims
               ? ""
               : mem_printf(" * (long)(sizeof %s / sizeof %s)", subscripted(v, d + 1), subscripted(v, v->ndims));
}

/* What the rows' number is multiplied by in each subscript; false: not affine, or a rolling row. */
static bool row_coefficients(const struct ref *r, struct poly *coef) {
    for (int d = 0; d < r->v->ndims; d++) {
        struct poly rest, roll, p = r->poly[d];
        if (d >= r->nsubs || !p.ok || !affine_split(&p, ATOM_ROLL, &roll, &rest) || roll.n ||
            !affine_split(&p, ATOM_I, &coef[d], &rest))
            return false;
    }
    return true;
}

static const char *sum_of(const struct var *v, const struct poly *p, const char *i, const char *j) {
    struct buf b = {0};
    for (int d = 0; d < v->ndims; d++) {
        const char *text = affine_text(&p[d], i, j);
        if (p[d].n)
            buf_printf(&b, p[d].n > 1 ? "%s(%s)%s" : "%s%s%s", b.n ? " + " : "", text, stride(v, d));
    }
    return b.n ? b.s : "0";
}

/* Rows by which two subscripts differ where one row more adds `row`; -1: no constant. */
static long rows_between(const struct poly *a, const struct poly *b, const struct poly *row) {
    struct poly diff = *a;
    long step, value;
    affine_add(&diff, b, -1);
    if (!row->n)
        return 0; /* another column, or plane */
    if (affine_is_constant(row, &step) && affine_is_constant(&diff, &value))
        return (value < 0 ? -value : value) / (step < 0 ? -step : step) + 1;
    for (long k = -4; k <= 4; k++) {
        struct poly rest = diff;
        affine_add(&rest, row, -k);
        if (affine_is_constant(&rest, &value))
            return (k < 0 ? -k : k) + 1;
    }
    return -1;
}

/* What is read under a condition may lie outside what is mapped for the whole nest, and inside for some of its rows. */
static bool find_reach(struct nest *w, struct var *v, const struct poly *row) {
    const struct ref *base = v->write;
    for (size_t i = 0; i < w->refs.n && !base; i++)
        if (w->refs.at[i]->v == v && !w->refs.at[i]->conditional)
            base = w->refs.at[i];
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (r->v != v || !r->conditional || r->access & ACCESS_UNEVALUATED)
            continue;
        for (int d = 0; base && d < v->ndims; d++) {
            const long rows = rows_between(&r->poly[d], &base->poly[d], &row[d]);
            if (rows < 0)
                return false;
            v->map_reach = rows > v->map_reach ? rows : v->map_reach;
        }
        if (!base)
            return false;
    }
    return true;
}

/* All references have to move by the same number of elements when i grows by one. */
void map_rows(struct nest *w, struct var *v) {
    struct poly coef[MAX_DIMS], other[MAX_DIMS];
    bool any = false;
    if (v->bare || v->ndims > MAX_DIMS)
        return;
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (r->v != v || r->access & ACCESS_UNEVALUATED)
            continue;
        if (nest_sweep_chooses(w, r) || !row_coefficients(r, any ? other : coef))
            return;
        for (int d = 0; any && d < v->ndims; d++)
            if (!affine_equal(&coef[d], &other[d]))
                return;
        any = true;
    }
    if (!any || !find_reach(w, v, coef))
        return;
    v->map_slope = sum_of(v, coef, "", "");
    if (v->write && v->unit_stride)
        v->map_row = sum_of(v, v->write->poly, mem_printf("(%s)", affine_span(w->u, w->loop[0].lo)),
                            mem_printf("(%s)", affine_span(w->u, w->loop[1].lo)));
}

/* Stored at every cell: the device needs it. All other carried arrays live in registers. */
static bool is_stored(const struct var *v) { return v->field == FIELD_FULL && v->keep == KEEP_ALL; }

/* It gets no copy on a device, but must not share memory with another array either. Where the subscripts do not tell
   how far it reaches, its first element stands for it. */
static void stay_on_host(struct nest *w, struct var *v) {
    if (!v->map_first && v->sized)
        map_whole(v);
    else if (!v->map_first && !infer_box(w, v))
        v->map_first = "0", v->map_count = "1";
    v->kept_first = v->map_first;
    v->kept_count = v->map_count;
    v->map_first = NULL; /* borders are read on the host for all of them or for none */
}

bool map_apply(struct nest *w) {
    bool ok = true;
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_MAP && k < c->items.n; k++)
            ok &= apply_item(w, c, &c->items.at[k]);
    }
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->field != FIELD_NONE && !is_stored(v) && !v->map_item)
            w->host_border = true;
    }
    for (size_t i = 0; i < w->vars.n; i++) {
        struct var *v = w->vars.at[i];
        if ((v->kind != VAR_POINTER && v->kind != VAR_ARRAY) || v->rows_apart)
            continue;
        if (v->field != FIELD_NONE && !is_stored(v) && w->host_border)
            stay_on_host(w, v);
        else if (!v->map_item)
            ok &= map_infer(w, v);
        if (v->map_first && !w->ordered)
            map_rows(w, v);
    }
    return ok;
}
