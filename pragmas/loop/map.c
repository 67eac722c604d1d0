/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map clauses of a `for` loop. A section that names heddle_lo or heddle_count belongs to a chunk, travels with it
 * and may come back; every other one is needed by all chunks, is copied once and never comes back. Arrays that are only
 * read and whose size is known are mapped without being asked for.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "analysis/map.h"
#include "reach.h"
#include "analysis/assigned.h"

#include <string.h>

static const char *flat(const struct for_loop *f, struct span s) { return source_flat(&f->w.u->src, s); }

static bool names_chunk(const struct for_loop *f, struct span s) {
    return macros_name(f->w.u, s, "heddle_lo") || macros_name(f->w.u, s, "heddle_count");
}

/* ---- structures: map(to: scene.triangles[0 : n]) ---- */

struct field_search {
    const char *name;
    size_t n;
    CXCursor found;
    bool ok;
};

static enum CXVisitorResult field_visit(CXCursor field, CXClientData data) {
    struct field_search *s = data;
    const char *name = ast_name(field);
    if (strlen(name) != s->n || memcmp(name, s->name, s->n) != 0)
        return CXVisit_Continue;
    s->found = field;
    s->ok = true;
    return CXVisit_Break;
}

/* The type of the member ".x.y" of a structure; an invalid one after an error. */
static CXType member_type(struct for_loop *f, const struct var *v, const struct item *item) {
    CXType t = v->elem_type;
    struct lexer lx;
    for (lexer_init(&lx, f->w.u->src.text, item->member.b, item->member.e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (lexer_is(&lx, '.'))
            continue;
        struct field_search s = {f->w.u->src.text + lx.tok.b, lx.tok.e - lx.tok.b, clang_getNullCursor(), false};
        t = clang_getCanonicalType(t);
        if (t.kind == CXType_Record)
            clang_Type_visitFields(t, field_visit, &s);
        if (!s.ok) {
            diag_error(f->w.u, lx.tok.b, "no member '%.*s' in '%s'", (int)s.n, s.name, ast_spelling(t));
            return (CXType){.kind = CXType_Invalid};
        }
        t = clang_getCursorType(s.found);
    }
    return t;
}

static bool add_member(struct for_loop *f, const struct clause *c, const struct item *item, struct var *v) {
    struct unit *u = f->w.u;
    CXType t = clang_getCanonicalType(member_type(f, v, item));
    if (t.kind == CXType_Invalid)
        return false;
    const char *member = flat(f, item->member);
    CXType elem = clang_getPointeeType(t);
    if (t.kind != CXType_Pointer || clang_getCanonicalType(elem).kind == CXType_Pointer ||
        clang_getCanonicalType(elem).kind == CXType_Void) {
        diag_error(u, item->member.b, "'%s%s' is not a pointer to data; only such members are mapped on their own",
                   v->name, member);
        return false;
    }
    if (item->nsections != 1 || item->section[0].count.e == item->section[0].count.b) {
        diag_error(u, item->name.b, "'%s%s' is a pointer, so its size is not known; write %s%s[first : count]", v->name,
                   member, v->name, member);
        return false;
    }
    const struct section *s = &item->section[0];
    vec_push(&f->maps, (struct for_map){.v = v,
                                        .item = item,
                                        .kind = (enum map_kind)c->kind,
                                        .member = member,
                                        .elem = ast_spelling(elem),
                                        .first = s->first.e > s->first.b ? affine_span(f->w.u, s->first) : "0",
                                        .count = affine_span(f->w.u, s->count),
                                        .chunked = names_chunk(f, s->first) || names_chunk(f, s->count)});
    return true;
}

/* ---- arrays ---- */

static bool map_twice(struct for_loop *f, const struct item *item, const struct var *v, const char *member) {
    for (size_t i = 0; i < f->maps.n; i++)
        if (f->maps.at[i].v == v && strcmp(f->maps.at[i].member, member) == 0) {
            diag_error(f->w.u, item->name.b, "'%s%s' is mapped twice; name it once", v->name, member);
            return true;
        }
    return false;
}

static bool add_array(struct for_loop *f, const struct clause *c, const struct item *item, struct var *v) {
    struct nest *w = &f->w;
    bool chunked = false;
    for (int d = 0; d < item->nsections; d++) {
        const struct section *s = &item->section[d];
        const bool here = names_chunk(f, s->first) || names_chunk(f, s->count);
        if (here && d > 0) {
            diag_error(w->u, s->first.e > s->first.b ? s->first.b : s->count.b,
                       "heddle_lo and heddle_count select rows: they belong into the first dimension");
            return false;
        }
        chunked |= here;
    }
    if (chunked && item->section[0].count.e == item->section[0].count.b) {
        diag_error(w->u, item->name.b, "a section that moves with the chunk needs a length; write %s[first : count]",
                   v->name);
        return false;
    }
    v->map_item = item;
    v->map_kind = (enum map_kind)c->kind;
    if (item->nsections) {
        if (!map_section(w, v, item))
            return false;
    } else if (v->sized) {
        map_whole(v);
    } else {
        diag_error(w->u, item->name.b, "'%s' is a pointer, so its size is not known; write %s[first : count]", v->name,
                   v->name);
        return false;
    }
    vec_push(&f->maps, (struct for_map){.v = v,
                                        .item = item,
                                        .kind = v->map_kind,
                                        .member = "",
                                        .first = v->map_first,
                                        .count = v->map_count,
                                        .chunked = chunked});
    return true;
}

static bool add_item(struct for_loop *f, const struct clause *c, const struct item *item) {
    struct nest *w = &f->w;
    struct var *v = capture_named(w, item->name);
    const char *name = flat(f, item->name), *member = item->member.e > item->member.b ? flat(f, item->member) : "";
    if (!v || v->kind == VAR_LOOP) {
        diag_error(w->u, item->name.b, "'map' of '%s', which the loop does not use; remove it", name);
        return false;
    }
    if (map_twice(f, item, v, member))
        return false;
    if (v->joined) {
        diag_error(w->u, item->name.b, "'%s' is reduced, which says all of it; remove it from 'map'", name);
        return false;
    }
    if (v->kind == VAR_SCALAR && *member)
        return add_member(f, c, item, v);
    if (*member) {
        diag_error(w->u, item->member.b,
                   strncmp(member, "->", 2) == 0
                       ? "'%s%s' may be changed by the loop, or is read under a condition alone; copy it to a variable "
                         "before the loop, use that, and map it"
                       : "'%s' is not a structure; only pointers in structures are mapped by member",
                   name, member);
        return false;
    }
    if (v->kind == VAR_SCALAR) {
        if (c->kind == MAP_TO && !item->nsections)
            return true; /* copied anyway */
        diag_error(w->u, item->name.b,
                   "'%s' is not an array; scalars are copied to every device, and come back through reduction()",
                   v->name);
        return false;
    }
    return add_array(f, c, item, v);
}

/* ---- what nobody mapped ---- */

static bool is_mapped(const struct for_loop *f, const struct var *v) {
    for (size_t i = 0; i < f->maps.n; i++)
        if (f->maps.at[i].v == v)
            return true;
    return false;
}

/* Each thread has a copy: what is left to say is where the array lies, which no other may. */
static void map_joined(struct for_loop *f, struct var *v) {
    vec_push(
        &f->maps,
        (struct for_map){
            .v = v, .kind = MAP_TOFROM, .member = "", .first = v->map_first, .count = v->map_count, .written = true});
}

/* A pointer that the loop loads, or what a called function knows of file scope. */
static bool leads_elsewhere(struct for_loop *f, struct node *n) {
    struct function *g = n->kind == CXCursor_CallExpr ? function_called(f->w.u, n) : NULL;
    const bool loads = n->kind == CXCursor_MemberRefExpr || n->kind == CXCursor_ArraySubscriptExpr ||
                       ast_unary(n) == CXUnaryOperator_Deref;
    if (loads && ast_type(n).kind == CXType_Pointer)
        return true;
    if (g) {
        functions_analyse(f->w.u);
        if (g->uses_globals || leads_elsewhere(f, g->body))
            return true;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (leads_elsewhere(f, c))
            return true;
    return false;
}

/* No other array is there that it could overlap, one of the two being written. */
static bool is_alone(struct for_loop *f, struct var *v) {
    const bool written = for_may_write(f, v);
    if (for_only_reads(f))
        return true;
    for (size_t i = 2; i < f->w.vars.n; i++) {
        struct var *other = f->w.vars.at[i];
        const bool memory = other->kind == VAR_POINTER || other->kind == VAR_ARRAY ||
                            type_holds_pointer(clang_getCursorType(other->decl));
        if (other != v && memory && (written || other->joined || for_may_write(f, other)) &&
            !nest_are_blocks(&f->w, v, other))
            return false;
    }
    return !f->hidden.n && !f->hidden_text.n && !leads_elsewhere(f, f->w.body);
}

/* Nothing travels; what is looked at is whether arrays overlap. False: where the array ends is not known, it is not the
 * only one, and neither `independent` nor the language's `restrict` says that it overlaps none that is written. */
static bool map_host(struct for_loop *f, struct var *v) {
    const bool written = for_may_write(f, v);
    if (!v->sized && (nest_clause(&f->w, CLAUSE_INDEPENDENT) ||
                      clang_isRestrictQualifiedType(clang_getCursorType(v->decl)) || is_alone(f, v)))
        return true;
    if (v->sized)
        map_whole(v);
    else if (!for_reach(f, v))
        return false;
    vec_push(&f->maps, (struct for_map){.v = v,
                                        .kind = written ? MAP_TOFROM : MAP_TO,
                                        .member = "",
                                        .first = v->sized ? v->map_first : "0",
                                        .count = v->sized ? v->map_count : "0",
                                        .reached = !v->sized,
                                        .written = written});
    return true;
}

static bool infer(struct for_loop *f, struct var *v) {
    if (v->joined) {
        map_joined(f, v);
        return true;
    }
    if (f->host_driven && !f->targets.n) /* the function that is called knows what to do with the host's address */
        return true;
    if (!for_may_write(f, v) && (v->sized || map_one_structure(&f->w, v))) {
        if (v->sized)
            map_whole(v);
        v->map_kind = MAP_TO;
        vec_push(&f->maps,
                 (struct for_map){.v = v, .kind = MAP_TO, .member = "", .first = v->map_first, .count = v->map_count});
        return true;
    }
    struct for_map m = {.v = v, .member = ""};
    if (f->jobs || f->host_driven)
        return false;
    if (!for_infer(f, v, &m))
        return f->host && map_host(f, v);
    v->map_kind = m.kind;
    vec_push(&f->maps, m);
    return true;
}

typedef VEC(struct var *) unknown_list;

/* What nothing maps. */
static unknown_list infer_rest(struct for_loop *f) {
    unknown_list unknown = {NULL, 0, 0};
    for (size_t i = 2; i < f->w.vars.n; i++) {
        struct var *v = f->w.vars.at[i];
        if ((v->kind == VAR_POINTER || v->kind == VAR_ARRAY) && !is_mapped(f, v) && !(f->host && v->rows_apart) &&
            !infer(f, v))
            vec_push(&unknown, v);
    }
    return unknown;
}

/* The first pointer in the structure that v is, or points to; NULL: none is used. */
static const struct node *member_of(const struct for_loop *f, const struct var *v) {
    for (size_t i = 0; i < f->w.uses.n; i++)
        for (const struct node *n = f->w.uses.at[i].v == v ? f->w.uses.at[i].n->up : NULL; n; n = n->up) {
            if (n->kind == CXCursor_MemberRefExpr && ast_type(n).kind == CXType_Pointer)
                return n;
            if (n->kind != CXCursor_MemberRefExpr && n->kind != CXCursor_UnexposedExpr && n->kind != CXCursor_ParenExpr)
                break;
        }
    return NULL;
}

static void say_unknown(struct for_loop *f, struct var *v) {
    const struct node *member = f->jobs ? NULL : member_of(f, v);
    if (f->jobs && for_may_write(f, v))
        diag_error(f->w.u, v->use,
                   "'%s' may be written by jobs, and each device has a copy of its own; append what is written to a "
                   "list, or use reduction(); what is only read is mapped by map(to: %s[first : count])",
                   v->name, v->name);
    else if (member)
        diag_error(f->w.u, member->b,
                   "'%s' is a pointer in a structure that the loop may change, or reads under a condition alone; copy "
                   "it to a variable before the loop, and use that",
                   unit_text(f->w.u, member));
    else if (f->host)
        diag_error(f->w.u, v->use,
                   "nothing shows where '%s' ends, and so whether it overlaps another array that the loop uses; if it "
                   "does not, write '#pragma heddle for independent', or add map(%s: %s[first : count]) with all that "
                   "the loop uses of it",
                   v->name, for_may_write(f, v) ? "tofrom" : "to", v->name);
    else
        diag_error(f->w.u, v->use, FOR_UNKNOWN, v->name, for_suggestion(f, v));
}

/* The host needs no map: unless somebody names devices, the loop stays there. `clauses`: maps that clauses made. False:
 * the host does not know enough either. */
static bool stay_on_host(struct for_loop *f, size_t clauses, unknown_list *unknown) {
    if (f->host || f->jobs || f->host_driven || nest_clause(&f->w, CLAUSE_DEVICE))
        return false;
    f->host = true;
    f->maps.n = clauses;
    f->rects.n = 0;
    const unknown_list rest = infer_rest(f);
    for (size_t i = 0; !rest.n && i < unknown->n; i++)
        vec_push(&f->unmapped, unknown->at[i]);
    f->host = !rest.n || f->not_apart.n;
    if (f->host)
        *unknown = rest; /* devices are out of the question, or nothing is left */
    return !rest.n;
}

/* Of all that are not known, at once; but no map helps where iterations have to wait for each other. */
static bool infer_all(struct for_loop *f) {
    const size_t clauses = f->maps.n;
    unknown_list unknown = infer_rest(f);
    if (!unknown.n) {
        f->host |= f->not_apart.n > 0;
        return true;
    }
    if (!f->jobs && !f->host_driven && (!for_check_scalars(f) || !for_check_order(f)))
        return false;
    if (stay_on_host(f, clauses, &unknown))
        return true;
    for (size_t i = 0; i < unknown.n; i++)
        say_unknown(f, unknown.at[i]);
    return false;
}

static bool check_kind(struct for_loop *f, struct for_map *m) {
    size_t at;
    if (m->v->joined || (f->host && !m->item))
        return true;
    if (f->jobs && (m->kind != MAP_TO || m->chunked)) {
        diag_error(f->w.u, m->item ? m->item->name.b : m->v->use,
                   "jobs have no part of '%s%s' of their own: arrays are mapped whole, and only read; use map(to: "
                   "%s%s[first : count]), and append what is written to a list",
                   m->v->name, m->member, m->v->name, m->member);
        return false;
    }
    m->written = m->kind == MAP_FROM || m->kind == MAP_TOFROM;
    if (m->rects || !m->item)
        return true; /* the subscripts say so */
    if (m->written && !m->chunked) {
        diag_error(f->w.u, m->item->name.b,
                   "map(%s: %s%s) is the same for all chunks, so each device would bring back its own; select each "
                   "chunk's part, %s%s[heddle_lo : heddle_count], or use reduction()",
                   m->kind == MAP_FROM ? "from" : "tofrom", m->v->name, m->member, m->v->name, m->member);
        return false;
    }
    if (m->kind == MAP_TO && !*m->member && for_writes(f, m->v, &at)) {
        diag_error(f->w.u, at, "'%s' is written, but map(to) does not bring it back; use map(%s: …)", m->v->name,
                   "tofrom");
        return false;
    }
    if (m->kind == MAP_FROM && !*m->member && for_reads_first(f, m->v, &at)) {
        diag_error(f->w.u, at, "'%s' is read before it is written, but map(from) does not send it; use map(tofrom: …)",
                   m->v->name);
        return false;
    }
    if (m->kind == MAP_FROM && !f->host_driven) /* not of variants, and regions that libclang does not show */
        m->unsent = assigned_by_loop(&f->w, m->v, m->member, m->item);
    if (m->kind == MAP_FROM && !m->unsent)
        m->kind = MAP_TOFROM; /* what is not written has to come back as it was */
    return true;
}

bool for_map(struct for_loop *f) {
    struct nest *w = &f->w;
    bool ok = true;
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_MAP && k < c->items.n; k++)
            ok &= add_item(f, c, &c->items.at[k]);
    }
    if (ok)
        for_rows(f);
    ok = ok && for_place(f) && infer_all(f);
    for (size_t i = 0; ok && i < f->maps.n; i++)
        ok &= check_kind(f, &f->maps.at[i]);
    return ok;
}
