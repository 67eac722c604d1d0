/* SPDX-License-Identifier: Apache-2.0 */
/* What the selector learnt of regions and links, as rows of its file. It is read at the first region. */
#include "selector.h"
#include "model/file.h"
#include <stdlib.h>
#include <string.h>

/* ---- reading ---------------------------------------------------------------------------------------------- */

/* As if the last runs had all been the median: new runs outvote it soon. */
static void fill(struct cell *c, const struct heddle__row *row) {
    c->median = c->baseline = row->region.median;
    c->spread = row->region.spread;
    c->error = row->region.error;
    c->runs = (unsigned)row->region.runs;
    c->filled = c->runs < 5 ? c->runs : 5;
    c->next = c->filled;
    c->alone = c->filled;
    for (unsigned k = 0; k < c->filled; k++)
        c->ring[k] = (float)c->median;
}

static struct region *region_of(const struct heddle__row *row) {
    char key[64];
    if (row->kind != HEDDLE__ROW_LINK)
        return heddle__region_by_key(row->name);
    snprintf(key, sizeof key, "(%s)", row->name);
    return heddle__region_by_key(key);
}

/* What this process measured itself stays; only the count of runs on disk is taken over then. */
static bool take(const struct heddle__row *row) {
    const int class = heddle__class_named(row->device);
    struct region *r = region_of(row);
    if (class < 0 || !r || row->region.median <= 0)
        return true;
    if (row->kind == HEDDLE__ROW_FIRST) {
        heddle__region_add_first_run(r, class, row->region.median);
        return true;
    }
    if (row->kind == HEDDLE__ROW_REGION) {
        r->stored_ok = (int)row->region.host;
        r->stored_code = row->region.code;
        if (!r->where && *row->region.where)
            r->where = strdup(row->region.where);
    }
    const struct size size = {row->region.n, row->region.bytes, row->region.to_bytes};
    struct cell *c = heddle__cell_find(r, class, &size, true);
    if (c && !c->own)
        fill(c, row);
    else if (c)
        c->runs = c->own + (unsigned)row->region.runs;
    return true;
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

/* Not found out here: what was known of this code stays. */
static long host_result(const struct region *r) {
    const long found = r->host_no ? HEDDLE__HOST_DIFFERS : r->host_ok ? HEDDLE__HOST_SAME : HEDDLE__HOST_UNKNOWN;
    return !found && (!r->code || r->code == r->stored_code) ? r->stored_ok : found;
}

/* Slow of late: what it usually takes stays, but counts for less from process to process. */
static void write_cell(FILE *f, const struct region *r, int class, const struct cell *c, const struct model *m) {
    const bool suspect = heddle__cell_is_suspect(c);
    const struct size size = {c->n, c->bytes, c->to};
    char link[64];
    struct heddle__row row = {.kind = HEDDLE__ROW_REGION,
                              .name = r->key,
                              .device = heddle__class_name(class),
                              .region = {.where = r->where,
                                         .host = host_result(r),
                                         .code = r->code ? r->code : r->stored_code,
                                         .n = c->n,
                                         .bytes = c->bytes,
                                         .to_bytes = c->to,
                                         .runs = suspect ? (c->runs + 7) / 8 : c->runs,
                                         .median = suspect ? c->baseline : c->median,
                                         .spread = c->spread,
                                         .error = heddle__cell_error(c),
                                         .setup = m->setup,
                                         .per_item = m->per_item,
                                         .per_byte = heddle__per_byte(m, &size)}};
    if (heddle__is_link(r->key)) {
        snprintf(link, sizeof link, "%.*s", (int)strcspn(r->key + 1, ")"), r->key + 1);
        row.kind = HEDDLE__ROW_LINK;
        row.name = link;
    }
    heddle__row_write(f, &row);
}

static void write_class(FILE *f, struct region *r, int class) {
    struct model *m = r->model[class];
    int rows = 0;
    heddle__model_fit(r, class);
    for (int k = 0; k < m->count; k++)
        if (m->cells[k].runs) {
            write_cell(f, r, class, &m->cells[k], m);
            rows++;
        }
    if (!rows && m->first > 0)
        heddle__row_write(f, &(struct heddle__row){.kind = HEDDLE__ROW_FIRST,
                                                   .name = r->key,
                                                   .device = heddle__class_name(class),
                                                   .region = {.where = r->where, .median = m->first}});
}

static void write(FILE *f) {
    for (struct region *r = heddle__regions(); r; r = r->next)
        for (int class = 0; class < CLASSES; class ++)
            if (r->model[class])
                write_class(f, r, class);
}

static bool anything_new(void) {
    for (struct region *r = heddle__regions(); r; r = r->next)
        for (int class = 0; class < CLASSES; class ++)
            for (int k = 0; r->model[class] && k < r->model[class]->count; k++)
                if (r->model[class]->cells[k].own)
                    return true;
    return false;
}

static struct heddle__store store = {.suffix = HEDDLE__REGIONS_SUFFIX,
                                     .what = "target regions",
                                     .kinds = HEDDLE__ROW_BIT(HEDDLE__ROW_REGION) | HEDDLE__ROW_BIT(HEDDLE__ROW_FIRST) |
                                              HEDDLE__ROW_BIT(HEDDLE__ROW_LINK),
                                     .take = take,
                                     .write = write};

void heddle__models_load(void) { heddle__store_load(&store); }

void heddle__models_save(void) {
    if (anything_new())
        heddle__store_save(&store);
}
