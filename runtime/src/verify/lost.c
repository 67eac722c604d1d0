/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that the serial program has in memory and a device would not: cells that `keep` drops, stores to what is only
 * sent, and what is brought back although nothing was stored. They are marked when the directive ends, what is private
 * when its iteration begins; a load that meets a mark is a finding, a store takes it away.
 */
#include "verify.h"

#include <string.h>

enum { LOSSES = 1 << 14 };
static struct {
    enum loss why;
    const struct heddle_verify_site *site;
    const char *name;
} losses[LOSSES];
static uint32_t count;
unsigned long lost_cells;

static uint32_t number_of(enum loss why, const struct heddle_verify_site *site, const char *name) {
    for (uint32_t i = count; i-- > 0;)
        if (losses[i].why == why && losses[i].site == site && !strcmp(losses[i].name, name))
            return i;
    if (count == LOSSES)
        return LOSSES - 1;
    losses[count].why = why;
    losses[count].site = site;
    losses[count].name = name;
    return count++;
}

void lost_mark(struct page *p, struct cell *c, enum loss why, const struct heddle_verify_site *site, const char *name) {
    static struct {
        enum loss why;
        const struct heddle_verify_site *site;
        const char *name;
        uint32_t number;
    } last;
    if (!last.name || last.why != why || last.site != site || last.name != name) {
        last.number = number_of(why, site, name);
        last.why = why, last.site = site, last.name = name;
    }
    if (!(c->load_unit & CELL_LOST)) {
        p->lost++;
        lost_cells++;
    }
    c->load_unit = CELL_LOST | last.number;
    c->load_pc = 0;
}

void lost_clear(struct page *p, struct cell *c) {
    if (!(c->load_unit & CELL_LOST))
        return;
    p->lost--;
    lost_cells--;
    c->load_unit = c->load_pc = 0;
}

void lost_read(uintptr_t address, size_t bytes, uintptr_t pc, uint32_t unit, const struct cell *c) {
    const uint32_t number = c->load_unit & ~CELL_LOST;
    struct finding f = {.kind = FOUND_LOST,
                        .site = losses[number].site,
                        .loss = losses[number].why,
                        .store = {true, false},
                        .pc = {losses[number].why >= LOSS_FROM ? 0 : c->store_pc, (uint32_t)pc},
                        .unit = {c->store_unit, unit},
                        .bytes = (unsigned)bytes};
    const char *name = losses[number].name;
    strncpy(f.what, name, sizeof f.what - 1);
    finding_add(&f, address);
}

void lost_outside(uintptr_t address, size_t bytes, bool store, uintptr_t pc) {
    struct page *p;
    struct cell *c;
    directive_lock();
    SHADOW_CELLS(address, bytes, false, p, c) {
        if (!(c->load_unit & CELL_LOST))
            continue;
        if (!store)
            lost_read(address, bytes, pc, 0, c);
        lost_clear(p, c);
    }
    directive_unlock();
}

EXPORT void heddle_verify_cell(const char *name, const volatile void *address, unsigned long bytes, int kept) {
    struct page *p;
    struct cell *c;
    if (!now.depth || now.nested)
        return;
    SHADOW_CELLS((uintptr_t)address, bytes, false, p, c) {
        if (kept)
            lost_clear(p, c);
        else if (c->store_unit >= now.first)
            lost_mark(p, c, LOSS_KEEP, now.site, name);
    }
}
