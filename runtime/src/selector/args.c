/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call may touch, and where it may therefore run. The rule in every doubt: stay on the device that plain
 * OpenMP would use. A region may change device when each of its arguments is
 *   - a value that is no device pointer,
 *   - a map of memory that nobody has mapped yet: libomptarget does on any device what it would do on the default
 * device, or
 *   - a map inside an entry that may move; the entry is then made current there first.
 */
#include "selector.h"
#include "tasks.h"
#include <stdlib.h>
#include <string.h>

/* Contents up to this many bytes are searched for device pointers before a region leaves the default device; bytes. */
enum { SEARCH_BYTES = 1 << 20 };

void heddle__footprint_init(struct footprint *t, place_set allowed) {
    t->ranges = t->first;
    t->count = 0;
    t->room = RANGES_INLINE;
    t->allowed = allowed;
    t->pinned = NULL;
    t->to = t->from = t->env = 0;
    t->verify = false;
    t->moves = 0;
    t->reads = 0;
    t->alone = t->compares = false;
}

void heddle__footprint_free(struct footprint *t) {
    if (t->ranges != t->first)
        free(t->ranges);
    t->ranges = t->first;
}

static void add(struct footprint *t, struct range r) {
    for (int k = 0; k < t->count; k++)
        if (t->ranges[k].from <= r.from && r.to <= t->ranges[k].to)
            return;
    if (t->count == t->room) {
        struct range *more = malloc(2 * (size_t)t->room * sizeof *more);
        if (!more) { /* wider is always right */
            t->ranges[0] = RANGE_ALL;
            t->count = 1;
            return;
        }
        memcpy(more, t->ranges, (size_t)t->count * sizeof *more);
        heddle__footprint_free(t);
        t->ranges = more;
        t->room *= 2;
    }
    t->ranges[t->count++] = r;
}

static void pin(struct footprint *t, int device, const char *why) {
    t->allowed &= BIT(device);
    t->pinned = why;
}

/* A device pointer of the program pins the region to its device; of two devices plain OpenMP's wins. */
static void check_pointer(struct footprint *t, uintptr_t value, int default_device) {
    const int owner = heddle__exposed_find(value);
    if (owner >= 0)
        pin(t, t->allowed & BIT(owner) ? owner : default_device, "a device pointer of the program");
}

/* A value that lies where GPUs have their memory, perhaps from a library that OpenMP knows nothing of. The driver is
   asked only about what can be an address: doubles, too, are passed as values. */
static void check_foreign(struct footprint *t, uintptr_t value, int default_device) {
    const int owner = value >> 32 && !(value >> 48) && !t->pinned ? heddle__device_owner(value) : -1;
    if (owner >= 0)
        pin(t, t->allowed & BIT(owner) ? owner : default_device, "an address of device memory");
}

static void own_map(struct footprint *t, uintptr_t at, size_t bytes, int64_t type, int default_device) {
    if (bytes)
        add(t, (struct range){at, at + bytes});
    t->to += type & MAP_TO ? bytes : 0;
    t->from += type & MAP_FROM ? bytes : 0;
    /* a section of a pointer with static storage: the region could change the pointer, of which a device has a copy */
    const bool pointer = type & MAP_PTR_AND_OBJ;
    if ((pointer || !(type & MAP_FROM)) && bytes && !(type & MAP_MEMBER_OF)) {
        if (type & (MAP_TO | MAP_FROM) && !(type & ~(int64_t)(MAP_PLAIN | MAP_PTR_AND_OBJ)))
            t->verify = true;
        else /* map(alloc:) memory and parts of structures: the host version would write the program's own */
            t->allowed &= ~BIT(HOST);
    }
    if (type & MAP_TO && heddle__exposed_has_any() &&
        (bytes > SEARCH_BYTES || heddle__exposed_occurs_in((void *)at, bytes)))
        pin(t, default_device, "its data may hold device pointers");
}

static void in_entry(struct footprint *t, const struct entry *e, uintptr_t at, size_t bytes, int64_t type,
                     int default_device) {
    add(t, (struct range){e->from, e->to});
    if (e->default_device >= 0 &&
        e->default_device !=
            default_device) { /* the default device knows nothing of it: the region maps it there itself */
        t->to += type & MAP_TO ? bytes : 0;
        t->from += type & MAP_FROM ? bytes : 0;
        pin(t, default_device, "mapped on another device");
        return;
    }
    t->allowed &= ~BIT(HOST); /* the program's own memory is not the environment's */
    t->env += e->to - e->from;
    if (e->pinned)
        pin(t, default_device, e->pinned);
    else if (at < e->from || at + bytes > e->to)
        pin(t, default_device, "a section larger than what is mapped");
    else if (type & ~(int64_t)(MAP_PLAIN | MAP_PTR_AND_OBJ))
        pin(t, default_device, "part of a structure");
}

static void add_argument(struct footprint *t, const struct map_args *m, int k, int default_device) {
    const int64_t type = m->types[k];
    const uintptr_t at = (uintptr_t)m->args[k], base = (uintptr_t)m->bases[k];
    const size_t bytes = (size_t)m->sizes[k];
    check_pointer(t, at, default_device);
    if (type & MAP_LITERAL) {
        check_foreign(t, at, default_device);
        return;
    }
    check_pointer(t, base, default_device);
    if (type & MAP_PRIVATE) { /* copied for this run alone; the host version makes its own */
        t->to += bytes;
        if (heddle__exposed_has_any() && heddle__exposed_occurs_in((void *)at, bytes))
            pin(t, default_device, "its data may hold device pointers");
        return;
    }
    if ((m->mappers && m->mappers[k]) || type & MAP_NON_CONTIGUOUS) { /* may touch what we cannot see */
        add(t, RANGE_ALL);
        pin(t, default_device, "a user-defined mapper");
        return;
    }
    if (type & (MAP_PTR_AND_OBJ | MAP_ATTACH)) {
        const bool mapped = heddle__entry_find(base, base + sizeof(void *));
        if (mapped || !(type & MAP_ATTACH)) /* LLVM 22 tells of each pointer; one that has no copy stays as it is */
            add(t, (struct range){base, base + sizeof(void *)});
        if (mapped)
            pin(t, default_device, "a pointer inside mapped data");
        if (type & MAP_ATTACH) /* about the pointer alone, its target has an entry of its own */
            return;
    }
    struct entry *e = heddle__entry_find(at, at + bytes);
    if (!e)
        own_map(t, at, bytes, type, default_device);
    for (; e; e = heddle__entry_next(e, at + bytes))
        in_entry(t, e, at, bytes, type, default_device);
}

/* Device pointers in reach: the kernel may store addresses of its entries behind them. */
static void keep_if_exposed(struct footprint *t) {
    EACH_ENTRY (e, t, true)
        if (!e->pinned)
            e->pinned = "used together with a device pointer";
}

static void find_moves(struct footprint *t) {
    place_set everywhere = ~(place_set)0;
    EACH_ENTRY (e, t, t->env)
        everywhere &= e->valid;
    t->moves = t->env ? ~everywhere : 0;
}

uint64_t heddle__own_maps(const struct map_args *m) {
    uint64_t set = 0;
    for (int k = 0; k < m->count && k < 64; k++)
        if (!(m->types[k] & (MAP_LITERAL | MAP_PRIVATE | MAP_ATTACH)) && m->sizes[k] &&
            !heddle__entry_find((uintptr_t)m->args[k], (uintptr_t)m->args[k]))
            set |= (uint64_t)1 << k;
    return set;
}

bool heddle__present(const struct map_args *m, uint64_t own, int place) {
    bool present = false;
    heddle__inside++;
    for (int k = 0; k < m->count && !present; k++)
        present = (k >= 64 ? m->sizes[k] > 0 : own >> k & 1) && heddle__real()->is_present(m->args[k], place);
    heddle__inside--;
    return present;
}

bool heddle__own_fit(const struct map_args *m, uint64_t own, int place) {
    size_t bytes[64];
    int n = 0;
    for (int k = 0; k < m->count && k < 64; k++)
        if (own >> k & 1)
            bytes[n++] = (size_t)m->sizes[k];
    return heddle__device_fits(place, bytes, n);
}

/* LLVM 22: the region maps a pointer and what it points at, and the device's copy of the pointer gets the address
 * there. */
static bool attaches_own(const struct map_args *m, int k) {
    const uintptr_t pointer = (uintptr_t)m->bases[k];
    for (int j = 0; m->types[k] & MAP_ATTACH && j < m->count; j++)
        if (!(m->types[j] & (MAP_ATTACH | MAP_LITERAL | MAP_PRIVATE)) && (uintptr_t)m->args[j] <= pointer &&
            pointer < (uintptr_t)m->args[j] + (uintptr_t)m->sizes[j])
            return true;
    return false;
}

/* Does the task say that all which the region may see of a range is only read? *from: its map says otherwise. */
static bool only_read(const struct footprint *t, const struct range *r, const struct map_args *m,
                      const struct task *task, bool *from) {
    const struct entry *e = heddle__entry_find(r->from, r->to);
    bool seen = false;
    *from = false;
    for (int k = 0; k < m->count; k++) {
        const int64_t type = m->types[k];
        const uintptr_t at = (uintptr_t)m->args[k], end = at + (uintptr_t)m->sizes[k];
        if (type & (MAP_LITERAL | MAP_PRIVATE))
            continue;
        if (type & MAP_ATTACH) { /* LLVM 22: the device's copy of a pointer may change, if it has one */
            const uintptr_t pointer = (uintptr_t)m->bases[k];
            if (pointer < r->to && r->from < pointer + sizeof(void *))
                return false;
            continue;
        }
        if ((m->mappers && m->mappers[k]) || type & (MAP_NON_CONTIGUOUS | MAP_PTR_AND_OBJ))
            return false;
        if (end > at ? end <= r->from || r->to <= at : at < r->from || r->to <= at)
            continue;
        if (type & ~(int64_t)MAP_PLAIN || type & (MAP_ALWAYS | MAP_DELETE) || (!e && type & MAP_FROM) ||
            !(end > at ? heddle__task_only_reads(task, at, end) : heddle__task_only_reads(task, r->from, r->to)))
            return false;
        *from |= type & MAP_FROM;
        seen = true;
    }
    return seen && !t->pinned;
}

static void find_reads(struct footprint *t, const struct map_args *m) {
    const struct task *task = heddle__task_current();
    bool from;
    for (int k = 0; task && k < t->count; k++)
        if (only_read(t, &t->ranges[k], m, task, &from)) {
            t->alone |= from;
            const struct range read = t->ranges[k];
            t->ranges[k] = t->ranges[t->reads];
            t->ranges[t->reads++] = read;
        }
}

void heddle__footprint_of_region(struct footprint *t, const struct map_args *m, int default_device) {
    for (int k = 0; k < m->count; k++)
        add_argument(t, m, k, default_device);
    for (int k = 0; k < m->count; k++)
        if (attaches_own(m, k)) { /* as for members of structures before 22: what differs there cannot be told */
            t->allowed &= ~BIT(HOST);
            t->verify = false;
        }
    find_reads(t, m);
    t->allowed &=
        ~heddle__active_conflicts(t, true) | BIT(default_device); /* a device that works on it by the program's word */
    if (t->pinned && t->env && heddle__exposed_has_any())
        keep_if_exposed(t);
    find_moves(t);
}

/* A range, as far as what is mapped there reaches. */
static void add_entries(struct footprint *t, uintptr_t at, size_t bytes) {
    struct entry *e = heddle__entry_find(at, at + bytes);
    if (!e && bytes)
        add(t, (struct range){at, at + bytes});
    for (; e; e = heddle__entry_next(e, at + bytes)) {
        add(t, (struct range){e->from, e->to});
        t->env += e->to - e->from;
    }
}

/* Ranges of a data call; parts of structures and mappers may reach further than they say. */
void heddle__footprint_of_data(struct footprint *t, const struct map_args *m) {
    for (int k = 0; k < m->count; k++) {
        const int64_t type = m->types[k];
        const uintptr_t at = (uintptr_t)m->args[k];
        const size_t bytes = (size_t)m->sizes[k];
        if (type & (MAP_LITERAL | MAP_PRIVATE))
            continue;
        if ((m->mappers && m->mappers[k]) || type & MAP_NON_CONTIGUOUS) {
            add(t, RANGE_ALL);
            continue;
        }
        if (type & MAP_ATTACH) {
            add_entries(t, (uintptr_t)m->bases[k], sizeof(void *));
            continue;
        }
        add_entries(t, at, bytes);
        if (type & MAP_PTR_AND_OBJ)
            add(t, (struct range){(uintptr_t)m->bases[k], (uintptr_t)m->bases[k] + sizeof(void *)});
    }
}
