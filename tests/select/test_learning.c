/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What learning costs, on made-up machines: choice.c, model.c and a policy, with a device 0 (home) and the host whose times
 * are functions of the run's number. Each test says what the whole may take against always choosing right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "select.h"
#include <stdlib.h>
#include <string.h>

/* ---- what choice.c and model.c need from the rest ----------------------------------------------------------- */

struct selector heddle__sel = {.devices = 1, .policy = &heddle__policy_earliest_finish};
struct kernel heddle__kernel_find(const void *id)
{
    static const struct image image = {.hash = 7};
    return (struct kernel){id, &image};
}
int heddle__cuda_info(int device, struct heddle__cuda_info *info) { return (void)device, (void)info, 0; }
size_t heddle__data_missing(const struct touch *t, int place) { return (void)t, (void)place, 0; }
int heddle__busy(int place, double *wait) { return (void)place, *wait = 0, 0; }
const struct flight *heddle__flights(void) { return NULL; }
void heddle__explain_choice(const struct heddle_choice *c, struct sample *s, const char *why) { (void)c, (void)s, (void)why; }

/* ---- a machine ---------------------------------------------------------------------------------------------- */

enum { DEVICE, CPU };
struct machine {
    double (*time)(int place, int at_place, int run, unsigned *seed); /* seconds of the region's n-th run, n-th at that place */
    struct region *region;
    int runs, at[2];
    unsigned seed;
};

static double noise(unsigned *seed, double share)
{
    *seed = *seed * 1664525u + 1013904223u;
    return 1 + share * ((double)(*seed >> 8) / (1 << 24) - 0.5);
}

static double one_run(struct machine *m)
{
    struct touch t = {.allowed = BIT(0) | (m->runs || m->region->model[CLASS_HOST] ? BIT(HOST) : 0)};
    struct sample s = {.region = m->region, .n = 1000, .bytes = 1000, .measure = true};
    const int place = heddle__choose(&s, &t) == HOST ? CPU : DEVICE;
    const double seconds = s.alone = m->time(place, m->at[place], m->runs, &m->seed);
    heddle__measured(&s, seconds);
    m->region->runs++;
    m->region->count[s.place]++;
    m->runs++;
    m->at[place]++;
    return seconds;
}

static double run(struct machine *m, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += one_run(m);
    return sum;
}

static struct machine start(double (*time)(int, int, int, unsigned *), const char *name)
{
    static bool classes;
    if (!classes)
        heddle__classes_start(1);
    classes = true;
    return (struct machine){.time = time, .region = heddle__region(name, NULL), .seed = 1};
}

/* ---- tests -------------------------------------------------------------------------------------------------- */

/* The first run on the host starts the threads. */
static double small_region(int place, int at, int run_number, unsigned *seed)
{
    (void)run_number;
    return noise(seed, 0.3) * (place == CPU ? at ? 6e-6 : 2.7e-3 : at ? 80e-6 : 0.5e-3);
}

static void a_slow_start_does_not_write_the_host_off(void **state)
{
    (void)state;
    struct machine m = start(small_region, "small");
    run(&m, 20);
    const int before = m.at[DEVICE];
    assert_true(run(&m, 1000) < 1.15 * 1000 * 6e-6);
    assert_true(m.at[DEVICE] - before < 15);
}

/* 12 times slower there, 25 ms each time. */
static double large_copies(int place, int at, int run_number, unsigned *seed)
{
    (void)at, (void)run_number;
    return noise(seed, 0.1) * (place == CPU ? 2e-3 : 25e-3);
}

static void a_hopeless_place_is_tried_once(void **state)
{
    (void)state;
    struct machine m = start(large_copies, "large");
    run(&m, 100);
    assert_int_equal(m.at[DEVICE], 1);
    run(&m, 4900); /* a hundredth may go there */
    assert_in_range(m.at[DEVICE], 2, 1 + 5000 * 2 / 25 / 100 + 2);
}

/* The first runs on the host meet something else that runs there. */
static double disturbed_at_first(int place, int at, int run_number, unsigned *seed)
{
    (void)run_number;
    return noise(seed, 0.1) * (place == CPU ? at < 4 ? 150e-6 : 6e-6 : 80e-6);
}

static void two_disturbed_runs_are_found_out(void **state)
{
    (void)state;
    struct machine m = start(disturbed_at_first, "disturbed");
    run(&m, 100);
    const int before = m.at[DEVICE];
    run(&m, 200);
    assert_true(m.at[DEVICE] - before < 10);
}

/* The host is slow for a while. */
static double slow_for_a_while(int place, int at, int run_number, unsigned *seed)
{
    (void)at;
    return noise(seed, 0.1) * (place == CPU ? run_number >= 200 && run_number < 230 ? 1e-3 : 50e-6 : 200e-6);
}

static void it_comes_back_after_a_slow_time(void **state)
{
    (void)state;
    struct machine m = start(slow_for_a_while, "a while");
    run(&m, 240);
    const int before = m.at[CPU];
    run(&m, 100);
    assert_true(m.at[CPU] - before > 80);
}

/* The device becomes the better place for good. */
static double change_of_world(int place, int at, int run_number, unsigned *seed)
{
    (void)at;
    return noise(seed, 0.1) * (place == CPU ? run_number < 500 ? 50e-6 : 500e-6 : 200e-6);
}

static void a_new_best_place_is_taken(void **state)
{
    (void)state;
    struct machine m = start(change_of_world, "world");
    run(&m, 520);
    const int before = m.at[DEVICE];
    run(&m, 1000);
    assert_true(m.at[DEVICE] - before > 950);
}

static double equal_places(int place, int at, int run_number, unsigned *seed)
{
    (void)place, (void)at, (void)run_number;
    return noise(seed, 0.2) * 100e-6;
}

static void predictions_are_within_a_tenth(void **state)
{
    (void)state;
    struct machine m = start(equal_places, "equal");
    run(&m, 500);
    int cells = 0;
    for (int class = 0; class < CLASSES; class++)
        for (int k = 0; m.region->model[class] && k < m.region->model[class]->count; k++)
            if (m.region->model[class]->cells[k].runs >= KNOWN_RUNS) {
                assert_true(heddle__cell_error(&m.region->model[class]->cells[k]) < 0.1);
                cells++;
            }
    assert_true(cells > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_start_does_not_write_the_host_off),
        cmocka_unit_test(a_hopeless_place_is_tried_once),
        cmocka_unit_test(two_disturbed_runs_are_found_out),
        cmocka_unit_test(it_comes_back_after_a_slow_time),
        cmocka_unit_test(a_new_best_place_is_taken),
        cmocka_unit_test(predictions_are_within_a_tenth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
