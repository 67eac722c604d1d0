/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Array references in the body: full subscripts of captured arrays, how they are used, whether they
 * are reached in every cell, and which read-only ones can be loaded once per row or column.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "function.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

const char *refs_text(const struct nest *w, const struct ref *r) {
    return source_flat(&w->u->src, (struct span){r->b, r->e});
}

struct ref *refs_at(const struct nest *w, const struct node *n) {
    for (size_t i = 0; i < w->refs.n; i++)
        if (w->refs.at[i]->n == n || (!w->refs.at[i]->macro && w->refs.at[i]->b == n->b &&
                                      n->kind == CXCursor_ArraySubscriptExpr && w->refs.at[i]->e == n->e))
            return w->refs.at[i];
    return NULL;
}

/* True when the text at the node's begin is that name: not so for code out of a macro's body. */
bool refs_is_whole_text(const struct unit *u, const struct node *n, const char *name) {
    size_t len = strlen(name);
    if (n->b + len > u->src.size || memcmp(u->src.text + n->b, name, len) != 0)
        return false;
    unsigned char after = (unsigned char)u->src.text[n->b + len];
    return !isalnum(after) && after != '_';
}

/* ---- reached in every cell? ---- */

size_t refs_first_continue(const struct node *n) {
    if (n->kind == CXCursor_ContinueStmt)
        return n->b;
    size_t first = SIZE_MAX;
    for (const struct node *c = n->first; c; c = c->next) {
        if (c->kind == CXCursor_ForStmt || c->kind == CXCursor_WhileStmt || c->kind == CXCursor_DoStmt)
            continue;
        size_t at = refs_first_continue(c);
        first = at < first ? at : first;
    }
    return first;
}

static bool conditional(const struct nest *w, const struct node *n, bool turns) {
    struct loop_count c;
    if (n->b > w->continue_at)
        return true;
    for (; n != w->body && n->up; n = n->up) {
        struct node *up = n->up;
        enum CXBinaryOperatorKind op = ast_binary(up);
        bool first = up->first == n;
        if ((up->kind == CXCursor_ConditionalOperator || up->kind == CXCursor_IfStmt || op == CXBinaryOperator_LAnd ||
             op == CXBinaryOperator_LOr) &&
            !first)
            return true;
        if (turns && up->kind == CXCursor_ForStmt && n == up->last && loop_counts(up, &c) && !c.sooner)
            continue;
        if (up->kind == CXCursor_ForStmt || up->kind == CXCursor_WhileStmt ||
            (up->kind == CXCursor_SwitchStmt && !first))
            return true;
    }
    return false;
}

bool refs_conditional(const struct nest *w, const struct node *n) { return conditional(w, n, false); }

bool refs_after_condition(const struct nest *w, const struct node *n) { return conditional(w, n, true); }

/* ---- collecting ---- */

static bool bare_error(struct nest *w, const struct use *use, const char *what) {
    diag_error(w->u, use->offset, "'%s' %s", use->v->name, what);
    return false;
}

static bool points_to_const(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Pointer && clang_isConstQualifiedType(clang_getPointeeType(t));
}

static bool const_parameter(struct node *call, struct node *argument) {
    int index = -1;
    for (struct node *c = call->first; c && c != argument; c = c->next)
        index++;
    CXType f = clang_getCursorType(call->first->c);
    f = clang_getCanonicalType(f);
    if (f.kind == CXType_Pointer)
        f = clang_getPointeeType(f);
    return points_to_const(clang_getArgType(f, (unsigned)index));
}

/* Everywhere else an array becomes a pointer, by a conversion that libclang shows without a name. */
bool refs_is_array_itself(const struct node *n) {
    const struct node *up = n->up;
    while (up && up->kind == CXCursor_ParenExpr)
        up = up->up;
    return up && up->kind != CXCursor_UnexposedExpr && up->kind != CXCursor_ArraySubscriptExpr;
}

bool refs_only_shown(struct node *n) {
    for (; n->up; n = n->up) {
        if (n->up->kind == CXCursor_CallExpr)
            return const_parameter(n->up, n);
        if (n->up->kind != CXCursor_ParenExpr && n->up->kind != CXCursor_UnexposedExpr &&
            n->up->kind != CXCursor_MemberRefExpr && n->up->kind != CXCursor_ArraySubscriptExpr &&
            ast_unary(n->up) != CXUnaryOperator_AddrOf)
            return false;
    }
    return false;
}

static bool is_const(const struct var *v) { return clang_isConstQualifiedType(clang_getCanonicalType(v->elem_type)); }

/* The mention of a structure, or of a pointer to one, goes on to an array that the structure holds. */
bool refs_member_array(const struct node *n) {
    const struct node *up = n->up;
    while (up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr ||
                  ast_unary(up) == CXUnaryOperator_Deref))
        up = up->up;
    return up && up->kind == CXCursor_MemberRefExpr &&
           clang_getArraySize(clang_getCanonicalType(clang_getCursorType(up->c))) >= 0;
}

/* FILE *: what is written through it is the stream's own. */
static bool is_stream(const struct var *v) {
    return strstr(ast_spelling(clang_getCanonicalType(v->elem_type)), "_IO_FILE") != NULL;
}

/* A pointer used other than by full subscripts: allowed while nothing can be written through it. */
static bool bare_use(struct nest *w, const struct use *use) {
    struct node *n = use->n;
    unsigned access = capture_access(n);
    if (access & ACCESS_UNEVALUATED) {
        if (use->v->kind == VAR_ARRAY)
            return bare_error(w, use,
                              "is an array under 'sizeof', but a pointer on the device; "
                              "compute the size before the nest");
        return true;
    }
    if ((access & ACCESS_WRITE) || (access == ACCESS_ADDRESS && ast_unary(n->up) == CXUnaryOperator_AddrOf))
        return bare_error(w, use, "is changed or its address taken in the nest; use it by subscripts only");
    use->v->bare = use->offset + 1;
    if (is_const(use->v))
        return true;
    for (struct node *up = n->up; up; n = up, up = up->up) {
        enum CXBinaryOperatorKind op = ast_binary(up);
        if (up->kind == CXCursor_CallExpr)
            return const_parameter(up, n) || (w->host && (w->sure || is_stream(use->v))) ||
                   bare_error(w, use,
                              "is passed to a function that may write through it; make the "
                              "parameter a pointer to const");
        if (ast_unary(up) == CXUnaryOperator_Deref || up->kind == CXCursor_MemberRefExpr ||
            (up->kind == CXCursor_ArraySubscriptExpr && up->first == n)) {
            if (capture_access(up) == ACCESS_READ)
                return true;
            if (capture_access(up) == ACCESS_ADDRESS &&
                ast_is_array(clang_getCanonicalType(clang_getCursorType(up->c))) &&
                up->kind == CXCursor_ArraySubscriptExpr)
                continue; /* a row, which goes on to where a pointer to it would */
            return bare_error(w, use,
                              refs_member_array(use->n) ? REFS_MEMBER_WRITTEN
                                                        : "is written through other than by all its subscripts; "
                                                          "assign to an element");
        }
        if (up->kind == CXCursor_VarDecl && points_to_const(clang_getCursorType(up->c)))
            return true;
        if (up->kind == CXCursor_ConditionalOperator || up->kind == CXCursor_IfStmt ||
            (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE) || op == CXBinaryOperator_LAnd ||
            op == CXBinaryOperator_LOr || ast_unary(up) == CXUnaryOperator_LNot)
            return true;
        if (up->kind != CXCursor_ParenExpr && up->kind != CXCursor_UnexposedExpr && op != CXBinaryOperator_Add &&
            op != CXBinaryOperator_Sub)
            break;
    }
    return bare_error(w, use,
                      "is copied, so what is written through the copy cannot be seen; "
                      "use it by subscripts only, or make it a pointer to const");
}

/* The subscripts above a mention of an array; false when there are fewer than dimensions. */
bool refs_subscripts(const struct var *v, struct node *n, struct ref *r) {
    for (struct node *up = n->up; up && r->nsubs < v->ndims; n = up, up = up->up) {
        if (up->kind == CXCursor_ArraySubscriptExpr && up->first == n) {
            r->sub[r->nsubs++] = up->last;
            r->n = up;
        } else if (up->kind != CXCursor_ParenExpr && up->kind != CXCursor_UnexposedExpr) {
            break;
        }
    }
    return r->nsubs == v->ndims && r->nsubs > 0;
}

static bool through_pointer(struct nest *w, const struct ref *r) {
    if (clang_getCanonicalType(r->v->elem_type).kind != CXType_Pointer || w->sure)
        return false;
    w->follows = true;
    for (size_t i = 0; i < w->refs.n; i++)
        if (w->refs.at[i]->v == r->v) /* it was said */
            return true;
    diag_error(w->u, r->b,
               w->host
                   ? "'%s' holds pointers, and nothing shows whether what they point to overlaps what the nest "
                     "writes; use it by both subscripts alone and name it in no clause, or use a pointer to an array, "
                     "T (*%s)[columns], or, where it is only read, write 'independent'"
                   : "'%s' holds pointers, and what they point to cannot be mapped; use a "
                     "pointer to an array, T (*%s)[columns], or one linear array",
               r->v->name, r->v->name);
    return true;
}

static bool add_ref(struct nest *w, const struct use *use, struct ref *r) {
    const char *text = w->u->src.text;
    r->b = r->n->b;
    r->e = r->n->e;
    r->macro = !refs_is_whole_text(w->u, use->n, use->v->name) || text[r->e - 1] != ']' || r->b > use->n->b ||
               (r->b < use->n->b && text[r->b] != '(');
    r->access = capture_access(r->n);
    r->conditional = refs_conditional(w, r->n);
    if (through_pointer(w, r)) {
        vec_push(&w->refs, r);
        return false;
    }
    for (int d = 0; d < r->nsubs; d++)
        affine_of(w, r->sub[d], &r->poly[d]);
    /* A macro argument used twice appears twice in the tree, but once in the text. */
    for (size_t i = 0; !r->macro && i < w->refs.n; i++) {
        struct ref *old = w->refs.at[i];
        if (!old->macro && old->b == r->b) {
            old->access |= r->access;
            old->conditional &= r->conditional;
            return true;
        }
    }
    vec_push(&w->refs, r);
    return true;
}

/* A pointer inside a structure is not translated to the device's address, and where it leads nobody sees. */
static bool check_members(struct nest *w, struct node *n) {
    bool ok = true;
    if (n->kind == CXCursor_MemberRefExpr && clang_getCanonicalType(clang_getCursorType(n->c)).kind == CXType_Pointer &&
        capture_access(n) != ACCESS_UNEVALUATED) {
        diag_error(w->u, n->b,
                   "'%s' is a pointer inside a structure, %s; copy it to a local variable before the %s, or write "
                   "'independent'%s",
                   ast_name(n->c),
                   w->host ? "and nothing shows whether what it points to overlaps what the nest writes"
                           : "which cannot be mapped",
                   w->batch ? "loop over problems" : "nest", w->host ? "" : ", and it stays on the host");
        ok = false;
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_members(w, c);
    return ok;
}

bool refs_collect(struct nest *w) {
    const bool problems = w->batch || !w->loop[1].stmt; /* of a batch: what they touch is compared elsewhere */
    bool ok = w->sure || (w->host && problems) || check_members(w, w->body);
    w->continue_at = refs_first_continue(w->body);
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        if (use->v->kind != VAR_POINTER && use->v->kind != VAR_ARRAY)
            continue;
        struct ref *r = mem_alloc(sizeof *r);
        r->v = use->v;
        if (refs_subscripts(use->v, use->n, r))
            ok &= add_ref(w, use, r);
        else
            ok &= bare_use(w, use);
    }
    return ok;
}

/* ---- loads that leave the body ---- */

struct depends {
    bool i, j, other;
};

static void depend(struct nest *w, struct node *n, struct depends *d) {
    if (n->kind == CXCursor_DeclRefExpr) {
        CXCursor c = clang_getCursorReferenced(n->c);
        struct var *v = capture_lookup(w, c);
        if (clang_equalCursors(c, w->loop[0].var))
            d->i = true;
        else if (clang_equalCursors(c, w->loop[1].var))
            d->j = true;
        else if (clang_getCursorKind(c) != CXCursor_EnumConstantDecl &&
                 (!v || v->reduced || v->sweep || v->field != FIELD_NONE))
            d->other = true;
    }
    if (n->kind == CXCursor_CallExpr || ast_is_assignment(n) || n->kind == CXCursor_StmtExpr ||
        (ast_unary(n) >= CXUnaryOperator_PostInc && ast_unary(n) <= CXUnaryOperator_PreDec))
        d->other = true;
    for (struct node *c = n->first; c; c = c->next)
        depend(w, c, d);
}

static const char *squeezed(const char *s) {
    struct buf b = {0};
    for (; *s; s++)
        if (!isspace((unsigned char)*s))
            buf_add(&b, s, 1);
    return b.s;
}

static bool arithmetic(CXType t) {
    t = clang_getCanonicalType(t);
    return ast_is_integer(t) || t.kind == CXType_Float || t.kind == CXType_Double;
}

static const char *element_text(const struct nest *w, const struct ref *r) {
    return source_flat(&w->u->src, (struct span){r->b, r->n->e});
}

static const char *plain_type(const struct node *n) {
    const CXType t = clang_getCanonicalType(clang_getCursorType(n->c));
    return ast_spelling(clang_getUnqualifiedType(t));
}

static const char *free_name(struct nest *w, const char *name) {
    int same = 0;
    for (size_t i = 0; i < w->rows.n; i++)
        same += w->rows.at[i]->ref->v->name == name;
    for (size_t i = 0; i < w->cols.n; i++)
        same += w->cols.at[i]->ref->v->name == name;
    return same ? mem_printf("heddle_%s_%d", name, same) : name;
}

/* Another member of the same element is read by every cell. */
static bool is_vouched(const struct nest *w, const struct ref *r) {
    const char *element = squeezed(element_text(w, r));
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *q = w->refs.at[i];
        if (q->v == r->v && q->hoist && !q->conditional && !strcmp(squeezed(element_text(w, q)), element))
            return true;
    }
    return false;
}

/* `member`: of the element, if that alone is read. */
static void hoist(struct nest *w, struct ref *r, const struct node *member) {
    struct depends d = {0};
    depend(w, r->n, &d);
    if (d.other || (d.i && d.j))
        return;
    r->role = d.j ? ROLE_COL : ROLE_ROW;
    if (member)
        r->e = member->e;
    const char *key = squeezed(refs_text(w, r));
    size_t n = d.j ? w->cols.n : w->rows.n;
    for (size_t i = 0; i < n; i++) {
        struct hoist *h = d.j ? w->cols.at[i] : w->rows.at[i];
        if (strcmp(h->key, key) == 0) {
            r->hoist = h;
            return;
        }
    }
    if (r->conditional && !is_vouched(w, r)) { /* nobody promised that the element exists for every row or column */
        r->role = ROLE_MEMORY;
        r->e = r->n->e;
        return;
    }
    struct hoist *h = mem_alloc(sizeof *h);
    *h = (struct hoist){free_name(w, r->v->name), key, member ? plain_type(member) : r->v->elem_plain, r};
    r->hoist = h;
    if (d.j)
        vec_push(&w->cols, h);
    else
        vec_push(&w->rows, h);
}

/* x[i].a.b, of a number: that read; else NULL. */
static const struct node *member_read(const struct ref *r) {
    const struct node *n = r->n;
    while (n->up && n->up->kind == CXCursor_MemberRefExpr)
        n = n->up;
    return n != r->n && arithmetic(clang_getCursorType(n->c)) &&
                   !clang_Cursor_isBitField(clang_getCursorReferenced(n->c))
               ? n
               : NULL;
}

void refs_hoist(struct nest *w) {
    /* Unconditional references first: they vouch for conditional ones with the same text. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w->refs.n; i++) {
            struct ref *r = w->refs.at[i];
            const struct node *member = member_read(r);
            if (r->v->field == FIELD_NONE && !r->macro && !r->hoist && r->access == ACCESS_READ &&
                r->conditional == (pass == 1) && (member || arithmetic(r->v->elem_type)))
                hoist(w, r, member);
        }
}

/* ---- loads that can be gathered before the nest ---- */

/* A read that every cell makes at a place known by its two indices; of arrays the nest writes these are
   old values, whatever was written meanwhile. */
static bool gathers(struct nest *w, const struct ref *r) {
    struct depends d = {0};
    for (int k = 0; k < r->nsubs; k++)
        depend(w, r->sub[k], &d);
    return r->role == ROLE_MEMORY && r->access == ACCESS_READ && !r->conditional && !r->macro && d.i && d.j &&
           !d.other && arithmetic(r->v->elem_type);
}

static const char *gathered(struct nest *w, struct ref *r) {
    const char *key = squeezed(refs_text(w, r));
    for (size_t i = 0; i < w->fars.n; i++)
        if (strcmp(w->fars.at[i]->key, key) == 0)
            return w->fars.at[i]->name;
    struct hoist *h = mem_alloc(sizeof *h);
    const char *name = mem_printf("heddle_%s_%zu", r->v->name, w->fars.n);
    *h = (struct hoist){name, key, r->v->elem_plain, r};
    vec_push(&w->fars, h);
    return name;
}

/* Also the old value of a cell that is updated, which the body finds in place of its own. */
void refs_gather(struct nest *w) {
    for (size_t i = 0; w->registers && i < w->refs.n; i++) {
        struct ref *r = w->refs.at[i];
        if (r == r->v->write && r->v->preload && r->v->field == FIELD_FULL && !r->macro && arithmetic(r->v->elem_type))
            r->far = gathered(w, r);
        else if (gathers(w, r))
            r->far = gathered(w, r);
    }
}
