/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of a taskloop on a GPU. Handing a task to another worker takes about 1.5 us, most of it the release of its
 * stores and the way to the second-level cache, so tasks that are shorter are better run several at a time by one
 * worker. A tile is a parallelogram of the two innermost loops: column x of row y is at x + skew * y, which turns every
 * sink into one that reaches neither down nor to the right. Then tiles depend on their left and upper neighbours
 * alone (the diagonal one comes before both), and a worker may run the iterations of a tile in program order.
 *
 * Whether tasks are short is known from the pool's last run in this process, by the kernel's clocks.
 */
#include "pool.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN = 64, TILES_LEAST = 4096, TILES_OF_LANES_LEAST = 1024 };
/* On an H100, the grid of bench-tasks (330 cycles a task): 2 x 4 is best, 2 x 2 and 4 x 4 are within a fifth of it. */
struct shape {
    int rows, cols, cycles;
};
static const struct shape shapes[] = {{2, 4, 500}, {2, 2, 1000}, {0}};
/* The same where lanes have a row each, and a tile takes rows + columns steps. */
static const struct shape shapes_of_lanes[] = {{8, 16, 500}, {4, 8, 500},  {8, 8, 1000},
                                               {4, 4, 1000}, {2, 4, 1000}, {0}};

static struct known {
    const struct heddle_pool_type *type;
    double cycles; /* of one task */
} known[KNOWN];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct known *find(const struct heddle_pool_type *type) {
    for (int k = 0; k < KNOWN; k++)
        if (known[k].type == type || !known[k].type)
            return &known[k];
    return &known[0];
}

/* In a tile a task finds its neighbour's stores on their way, and takes about twice as long. */
void heddle__learn_tiles(const struct heddle_pool_type *type, double cycles, bool tiled) {
    cycles = tiled ? cycles / 2 : cycles;
    pthread_mutex_lock(&lock);
    *find(type) = (struct known){type, cycles};
    pthread_mutex_unlock(&lock);
}

static double cycles_of(const struct heddle_pool_type *type) {
    pthread_mutex_lock(&lock);
    const struct known *k = find(type);
    const double cycles = k->type == type ? k->cycles : 0;
    pthread_mutex_unlock(&lock);
    return cycles;
}

/* Iterations of a tile's two sides. false: tasks stay alone. */
static bool choose(const struct heddle_pool_type *type, const struct heddle_job *j, int *rows, int *cols) {
    char value[HEDDLE__OPTION_MAX];
    heddle__option_read("pool-tile", value, sizeof value);
    if (!strcmp(value, "off"))
        return false;
    if (strcmp(value, "auto") != 0) {
        char *end;
        const long r = strtol(value, &end, 10), c = *end == ',' ? strtol(end + 1, &end, 10) : 0;
        if (*end || r < 1 || c < 1 || r > 1024 || c > 1024) {
            heddle__option_bad("pool-tile", value);
            return false;
        }
        *rows = (int)r, *cols = (int)c;
        return true;
    }
    const double cycles = cycles_of(type);
    const bool lanes = type->worker == HEDDLE_WORKER_WARP && (type->flags[j->kind] & HEDDLE_TASK_PLAIN);
    for (const struct shape *s = lanes ? shapes_of_lanes : shapes; cycles > 0 && s->rows; s++)
        if (cycles <= s->cycles && j->total / (s->rows * s->cols) >= (lanes ? TILES_OF_LANES_LEAST : TILES_LEAST)) {
            *rows = s->rows, *cols = s->cols;
            return true;
        }
    return false;
}

/* The smallest skew under which no sink reaches to the right. Only sinks within a row of tiles and the one above fit */
static bool fits(const struct heddle_job *j, int rows, int cols, int d, int *skew) {
    *skew = 0;
    for (int q = 0; q < j->sinks; q++) {
        const int up = -j->sink[q][d], right = j->sink[q][d + 1];
        if ((d && j->sink[q][0]) || up < 0 || (up == 0 && right >= 0))
            return false;
        const int need = up ? (right + up - 1) / up : 0;
        *skew = right > 0 && need > *skew ? need : *skew;
    }
    for (int q = 0; q < j->sinks; q++) {
        const int up = -j->sink[q][d], left = -(j->sink[q][d + 1] - *skew * up);
        if (up > rows || left < 0 || left > cols)
            return false;
    }
    return true;
}

bool heddle__make_tiles(const struct heddle_pool_type *type, const struct heddle_job *from, struct heddle_job *to) {
    const int d = from->dims - 2;
    int rows = 0, cols = 0, skew = 0;
    *to = *from;
    if (!type->tiles || from->form != HEDDLE_FORM_LOOP || !from->sinks || d < 0 ||
        (type->flags[from->kind] & HEDDLE_TASK_WAITS))
        return false;
    if (!choose(type, from, &rows, &cols) || rows * cols < 2 || !fits(from, rows, cols, d, &skew))
        return false;
    const int64_t n = from->count[d], m = from->count[d + 1], wide = m + skew * (n - 1);
    bool up = false, left = false;
    for (int q = 0; q < from->sinks; q++) {
        const int above = -from->sink[q][d];
        up |= above > 0;
        left |= from->sink[q][d + 1] - skew * above < 0;
    }
    if (wide > INT32_MAX - 0x10000 || m < 2 * cols + skew)
        return false;
    memcpy(to->real, from->count, sizeof to->real);
    to->tile_rows = rows, to->tile_cols = cols, to->skew = skew;
    to->count[d] = (n + rows - 1) / rows;
    to->count[d + 1] = (wide + cols - 1) / cols;
    to->total = to->count[0] * to->count[1] * to->count[2];
    to->sinks = 0;
    memset(to->sink, 0, sizeof to->sink);
    memset(to->low, 0, sizeof to->low);
    memset(to->high, 0, sizeof to->high);
    if (left)
        to->sink[to->sinks++][d + 1] = to->low[d + 1] = -1;
    if (up)
        to->sink[to->sinks++][d] = to->low[d] = -1;
    to->order = to->level_start = NULL;
    to->levels = 0;
    return true;
}
