/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of `#pragma heddle for` share. The loop is held as a nest of one loop, so that capturing, reductions,
 * subscripts and most of the emitting are those of wavefronts.
 */
#ifndef HEDDLE_FOR_TRANSLATE_H
#define HEDDLE_FOR_TRANSLATE_H

#include "analysis/area.h"

struct for_map { /* one entry of the emitted list of maps */
    struct var *v;
    const struct item *item; /* NULL: not in a clause */
    enum map_kind kind;
    const char *member;        /* ".tri": a pointer inside the structure v; else "" */
    const char *elem;          /* ... and what it points to */
    const char *first, *count; /* C expressions, in elements */
    bool chunked;              /* they name heddle_lo or heddle_count */
    bool rects;                /* of a map that the subscripts show: its rectangles move */
    bool reached;              /* ... of one that is looked up */
    bool written;
    const char *unsent; /* map(from): the condition under which it is not sent; "": always */
};

struct for_rect { /* a reference's part of an array in a chunk */
    struct var *v;
    unsigned access;                         /* ACCESS_READ: goes in; ACCESS_WRITE: comes out */
    const char *lo[MAX_DIMS], *hi[MAX_DIMS]; /* of each subscript: C expressions over heddle_low and heddle_high */
    const char *some;                        /* the condition under which there is any; "": always */
};

struct for_reached { /* an array that is used through an index: reach.c looks up where */
    struct var *v;
    bool wide; /* its subscripts are no int */
};

struct for_variant { /* a call that is made differently on some devices */
    const struct pragma *p;
    struct node *call;
    const struct clause *on[3]; /* by KIND_*; NULL: as written */
    bool seen;
};

struct for_target { /* a target region in the body */
    struct node *n;
    struct span directive;
};

struct for_hidden { /* a function or variable of file scope that a statement behind an OpenMP directive names */
    CXCursor c;
    size_t at;
};

struct jobs_list { /* as one loop of jobs knows it */
    struct var *v;
    CXType type;   /* of the list */
    bool own;      /* the loop is over it */
    bool appended; /* the clause names it */
};

struct for_loop {
    struct nest w; /* vars[0] is the loop variable, vars[1] nothing */
    VEC(struct for_map) maps;
    VEC(struct for_rect) rects;
    VEC(const char *) conditions; /* C text: without them its iterations may touch the same element */
    bool only_straight;           /* ... or, where this is set, its variables may go round below zero */
    area_list rows;               /* references to rows behind pointers that the run time looks at */
    VEC(struct for_variant *) variants;
    VEC(struct for_target) targets;
    VEC(struct for_hidden) hidden;
    VEC(struct span) hidden_text; /* of such statements */
    edit_list updates;            /* of reduced arrays, on devices */
    bool host_driven; /* targets, or variants of devices: no kernel is made, the body runs on the host thread that
                    drives a    device */
    VEC(struct var *) not_apart; /* devices would write who knows what of these, so it stays on the host ... */
    VEC(struct for_reached) reached;
    bool reach_follows;         /* an element leads to another one among them ... */
    bool reach_written;         /* ... and some are written */
    VEC(struct var *) unmapped; /* ... and nothing shows which part of these they need */
    bool apart; /* all that it touches is in the list of maps, so the engine sees whether any of it overlaps */
    bool host;  /* it stays on the host: whatever devices lack may be there */
    const char *exchanged; /* how the host runs loops in another order: loop/exchange.h; NULL: as written */
    bool whole;        /* the body is one call, and some variant of it is a call of its own: it takes whole chunks */
    struct jobs *jobs; /* it is one of their loops; else NULL */
    VEC(struct jobs_list) lists;
    VEC(struct span) taken; /* list->at[k] in the body */
    const char *step[2];    /* C expressions; negative when it counts down. [1]: NULL without collapse(2) */
};

/* for.c: all steps, in their order */
bool for_analyse(struct unit *u, const struct pragma *p, struct for_loop *f);

/* jobs.c: a while loop over lists, and the loop of each */
struct jobs_all_list {
    CXCursor decl;
    const char *name;
    size_t at;
    struct for_loop *loop; /* that is over it; NULL: it is appended to only */
};
struct jobs {
    struct unit *u;
    const struct pragma *p;
    struct node *root; /* the while loop */
    size_t root_end;
    VEC(struct for_loop *) loops;
    VEC(struct jobs_all_list) lists;
};
bool jobs_analyse(struct unit *u, const struct pragma *p, struct jobs *j);
int jobs_list_number(const struct jobs *j, const struct var *v);
/* jobs_loop.c: what a loop of them is in addition to any other */
bool jobs_check_header(struct for_loop *f);
bool jobs_capture(struct for_loop *f);
bool jobs_check(struct for_loop *f);

bool for_check_order(struct for_loop *f); /* iterations are dealt out in any order */

/* loop.c: the canonical loop; a step, and up or down */
bool for_find(struct unit *u, const struct pragma *p, struct for_loop *f);

/* map.c: clauses against the variables and subscripts */
bool for_map(struct for_loop *f);
/* condition.c: what is tested before the loop */
struct packed;
const char *for_condition(void *of, const struct packed *need); /* not negative; NULL: it has no text */
const char *for_not_negative(const struct poly *p);             /* "ld >= m" */
void for_add_condition(struct for_loop *f, const char *text);
const char *for_conditions(const struct for_loop *f);       /* all of them; NULL: none */
const char *for_conditions_shown(const struct for_loop *f); /* as people write it */

/* rows.c: rows behind pointers that the run time can tell apart; their variables have rows_apart */
void for_rows(struct for_loop *f);
/* infer.c: the parts that affine subscripts show */
bool for_infer(struct for_loop *f, struct var *v, struct for_map *m);  /* false: not known */
#define FOR_UNKNOWN "cannot tell which part of '%s' a chunk needs; %s" /* the name, for_suggestion */
/* suggest.c: what to write for an array without a map clause, as a part of a message */
const char *for_section(struct for_loop *f, struct var *v); /* "A[heddle_lo : heddle_count]"; NULL: not known */
const char *for_suggestion(struct for_loop *f, struct var *v);
/* section.c: what sections and subscripts can be proved to do wrong */
bool for_check_sections(struct for_loop *f);

/* scope.c: variables that sections and variants name; `used` has a flag for each of w.vars */
bool for_scope(struct for_loop *f);
void for_scope_used(struct for_loop *f, struct span s, bool *used);
void for_scope_text(struct for_loop *f, const char *text, bool *used); /* of an emitted expression */

/* check.c: what the body and the functions that it calls do */
bool for_check(struct for_loop *f);
bool for_check_scalars(struct for_loop *f); /* a part of it */
bool for_place(struct for_loop *f);         /* does it stay on the host? Behind the map clauses */
bool for_writes(struct for_loop *f, const struct var *v, size_t *at); /* through the array v itself, for sure */
/* ... an iteration reads it before it writes any of it, as far as can be seen */
bool for_reads_first(struct for_loop *f, const struct var *v, size_t *at);
/* ... or the text reads it before it writes any of it, which need not be the order of a loop inside */
bool for_uses_unset(struct for_loop *f, const struct var *v);
bool for_in_inner_loop(const struct for_loop *f, const struct node *n);
bool for_may_write(struct for_loop *f, const struct var *v);

/* globals.c: the run time sees whether an array of file scope, which a function uses, overlaps what the loop writes */
bool for_compares(void *of, CXCursor global);

/* memory.c: arrays that the body declares fit into a device's threads */
bool for_check_memory(struct for_loop *f);

/* variant.c */
bool for_variants_of_devices(const struct for_loop *f); /* others than the host's */
bool for_variants(struct for_loop *f);
void for_variant_remove(struct for_loop *f); /* the directives' lines in the serial form */
/* the body's edits for a kind of device; false: this kind has no form of its own */
bool for_variant_edits(struct for_loop *f, int kind, edit_list *edits);
const char *for_variant_whole(struct for_loop *f, int kind); /* the call for a chunk, or NULL */

/* target.c */
void for_targets(struct for_loop *f);
bool for_in_target(const struct for_loop *f, const struct node *n);
void for_target_edits(struct for_loop *f, int kind, edit_list *edits);
bool for_check_host_driven(struct for_loop *f);

/* update.c: how devices update the elements of reduced arrays; false: some they cannot, which was said */
bool for_updates(struct for_loop *f);

/* instead.c: the reduction that takes a conflict away, as the end of a message; "": none */
struct proof_access;
const char *for_instead(void *of, const struct proof_access *w, const struct proof_access *r);

bool for_only_reads(struct for_loop *f); /* reads_only.c: it writes no memory but its own and reduced scalars */

/* hidden.c */
void for_hidden(struct for_loop *f);
void for_hidden_declared(struct for_loop *f);
bool for_hidden_writes(const struct for_loop *f, const struct var *v, size_t *at);
bool for_hidden_uses(const struct for_loop *f, const struct var *v);

#endif
