/* SPDX-License-Identifier: Apache-2.0 */
/* The list of findings: one for each pair of places in the code, with the first two iterations and a count. */
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 14 };
static struct finding *list;
static size_t count, room;
static unsigned long dropped;
static uint32_t slot[SLOTS]; /* number + 1 */

static bool same(const struct finding *a, const struct finding *b) {
    return a->kind == b->kind && a->site == b->site && a->pc[0] == b->pc[0] && a->pc[1] == b->pc[1] &&
           a->store[0] == b->store[0] && a->store[1] == b->store[1] && a->loss == b->loss;
}

static const struct heddle_verify_site *directive_of(const struct finding *f, int which) {
    const struct node *n = f->unit[which] ? unit_node(f->unit[which]) : NULL;
    return n ? n->site : f->site;
}

/* "y[3]" of the mapped array that holds the address, as far as sections were met. */
static void name_of(uintptr_t address, char *out, size_t size) {
    for (int i = 0; i < now.sections; i++) {
        const struct section *s = &now.section[i];
        if (address >= s->low && address < s->high && s->element) {
            snprintf(out, size, "%s[%ld]", s->name, (long)(address - s->base) / (long)s->element);
            return;
        }
    }
}

void finding_add(const struct finding *f, uintptr_t address) {
    const size_t h =
        (f->pc[0] * 0x9e3779b1u ^ f->pc[1] * 0x85ebca6bu ^ (uintptr_t)f->site >> 4 ^ f->kind * 0xc2b2ae35u) % SLOTS;
    for (size_t i = 0, at = h; i < SLOTS; i++, at = (at + 1) % SLOTS) {
        if (slot[at] && same(&list[slot[at] - 1], f)) {
            list[slot[at] - 1].count++;
            return;
        }
        if (slot[at])
            continue;
        if (count == SLOTS / 2)
            break;
        if (count == room) {
            room = room ? 2 * room : 64;
            struct finding *more = realloc(list, room * sizeof *list);
            if (!more)
                break;
            list = more;
        }
        list[count] = *f;
        struct finding *new = &list[count++];
        new->count = 1;
        for (int k = 0; k < 2; k++)
            if (new->unit[k])
                unit_text(new->unit[k], new->text[k], sizeof new->text[k]);
        new->of[0] = directive_of(f, 0);
        new->of[1] = directive_of(f, 1);
        if (!new->what[0])
            name_of(address, new->what, sizeof new->what);
        slot[at] = (uint32_t)count;
        return;
    }
    dropped++;
}

struct finding *finding_list(size_t *n, unsigned long *lost) {
    *n = count;
    *lost = dropped;
    return list;
}

void finding_forget(void) {
    memset(slot, 0, sizeof slot);
    count = 0;
    dropped = 0;
}
