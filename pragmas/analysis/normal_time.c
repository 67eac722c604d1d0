/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time tiling: sweeps(t) before a loop over time steps that holds several loops over rows. In every array that a step
 * writes, all references have the row's number plus a constant as first subscript; so row i of loop k in step t may be
 * moved to i + slope (t - first) + shift(k), and then nothing that is read or overwritten is further on. Tiles of some
 * steps by some such rows are the cells of a wavefront: each depends on those above and to the left of it alone.
 */
#include "analysis/capture.h"
#include "normal_time.h"

#include <string.h>

static bool refuse(struct steps *s, const struct node *n, const char *why) {
    if (!s->why)
        s->at = n, s->why = why;
    return false;
}

/* ---- arrays ---- */

static bool same(CXCursor a, CXCursor b) { return clang_equalCursors(a, b); }

static bool is_written(const struct steps *s, CXCursor array) {
    for (size_t i = 0; i < s->written.n; i++)
        if (same(s->written.at[i], array))
            return true;
    return false;
}

/* a of a[i][j], all the way down to a number; the subscripts that stand first and second (NULL: none) */
static bool element(struct node *n, CXCursor *array, struct node *at[WAYS]) {
    const struct node *part = n;
    while (part->up && (part->up->kind == CXCursor_ParenExpr || part->up->kind == CXCursor_UnexposedExpr))
        part = part->up;
    if (part->up && part->up->kind == CXCursor_ArraySubscriptExpr && part->up->first == part)
        return false;
    while (n->kind == CXCursor_ArraySubscriptExpr) {
        at[LINES] = at[ROWS];
        at[ROWS] = n->last;
        n = ast_strip(n->first);
    }
    if (n->kind != CXCursor_DeclRefExpr)
        return false;
    *array = clang_getCursorReferenced(n->c);
    return true;
}

static CXCursor base_of(const struct node *n) {
    while (n->kind == CXCursor_ArraySubscriptExpr)
        n = ast_strip(n->first);
    return clang_getCursorReferenced(n->c);
}

static bool is_number(CXType t) {
    t = clang_getCanonicalType(t);
    return (t.kind >= CXType_Bool && t.kind <= CXType_Int128) || t.kind == CXType_Float || t.kind == CXType_Double;
}

static bool is_inside(const struct steps *s, CXCursor var) {
    struct span v;
    return ast_span(s->x->u, var, &v) && v.b >= s->x->root->b && v.b < s->x->end;
}

/* What is changed is an element of an array from outside, or a number of the step's own. */
static bool changes_known(struct steps *s, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    const bool change = ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec);
    if (unary == CXUnaryOperator_AddrOf || unary == CXUnaryOperator_Deref || ast_is_openmp(n) ||
        n->kind == CXCursor_MemberRefExpr || n->kind == CXCursor_StmtExpr || n->kind == CXCursor_GotoStmt ||
        n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_LabelStmt || n->kind == CXCursor_BreakStmt ||
        n->kind == CXCursor_GCCAsmStmt || (n->kind == CXCursor_CallExpr && !function_is_pure(function_callee(n))) ||
        (n->kind == CXCursor_VarDecl &&
         (!is_number(clang_getCursorType(n->c)) || clang_Cursor_getStorageClass(n->c) != CX_SC_None)))
        return refuse(s, n,
                      "a step holds loops over rows of arrays and numbers of its own, without calls, pointers and ways "
                      "out; put this in front of the steps or behind them");
    if (change) {
        struct node *to = ast_strip(n->first), *at[WAYS] = {NULL};
        CXCursor array;
        if (to->kind == CXCursor_ArraySubscriptExpr) {
            if (!element(to, &array, at) || is_inside(s, array) || !is_number(clang_getCursorType(to->c)))
                return refuse(s, to,
                              "what steps write is elements, all subscripts written out, of arrays from outside");
            if (!is_written(s, array))
                vec_push(&s->written, array);
            vec_push(&s->writes, to);
        } else if (to->kind != CXCursor_DeclRefExpr || !is_inside(s, clang_getCursorReferenced(to->c)) ||
                   same(clang_getCursorReferenced(to->c), s->time.var)) {
            return refuse(s, to,
                          mem_printf("'%s' goes from step to step, and steps run one behind the other, some rows at a "
                                     "time; put 'heddle for' before each loop of the step instead",
                                     unit_text(s->x->u, to)));
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!changes_known(s, c))
            return false;
    return true;
}

/* ---- rows ---- */

static void leaf(void *of, struct node *n, struct poly *out) {
    if (n->kind == CXCursor_DeclRefExpr && same(clang_getCursorReferenced(n->c), *(CXCursor *)of))
        affine_atom(out, ATOM_I);
}

/* The subscript is `one` times the variable plus a constant. */
static bool distance(CXCursor var, struct node *subscript, long *one, long *more) {
    struct poly p, coef, rest;
    affine_read(&(struct affine_names){&var, leaf, NULL, NULL}, subscript, &p);
    return p.ok && affine_split(&p, ATOM_I, &coef, &rest) && affine_is_constant(&rest, more) &&
           affine_is_constant(&coef, one);
}

/* It is the row's number plus a constant, or the constant alone where there is no loop over rows. */
static bool row_distance(struct row_loop *l, struct node *row, bool first, long *more) {
    long one, k;
    if (!distance(l->c.var, row, &one, &k))
        return false;
    if (first && one == 0)
        l->one = true, l->row = k;
    *more = l->one ? k - l->row : k;
    return one == !l->one;
}

static bool is_by_lines(const struct row_loop *l, struct node *line, long *more) {
    long one;
    return l->lines && line && distance(l->line.var, line, &one, more) && one == 1;
}

/* The two accesses: this one, and one that writes the array. */
static const char *row_text(const struct steps *s, const struct node *n, const struct node *row, int loop) {
    const struct node *other = NULL;
    for (size_t i = 0; i < s->writes.n && !other; i++)
        if (s->writes.at[i]->b != n->b && same(base_of(s->writes.at[i]), base_of(n)))
            other = s->writes.at[i];
    return mem_printf("'%s' is of row '%s'%s, and steps behind each other need all rows at a constant distance: '%s' "
                      "plus a number; put 'heddle for' before each loop of the step instead",
                      unit_text(s->x->u, n), unit_text(s->x->u, row),
                      other ? mem_printf(", '%s' writes the array", unit_text(s->x->u, other)) : "",
                      ast_name(s->loop[loop].c.var));
}

static bool add_refs(struct steps *s, struct node *n, int loop, int *found) {
    CXCursor array;
    struct node *at[WAYS] = {NULL};
    if (n->kind == CXCursor_DeclRefExpr && is_written(s, clang_getCursorReferenced(n->c))) {
        struct node *up = n; /* every mention of it has to be the base of an element */
        while (up->up && (up->up->kind == CXCursor_ParenExpr || up->up->kind == CXCursor_UnexposedExpr ||
                          (up->up->kind == CXCursor_ArraySubscriptExpr && up->up->first == up)))
            up = up->up;
        if (!is_number(clang_getCursorType(up->c)))
            return refuse(s, n, mem_printf("'%s' is used here other than by all of its subscripts", ast_name(n->c)));
    }
    if (n->kind == CXCursor_ArraySubscriptExpr && element(n, &array, at) && is_written(s, array)) {
        struct row_ref r = {.array = array, .loop = loop, .write = capture_access(n) & ACCESS_WRITE};
        if (!is_number(clang_getCursorType(n->c)) || !row_distance(&s->loop[loop], at[ROWS], !*found, &r.more[ROWS]))
            return refuse(s, n, row_text(s, n, at[ROWS], loop));
        s->by_lines &= is_by_lines(&s->loop[loop], at[LINES], &r.more[LINES]);
        ++*found;
        vec_push(&s->refs, r);
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!add_refs(s, c, loop, found))
            return false;
    return true;
}

static bool is_or_holds_loop(const struct node *n) {
    bool found = n->kind == CXCursor_ForStmt;
    for (const struct node *c = n->first; c && !found; c = c->next)
        found = is_or_holds_loop(c);
    return found;
}

/* All that is done to a row is one loop over its lines, which are loops themselves: cut, they stay as long as they are.
 */
static void find_lines(struct steps *s, struct row_loop *l) {
    struct node *in = l->stmt->last;
    long k = 1;
    while (in->kind == CXCursor_CompoundStmt && in->first && !in->first->next)
        in = in->first;
    if (in->kind == CXCursor_ForStmt && ast_children(in) == 4 && in->first->kind == CXCursor_DeclStmt &&
        is_or_holds_loop(in->last) && loop_counts(in, &l->line) && !l->line.sooner && !l->line.down &&
        (!l->line.step || (ast_constant(l->line.step, &k) && k == 1)) && normal_is_plain(s->x, l->line.first) &&
        normal_is_plain(s->x, l->line.bound) && normal_is_apart(in, &l->line) &&
        !nest_is_mentioned(l->line.first, s->time.var) && !nest_is_mentioned(l->line.bound, s->time.var))
        l->lines = in;
}

static bool add_loop(struct steps *s, struct node *stmt) {
    struct row_loop *l = &s->loop[s->loops];
    long k = 1;
    int found = 0;
    if (s->loops == MAX_LOOPS_IN_STEP || stmt->kind != CXCursor_ForStmt || ast_children(stmt) != 4 ||
        stmt->first->kind != CXCursor_DeclStmt || !loop_counts(stmt, &l->c) || l->c.sooner || l->c.down ||
        (l->c.step && !(ast_constant(l->c.step, &k) && k == 1)) || !normal_is_plain(s->x, l->c.first) ||
        !normal_is_plain(s->x, l->c.bound) || !normal_is_apart(stmt, &l->c))
        return refuse(s, stmt,
                      stmt->kind == CXCursor_ForStmt
                          ? "a loop over rows counts up by one between bounds that the steps do not change"
                          : "a step holds loops over rows only; put this into one of them, in front of the steps or "
                            "behind them");
    if (nest_is_mentioned(l->c.first, s->time.var) || nest_is_mentioned(l->c.bound, s->time.var))
        return refuse(
            s, stmt,
            mem_printf("the rows of this loop are others in each step '%s'; loop over all rows, and skip some "
                       "by a condition",
                       ast_name(s->time.var)));
    l->stmt = stmt;
    find_lines(s, l);
    s->loops++;
    return add_refs(s, stmt, s->loops - 1, &found) && found;
}

/* ---- the order ---- */

static void order(struct steps *s, int way) {
    for (int later = 1; later < s->loops; later++)
        for (size_t a = 0; a < s->refs.n; a++)
            for (size_t b = 0; b < s->refs.n; b++) {
                const struct row_ref *p = &s->refs.at[a], *q = &s->refs.at[b];
                if (q->loop != later || p->loop >= later || !same(p->array, q->array) || !(p->write || q->write))
                    continue;
                const long least = s->loop[p->loop].shift[way] + q->more[way] - p->more[way];
                if (s->loop[later].shift[way] < least)
                    s->loop[later].shift[way] = least;
            }
    for (size_t a = 0; a < s->refs.n; a++)
        for (size_t b = 0; b < s->refs.n; b++) {
            const struct row_ref *p = &s->refs.at[a], *q = &s->refs.at[b];
            const long least = q->more[way] - p->more[way] + s->loop[p->loop].shift[way] - s->loop[q->loop].shift[way];
            if (same(p->array, q->array) && (p->write || q->write) && s->slope[way] < least)
                s->slope[way] = least;
        }
}

/* Within one loop of one step, rows are gone through in turn; cut into lines, a later row's first lines come before
 * this one's last. So nothing of a later row may touch an earlier line. */
static bool rows_allow_lines(const struct steps *s) {
    for (size_t a = 0; a < s->refs.n; a++)
        for (size_t b = 0; b < s->refs.n; b++) {
            const struct row_ref *p = &s->refs.at[a], *q = &s->refs.at[b];
            if (p->loop == q->loop && same(p->array, q->array) && (p->write || q->write) &&
                p->more[ROWS] > q->more[ROWS] && p->more[LINES] < q->more[LINES])
                return false;
        }
    return true;
}

/* ---- all ---- */

/* sweeps(t) goes, and every tile is a cell. */
static bool put_clauses(struct steps *s, const struct clause *sweeps) {
    const struct normal *x = s->x;
    struct buf out = {0};
    const char *close = strchr(x->u->src.text + sweeps->items.at[0].name.e, ')');
    if (!close || (size_t)(close - x->u->src.text) >= x->p->e)
        return false;
    buf_puts(&out, "schedule(peer-square, 1, 1)");
    for (size_t i = 0; i < s->written.n; i++) {
        const CXCursor a = s->written.at[i];
        bool named =
            clang_getCursorKind(a) != CXCursor_ParmDecl && ast_is_array(clang_getCanonicalType(clang_getCursorType(a)));
        for (size_t c = 0; c < x->p->clauses.n; c++)
            for (size_t k = 0; k < x->p->clauses.at[c].items.n; k++)
                named |= !strcmp(source_flat(&x->u->src, x->p->clauses.at[c].items.at[k].name), ast_name(a));
        const char *map = named ? NULL : normal_time_map(s, a);
        if (map)
            buf_puts(&out, map);
    }
    vec_push(x->edits, (struct edit){sweeps->name.b, (size_t)(close - x->u->src.text) + 1, out.s});
    return true;
}

/* Rows of a loop touch nothing that another row of it writes. */
static bool are_rows_apart(const struct steps *s) {
    for (size_t a = 0; a < s->refs.n; a++)
        for (size_t b = 0; b < s->refs.n; b++) {
            const struct row_ref *p = &s->refs.at[a], *q = &s->refs.at[b];
            if (p->loop == q->loop && same(p->array, q->array) && p->write && p->more[ROWS] != q->more[ROWS])
                return false;
        }
    return true;
}

static void measure(struct steps *s) {
    for (size_t i = 0; i < s->written.n; i++) {
        const CXType row = ast_pointee(clang_getCursorType(s->written.at[i]));
        const long long size = clang_Type_getSizeOf(row), line = clang_Type_getSizeOf(ast_pointee(row));
        s->bytes[ROWS] += size > 0 ? (long)size : UNKNOWN_ROW;
        s->bytes[LINES] += line > 0 ? (long)line : UNKNOWN_LINE;
    }
    s->bytes[ROWS] = s->bytes[ROWS] < 1 ? 1 : s->bytes[ROWS];
}

/* Steps of a tile whose rows a core's cache holds. */
long normal_time_fit(const struct steps *s) {
    return CACHE / 2 / s->bytes[ROWS] / (s->slope[ROWS] > 0 ? s->slope[ROWS] : 1);
}

static bool is_plain_steps(struct steps *s, const struct clause *sweeps) {
    const struct normal *x = s->x;
    return !x->outer && x->root->first->kind == CXCursor_DeclStmt && x->root->last->kind == CXCursor_CompoundStmt &&
           loop_counts(x->root, &s->time) && !s->time.sooner && !s->time.down && !s->time.step &&
           normal_is_plain(x, s->time.first) && normal_is_plain(x, s->time.bound) &&
           normal_is_apart(x->root, &s->time) && !clause_find(x->p, CLAUSE_SINK) &&
           strcmp(source_flat(&x->u->src, sweeps->items.at[0].name), ast_name(s->time.var)) == 0;
}

static bool fits(struct steps *s) {
    static const enum clause_id others[] = {CLAUSE_SCHEDULE, CLAUSE_REDUCTION, CLAUSE_KEEP, CLAUSE_LAYOUT,
                                            CLAUSE_DEVICE};
    const struct normal *x = s->x;
    struct node *body = x->root->last;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (clause_find(x->p, others[i]))
            return refuse(s, x->root, "time steps run on threads, without other clauses than 'map'; leave them out");
    if (memchr(x->u->src.text + x->root->b, '#', x->end - x->root->b))
        return refuse(s, x->root, "lines that begin with '#' stand between the loops of a step; take them out");
    if (!changes_known(s, body))
        return false;
    if (!s->written.n)
        return refuse(s, x->root, "the steps write no array");
    for (struct node *n = body->first; n; n = n->next)
        if (!add_loop(s, n))
            return refuse(s, n, "this loop touches no row of what steps write; put it in front of the steps");
    return true;
}

bool normal_time(struct normal *x) {
    struct steps s = {.x = x, .by_lines = true};
    const struct clause *sweeps = clause_find(x->p, CLAUSE_SWEEPS);
    if (!sweeps || !is_plain_steps(&s, sweeps) || !fits(&s))
        return false;
    order(&s, ROWS);
    s.by_lines = s.by_lines && rows_allow_lines(&s);
    if (s.by_lines)
        order(&s, LINES);
    measure(&s);
    s.by_lines = s.by_lines && normal_time_fit(&s) < LEAST_STEPS;
    s.apart = s.bytes[ROWS] >= SHORT_ROW && are_rows_apart(&s);
    if (!put_clauses(&s, sweeps))
        return false;
    normal_time_put(&s);
    return true;
}

const char *normal_time_reason(struct normal *x, size_t *at) {
    struct steps s = {.x = x};
    const struct clause *sweeps = clause_find(x->p, CLAUSE_SWEEPS);
    if (!sweeps || !is_plain_steps(&s, sweeps) || fits(&s) || !s.why)
        return NULL;
    *at = s.at->b;
    return s.why;
}
