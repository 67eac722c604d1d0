/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers in structures, g->hx[i]: a variable before the loop holds what the loop never changes in the structure, so
 * that what it points to is an array like any other: mapped, and compared with the others before the loop. Beside
 * them, numbers in the same structure, g->n, too: then the loop has no use for the structure itself.
 */
#include "analysis/capture.h"
#include "front/macros.h"
#include "normal.h"
#include "prepare.h"

#include <stdint.h>
#include <string.h>

enum { MAX_FIELDS = 4 };

struct member { /* base->field, base->field.field or base.field */
    CXCursor base, field[MAX_FIELDS];
    int fields;
    bool arrow;
    const char *text, *name, *type;
    bool conditional; /* no mention that is seen so far is evaluated in each turn */
    bool bad;
    edit_list edits;
};
typedef VEC(struct member) member_list;

/* ---- mentions ---- */

static bool is_record(CXCursor decl) {
    const CXCursor of = clang_getCursorSemanticParent(decl);
    return clang_getCursorKind(decl) == CXCursor_FieldDecl && clang_getCursorKind(of) == CXCursor_StructDecl;
}

static bool is_arrow(const struct node *n) {
    return clang_getCanonicalType(clang_getCursorType(n->first->c)).kind == CXType_Pointer;
}

/* The variable and the fields of n; false: something else leads to it. */
static bool read_chain(struct node *n, struct member *m) {
    if (n->kind == CXCursor_DeclRefExpr) {
        m->base = clang_getCursorReferenced(n->c);
        m->text = ast_name(m->base);
        const enum CXCursorKind kind = clang_getCursorKind(m->base);
        return (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) &&
               !clang_isVolatileQualifiedType(clang_getCursorType(m->base));
    }
    const CXCursor field = clang_getCursorReferenced(n->c);
    if (n->kind != CXCursor_MemberRefExpr || !n->first || !is_record(field) || m->fields == MAX_FIELDS ||
        clang_isVolatileQualifiedType(clang_getCursorType(field)) || !read_chain(ast_strip(n->first), m))
        return false;
    if (is_arrow(n) && (m->fields || clang_isVolatileQualifiedType(ast_pointee(clang_getCursorType(n->first->c)))))
        return false;
    m->arrow |= is_arrow(n);
    m->field[m->fields++] = field;
    m->text = mem_printf("%s%s%s", m->text, is_arrow(n) ? "->" : ".", ast_name(field));
    return true;
}

static bool is_pointer(const struct node *n) {
    return clang_getCanonicalType(clang_getCursorType(n->c)).kind == CXType_Pointer;
}

static bool is_number(CXType t) {
    t = clang_getCanonicalType(t);
    return ast_is_integer(t) || (t.kind >= CXType_Float && t.kind <= CXType_LongDouble);
}

/* A name alone has to be added: behind the type, or in T (*)[n]. */
static bool is_declarable(const char *type) {
    const char *at = strpbrk(type, "([");
    return !at || (strncmp(at, "(*)[", 4) == 0 && !strchr(at + 4, '('));
}

static const char *declaration(const char *type, const char *name) {
    const char *at = strchr(type, '(');
    return at ? mem_printf("%.*s(*%s%s", (int)(at - type), type, name, at + 2) : mem_printf("%s %s", type, name);
}

static const char *declared_type(const struct node *n) {
    const CXType t = clang_getCursorType(n->c), to = ast_pointee(t);
    const char *text = ast_spelling(clang_getUnqualifiedType(t));
    const bool data =
        is_pointer(n) && clang_Type_getSizeOf(to) > 0 && to.kind != CXType_Void && !clang_isVolatileQualifiedType(to);
    return (data || is_number(t)) && is_declarable(text) ? text : NULL;
}

/* (g)->x is g->x. */
static const char *bare(const char *text) {
    struct buf out = {0};
    buf_add(&out, "", 0);
    for (; *text; text++)
        if (!strchr(" \t\r\n()", *text))
            buf_add(&out, text, 1);
    return out.s;
}

/* In a branch, or behind && or ||: what it leads to may be nothing there. */
static bool is_conditional(const struct prepare *s, const struct node *n) {
    for (const struct node *up = n->up; n != s->root && up; n = up, up = up->up) {
        const enum CXBinaryOperatorKind op = ast_binary(up);
        if ((up->kind == CXCursor_IfStmt || up->kind == CXCursor_UnexposedExpr ||
             up->kind == CXCursor_ConditionalOperator || up->kind == CXCursor_SwitchStmt ||
             up->kind == CXCursor_WhileStmt || op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) &&
            n != up->first)
            return true;
    }
    return false;
}

/* ---- what the loop changes ---- */

struct changes {
    struct prepare *s;
    const struct member *m; /* no fields: anything of the type */
    CXType type;
    unsigned visit;
};

static bool is_byte(CXType t) {
    return t.kind == CXType_Char_S || t.kind == CXType_Char_U || t.kind == CXType_SChar || t.kind == CXType_UChar ||
           t.kind == CXType_Void;
}

/* Only its own name leads to the structure. */
static bool is_own(const struct changes *c) {
    return !c->m->arrow && !node_is_global(c->m->base) && !capture_is_shown(c->s->tree, c->m->base);
}

/* An object of the type may hold the member, or a part of it. */
static bool may_hold(const struct changes *c, CXType t) {
    const CXType member = clang_getCanonicalType(c->type);
    t = clang_getCanonicalType(t);
    if (is_own(c))
        return false;
    if (is_byte(t) || t.kind == CXType_Record)
        return true;
    if (member.kind == CXType_Pointer || t.kind == CXType_Pointer)
        return member.kind == t.kind;
    return ast_is_integer(t) == ast_is_integer(member) && clang_Type_getSizeOf(t) == clang_Type_getSizeOf(member);
}

static bool is_element_of_array(struct node *n) {
    n = ast_strip(n);
    while (n->kind == CXCursor_ArraySubscriptExpr)
        n = ast_strip(n->first);
    return n->kind == CXCursor_DeclRefExpr && ast_is_array(ast_type(n)) &&
           clang_getCursorKind(clang_getCursorReferenced(n->c)) == CXCursor_VarDecl;
}

static bool is_store_to(const struct changes *c, struct node *n) {
    n = ast_strip(n);
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), c->m->base))
        return true;
    if (n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_MemberRefExpr)
        return ast_type(n).kind == CXType_Record && may_hold(c, ast_type(n));
    return !is_element_of_array(n) && may_hold(c, ast_type(n));
}

static bool is_field(const struct changes *c, struct node *n) {
    const CXCursor field = n->kind == CXCursor_MemberRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    for (int k = 0; k < c->m->fields; k++)
        if (clang_equalCursors(field, c->m->field[k]))
            return true;
    return false;
}

static bool may_change(struct changes *c, struct node *n);

/* Functions that are not here are nobody's proof; who asserts that they are independent says it of this, too. */
static bool calls_change(struct changes *c, struct node *n) {
    struct function *f = function_called(c->s->u, n);
    const CXCursor callee = function_callee(n);
    struct node *to = n->first ? n->first->next : NULL;
    if (f)
        return !function_seen(f, c->visit) && may_change(c, f->body);
    return to && !clang_Cursor_isNull(callee) && function_is_memory(ast_name(callee)) &&
           may_hold(c, ast_pointee(clang_getCursorType(ast_strip(to)->c)));
}

static bool may_change(struct changes *c, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if (n->kind == CXCursor_UnaryExpr) /* sizeof */
        return false;
    if (n->kind == CXCursor_GCCAsmStmt || ast_is_openmp(n))
        return true;
    if ((ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)) &&
        is_store_to(c, n->first))
        return true;
    if (is_field(c, n) && node_is_modified(capture_access(n)))
        return true;
    if (n->kind == CXCursor_CallExpr && calls_change(c, n))
        return true;
    for (struct node *k = n->first; k; k = k->next)
        if (may_change(c, k))
            return true;
    return false;
}

bool prepare_may_change(struct prepare *s, CXType t) {
    const struct member any = {.base = clang_getNullCursor(), .arrow = true};
    struct changes c = {s, &any, t, function_visit()};
    return may_change(&c, s->root);
}

bool prepare_is_fixed(const struct prepare *s, CXCursor decl) {
    const CXType t = clang_getCursorType(decl);
    const struct member name = {.base = decl, .arrow = true};
    struct changes c = {(struct prepare *)(uintptr_t)s, &name, t, function_visit()};
    return ast_is_integer(clang_getCanonicalType(t)) && !clang_isVolatileQualifiedType(t) &&
           !own_is_called(s, s->root, decl, function_visit()) && !may_change(&c, s->root);
}

/* ---- one loop ---- */

static struct member *member_of(const member_list *all, const struct member *m) {
    for (size_t i = 0; i < all->n; i++)
        if (clang_equalCursors(all->at[i].base, m->base) && strcmp(all->at[i].text, m->text) == 0)
            return &all->at[i];
    return NULL;
}

static const char *name_of(const struct prepare *s, const member_list *all, const struct member *m) {
    struct buf base = {0};
    for (const char *c = m->text; *c; c++)
        if (*c != '>')
            buf_puts(&base, *c == '.' || *c == '-' ? "_" : mem_strndup(c, 1));
    const char *name = normal_name(s->u, base.s);
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->at[i].name, name) == 0)
            return NULL;
    return name;
}

/* A clause's words from `at` on: g->x, a->b.c. `end`: of those that are `part`, or all of it; else it stays. */
static const char *chain_at(const struct prepare *s, struct lexer *lx, const char *part, size_t *end) {
    struct buf text = {0};
    size_t found = 0;
    buf_puts(&text, "");
    for (bool link = false; lx->tok.kind != TOKEN_END && lx->tok.b < s->p->e; lexer_next(lx)) {
        const char *word = s->u->src.text + lx->tok.b;
        if (lx->tok.kind == TOKEN_NAME ? text.n && !link : *word != '.' && *word != '-' && !(link && *word == '>'))
            break;
        link = lx->tok.kind != TOKEN_NAME;
        buf_add(&text, word, lx->tok.e - lx->tok.b);
        if (part && strcmp(text.s, part) == 0)
            found = lx->tok.e;
    }
    if (found && (!text.s[strlen(part)] || strncmp(text.s + strlen(part), "->", 2) == 0))
        *end = found;
    return text.s;
}

/* Members in the clauses that a variable stands for: `map(to: g->x[0 : n])`, and what these lead to, `g->x->y`. With
 * `m`: they get its name; else: is the base named in another way? */
static bool visit_clauses(struct prepare *s, const char *base, const struct member *m) {
    const bool pointer =
        m && clang_getCanonicalType(clang_getCursorType(m->field[m->fields - 1])).kind == CXType_Pointer;
    struct lexer lx;
    bool other = false;
    int depth = 0;
    for (lexer_init(&lx, s->u->src.text, s->p->name.e, s->p->e); lx.tok.kind != TOKEN_END;) {
        const size_t b = lx.tok.b;
        size_t e = b;
        depth += lexer_is(&lx, '[') - lexer_is(&lx, ']');
        if (!lexer_is_word(&lx, base)) {
            lexer_next(&lx);
            continue;
        }
        const char *text = chain_at(s, &lx, m ? m->text : NULL, &e);
        other |= !strstr(text, "->");
        if (e > b && !(pointer && depth)) /* which may be nothing yet: a section is asked for before the first turn */
            vec_push(&s->edits, (struct edit){b, e, m->name});
    }
    return other;
}

static bool is_named_otherwise(struct prepare *s, const struct member *m) {
    const char *base = ast_name(m->base);
    return prepare_is_named(s, base) && (!m->arrow || visit_clauses(s, base, NULL));
}

static bool begins(struct prepare *s, struct member *m, struct node *n, const member_list *all) {
    struct changes c = {s, m, clang_getCursorType(m->field[m->fields - 1]), function_visit()};
    m->type = declared_type(n);
    m->conditional = m->arrow;
    return m->type && !prepare_is_inside(s, m->base) && !is_named_otherwise(s, m) &&
           !node_changes(s->root, m->base, NULL) && !ast_hides(s->root, m->base) && (m->name = name_of(s, all, m)) &&
           !may_change(&c, s->root);
}

/* The outermost use of a macro that the mention comes out of. */
static bool expand(struct prepare *s, const struct node *n, edit_list *edits) {
    struct unit *u = s->u;
    for (size_t i = 0; i < u->expansions.n; i++) {
        const struct span x = u->expansions.at[i].s;
        if (u->expansions.at[i].outer != i || n->b < x.b || n->b >= x.e || x.b < s->root->b || x.e > s->root_end)
            continue;
        const char *text = normal_expanded(u, x);
        for (size_t k = 0; text && k < edits->n; k++)
            if (edits->at[k].b == x.b)
                return true;
        if (text)
            normal_put(&(struct normal){.u = u, .edits = edits}, x, text);
        return text != NULL;
    }
    return false;
}

/* Once: an argument of a macro may come out of it several times. */
static void add_edit(struct member *m, const struct node *n) {
    for (size_t i = 0; i < m->edits.n; i++)
        if (m->edits.at[i].b == n->b)
            return;
    vec_push(&m->edits, (struct edit){n->b, n->e, m->name});
}

/* Pointers come first: of structures that hold one, numbers are wanted, too. */
static bool is_wanted(struct node *n, const member_list *all, bool numbers, struct member *m) {
    bool with = !numbers;
    if (n->kind != CXCursor_MemberRefExpr || is_pointer(n) == numbers ||
        clang_Cursor_isBitField(clang_getCursorReferenced(n->c)) || !read_chain(n, m))
        return false;
    for (size_t i = 0; i < all->n; i++)
        with |= !all->at[i].bad && clang_equalCursors(all->at[i].base, m->base);
    return with && (!numbers || (m->arrow && is_number(clang_getCursorType(n->c))));
}

static void gather(struct prepare *s, struct node *n, bool numbers, member_list *all, edit_list *expanded) {
    struct member m = {.fields = 0}, *known;
    if (n->kind == CXCursor_UnaryExpr)
        return;
    if (is_wanted(n, all, numbers, &m)) {
        known = member_of(all, &m);
        if (!known) {
            m.bad = !begins(s, &m, n, all);
            m.name = m.name ? m.name : "";
            vec_push(all, m);
            known = &all->at[all->n - 1];
        }
        known->conditional &= is_conditional(s, n);
        const bool written =
            n->e <= s->u->src.size && !expansion_begins(s->u, n) && strcmp(bare(unit_text(s->u, n)), m.text) == 0;
        if (written)
            add_edit(known, n);
        else if (!known->bad)
            known->bad = !expand(s, n, expanded);
        return;
    }
    for (struct node *c = n->first; c; c = c->next)
        gather(s, c, numbers, all, expanded);
}

/* Behind the token before the directive; 0: a line for the preprocessor lies between. */
static size_t place_before(const struct prepare *s) {
    const struct source *src = &s->u->src;
    struct lexer lx;
    size_t at = 0;
    for (lexer_init(&lx, src->text, s->tree->last->b, s->p->b); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (!lexer_is(&lx, '#')) {
            at = lx.tok.e;
            continue;
        }
        const size_t begin = lx.tok.b, word = lexer_skip_blank(src->text, lx.tok.e, s->p->b);
        if (strncmp(src->text + word, "pragma", strlen("pragma")) != 0)
            at = 0;
        const size_t end = scan_directive_end(src, begin);
        lexer_init(&lx, src->text, end < s->p->b ? end : s->p->b, s->p->b);
        if (lx.tok.kind == TOKEN_END)
            break;
        at = lexer_is(&lx, '#') ? at : lx.tok.e;
    }
    return at;
}

struct base {
    CXCursor decl;
    bool early;
    const char *when;
};
typedef VEC(struct base) base_list;

/* May what it leads to be read before the loop, and when? */
static struct base *base_of(struct prepare *s, const struct member *m, base_list *all, struct buf *text) {
    const char *before;
    for (size_t i = 0; i < all->n; i++)
        if (clang_equalCursors(all->at[i].decl, m->base))
            return &all->at[i];
    struct base b = {.decl = m->base};
    b.early = prepare_early(s, m->base, &before, &b.when);
    if (b.early)
        buf_puts(text, before);
    vec_push(all, b);
    return &all->at[all->n - 1];
}

/* false: it is read too early there. */
static bool declare(struct prepare *s, const struct member *m, base_list *bases, struct buf *text) {
    const struct base *b = m->arrow ? base_of(s, m, bases, text) : NULL;
    if (b && !b->early)
        return false;
    buf_printf(text, " %s = ", declaration(m->type, m->name));
    buf_printf(text, b && b->when ? "%s ? %s : 0;" : "%.0s%s;", b && b->when ? b->when : "", m->text);
    return true;
}

bool prepare_members(struct prepare *s) {
    member_list all = {0};
    edit_list expanded = {0};
    base_list bases = {0};
    struct buf text = {0};
    const size_t before = s->edits.n;
    gather(s, s->root, false, &all, &expanded);
    gather(s, s->root, true, &all, &expanded);
    for (size_t i = 0; i < expanded.n; i++)
        vec_push(&s->edits, expanded.at[i]);
    if (all.n && !expanded.n)
        prepare_heads(s); /* they say when the first turn is */
    const size_t at = s->edits.n > before ? 0 : place_before(s);
    for (size_t i = 0; at && i < all.n; i++) {
        const struct member *m = &all.at[i];
        if (m->bad || m->conditional || !declare(s, m, &bases, &text))
            continue;
        for (size_t k = 0; k < m->edits.n; k++)
            vec_push(&s->edits, m->edits.at[k]);
        if (m->arrow)
            visit_clauses(s, ast_name(m->base), m);
    }
    if (text.n) {
        vec_push(&s->edits, (struct edit){at, at, mem_printf(" {%s", text.s)});
        vec_push(&s->edits, (struct edit){s->root_end, s->root_end, " }"});
    }
    return s->edits.n > before;
}
