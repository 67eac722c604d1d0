/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that leave a device are searched before: a word that is an address on the device of departure would be wrong
 * at the place of arrival. A GPU searches its own memory and copies directly; other devices' data is searched in a host
 * buffer on the way.
 */
#include "selector.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct range) == sizeof(uintptr_t[2]), "a pair for heddle__device_search");

/* On a GPU a device's own heap lies near its mapped memory, so a word counts when it comes close; elsewhere
   exactly. bytes of slack */
static uintptr_t slack(int device) { return heddle__device_is_cuda(device) ? (uintptr_t)1 << 34 : 0; }

/* Host memory that has a copy on `device`. False: no memory. */
bool heddle__spans_on(struct spans *s, int device) {
    const int entries = heddle__data_count_entries();
    s->count = 0;
    s->range = malloc((size_t)(entries + 1) * sizeof *s->range);
    for (int k = 0; s->range && k < entries; k++) {
        const struct entry *e = heddle__entry_at(k);
        if (e->default_device == device || e->replicas & BIT(device))
            s->range[s->count++] = (struct range){e->from, e->to};
    }
    return s->range;
}

static int by_start(const void *a, const void *b) {
    const struct range *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Spans that meet become one: their slack makes few of many. */
static int merge(struct range *s, int n) {
    int kept = 0;
    if (n)
        qsort(s, (size_t)n, sizeof *s, by_start);
    for (int k = 0; k < n; k++)
        if (kept && s[k].from <= s[kept - 1].to)
            s[kept - 1].to = s[k].to > s[kept - 1].to ? s[k].to : s[kept - 1].to;
        else
            s[kept++] = s[k];
    return kept;
}

void heddle__spans_there(struct spans *s, int device) {
    const uintptr_t far = slack(device);
    int n = 0;
    for (int k = 0; k < s->count; k++) {
        const uintptr_t bytes = s->range[k].to - s->range[k].from;
        const uintptr_t at = (uintptr_t)heddle__real()->mapped_ptr((void *)s->range[k].from, device);
        if (at)
            s->range[n++] = (struct range){at > far ? at - far : 0, at + bytes + far};
    }
    s->count = merge(s->range, n);
}

static bool holds_pointer(const char *at, size_t bytes, const struct spans *s) {
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (int k = 0; k < s->count; k++) {
        low = s->range[k].from < low ? s->range[k].from : low;
        high = s->range[k].to > high ? s->range[k].to : high;
    }
    for (size_t k = 0; k + sizeof(uintptr_t) <= bytes; k += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, at + k, sizeof word);
        if (word < low || word >= high)
            continue;
        for (int j = 0; j < s->count; j++)
            if (word >= s->range[j].from && word < s->range[j].to)
                return true;
    }
    return false;
}

/* The first word-aligned part of host memory is searched; where there are no words nothing is found. */
bool heddle__data_addresses_in(const void *at, size_t bytes, int device) {
    const size_t skip = (sizeof(void *) - (uintptr_t)at % sizeof(void *)) % sizeof(void *);
    struct spans s;
    heddle__inside++;
    bool found = true;
    if (heddle__spans_on(&s, device)) {
        heddle__spans_there(&s, device);
        found = bytes > skip && holds_pointer((const char *)at + skip, bytes - skip, &s);
    }
    free(s.range);
    heddle__inside--;
    return found;
}

enum { BUFFER = 4 << 20 }; /* bytes */

/* Copies through the host, where each part is searched. to < 0: only looks. */
static bool carry_by_host(const char *source, char *target, size_t bytes, int from, int to, const struct spans *s) {
    const size_t chunk = bytes < BUFFER ? bytes : BUFFER;
    const int host = omp_get_initial_device();
    char *buffer = malloc(chunk ? chunk : 1);
    bool good = buffer;
    /* the device address of host memory that is 4 bytes off a word boundary keeps that offset */
    for (size_t k = 0; good && k < bytes; k += chunk) {
        const size_t part = bytes - k < chunk ? bytes - k : chunk;
        good = !heddle__real()->copy(buffer, source + k, part, 0, 0, host, from);
        const size_t skip = (sizeof(void *) - (uintptr_t)(source + k) % sizeof(void *)) % sizeof(void *);
        if (good && part > skip && holds_pointer(buffer + skip, part - skip, s))
            good = false;
        if (good && to >= 0)
            good = !heddle__real()->copy(target + k, buffer, part, 0, 0, to, host);
    }
    free(buffer);
    return good;
}

bool heddle__copy_and_scan(const struct range *host, int from, int to, const struct spans *s) {
    const size_t bytes = host->to - host->from;
    const char *source = heddle__real()->mapped_ptr((void *)host->from, from);
    char *target = to < 0 ? NULL : heddle__real()->mapped_ptr((void *)host->from, to);
    if (!source || !s->range || (to >= 0 && !target))
        return false;
    const int found = heddle__device_search(from, source, bytes, (const uintptr_t(*)[2])s->range, s->count);
    if (found < 0)
        return carry_by_host(source, target, bytes, from, to, s);
    /* between two devices: directly where libomptarget can (GPUs that are peers), and it knows where not */
    return !found && (to < 0 || !heddle__real()->copy(target, source, bytes, 0, 0, to, from));
}
