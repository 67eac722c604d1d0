/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a region costs: T = T_setup + T_proc n + T_trans bytes, per region and class of device (Kim 2013, eq. 1).
 * A size that was measured is predicted by its own median; other sizes by the line through the medians, fitted by
 * medians of slopes so that an outlier moves nothing. T_trans is what the links take (links.c): the bytes of a region
 * mostly grow with n, and then its own times cannot tell one from the other. A device's first run of a region is thrown
 * away.
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
        if (!strcmp(classes[k], name))
            return k;
    if (class_count == CLASSES)
        return -1;
    snprintf(classes[class_count], sizeof *classes, "%s", name);
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

struct region *heddle__region(const void *id, const struct ident *loc) {
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

/* ---- cells ------------------------------------------------------------------------------------------------ */

double heddle__median(float *t, int n) {
    for (int a = 1; a < n; a++)
        for (int b = a; b > 0 && t[b] < t[b - 1]; b--) {
            const float swap = t[b];
            t[b] = t[b - 1];
            t[b - 1] = swap;
        }
    return n ? n % 2 ? t[n / 2] : 0.5 * ((double)t[n / 2 - 1] + (double)t[n / 2]) : 0;
}

static bool near(double a, double b) { return fabs(a - b) <= 0.01 * fmax(a, b); }

static struct model *model_at(struct region *r, int class) {
    if (!r->model[class])
        r->model[class] = calloc(1, sizeof *r->model[class]);
    return r->model[class];
}

struct cell *heddle__cell_find(struct region *r, int class, const struct size *size, bool make) {
    struct model *m = make ? model_at(r, class) : r->model[class];
    if (!m)
        return NULL;
    for (int k = 0; k < m->count; k++)
        if (near(m->cells[k].n, size->n) && near(m->cells[k].bytes, size->bytes) && near(m->cells[k].to, size->to))
            return &m->cells[k];
    if (!make)
        return NULL;
    int k = m->count;
    if (k == CELLS) { /* the size seen least makes room */
        k = 0;
        for (int j = 1; j < CELLS; j++)
            if (m->cells[j].runs < m->cells[k].runs)
                k = j;
    } else {
        m->count++;
    }
    m->cells[k] = (struct cell){.n = size->n, .bytes = size->bytes, .to = size->to};
    return &m->cells[k];
}

enum { NOW = 1000 }; /* runs since the median was taken: at once */

/* The medians, when runs came since; of a cell with many runs only now and then, for one run moves nothing. */
static void refresh(struct cell *c) {
    float t[RING];
    if (!c->stale || (c->runs > 32 && c->stale < 8) || (c->runs > 512 && c->stale < 32))
        return;
    c->stale = 0;
    memcpy(t, c->ring, sizeof t);
    c->median = heddle__median(t, (int)c->filled);
    for (unsigned k = 0; k < c->filled; k++)
        t[k] = (float)fabs((double)c->ring[k] - c->median);
    c->spread = heddle__median(t, (int)c->filled);
}

/* Four runs in a row far from the median, on the same side: the world has changed, so the past is forgotten. It may
   change back, which only another run would tell; so the place is asked again soon, should it lose by this. */
static void note_drift(struct cell *c, double seconds, unsigned long runs) {
    enum { ENOUGH = 4, SOON = 2 };
    const double off = seconds - c->median;
    if (c->filled < 5 || fabs(off) < 5 * c->spread || fabs(off) < 0.5 * c->median) {
        c->outliers = 0;
        return;
    }
    const unsigned sign = off > 0 ? 16 : 32;
    c->outliers = c->outliers & sign ? c->outliers + 1 : sign + 1;
    if ((c->outliers & 15) < ENOUGH)
        return;
    float last[ENOUGH - 1];
    for (unsigned k = 0; k < ENOUGH - 1; k++)
        last[k] = c->ring[(c->next + RING - 1 - k) % RING];
    c->filled = ENOUGH - 1;
    c->next = ENOUGH - 1;
    memcpy(c->ring, last, sizeof last);
    c->outliers = 0;
    c->stale = NOW;
    c->doubtful = off > 0;
    c->gap = SOON;
    c->retry = runs + SOON;
}

/* The first runs fall from one to the next (threads start, caches and clocks come up): two that agree end the learning.
 */
bool heddle__cell_has_settled(const struct cell *c) {
    enum { ENOUGH = 6 };
    if (c->runs >= ENOUGH)
        return true;
    if (c->filled < 2)
        return false;
    const double a = c->ring[(c->next + RING - 1) % RING], b = c->ring[(c->next + RING - 2) % RING];
    return fabs(a - b) <= 0.25 * fmax(a, b);
}

double heddle__cell_least(const struct cell *c) {
    double least = c->median;
    for (unsigned k = 0; k < c->filled; k++)
        least = c->ring[k] < least ? c->ring[k] : least;
    return least;
}

/* Median error of the predictions, as a share of the measured time. */
double heddle__cell_error(const struct cell *c) {
    float e[RING];
    memcpy(e, c->errors, sizeof e);
    return c->guesses ? heddle__median(e, c->guesses < RING ? (int)c->guesses : RING) : c->error;
}

static const double ABOVE_BASELINE = 1.5; /* times slower */

bool heddle__cell_is_suspect(const struct cell *c) {
    return c->baseline > 0 && c->median > ABOVE_BASELINE * c->baseline;
}

/* A machine that is disturbed for 20 ms makes dozens of short runs slow, enough to change their median; what thousands
   of runs said before is remembered until as many runs in a row say otherwise, 64 at most. */
static void note_baseline(struct cell *c, double seconds) {
    enum { LEAST = 6, MOST = 64 };
    const unsigned needed = c->runs < LEAST ? LEAST : c->runs > MOST ? MOST : c->runs;
    c->above_baseline = c->baseline > 0 && seconds > ABOVE_BASELINE * c->baseline ? c->above_baseline + 1 : 0;
    if (c->baseline <= 0 || c->above_baseline >= needed || !heddle__cell_is_suspect(c))
        c->baseline = c->median;
}

void heddle__cell_add(struct cell *c, double predicted, double seconds, unsigned long runs) {
    if (predicted > 0) {
        c->errors[c->guesses % RING] = (float)(fabs(predicted - seconds) / seconds);
        c->guesses++;
    }
    note_drift(c, seconds, runs);
    c->ring[c->next] = (float)seconds;
    c->next = (c->next + 1) % RING;
    c->filled += c->filled < RING;
    c->runs++;
    c->own++;
    c->stale++;
    note_baseline(c, seconds);
}

/* A first run does not count as a measurement, but it tells how bad the place can be at most. */
void heddle__region_first_run(struct region *r, int class, double seconds) {
    struct model *m = model_at(r, class);
    if (m && (m->first <= 0 || seconds < m->first))
        m->first = seconds;
    if (m)
        m->asked = r->spent;
}

void heddle__region_measured(const struct sample *s, double seconds) {
    static const double BETTER = 0.75;
    struct region *r = s->region;
    const int class = s->place == HOST && s->nested ? CLASS_HOST_NESTED : heddle__class_of(s->place);
    r->spent += seconds;
    if (!(r->warm & BIT(s->place))) {
        heddle__region_first_run(r, class, s->shared ? s->alone : seconds);
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
        c->filled = c->next = 0, c->stale = NOW;
    heddle__cell_add(c, s->predicted, s->alone, r->runs);
    r->model[class]->fitted = false;
}

/* ---- the line --------------------------------------------------------------------------------------------- */

/* Median of the slopes between all pairs of cells, in n; or in bytes, between cells of one n. */
static double slope(const struct model *m, bool by_bytes, const double *rest) {
    float s[CELLS * CELLS / 2];
    int k = 0;
    for (int a = 0; a < m->count; a++)
        for (int b = 0; b < a; b++) {
            const struct cell *x = &m->cells[a], *y = &m->cells[b];
            const double d = by_bytes ? x->bytes - y->bytes : x->n - y->n;
            if (fabs(d) > 1e-9 && (!by_bytes || near(x->n, y->n)))
                s[k++] = (float)((rest[a] - rest[b]) / d);
        }
    return heddle__median(s, k);
}

static double by_links(const struct model *m, const struct cell *c) {
    return m->per_to * c->to + m->per_from * (c->bytes - c->to);
}

/* The links' part is measured apart and comes first. A region may show less of it than pageable memory would: of
   memory that is locked, or where copies overlap. */
static void fit_links(struct region *r, int class, struct model *m) {
    static const double MOST = 0.95; /* of a region's time */
    const bool link = heddle__is_link(r->key);
    m->per_to = link ? 0 : heddle__link_rate(LINK_TO, class);
    m->per_from = link ? 0 : heddle__link_rate(LINK_FROM, class);
    m->link = 1;
    for (int k = 0; k < m->count; k++)
        if (m->cells[k].median > 0 && by_links(m, &m->cells[k]) > MOST * m->cells[k].median)
            m->link = fmin(m->link, MOST * m->cells[k].median / by_links(m, &m->cells[k]));
}

void heddle__model_fit(struct region *r, int class) {
    struct model *m = r->model[class];
    double rest[CELLS];
    float left[CELLS];
    m->fitted = true;
    for (int k = 0; k < m->count; k++)
        refresh(&m->cells[k]);
    fit_links(r, class, m);
    for (int k = 0; k < m->count; k++)
        rest[k] = m->cells[k].median - m->link * by_links(m, &m->cells[k]);
    m->per_byte = fmax(slope(m, true, rest), -m->link * fmin(m->per_to, m->per_from));
    for (int k = 0; k < m->count; k++)
        rest[k] -= m->per_byte * m->cells[k].bytes;
    m->per_item = fmax(slope(m, false, rest), 0);
    for (int k = 0; k < m->count; k++)
        left[k] = (float)(rest[k] - m->per_item * m->cells[k].n);
    m->setup = heddle__median(left, m->count);
    if (m->count == 1) { /* one size tells no slope: half is taken for setup */
        m->per_item = 0.5 * rest[0] / fmax(m->cells[0].n, 1);
        m->setup = 0.5 * rest[0];
    }
    m->setup = m->setup > 0 ? m->setup : 0;
}

double heddle__per_byte(const struct model *m, const struct size *size) {
    return size->bytes > 0
               ? m->per_byte + m->link * (m->per_to * size->to + m->per_from * (size->bytes - size->to)) / size->bytes
               : m->per_byte;
}

static struct model *fitted(struct region *r, int class) {
    struct model *m = r->model[class];
    if (m && m->count && !m->fitted)
        heddle__model_fit(r, class);
    return m && m->count ? m : NULL;
}

double heddle__transfer_time(struct region *r, int class, const struct size *size) {
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
        refresh(c);
        *runs = c->runs;
        return c->median;
    }
    m = fitted((struct region *)r, class);
    const double t = m->setup + m->per_item * size->n + heddle__per_byte(m, size) * size->bytes;
    return t > 0 ? t : 1e-7;
}
