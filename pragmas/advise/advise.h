/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `heddle advise`: which directive fits which loop. A directive is put before each loop, the translator is run on that
 * text, and its messages are the reasons; so advice never differs from what `heddle cc` accepts.
 */
#ifndef HEDDLE_ADVISE_H
#define HEDDLE_ADVISE_H

#include "emit/unit.h"

/* What may stand before a loop, in the order in which it is tried. */
enum { FORM_FOR, FORM_HOST /* `for` on the host alone */, FORM_SWEEPS, FORM_WAVEFRONT, FORMS };

enum advice_state { ADVICE_OPEN, ADVICE_TAKEN, ADVICE_REFUSED };

struct reason {
    size_t offset; /* in the file */
    const char *text;
};

struct reduction_tried {
    const char *name;
    enum red_op op;
};

struct advice {
    struct advice *up; /* the loop around it */
    int around;        /* number of those */
    size_t b, e;       /* its text */
    const char *name;  /* of its variable */
    bool inner;        /* holds no loop */
    bool deep;         /* holds a loop that holds a loop */
    long few;          /* its turns, where they are a small constant; else 0 */
    double estimate;   /* seconds that a run takes, from the text; 0: nothing shows it */
    const char *function;
    struct span openmp;   /* the directive whose loop it is; empty: none */
    const char *kept;     /* what a `for` takes over of its clauses */
    const char *private;  /* all that its private clauses say; NULL: nothing */
    const char *apart;    /* why it is not asked about; NULL: it is */
    bool holds_directive; /* of heddle, already */

    bool heard; /* something was said of it in this round, or it was not asked about */
    enum advice_state state;
    int form;                               /* what is tried, or was taken */
    VEC(struct reduction_tried) reductions; /* clauses that messages proposed */
    VEC(const char *) maps;
    VEC(const char *) fills; /* arrays that would have to be private, which only its author can say */
    int tries;
    struct reason reason[FORMS];
    struct reason untried; /* what was said before any clause was tried */
    struct reason todo;    /* with a text: the directive fits, but for a clause that only its author can write */
    struct reason devices; /* with a text: what keeps a `for` from devices; the host's threads run it */
    bool completes;        /* ... which is a clause that only its author can write */
    const char *line;      /* what was accepted */
    const char *asserting; /* what is accepted if its author asserts that each iteration fills ... */
    const char *filled;    /* ... these, as a part of a sentence */
    const char *advice;    /* what its author may add; NULL: nothing */
    bool fits;             /* a directive does, and is not worth it */
    const char *aside;     /* a wavefront that was, while the loops inside are tried; NULL: none */

    double seconds; /* as measured */
    long runs;      /* 0: not measured */
};

struct advice_list {
    VEC(struct advice *) loops; /* outer loops first, in the order of the file */
};

/* loops.c: all loops of the file's functions */
bool advise_loops(struct unit *u, struct advice_list *out);

/* cost.c: seconds of a run on one core, as far as the text shows; 0: it does not */
double advise_cost(struct unit *u, struct node *loop, bool outermost);

/* attempt.c: tries directives until each loop has one or is refused; false: the compiler itself failed */
bool advise_attempt(const struct unit *u, const struct unit_arguments *a, struct advice_list *list);
const char *advise_directive(const struct advice *l); /* "#pragma heddle …" as it is tried now */
/* Edits that put a directive before each loop that `wants` one, in the order of the file. */
void advise_edits(const struct unit *u, const struct advice_list *list, bool (*wants)(const struct advice *l),
                  edit_list *edits);

/* proposal.c: adds the clause that a message proposes */
enum proposal { PROPOSAL_NONE, PROPOSAL_ADDED, PROPOSAL_TODO /* only the author can write it */ };
const char *advise_list(const struct advice *l, const char *quote, const char *last); /* l->fills, as text */
#define WRONG_REDUCTION " reduction of '"                                             /* in the message that says so */
enum proposal advise_proposal(struct advice *l, const char *message);

/* times.c: a program that measures its loops, and what it measured */
const char *advise_timers(const struct unit *u, const struct advice_list *list);
bool advise_read_times(const struct unit *u, struct advice_list *list, const char *path);

/* report.c */
void advise_report(const struct unit *u, const struct advice_list *list, bool all);
bool advise_worth(const struct advice *l); /* long enough to gain, as far as is known */

struct advise_options {
    const char *timers, *times; /* files; NULL: none */
    bool apply, all;
    bool asserted; /* what is asserted counts as what is proven */
};
/* advise.c: the exit status */
int advise(struct unit *u, const struct unit_arguments *a, const struct advise_options *o);

#endif
