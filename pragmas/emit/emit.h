/* SPDX-License-Identifier: Apache-2.0 */
/* What the emit*.c files share: sets of captured variables and how one is declared and unpacked. */
#ifndef HEDDLE_EMIT_H
#define HEDDLE_EMIT_H

#include "wavefront/wavefront.h"
#include "loop/loop.h"
#include "pool/pool.h"

/* Marks the variables mentioned in a span; with `replaced`, not those inside replaced references. */
void emit_mark(const struct nest *w, struct span s, bool replaced, bool *used);
bool *emit_set(const struct nest *w); /* one flag per variable, all false */
/* Declares the marked variables as the body knows them, from the environment. */
void emit_unpack(const struct nest *w, const bool *used, struct buf *out);
void emit_unpack_variables(const struct nest *w, const bool *used, struct buf *out);
void emit_unpack_loops(const struct nest *w, const bool *used, long di, long dj, struct buf *out);
void emit_write_back(const struct nest *w, const bool *used, struct buf *out);
/* "[n][4]" of the inner dimensions; runtime extents come from `env` ("heddle_e->") */
const char *emit_inner(const struct var *v, const char *env);
/* the reference's text where the register form uses it, or NULL if it stays a memory access */
const char *emit_replacement(const struct ref *r);
/* a read that the engine may have done ahead of time, else `text` */
const char *emit_early(const struct early *e, const char *text);
/* the user's body with edits, on its own lines, in a loop that runs once */
void emit_body(const struct nest *w, struct buf *out, const edit_list *edits);
/* `unsent`: the condition under which what comes back is not sent; NULL or "": as `kind` says */
const char *emit_map_kind(enum map_kind kind, const char *unsent);
bool emit_is_array(const struct var *v);
bool emit_is_plain(const struct var *v); /* one dimension, or rows behind pointers */
const char *emit_pointee(const struct var *v);
void emit_environment(const struct nest *w, struct buf *out);                        /* its structure */
void emit_environment_values(const struct nest *w, struct buf *out, const char *in); /* heddle_e, filled in */
void for_inner_values(const struct nest *w, struct buf *out,
                      const char *in); /* loop_call.c: the inner loop of collapse(2) */
/* A call of the runtime: heddle_e and heddle_r in front, the loop as written behind it. */
void emit_call_begin(const struct nest *w, struct buf *out, const char *in);
void emit_call_end(const struct nest *w, struct buf *out, const char *in, const char *run);
/* The engine's header; `host`: without code for devices. */
void emit_engine(struct unit *u, struct buf *out, const char *lines, bool host);
const char *emit_indent(const struct unit *u, size_t offset);
void emit_next_line(const struct unit *u, struct buf *out, const struct pragma *p); /* its marker */
void emit_resume(const struct nest *w, struct buf *out, size_t offset);             /* back to the user's text */
const char *emit_closing(const struct nest *w);                                     /* what follows the loop */
void emit_tables_of(struct unit *u, CXCursor c, size_t at, struct buf *out); /* of a function, or a constant itself */
void emit_tables(struct unit *u, struct node *n, struct buf *out);           /* constants that the statement reaches */
/* emit.c, nest_*.c */
void emit_nest(struct nest *w);
void emit_facts(struct nest *w, struct buf *out);
void emit_functions(struct nest *w, struct buf *out);
void emit_prefix_functions(const struct nest *w, struct buf *out);
void emit_call(struct nest *w, struct buf *out);
void emit_sweeps(struct nest *w, struct buf *out);
void emit_batch(struct nest *w, struct buf *out); /* batch.c: all that a batch adds to its nest */
void emit_batch_call(struct nest *w, struct buf *out);
/* the value that an element of a problem's own array has before the nest: of the element that r names */
void emit_first_value(const struct nest *w, const struct ref *r, const char *to, struct buf *out);
void emit_first_marks(const struct nest *w, const struct var *v, bool *used); /* what these values mention */
void emit_compute_look(const struct nest *w, struct buf *out);                /* nest_functions.c */
void emit_defines(const struct nest *w, struct buf *out,
                  bool begin);                           /* macros of the function, for what stands before */
void emit_device(const struct nest *w, struct buf *out); /* nest_call.c: the clause */
const char *emit_prefix(const struct nest *w);           /* "heddle_<tag>_w1" */
/* loop.c, loop_call.c */
void emit_for(struct for_loop *f);
void emit_for_call(struct for_loop *f, struct buf *out);
const char *emit_for_declarations(struct for_loop *f); /* all that stands before its function */
/* turns of a chunk on the host, up to the loop's '{', and its variable's value there; l: 0, or 1 with collapse(2) */
void emit_for_turns(const struct for_loop *f, struct buf *out, int l, const char *env);
const char *emit_for_value(const struct for_loop *f, int l, const char *env); /* "heddle_e." or "heddle_e->" */
void emit_for_body(struct for_loop *f, struct buf *out, const char *name, edit_list *edits, int kind);
const char *emit_for_arguments(const struct for_loop *f,
                               const char *red); /* of a call of it, for iteration heddle_k (and heddle_q) */
/* loop_apart.c: the host's form that assumes what the engine checks */
bool emit_for_assumes_apart(const struct for_loop *f);
bool emit_for_repeats(const struct for_loop *f); /* the body holds a loop, or calls a function with one */
void emit_for_apart_head(const struct for_loop *f, struct buf *out, const char *name);
void emit_for_apart_values(const struct for_loop *f, struct buf *out);
void emit_for_apart_call(const struct for_loop *f, struct buf *out, const char *name);
/* reduce.c */
bool emit_for_reduces(const struct for_loop *f);                            /* by the kernel below */
void emit_for_reductions(const struct for_loop *f, struct buf *out);        /* lists, types, users' operators */
void emit_for_reduction_members(const struct for_loop *f, struct buf *out); /* of the loop's type */
bool emit_for_in_place(struct for_loop *f, edit_list *edits);               /* then their variables are marked so */
void emit_for_reducing_kernel(struct for_loop *f, struct buf *out);
/* loop_exchange.c: loops of its body that run in another order on the host */
struct exchange;
void emit_exchange(const struct exchange *x, const char *first, const char *end, struct buf *out); /* strips of j */
int emit_for_reach(struct for_loop *f, struct buf *out); /* loop_reach.c: stages of what is looked up */
/* loop_sections.c: where the parts of arrays lie that move with a chunk */
bool emit_for_is_chunked(const struct for_loop *f);
void emit_for_sections(struct for_loop *f, struct buf *out);
int emit_for_maps(const struct for_loop *f, struct buf *out, const char *in); /* how many scalars behind them */
/* jobs.c */
void emit_jobs(struct jobs *j);
/* pool.c, pool_call.c */
void emit_pool_team(struct pool *p);
void emit_pool(struct pool *p);
const char *emit_record(struct task_type *k, const char *in); /* struct …  heddle_t = …; */
void emit_pool_call(struct pool *p);
bool emit_is_member(const struct local *l);                          /* of the record */
void emit_pool_env(const struct region *r, struct buf *out);         /* declares what the region's text uses of it */
void emit_pool_text(const struct region *r, struct buf *out);        /* on its own lines */
void emit_moved_parameters(const struct region *r, struct buf *out); /* to where they live */
/* pool_called.c: kinds that are calls of one function */
void emit_called_record(const struct called *c, struct buf *out);
void emit_called_makers(const struct pool *p, const struct called *c, struct buf *out);
void emit_called_run(const struct called *c, struct buf *out);
/* every cell goes to memory */
bool emit_is_stored(const struct var *v);
/* ... and all arrays of which that is so have their rows contiguous in memory */
bool emit_is_staged(const struct nest *w);

#endif
