/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mapped sections: a device has what they send and gives back what they bring. An iteration has the sections of a chunk
 * that is this iteration alone, and those of all chunks; the tasks of a pool have the pool's.
 */
#include "verify.h"

#include <link.h>

enum { CONSTANTS = 512 };
static struct range constant[CONSTANTS];
static int constants = -1;

static int add_module(struct dl_phdr_info *m, size_t size, void *data) {
    (void)size, (void)data;
    for (int i = 0; i < m->dlpi_phnum && constants < CONSTANTS; i++) {
        const ElfW(Phdr) *h = &m->dlpi_phdr[i];
        if ((h->p_type == PT_LOAD && !(h->p_flags & PF_W)) || h->p_type == PT_GNU_RELRO)
            constant[constants++] = (struct range){m->dlpi_addr + h->p_vaddr, m->dlpi_addr + h->p_vaddr + h->p_memsz};
    }
    return 0;
}

/* Tables that nobody can change: a device has its own. */
bool section_is_constant(uintptr_t address) {
    static int last;
    if (constants < 0) {
        constants = 0;
        dl_iterate_phdr(add_module, NULL);
    }
    for (int i = 0; i < constants; i++, last = (last + 1) % constants)
        if (address >= constant[last].begin && address < constant[last].end)
            return true;
    return false;
}

static bool on_stack(uintptr_t address) {
    return address > (uintptr_t)__builtin_frame_address(0) &&
           address - (uintptr_t)__builtin_frame_address(0) < (1u << 26);
}

static void finding(enum finding_kind kind, uintptr_t address, size_t bytes, bool store, uintptr_t pc, int map) {
    struct finding f = {.kind = kind,
                        .site = now.site,
                        .pc = {0, (uint32_t)pc},
                        .store = {false, store},
                        .unit = {0, context_now()->unit},
                        .bytes = (unsigned)bytes,
                        .map = map};
    finding_add(&f, address);
}

static void check_set(const struct section *s, uintptr_t address, size_t bytes, uintptr_t pc) {
    struct page *p;
    struct cell *c;
    SHADOW_CELLS(address, bytes, true, p, c)
    if (c->store_unit < s->since) {
        finding(FOUND_UNSET, address, bytes, false, pc, s->map);
        return;
    }
}

const struct section *section_of(uintptr_t address) {
    for (int i = 0; i < now.sections; i++)
        if (address >= now.section[i].begin && address < now.section[i].end)
            return &now.section[i];
    return NULL;
}

void section_check(uintptr_t address, size_t bytes, bool store, uintptr_t pc) {
    static int last; /* one access is often followed by others of the same array */
    struct section *found = NULL;
    if (now.pool && now.depth < 2) /* the block itself runs on the host */
        return;
    for (int i = -1; i < now.sections; i++) {
        struct section *s = &now.section[i < 0 ? (last < now.sections ? last : 0) : i];
        if (s->begin > address || address + bytes > s->end || !now.sections)
            continue;
        found = s;
        last = (int)(s - now.section);
        if (s->map & (store ? HEDDLE_VERIFY_FROM : HEDDLE_VERIFY_TO))
            return;
    }
    if (!found && !on_stack(address) && !section_is_constant(address))
        finding(FOUND_UNMAPPED, address, bytes, store, pc, 0);
    if (found && store)
        found->stored = true;
    else if (found)
        check_set(found, address, bytes, pc);
}

/* What a section leaves behind: stores that do not come back, and what comes back without having been stored. */
void section_flush(struct section *s) {
    struct page *p;
    struct cell *c;
    const bool brings = s->map == HEDDLE_VERIFY_FROM;
    if (s->map == HEDDLE_VERIFY_TOFROM || (!brings && !s->stored))
        return;
    SHADOW_CELLS(s->begin, s->end - s->begin, brings, p, c)
    if (brings == (c->store_unit < s->since))
        lost_mark(p, c, brings ? LOSS_FROM : s->map == HEDDLE_VERIFY_TO ? LOSS_TO : LOSS_ALLOC, now.site, s->name);
}
