/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What learning costs, on made-up machines: choice.c, model.c, link.c and a policy, with a device 0 (the default
 * device) and the host whose times are functions of the run's number. Each test says what the whole may take against
 * always choosing right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "selector/selector.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- what choice.c and model.c need from the rest ----------------------------------------------------------- */

struct selector heddle__sel = {.devices = 1, .policy = &heddle__policy_earliest_finish};
struct kernel heddle__kernel_find(const void *id) {
    static const struct image image = {.hash = 7};
    return (struct kernel){id, &image};
}
const struct heddle_device_info *heddle__device_facts(int device) { return (void)device, NULL; }
bool heddle__device_is_cuda(int device) { return (void)device, false; }
size_t heddle__data_count_missing(const struct footprint *t, int place) { return (void)t, (void)place, 0; }
int heddle__active_count(int place, double *wait) { return (void)place, *wait = 0, 0; }
const struct active_region *heddle__active_regions(void) { return NULL; }
const struct real *heddle__real(void) { return NULL; }
_Thread_local int heddle__inside;
int omp_get_initial_device(void) { return 1; }
double heddle__now(void) { return 0; }
void heddle__explain_choice(const struct heddle_choice *c, struct sample *s, const char *why) {
    (void)c, (void)s, (void)why;
}

/* ---- a machine ---------------------------------------------------------------------------------------------- */

enum { DEVICE, CPU };
struct machine {
    double (*time)(int place, int at_place, int run,
                   unsigned *seed); /* seconds of the region's n-th run, n-th at that place */
    struct region *region;
    int runs, at[2];
    unsigned seed;
};

static double noise(unsigned *seed, double share) {
    *seed = *seed * 1664525u + 1013904223u;
    return 1 + share * ((double)(*seed >> 8) / (1 << 24) - 0.5);
}

static double one_run(struct machine *m) {
    struct footprint t = {.allowed = BIT(0) | (m->runs || m->region->model[CLASS_HOST] ? BIT(HOST) : 0)};
    struct sample s = {.region = m->region, .size = {1000, 1000, 500}, .graph_place = -1, .measure = true};
    const int place = heddle__choose(&s, &t) == HOST ? CPU : DEVICE;
    const double seconds = s.alone = m->time(place, m->at[place], m->runs, &m->seed);
    heddle__region_add_run(&s, seconds);
    m->region->runs++;
    m->region->count[s.place]++;
    m->runs++;
    m->at[place]++;
    return seconds;
}

static double run(struct machine *m, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += one_run(m);
    return sum;
}

static struct machine start(double (*time)(int, int, int, unsigned *), const char *name) {
    static bool classes;
    if (!classes)
        heddle__classes_start(1);
    classes = true;
    return (struct machine){.time = time, .region = heddle__region_find(name, NULL), .seed = 1};
}

/* ---- tests -------------------------------------------------------------------------------------------------- */

/* The first run on the host starts the threads. */
static double small_region(int place, int at, int run_number, unsigned *seed) {
    (void)run_number;
    return noise(seed, 0.3) * (place == CPU ? at ? 6e-6 : 2.7e-3 : at ? 80e-6 : 0.5e-3);
}

static void a_slow_start_does_not_write_the_host_off(void **state) {
    (void)state;
    struct machine m = start(small_region, "small");
    run(&m, 20);
    const int before = m.at[DEVICE];
    assert_true(run(&m, 1000) < 1.15 * 1000 * 6e-6);
    assert_true(m.at[DEVICE] - before < 15);
}

/* 12 times slower there, 25 ms each time. */
static double large_copies(int place, int at, int run_number, unsigned *seed) {
    (void)at, (void)run_number;
    return noise(seed, 0.1) * (place == CPU ? 2e-3 : 25e-3);
}

static void a_hopeless_place_is_tried_once(void **state) {
    (void)state;
    struct machine m = start(large_copies, "large");
    run(&m, 100);
    assert_int_equal(m.at[DEVICE], 1);
    run(&m, 4900); /* a hundredth may go there */
    assert_in_range(m.at[DEVICE], 2, 1 + 5000 * 2 / 25 / 100 + 2);
}

/* The first runs on the host meet something else that runs there. */
static double disturbed_at_first(int place, int at, int run_number, unsigned *seed) {
    (void)run_number;
    return noise(seed, 0.1) * (place == CPU ? at < 4 ? 150e-6 : 6e-6 : 80e-6);
}

static void two_disturbed_runs_are_found_out(void **state) {
    (void)state;
    struct machine m = start(disturbed_at_first, "disturbed");
    run(&m, 100);
    const int before = m.at[DEVICE];
    run(&m, 200);
    assert_true(m.at[DEVICE] - before < 10);
}

/* The host is slow for a while. */
static double slow_for_a_while(int place, int at, int run_number, unsigned *seed) {
    (void)at;
    return noise(seed, 0.1) * (place == CPU ? run_number >= 200 && run_number < 230 ? 1e-3 : 50e-6 : 200e-6);
}

static void it_comes_back_after_a_slow_time(void **state) {
    (void)state;
    struct machine m = start(slow_for_a_while, "a while");
    run(&m, 240);
    const int before = m.at[CPU];
    run(&m, 100);
    assert_true(m.at[CPU] - before > 80);
}

/* For a short time the host is so slow that it looks hopeless; it was the best place by far for long. */
static double very_slow_for_a_while(int place, int at, int run_number, unsigned *seed) {
    (void)at;
    return noise(seed, 0.1) * (place == CPU ? run_number >= 1200 && run_number < 1230 ? 3.4e-3 : 7e-6 : 90e-6);
}

static void what_thousands_of_runs_said_is_not_forgotten_for_a_few(void **state) {
    (void)state;
    struct machine m = start(very_slow_for_a_while, "very slow");
    run(&m, 1230);
    const int before = m.at[CPU];
    run(&m, 200);
    assert_true(m.at[CPU] - before > 150);
}

/* The device becomes the better place for good. */
static double change_of_world(int place, int at, int run_number, unsigned *seed) {
    (void)at;
    return noise(seed, 0.1) * (place == CPU ? run_number < 500 ? 50e-6 : 500e-6 : 200e-6);
}

static void a_new_best_place_is_taken(void **state) {
    (void)state;
    struct machine m = start(change_of_world, "world");
    run(&m, 520);
    const int before = m.at[DEVICE];
    run(&m, 1000);
    assert_true(m.at[DEVICE] - before > 950);
}

static double equal_places(int place, int at, int run_number, unsigned *seed) {
    (void)place, (void)at, (void)run_number;
    return noise(seed, 0.2) * 100e-6;
}

static void predictions_are_within_a_tenth(void **state) {
    (void)state;
    struct machine m = start(equal_places, "equal");
    run(&m, 500);
    int cells = 0;
    for (int class = 0; class < CLASSES; class ++)
        for (int k = 0; m.region->model[class] && k < m.region->model[class]->count; k++)
            if (m.region->model[class]->cells[k].runs >= KNOWN_RUNS) {
                assert_true(heddle__cell_error(&m.region->model[class]->cells[k]) < 0.1);
                cells++;
            }
    assert_true(cells > 0);
}

/* Bytes grow with n in all that was measured, so only the links can tell the two terms apart. */
static double truth(const struct size *s) {
    return 10e-6 + 2e-9 * s->n + 0.1e-9 * s->to + 0.05e-9 * (s->bytes - s->to);
}

static void transfers_are_a_term_of_their_own(void **state) {
    (void)state;
    const int class = CLASS_FIRST_DEVICE;
    struct machine m = start(equal_places, "transfers");
    struct link_times t;
    static const double bytes[LINK_SIZES] = {4 << 10, 64 << 10, 1 << 20, 4 << 20};
    for (int k = 0; k < LINK_SIZES; k++)
        for (int n = 0; n < LINK_RUNS; n++) {
            t.to[k][n] = noise(&m.seed, 0.05) * (8e-6 + 0.1e-9 * bytes[k]);
            t.from[k][n] = noise(&m.seed, 0.05) * (8e-6 + 0.05e-9 * bytes[k]);
        }
    assert_true(heddle__link_claim(0));
    assert_false(heddle__link_claim(0)); /* once */
    assert_false(heddle__link_claim(HOST));
    heddle__link_add_times(0, &t);
    assert_true(heddle__link_rate(LINK_TO, class) > 0.09e-9 && heddle__link_rate(LINK_TO, class) < 0.11e-9);
    assert_true(heddle__link_rate(LINK_FROM, class) > 0.045e-9 && heddle__link_rate(LINK_FROM, class) < 0.055e-9);
    for (double n = 10000; n <= 1e6; n *= 10)
        for (int k = 0; k < 12; k++) {
            struct sample s = {.region = m.region, .size = {n, 12 * n, 8 * n}, .graph_place = -1, .measure = true};
            const double seconds = s.alone = truth(&s.size) * noise(&m.seed, 0.05);
            heddle__region_add_run(&s, seconds);
        }
    const struct size others[] = {{1e6, 0, 0}, {1e6, 40e6, 0}, {1e5, 40e6, 40e6}, {3e5, 1e6, 5e5}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        unsigned runs;
        const double t_predicted = heddle__predict(m.region, class, &others[k], &runs), t_true = truth(&others[k]);
        assert_int_equal(runs, 0);
        assert_true(t_predicted > 0.9 * t_true && t_predicted < 1.1 * t_true);
    }
    const double part = heddle__predict_transfers(m.region, class, &others[2]);
    assert_true(part > 3.6e-3 && part < 4.4e-3);
}

/* Locked memory: faster than the links were measured with pageable memory. No term gets negative. */
static void a_region_may_beat_its_link(void **state) {
    (void)state;
    const int class = CLASS_FIRST_DEVICE;
    struct machine m = start(equal_places, "locked");
    for (double n = 1e6; n <= 4e6; n *= 2)
        for (int k = 0; k < 12; k++) {
            struct sample s = {.region = m.region, .size = {n, 8 * n, 8 * n}, .graph_place = -1, .measure = true};
            const double seconds = s.alone = (5e-6 + 0.03e-9 * 8 * n) * noise(&m.seed, 0.02);
            heddle__region_add_run(&s, seconds);
        }
    const struct size between = {3e6, 24e6, 24e6};
    unsigned runs;
    const double t = heddle__predict(m.region, class, &between, &runs),
                 part = heddle__predict_transfers(m.region, class, &between);
    assert_true(t > 0.9 * 0.725e-3 && t < 1.1 * 0.725e-3);
    assert_true(part > 0 && part <= t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_start_does_not_write_the_host_off),
        cmocka_unit_test(a_hopeless_place_is_tried_once),
        cmocka_unit_test(two_disturbed_runs_are_found_out),
        cmocka_unit_test(it_comes_back_after_a_slow_time),
        cmocka_unit_test(a_new_best_place_is_taken),
        cmocka_unit_test(what_thousands_of_runs_said_is_not_forgotten_for_a_few),
        cmocka_unit_test(predictions_are_within_a_tenth),
        cmocka_unit_test(transfers_are_a_term_of_their_own),
        cmocka_unit_test(a_region_may_beat_its_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
