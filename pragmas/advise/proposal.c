/* SPDX-License-Identifier: Apache-2.0 */
/* Messages name the way out, such as "add map(to: x[heddle_lo : heddle_count])": what can be added as it stands is. */
#include "advise.h"

#include <string.h>

/* The clause that begins there, with its parentheses. */
static const char *clause_at(const char *text) {
    int depth = 0;
    for (size_t n = 0; text[n]; n++) {
        depth += text[n] == '(';
        depth -= text[n] == ')';
        if (text[n] == ')' && depth == 0)
            return mem_strndup(text, n + 1);
    }
    return NULL;
}

/* No words that stand for what the reader knows, nor pointers behind two arrows, which no clause names. */
static bool is_complete(const char *clause) {
    const char *arrow = strstr(clause, "->");
    return !(arrow && strstr(arrow + 2, "->")) && !strstr(clause, "[first") && !strstr(clause, ": count]") &&
           !strstr(clause, ":count]");
}

static enum proposal add_map(struct advice *l, const char *clause) {
    if (!is_complete(clause))
        return PROPOSAL_TODO;
    for (size_t i = 0; i < l->maps.n; i++)
        if (strcmp(l->maps.at[i], clause) == 0)
            return PROPOSAL_NONE;
    vec_push(&l->maps, clause);
    return PROPOSAL_ADDED;
}

static bool same_name(const char *a, const char *b, size_t n) { return strcspn(a, "[") == n && strncmp(a, b, n) == 0; }

static struct reduction_tried *tried(struct advice *l, const char *name, size_t n) {
    for (size_t i = 0; i < l->reductions.n; i++)
        if (same_name(l->reductions.at[i].name, name, n))
            return &l->reductions.at[i];
    return NULL;
}

/* "reduction(max: …": the operator, or the first one that is tried, where the message says "op". */
static enum red_op operator_of(const char *clause) {
    const char *op = strchr(clause, '(') + 1;
    for (enum red_op k = RED_ADD; k < RED_USER; k++)
        if (strncmp(op, clause_op_name(k), strlen(clause_op_name(k))) == 0 && op[strlen(clause_op_name(k))] == ':')
            return k;
    return RED_ADD;
}

static enum proposal add_reduction(struct advice *l, const char *clause) {
    const char *name = strchr(clause, ':') + 1;
    name += strspn(name, " ");
    const size_t n = strlen(name) - 1;
    if (!is_complete(clause))
        return PROPOSAL_TODO;
    if (tried(l, name, strcspn(name, "[)")))
        return PROPOSAL_NONE;
    vec_push(&l->reductions, (struct reduction_tried){mem_strndup(name, n), operator_of(clause)});
    return PROPOSAL_ADDED;
}

/* "this is not a '+' reduction of 'x'": it may be one of another operator. */
static enum proposal next_operator(struct advice *l, const char *name) {
    struct reduction_tried *r = tried(l, name, strcspn(name, "'"));
    if (!r || r->op == RED_LOR)
        return PROPOSAL_NONE;
    r->op++;
    return PROPOSAL_ADDED;
}

/* "y0, y1" or "'y0' and 'y1'" */
const char *advise_list(const struct advice *l, const char *quote, const char *last) {
    struct buf b = {0};
    for (size_t i = 0; i < l->fills.n; i++)
        buf_printf(&b, "%s%s%s%s", !i ? "" : i + 1 < l->fills.n ? ", " : last, quote, l->fills.at[i], quote);
    return b.s;
}

/* Only the author knows that an array is filled first; who wrote private(x) for OpenMP said so. */
static enum proposal add_private(struct advice *l, const char *clause) {
    const char *name = mem_strndup(clause + 8, strlen(clause) - 9);
    struct lexer lx;
    const char *said = l->private ? l->private : "";
    for (lexer_init(&lx, said, 0, strlen(said)); lx.tok.kind != TOKEN_END; lexer_next(&lx))
        if (lexer_is_word(&lx, name))
            return add_map(l, clause);
    for (size_t i = 0; i < l->fills.n; i++)
        if (strcmp(l->fills.at[i], name) == 0)
            return PROPOSAL_NONE;
    vec_push(&l->fills, name);
    return PROPOSAL_ADDED;
}

enum proposal advise_proposal(struct advice *l, const char *message) {
    const char *map = strstr(message, "add map("), *reduction = strstr(message, "add reduction("),
               *other = strstr(message, WRONG_REDUCTION), *private = strstr(message, "add private(");
    const char *clause = map ? clause_at(map + 4) : reduction ? clause_at(reduction + 4) : NULL;
    if (clause && map)
        return add_map(l, clause);
    if (private)
        return add_private(l, clause_at(private + 4));
    if (clause && strchr(clause, ':'))
        return add_reduction(l, clause);
    return other ? next_operator(l, other + strlen(WRONG_REDUCTION)) : PROPOSAL_NONE;
}
