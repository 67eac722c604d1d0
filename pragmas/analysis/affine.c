/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Subscripts as polynomials over the loop variables and invariant expressions, so that
 * A[(i - 1) * ld + j - 1] and A[i * ld + j - ld - 1] are the same thing. Conversions between
 * integer types are taken not to wrap, as in any subscript that stays inside its array; conversions
 * to types narrower than int are not looked through.
 */
#include "front/macros.h"
#include "analysis/capture.h"

#include <stdlib.h>
#include <string.h>

const char ATOM_I[] = "\1i", ATOM_J[] = "\1j", ATOM_ROLL[] = "\2roll";

void affine_constant(struct poly *p, long k) {
    *p = (struct poly){.ok = true};
    if (k)
        p->t[p->n++] = (struct term){.k = k};
}

void affine_atom(struct poly *p, const char *text) {
    *p = (struct poly){.ok = true, .n = 1};
    p->t[0] = (struct term){.k = 1, .n = 1, .atom = {text}};
}

static bool same_atoms(const struct term *a, const struct term *b) {
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (strcmp(a->atom[i], b->atom[i]) != 0)
            return false;
    return true;
}

static void add_term(struct poly *p, const struct term *t) {
    for (int i = 0; i < p->n; i++)
        if (same_atoms(&p->t[i], t)) {
            if (__builtin_add_overflow(p->t[i].k, t->k, &p->t[i].k))
                p->ok = false;
            if (p->t[i].k == 0)
                p->t[i] = p->t[--p->n];
            return;
        }
    if (p->n == MAX_TERMS)
        p->ok = false;
    else if (t->k)
        p->t[p->n++] = *t;
}

static bool has_roll(const struct poly *p) {
    for (int i = 0; i < p->n; i++)
        for (int a = 0; a < p->t[i].n; a++)
            if (strcmp(p->t[i].atom[a], ATOM_ROLL) == 0)
                return true;
    return false;
}

/* Two different rolling parts in one subscript are beyond this representation. */
static void join_roll(struct poly *a, const struct poly *b) {
    if (!has_roll(b))
        return;
    if (has_roll(a) && (a->roll_offset != b->roll_offset || a->roll_size != b->roll_size))
        a->ok = false;
    a->roll_offset = b->roll_offset;
    a->roll_size = b->roll_size;
}

void affine_add(struct poly *a, const struct poly *b, long k) {
    a->ok = a->ok && b->ok;
    join_roll(a, b);
    for (int i = 0; a->ok && i < b->n; i++) {
        struct term t = b->t[i];
        if (__builtin_mul_overflow(t.k, k, &t.k))
            a->ok = false;
        add_term(a, &t);
    }
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

void affine_multiply(const struct poly *a, const struct poly *b, struct poly *out) {
    struct poly p = {.ok = a->ok && b->ok};
    p.roll_offset = a->roll_offset;
    p.roll_size = a->roll_size;
    if (has_roll(a) && has_roll(b))
        p.ok = false;
    if (has_roll(b)) {
        p.roll_offset = b->roll_offset;
        p.roll_size = b->roll_size;
    }
    for (int i = 0; p.ok && i < a->n; i++)
        for (int j = 0; p.ok && j < b->n; j++) {
            struct term t = a->t[i];
            if (t.n + b->t[j].n > MAX_DEGREE || __builtin_mul_overflow(t.k, b->t[j].k, &t.k)) {
                p.ok = false;
                break;
            }
            for (int k = 0; k < b->t[j].n; k++)
                t.atom[t.n++] = b->t[j].atom[k];
            qsort(t.atom, (size_t)t.n, sizeof *t.atom, by_text);
            add_term(&p, &t);
        }
    *out = p;
}

bool affine_is_constant(const struct poly *p, long *value) {
    if (!p->ok || p->n > 1 || (p->n == 1 && p->t[0].n > 0))
        return false;
    *value = p->n ? p->t[0].k : 0;
    return true;
}

static bool has_term(const struct poly *p, const struct term *t) {
    for (int i = 0; i < p->n; i++)
        if (p->t[i].k == t->k && same_atoms(&p->t[i], t))
            return true;
    return false;
}

/* Without a difference, since polynomials are large and compared often. */
bool affine_equal(const struct poly *a, const struct poly *b) {
    if (!a->ok || !b->ok || a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++) /* each of which stands in one place */
        if (!has_term(b, &a->t[i]))
            return false;
    return !has_roll(a) || (a->roll_offset == b->roll_offset && a->roll_size == b->roll_size);
}

bool affine_split(const struct poly *whole, const char *name, struct poly *coef, struct poly *rest) {
    const struct poly copy = *whole, *p = &copy; /* rest may be the same object */
    *coef = (struct poly){.ok = p->ok, .roll_offset = p->roll_offset, .roll_size = p->roll_size};
    *rest = *coef;
    for (int i = 0; i < p->n; i++) {
        struct term t = p->t[i];
        int found = 0, n = 0;
        for (int a = 0; a < t.n; a++) {
            if (strcmp(t.atom[a], name) == 0 && !found)
                found = 1;
            else if (strcmp(t.atom[a], name) == 0)
                return false;
            else
                t.atom[n++] = t.atom[a];
        }
        t.n = n;
        add_term(found ? coef : rest, &t);
    }
    return p->ok;
}

int affine_sign(const struct poly *p) {
    int sign = 0;
    for (int i = 0; i < p->n; i++) {
        int s = p->t[i].k > 0 ? 1 : -1;
        if (sign && s != sign)
            return 2;
        sign = s;
    }
    return sign;
}

/* An expression's text as a long, without parentheses where it is a single word. */
const char *affine_long(const char *text) {
    size_t digits = strspn(text, "0123456789");
    size_t word = strspn(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
    if (digits && !text[digits])
        return text;
    return mem_printf(text[word] ? "(long)(%s)" : "(long)%s", text);
}

const char *affine_span(const struct unit *u, struct span s) { return affine_long(macros_guard(u, s)); }

const char *affine_text(const struct poly *p, const char *i, const char *j) {
    struct buf b = {0};
    for (int t = 0; t < p->n; t++) {
        const struct term *m = &p->t[t];
        buf_puts(&b, m->k < 0 ? (b.n ? " - " : "-") : b.n ? " + " : "");
        unsigned long k = m->k < 0 ? 0ul - (unsigned long)m->k : (unsigned long)m->k;
        if (m->n == 0 || k != 1)
            buf_printf(&b, "%lu", k);
        for (int a = 0; a < m->n; a++) {
            const char *text = m->atom[a];
            text = strcmp(text, ATOM_I) == 0 ? i : strcmp(text, ATOM_J) == 0 ? j : text;
            buf_printf(&b, "%s%s", a || k != 1 ? " * " : "", affine_long(text));
        }
    }
    return b.n ? b.s : "0";
}

/* ---- from expressions ---- */

void affine_combine(enum CXBinaryOperatorKind op, const struct poly *a, const struct poly *b, struct poly *out) {
    *out = (struct poly){0};
    if (op == CXBinaryOperator_Mul) {
        affine_multiply(a, b, out);
    } else if (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) {
        *out = *a;
        affine_add(out, b, op == CXBinaryOperator_Add ? 1 : -1);
    }
}

/* x & mask or x % size, 2 to 64 rows */
static bool is_ring(const struct node *n, long *size) {
    enum CXBinaryOperatorKind op = ast_binary(n);
    if ((op != CXBinaryOperator_And && op != CXBinaryOperator_Rem) || !ast_constant(n->last, size))
        return false;
    *size += op == CXBinaryOperator_And;
    return *size >= 2 && *size <= 64 && (op != CXBinaryOperator_And || !(*size & (*size - 1)));
}

/* 1 - row, row ^ 1, !row: of two rows, the other one; NULL: none of these */
static struct node *flipped(const struct node *n) {
    long one;
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (op == CXBinaryOperator_Sub && ast_constant(n->first, &one) && one == 1)
        return n->last;
    if ((op == CXBinaryOperator_Xor && ast_constant(n->last, &one) && one == 1) || ast_unary(n) == CXUnaryOperator_LNot)
        return n->first;
    return NULL;
}

static bool ring(const struct affine_names *names, struct node *n, struct poly *out) {
    long size;
    struct poly p;
    struct node *row = flipped(n);
    if (names->ring && is_ring(n, &size)) {
        affine_read(names, n->first, &p);
        return names->ring(names->of, &p, size, out);
    }
    if (!names->other_row || !row)
        return false;
    affine_read(names, row, &p);
    if (!names->other_row(&p, out)) {
        affine_constant(out, 1);
        affine_add(out, &p, -1);
        out->ok = out->ok && ast_binary(n) == CXBinaryOperator_Sub;
    }
    return true;
}

bool affine_is_integer(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind >= CXType_Bool && t.kind <= CXType_Int128 && clang_Type_getSizeOf(t) >= 4;
}

static void combine(const struct affine_names *names, struct node *n, struct poly *out) {
    struct poly a, b;
    affine_read(names, n->first, &a);
    affine_read(names, n->last, &b);
    affine_combine(ast_binary(n), &a, &b, out);
}

void affine_read(const struct affine_names *names, struct node *n, struct poly *out) {
    long value;
    n = ast_strip(n);
    *out = (struct poly){0};
    if (!n)
        return;
    if (ast_type(n).kind >= CXType_Float && ast_type(n).kind <= CXType_LongDouble)
        return; /* what is cut off is not the sum of what is cut off of its parts */
    if (ast_constant(n, &value)) {
        affine_constant(out, value);
    } else if (n->kind == CXCursor_CStyleCastExpr) {
        if (affine_is_integer(clang_getCursorType(n->c)))
            affine_read(names, n->last, out);
    } else if (ring(names, n, out)) {
        return;
    } else if (ast_unary(n) == CXUnaryOperator_Minus) {
        struct poly p;
        affine_read(names, n->first, &p);
        affine_constant(out, 0);
        affine_add(out, &p, -1);
    } else if (n->kind == CXCursor_BinaryOperator) {
        combine(names, n, out);
    } else {
        names->leaf(names->of, n, out);
    }
}

/* ---- the names of a nest ---- */

/* (i + c) & mask or (i + c) % size */
static bool nest_ring(void *of, const struct poly *p, long size, struct poly *out) {
    long offset, one;
    struct poly coef, rest;
    (void)of;
    if (!affine_split(p, ATOM_I, &coef, &rest) || !affine_is_constant(&coef, &one) || one != 1 ||
        !affine_is_constant(&rest, &offset))
        return false;
    affine_atom(out, ATOM_ROLL);
    out->roll_offset = offset;
    out->roll_size = size;
    return true;
}

static bool nest_other_row(const struct poly *row, struct poly *out) {
    if (!row->ok || row->roll_size != 2 || row->n != 1 || row->t[0].k != 1 || row->t[0].n != 1 ||
        strcmp(row->t[0].atom[0], ATOM_ROLL) != 0)
        return false;
    *out = *row;
    out->roll_offset -= 1;
    return true;
}

static bool invariant(struct nest *w, struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr) {
        CXCursor d = clang_getCursorReferenced(n->c);
        if (clang_getCursorKind(d) == CXCursor_EnumConstantDecl)
            return true;
        struct var *v = capture_lookup(w, d);
        if (!v) /* a variable from outside that the body does not mention cannot change */
            return !capture_is_inside(w, d);
        return v->kind != VAR_LOOP && v->kind != VAR_ARRAY && !v->reduced;
    }
    /* Only what cannot change and can be written down again: no calls, loads or side effects. */
    if (n->kind != CXCursor_UnexposedExpr && n->kind != CXCursor_ParenExpr && n->kind != CXCursor_MemberRefExpr &&
        n->kind != CXCursor_UnaryExpr)
        return false;
    bool ok = n->first != NULL || n->kind == CXCursor_UnaryExpr;
    for (struct node *c = n->first; c; c = c->next)
        ok = ok && (clang_isReference(c->kind) || invariant(w, c));
    return ok;
}

static void nest_leaf(void *of, struct node *n, struct poly *out) {
    struct nest *w = of;
    CXCursor d = clang_getCursorReferenced(n->c);
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(d, w->loop[0].var)) {
        affine_atom(out, ATOM_I);
    } else if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(d, w->loop[1].var)) {
        affine_atom(out, ATOM_J);
    } else if (invariant(w, n)) {
        const char *name = n->kind == CXCursor_DeclRefExpr ? ast_name(n->c) : unit_text(w->u, n);
        affine_atom(out, name);
    }
}

void affine_of(struct nest *w, struct node *n, struct poly *out) {
    affine_read(&(struct affine_names){w, nest_leaf, nest_ring, nest_other_row}, n, out);
}
