/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes of devices, and the regions of the program with what each costs on them (model/region.h). A device's first
 * run of a region is thrown away.
 */
#include "selector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct region *regions;
enum { BUCKETS = 1024 };
static struct region *buckets[BUCKETS];
static char classes[CLASSES][128] = {"host", "host in parallel"};
static int class_count = CLASS_FIRST_DEVICE, class_on[PLACES];

/* ---- classes --------------------------------------------------------------------------------------------- */

int heddle__class_named(const char *name) {
    for (int k = 0; k < class_count; k++)
        if (heddle__name_is(classes[k], name, sizeof *classes))
            return k;
    if (class_count == CLASSES)
        return -1;
    heddle__name_copy(classes[class_count], name, sizeof *classes);
    return class_count++;
}

const char *heddle__class_name(int class) { return classes[class]; }
int heddle__class_of(int place) { return place == HOST ? CLASS_HOST : class_on[place]; }

void heddle__classes_start(int devices) {
    for (int d = 0; d < devices; d++) {
        const struct heddle_device_info *facts = heddle__device_facts(d);
        const int k = heddle__class_named(facts && heddle__device_is_cuda(d) ? facts->name : "device");
        class_on[d] = k < 0 ? CLASSES - 1 : k;
    }
}

/* ---- regions ---------------------------------------------------------------------------------------------- */

static char *location(const struct ident *loc, const char *key) {
    char text[512];
    const char *s = loc && loc->source ? loc->source : "";
    char file[256] = "", function[128] = "";
    int line = 0;
    if (sscanf(s, ";%255[^;];%127[^;];%d", file, function, &line) == 3 && strcmp(file, "unknown") != 0) {
        const char *slash = strrchr(file, '/');
        snprintf(text, sizeof text, "%s:%d", slash ? slash + 1 : file, line);
        return strdup(text);
    }
    /* __omp_offloading_<device>_<file>_<function>_l<line>: without -g the file is only a number */
    const char *p = key;
    if (!strncmp(p, "__omp_offloading_", 17)) {
        p += 17;
        p = strchr(p, '_') ? strchr(p, '_') + 1 : p;
        p = strchr(p, '_') ? strchr(p, '_') + 1 : p;
    }
    snprintf(text, sizeof text, "%s", p);
    char *l = strrchr(text, '_');
    if (l && l[1] == 'l') {
        *l = ':';
        memmove(l + 1, l + 2, strlen(l + 2) + 1);
    }
    return strdup(text);
}

struct region *heddle__region_by_key(const char *key) {
    for (struct region *r = regions; r; r = r->next)
        if (!strcmp(r->key, key))
            return r;
    struct region *r = calloc(1, sizeof *r);
    char *copy = strdup(key);
    if (!r || !copy) {
        free(r);
        free(copy);
        return NULL;
    }
    r->key = copy;
    r->next = regions;
    regions = r;
    return r;
}

struct region *heddle__regions(void) { return regions; }

struct region *heddle__region_find(const void *id, const struct ident *loc) {
    size_t k = (uintptr_t)id * 0x9e3779b97f4a7c15u >> 54 & (BUCKETS - 1);
    for (int tries = 0; tries < 8; tries++, k = (k + 1) & (BUCKETS - 1)) {
        if (buckets[k] && buckets[k]->id == id)
            return buckets[k];
        if (!buckets[k])
            break;
    }
    const struct kernel kernel = heddle__kernel_find(id);
    struct region *r = heddle__region_by_key(kernel.name ? kernel.name : "unregistered");
    if (!r)
        return NULL;
    const uint64_t code = kernel.image ? kernel.image->hash : 0;
    if (r->code && r->code != code) /* another version of the library came */
        r->host_ok = r->host_no = r->address_free = r->addresses = false;
    r->code = code;
    if (r->stored_ok && r->code && r->code == r->stored_code) {
        r->host_ok = r->host_ok || r->stored_ok == 1;
        r->host_no = r->host_no || r->stored_ok == 2;
    }
    if (!r->where)
        r->where = location(loc, r->key);
    r->id = id;
    buckets[k] = r;
    return r;
}

void heddle__regions_unbind(void) { memset(buckets, 0, sizeof buckets); }

/* ---- costs ------------------------------------------------------------------------------------------------- */

static struct model *model_at(struct region *r, int class) {
    if (!r->model[class])
        r->model[class] = calloc(1, sizeof *r->model[class]);
    return r->model[class];
}

struct cell *heddle__cell_find(struct region *r, int class, const struct size *size, bool make) {
    struct model *m = make ? model_at(r, class) : r->model[class];
    return m ? heddle__model_cell(m, size, make) : NULL;
}

/* A first run does not count as a measurement, but it tells how bad the place can be at most. */
void heddle__region_add_first_run(struct region *r, int class, double seconds) {
    struct model *m = model_at(r, class);
    if (m && (m->first <= 0 || seconds < m->first))
        m->first = seconds;
    if (m)
        m->asked = r->spent;
}

void heddle__region_add_run(const struct sample *s, double seconds) {
    static const double BETTER = 0.75;
    struct region *r = s->region;
    const int class = s->place == HOST && s->nested ? CLASS_HOST_NESTED : heddle__class_of(s->place);
    r->spent += seconds;
    if (!(r->warm & BIT(s->place))) {
        heddle__region_add_first_run(r, class, s->shared ? s->alone : seconds);
        r->warm |= BIT(s->place);
        return;
    }
    struct cell *c = heddle__cell_find(r, class, &s->size, true);
    if (!c)
        return;
    if (s->shared && c->alone) /* others ran there too: an estimate, for want of better */
        return;
    if (!s->shared && !c->alone++)
        c->filled = c->next = 0;
    if (s->probe && c->filled &&
        s->alone < BETTER * c->median) /* it was measured while disturbed; if not, its next runs will tell */
        c->filled = c->next = 0, c->stale = STALE_NOW;
    heddle__cell_add(c, s->predicted, s->alone, r->runs);
    r->model[class]->fitted = false;
}

/* A link is a region that has bytes alone: no other link tells what they take. */
void heddle__model_fit(struct region *r, int class) {
    const bool link = heddle__is_link(r->key);
    heddle__model_fit_line(r->model[class], link ? 0 : heddle__link_rate(LINK_TO, class),
                           link ? 0 : heddle__link_rate(LINK_FROM, class));
}

static struct model *fitted(struct region *r, int class) {
    struct model *m = r->model[class];
    if (m && m->count && !m->fitted)
        heddle__model_fit(r, class);
    return m && m->count ? m : NULL;
}

double heddle__predict_transfers(struct region *r, int class, const struct size *size) {
    const struct model *m = fitted(r, class);
    return m && class >= CLASS_FIRST_DEVICE ? heddle__per_byte(m, size) * size->bytes : 0;
}

double heddle__predict(const struct region *r, int class, const struct size *size, unsigned *runs) {
    struct model *m = r->model[class];
    *runs = 0;
    if (!m || !m->count)
        return -1;
    struct cell *c = heddle__cell_find((struct region *)r, class, size, false);
    if (c && c->runs) {
        *runs = c->runs;
        return heddle__cell_median(c);
    }
    m = fitted((struct region *)r, class);
    return heddle__model_predict(m, size);
}
