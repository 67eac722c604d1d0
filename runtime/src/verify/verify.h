/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of libheddle-verify share. Every iteration and every task is a *unit* with a number; numbers grow in
 * the order of the serial program. Shadow memory keeps, for each piece of memory, the unit and the place in the code
 * of the last store and of loads since; order.c says whether a unit comes before the running one however the directive
 * is run. One thread at a time is inside a directive: it holds the lock.
 */
#ifndef HEDDLE_VERIFY_INTERNAL_H
#define HEDDLE_VERIFY_INTERNAL_H

#include <heddle/engine/verify.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define DIMS HEDDLE_VERIFY_DIMS

/* ---- shadow.c: what is known of each piece of memory ---- */
struct cell {
    uint32_t store_unit, store_pc; /* 0: none */
    uint32_t load_unit, load_pc;   /* or a set of loads, or why the value is not there (CELL_*) */
};
enum {
    UNIT_MAX = (1u << 30) - 1,
    CELL_SET = 1u << 30,  /* load_unit: number of a set of loads; load_pc: of the directive it belongs to */
    CELL_LOST = 1u << 31, /* load_unit: a device would not have this value; the rest is a struct loss */
};
enum { PAGE_BITS = 12, PAGE = 1 << PAGE_BITS };
struct page {
    uintptr_t base;
    uint32_t last;  /* unit that came here last */
    uint32_t lost;  /* cells with CELL_LOST, at least */
    unsigned shift; /* bytes of a cell, as a power of two: 3, 2, 1 or 0 */
    size_t at;      /* its place in the list of all */
    struct cell cell[];
};
struct page *shadow_page(uintptr_t address,
                         unsigned shift);   /* made with cells of so many bytes where there is none; never NULL */
enum { SHADOW_LOW = 18, SHADOW_HIGH = 17 }; /* of addresses of 47 bits, above the page's */
extern struct page **shadow_table[1 << SHADOW_HIGH];
static inline struct page *shadow_find(uintptr_t address) /* NULL: nothing is known there */
{
    struct page **low = shadow_table[(address >> (PAGE_BITS + SHADOW_LOW)) & ((1u << SHADOW_HIGH) - 1)];
    return low ? low[(address >> PAGE_BITS) & ((1u << SHADOW_LOW) - 1)] : NULL;
}
struct page *shadow_fine(struct page *p, unsigned shift); /* the page with cells of at most so many bytes */
void shadow_clear(uintptr_t address, size_t bytes);       /* other memory is there from now on */
void shadow_forget_all(void);
extern unsigned long shadow_forgotten; /* bytes whose records the memory limit cost */

/* Calls f for each cell of the range; cells are split where the range begins or ends inside one. */
#define SHADOW_CELLS(address, bytes, make, page, c)                                                                    \
    for (struct walk walk_ = walk_begin(address, bytes, make); walk_next(&walk_, &page, &c);)
struct walk {
    uintptr_t at, end;
    struct page *page;
    unsigned index, left;
    bool make;
};
struct walk walk_begin(uintptr_t address, size_t bytes, bool make);
bool walk_page(struct walk *w); /* the next page of the range */
static inline bool walk_next(struct walk *w, struct page **page, struct cell **c) {
    if (!w->left && !walk_page(w))
        return false;
    *page = w->page;
    *c = &w->page->cell[w->index++];
    w->left--;
    return true;
}

/* ---- unit.c: which iteration or task a number is ---- */
struct loop { /* one run of a loop; its variables' values are learnt as they come */
    const struct heddle_verify_site *site;
    uint32_t iterations;
    uint32_t at[DIMS], count[DIMS]; /* of the running iteration; values so far */
    long first[DIMS], step[DIMS], value[DIMS];
};
struct node { /* a task, or iterations of a loop one after the other */
    uint32_t unit, units;
    uint32_t parent;      /* the unit that made it; 0: none */
    uint32_t wait;        /* how many taskwaits that one had met */
    uint32_t edge, edges; /* tasks named by depend: order_edge() */
    uint32_t first;       /* number of the first of its iterations */
    uint32_t mark;
    uint16_t depth;
    bool waits;
    struct loop *loop; /* NULL: a task or the pool's block */
    const struct heddle_verify_site *site;
};
struct node *unit_node(uint32_t unit);                                         /* NULL: too long ago */
struct node *unit_new(const struct heddle_verify_site *site, uint32_t parent); /* NULL: too many */
void unit_iteration(struct loop *l, struct node **run, uint32_t parent, long i, long j, long k);
void unit_position(const struct node *n, uint32_t unit, uint32_t at[DIMS]);
void unit_text(uint32_t unit, char *out, size_t size); /* "i = 3, j = 4" */
struct loop *unit_loop(const struct heddle_verify_site *site);
void unit_trim(void); /* between directives */
extern uint32_t unit_last;

/* ---- order.c: does a unit come before the running one? ---- */
bool order_before(uint32_t unit);
bool order_by_sinks(const struct heddle_verify_site *site, const struct loop *l, const uint32_t from[DIMS],
                    const uint32_t to[DIMS]);
/* order_depend.c */
void order_begin(void);
void order_depend(const void *address, int type, uint32_t parent, uint32_t wait); /* of the next task */
void order_edges(struct node *n);
bool order_depends(uint32_t from,
                   const struct node *to); /* a chain of depend clauses leads back; both are of one task */
extern unsigned long order_undecided;      /* questions that would have taken too long */

/* ---- front/directive.c: the marks in the program ---- */
struct section {
    const char *name;
    int map;
    uintptr_t base, begin, end;
    uintptr_t low, high; /* of all iterations so far */
    unsigned long element;
    uint32_t since; /* the first unit that has it */
    bool stored;    /* something that does not come back was */
};
enum { SECTIONS = 64, COPIED = 256, CARRIED = 16 };
struct context {         /* a unit that has begun */
    uint32_t unit, wait; /* taskwaits it has met */
    uintptr_t stack;     /* what lies below belongs to functions it called */
    uintptr_t top;       /* ... when it began: tasks that it makes lower it */
    struct loop *loop;   /* the taskloop in it, and its iterations so far */
    struct node *run;
    int copied, copies; /* those that are its own */
    int owned, shared;  /* ... where its own begin */
    bool iteration;
};
struct range {
    uintptr_t begin, end;
};
struct directive { /* the one that runs */
    const struct heddle_verify_site *site;
    uint32_t first; /* its first unit */
    bool ordered, pool, checks_map;
    int nested; /* directives inside, which belong to the iteration or task */
    struct loop *loop;
    struct context *context, *top; /* the stack of units that have begun, and the running one */
    int depth, room;
    struct range copied[COPIED], own[COPIED], shared[COPIED];
    int copies, owned, shares;
    uintptr_t frame; /* of the function that holds it */
    struct section section[SECTIONS];
    int sections;
    struct range carried[CARRIED];
    int carries;
};
extern struct directive now;
extern __thread int verify_inside; /* this thread is in an iteration or a task */
static inline struct context *context_now(void) { return now.top; }
void directive_lock(void); /* may be held already */
void directive_unlock(void);
bool directive_copied(uintptr_t address);
bool directive_shared(uintptr_t address); /* not one of the unit's own variables */
extern unsigned long directive_unchecked; /* tasks beyond those that can be told apart */

/* ---- section.c: what is mapped ---- */
void section_flush(struct section *s); /* its iteration is over: what it did not write */
const struct section *section_of(uintptr_t address);
void section_check(uintptr_t address, size_t bytes, bool store, uintptr_t pc);
bool section_is_constant(uintptr_t address);

/* ---- lost.c: values that a device, or another iteration, would not have ---- */
enum loss { LOSS_KEEP, LOSS_TO, LOSS_ALLOC, LOSS_FROM, LOSS_PRIVATE };
void lost_mark(struct page *p, struct cell *c, enum loss why, const struct heddle_verify_site *site, const char *name);
void lost_clear(struct page *p, struct cell *c);
void lost_read(uintptr_t address, size_t bytes, uintptr_t pc, uint32_t load_unit, const struct cell *c);
void lost_outside(uintptr_t address, size_t bytes, bool store, uintptr_t pc);
extern unsigned long lost_cells;

/* ---- access.c ---- */
extern unsigned long access_count;
void access_copy_loads(struct cell *c); /* a copy of a cell gets a set of its own */
unsigned long access_forgotten(void);   /* loads that would have been checked against a store */

/* ---- finding.c, core/report.c, place.c ---- */
enum finding_kind { FOUND_CONFLICT, FOUND_UNMAPPED, FOUND_UNSET, FOUND_LOST };
struct finding {
    enum finding_kind kind;
    const struct heddle_verify_site *site; /* of the loop */
    uint32_t pc[2];                        /* the earlier access and the later; 0: none */
    bool store[2];
    uint32_t unit[2];                       /* 0: outside */
    const struct heddle_verify_site *of[2]; /* the directive of each: a loop or task in the pool `site` */
    char text[2][96];                       /* which iterations */
    char what[96];                          /* "y[3]" */
    enum loss loss;
    int map;
    unsigned bytes;
    unsigned long count;
};
void finding_add(const struct finding *f, uintptr_t address);
struct finding *finding_list(size_t *count, unsigned long *dropped);
void finding_forget(void);
extern unsigned long report_sites, report_units;
struct place {
    char file[256];
    int line, column;
};
void place_find(const uint32_t *pc, size_t count, struct place *out); /* where calls return to; line 0: not known */

/* ---- limits.c ---- */
size_t limit_memory(void); /* bytes of shadow memory */
size_t limit_findings(void);

#endif
