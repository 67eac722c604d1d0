/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - the file in which what loops took is kept between runs: what its lines are, read and
 * written in one place. libheddle keeps it (store.c), `heddle models` shows it, `heddle sim` makes
 * a machine of it.
 */
#ifndef HEDDLE_LOOP_LINES_H
#define HEDDLE_LOOP_LINES_H

#include "loop/plan/plan.h"
#include <stdio.h>

enum { HEDDLE__LOOP_NAME = 256 };

#define HEDDLE__LINES_SUFFIX ".loops.csv"
#define HEDDLE__LINES_HEADER                                                                                           \
    "# heddle loops 1" /* begins the first line; a file that begins otherwise is of another                            \
                          version */
#define HEDDLE__LINES_COLUMNS "loop,device,n,first,count,compute,move"

enum heddle__line_kind {
    HEDDLE__LINE_CHUNK, /* what one chunk took */
    HEDDLE__LINE_READY, /* in `compute`: how long a device waited for data that every chunk needs */
    HEDDLE__LINE_TEAM,  /* in `compute`: what the whole loop took those whom `name` tells; of the first
                           runs in equal parts, what it would have had all ended together */
    HEDDLE__LINE_PARTS, /* in `chunk.first`: where another one of that team's parts begins; behind
                           its lines of LINE_TEAM */
};
struct heddle__line {
    enum heddle__line_kind kind;
    char loop[HEDDLE__LOOP_NAME], name[HEDDLE__LOOP_NAME]; /* name: of the device or the team */
    struct heddle_loop_sample sample;
};

/* False: the line is none of these, or its numbers make no sense. Comments and the names of the
 * columns are no lines. */
LOOP_HIDDEN bool heddle__line_read(const char *text, struct heddle__line *line);
LOOP_HIDDEN bool heddle__line_skipped(const char *text); /* a comment, the names of the columns, or empty */
LOOP_HIDDEN void heddle__lines_begin(FILE *f);           /* the first line, and the names of the columns */
LOOP_HIDDEN void heddle__line_write(FILE *f, enum heddle__line_kind kind, const char *loop, const char *name,
                                    const struct heddle_loop_sample *s);
/* Before a team's name in what people read, and in the file. "": the name is a device's. */
LOOP_HIDDEN const char *heddle__line_prefix(enum heddle__line_kind kind);

/* Names without what would break a line: at most HEDDLE__LOOP_NAME bytes with the end. */
LOOP_HIDDEN void heddle__line_name(char *to, const char *from);
LOOP_HIDDEN bool heddle__line_named(const char *name,
                                    const char *from); /* is it what heddle__line_name makes of `from`? */

#endif
