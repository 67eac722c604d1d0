/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clause grammar, one table: name, argument parser, the directives that take it, whether it may
 * be repeated. A new clause is a parser of some ten lines and a row here; a new directive that
 * takes an old clause sets its bit in the row. `form` and `help` are what people read of it. Works on text alone: names
 * are resolved later. What arguments are made of is in clause_part.c, their words are in clause_words.c.
 */
#include "front/clause_part.h"
#include "front/unit.h"

#include <stdlib.h>
#include <string.h>

struct clause_def {
    const char *name;
    enum clause_id id;
    unsigned directives;
    bool repeats;
    bool (*parse)(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c); /* NULL: no () */
    const struct word *words; /* stand in `form` for %s */
    const char *form, *help;  /* for people: docs/reference/directives.md */
};

static bool parse_word(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return clause_keyword(u, lx, def->words, mem_printf("a %s", clause_words_name(def->words)), &c->kind);
}

/* word : */
static bool parse_type(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return parse_word(u, lx, def, c) &&
           clause_expect(u, lx, ':', mem_printf("after the %s", clause_words_name(def->words)));
}

static bool parse_schedule(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    if (!parse_word(u, lx, def, c))
        return false;
    while (lexer_is(lx, ',')) {
        if (c->nargs == 2) {
            diag_error(u, lx->tok.b, "schedule takes a tile height and width, nothing more");
            return false;
        }
        lexer_next(lx);
        if (!clause_expression(u, lx, &c->arg[c->nargs]))
            return false;
        if (!clause_number(u, c->arg[c->nargs], 1, "tile sizes are positive"))
            return false;
        c->nargs++;
    }
    return true;
}

static bool parse_keep(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return clause_items(u, lx, c, clause_array) && clause_expect(u, lx, ':', "after the arrays in 'keep'") &&
           clause_keyword(u, lx, def->words, "what to keep", &c->kind);
}

/* a loop variable, plus or minus a constant */
static bool sink(struct unit *u, struct lexer *lx, struct item *item) {
    if (!clause_name(u, lx, "a loop variable", item))
        return false;
    if (!lexer_is(lx, '-') && !lexer_is(lx, '+'))
        return true;
    const int sign = lexer_is(lx, '-') ? -1 : 1;
    lexer_next(lx);
    char *end = NULL;
    const char *text = mem_strndup(lx->text + lx->tok.b, lx->tok.e - lx->tok.b);
    item->offset = lx->tok.kind == TOKEN_NUMBER ? strtol(text, &end, 0) : -1;
    if (!end || *end || item->offset > 1000000) {
        diag_error(u, lx->tok.b, "expected an integer constant; a sink is a loop variable plus or minus a constant");
        return false;
    }
    item->offset *= sign;
    lexer_next(lx);
    return true;
}

static bool parse_sink(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return (void)def, clause_items(u, lx, c, sink);
}

static bool parse_names(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return (void)def, clause_items(u, lx, c, clause_variable);
}

static bool array_section(struct unit *u, struct lexer *lx, struct item *item) {
    return clause_array(u, lx, item) && clause_section(u, lx, item);
}

/* s.sum or p->sum behind a name: said with what to write instead. */
static bool no_member(struct unit *u, struct lexer *lx, const struct item *item) {
    struct span s = {item->name.b, item->name.e}, last = s;
    while (lexer_is(lx, '.') || (lexer_is(lx, '-') && lx->text[lx->tok.e] == '>')) {
        lexer_next(lx);
        if (lexer_is(lx, '>'))
            lexer_next(lx);
        last = (struct span){lx->tok.b, lx->tok.e};
        s.e = last.e;
        lexer_next(lx);
    }
    if (s.e == item->name.e)
        return true;
    const char *member = source_flat(&u->src, s), *copy = source_flat(&u->src, last);
    diag_error(
        u, s.b,
        "'%s' is a member, and variables are reduced; write '__typeof__(%s) %s = %s;' before the loop, reduce and "
        "update '%s', and write '%s = %s;' behind the loop",
        member, member, copy, member, copy, member, copy);
    return false;
}

static bool reduced_array(struct unit *u, struct lexer *lx, struct item *item) {
    return clause_name(u, lx, "the name of a variable or an array", item) && no_member(u, lx, item) &&
           clause_section(u, lx, item);
}

static bool reduced_variable(struct unit *u, struct lexer *lx, struct item *item) {
    return clause_variable(u, lx, item) && no_member(u, lx, item);
}

static bool parse_reduction(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    size_t b = lx->tok.b, e = lx->tok.e;
    /* declared by the user, or of a place (analysis/place_cell.c) */
    const bool own = lx->tok.kind == TOKEN_NAME &&
                     (def->directives == DIRECTIVE_FOR || strncmp(lx->text + b, "heddle_place_", 13) == 0);
    lexer_next(lx);
    /* && and || arrive as two tokens. */
    if (!lexer_is(lx, ':') && lx->tok.kind == TOKEN_PUNCT && lx->tok.b == e && lx->text[b] == lx->text[e]) {
        e = lx->tok.e;
        lexer_next(lx);
    }
    const struct word *w = clause_word_find(clause_operators, lx->text + b, e - b);
    if (!w && !own) {
        diag_error(u, b, "expected a reduction operator: %s", clause_word_list(clause_operators));
        return false;
    }
    c->kind = w ? (int)(w - clause_operators) : RED_USER;
    c->arg[0] = (struct span){b, e};
    return clause_expect(u, lx, ':', "after the reduction operator") &&
           clause_items(u, lx, c, def->directives == DIRECTIVE_FOR ? reduced_array : reduced_variable);
}

static bool member_section(struct unit *u, struct lexer *lx, struct item *item) {
    return clause_array(u, lx, item) && clause_member(u, lx, item) && clause_section(u, lx, item);
}

static bool parse_map(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return parse_type(u, lx, def, c) &&
           clause_items(u, lx, c,
                        def->directives & (DIRECTIVE_FOR | DIRECTIVE_WAVEFRONT) ? member_section : array_section);
}

/* a[0 : n], as OpenMP has it */
static bool is_section(const struct lexer *lx, struct span s) {
    bool colon = false;
    for (size_t i = s.b; i < s.e; i++) {
        if (lx->text[i] == '?')
            return false;
        colon |= lx->text[i] == ':';
    }
    return colon;
}

/* The item's name is the whole expression. */
static bool lvalue(struct unit *u, struct lexer *lx, struct item *item) {
    const bool value = lx->tok.kind == TOKEN_NUMBER || lx->tok.kind == TOKEN_LITERAL;
    if (!clause_expression(u, lx, &item->name))
        return false;
    if (value) {
        diag_error(u, item->name.b, "a dependence names a place in memory, such as a[i], not a value");
        return false;
    }
    if (is_section(lx, item->name)) {
        diag_error(
            u, item->name.b,
            "a dependence names one element, which stands for all that goes with it; write a[first] for a section");
        return false;
    }
    return true;
}

static bool parse_depend(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return parse_type(u, lx, def, c) && clause_items(u, lx, c, lvalue);
}

static bool parse_sweeps(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    struct item item;
    if (!clause_name(u, lx, "the variable of the outermost loop", &item))
        return false;
    vec_push(&c->items, item);
    return (void)def, true;
}

static bool parse_loop_schedule(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    if (!parse_word(u, lx, def, c))
        return false;
    if (!lexer_is(lx, ','))
        return true;
    lexer_next(lx);
    c->nargs = 1;
    return clause_expression(u, lx, &c->arg[0]) && clause_number(u, c->arg[0], 1, "a chunk has one iteration or more");
}

/* A word, then up to four numbers. */
static bool parse_graph_schedule(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    enum { MOST = 4 };
    if (!parse_word(u, lx, def, c))
        return false;
    while (lexer_is(lx, ',')) {
        struct item item = {0};
        if (c->items.n == MOST) {
            diag_error(u, lx->tok.b, "a schedule has %d parameters at most", MOST);
            return false;
        }
        lexer_next(lx);
        if (!clause_expression(u, lx, &item.name))
            return false;
        vec_push(&c->items, item);
    }
    return true;
}

/* host, all, or an expression: the kind is then -1. */
static bool parse_loop_device(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    const struct word *w =
        lx->tok.kind == TOKEN_NAME ? clause_word_find(def->words, lx->text + lx->tok.b, lx->tok.e - lx->tok.b) : NULL;
    struct lexer after = *lx;
    lexer_next(&after);
    c->kind = w && lexer_is(&after, ')') ? (int)(w - def->words) : -1;
    c->nargs = 1;
    return clause_expression(u, lx, &c->arg[0]);
}

static bool parse_expression(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    c->nargs = 1;
    return (void)def, clause_expression(u, lx, &c->arg[0]);
}

/* A function's name, or a whole call. */
static bool parse_variant(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return parse_type(u, lx, def, c) && parse_expression(u, lx, def, c);
}

static bool parse_memory(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return parse_expression(u, lx, def, c) &&
           clause_number(u, c->arg[0], 1, "a pool's memory is a positive number of bytes");
}

static bool parse_idle(struct unit *u, struct lexer *lx, const struct clause_def *def, struct clause *c) {
    return parse_expression(u, lx, def, c) && clause_number(u, c->arg[0], 0, "a time is not negative");
}

#define SECTIONS                                                                                                       \
    "Sections that the device gets and gives back. Arrays without this clause are mapped as the subscripts or their "  \
    "declarations show."
static const struct clause_def clauses[] = {
    {"schedule", CLAUSE_SCHEDULE, DIRECTIVE_WAVEFRONT, false, parse_schedule, clause_schedules,
     "schedule(%s [, h [, w]])",
     "How the nest runs; h and w are the rows and columns of a tile. auto takes scan for prefix sums of integers, "
     "registers where the dependences allow it, else peer. scan asserts that floating-point sums may be added in "
     "another order, which -ffast-math and -fassociative-math say, too."},
    {"keep", CLAUSE_KEEP, DIRECTIVE_WAVEFRONT, true, parse_keep, clause_keeps, "keep(A, … : %s)",
     "Which cells of written arrays are wanted afterwards; last: of the last row and column."},
    {"sink", CLAUSE_SINK, DIRECTIVE_WAVEFRONT, true, parse_sink, NULL, "sink(i-1, j)",
     "Names a dependence of the nest. Once there is a sink, every dependence that the subscripts show must be named."},
    {"sink", CLAUSE_SINK, DIRECTIVE_TASKLOOP, true, parse_sink, NULL, "sink(y, x-1)",
     "The iteration that each one waits for. An error where a dependence is certain that no sum of sinks keeps, or "
     "nothing proves that they keep all."},
    {"reduction", CLAUSE_REDUCTION, DIRECTIVE_WAVEFRONT | DIRECTIVE_LANES, true, parse_reduction, clause_operators,
     "reduction(op : x, …)",
     "Joins the values of scalars by %s. Floating-point sums add up in another order than the serial loop's."},
    {"reduction", CLAUSE_REDUCTION, DIRECTIVE_FOR, true, parse_reduction, clause_operators,
     "reduction(op : x, y[first : count], …)",
     "Joins the values of scalars, and of the elements of arrays, by %s, or by the name of an '#pragma omp declare "
     "reduction', which joins structures, too. Floating-point sums add up in another order than the serial loop's. "
     "Each thread of the host has a copy of an array, and so has each device, whose threads update it atomically: an "
     "update "
     "is a statement of its own there, or the loop stays on the host."},
    {"map", CLAUSE_MAP, DIRECTIVE_WAVEFRONT, true, parse_map, clause_maps,
     "map(%s : A[first : count], s.A[…], p->A[…], …)", SECTIONS},
    {"map", CLAUSE_MAP, DIRECTIVE_POOL, true, parse_map, clause_maps, "map(%s : A[first : count], …)", SECTIONS},
    {"device", CLAUSE_DEVICE, DIRECTIVE_WAVEFRONT, false, parse_expression, NULL, "device(number|host|all)",
     "Where the nest runs, over HEDDLE_DEVICE; all: its row blocks on all devices of one kind."},
    {"device", CLAUSE_DEVICE, DIRECTIVE_POOL, false, parse_expression, NULL, "device(number|host)",
     "Where the tasks run, over HEDDLE_DEVICE."},
    {"schedule", CLAUSE_SCHEDULE, DIRECTIVE_POOL, false, parse_word, clause_pool_schedules, "schedule(%s)",
     "Which ready task a worker takes, or a fixed order."},
    {"workers", CLAUSE_WORKERS, DIRECTIVE_POOL, false, parse_word, clause_workers, "workers(%s)",
     "What runs a task on a GPU; lane: each lane of a warp another one. Without the clause lanes run a pool whose "
     "tasks "
     "make tasks, if none of them has lanes loops, dependences or a priority; else warps."},
    {"memory", CLAUSE_MEMORY, DIRECTIVE_POOL, false, parse_memory, NULL, "memory(bytes)",
     "Memory for the tasks of the pool on a device."},
    {"idle", CLAUSE_IDLE, DIRECTIVE_POOL, false, parse_idle, NULL, "idle(seconds)",
     "How long the kernel of the pool stays on the device and waits for further tasks from the host."},
    {"depend", CLAUSE_DEPEND, DIRECTIVE_TASK, true, parse_depend, clause_depends, "depend(%s : lvalue, …)",
     "Orders the tasks that one task, or the block, makes; an lvalue stands for all that goes with it."},
    {"collapse", CLAUSE_COLLAPSE, DIRECTIVE_TASKLOOP, false, parse_expression, NULL, "collapse(n)",
     "How many nested loops, one to three, have their iterations as tasks."},
    {"collapse", CLAUSE_COLLAPSE, DIRECTIVE_FOR, false, parse_expression, NULL, "collapse(2)",
     "Iterations of the inner loop are threads of a device, too."},
    {"priority", CLAUSE_PRIORITY, DIRECTIVE_TASK, false, parse_expression, NULL, "priority(n)",
     "Ready tasks of higher priority come first; 0, the default, to 3."},
    {"sweeps", CLAUSE_SWEEPS, DIRECTIVE_WAVEFRONT, false, parse_sweeps, NULL, "sweeps(t)",
     "The outermost of three loops sweeps over the other two in place; several sweeps may be under way at once. "
     "Where it holds several loops over rows, its turns are time steps, and tiles of steps by rows are the cells; "
     "where fewer of them could run at once than there are threads, all threads share the rows of each loop instead."},
    {"batch", CLAUSE_BATCH, DIRECTIVE_WAVEFRONT, false, parse_sweeps, NULL, "batch(p)",
     "The outermost loop goes over independent problems. Each may declare its bounds, sequences, arrays and reduced "
     "scalars before a nest of two loops, and store results behind it; or it is the outermost of three loops and "
     "writes "
     "elements of its own."},
    {"layout", CLAUSE_LAYOUT, DIRECTIVE_WAVEFRONT, false, parse_word, clause_layouts, "layout(%s)",
     "Where cells of flexible, peer and barrier lie on a GPU: in the arrays, or with the cells of a diagonal side by "
     "side."},
    {"schedule", CLAUSE_SCHEDULE, DIRECTIVE_FOR, false, parse_loop_schedule, clause_loop_schedules,
     "schedule(%s [, chunk])",
     "How iterations are dealt to devices; `heddle sim list` says what each does. auto measures."},
    {"map", CLAUSE_MAP, DIRECTIVE_FOR, true, parse_map, clause_maps, "map(%s : A[first : count], s.A[…], p->A[…], …)",
     "Sections with heddle_lo (a chunk's first value of the loop variable) or heddle_count (its iterations) travel "
     "with the chunk; others stay on every device. from is sent, too, unless all of it is proven written."},
    {"device", CLAUSE_DEVICE, DIRECTIVE_FOR | DIRECTIVE_JOBS | DIRECTIVE_GRAPH, false, parse_loop_device,
     clause_loop_devices, "device(number|host|all)", "Which devices take part, over HEDDLE_DEVICE."},
    {"schedule", CLAUSE_SCHEDULE, DIRECTIVE_JOBS, false, parse_loop_schedule, clause_jobs_schedules,
     "schedule(%s [, parameter])", "Which device gets which jobs; `heddle sim list` says what each does."},
    {"schedule", CLAUSE_SCHEDULE, DIRECTIVE_GRAPH, false, parse_graph_schedule, clause_graph_schedules,
     "schedule(%s [, parameter …])",
     "Which device or thread runs which task; `heddle sim list` says what each does, and what its parameters are."},
    {"map", CLAUSE_MAP, DIRECTIVE_GRAPH, true, parse_map, clause_maps, "map(%s : A[first : count], …)",
     "You assert that the block touches these only in tasks: they need not come home at a taskwait, and with to or "
     "alloc not at the end either."},
    {"append", CLAUSE_APPEND, DIRECTIVE_FOR, true, parse_names, NULL, "append(list, …)",
     "In jobs: the lists to which the loop appends. What is appended is a set: you assert that its order does not "
     "matter."},
    {"firstprivate", CLAUSE_FIRSTPRIVATE, DIRECTIVE_FOR, true, parse_names, NULL, "firstprivate(x, …)",
     "Each iteration begins with a copy of its own."},
    {"private", CLAUSE_PRIVATE, DIRECTIVE_FOR | DIRECTIVE_TASK | DIRECTIVE_TASKLOOP | DIRECTIVE_WAVEFRONT, true,
     parse_names, NULL, "private(x, …)",
     "Each iteration, or task, has a variable or array of its own, without a value. What it surely sets before it "
     "reads "
     "it needs no clause."},
    {"lastprivate", CLAUSE_LASTPRIVATE, DIRECTIVE_FOR, true, parse_names, NULL, "lastprivate(x, …)",
     "Each iteration has a variable or array of its own, which it sets on every way; behind the loop it is the last "
     "one's."},
    {"independent", CLAUSE_INDEPENDENT, DIRECTIVE_FOR | DIRECTIVE_TASKLOOP | DIRECTIVE_WAVEFRONT, false, NULL, NULL,
     "independent",
     "You assert that no two iterations touch the same element, one of them writing; on taskloop, beyond what its "
     "sinks order; on wavefront, that no two problems of a batch do, and on the host, that what no subscript shows "
     "touches nothing of other cells."},
    {"variant", CLAUSE_KIND, DIRECTIVE_VARIANT, true, parse_variant, clause_kinds, "variant(%s : f)",
     "What devices of a kind call instead: f(the same arguments), or a whole call such as f(A, heddle_lo, "
     "heddle_count), once for each chunk. host alone leaves devices their kernel."},
};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

/* The text with all words of the list in place of %s. */
static const char *with_words(const char *text, const struct word *w, const char *between) {
    const char *at = strstr(text, "%s");
    struct buf b = {0};
    if (!at)
        return text;
    for (; w->text; w++)
        buf_printf(&b, "%s%s", b.n ? between : "", w->text);
    return mem_printf("%.*s%s%s", (int)(at - text), text, b.s, at + 2);
}

bool clause_help(int i, struct clause_help *out) {
    if (i >= CLAUSES)
        return false;
    const struct clause_def *c = &clauses[i];
    *out = (struct clause_help){.form = with_words(c->form, c->words, "|"),
                                .help = with_words(c->help, c->words, ", "),
                                .directives = c->directives,
                                .repeats = c->repeats};
    return true;
}

static const struct clause_def *find(unsigned directive, const struct lexer *lx) {
    for (int i = 0; i < CLAUSES; i++)
        if (lexer_is_word(lx, clauses[i].name) && (clauses[i].directives & directive))
            return &clauses[i];
    return NULL;
}

static const char *known(unsigned directive) {
    struct buf b = {0};
    for (int i = 0; i < CLAUSES; i++)
        if (clauses[i].directives & directive)
            buf_printf(&b, "%s%s", b.n ? ", " : "", clauses[i].name);
    return b.s ? b.s : "none";
}

static bool check_new(struct unit *u, const struct clause_def *def, const struct lexer *lx, const clause_list *out) {
    for (size_t i = 0; i < out->n; i++)
        if (out->at[i].id == def->id && !def->repeats) {
            diag_error(u, lx->tok.b, "duplicate clause '%s'; give it once", def->name);
            diag_note(u, out->at[i].name.b, "the first one is here");
            return false;
        }
    return true;
}

/* A name is followed by '[', '.' or '->'. */
static const char *name_hint(const struct lexer *lx) {
    if (lexer_is(lx, '['))
        return "; variables are named here, without sections";
    const bool member = lx->text[lx->tok.b] == '.' || strncmp(lx->text + lx->tok.b, "->", 2) == 0;
    return member ? "; variables are named here: copy what the structure holds to a local one first" : "";
}

static bool arguments(struct unit *u, const struct clause_def *def, struct lexer *lx, struct clause *c) {
    return clause_expect(u, lx, '(', mem_printf("after '%s'", def->name)) && def->parse(u, lx, def, c) &&
           clause_expect(u, lx, ')', mem_printf("at the end of '%s'%s", def->name, name_hint(lx)));
}

const struct clause *clause_find(const struct pragma *p, enum clause_id id) {
    for (size_t i = 0; i < p->clauses.n; i++)
        if (p->clauses.at[i].id == id)
            return &p->clauses.at[i];
    return NULL;
}

bool clause_parse(struct unit *u, unsigned directive, struct lexer *lx, clause_list *out) {
    while (lx->tok.kind != TOKEN_END) {
        if (lexer_is(lx, ',') && out->n) /* OpenMP allows commas between clauses */
            lexer_next(lx);
        const struct clause_def *def = find(directive, lx);
        if (!def) {
            diag_error(u, lx->tok.b, "unknown clause '%.*s'; known here: %s", (int)(lx->tok.e - lx->tok.b),
                       lx->text + lx->tok.b, known(directive));
            return false;
        }
        if (!check_new(u, def, lx, out))
            return false;
        struct clause c = {.id = def->id, .name = {lx->tok.b, lx->tok.e}};
        lexer_next(lx);
        if (def->parse && !arguments(u, def, lx, &c))
            return false;
        vec_push(out, c);
    }
    return true;
}
