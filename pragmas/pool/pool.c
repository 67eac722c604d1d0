/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma heddle pool` and the directives inside: pairs directives with statements, translates every pool with
 * all that its tasks reach, and complains about directives that no pool reaches. The directives of one file
 * depend on each other, so the first one met translates them all.
 */
#include "front/macros.h"
#include "pool.h"

#include <string.h>

static site_list sites;

bool site_is(const struct site *m, unsigned directive) { return (m->p->directive->bit & directive) != 0; }

struct site *site_of(struct unit *u, const struct node *n) {
    (void)u;
    for (size_t i = 0; i < sites.n; i++)
        if (sites.at[i]->stmt == n)
            return sites.at[i];
    return NULL;
}

struct site *site_of_body(const struct node *n) {
    for (size_t i = 0; i < sites.n; i++)
        if (sites.at[i]->body == n)
            return sites.at[i];
    return NULL;
}

/* Lines for the preprocessor between the directive and its statement: #if, #else. */
bool site_has_branches(const struct unit *u, const struct site *m) {
    const char *text = u->src.text;
    bool begins = false;
    for (size_t i = m->p->e; i < m->stmt->b; i++) {
        if (begins && text[i] == '#')
            return true;
        begins = text[i] == '\n' || (begins && (text[i] == ' ' || text[i] == '\t'));
    }
    return false;
}

const struct clause *site_clause(const struct site *m, enum clause_id id) { return clause_find(m->p, id); }

const char *pool_prefix(const struct pool *p) {
    const char *tag = p->u->tag;
    return mem_printf("heddle_%s%sp%d", tag, *tag ? "_" : "", p->id);
}

/* ---- directives and their statements ---- */

/* The outermost node that begins at an offset, below a statement that begins before it. */
static struct node *statement_at(struct node *n, size_t offset) {
    for (struct node *c = n->first; c; c = c->next) {
        if (c->b == offset &&
            (clang_isStatement(c->kind) || clang_isExpression(c->kind) || c->kind == CXCursor_DeclStmt))
            return c;
        struct node *found = c->b <= offset && offset < c->e ? statement_at(c, offset) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static const struct pragma *pragma_at(const struct unit *u, size_t offset) {
    for (size_t i = 0; i < u->pragmas->n; i++)
        if (u->pragmas->at[i].b == offset)
            return &u->pragmas->at[i];
    return NULL;
}

static bool is_block(const struct node *n) {
    return n->kind == CXCursor_CompoundStmt || n->kind == CXCursor_CaseStmt || n->kind == CXCursor_DefaultStmt;
}

static struct node *block_around(struct node *n, size_t offset) {
    for (struct node *c = n->first; c; c = c->next)
        if (c->b <= offset && offset < c->e)
            return block_around(c, offset);
    return n;
}

static bool check_wait(struct unit *u, struct site *m) {
    struct node *around = block_around(m->f->body, m->p->b);
    struct node *next = statement_at(m->f->body, m->p->next);
    if (is_block(around) && (!next || is_block(next->up)))
        return true;
    diag_error(u, m->p->b, "'taskwait' is a statement and must stand in a block; put it into { }");
    return false;
}

static const char *wanted(const struct site *m) {
    return site_is(m, DIRECTIVE_POOL)   ? "a block { … }"
           : site_is(m, DIRECTIVE_TASK) ? "a call, an assignment or a block { … }"
                                        : "a 'for' loop";
}

static bool right_statement(const struct site *m) {
    enum CXCursorKind kind = m->stmt->kind;
    if (site_is(m, DIRECTIVE_POOL))
        return kind == CXCursor_CompoundStmt || site_of(NULL, m->stmt);
    if (site_is(m, DIRECTIVE_TASK))
        return clang_isExpression(kind) || kind == CXCursor_CompoundStmt || kind == CXCursor_ForStmt ||
               kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt || kind == CXCursor_IfStmt ||
               kind == CXCursor_SwitchStmt;
    return kind == CXCursor_ForStmt;
}

static bool attach(struct unit *u, struct site *m) {
    m->f = function_around(u, m->p->b);
    if (!m->f) {
        diag_error(u, m->p->b, "'#pragma heddle %s' outside a function; put it before the statement it belongs to",
                   m->p->directive->name);
        return false;
    }
    if (site_is(m, DIRECTIVE_TASKWAIT))
        return check_wait(u, m);
    size_t next = m->p->next;
    for (const struct pragma *p = pragma_at(u, next); p && site_is(m, DIRECTIVE_POOL); p = pragma_at(u, next))
        next = p->next; /* pool directly before taskloop or task */
    m->stmt = statement_at(m->f->body, next);
    if (!m->stmt || !right_statement(m)) {
        diag_error(u, next < u->src.size ? next : m->p->b, "expected %s after '#pragma heddle %s'", wanted(m),
                   m->p->directive->name);
        return false;
    }
    if (expansion_begins(u, m->stmt)) {
        diag_error(u, m->stmt->b, "the statement comes out of a macro; write it out");
        return false;
    }
    m->end = ast_statement_end(u, m->stmt, m->stmt->b);
    return true;
}

static bool collect_sites(struct unit *u) {
    bool ok = true;
    sites.n = 0;
    sites.at = NULL;
    sites.cap = 0;
    /* Backwards: a pool before a taskloop shares its statement, and the taskloop's site must win. */
    for (size_t i = u->pragmas->n; i-- > 0;) {
        const struct pragma *p = &u->pragmas->at[i];
        if (!(p->directive->bit & DIRECTIVES_OF_POOLS))
            continue;
        struct site *m = mem_alloc(sizeof *m);
        m->p = p;
        if (attach(u, m)) {
            vec_push(&sites, m);
            vec_push(&m->f->sites, m);
        } else {
            ok = false;
        }
    }
    return ok;
}

/* ---- pools ---- */

/* For devices, or on the host by the same engine. */
static bool translate_tasks(struct pool *p, pool_emit *emit) {
    const unsigned before =
        p->u->errors; /* elsewhere in the file: nothing is written then, but this pool is looked at */
    if (!pool_infer(p) || !pool_host(p))
        return false;
    /* Tasks make tasks and call functions, which are found while the text is rewritten. */
    bool ok = true;
    for (size_t k = 0, c = 0; k < p->task_types.n || c < p->copies.n;) {
        struct region *r = k < p->task_types.n ? &p->task_types.at[k++]->r : &p->copies.at[c++]->r;
        ok &= !r->bad && worker_edits(r);
    }
    ok = ok && (p->host || pool_check_block(p, p->m->stmt));
    p->wrong |= ok && (!taskloops_check_between(p) || !pool_check_worker(p));
    ok &= !p->wrong;
    if (!ok || p->u->errors != before)
        return false;
    if (before)
        return true;
    pool_share_calls(p);
    emit(p);
    return !p->u->errors;
}

/* Nothing of the attempt is left. */
static void forget(struct pool *p, size_t edits) {
    p->u->edits.n = edits;
    for (size_t i = 0; i < p->copies.n; i++)
        p->copies.at[i]->f->copied = false;
}

/* By the same engine, for which nobody asks what its tasks use. */
static bool translate_for_host(struct unit *u, struct site *m, int id, pool_emit *emit) {
    struct pool *p = mem_alloc(sizeof *p);
    struct diag_held held;
    const size_t edits = u->edits.n;
    *p = (struct pool){.u = u, .m = m, .id = id, .host = true};
    diag_hold(u, &held);
    const bool done = env_collect(p) && translate_tasks(p, emit);
    diag_release(u, &held, done);
    if (!done)
        forget(p, edits);
    return done;
}

/* Once; of arrays all. */
static void say_host(const struct pool *p, const struct diag_held *held) {
    for (size_t i = 0; !p->host && i < held->kept.n && (i == 0 || p->unmapped); i++)
        diag_note_kept(p->u, &held->kept.at[i], i ? "" : "this pool stays on the host: ");
}

static bool translate_pool(struct unit *u, struct site *m, int id, pool_emit *emit, pool_emit *team) {
    const struct clause *device = site_clause(m, CLAUSE_DEVICE);
    const bool named = device && !strcmp(source_flat(&u->src, device->arg[0]), "host");
    struct pool *p = mem_alloc(sizeof *p), *q = mem_alloc(sizeof *q);
    *p = *q = (struct pool){.u = u, .m = m, .id = id, .host = named || u->host};
    m->used = true;
    if (!env_collect(p))
        return false;
    const size_t edits = u->edits.n;
    struct diag_held held;
    diag_hold(u, &held);
    const bool done = translate_tasks(p, emit);
    /* who names a device is told why it cannot be */
    if (done || (device && !named) || p->wrong) {
        diag_release(u, &held, true);
        return done;
    }
    diag_release(u, &held, false);
    forget(p, edits);
    if (!p->unmapped || !translate_for_host(u, m, id, emit)) {
        if (!env_collect(q) || !pool_team(q))
            return false;
        team(q);
    }
    say_host(p, &held);
    return true;
}

static const char *where(const struct site *m) {
    return site_is(m, DIRECTIVE_LANES)
               ? "no task reaches this loop; put '#pragma heddle lanes' into a task or a function that a task calls"
               : "no pool reaches this directive; put it into the block of a '#pragma heddle pool', or into a "
                 "function that a task of a pool in this file calls";
}

/* Directive lines of serial forms go, or become OpenMP's; their line breaks stay. */
static void replace_line(struct unit *u, const struct site *m) {
    const struct pragma *p = m->p;
    struct buf lines = {0};
    buf_add(&lines, "", 0);
    if (m->text && site_is(m, DIRECTIVE_TASKLOOP))
        buf_puts(&lines,
                 "_Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored \\\"-Wsign-compare\\\"\") ");
    if (m->text)
        buf_printf(&lines, "_Pragma(\"omp %s\")", m->text);
    for (size_t i = p->b; i < p->e; i++)
        if (u->src.text[i] == '\n')
            buf_puts(&lines, "\n");
    vec_push(&u->edits, (struct edit){p->b, p->e, lines.s ? lines.s : ""});
}

static bool translate_all(struct unit *u, pool_emit *emit, pool_emit *team) {
    if (!collect_sites(u))
        return false;
    functions_analyse(u);
    if (!u->verify) /* that reads the directives that stand there */
        pool_make_waits(u, &sites);
    int id = 0;
    bool ok = true;
    for (size_t i = sites.n; i-- > 0;)
        if (site_is(sites.at[i], DIRECTIVE_POOL))
            ok &= translate_pool(u, sites.at[i], ++id, emit, team);
    for (size_t i = sites.n; ok && !u->errors && i-- > 0;) {
        struct site *m = sites.at[i];
        if (!m->used && !m->made) {
            diag_error(u, m->p->b, "%s", where(m));
            ok = false;
        }
    }
    for (size_t i = 0; ok && i < sites.n; i++)
        if (!site_is(sites.at[i], DIRECTIVE_POOL) && !sites.at[i]->made)
            replace_line(u, sites.at[i]);
    return ok;
}

bool pools_translate(struct unit *u, pool_emit *emit, pool_emit *team) {
    if (u->pools_done)
        return true;
    u->pools_done = true;
    return !u->unread && translate_all(u, emit, team); /* what an unread directive would have said is not missing */
}
