/* SPDX-License-Identifier: Apache-2.0 */
/* Data calls: what must be ready before them, and what is true afterwards. Which device a call of either kind means. */
#include "selector.h"
#include <omp.h>
#include <string.h>

bool heddle__may_move(int64_t device) { return device == -1 || (heddle__sel.override && !heddle__launching()); }

int heddle__plain_device(int64_t device, bool *by_word) {
    const int now = omp_get_default_device();
    if (now != heddle__sel.default_device) {
        if (heddle__data_count_entries() || heddle__active_regions())
            heddle__give_up("the program changes its default device while data is mapped");
        else
            heddle__sel.default_device = now;
    }
    if (device >= -1 && heddle__may_move(device) && device < heddle__sel.devices)
        device = -1;
    const int d = device == -1 ? now : (int)device;
    *by_word = d != now;
    return d >= 0 && d < heddle__sel.devices ? d : -1;
}

/* Waits for calls that we placed elsewhere and that touch the same ranges. What a device does ends by itself; of a
   host version only its thread can tell, and a thread that does other work tells nothing. Such a record is taken
   for done when it is far older than the region ever took. */
void heddle__wait_for(place_set conflicts) {
    enum { TOO_MANY = 8 }; /* records; then the program does not suit the host as a device */
    static int dropped;
    if (conflicts & BIT(HOST) && heddle__active_drop_host() && ++dropped == TOO_MANY) {
        heddle__sel.host_off = true;
        heddle__verbose("the ends of host versions cannot be told in this program; the host is no device any more");
    }
    if (heddle__active_regions() || heddle__data_any_migrating())
        heddle__wait(0.02);
}

static void call_real(enum data_call call, struct ident *loc, int64_t device, const struct map_args *m) {
    const struct real *real = heddle__real();
    void (*const function[])(DATA_PARAMETERS) = {real->begin, real->end, real->update};
    heddle__inside++;
    function[call](loc, device, m->count, m->bases, m->args, m->sizes, m->types, m->names, m->mappers);
    heddle__inside--;
}

/* The mapped memory that holds the pointer of a section: its copy on the device gets the section's address there. */
static struct entry *attached_pointer(const struct map_args *m, int k) {
    const uintptr_t pointer = (uintptr_t)m->bases[k];
    return m->types[k] & (MAP_ATTACH | MAP_PTR_AND_OBJ) ? heddle__entry_find(pointer, pointer + sizeof(void *)) : NULL;
}

/* Does libomptarget read or write the device's values in this call? */
static bool uses_values(enum data_call call, const struct map_args *m) {
    for (int k = 0; k < m->count; k++)
        if (call == DATA_UPDATE || m->types[k] & (MAP_ALWAYS | MAP_RETURN_PARAM) ||
            (call == DATA_END && m->types[k] & MAP_FROM) || (m->mappers && m->mappers[k]) ||
            (call == DATA_BEGIN && attached_pointer(m, k)))
            return true;
    return false;
}

static const char *reason_to_pin(const struct map_args *m, int k) {
    if (m->types[k] & MAP_RETURN_PARAM)
        return "the program holds its device pointer";
    if (m->types[k] & ~(int64_t)MAP_PLAIN)
        return "part of a structure";
    for (int j = 0; j < m->count; j++) /* the whole structure of which others are members */
        if ((uint64_t)m->types[j] >> 48 == (uint64_t)k + 1)
            return "a structure with pointers";
    return NULL;
}

/* New entries, and device pointers that the program got. */
static void after_begin(const struct map_args *m, int device) {
    for (int k = 0; k < m->count; k++) {
        const uintptr_t at = (uintptr_t)m->args[k];
        const int64_t type = m->types[k];
        if (type & (MAP_LITERAL | MAP_PRIVATE | MAP_ATTACH))
            continue;
        if (m->mappers && m->mappers[k])
            heddle__give_up("the program maps data by its own mapper");
        if (m->sizes[k] && heddle__real()->mapped_ptr(m->args[k], device))
            heddle__entry_add(at, at + (uintptr_t)m->sizes[k], device, reason_to_pin(m, k));
        struct entry *e = type & MAP_RETURN_PARAM ? heddle__entry_find(at, at) : NULL;
        if (e && e->default_device == device)
            heddle__entry_expose(e);
    }
    for (int k = 0; k < m->count; k++) {
        struct entry *pointer = attached_pointer(m, k);
        struct entry *target = pointer ? heddle__entry_find((uintptr_t)m->args[k], (uintptr_t)m->args[k] + 1) : NULL;
        if (target && target != pointer) { /* an address of this device: neither can move */
            pointer->pinned = pointer->pinned ? pointer->pinned : "a structure with pointers";
            target->pinned = target->pinned ? target->pinned : "part of a structure";
        }
    }
}

static void after_data(enum data_call call, const struct map_args *m, const struct footprint *t, int device) {
    heddle__inside++;
    if (call == DATA_BEGIN)
        after_begin(m, device);
    if (call == DATA_END)
        heddle__entry_sweep(t->ranges, t->count);
    heddle__inside--;
}

void heddle__run_data(enum data_call call, struct ident *loc, int64_t device, struct map_args m, bool task) {
    struct footprint t;
    struct active_region f;
    bool by_word;
    double now = heddle__host_running() ? heddle__now() : 0;
    if (heddle__stop_if_ending(false, task))
        return;
    if (heddle__sel.fixed && heddle__sel.devices < 0)
        heddle__select_once();
    if (heddle__sel.fixed) {
        if (heddle__enter_fixed(task)) {
            call_real(call, loc, device, &m);
            atomic_fetch_sub(&heddle__fixed_running, 1);
        }
        return;
    }
    heddle__lock();
    heddle__select_ready();
    heddle__host_end(now);
    const int d = heddle__plain_device(device, &by_word);
    if (d < 0) {
        heddle__unlock();
        call_real(call, loc, device, &m);
        return;
    }
    for (;;) {
        heddle__footprint_init(&t, BIT(d));
        heddle__footprint_of_data(&t, &m);
        const place_set busy = heddle__active_conflicts(&t, false);
        if (!(by_word ? busy & BIT(d) : busy & ~BIT(d)) && !heddle__data_is_migrating(&t))
            break;
        heddle__footprint_free(&t);
        heddle__wait_for(busy);
    }
    heddle__data_drop_replicas(&t, d);
    const bool values = uses_values(call, &m);
    if (values && !by_word)
        heddle__data_migrate(&t, d, d);
    if (heddle__stop_if_ending(true, task)) {
        heddle__footprint_free(&t);
        heddle__unlock();
        return;
    }
    heddle__active_begin(&f, d, &t, NULL, 0, 0);
    f.by_word = by_word;
    heddle__reads_begin(&t, &(struct reading){0});
    heddle__unlock();
    call_real(call, loc, d, &m);
    heddle__lock();
    heddle__active_end(&f, 0);
    if (values && call != DATA_END)
        heddle__data_mark_changed(&t, d);
    after_data(call, &m, &t, d);
    heddle__footprint_free(&t);
    heddle__unlock();
}
