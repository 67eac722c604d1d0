/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole numbers in a loop's body as polynomials. What is not known is an axis of its own, with what its type or the
 * operator that makes it say about its range. Arithmetic is taken not to wrap, as in any subscript that stays inside
 * its array.
 */
#include "proof.h"

const char *proof_axis(struct proof *o) { return mem_printf("\1C%06d", o->axes++); }

static void fact(struct proof *o, const struct poly *p) {
    if (p->ok)
        vec_push(&o->facts, (struct proof_limit){.here = proof_entry(p)});
}

/* value >= least */
static void at_least(struct proof *o, const struct poly *value, const struct poly *least) {
    struct poly d = *value;
    affine_add(&d, least, -1);
    fact(o, &d);
}

static void between(struct proof *o, const struct poly *value, long least, long most) {
    struct poly end;
    affine_constant(&end, least);
    at_least(o, value, &end);
    affine_constant(&end, most);
    at_least(o, &end, value);
}

static bool is_unsigned(CXType t) { return t.kind >= CXType_Bool && t.kind <= CXType_UInt128; }

void proof_opaque(struct proof *o, CXType t, struct poly *out) {
    t = t.kind == CXType_Invalid ? t : clang_getCanonicalType(t);
    const long long size = ast_is_integer(t) ? clang_Type_getSizeOf(t) : 0;
    affine_atom(out, proof_axis(o));
    if (t.kind == CXType_Bool)
        between(o, out, 0, 1);
    else if (size == 1 || size == 2)
        between(o, out, is_unsigned(t) ? 0 : -(1l << (8 * size - 1)), (1l << (8 * size - !is_unsigned(t))) - 1);
    else if (size && is_unsigned(t))
        fact(o, out);
}

/* ---- what is known at a place ---- */

bool proof_known(struct proof *o, const struct poly *p) {
    struct proof_system s = {.here = o->limits, .facts = &o->facts};
    return proof_implies(&s, p);
}

void proof_limit(struct proof *o, const struct poly *p) {
    struct proof_limit *l = mem_alloc(sizeof *l);
    *l = (struct proof_limit){.here = proof_entry(p), .up = o->limits};
    if (p->ok)
        o->limits = l;
}

/* small <= big, or less by `gap` */
static void ordered(struct proof *o, const struct poly *small, const struct poly *big, long gap) {
    struct poly d = *big, n;
    affine_add(&d, small, -1);
    affine_constant(&n, gap);
    affine_add(&d, &n, -1);
    proof_limit(o, &d);
}

static void unequal(struct proof *o, const struct poly *a, const struct poly *b) {
    struct poly d = *a;
    affine_add(&d, b, -1);
    if (proof_known(o, &d))
        ordered(o, b, a, 1);
    d = *b;
    affine_add(&d, a, -1);
    if (proof_known(o, &d))
        ordered(o, a, b, 1);
}

static void compared(struct proof *o, const struct poly *a, enum CXBinaryOperatorKind op, const struct poly *b,
                     bool negated) {
    const bool equal = (op == CXBinaryOperator_EQ) != negated;
    switch (op) {
    case CXBinaryOperator_LT:
        negated ? ordered(o, b, a, 0) : ordered(o, a, b, 1);
        break;
    case CXBinaryOperator_LE:
        negated ? ordered(o, b, a, 1) : ordered(o, a, b, 0);
        break;
    case CXBinaryOperator_GT:
        negated ? ordered(o, a, b, 0) : ordered(o, b, a, 1);
        break;
    case CXBinaryOperator_GE:
        negated ? ordered(o, a, b, 1) : ordered(o, b, a, 0);
        break;
    default:
        if (!equal) {
            unequal(o, a, b);
        } else {
            ordered(o, a, b, 0);
            ordered(o, b, a, 0);
        }
    }
}

void proof_given(struct proof *o, struct node *n, bool negated) {
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = n ? ast_binary(n) : CXBinaryOperator_Invalid;
    struct poly a, b;
    if (!n)
        return;
    if (ast_unary(n) == CXUnaryOperator_LNot) {
        proof_given(o, n->first, !negated);
    } else if (op == (negated ? CXBinaryOperator_LOr : CXBinaryOperator_LAnd)) {
        proof_given(o, n->first, negated);
        proof_given(o, n->last, negated);
    } else if (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE) {
        if (!ast_is_integer(ast_type(ast_strip(n->first))) || !ast_is_integer(ast_type(ast_strip(n->last))))
            return;
        proof_int(o, n->first, &a);
        proof_int(o, n->last, &b);
        if (!is_unsigned(ast_type(n->first)) || (proof_known(o, &a) && proof_known(o, &b))) /* n - 1 of 0u is large */
            compared(o, &a, op, &b, negated);
    } else if (ast_is_integer(ast_type(n)) && op != CXBinaryOperator_LAnd && op != CXBinaryOperator_LOr) {
        proof_int(o, n, &a);
        affine_constant(&b, 0);
        compared(o, &a, CXBinaryOperator_NE, &b, negated);
    }
}

/* ---- expressions ---- */

/* e % m, where both have no sign */
static void remainder_of(struct proof *o, const struct poly *e, const struct poly *m, bool natural, struct poly *out) {
    long size;
    if (affine_is_constant(m, &size) && size) {
        size = size < 0 ? -size : size;
        between(o, out, natural || proof_known(o, e) ? 0 : 1 - size, size - 1);
    } else if (proof_known(o, m) && (natural || proof_known(o, e))) {
        struct poly last = *m, one;
        affine_constant(&one, 1);
        affine_add(&last, &one, -1);
        fact(o, out);
        at_least(o, &last, out);
    }
}

/* e / c, of what has no sign: c q <= e < c q + c */
static void quotient_of(struct proof *o, const struct poly *e, long c, struct poly *out) {
    struct poly rest = *e, most;
    affine_add(&rest, out, -c);
    affine_constant(&most, c - 1);
    fact(o, &rest);
    affine_add(&most, &rest, -1);
    fact(o, &most);
    fact(o, out);
}

static void odd_operator(struct proof *o, struct node *n, enum CXBinaryOperatorKind op, const struct poly *a,
                         const struct poly *b, struct poly *out) {
    long k;
    const CXType t = ast_type(n);
    const bool known = affine_is_constant(b, &k), natural = is_unsigned(t);
    if (op == CXBinaryOperator_Shl && known && k >= 0 && k < 16) {
        affine_constant(out, 0);
        affine_add(out, a, 1l << k);
        return;
    }
    proof_opaque(o, t, out);
    if (op == CXBinaryOperator_Rem)
        remainder_of(o, a, b, natural, out);
    else if (op == CXBinaryOperator_Div && known && k > 0 && !natural && proof_known(o, a))
        quotient_of(o, a, k, out);
    else if (op == CXBinaryOperator_And && ((known && k >= 0) || (affine_is_constant(a, &k) && k >= 0)))
        between(o, out, 0, k);
    else if (op == CXBinaryOperator_Shr && known && k > 0 && natural && 8 * clang_Type_getSizeOf(t) - k < 62 &&
             8 * clang_Type_getSizeOf(t) > k)
        between(o, out, 0, (1l << (8 * clang_Type_getSizeOf(t) - k)) - 1);
    else if (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE)
        between(o, out, 0, 1);
}

/* Numbers without a sign and a large constant: a hash, which wraps. */
static bool wraps(struct node *n, const struct poly *a, const struct poly *b) {
    long k;
    const long large = ast_binary(n) == CXBinaryOperator_Mul ? 1l << 16 : 1l << 30;
    return is_unsigned(ast_type(n)) && ((affine_is_constant(a, &k) && (k > large || k < -large)) ||
                                        (affine_is_constant(b, &k) && (k > large || k < -large)));
}

static void binary(struct proof *o, struct node *n, struct poly *out) {
    const enum CXBinaryOperatorKind op = ast_binary(n);
    struct poly a, b;
    if (op == CXBinaryOperator_Comma || op == CXBinaryOperator_Assign) {
        proof_int(o, n->last, out);
        return;
    }
    if (ast_is_assignment(n) || op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr ||
        !ast_is_integer(ast_type(ast_strip(n->first)))) {
        proof_opaque(o, ast_type(n), out);
        if (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_LOr && op != CXBinaryOperator_And &&
            op != CXBinaryOperator_Xor && op != CXBinaryOperator_Or)
            between(o, out, 0, 1);
        return;
    }
    proof_int(o, n->first, &a);
    proof_int(o, n->last, &b);
    affine_combine(op, &a, &b, out);
    if (!out->ok || wraps(n, &a, &b))
        odd_operator(o, n, op, &a, &b, out);
}

/* a < b ? a : b and the like */
static void choice(struct proof *o, struct node *n, struct poly *out) {
    struct node *test = ast_strip(n->first);
    enum CXBinaryOperatorKind op = ast_binary(test);
    struct poly yes, no, a, b;
    proof_int(o, ast_child(n, 1), &yes);
    proof_int(o, ast_child(n, 2), &no);
    *out = yes;
    if (affine_equal(&yes, &no))
        return;
    proof_opaque(o, ast_type(n), out);
    if (op < CXBinaryOperator_LT || op > CXBinaryOperator_GE || !ast_is_integer(ast_type(ast_strip(test->first))))
        return;
    proof_int(o, test->first, &a);
    proof_int(o, test->last, &b);
    const bool same = affine_equal(&a, &yes) && affine_equal(&b, &no),
               crossed = affine_equal(&a, &no) && affine_equal(&b, &yes);
    const bool less = op == CXBinaryOperator_LT || op == CXBinaryOperator_LE;
    if ((!same && !crossed) || (is_unsigned(ast_type(test->first)) && !(proof_known(o, &a) && proof_known(o, &b))))
        return;
    const bool least = less == same;
    at_least(o, least ? &a : out, least ? out : &a);
    at_least(o, least ? &b : out, least ? out : &b);
}

static void unary(struct proof *o, struct node *n, struct poly *out) {
    struct poly p;
    const enum CXUnaryOperatorKind op = ast_unary(n);
    if (op == CXUnaryOperator_Plus) {
        proof_int(o, n->first, out);
    } else if (op == CXUnaryOperator_Minus && ast_is_integer(ast_type(ast_strip(n->first)))) {
        proof_int(o, n->first, &p);
        affine_constant(out, 0);
        affine_add(out, &p, -1);
    } else {
        proof_opaque(o, ast_type(n), out);
        if (op == CXUnaryOperator_LNot)
            between(o, out, 0, 1);
    }
}

/* A number that is converted keeps its value, unless the type is narrow. */
static void converted(struct proof *o, struct node *n, struct node *from, struct poly *out) {
    const CXType to = ast_type(n), was = ast_type(from);
    if (!ast_is_integer(to) || !ast_is_integer(was) || to.kind == CXType_Bool ||
        (clang_Type_getSizeOf(to) < 4 &&
         (clang_Type_getSizeOf(to) < clang_Type_getSizeOf(was) || is_unsigned(to) != is_unsigned(was))))
        proof_opaque(o, to, out);
    else
        proof_int(o, from, out);
}

/* sizeof: of variables, too, unless a variable says how large they are */
static bool size_of(struct node *n, long *value) {
    CXEvalResult r = n->kind == CXCursor_UnaryExpr ? clang_Cursor_Evaluate(n->c) : NULL;
    const bool ok = r && clang_EvalResult_getKind(r) == CXEval_Int;
    if (ok)
        *value = (long)clang_EvalResult_getAsLongLong(r);
    if (r)
        clang_EvalResult_dispose(r);
    return ok;
}

void proof_int(struct proof *o, struct node *n, struct poly *out) {
    long value;
    struct proof_value v;
    *out = (struct poly){0};
    while (n && n->kind == CXCursor_ParenExpr && n->first)
        n = n->first;
    if (!n)
        proof_opaque(o, (CXType){0}, out);
    else if (ast_constant(n, &value) || size_of(n, &value))
        affine_constant(out, value);
    else if ((n->kind == CXCursor_UnexposedExpr || n->kind == CXCursor_CStyleCastExpr) && n->first &&
             (n->first == n->last || n->kind == CXCursor_CStyleCastExpr))
        converted(o, n, n->last, out);
    else if (n->kind == CXCursor_BinaryOperator || n->kind == CXCursor_CompoundAssignOperator)
        binary(o, n, out);
    else if (n->kind == CXCursor_ConditionalOperator && ast_children(n) == 3)
        choice(o, n, out);
    else if (n->kind == CXCursor_UnaryOperator && ast_unary(n) != CXUnaryOperator_Deref)
        unary(o, n, out);
    else {
        proof_value(o, n, &v);
        if (v.kind == VALUE_INT)
            proof_unpack(v.is, out);
        if (v.kind != VALUE_INT || !out->ok)
            proof_opaque(o, ast_type(n), out);
    }
    if (!out->ok) /* too many terms */
        proof_opaque(o, n ? ast_type(n) : (CXType){0}, out);
}
