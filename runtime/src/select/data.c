/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's data environment and its copies on other devices.
 *
 * libomptarget's tables on home are the truth about what is mapped; here stands which device holds the current
 * value. A region may write all that it maps, so after it the device where it ran is the only current one. A
 * shadow is mapped on its device with libomptarget too: a region launched there finds it present. Values that leave
 * home are searched before: a word that is an address on the device of departure would be wrong at the place of
 * arrival, so such data is pinned to its home for good. A GPU searches its own memory and copies directly; other
 * devices' data is searched in a host buffer on the way.
 */
#include "select.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static struct entry *entries; /* sorted; they do not overlap */
static int count, room;
static long shadows_live;
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

struct entry *heddle__entry_find(uintptr_t from, uintptr_t to)
{
    const int k = lower(from);
    if (k == count)
        return NULL;
    return entries[k].from < to || (from == to && entries[k].from <= from) ? &entries[k] : NULL;
}

struct entry *heddle__entry_next(const struct entry *e, uintptr_t to)
{
    const int k = (int)(e - entries) + 1;
    return k < count && entries[k].from < to ? &entries[k] : NULL;
}

int heddle__data_entries(void) { return count; }
long heddle__data_shadow_count(void) { return shadows_live; }

void heddle__entry_add(uintptr_t from, uintptr_t to, int home, const char *pinned)
{
    struct entry *there = heddle__entry_find(from, to);
    if (there) { /* another part of what is known, or known under another home: then it does not move */
        for (; there; there = heddle__entry_next(there, to))
            if (pinned || there->home != home)
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
    entries[k] = (struct entry){.from = from, .to = to, .home = home, .valid = home < 0 ? 0 : BIT(home),
                                .pinned = pinned, .dirty = true, .kin = ++kins};
    count++;
}

struct entry *heddle__entry_at_address(const void *at, int device)
{
    const char *wanted = at;
    struct entry *found = NULL;
    heddle__inside++;
    for (int k = 0; k < count && !found; k++) {
        const char *there = entries[k].home == device ? heddle__real()->mapped_ptr((void *)entries[k].from, device) : NULL;
        if (there && there <= wanted && wanted < there + (entries[k].to - entries[k].from))
            found = &entries[k];
    }
    heddle__inside--;
    return found;
}

/* ---- shadows --------------------------------------------------------------------------------------------- */

static void *address_on(const struct entry *e, int device)
{
    return heddle__real()->mapped_ptr((void *)e->from, device);
}

static bool shadow_make(struct entry *e, int device)
{
    void *at = (void *)e->from;
    int64_t bytes = (int64_t)(e->to - e->from), type = 0;
    if (e->shadows & BIT(device))
        return true;
    if (heddle__data_foreign(at, device))
        return false;
    struct heddle__cuda_info cuda;
    if (bytes > 64 << 20 && heddle__cuda_info(device, &cuda) && (size_t)bytes > cuda.memory_free / 8 * 7)
        return false;
    heddle__real()->begin(NULL, device, 1, &at, &at, &bytes, &type, NULL, NULL);
    if (!address_on(e, device))
        return false;
    e->shadows |= BIT(device);
    shadows_live++;
    return true;
}

static void shadow_drop(struct entry *e, int device)
{
    void *at = (void *)e->from;
    int64_t bytes = (int64_t)(e->to - e->from), type = 0;
    if (!(e->shadows & BIT(device)))
        return;
    heddle__real()->end(NULL, device, 1, &at, &at, &bytes, &type, NULL, NULL);
    e->shadows &= ~BIT(device);
    e->valid &= ~BIT(device);
    shadows_live--;
}

/* ---- the search for device pointers ---------------------------------------------------------------------- */

struct span {
    uintptr_t from, to;
};
_Static_assert(sizeof(struct span) == sizeof(uintptr_t[2]), "a pair for heddle__cuda_search");

/* On a GPU a device's own heap lies near its mapped memory, so a word counts when it comes close; elsewhere
   exactly. bytes of slack */
static uintptr_t slack(int device) { return device < heddle__cuda_count() ? (uintptr_t)1 << 34 : 0; }

/* All device memory that entries have on `device`. The caller frees. */
static struct span *spans_on(int device, int *n)
{
    struct span *s = malloc((size_t)(count + 1) * sizeof *s);
    *n = 0;
    for (int k = 0; s && k < count; k++)
        if (entries[k].home == device || entries[k].shadows & BIT(device)) {
            const uintptr_t at = (uintptr_t)address_on(&entries[k], device);
            const uintptr_t far = slack(device);
            if (at)
                s[(*n)++] = (struct span){at > far ? at - far : 0, at + (entries[k].to - entries[k].from) + far};
        }
    return s;
}

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Spans that meet become one: their slack makes few of many. */
static int merge(struct span *s, int n)
{
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

static bool holds_pointer(const char *at, size_t bytes, const struct span *s, int n)
{
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (int k = 0; k < n; k++) {
        low = s[k].from < low ? s[k].from : low;
        high = s[k].to > high ? s[k].to : high;
    }
    for (size_t k = 0; k + sizeof(uintptr_t) <= bytes; k += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, at + k, sizeof word);
        if (word < low || word >= high)
            continue;
        for (int j = 0; j < n; j++)
            if (word >= s[j].from && word < s[j].to)
                return true;
    }
    return false;
}

/* The first word-aligned part of host memory is searched; where there are no words nothing is found. */
bool heddle__data_addresses_in(const void *at, size_t bytes, int device)
{
    const size_t skip = (sizeof(void *) - (uintptr_t)at % sizeof(void *)) % sizeof(void *);
    int n = 0;
    heddle__inside++;
    struct span *s = spans_on(device, &n);
    const bool found = !s || (bytes > skip && holds_pointer((const char *)at + skip, bytes - skip, s, n));
    free(s);
    heddle__inside--;
    return found;
}

enum { BUFFER = 4 << 20 }; /* bytes */

/* Between two devices: directly where libomptarget can (GPUs that are peers), and it knows where not. */
static bool copy_direct(char *target, const char *source, size_t bytes, int to, int from)
{
    return !heddle__real()->copy(target, source, bytes, 0, 0, to, from);
}

/* Copies through the host, where each part is searched. to < 0: only looks. */
static bool carry_by_host(const char *source, char *target, size_t bytes, int from, int to, const struct span *s, int n)
{
    const size_t chunk = bytes < BUFFER ? bytes : BUFFER;
    const int host = omp_get_initial_device();
    char *buffer = malloc(chunk ? chunk : 1);
    bool good = buffer;
    /* the device address of host memory that is 4 bytes off a word boundary keeps that offset */
    for (size_t k = 0; good && k < bytes; k += chunk) {
        const size_t part = bytes - k < chunk ? bytes - k : chunk;
        good = !heddle__real()->copy(buffer, source + k, part, 0, 0, host, from);
        const size_t skip = (sizeof(void *) - (uintptr_t)(source + k) % sizeof(void *)) % sizeof(void *);
        if (good && part > skip && holds_pointer(buffer + skip, part - skip, s, n))
            good = false;
        if (good && to >= 0)
            good = !heddle__real()->copy(target + k, buffer, part, 0, 0, to, host);
    }
    free(buffer);
    return good;
}

/* Copies an entry from one device to another, or only looks at it (to < 0). False: it holds addresses, or a
   copy failed; what is at the destination does not count then. */
static bool carry(const struct entry *e, int from, int to)
{
    const size_t bytes = e->to - e->from;
    char *source = address_on(e, from), *target = to < 0 ? NULL : address_on(e, to);
    int n = 0;
    struct span *s = spans_on(from, &n);
    bool good = source && s && (to < 0 || target);
    if (good) {
        n = merge(s, n);
        const int found = heddle__cuda_search(from, source, bytes, (const uintptr_t(*)[2])s, n);
        if (found < 0)
            good = carry_by_host(source, target, bytes, from, to, s, n);
        else
            good = !found && (to < 0 || copy_direct(target, source, bytes, to, from));
    }
    free(s);
    return good;
}

/* The first move between two devices also opens the way between them and loads the search: it tells nothing. */
static void note_move(int from, int to, size_t bytes, double seconds)
{
    static place_set opened[PLACES];
    heddle__count_moved(to, bytes);
    if (opened[from] & BIT(to))
        heddle__link_measured(LINK_BETWEEN, heddle__class_of(to), bytes, seconds);
    opened[from] |= BIT(to);
}

/* Brings the value home without a look at it: it came from home, or was written by a kernel that may write
   anything; then home is where plain OpenMP would have put it. */
static void bring_home(struct entry *e)
{
    if (e->home < 0 || e->valid & BIT(e->home))
        return;
    const int from = __builtin_ctzll(e->valid | BIT(HOST));
    if (from == HOST)
        return;
    const size_t bytes = e->to - e->from;
    char *source = address_on(e, from), *target = address_on(e, e->home);
    const double start = heddle__now();
    if (!source || !target || !copy_direct(target, source, bytes, e->home, from))
        heddle__warn(NULL, "%zu bytes could not be copied from device %d back to device %d: their values are old there", bytes, from, e->home);
    e->valid |= BIT(e->home);
    note_move(from, e->home, bytes, heddle__now() - start);
}

/* ---- moves ------------------------------------------------------------------------------------------------ */

/* Others that a kernel saw together with `e` may hold e's old address: they must not be left behind. */
static bool kin_points_here(const struct entry *e, int from)
{
    for (int k = 0; k < count; k++) {
        struct entry *o = &entries[k];
        if (o == e || o->kin != e->kin || !o->dirty || o->pinned || !(o->valid & BIT(from)))
            continue;
        if (!carry(o, from, -1))
            return true;
        o->dirty = false;
    }
    return false;
}

static bool move_away(struct entry *e, int place)
{
    if (e->valid & BIT(place))
        return true;
    const int from = e->valid & BIT(e->home) ? e->home : __builtin_ctzll(e->valid);
    if (!shadow_make(e, place))
        return false;
    const double start = heddle__now(); /* the copy's memory is made once */
    if (!carry(e, from, place) || kin_points_here(e, from)) {
        bring_home(e);
        for (int d = 0; d < heddle__sel.devices; d++)
            shadow_drop(e, d);
        e->pinned = "it holds addresses of device memory";
        return false;
    }
    e->valid |= BIT(place);
    note_move(from, place, e->to - e->from, heddle__now() - start);
    return true;
}

bool heddle__data_move(const struct touch *t, int place, int home)
{
    bool good = true;
    heddle__inside++;
    for (int k = 0; good && k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e && good;
             e = heddle__entry_next(e, t->ranges[k].to)) {
            if (e->home == home && place == home)
                bring_home(e);
            else if (e->home == home)
                good = !e->pinned && move_away(e, place);
            else
                good = place == home;
        }
    heddle__inside--;
    return good;
}

void heddle__data_home(const struct touch *t, int device)
{
    heddle__inside++;
    for (int k = 0; k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to))
            if (e->home == device)
                bring_home(e);
    heddle__inside--;
}

void heddle__data_changed(const struct touch *t, int device)
{
    for (int k = 0; k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to))
            if (e->home == device) {
                e->valid = BIT(device);
                e->dirty = true;
            }
}

void heddle__entry_expose(struct entry *e)
{
    e->pinned = "the program holds its device pointer";
    if (e->exposed)
        return;
    e->exposed = address_on(e, e->home);
    if (e->exposed)
        heddle__exposed_add(e->exposed, e->to - e->from, e->home);
}

/* What one kernel sees together may point to each other from now on. */
static void join(struct entry *e, unsigned *kin)
{
    const unsigned old = e->kin;
    if (*kin && old != *kin)
        for (int j = 0; j < count; j++)
            if (entries[j].kin == old)
                entries[j].kin = *kin;
    *kin = e->kin;
}

void heddle__data_written(const struct touch *t, int place, int home)
{
    unsigned kin = 0;
    for (int k = 0; k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to)) {
            if (e->home != home)
                continue;
            e->valid = BIT(place);
            e->dirty = true;
            join(e, &kin);
        }
}

void heddle__data_all_home(void)
{
    heddle__inside++;
    for (int k = 0; k < count; k++) {
        bring_home(&entries[k]);
        for (int d = 0; entries[k].shadows && d < heddle__sel.devices; d++)
            shadow_drop(&entries[k], d);
    }
    heddle__inside--;
}

/* The program is about to map these ranges on `device` itself: our copies there must not be found. */
void heddle__data_drop_shadows(const struct touch *t, int device)
{
    heddle__inside++;
    for (int k = 0; k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to))
            if (e->home != device && e->home >= 0) {
                if (e->valid == BIT(device))
                    bring_home(e);
                shadow_drop(e, device);
                e->pinned = e->pinned ? e->pinned : "mapped on two devices";
            }
    heddle__inside--;
}

void heddle__entry_sweep(const struct range *ranges, int n)
{
    heddle__inside++;
    for (int r = 0; r < n; r++)
        for (int k = lower(ranges[r].from); k < count && entries[k].from < ranges[r].to; k++) {
            struct entry *e = &entries[k];
            if (e->home < 0 || address_on(e, e->home))
                continue;
            for (int d = 0; e->shadows && d < heddle__sel.devices; d++)
                shadow_drop(e, d);
            if (e->exposed)
                heddle__exposed_remove(e->exposed, e->home);
            memmove(e, e + 1, (size_t)(count - k - 1) * sizeof *e);
            count--;
            k--;
        }
    heddle__inside--;
}

size_t heddle__data_missing(const struct touch *t, int place)
{
    size_t bytes = 0;
    for (int k = 0; k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to))
            bytes += e->home < 0 || e->valid & BIT(place) ? 0 : e->to - e->from;
    return bytes;
}

bool heddle__data_shadowed(uintptr_t at, int device)
{
    const struct entry *e = heddle__entry_find(at, at);
    return e && device >= 0 && device < HOST && e->shadows & BIT(device);
}

bool heddle__data_foreign(void *at, int device)
{
    heddle__inside++;
    const bool there = heddle__real()->is_present(at, device) && !heddle__data_shadowed((uintptr_t)at, device);
    heddle__inside--;
    return there;
}

/* ---- device pointers in the program's hands --------------------------------------------------------------- */

void heddle__exposed_add(const void *at, size_t bytes, int device)
{
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

void heddle__exposed_remove(const void *at, int device)
{
    for (int k = 0; k < exposed_count; k++)
        if (exposures[k].from == (uintptr_t)at && exposures[k].device == device) {
            exposures[k] = exposures[--exposed_count];
            return;
        }
}

int heddle__exposed_at(uintptr_t at)
{
    for (int k = 0; k < exposed_count; k++)
        if (at >= exposures[k].from && at < exposures[k].to)
            return exposures[k].device;
    return -1;
}

bool heddle__exposed_any(void) { return exposed_count > 0; }

bool heddle__exposed_inside(const void *at, size_t bytes)
{
    for (size_t k = 0; k + sizeof(uintptr_t) <= bytes; k += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const char *)at + k, sizeof word);
        if (heddle__exposed_at(word) >= 0)
            return true;
    }
    return false;
}
