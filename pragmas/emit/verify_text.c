/* SPDX-License-Identifier: Apache-2.0 */
/* Marks for --verify: the text around directives, iterations and variables. */
#include "analysis/capture.h"
#include "verify.h"

#include <string.h>

static const char *quoted(const char *text) {
    struct buf b = {0};
    buf_puts(&b, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_add(&b, "\\", 1);
        buf_add(&b, text, 1);
    }
    buf_puts(&b, "\"");
    return b.s;
}

int verify_number(void) {
    static int last;
    return ++last;
}

const char *verify_site(const struct verify_site *s, int id) {
    struct buf b = {0};
    /* no member's name: it might be a macro of the user's */
    buf_printf(&b, "static const struct heddle_verify_site heddle_v%d = {%s, %u, %u, HEDDLE_VERIFY_%s, %s, %d, {", id,
               quoted(source_file(&s->u->src, s->p->b)), source_line(&s->u->src, s->p->b),
               source_column(&s->u->src, s->p->b), s->kind, s->flags ? s->flags : "0", s->dims);
    for (int d = 0; d < MAX_LOOPS; d++)
        buf_printf(&b, "%s%s", d ? ", " : "", d < s->dims ? quoted(s->loop[d]->name) : "0");
    buf_printf(&b, "}, %d, {%s}};", s->sinks, s->sinks ? s->sink.s : "{0}");
    return b.s;
}

void verify_replace(struct unit *u, const struct pragma *p, const char *text) {
    struct buf b = {0};
    buf_puts(&b, text);
    for (size_t i = p->b; i < p->e; i++)
        if (u->src.text[i] == '\n')
            buf_puts(&b, "\n");
    vec_push(&u->verify_edits, (struct edit){p->b, p->e, b.s});
}

void verify_insert(struct unit *u, size_t at, const char *text) {
    struct buf b = {0};
    size_t rest = at;
    buf_printf(&b, " %s", text);
    while (rest < u->src.size && (u->src.text[rest] == ' ' || u->src.text[rest] == '\t' || u->src.text[rest] == '\r'))
        rest++;
    if (rest < u->src.size && u->src.text[rest] != '\n')
        worker_resume(u, &b, at);
    vec_push(&u->verify_edits, (struct edit){at, at, b.s});
}

const char *verify_iteration(const struct loop *const *loop, int dims) {
    struct buf b = {0};
    for (int d = 0; d < MAX_LOOPS; d++)
        buf_printf(&b, d < dims ? "%s(long)%s" : "%s0", d ? ", " : "", d < dims ? loop[d]->name : "");
    return mem_printf("heddle_verify_iteration(%s);", b.s);
}

/* What is sent as well counts as such: a device has it before anything is written. */
static const char *section_kind(enum map_kind kind, const char *unsent) {
    static const char *const kinds[] = {
        [MAP_TO] = "TO", [MAP_FROM] = "FROM", [MAP_TOFROM] = "TOFROM", [MAP_ALLOC] = "ALLOC"};
    return unsent && *unsent ? mem_printf("(%s ? HEDDLE_VERIFY_FROM : HEDDLE_VERIFY_TOFROM)", unsent)
                             : mem_printf("HEDDLE_VERIFY_%s", kinds[kind]);
}

const char *verify_section(int k, const char *name, enum map_kind kind, const char *unsent, const char *base,
                           const char *first, const char *count, const char *elem) {
    return mem_printf("heddle_verify_section(%d, %s, %s, %s, (long)(%s), (long)(%s), sizeof(%s));", k, quoted(name),
                      section_kind(kind, unsent), base, first, count, elem);
}

/* ---- variables ---- */

static bool addressed(struct node *n, CXCursor decl) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), decl) &&
        capture_access(n) == ACCESS_ADDRESS)
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (addressed(c, decl))
            return true;
    return false;
}

bool verify_in_memory(struct node *tree, CXCursor decl) {
    const CXType t = clang_getCanonicalType(clang_getCursorType(decl));
    if (clang_getCursorKind(decl) == CXCursor_ParmDecl && ast_is_array(t)) /* a pointer */
        return tree && addressed(tree, decl);
    return ast_is_array(t) || t.kind == CXType_Record || node_is_global(decl) || (tree && addressed(tree, decl));
}

static void shared_in(const struct unit *u, struct node *tree, struct node *n, size_t at, struct buf *out) {
    for (struct node *c = n->first; c; c = c->next) {
        const bool parameter = c->kind == CXCursor_ParmDecl;
        const struct node *scope =
            parameter ? tree : n->up; /* of a declaration: the block or the loop around its statement */
        const bool seen = c->b < at && scope && scope->b <= at && at < scope->e && *ast_name(c->c);
        if ((parameter || (c->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(c->c) == CX_SC_None)) && seen &&
            verify_in_memory(tree, c->c))
            buf_printf(out, " heddle_verify_shared(&%s, sizeof %s);", ast_name(c->c), ast_name(c->c));
        if (!parameter)
            shared_in(u, tree, c, at, out);
    }
}

void verify_shared(const struct unit *u, struct node *tree, size_t at, struct buf *out) {
    shared_in(u, tree, tree, at, out);
}

/* The name itself stands in the text, not a macro that makes the declaration. */
static bool is_written(const struct unit *u, const struct node *statement, const char *name) {
    const size_t n = strlen(name);
    for (size_t at = statement->b; at + n <= statement->e && n; at++)
        if (memcmp(u->src.text + at, name, n) == 0)
            return true;
    return false;
}

/* Declared inside, as the clause says, and without a value. */
static bool is_private(const struct unit *u, const struct pragma *p, const struct node *declared) {
    for (size_t i = 0; i < p->clauses.n; i++) {
        const struct clause *c = &p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_PRIVATE && k < c->items.n; k++)
            if (strcmp(source_flat(&u->src, c->items.at[k].name), ast_name(declared->c)) == 0)
                return clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(declared->c));
    }
    return false;
}

static void own_in(struct unit *u, const struct pragma *p, struct node *body, struct node *n) {
    struct buf b = {0};
    for (struct node *c = n->first; c; c = c->next) {
        const char *name = ast_name(c->c);
        const bool declared = n->kind == CXCursor_DeclStmt && n->up && n->up->kind == CXCursor_CompoundStmt &&
                              c->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(c->c) != CX_SC_Register &&
                              clang_Cursor_getStorageClass(c->c) != CX_SC_Extern && is_written(u, n, name);
        if (declared && is_private(u, p, c))
            buf_printf(&b, "heddle_verify_private(\"%s\", &%s, sizeof %s); ", name, name, name);
        else if (declared && verify_in_memory(body, c->c))
            buf_printf(&b, "heddle_verify_own(&%s, sizeof %s); ", name, name);
        own_in(u, p, body, c);
    }
    if (b.n)
        verify_insert(u, ast_statement_end(u, n, n->b), b.s);
}

void verify_own(struct unit *u, const struct pragma *p, struct node *body) { own_in(u, p, body, body); }

void verify_body(struct unit *u, const struct pragma *p, struct node *body, size_t b, size_t e, const char *before,
                 const char *after) {
    verify_insert(u, b, mem_printf("{ %s do", before));
    verify_own(u, p, body);
    verify_insert(u, e, mem_printf("while (0); %s }", after));
}
