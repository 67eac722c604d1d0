/* SPDX-License-Identifier: Apache-2.0 */
/* affine.c: polynomials over loop variables and invariants */
#ifndef HEDDLE_ANALYSIS_AFFINE_H
#define HEDDLE_ANALYSIS_AFFINE_H

#include "front/ast.h"

struct nest;

#define MAX_TERMS 24
#define MAX_DEGREE 4
struct term {
    long k;
    int n;
    const char *atom[MAX_DEGREE]; /* sorted; ATOM_I, ATOM_J, ATOM_ROLL or a C expression */
};
struct poly {
    bool ok; /* false: not affine */
    int n;
    struct term t[MAX_TERMS];
    long roll_offset, roll_size; /* of ATOM_ROLL: (i + offset) mod size */
};
extern const char ATOM_I[], ATOM_J[], ATOM_ROLL[];

void affine_constant(struct poly *p, long k);
void affine_atom(struct poly *p, const char *text);
void affine_of(struct nest *w, struct node *n, struct poly *out);
void affine_add(struct poly *a, const struct poly *b, long k); /* a += k * b */
/* p = coef * atom + rest; false if atom occurs in a higher power */
bool affine_split(const struct poly *p, const char *atom, struct poly *coef, struct poly *rest);
bool affine_is_constant(const struct poly *p, long *value);
bool affine_equal(const struct poly *a, const struct poly *b);
int affine_sign(const struct poly *p); /* of all coefficients; 2 when mixed */
void affine_multiply(const struct poly *a, const struct poly *b, struct poly *out);
void affine_combine(enum CXBinaryOperatorKind op, const struct poly *a, const struct poly *b,
                    struct poly *out); /* +, -, *; else not ok */
bool affine_is_integer(CXType t);      /* of 4 bytes and more: taken not to wrap */
/* What the parts of an expression stand for, besides constants, sums, products and conversions. */
struct affine_names {
    void *of;
    void (*leaf)(void *of, struct node *n, struct poly *out); /* `out` comes not ok, and stays so where nobody knows */
    bool (*ring)(void *of, const struct poly *row, long size, struct poly *out); /* row mod size; NULL: none is known */
    bool (*other_row)(const struct poly *row, struct poly *out); /* 1 - row, where row is 0 or 1; false: it is not */
};
void affine_read(const struct affine_names *names, struct node *n, struct poly *out);
struct poly section_poly(const struct unit *u, struct span s); /* analysis/section.c: of a clause; nothing: 0 */
const char *affine_long(const char *text);
const char *affine_span(const struct unit *u, struct span s); /* the same of an expression in the file */
const char *affine_text(const struct poly *p, const char *i, const char *j);

#endif
