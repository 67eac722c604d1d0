/* SPDX-License-Identifier: Apache-2.0 */
/* One input file, one translation unit: its text, its directives (scan.c), what libclang is shown (view.c) */
#ifndef HEDDLE_FRONT_UNIT_H
#define HEDDLE_FRONT_UNIT_H

#include "front/clause.h"
#include "front/diag.h"
#include "front/directive.h"
#include "front/source.h"
#include <clang-c/Index.h>
#include <stdio.h>

struct node;

/* scan.c: pragmas in the token stream */
struct pragma {
    const struct directive *directive;
    size_t b, e; /* from '#' to the end of the (continued) line */
    size_t next; /* first token after it */
    struct span name;
    clause_list clauses;
    bool bad; /* names something that is not declared */
};
typedef VEC(struct pragma) pragma_list;
bool pragma_parse(struct unit *u, size_t begin, size_t end, struct pragma *out);
size_t scan_directive_end(const struct source *src, size_t pos);
void scan_pragmas(struct unit *u, pragma_list *out);

/* operator.c: directives in _Pragma, and in macros that lead to one */
struct operator_use {
    struct span s;
    VEC(const char *) directives, openmp; /* heddle's, OpenMP's; others are dropped */
    bool more;                            /* it holds more than directives */
};
void operator_gather(struct unit *u);
bool operator_begins(const char *name, size_t n);
void operator_read(const struct unit *u, size_t at, struct operator_use *out);

bool unit_types_alias(const char *const *args, size_t n); /* -fno-strict-aliasing */
/* fast_math.c */
bool fast_math_reassociates(const char *const *args, size_t n);

/* join.c: true: the text is now one of several files, and is to be read again */
bool join_headers(struct unit *u);

/* view.c: the text that libclang is shown */
bool view_is_parallel(const char *directive);  /* "omp parallel for …": it may stand at a loop of heddle's, and goes */
void view_hide(struct unit *u, struct span s); /* a directive, from libclang */
void view_remove(struct unit *u, struct span s); /* ... and from the output */
void view_make(struct unit *u);                  /* of the text, before it is parsed */

struct macro {
    const char *name;
    CXCursor c;
};
struct expansion { /* a use of a macro in the file */
    struct span s;
    size_t outer; /* the one around it, or itself, that is in no other: its number */
};
struct clipped {             /* a nest whose rows have columns of their own (analysis/normal_rows.c) */
    size_t number;           /* of the pragma in the file */
    const char *first, *end; /* columns of a row, as C text; end: one further */
    bool tiles;              /* cells are tiles of steps by rows (analysis/normal_time.c): their order is proven */
    const char *loops, *rows,
        *at_once; /* ... loops of all steps, rows of each, tiles that can run at once; NULL: none */
};
struct row_scalar { /* a scalar that rows carry: now an array over rows (analysis/normal_carried.c) */
    const char *array, *name;
};
struct unit {
    const char *tag; /* of this file in all generated names; may be empty */
    struct source src;
    char *view;      /* of the same size: without OpenMP's directives that hide what is behind them; NULL: the text */
    bool look_again; /* the view changed behind the parser's back */
    FILE *err;       /* where messages go, unless somebody listens */
    diag_listener listener;
    void *listens;
    unsigned errors;
    bool host;     /* the build is for the host alone */
    bool proposes; /* the directives are a proposal: no clause asserts anything yet */
    bool cplusplus;
    bool reassociates;   /* the command line says that floating-point sums may be added in another order */
    bool types_alias;    /* objects of any type may be the same memory */
    bool unread;         /* a directive was not understood, which was said */
    bool unproven_warns; /* loops that nothing proves and nobody asserts are translated, with a warning */
    CXTranslationUnit tu;
    CXFile file;
    edit_list edits; /* to the whole file */
    bool verify;     /* these are made instead: emit/verify.c */
    edit_list verify_edits;
    VEC(const char *) macros;  /* of the user: macros.c */
    VEC(struct macro) defined; /* all of them */
    VEC(struct expansion) expansions;
    VEC(struct clipped) clipped;
    VEC(struct row_scalar) row_scalars;
    int nests; /* numbers the emitted names */
    const pragma_list *pragmas;
    struct unit *serial;  /* the file as a compiler without OpenMP sees it; NULL: no directive needs that */
    bool pools_done;      /* the pool directives are translated together */
    size_t jobs_done;     /* every loop before this offset belongs to jobs that were met */
    size_t variants_done; /* every variant before this offset belongs to a loop that was met */
};
const char *unit_text(const struct unit *u, const struct node *n); /* unit.c: of a node, flattened */

#endif
