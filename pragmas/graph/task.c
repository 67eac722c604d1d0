/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task construct: which variables its statement takes from outside, how each of them gets there by OpenMP's rules for
 * data sharing, and what the task accesses: its depend items, and of a target region its maps.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "graph.h"

#include <string.h>

static struct unit *unit_of(const struct graph_task *t) { return t->g->u; }

static struct graph_capture *capture_of(struct graph_task *t, const struct var *v) {
    for (size_t i = 0; i < t->w.vars.n; i++)
        if (t->w.vars.at[i] == v)
            return &t->captures.at[i];
    return NULL;
}

static struct var *named(const struct graph_task *t, const char *name) {
    for (size_t i = 2; i < t->w.vars.n; i++)
        if (strcmp(t->w.vars.at[i]->name, name) == 0)
            return t->w.vars.at[i];
    return NULL;
}

/* ---- clauses ----------------------------------------------------------------------------------------------------- */
static bool is_any(const struct unit *u, const struct omp_clause *c, const char *const *names) {
    for (; *names; names++)
        if (omp_clause_is(u, c, *names))
            return true;
    return false;
}

/* What would change what the task is, or is about one device. */
static bool check_clauses(const struct graph_task *t) {
    static const char *const refused[] = {
        "if",           "is_device_ptr", "has_device_addr", "use_device_ptr", "detach",
        "in_reduction", "defaultmap",    "uses_allocators", "allocate",       NULL};
    const struct unit *u = unit_of(t);
    bool nowait = !t->target, ok = true;
    for (size_t i = 0; i < t->d->clauses.n; i++) {
        const struct omp_clause *c = &t->d->clauses.at[i];
        nowait |= omp_clause_is(u, c, "nowait");
        if (!is_any(u, c, refused))
            continue;
        diag_error(t->g->u, c->name.b, "'%s' on a task of a graph, which heddle places itself; %s",
                   source_flat(&u->src, c->name),
                   omp_clause_is(u, c, "if") ? "write an if statement around it" : "remove it");
        ok = false;
    }
    if (!nowait) {
        diag_error(t->g->u, t->d->b, "a target region of a graph is a task; add 'nowait'");
        ok = false;
    }
    return ok;
}

static bool is_listed(const struct graph_task *t, const struct var *v, const char *clause) {
    for (size_t i = 0; i < t->d->clauses.n; i++)
        if (omp_clause_is(unit_of(t), &t->d->clauses.at[i], clause) &&
            omp_lists(unit_of(t), &t->d->clauses.at[i], v->name))
            return true;
    return false;
}

static bool default_is(const struct graph_task *t, const struct omp *d, const char *word) {
    const struct omp_clause *c = omp_clause_find(unit_of(t), d, "default");
    return c && strcmp(source_flat(&unit_of(t)->src, c->args), word) == 0;
}

/* ---- what the statement does through a pointer or array ---------------------------------------------------------- */
static bool is_cast(const struct node *n) {
    return n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr || n->kind == CXCursor_CStyleCastExpr;
}

/* ACCESS_*; ADDRESS: it goes somewhere, and nobody knows what is done with it. */
static unsigned through(struct node *n) {
    for (;;) {
        struct node *up = n->up;
        for (; up && is_cast(up); up = up->up)
            n = up;
        if (!up)
            return ACCESS_ADDRESS;
        if ((up->kind == CXCursor_ArraySubscriptExpr && up->first == n) || ast_unary(up) == CXUnaryOperator_Deref ||
            up->kind == CXCursor_MemberRefExpr) {
            const unsigned access = capture_access(up);
            return access & ACCESS_ADDRESS && refs_only_shown(up) ? ACCESS_READ : access;
        }
        if (up->kind == CXCursor_ArraySubscriptExpr || up->kind == CXCursor_UnaryExpr)
            return ACCESS_READ;
        const enum CXBinaryOperatorKind op = ast_binary(up);
        if (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) {
            n = up;
            continue;
        }
        if (op != CXBinaryOperator_Invalid && !ast_is_assignment(up) && op != CXBinaryOperator_Comma)
            return ACCESS_READ;
        return up->kind == CXCursor_CallExpr && function_takes_const(up, n) ? ACCESS_READ : ACCESS_ADDRESS;
    }
}

bool task_writes(const struct graph_task *t, const struct var *v, bool *surely) {
    bool may = false;
    *surely = false;
    for (size_t i = 0; i < t->w.uses.n; i++) {
        if (t->w.uses.at[i].v != v)
            continue;
        struct node *n = t->w.uses.at[i].n;
        const unsigned access = v->kind == VAR_SCALAR ? capture_access(n) : through(n);
        may |= (access & (ACCESS_WRITE | ACCESS_ADDRESS)) != 0;
        *surely |= (access & ACCESS_WRITE) != 0;
    }
    return may;
}

/* Is anything of what it points to touched? */
static bool reaches(const struct graph_task *t, const struct var *v) {
    for (size_t i = 0; i < t->w.uses.n; i++) {
        struct node *n = t->w.uses.at[i].n, *up;
        if (t->w.uses.at[i].v != v)
            continue;
        for (up = n->up; up && is_cast(up); up = up->up)
            ;
        if (!up || ast_binary(up) == CXBinaryOperator_Invalid || ast_is_assignment(up) ||
            ast_binary(up) == CXBinaryOperator_Add || ast_binary(up) == CXBinaryOperator_Sub)
            return true;
    }
    return false;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */
static bool capture_name(const char *name, size_t n, void *data) {
    struct graph_task *t = data;
    struct node *found = names_local(t->g->tree, name, n, t->d->b);
    if (!found || found->kind == CXCursor_EnumConstantDecl || capture_lookup(&t->w, found->c) ||
        capture_is_inside(&t->w, found->c))
        return false;
    struct var *v = capture_var(&t->w, found->c);
    v->use = t->d->b;
    vec_push(&t->w.vars, v);
    return false;
}

/* Of a target region: num_teams(n), reduction(+ : s). */
static void capture_clauses(struct graph_task *t) {
    static const char *const own[] = {"depend", "map", "nowait", "device", "priority", "affinity", NULL};
    struct unit *u = unit_of(t);
    for (size_t i = 0; i < t->d->clauses.n; i++)
        if (t->d->clauses.at[i].has_args && !is_any(u, &t->d->clauses.at[i], own))
            macros_each_name(u, u->src.text, t->d->clauses.at[i].args, 0, capture_name, t);
}

struct wanted {
    const char *name;
    bool found;
};
static bool is_wanted(const char *name, size_t n, void *data) {
    struct wanted *w = data;
    w->found |= strlen(w->name) == n && memcmp(w->name, name, n) == 0;
    return false;
}

/* num_teams(n), reduction(+ : s), here or inside: there it cannot stand for what is behind a pointer. */
static bool is_in_clauses(const struct graph_task *t, const struct var *v) {
    static const char *const own[] = {"depend", "map", NULL};
    struct unit *u = unit_of(t);
    struct wanted w = {v->name, false};
    for (size_t i = 0; i < t->g->directives.n; i++) {
        const struct omp *d = &t->g->directives.at[i];
        for (size_t k = 0; d->b >= t->d->b && d->b < t->end && k < d->clauses.n; k++)
            if (d->clauses.at[k].has_args && !(d == t->d && is_any(u, &d->clauses.at[k], own)))
                macros_each_name(u, u->src.text, d->clauses.at[k].args, 0, is_wanted, &w);
    }
    return w.found;
}

static bool is_of_file(const struct var *v) {
    const enum CXCursorKind around = clang_getCursorKind(clang_getCursorSemanticParent(v->decl));
    return around != CXCursor_FunctionDecl;
}

static bool is_static(const struct var *v) {
    return clang_getCursorKind(v->decl) == CXCursor_VarDecl && clang_Cursor_getStorageClass(v->decl) == CX_SC_Static;
}

/* Its own copy, by what the task says. */
static bool is_own(const struct graph_task *t, const struct var *v) {
    return is_listed(t, v, "firstprivate") || is_listed(t, v, "private") || default_is(t, t->d, "firstprivate");
}

/* By the rules for tasks: what the program's threads share, the task shares with them. */
static bool is_shared(const struct graph_task *t, const struct var *v) {
    if (is_listed(t, v, "shared"))
        return true;
    if (is_own(t, v))
        return false;
    return is_static(v) || default_is(t, t->d, "shared") || graph_team_shares(t->g, t->d->b, v);
}

static bool sets(struct node *n, CXCursor var) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var) &&
        capture_access(n) & ACCESS_WRITE)
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (sets(c, var))
            return true;
    return false;
}

/* A macro names it, so that its text cannot be changed, and a copy is as good: nobody sets it in the graph. */
static bool goes_as_copy(const struct graph_task *t, const struct var *v) {
    bool macro = false;
    for (size_t i = 0; i < t->w.uses.n; i++)
        macro |= t->w.uses.at[i].v == v && !refs_is_whole_text(unit_of(t), t->w.uses.at[i].n, v->name);
    return macro && !is_static(v) && !sets(t->g->root, v->decl) && !capture_is_shown(t->g->tree, v->decl);
}

static void of_host_task(struct graph_task *t, const struct var *v, struct graph_capture *c) {
    if (is_of_file(v) && (!is_own(t, v) || is_listed(t, v, "shared")))
        c->form = FORM_NONE;
    else if (is_shared(t, v) && !goes_as_copy(t, v))
        c->form = v->kind == VAR_ARRAY ? FORM_POINTER : FORM_ADDRESS;
    else
        c->form = v->kind == VAR_ARRAY ? FORM_ARRAY : v->kind == VAR_POINTER ? FORM_POINTER : FORM_COPY;
}

static void of_target(struct graph_task *t, const struct var *v, struct graph_capture *c) {
    if (is_of_file(v) && node_is_table(v->decl))
        c->form = FORM_NONE;
    else if (v->kind == VAR_ARRAY && (is_listed(t, v, "firstprivate") || is_listed(t, v, "private")))
        c->form = FORM_ARRAY;
    else
        c->form = v->kind == VAR_SCALAR ? FORM_COPY : FORM_POINTER; /* unless it is mapped */
}

static void classify(struct graph_task *t) {
    for (size_t i = 0; i < t->w.vars.n; i++) {
        struct graph_capture c = {FORM_NONE, false, false, false};
        if (i >= 2)
            (t->target ? of_target : of_host_task)(t, t->w.vars.at[i], &c);
        vec_push(&t->captures, c);
    }
}

/* ---- items ------------------------------------------------------------------------------------------------------- */
static bool is_word(const struct unit *u, struct span s, const char *word) {
    return strlen(word) == s.e - s.b && memcmp(u->src.text + s.b, word, strlen(word)) == 0;
}

static bool add_depend(struct graph_task *t, const struct omp_clause *c) {
    static const char *const kinds[] = {"in", "out", "inout", "mutexinoutset", "inoutset", NULL};
    struct unit *u = unit_of(t);
    struct span list = c->args, item;
    const struct span kind = omp_modifier(u, &list);
    int k = 0;
    while (kinds[k] && !is_word(u, kind, kinds[k]))
        k++;
    if (!kinds[k]) {
        diag_error(t->g->u, c->args.b,
                   "expected a kind of dependence: in, out, inout, mutexinoutset or inoutset; iterators and depobj "
                   "are not read here: write the items out");
        return false;
    }
    while (omp_next(u, &list, &item)) {
        struct graph_item i;
        if (!item_read(u, item, &i))
            return false;
        i.flags = k ? ITEM_READ | ITEM_WRITE : ITEM_READ;
        if (!t->target && !is_word(u, item, "omp_all_memory"))
            i.flags |= ITEM_DATA;
        vec_push(&t->items, i);
    }
    return true;
}

/* Flags of what the region does with a mapped variable; 0 after an error. */
static int mapped_flags(struct graph_task *t, const struct var *v, const char *kind, size_t at) {
    bool surely;
    const bool writes = task_writes(t, v, &surely);
    if (strcmp(kind, "to") == 0 && surely) {
        diag_error(t->g->u, at, "'%s' is written, but map(to) does not bring it back; use map(tofrom: …)", v->name);
        return 0;
    }
    return ITEM_DATA | ITEM_READ | (writes ? ITEM_WRITE : 0);
}

static const char *map_kind(struct graph_task *t, const struct omp_clause *c, struct span *list) {
    static const char *const kinds[] = {"to", "from", "tofrom", "alloc", "storage", NULL};
    struct unit *u = unit_of(t);
    struct span before = omp_modifier(u, list), word;
    const char *kind = "tofrom";
    while (before.e > before.b && omp_next(u, &before, &word)) {
        int k = 0;
        while (kinds[k] && !is_word(u, word, kinds[k]))
            k++;
        if (kinds[k])
            kind = kinds[k];
        else if (!is_word(u, word, "always") && !is_word(u, word, "close") && !is_word(u, word, "present")) {
            diag_error(t->g->u, c->args.b, "expected map(to|from|tofrom|alloc: …)");
            return NULL;
        }
    }
    return kind;
}

static bool add_mapped(struct graph_task *t, struct span text, const char *kind) {
    struct unit *u = unit_of(t);
    struct graph_item i;
    if (!item_read(u, text, &i))
        return false;
    struct var *v = named(t, i.name);
    if (!v)
        return true; /* the region does not use it */
    struct graph_capture *c = capture_of(t, v);
    const size_t length = strlen(v->name);
    const bool plain = i.whole || (i.section && strncmp(u->src.text + text.b, v->name, length) == 0 &&
                                   u->src.text[lexer_skip_blank(u->src.text, text.b + length, text.e)] == '[');
    if (!plain) {
        diag_error(t->g->u, text.b, "'%s' is mapped through '%s'; point a variable at it before the task, and map that",
                   source_flat(&u->src, text), v->name);
        return false;
    }
    if (i.whole && v->kind == VAR_POINTER) {
        diag_error(t->g->u, text.b, "'%s' is a pointer, so its size is not known; write %s[first : count]", v->name,
                   v->name);
        return false;
    }
    i.flags = mapped_flags(t, v, kind, text.b);
    if (v->kind == VAR_SCALAR) {
        c->form = FORM_ADDRESS;
        c->here = is_in_clauses(t, v);
        c->mapped = !c->here;
        c->written = (i.flags & ITEM_WRITE) != 0;
        i.flags |= c->here && i.flags ? ITEM_HERE : 0;
        i.slot = v;
    } else {
        c->mapped = true;
        i.slot = v;
    }
    vec_push(&t->items, i);
    return i.flags != 0;
}

static bool add_map(struct graph_task *t, const struct omp_clause *c) {
    struct span list = c->args, item;
    const char *kind = map_kind(t, c, &list);
    bool ok = kind != NULL;
    while (ok && omp_next(unit_of(t), &list, &item))
        ok = add_mapped(t, item, kind);
    return ok;
}

/* ---- of a target region: what no map clause names ---------------------------------------------------------------- */
static struct graph_item whole(const struct var *v) {
    return (struct graph_item){
        .name = v->name, .begin = mem_printf("&%s", v->name), .bytes = mem_printf("sizeof %s", v->name), .whole = true};
}

/* Sections of depend items stand for a map: the program maps it around the graph. */
static bool by_depend(struct graph_task *t, struct var *v) {
    bool any = false;
    for (size_t i = 0; i < t->items.n; i++) {
        struct graph_item *item = &t->items.at[i];
        if (strcmp(item->name, v->name) != 0 || !item->section)
            continue;
        item->flags |= ITEM_DATA;
        item->slot = v;
        any = true;
    }
    return any;
}

static bool infer(struct graph_task *t, struct var *v, struct graph_capture *c) {
    bool surely;
    const bool writes = task_writes(t, v, &surely);
    if (c->form == FORM_COPY && (is_listed(t, v, "reduction") || is_listed(t, v, "lastprivate"))) {
        struct graph_item i = whole(v);
        i.flags = ITEM_DATA | ITEM_READ | ITEM_WRITE | ITEM_HERE;
        i.slot = v;
        *c = (struct graph_capture){FORM_ADDRESS, false, true, true};
        vec_push(&t->items, i);
        return true;
    }
    if (c->form != FORM_POINTER || c->mapped || is_listed(t, v, "firstprivate"))
        return true;
    if (v->kind == VAR_ARRAY) { /* as OpenMP has it: all of it, both ways */
        struct graph_item i = whole(v);
        i.flags = ITEM_DATA | ITEM_READ | (writes ? ITEM_WRITE : 0);
        i.slot = v;
        c->mapped = true;
        vec_push(&t->items, i);
        return true;
    }
    if (by_depend(t, v)) {
        c->mapped = true;
        return true;
    }
    if (!reaches(t, v))
        return true;
    diag_error(t->g->u, v->use,
               "'%s' is a pointer that this target region does not map; add map(%s: %s[first : count])", v->name,
               writes ? "tofrom" : "to", v->name);
    return false;
}

/* Pointers in structures and arrays are the host's. */
static bool check_held(const struct graph_task *t, const struct var *v, const struct graph_capture *c) {
    const CXType elem = clang_getCanonicalType(v->elem_type);
    const bool inside = c->mapped || c->form == FORM_ARRAY || elem.kind == CXType_Record;
    if (!inside || !type_holds_pointer(elem) || (v->kind == VAR_POINTER && !c->mapped))
        return true;
    diag_error(t->g->u, v->use,
               "'%s' holds pointers, and what they point to cannot be mapped; point a variable at it before the task",
               v->name);
    return false;
}

static bool add_items(struct graph_task *t) {
    const struct unit *u = unit_of(t);
    bool ok = true;
    for (size_t i = 0; i < t->d->clauses.n; i++) {
        const struct omp_clause *c = &t->d->clauses.at[i];
        if (omp_clause_is(u, c, "depend"))
            ok &= add_depend(t, c);
        else if (t->target && omp_clause_is(u, c, "map"))
            ok &= add_map(t, c);
    }
    for (size_t i = 2; ok && t->target && i < t->w.vars.n; i++) {
        ok &= infer(t, t->w.vars.at[i], &t->captures.at[i]);
        ok &= t->captures.at[i].form == FORM_NONE || check_held(t, t->w.vars.at[i], &t->captures.at[i]);
    }
    return ok;
}

bool task_analyse(struct graph_task *t) {
    struct var *none = mem_alloc(sizeof *none);
    none->name = "";
    none->kind = VAR_LOOP;
    none->decl = clang_getNullCursor();
    vec_push(&t->w.vars, none); /* the places of a nest's loop variables */
    vec_push(&t->w.vars, none);
    if (!check_clauses(t) || !capture_body(&t->w) || !nest_check_macros(&t->w))
        return false;
    if (t->target)
        capture_clauses(t);
    classify(t);
    if (!add_items(t))
        return false;
    if (t->target)
        return true;
    task_find_open(t);
    return task_check_number(t);
}
