/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's data environment: what is mapped, which device holds its value, and the device pointers that the
 * program was given.
 *
 * libomptarget's tables on the default device are the truth about what is mapped; here stands which device holds the
 * current value. A region may write all that it maps, so after it the device where it ran is the only current one,
 * except for what it only reads (reads.c). migrate.c carries it.
 */
#include "selector.h"
#include <stdlib.h>
#include <string.h>

static struct entry *entries; /* sorted; they do not overlap */
static int count, room;
static struct exposed {
    uintptr_t from, to;
    int device;
} *exposures;
static int exposed_count, exposed_room;
static unsigned kins;

static int lower(uintptr_t from) /* first entry that ends after `from` */
{
    int a = 0, b = count;
    while (a < b) {
        const int m = (a + b) / 2;
        if (entries[m].to > from)
            b = m;
        else
            a = m + 1;
    }
    return a;
}

struct entry *heddle__entry_find(uintptr_t from, uintptr_t to) {
    const int k = lower(from);
    if (k == count)
        return NULL;
    return entries[k].from < to || (from == to && entries[k].from <= from) ? &entries[k] : NULL;
}

struct entry *heddle__entry_next(const struct entry *e, uintptr_t to) {
    const int k = (int)(e - entries) + 1;
    return k < count && entries[k].from < to ? &entries[k] : NULL;
}

int heddle__data_count_entries(void) { return count; }
struct entry *heddle__entry_at(int k) { return &entries[k]; }

void heddle__entry_remove(struct entry *e) {
    if (e->exposed)
        heddle__exposed_remove(e->exposed, e->default_device);
    heddle__base_free(e);
    memmove(e, e + 1, (size_t)(count - (int)(e - entries) - 1) * sizeof *e);
    count--;
}

void heddle__entry_add(uintptr_t from, uintptr_t to, int default_device, const char *pinned) {
    struct entry *there = heddle__entry_find(from, to);
    if (there) { /* another part of what is known, or known under another default device: then it does not move */
        for (; there; there = heddle__entry_next(there, to))
            if (pinned || there->default_device != default_device)
                there->pinned = there->pinned ? there->pinned : pinned ? pinned : "mapped on two devices";
        return;
    }
    if (count == room) {
        struct entry *more = realloc(entries, (size_t)(room ? 2 * room : 64) * sizeof *more);
        if (!more) {
            heddle__give_up("out of memory");
            return;
        }
        entries = more;
        room = room ? 2 * room : 64;
    }
    const int k = lower(from);
    memmove(&entries[k + 1], &entries[k], (size_t)(count - k) * sizeof *entries);
    entries[k] = (struct entry){.from = from,
                                .to = to,
                                .default_device = default_device,
                                .valid = default_device < 0 ? 0 : BIT(default_device),
                                .pinned = pinned,
                                .dirty = true,
                                .alias_group = ++kins};
    count++;
}

struct entry *heddle__entry_at_address(const void *at, int device) {
    const char *wanted = at;
    struct entry *found = NULL;
    heddle__inside++;
    for (int k = 0; k < count && !found; k++) {
        const char *there =
            entries[k].default_device == device ? heddle__real()->mapped_ptr((void *)entries[k].from, device) : NULL;
        if (there && there <= wanted && wanted < there + (entries[k].to - entries[k].from))
            found = &entries[k];
    }
    heddle__inside--;
    return found;
}

/* ---- what calls do to it --------------------------------------------------------------------------------- */

void heddle__data_mark_changed(const struct footprint *t, int device) {
    EACH_ENTRY (e, t, true)
        if (e->default_device == device) {
            e->valid = BIT(device);
            e->dirty = true;
            e->writes++;
        }
}

void heddle__entry_expose(struct entry *e) {
    e->pinned = "the program holds its device pointer";
    if (e->exposed)
        return;
    e->exposed = heddle__real()->mapped_ptr((void *)e->from, e->default_device);
    if (e->exposed)
        heddle__exposed_add(e->exposed, e->to - e->from, e->default_device);
}

/* What one kernel sees together may point to each other from now on. */
static void join(struct entry *e, unsigned *alias_group) {
    const unsigned old = e->alias_group;
    if (*alias_group && old != *alias_group)
        for (int j = 0; j < count; j++)
            if (entries[j].alias_group == old)
                entries[j].alias_group = *alias_group;
    *alias_group = e->alias_group;
}

void heddle__data_mark_written(const struct footprint *t, int place, int default_device, uint64_t kept) {
    unsigned alias_group = 0;
    EACH_ENTRY (e, t, true) {
        if (e->default_device != default_device)
            continue;
        if (k_ >= t->reads || k_ >= 64 || !(kept >> k_ & 1)) {
            e->valid = BIT(place);
            e->dirty = true;
            e->writes++;
        }
        join(e, &alias_group);
    }
}

size_t heddle__data_count_missing(const struct footprint *t, int place) {
    size_t bytes = 0;
    EACH_ENTRY (e, t, true)
        bytes += e->default_device < 0 || e->valid & BIT(place) ? 0 : e->to - e->from;
    return bytes;
}

bool heddle__data_has_replica(uintptr_t at, int device) {
    const struct entry *e = heddle__entry_find(at, at);
    return e && device >= 0 && device < HOST && e->replicas & BIT(device);
}

/* ---- device pointers in the program's hands --------------------------------------------------------------- */

void heddle__exposed_add(const void *at, size_t bytes, int device) {
    if (exposed_count == exposed_room) {
        struct exposed *more = realloc(exposures, (size_t)(exposed_room + 64) * sizeof *more);
        if (!more) {
            heddle__give_up("out of memory");
            return;
        }
        exposures = more;
        exposed_room += 64;
    }
    exposures[exposed_count++] = (struct exposed){(uintptr_t)at, (uintptr_t)at + (bytes ? bytes : 1), device};
}

void heddle__exposed_remove(const void *at, int device) {
    for (int k = 0; k < exposed_count; k++)
        if (exposures[k].from == (uintptr_t)at && exposures[k].device == device) {
            exposures[k] = exposures[--exposed_count];
            return;
        }
}

int heddle__exposed_find(uintptr_t at) {
    for (int k = 0; k < exposed_count; k++)
        if (at >= exposures[k].from && at < exposures[k].to)
            return exposures[k].device;
    return -1;
}

bool heddle__exposed_has_any(void) { return exposed_count > 0; }

bool heddle__exposed_occurs_in(const void *at, size_t bytes) {
    for (size_t k = 0; k + sizeof(uintptr_t) <= bytes; k += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const char *)at + k, sizeof word);
        if (heddle__exposed_find(word) >= 0)
            return true;
    }
    return false;
}
