/* SPDX-License-Identifier: Apache-2.0 */
/* directive.c: the table of directives; reference.c: it and the clauses, for people */
#ifndef HEDDLE_FRONT_DIRECTIVE_H
#define HEDDLE_FRONT_DIRECTIVE_H

#include <stdbool.h>
#include <stddef.h>

struct pragma;
struct unit;

enum {
    DIRECTIVE_WAVEFRONT = 1u << 0,
    DIRECTIVE_POOL = 1u << 1,
    DIRECTIVE_TASK = 1u << 2,
    DIRECTIVE_TASKLOOP = 1u << 3,
    DIRECTIVE_TASKWAIT = 1u << 4,
    DIRECTIVE_LANES = 1u << 5,
    DIRECTIVE_FOR = 1u << 6,
    DIRECTIVE_VARIANT = 1u << 7,
    DIRECTIVE_JOBS = 1u << 8,
    DIRECTIVE_GRAPH = 1u << 9,
    DIRECTIVES_OF_POOLS = DIRECTIVE_POOL | DIRECTIVE_TASK | DIRECTIVE_TASKLOOP | DIRECTIVE_TASKWAIT | DIRECTIVE_LANES
};
struct directive {
    const char *name;
    unsigned bit; /* which clauses it takes: see the clause table */
    bool (*translate)(struct unit *u, const struct pragma *p);
    const char *before, *help; /* what it stands before, what it does: docs/reference/directives.md */
};
const struct directive *directive_find(const char *name, size_t n);
const char *directive_names(void);
const struct directive *directive_at(int i); /* NULL behind the last one */

void reference_print(bool markdown);

/* a file each: emit/translate.c, emit/pool.c, loop/for.c, emit/jobs.c, loop/variant.c, emit/graph.c */
bool wavefront_translate(struct unit *u, const struct pragma *p);
bool pool_translate(struct unit *u, const struct pragma *p);
bool for_translate(struct unit *u, const struct pragma *p);
bool jobs_translate(struct unit *u, const struct pragma *p);
bool variant_translate(struct unit *u, const struct pragma *p);
bool graph_translate(struct unit *u, const struct pragma *p);

#endif
