/* SPDX-License-Identifier: Apache-2.0 */
/* What tiles of nests cost, in memory and in the file that is kept for the program. */
#include "widths.h"
#include "file.h"
#include <pthread.h>
#include <string.h>

enum { ENTRIES = 256 };
static struct heddle__width_terms entries[ENTRIES];
static int known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_same(const struct heddle__width_terms *a, const struct heddle__width_terms *b) {
    return !strcmp(a->nest, b->nest) && !strcmp(a->device, b->device) && a->layout == b->layout &&
           a->height == b->height && a->workers == b->workers && a->rows == b->rows && a->columns == b->columns;
}

static struct heddle__width_terms *find(const struct heddle__width_terms *key) {
    for (int k = 0; k < known; k++)
        if (is_same(&entries[k], key))
            return &entries[k];
    return NULL;
}

static void keep(const struct heddle__width_terms *t) {
    struct heddle__width_terms *old = find(t);
    if (!old && known == ENTRIES) /* the oldest one goes */
        memmove(&entries[0], &entries[1], (size_t)--known * sizeof *entries);
    old = old ? old : &entries[known++];
    *old = *t;
}

static bool take(const struct heddle__row *row) {
    struct heddle__width_terms t = {.layout = row->width.layout,
                                    .height = row->width.height,
                                    .workers = row->width.workers,
                                    .rows = row->width.rows,
                                    .columns = row->width.columns,
                                    .diagonal = row->width.diagonal,
                                    .sync = row->width.sync};
    heddle__name_copy(t.nest, row->name, sizeof t.nest);
    heddle__name_copy(t.device, row->device, sizeof t.device);
    const struct heddle__width_terms *old = find(&t);
    if (!old || !old->own)
        keep(&t);
    return true;
}

static void write(FILE *f) {
    for (int k = 0; k < known; k++) {
        const struct heddle__width_terms *t = &entries[k];
        heddle__row_write(f, &(struct heddle__row){.kind = HEDDLE__ROW_WIDTH,
                                                   .name = t->nest,
                                                   .device = t->device,
                                                   .width = {t->layout, t->height, t->workers, t->rows, t->columns,
                                                             t->diagonal, t->sync}});
    }
}

static struct heddle__store store = {.suffix = HEDDLE__WIDTHS_SUFFIX,
                                     .what = "tile widths",
                                     .kinds = HEDDLE__ROW_BIT(HEDDLE__ROW_WIDTH),
                                     .take = take,
                                     .write = write};

static void load(void) { heddle__store_load(&store); }

bool heddle__width_recall(struct heddle__width_terms *t) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_mutex_lock(&lock);
    pthread_once(&once, load);
    const struct heddle__width_terms *old = find(t);
    if (old)
        *t = *old;
    pthread_mutex_unlock(&lock);
    return old != NULL;
}

void heddle__width_remember(const struct heddle__width_terms *t) {
    pthread_mutex_lock(&lock);
    keep(t);
    find(t)->own = true;
    heddle__store_save(&store);
    pthread_mutex_unlock(&lock);
}
