/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compiler calls before each load and store, and in place of memcpy and its like: with
 * -fsanitize=kernel-address every access of any size is a call, and no run time of a sanitizer is needed.
 */
#include "verify.h"

#include <stdlib.h>
#include <string.h>

enum { LOADS_MAX = 1024, LOOK_BACK = 4, SETS_MAX = 1 << 26, SET_BYTES = 128 };
unsigned long access_count;

static struct set { /* loads that no order puts one after the other */
    struct load {
        uint32_t unit, pc;
    } *at;
    uint32_t n, room;
    bool more;
} *sets;
static uint32_t set_count, sets_used, set_room, sets_of, free_set; /* free_set: number + 1, a list through `n` */
static unsigned long forgotten_loads;

static struct set *set_new(uint32_t *number) {
    if (sets_of != now.first)
        sets_of = now.first, set_count = free_set = 0;
    if (free_set) {
        *number = free_set - 1;
        free_set = sets[*number].n;
    } else {
        if (set_count == set_room && set_room < SETS_MAX && set_room < limit_memory() / SET_BYTES) {
            set_room = set_room ? 2 * set_room : 1024;
            sets = realloc(sets, set_room * sizeof *sets);
            if (!sets)
                abort();
        }
        if (set_count == set_room)
            return NULL;
        *number = set_count++;
    }
    struct set *s = &sets[*number];
    if (*number == sets_used)
        sets[sets_used++] = (struct set){0};
    s->n = 0;
    s->more = false;
    return s;
}

static struct set *set_of(const struct cell *c) {
    return c->load_unit & CELL_SET && !(c->load_unit & CELL_LOST) && c->load_pc == now.first && sets_of == now.first
               ? &sets[c->load_unit & ~CELL_SET]
               : NULL;
}

static void drop_loads(struct cell *c) {
    struct set *s = set_of(c);
    if (s) {
        s->n = free_set;
        free_set = (c->load_unit & ~(uint32_t)CELL_SET) + 1;
    }
    c->load_unit = c->load_pc = 0;
}

static bool loaded_here(const struct cell *c) {
    return !(c->load_unit & (CELL_SET | CELL_LOST)) && c->load_unit >= now.first;
}

static bool carried(uintptr_t address) {
    for (int i = 0; i < now.carries; i++)
        if (address >= now.carried[i].begin && address < now.carried[i].end)
            return true;
    return false;
}

static void conflict(uintptr_t address, uint32_t unit, uint32_t pc, bool store_before, bool store, uintptr_t here,
                     size_t bytes) {
    if ((store && carried(address)) || !directive_shared(address))
        return;
    struct finding f = {.kind = FOUND_CONFLICT,
                        .site = now.site,
                        .pc = {pc, (uint32_t)here},
                        .store = {store_before, store},
                        .unit = {unit, context_now()->unit},
                        .bytes = (unsigned)bytes};
    finding_add(&f, address);
}

/* ---- loads ---- */

static void append_load(struct set *s, uint32_t unit, uint32_t pc) {
    if (s->n == LOADS_MAX) {
        s->more = true;
        return;
    }
    if (s->n == s->room) {
        struct load *wider = realloc(s->at, (s->room ? 2 * s->room : 4) * sizeof *s->at);
        if (!wider)
            abort();
        s->at = wider;
        s->room = s->room ? 2 * s->room : 4;
    }
    s->at[s->n++] = (struct load){unit, pc};
}

static void add_load(struct cell *c, uint32_t me, uint32_t pc) {
    uint32_t number;
    struct set *s = set_of(c);
    if (!s) {
        const struct load first = {c->load_unit, c->load_pc};
        s = set_new(&number);
        if (!s) {
            forgotten_loads++;
            return;
        }
        append_load(s, first.unit, first.pc);
        c->load_unit = CELL_SET | number;
        c->load_pc = now.first;
    }
    for (uint32_t i = s->n, looked = 0; i-- > 0 && looked < LOOK_BACK; looked++) {
        if (s->at[i].unit == me)
            return;
        if (order_before(s->at[i].unit)) /* whoever waits for this unit waits for that one as well */
            s->at[i] = s->at[--s->n];
    }
    append_load(s, me, pc);
}

static void load(struct cell *c, uint32_t me, uint32_t pc) {
    if (loaded_here(c)) {
        if (c->load_unit == me || !now.ordered)
            return;
        if (!order_before(c->load_unit)) {
            add_load(c, me, pc);
            return;
        }
    } else if (set_of(c)) {
        add_load(c, me, pc);
        return;
    }
    c->load_unit = me;
    c->load_pc = pc;
}

/* ---- one access ---- */

static void check_loads(struct cell *c, uintptr_t address, size_t bytes, uintptr_t pc, uint32_t me) {
    const struct set *s = set_of(c);
    bool found = false;
    if (loaded_here(c) && c->load_unit != me && !order_before(c->load_unit))
        conflict(address, c->load_unit, c->load_pc, false, true, pc, bytes);
    for (uint32_t i = 0; s && i < s->n; i++)
        if (s->at[i].unit != me && !order_before(s->at[i].unit)) {
            conflict(address, s->at[i].unit, s->at[i].pc, false, true, pc, bytes);
            found = true;
        }
    forgotten_loads += s && s->more && !found;
}

void access_copy_loads(struct cell *c) {
    const struct set *old = set_of(c);
    uint32_t number;
    if (!old)
        return;
    const uint32_t from = c->load_unit & ~(uint32_t)CELL_SET;
    struct set *s = set_new(&number);
    forgotten_loads += !s;
    c->load_unit = s ? CELL_SET | number : 0;
    for (uint32_t i = 0; s && i < sets[from].n; i++)
        append_load(s, sets[from].at[i].unit, sets[from].at[i].pc);
    if (s)
        s->more = sets[from].more;
}

static inline __attribute__((always_inline)) void
record_cell(struct page *p, struct cell *c, uint32_t me, uintptr_t address, size_t bytes, bool store, uintptr_t pc) {
    p->last = me;
    if (UNLIKELY(c->load_unit & CELL_LOST)) {
        if (!store)
            lost_read(address, bytes, pc, me, c);
        lost_clear(p, c);
    }
    if (c->store_unit != me && c->store_unit >= now.first && !order_before(c->store_unit))
        conflict(address, c->store_unit, c->store_pc, true, store, pc, bytes);
    if (!store) {
        if (c->load_unit != me)
            load(c, me, (uint32_t)pc);
        return;
    }
    if (c->load_unit != me && c->load_unit)
        check_loads(c, address, bytes, pc, me);
    c->store_unit = me;
    c->store_pc = (uint32_t)pc;
    if (now.ordered && c->load_unit)
        drop_loads(c);
}

static __attribute__((noinline)) void record_range(uintptr_t address, size_t bytes, bool store, uintptr_t pc) {
    const uint32_t me = context_now()->unit;
    struct page *p;
    struct cell *c;
    SHADOW_CELLS(address, bytes, true, p, c)
    record_cell(p, c, me, address, bytes, store, pc);
}

/* Mostly there is one cell of just this size. */
static inline __attribute__((always_inline)) void record(uintptr_t address, size_t bytes, bool store, uintptr_t pc) {
    struct page *p = bytes <= 8 ? shadow_find(address) : NULL;
    if (p && (size_t)1 << p->shift == bytes && !(address & (bytes - 1)))
        record_cell(p, &p->cell[(address & (PAGE - 1)) >> p->shift], context_now()->unit, address, bytes, store, pc);
    else
        record_range(address, bytes, store, pc);
}

static __attribute__((noinline)) void outside(uintptr_t address, size_t bytes, bool store, uintptr_t pc) {
    lost_outside(address, bytes, store, pc);
}

static inline __attribute__((always_inline)) void access_any(uintptr_t address, size_t bytes, bool store,
                                                             uintptr_t pc) {
    if (!verify_inside) {
        if (UNLIKELY(lost_cells))
            outside(address, bytes, store, pc);
        return;
    }
    access_count++;
    if (address < context_now()->stack && address > (uintptr_t)__builtin_frame_address(0))
        return; /* of a function that the unit called */
    if (!bytes || (now.copies && directive_copied(address)))
        return;
    if (now.checks_map)
        section_check(address, bytes, store, pc);
    record(address, bytes, store, pc);
}

unsigned long access_forgotten(void) { return forgotten_loads; }

/* ---- the compiler's names ---- */

#define HERE ((uintptr_t)__builtin_return_address(0))
#define OF_SIZE(n)                                                                                                     \
    EXPORT void __asan_load##n##_noabort(uintptr_t a) { access_any(a, n, false, HERE); }                               \
    EXPORT void __asan_store##n##_noabort(uintptr_t a) { access_any(a, n, true, HERE); }
void __asan_load1_noabort(uintptr_t), __asan_load2_noabort(uintptr_t), __asan_load4_noabort(uintptr_t);
void __asan_load8_noabort(uintptr_t), __asan_load16_noabort(uintptr_t), __asan_loadN_noabort(uintptr_t, size_t);
void __asan_store1_noabort(uintptr_t), __asan_store2_noabort(uintptr_t), __asan_store4_noabort(uintptr_t);
void __asan_store8_noabort(uintptr_t), __asan_store16_noabort(uintptr_t), __asan_storeN_noabort(uintptr_t, size_t);
void *__asan_memcpy(void *, const void *, size_t), *__asan_memmove(void *, const void *, size_t),
    *__asan_memset(void *, int, size_t);
void __asan_handle_no_return(void);
OF_SIZE(1)
OF_SIZE(2)
OF_SIZE(4)
OF_SIZE(8)
OF_SIZE(16)

EXPORT void __asan_loadN_noabort(uintptr_t a, size_t n) { access_any(a, n, false, HERE); }

EXPORT void __asan_storeN_noabort(uintptr_t a, size_t n) { access_any(a, n, true, HERE); }

EXPORT void *__asan_memcpy(void *to, const void *from, size_t n) {
    access_any((uintptr_t)from, n, false, HERE);
    access_any((uintptr_t)to, n, true, HERE);
    return memmove(to, from, n); /* a structure may be assigned to itself */
}

EXPORT void *__asan_memmove(void *to, const void *from, size_t n) {
    access_any((uintptr_t)from, n, false, HERE);
    access_any((uintptr_t)to, n, true, HERE);
    return memmove(to, from, n);
}

EXPORT void *__asan_memset(void *to, int value, size_t n) {
    access_any((uintptr_t)to, n, true, HERE);
    return memset(to, value, n);
}

EXPORT void __asan_handle_no_return(void) {}
