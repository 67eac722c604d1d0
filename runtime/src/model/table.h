/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - learnt costs as text: the rows of all files in the models' folder, read and written in one place, by the
 * library and by the `heddle` command
 *
 * A file begins with a line that names the format's version and a comment per kind of row with the names of its
 * columns. A row is one line: its kind, then its columns, joined by commas. The unit of a column is in its name; struct
 * heddle__row holds seconds.
 */
#ifndef HEDDLE_MODEL_TABLE_H
#define HEDDLE_MODEL_TABLE_H

#include <heddle/loop.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MODEL_HIDDEN __attribute__((visibility("hidden")))
#define HEDDLE__TABLE_HEADER "# heddle models 4;"

/* Suffixes of the files' names: regions and links; loops; widths of tiles. */
#define HEDDLE__REGIONS_SUFFIX ".csv"
#define HEDDLE__LOOPS_SUFFIX ".loops.csv"
#define HEDDLE__WIDTHS_SUFFIX ".widths.csv"

enum heddle__row_kind {
    HEDDLE__ROW_REGION, /* a target region: one size on one class of devices */
    HEDDLE__ROW_FIRST,  /* ... only its first run, which nobody repeated */
    HEDDLE__ROW_LINK,   /* a transfer: one size to, from or between devices of one class */
    HEDDLE__ROW_CHUNK,  /* a chunk of a loop */
    HEDDLE__ROW_READY,  /* how long a device waited for data that every chunk of a loop needs */
    HEDDLE__ROW_SET,    /* a whole loop by a set of devices */
    HEDDLE__ROW_SPLIT,  /* where one part ends of a loop in one part per device */
    HEDDLE__ROW_WIDTH,  /* the terms of a nest's tile width */
    HEDDLE__ROW_KINDS
};
#define HEDDLE__ROW_BIT(kind) (1u << (kind))

/* How a set of devices shares a loop. */
enum heddle__set_form {
    HEDDLE__SET_NONE, /* of no interest: such a set is not kept */
    HEDDLE__SET_SHARED,
    HEDDLE__SET_EQUAL_PARTS,
    HEDDLE__SET_ONE_DEVICE,
    HEDDLE__SET_INLINE /* the calling thread alone, before any device is looked at */
};

enum heddle__host_result { HEDDLE__HOST_UNKNOWN, HEDDLE__HOST_SAME, HEDDLE__HOST_DIFFERS };

struct heddle__row {
    enum heddle__row_kind kind;
    const char *name;   /* of the region (its offload name), loop or nest; of a link: its direction */
    const char *device; /* the name of a class of devices; of a set: of several, joined by ';' */
    union {
        struct {               /* REGION; FIRST: `where` and `median`; LINK: bytes, runs and times */
            const char *where; /* file:line */
            long host;         /* enum heddle__host_result */
            uint64_t code;     /* hash of the region's device code */
            double n, bytes, to_bytes;
            long runs;
            double median, spread, error; /* error: share of the median */
            double setup, per_item, per_byte;
        } region;
        struct heddle_loop_sample chunk;
        double ready;
        struct {
            long form; /* enum heddle__set_form */
            long n;
            double seconds; /* 0: it has not run yet */
            double since;   /* seconds that loops of this length have taken since it ran */
        } set;
        struct {
            long form, n, part;
            double share; /* of the iterations: where that part ends */
        } split;
        struct {
            long layout;                         /* HEDDLE_LAYOUT_* */
            long height, workers, rows, columns; /* rows, columns: logarithms */
            double diagonal, sync;
        } width;
    };
};

enum heddle__column_type { HEDDLE__TEXT, HEDDLE__WORD, HEDDLE__HEX, HEDDLE__WHOLE, HEDDLE__COUNT, HEDDLE__REAL };
struct heddle__column {
    const char *name;
    enum heddle__column_type type;
    size_t at;                /* in struct heddle__row */
    double unit;              /* seconds of one; 1 for what is no time */
    double least, most;       /* of a number, as it is written */
    const char *const *words; /* of a WORD, by its number; ends with NULL */
};
/* The columns after the kind; the last one has no name. */
MODEL_HIDDEN const struct heddle__column *heddle__row_columns(enum heddle__row_kind kind);
MODEL_HIDDEN const char *heddle__row_kind_name(enum heddle__row_kind kind);

/* Reads a line, which it changes and the row points into. False: it is no row, or its numbers make no sense. */
MODEL_HIDDEN bool heddle__row_read(char *line, struct heddle__row *row);
MODEL_HIDDEN bool heddle__row_is_comment(const char *line); /* or empty */
MODEL_HIDDEN void heddle__row_write(FILE *f, const struct heddle__row *row);
MODEL_HIDDEN void heddle__column_write(FILE *f, const struct heddle__column *c, const struct heddle__row *row);
/* The first line, and the columns of each of the kinds (a set of HEDDLE__ROW_BIT). */
MODEL_HIDDEN void heddle__table_begin(FILE *f, unsigned kinds);

/* `from` without what would break a row, in `size` bytes at most; and whether `name` is what that makes of `from`. */
MODEL_HIDDEN void heddle__name_copy(char *to, const char *from, size_t size);
MODEL_HIDDEN bool heddle__name_is(const char *name, const char *from, size_t size);

#endif
