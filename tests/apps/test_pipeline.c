/* SPDX-License-Identifier: Apache-2.0 */
/* Every batch is read, scored, worked on in all its parts and written, in order and once; never more than `depth` are
 * under way; a write that says no is the last one. */
#include "check.h"

#include "pipeline.h"

#include "app.h"

#include <stdatomic.h>
#include <stdlib.h>

struct item {
    int number, parts;
    atomic_int done;
};

struct run {
    int count, stop_at, depth; /* batches there are; write says no at this one */
    int read, scored, written;
    atomic_int alive, worked;
};

static void *read_next(void *cookie) {
    struct run *run = cookie;
    if (run->read == run->count)
        return NULL;
    struct item *item = app_alloc(1, sizeof *item);
    item->number = run->read++;
    assert_true(atomic_fetch_add(&run->alive, 1) < run->depth);
    return item;
}

static int score(void *cookie, void *batch) {
    struct run *run = cookie;
    struct item *item = batch;
    assert_int_equal(item->number, run->scored++);
    return item->parts = item->number % 7;
}

static void work(void *cookie, void *batch, int part) {
    struct run *run = cookie;
    struct item *item = batch;
    assert_in_range(part, 0, item->parts - 1);
    atomic_fetch_add(&item->done, 1);
    atomic_fetch_add(&run->worked, 1);
}

static bool write_next(void *cookie, void *batch) {
    struct run *run = cookie;
    struct item *item = batch;
    assert_int_equal(item->number, run->written++);
    assert_int_equal(item->done, item->parts);
    return item->number != run->stop_at;
}

static void drop(void *cookie, void *batch) {
    struct run *run = cookie;
    atomic_fetch_sub(&run->alive, 1);
    free(batch);
}

static void check(int count, int stop_at, int workers, int depth) {
    struct run run = {.count = count, .stop_at = stop_at, .depth = depth};
    const bool stopped = stop_at >= 0 && stop_at < count;
    int parts = 0;
    pipeline_run(&(struct pipeline){&run, read_next, score, work, write_next, drop, workers, depth});
    for (int k = 0; k < count; k++)
        parts += k % 7;
    assert_int_equal(run.written, stopped ? stop_at + 1 : count);
    assert_int_equal(run.alive, 0);
    assert_true(stopped ? run.worked <= parts : run.worked == parts);
}

static void all_sizes(void **state) {
    (void)state;
    for (int workers = 1; workers <= 8; workers *= 2)
        for (int depth = 1; depth <= 5; depth += 2)
            for (int count = 0; count < 60; count += 1 + count) {
                check(count, -1, workers, depth);
                check(count, count / 2, workers, depth);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
