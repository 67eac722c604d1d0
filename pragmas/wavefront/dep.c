/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carried arrays: what kind of storage the subscripts of a written array describe, the dependence
 * vector of every other reference to it, and the role each reference plays in the register form.
 * A write at (i + c, j + d) names the logical cell (i, j); a read at (c - di, d - dj) depends on
 * the cell di rows up and dj columns to the left.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "wavefront/wavefront.h"

struct shape {            /* of one reference */
    int row, col;         /* subscript that holds i (or the rolling row) and j; -1: none */
    bool rolling, linear; /* linear: one subscript, row * ld + col */
    bool back;            /* the column counts down: A[m - j], of one dimension */
    struct poly ld;       /* linear: the coefficient of the row (transposed: of j) */
    bool transposed;
};

static bool is_one(const struct poly *p) {
    long k;
    return affine_is_constant(p, &k) && k == 1;
}

static bool is_minus_one(const struct poly *p) {
    long k;
    return affine_is_constant(p, &k) && k == -1;
}

static bool is_zero(const struct poly *p) {
    long k;
    return affine_is_constant(p, &k) && k == 0;
}

/* Adds what subscript d says to the shape; false when it is none of the known forms. */
static bool shape_subscript(const struct ref *r, int d, struct shape *s) {
    struct poly ci, cj, cr, rest;
    if (!affine_split(&r->poly[d], ATOM_I, &ci, &rest) || !affine_split(&rest, ATOM_J, &cj, &rest) ||
        !affine_split(&rest, ATOM_ROLL, &cr, &rest))
        return false;
    bool has_i = !is_zero(&ci), has_j = !is_zero(&cj), has_roll = !is_zero(&cr);
    if (has_i && has_roll)
        return false;
    if ((has_i || has_roll) && has_j) { /* linearised */
        const struct poly *row = has_roll ? &cr : &ci;
        s->linear = true;
        s->transposed = !is_one(&cj);
        s->ld = s->transposed ? cj : *row;
        if ((s->transposed && !is_one(row)) || is_one(&s->ld) || s->row >= 0 || s->col >= 0)
            return false;
        s->row = s->col = d;
    } else if (has_i || has_roll) {
        if (!is_one(has_roll ? &cr : &ci) || s->row >= 0)
            return false;
        s->row = d;
    } else if (has_j) {
        s->back = is_minus_one(&cj) && r->nsubs == 1;
        if ((!is_one(&cj) && !s->back) || s->col >= 0)
            return false;
        s->col = d;
    }
    s->rolling |= has_roll;
    return true;
}

static bool shape_of(const struct ref *r, struct shape *s) {
    *s = (struct shape){.row = -1, .col = -1};
    for (int d = 0; d < r->nsubs; d++)
        if (!shape_subscript(r, d, s))
            return false;
    return !(s->rolling && s->col < 0);
}

enum { MAX_FAR = 16 }; /* rows between dependent cells of a linearised array */

/* write - read as rows and columns of a linearised subscript */
static bool linear_distance(const struct shape *s, struct poly *diff, long *far, long *near) {
    long ld, d;
    if (affine_is_constant(&s->ld, &ld)) {
        if (!affine_is_constant(diff, &d))
            return false;
        long half = (ld < 0 ? -ld : ld) / 2;
        *far = (d + (d < 0 ? -half : half)) / ld;
        *near = d - *far * ld;
        return true;
    }
    /* A symbolic row length: try the distances that occur; the subtraction proves the right one. */
    for (long k = -MAX_FAR; k <= MAX_FAR; k++) {
        struct poly sum = *diff;
        affine_add(&sum, &s->ld, -k);
        if (affine_is_constant(&sum, near)) {
            *far = k;
            return true;
        }
    }
    return false;
}

/* The dependence vector of r against the representative write; false when it is not uniform. */
static bool distance(const struct shape *s, const struct ref *write, const struct ref *r, long *di, long *dj) {
    *di = *dj = 0;
    for (int d = 0; d < r->nsubs; d++) {
        struct poly diff = write->poly[d], read = r->poly[d];
        long far = 0, near = 0;
        if (!read.ok)
            return false;
        if (s->rolling && d == s->row) {
            if (read.roll_size != diff.roll_size)
                return false;
            *di = diff.roll_offset - read.roll_offset;
            read.roll_offset = diff.roll_offset;
        }
        affine_add(&diff, &read, -1);
        if (s->linear && d == s->row && !s->rolling) {
            if (!linear_distance(s, &diff, &far, &near))
                return false;
            *di = s->transposed ? near : far;
            *dj = s->transposed ? far : near;
            continue;
        }
        if (!affine_is_constant(&diff, &near))
            return false;
        if (d == s->col)
            *dj = s->back ? -near : near;
        else if (d == s->row && !s->rolling)
            *di = near;
        else if (near != 0)
            return false;
    }
    return true;
}

bool dep_offset(const struct ref *base, const struct ref *r, long *di, long *dj) {
    struct shape s;
    if (!base->poly[0].ok || !shape_of(base, &s) || s.rolling || s.row < 0 || s.transposed ||
        s.col != base->nsubs - 1 || !distance(&s, base, r, di, dj))
        return false;
    *di = -*di;
    *dj = -*dj;
    return true;
}

/* ---- one carried array ---- */

bool dep_error(struct nest *w, const struct ref *r, const char *what) {
    diag_error(w->u, r->b, "'%s' %s", refs_text(w, r), what);
    if (r->v->write && r->v->write != r)
        diag_note(w->u, r->v->write->b, "'%s' is written here", r->v->name);
    return false;
}

static bool find_write(struct nest *w, struct var *v) {
    for (size_t i = 0; i < w->refs.n; i++) {
        struct ref *r = w->refs.at[i];
        if (r->v != v)
            continue;
        if (r->access & ACCESS_WRITE && !v->write)
            v->write = r;
    }
    return v->write != NULL;
}

bool dep_references(struct nest *w, struct var *v) {
    if (v->bare) {
        diag_error(w->u, v->bare - 1,
                   "'%s' is written in the nest and used here other than by its "
                   "subscripts; write '%s' with all of them",
                   v->name, v->name);
        return false;
    }
    for (size_t i = 0; i < w->refs.n; i++) {
        struct ref *r = w->refs.at[i];
        if (r->v != v)
            continue;
        if (r->macro) {
            diag_error(w->u, r->b,
                       "a reference to '%s', which the nest writes, comes out of a "
                       "macro's body; write the subscripts out (macro arguments are fine)",
                       v->name);
            return false;
        }
        if (r->access & ACCESS_ADDRESS)
            return dep_error(w, r,
                             "has its address taken, so what is written cannot be seen; assign to the element itself");
    }
    return true;
}

static bool classify_write(struct nest *w, struct var *v, struct shape *s) {
    const struct ref *r = v->write;
    if (!shape_of(r, s))
        return dep_error(w, r,
                         "is not a uniform subscript; write an element at constant distance from (i, j): A[i + c][j + "
                         "d], A[(i + c) * ld + j + d], A[i % 2][j], A[i] or A[j]");
    if (s->row < 0 && s->col < 0)
        return dep_error(w, r, "is the same element in every cell; use a scalar and reduction()");
    v->field = s->rolling   ? FIELD_ROLLING
               : s->col < 0 ? FIELD_COLLAPSED_J
               : s->row < 0 ? FIELD_COLLAPSED_I
                            : FIELD_FULL;
    v->rolling = (int)r->poly[s->row >= 0 ? s->row : 0].roll_size;
    v->unit_stride = s->col == r->nsubs - 1 && !s->transposed && !s->back;
    v->upwards = s->linear && affine_sign(&s->ld) < 0;
    return true;
}

void dep_add_vector(struct nest *w, const struct ref *r, long di, long dj, bool anti) {
    vec_push(&w->vectors, (struct vector){di, dj, anti, r});
}

static enum role role_of(long di, long dj) {
    if (di == 0 && dj == 1)
        return ROLE_LEFT;
    if (di == 1 && dj == 0)
        return ROLE_TOP;
    if (di == 1 && dj == 1)
        return ROLE_TOP_LEFT;
    if (di == 1 && dj == -1)
        return ROLE_TOP_RIGHT;
    if (di == 1 && dj == 2)
        return ROLE_FAR_TOP_LEFT;
    return ROLE_MEMORY;
}

static void flow(struct nest *w, struct ref *r) {
    struct var *v = r->v;
    if (v->rows_apart && r->conditional) /* its row may be shorter, and the next one lies elsewhere */
        w->registers = false;
    dep_add_vector(w, r, r->di, r->dj, false);
    r->role = role_of(r->di, r->dj);
    v->edge |= r->di == 1 && r->role != ROLE_MEMORY;
    v->left |= r->dj >= 1 && r->role != ROLE_MEMORY;
    v->diagonal |= r->role == ROLE_TOP_LEFT || r->role == ROLE_FAR_TOP_LEFT;
    v->ahead |= r->role == ROLE_TOP_RIGHT;
    v->behind |= r->role == ROLE_FAR_TOP_LEFT;
    v->guard_top |= r->conditional && r->di == 1;
    if (v->upwards && r->conditional) /* what does not exist has no index below zero */
        w->registers = false;
    v->guard_left |= r->conditional && r->dj >= 1;
}

static bool read_full(struct nest *w, struct ref *r) {
    if (r->di > 0 || (r->di == 0 && r->dj > 0)) {
        flow(w, r);
    } else {
        if (r->v->keep != KEEP_ALL)
            return dep_error(w, r,
                             "reads an element before its cell is computed, a dependence "
                             "carried backwards, which needs the whole array: keep(…: all)");
        r->role = ROLE_MEMORY;
        dep_add_vector(w, r, -r->di, -r->dj, true);
    }
    return true;
}

static bool read_rolling(struct nest *w, struct ref *r) {
    long size = r->v->rolling;
    if (r->di >= size) {
        diag_error(w->u, r->b,
                   "'%s' reads %ld rows up, but '%s' has only %ld rows: the modulus is "
                   "too small; use one of at least %ld",
                   refs_text(w, r), r->di, r->v->name, size, r->di + 1);
        return false;
    }
    /* (i + 1) & 1 and (i - 1) & 1 are the same row. */
    r->di = (r->di % size + size) % size;
    if (r->di == 0 && r->dj < 0)
        return dep_error(w, r,
                         "reads ahead in the row being written, a dependence carried "
                         "backwards; use a row that is complete");
    flow(w, r);
    return true;
}

static bool read_collapsed(struct nest *w, struct ref *r) {
    bool by_row = r->v->field == FIELD_COLLAPSED_J;
    if (by_row && r->di != 0)
        return dep_error(w, r,
                         "reads another row's element, whose value is that of its last "
                         "column: not a uniform dependence; use a two-dimensional array");
    if (by_row)
        r->dj = 1;
    else if (r->dj < 0)
        r->di = 1; /* what the row above left there */
    flow(w, r);
    return true;
}

/* H[0][i][j] and H[1][i][j], H[i][j][0] and H[i][j][1] */
static bool other_constants(const struct ref *write, const struct ref *r) {
    for (int d = 0; d < r->nsubs; d++) {
        long mine, other;
        if (affine_is_constant(&write->poly[d], &mine) && affine_is_constant(&r->poly[d], &other) && mine != other)
            return true;
    }
    return false;
}

static bool nonuniform(struct nest *w, struct ref *r) {
    if (other_constants(r->v->write, r))
        return dep_error(w, r,
                         "is of another part of the array than the element written, by a constant subscript; give each "
                         "part an array of its own, or make elements structures");
    /* With sink() the user vouches for the dependence; only the memory form can serve it. */
    if (nest_clause(w, CLAUSE_SINK) && !(r->access & ACCESS_WRITE) && r->v->field == FIELD_FULL) {
        r->role = ROLE_MEMORY;
        w->registers = false;
        return true;
    }
    return dep_error(w, r,
                     "is not at constant distance from the element written; only uniform "
                     "dependences can be run as a wavefront (or assert them with sink())");
}

static bool classify_read(struct nest *w, struct ref *r, const struct shape *s) {
    if (!distance(s, r->v->write, r, &r->di, &r->dj))
        return nonuniform(w, r);
    bool same =
        (r->v->field == FIELD_ROLLING ? r->di % r->v->rolling == 0 && r->di < r->v->rolling : r->di == 0) && r->dj == 0;
    if (same) {
        r->role = ROLE_OWN;
        return true;
    }
    if (r->access & ACCESS_WRITE)
        return dep_error(w, r,
                         "is written at another distance than before; all writes of an array "
                         "in a nest must name the same element");
    if (r->v->field == FIELD_FULL)
        return read_full(w, r);
    if (r->v->field == FIELD_ROLLING)
        return read_rolling(w, r);
    return read_collapsed(w, r);
}

/* Is the cell's old value used: read before it is written, or not written on some path? */
static bool check_old_value(struct nest *w, struct var *v) {
    size_t at = refs_defined_at(w, v);
    const struct ref *old = at ? NULL : v->write;
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (r->v == v && r->role == ROLE_OWN && (r->access & ACCESS_READ) && r->b < at)
            old = r;
    }
    if (!old)
        return true;
    v->preload = true;
    if (v->field == FIELD_COLLAPSED_J) {
        v->left = true;
        dep_add_vector(w, old, 0, 1, false);
    } else if (v->field == FIELD_COLLAPSED_I) {
        v->edge = true;
        dep_add_vector(w, old, 1, 0, false);
    } else if (v->field == FIELD_ROLLING || v->keep != KEEP_ALL) {
        return dep_error(w, old,
                         at ? "is read before it is written, so its old value is needed; "
                              "use an array that is kept whole, keep(…: all)"
                            : "is not written on every path, so its old value is needed; "
                              "assign it in every cell, or keep the whole array");
    }
    return true;
}

static bool classify(struct nest *w, struct var *v) {
    struct shape s;
    if (!dep_references(w, v) || !classify_write(w, v, &s))
        return false;
    bool ok = true;
    for (size_t i = 0; i < w->refs.n; i++) {
        struct ref *r = w->refs.at[i];
        if (r->v == v && !(r->access & ACCESS_UNEVALUATED))
            ok &= classify_read(w, r, &s);
    }
    return ok && check_old_value(w, v);
}

/* ---- all of it ---- */

static bool is_written(const void *of, const struct var *v) {
    (void)of;
    return v->write != NULL;
}

/* Bounds are evaluated once, before the nest: nothing in them may change while it runs. */
static bool check_bounds(struct nest *w, struct node *n) {
    bool ok = true;
    struct var *v = n->kind == CXCursor_DeclRefExpr ? capture_lookup(w, clang_getCursorReferenced(n->c)) : NULL;
    enum CXUnaryOperatorKind unary = ast_unary(n);
    if (n->kind == CXCursor_UnaryExpr) /* sizeof */
        return true;
    if ((v && v->write) || ast_is_assignment(n) ||
        (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)) {
        diag_error(w->u, n->b, "the loop bound changes while the nest runs; copy it to a variable before the nest");
        return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_bounds(w, c);
    return ok;
}

/* What is asked of every nest, however its dependences are found. */
bool dep_prepare(struct nest *w) {
    bool writes = false;
    for (size_t i = 0; i < w->vars.n; i++)
        writes |= find_write(w, w->vars.at[i]);
    bool ok = dep_apply_keep(w);
    for (int l = 0; l < 2; l++)
        ok = ok && check_bounds(w, w->loop[l].first) && check_bounds(w, w->loop[l].bound) &&
             (w->sure || nest_clause(w, CLAUSE_INDEPENDENT) ||
              (nest_check_bound(w, w->loop[l].first, is_written, NULL) &&
               nest_check_bound(w, w->loop[l].bound, is_written, NULL)));
    if (w->swept)
        ok = ok && check_bounds(w, w->sweep.first) && check_bounds(w, w->sweep.bound) &&
             (w->sure || nest_clause(w, CLAUSE_INDEPENDENT) ||
              (nest_check_bound(w, w->sweep.first, is_written, NULL) &&
               nest_check_bound(w, w->sweep.bound, is_written, NULL)));
    if (!writes && ok) {
        diag_error(w->u, w->root->b,
                   "the nest writes no array, so nothing travels along its "
                   "wavefront; use '#pragma omp target teams distribute parallel for'");
        return false;
    }
    return ok;
}

bool dep_classify(struct nest *w) {
    bool ok = dep_prepare(w);
    w->registers = true;
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->write)
            ok &= classify(w, w->vars.at[i]);
    if (ok && nest_clause(w, CLAUSE_SINK))
        ok = dep_apply_sinks(w);
    return ok;
}
