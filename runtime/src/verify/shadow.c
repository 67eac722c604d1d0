/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shadow memory: a table of two levels leads from an address to its page of 4096 bytes, which has cells of 8 bytes at
 * first and of fewer once something smaller is touched, so every byte has a record of its own where that matters.
 * The memory is bounded: when it is used up, pages that only directives before came to are used again, and then the
 * oldest ones, which is counted and said at the end.
 */
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct page **shadow_table[1 << SHADOW_HIGH];
static struct page **all; /* pages in use, for the search of one to give up */
static size_t pages, room, hand, bytes_used;
unsigned long shadow_forgotten;

static size_t size_of(unsigned shift) { return sizeof(struct page) + ((size_t)PAGE >> shift) * sizeof(struct cell); }

static void *obtain(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "heddle verify: no memory for its records; set HEDDLE_VERIFY_MEMORY lower\n");
        _Exit(1);
    }
    return p;
}

static struct page **slot_of(uintptr_t address) {
    const size_t high = (address >> (PAGE_BITS + SHADOW_LOW)) & ((1u << SHADOW_HIGH) - 1);
    if (!shadow_table[high])
        shadow_table[high] = obtain(sizeof(struct page *) << SHADOW_LOW);
    return &shadow_table[high][(address >> PAGE_BITS) & ((1u << SHADOW_LOW) - 1)];
}

static void release(size_t i) {
    struct page *p = all[i];
    *slot_of(p->base) = NULL;
    lost_cells -= p->lost;
    bytes_used -= size_of(p->shift);
    free(p);
    all[i] = all[--pages];
    all[i]->at = i;
}

/* Gives pages up until there is room for so many bytes; those that matter least first. */
static void make_room(size_t wanted, const struct page *keep) {
    for (size_t looked = 0; pages && bytes_used + wanted > limit_memory(); looked++) {
        hand = hand < pages ? hand : 0;
        const struct page *p = all[hand];
        const bool stale = p->last < now.first && !p->lost;
        if (p == keep || (!stale && looked < 64)) {
            hand++;
            continue;
        }
        shadow_forgotten += stale ? 0 : PAGE;
        release(hand);
    }
}

static struct page *new_page(uintptr_t address, unsigned shift, const struct page *keep) {
    make_room(size_of(shift), keep);
    struct page *p = calloc(1, size_of(shift));
    if (!p)
        obtain((size_t)-1 >> 1); /* says so */
    p->base = address & ~(uintptr_t)(PAGE - 1);
    p->shift = shift;
    bytes_used += size_of(shift);
    if (pages == room) {
        room = room ? 2 * room : 1024;
        struct page **more = realloc(all, room * sizeof *all);
        if (!more)
            obtain((size_t)-1 >> 1);
        all = more;
    }
    p->at = pages;
    all[pages++] = p;
    return p;
}

struct page *shadow_page(uintptr_t address, unsigned shift) {
    struct page **slot = slot_of(address);
    return *slot ? *slot : (*slot = new_page(address, shift < 3 ? shift : 3, NULL));
}

struct page *shadow_fine(struct page *p, unsigned shift) {
    if (p->shift <= shift)
        return p;
    struct page *fine = new_page(p->base, shift, p);
    fine->last = p->last;
    for (unsigned i = 0; i < (unsigned)PAGE >> shift; i++)
        if (fine->cell[i] = p->cell[i >> (p->shift - shift)], i & ((1u << (p->shift - shift)) - 1))
            access_copy_loads(&fine->cell[i]);
    const uint32_t lost = p->lost << (p->shift - shift);
    release(p->at);
    fine->lost = lost;
    lost_cells += lost;
    *slot_of(fine->base) = fine;
    return fine;
}

struct walk walk_begin(uintptr_t address, size_t bytes, bool make) {
    return (struct walk){.at = address, .end = address + bytes, .make = make};
}

bool walk_page(struct walk *w) {
    while (w->at < w->end) {
        const uintptr_t next = (w->at | (PAGE - 1)) + 1, end = next < w->end ? next : w->end;
        const uintptr_t begin = w->at;
        const unsigned fit = (unsigned)__builtin_ctzl(begin | end | 8);
        struct page *p = w->make ? shadow_page(begin, fit) : shadow_find(begin);
        w->at = end;
        if (!p)
            continue;
        p = shadow_fine(p, fit);
        w->page = p;
        w->index = (unsigned)((begin - p->base) >> p->shift);
        w->left = (unsigned)((end - begin) >> p->shift);
        return true;
    }
    return false;
}

void shadow_clear(uintptr_t address, size_t bytes) {
    struct page *p;
    struct cell *c;
    SHADOW_CELLS(address, bytes, false, p, c) {
        lost_clear(p, c);
        *c = (struct cell){0};
    }
}

void shadow_forget_all(void) {
    for (size_t i = 0; i < pages; i++)
        memset(all[i]->cell, 0, ((size_t)PAGE >> all[i]->shift) * sizeof(struct cell)), all[i]->lost = all[i]->last = 0;
    lost_cells = 0;
}
