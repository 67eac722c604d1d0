/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every nest of nests.c on many sizes, schedules, thread counts and devices against the same file with its
 * pragmas ignored. Usage: PROGRAM host|devices|brief|gpu. Exit 77: no such device.
 * brief: few sizes, with guard.c preloaded.
 */
#include "nests.h"
#include <heddle.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

extern const struct nest plain_nests[], heddle_nests[];
enum { NESTS_MAX = 64 };

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SLOW 1 /* fewer repetitions under a sanitizer */
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

static unsigned next_random(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void fill(void *p, size_t bytes, enum fill kind, unsigned *seed) {
    const size_t size = kind == FILL_BYTE ? 1 : kind == FILL_SHORT ? 2 : kind == FILL_DOUBLE ? 8 : 4;
    for (size_t k = 0; k < bytes / size; k++) {
        const unsigned v = next_random(seed) % 100;
        if (kind == FILL_BYTE)
            ((unsigned char *)p)[k] = (unsigned char)v;
        else if (kind == FILL_SHORT)
            ((short *)p)[k] = (short)v;
        else if (kind == FILL_INT)
            ((int *)p)[k] = (int)v;
        else if (kind == FILL_FLOAT)
            ((float *)p)[k] = (float)v / 8;
        else
            ((double *)p)[k] = (double)v / 8;
    }
}

static void *allocate(size_t bytes) {
    void *p = malloc(bytes);
    if (!p)
        abort();
    return p;
}

static void make(struct problem *p, int n, int m, enum fill kind, unsigned seed) {
    *p = (struct problem){.n = n, .m = m, .bytes = (size_t)(n + 6) * (size_t)(m + 6) * 8};
    void **matrices[] = {&p->x, &p->y, &p->z};
    for (int k = 0; k < 3; k++)
        fill(*matrices[k] = allocate(p->bytes), p->bytes, kind, &seed);
    p->a = allocate((size_t)n + 6);
    p->b = allocate((size_t)m + 6);
    for (int k = 0; k < n + 6; k++)
        p->a[k] = (unsigned char)(next_random(&seed) & 3);
    for (int k = 0; k < m + 6; k++)
        p->b[k] = (unsigned char)(next_random(&seed) & 3);
}

static void copy(struct problem *to, const struct problem *from) {
    *to = *from;
    to->x = memcpy(allocate(from->bytes), from->x, from->bytes);
    to->y = memcpy(allocate(from->bytes), from->y, from->bytes);
    to->z = memcpy(allocate(from->bytes), from->z, from->bytes);
    to->a = memcpy(allocate((size_t)from->n + 6), from->a, (size_t)from->n + 6);
    to->b = memcpy(allocate((size_t)from->m + 6), from->b, (size_t)from->m + 6);
}

static void drop(struct problem *p) { free(p->x), free(p->y), free(p->z), free(p->a), free(p->b); }

/* What makes them different, or NULL. */
static const char *differs(const struct problem *p, const struct problem *q) {
    return memcmp(p->x, q->x, p->bytes)                     ? "matrix x"
           : memcmp(p->y, q->y, p->bytes)                   ? "matrix y"
           : memcmp(p->z, q->z, p->bytes)                   ? "matrix z"
           : memcmp(p->result, q->result, sizeof p->result) ? "a reduction"
           : memcmp(p->real, q->real, sizeof p->real)       ? "a real result"
           : memcmp(p->a, q->a, (size_t)p->n + 6)           ? "letters a"
           : memcmp(p->b, q->b, (size_t)p->m + 6)           ? "letters b"
                                                            : NULL;
}

/* A problem and its right answer, for each nest. */
struct cases {
    struct problem start, right;
};
static void make_cases(struct cases *c, int n, int m, unsigned seed) {
    for (int k = 0; plain_nests[k].name; k++) {
        make(&c[k].start, n, m, plain_nests[k].fill, seed + (unsigned)k);
        copy(&c[k].right, &c[k].start);
        plain_nests[k].run(&c[k].right);
    }
}
static void drop_cases(struct cases *c) {
    for (int k = 0; plain_nests[k].name; k++)
        drop(&c[k].start), drop(&c[k].right);
}

static int on_gpu; /* there every nest that is no extended stencil has a form with its cells in memory */

/* Runs nest k under the options that are set; returns how many things were wrong (after saying so). */
static int try_nest(const struct cases *c, int k, const char *what, const char *schedule, int device) {
    const struct nest *nest = &heddle_nests[k];
    struct problem p;
    struct heddle_report r;
    int wrong = 0;
    copy(&p, &c[k].start);
    nest->run(&p);
    const char *where = differs(&p, &c[k].right);
    heddle_last_report(&r);
    if (where) {
        print_error("%s, %d x %d, %s %s: %s differs\n", nest->name, p.n, p.m, what, schedule, where);
        wrong++;
    }
    if (r.rows > 0 && r.columns > 0 && strncmp(schedule, "auto", 4) != 0) {
        const size_t length = strcspn(schedule, ",");
        const int scans = !strncmp(schedule, "scan", 4), memory = strncmp(schedule, "registers", 9) != 0 && !scans;
        const char *expected = memory ? nest->memory || (on_gpu && nest->registers < 2) ? schedule : "registers"
                               : scans && nest->scan ? schedule
                               : nest->registers     ? "registers"
                                                     : "peer";
        const size_t same = strcspn(expected, ",");
        /* square tiles become hyper-tiles where they cannot be ordered */
        const int hyper = nest->registers != 1 && strstr(expected, "-square") &&
                          !strncmp(r.schedule, expected, strcspn(expected, "-"));
        if ((!hyper && (strncmp(r.schedule, expected, same) != 0 || r.schedule[same])) || r.device != device ||
            r.error) {
            print_error("%s, %d x %d, %s %.*s: ran %s on %d, error %d\n", nest->name, p.n, p.m, what, (int)length,
                        schedule, r.schedule, r.device, r.error);
            wrong++;
        }
    }
    drop(&p);
    return wrong;
}

static const char *const schedules[] = {"registers",
                                        "peer",
                                        "barrier",
                                        "auto",
                                        "peer,7,13",
                                        "barrier,5,3",
                                        "peer,1,1",
                                        "barrier,33,129",
                                        "registers,3,3",
                                        "scan",
                                        "peer-square",
                                        "barrier-square",
                                        "flexible",
                                        "peer-square,7,13",
                                        "barrier-square,5,3",
                                        "flexible,3",
                                        "peer-square,1,1",
                                        "flexible,40,2"};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

/* Both forms of the register schedule, whatever would be chosen. */
static int try_forms(const struct cases *c) {
    static const char *const names[] = {"lanes", "interleaved"};
    int wrong = 0;
    heddle_option_set("wavefront", "registers");
    for (int form = 0; form < 2; form++) {
        heddle_option_set("cpu-form", names[form]);
        for (int t = 0; t < 3; t++) {
            heddle_option_set("threads", t == 0 ? "1" : t == 1 ? "2" : "5");
            for (int k = 0; heddle_nests[k].name; k++)
                wrong += try_nest(c, k, names[form], "registers", HEDDLE_DEVICE_HOST);
        }
    }
    heddle_option_set("cpu-form", NULL);
    heddle_option_set("wavefront", NULL);
    heddle_option_set("threads", NULL);
    return wrong;
}

static int try_size(int n, int m, unsigned seed, int first_schedule, int last_schedule) {
    static const char *const threads[] = {"1", "2", "3", "8"};
    struct cases cases[NESTS_MAX];
    char what[64];
    int wrong = 0;
    make_cases(cases, n, m, seed);
    if (first_schedule == 0)
        wrong += try_forms(cases);
    for (int s = first_schedule; s < last_schedule; s++)
        for (int t = 0; t < 4; t++) {
            /* thread counts above the processors' are slow with a barrier: once is enough */
            if (t > 1 && (seed + (unsigned)(s + t)) % 2)
                continue;
            heddle_option_set("wavefront", schedules[s]);
            heddle_option_set("threads", threads[t]);
            snprintf(what, sizeof what, "%s threads", threads[t]);
            for (int k = 0; heddle_nests[k].name; k++)
                wrong += try_nest(cases, k, what, schedules[s], HEDDLE_DEVICE_HOST);
        }
    drop_cases(cases);
    heddle_option_set("wavefront", NULL);
    heddle_option_set("threads", NULL);
    return wrong;
}

static void small_sizes(void **state) {
    static const int sizes[][2] = {{0, 0},   {0, 5},   {5, 0},   {1, 1},  {1, 2},  {2, 1},   {2, 2},   {3, 3},
                                   {1, 300}, {300, 1}, {2, 131}, {67, 2}, {7, 11}, {31, 37}, {64, 64}, {65, 129}};
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        wrong += try_size(sizes[k][0], sizes[k][1], 100 + (unsigned)k, 0, SLOW ? 5 : SCHEDULES);
    assert_int_equal(wrong, 0);
}

static void random_sizes(void **state) {
    unsigned seed = 20151;
    int wrong = 0;
    (void)state;
    for (int k = 0; k < (SLOW ? 3 : 8); k++) {
        const int n = 1 + (int)(next_random(&seed) % 400), m = 1 + (int)(next_random(&seed) % 300);
        wrong += try_size(n, m, seed, 0, 4);
    }
    assert_int_equal(wrong, 0);
}

/* More than one row block of the widest kind (64 lanes x 16 rows) and several chunks of columns; rows whose pitch is
   near a multiple of 4 KB, which lanes of 4 and of 8 bytes then have lines apart. */
static void large_sizes(void **state) {
    (void)state;
    int wrong = try_size(2111, 139, 5, 0, 1) + try_size(133, 2049, 8, 0, 1) + try_size(521, 683, 6, 0, SLOW ? 2 : 4);
    if (!SLOW)
        wrong += try_size(3001, 401, 7, 0, 2);
    assert_int_equal(wrong, 0);
}

static void inside_parallel(void **state) {
    struct cases cases[NESTS_MAX];
    int wrong = 0;
    (void)state;
    make_cases(cases, 150, 170, 9);
    for (int s = 0; s < 4; s++) {
        heddle_option_set("wavefront", schedules[s]);
#pragma omp parallel num_threads(3) reduction(+ : wrong)
        for (int k = 0; heddle_nests[k].name; k++)
            wrong += try_nest(cases, k, "inside parallel", schedules[s], HEDDLE_DEVICE_HOST);
    }
    heddle_option_set("wavefront", NULL);
    drop_cases(cases);
    assert_int_equal(wrong, 0);
}

struct host_thread {
    pthread_t thread;
    const struct cases *cases;
    const char *schedule;
    int device, wrong;
};
static void *run_host_thread(void *argument) {
    struct host_thread *h = argument;
    if (h->device != HEDDLE_DEVICE_HOST)
        omp_set_default_device(h->device);
    for (int round = 0; round < (SLOW ? 2 : 4); round++)
        for (int k = 0; heddle_nests[k].name; k++)
            h->wrong += try_nest(h->cases, k, "beside another host thread", h->schedule, h->device);
    return NULL;
}

static int two_threads(const char *schedule, int device) {
    struct cases cases[NESTS_MAX];
    struct host_thread h[2];
    make_cases(cases, 210, 190, 11);
    heddle_option_set("wavefront", schedule);
    heddle_option_set("threads", "2");
    for (int k = 0; k < 2; k++) {
        h[k] = (struct host_thread){.cases = cases, .schedule = schedule, .device = device};
        assert_int_equal(pthread_create(&h[k].thread, NULL, run_host_thread, &h[k]), 0);
    }
    for (int k = 0; k < 2; k++)
        pthread_join(h[k].thread, NULL);
    heddle_option_set("wavefront", NULL);
    heddle_option_set("threads", NULL);
    drop_cases(cases);
    return h[0].wrong + h[1].wrong;
}

static void host_threads(void **state) {
    (void)state;
    assert_int_equal(two_threads("registers", HEDDLE_DEVICE_HOST) + two_threads("peer", HEDDLE_DEVICE_HOST), 0);
}

/* ---- devices ------------------------------------------------------------------------------------------- */
static int first_device, last_device, brief;

static void every_device(void **state) {
    static const int sizes[][2] = {{1, 1}, {1, 97}, {97, 1}, {63, 130}, {300, 257}, {1033, 61}};
    int wrong = 0;
    (void)state;
    for (size_t z = brief ? 2 : 0; z < (brief ? 4 : sizeof sizes / sizeof *sizes); z++) {
        struct cases cases[NESTS_MAX];
        make_cases(cases, sizes[z][0], sizes[z][1], 40 + (unsigned)z);
        for (int device = first_device; device <= (brief ? first_device : last_device); device++)
            for (int s = 0; s < SCHEDULES; s++) {
                char number[16], what[32];
                if (device != first_device && (s + device) % 4) /* the first one runs them all */
                    continue;
                snprintf(number, sizeof number, "%d", device);
                snprintf(what, sizeof what, "device %d", device);
                heddle_option_set("device", number);
                heddle_option_set("wavefront", schedules[s]);
                for (int k = 0; heddle_nests[k].name; k++)
                    wrong += try_nest(cases, k, what, schedules[s], device);
            }
        drop_cases(cases);
    }
    heddle_option_set("device", NULL);
    heddle_option_set("wavefront", NULL);
    assert_int_equal(wrong, 0);
}

/* Cells diagonal after diagonal: groups of steps that are whole and those that are not, warps that begin and end inside
   a tile, tiles that go on from the block's last and others. */
static void hybrid_layout(void **state) {
    static const int sizes[][2] = {{1, 97}, {300, 257}, {521, 683}, {70, 1500}};
    static const char *const tilings[] = {
        "peer",           "barrier",          "peer-square", "barrier-square", "flexible,256,16", "flexible,64,5",
        "flexible,128,2", "flexible,96,1000", "peer,32,33",  "barrier,64,100", "barrier,160,31"};
    char number[16];
    int wrong = 0;
    (void)state;
    if (!on_gpu)
        skip();
    snprintf(number, sizeof number, "%d", first_device);
    heddle_option_set("device", number);
    heddle_option_set("layout", "hybrid");
    for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
        struct cases cases[NESTS_MAX];
        make_cases(cases, sizes[z][0], sizes[z][1], 70 + (unsigned)z);
        for (size_t s = 0; s < sizeof tilings / sizeof *tilings; s++) {
            heddle_option_set("wavefront", tilings[s]);
            for (int k = 0; heddle_nests[k].name; k++)
                wrong += try_nest(cases, k, "hybrid layout", tilings[s], first_device);
        }
        drop_cases(cases);
    }
    heddle_option_set("device", NULL);
    heddle_option_set("layout", NULL);
    heddle_option_set("wavefront", NULL);
    assert_int_equal(wrong, 0);
}

/* Runs nest k under the options that are set; returns 1 if the result is wrong, after saying so. */
static int try_report(const struct cases *c, int k, const char *what, struct heddle_report *r) {
    struct problem p;
    copy(&p, &c[k].start);
    heddle_nests[k].run(&p);
    heddle_last_report(r);
    const char *where = differs(&p, &c[k].right);
    if (where || r->error)
        print_error("%s, %d x %d, %s: %s differs, error %d, device %d\n", heddle_nests[k].name, p.n, p.m, what,
                    where ? where : "nothing", r->error, r->device);
    drop(&p);
    return where || r->error;
}

/* All devices in one wavefront, row blocks dealt in groups of several sizes: where a nest cannot be shared it runs on
 * one. */
static void all_devices(void **state) {
    static const int sizes[][2] = {{1, 97}, {97, 1}, {333, 257}, {1033, 61}};
    static const char *const deals[] = {"0", "1"};
    struct heddle_report r;
    int wrong = 0, shared = 0;
    (void)state;
    if (omp_get_num_devices() < 2)
        skip();
    heddle_option_set("device", "all");
    heddle_option_set("wavefront", "registers");
    for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
        struct cases cases[NESTS_MAX];
        make_cases(cases, sizes[z][0], sizes[z][1], 60 + (unsigned)z);
        for (int d = 0; d < 2; d++)
            for (int k = 0; heddle_nests[k].name; k++) {
                heddle_option_set("deal", deals[d]);
                wrong += try_report(cases, k, "all devices", &r);
                wrong += r.rows > 0 && r.device < 0 && r.device != HEDDLE_DEVICE_ALL;
                shared += r.device == HEDDLE_DEVICE_ALL;
            }
        drop_cases(cases);
    }
    heddle_option_set("device", NULL);
    heddle_option_set("deal", NULL);
    heddle_option_set("wavefront", NULL);
    assert_int_equal(wrong, 0);
    assert_true(shared >= 4 * 2 * 8);
}

/* Arrays that do not fit: panels on one device or on all in turn, on the host where a nest's arrays cannot be cut. */
static void panels_on(const char *where, int device) {
    static const int sizes[][2] = {{611, 130}, {1500, 33}, {97, 700}};
    static const char *const limits[] = {"150K", "0.3M"}, *const ways[] = {"registers", "auto", "peer,16,8"};
    struct heddle_report r;
    int wrong = 0, cut = 0;
    heddle_option_set("device", where);
    for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
        struct cases cases[NESTS_MAX];
        make_cases(cases, sizes[z][0], sizes[z][1], 80 + (unsigned)z);
        for (int way = 0; way < 3; way++)
            for (int k = 0; heddle_nests[k].name; k++) {
                heddle_option_set("memory-limit", limits[(z + (size_t)way) % 2]);
                heddle_option_set("wavefront", ways[way]);
                wrong += try_report(cases, k, "panels", &r);
                cut += r.panels > 1 && r.device == device;
            }
        drop_cases(cases);
    }
    heddle_option_set("device", NULL);
    heddle_option_set("memory-limit", NULL);
    heddle_option_set("wavefront", NULL);
    assert_int_equal(wrong, 0);
    assert_true(cut >= (device == HEDDLE_DEVICE_ALL ? 3 * 2 * 4 : 3 * 3 * 6));
}
static void panels(void **state) {
    char number[16];
    (void)state;
    snprintf(number, sizeof number, "%d", first_device);
    panels_on(number, first_device);
    if (first_device != last_device)
        panels_on("all", HEDDLE_DEVICE_ALL);
}

/* Two host threads, first on one device, then (through the table of nests below) one device each. */
static void threads_on_one_device(void **state) {
    char number[16];
    (void)state;
    snprintf(number, sizeof number, "%d", last_device);
    heddle_option_set("device", number);
    const int wrong = two_threads("registers", last_device) + two_threads("peer", last_device);
    heddle_option_set("device", NULL);
    assert_int_equal(wrong, 0);
}

/* The device comes from the clause, an expression: both rows of the machine at once. */
static int table_on(int device, int n, int m, int (*S)[m]) {
    int high = 0;
#pragma heddle wavefront device(device) reduction(max : high)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            S[i][j] = (S[i - 1][j] + S[i][j - 1] * 3 + S[i - 1][j - 1]) & 0xffff;
            high = S[i][j] > high ? S[i][j] : high;
        }
    return high;
}
static int table_serial(int n, int m, int (*S)[m]) {
    int high = 0;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            S[i][j] = (S[i - 1][j] + S[i][j - 1] * 3 + S[i - 1][j - 1]) & 0xffff;
            high = S[i][j] > high ? S[i][j] : high;
        }
    return high;
}

struct table_thread {
    pthread_t thread;
    int device, wrong;
};
static void *run_table(void *argument) {
    struct table_thread *t = argument;
    enum { N = 211, M = 307 };
    for (int round = 0; round < 10; round++) {
        int(*mine)[M] = allocate(sizeof(int[N][M])), (*right)[M] = allocate(sizeof(int[N][M]));
        unsigned seed = (unsigned)(round + t->device);
        fill(mine, sizeof(int[N][M]), FILL_INT, &seed);
        memcpy(right, mine, sizeof(int[N][M]));
        const int high = table_on(t->device, N, M, mine);
        struct heddle_report r;
        heddle_last_report(&r);
        t->wrong +=
            high != table_serial(N, M, right) || memcmp(mine, right, sizeof(int[N][M])) || r.device != t->device;
        free(mine);
        free(right);
    }
    return NULL;
}

static void threads_on_two_devices(void **state) {
    struct table_thread t[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        t[k] = (struct table_thread){.device = k ? last_device : first_device};
        assert_int_equal(pthread_create(&t[k].thread, NULL, run_table, &t[k]), 0);
    }
    for (int k = 0; k < 2; k++)
        pthread_join(t[k].thread, NULL);
    assert_int_equal(t[0].wrong + t[1].wrong, 0);
}

/* Data that the program already holds on the device is used there and stays there; a device value that the
   host does not have yet must be seen. */
static void data_present(void **state) {
    enum { N = 130, M = 190 };
    (void)state;
    for (int device = first_device; device <= last_device; device++) {
        int(*S)[M] = allocate(sizeof(int[N][M])), (*right)[M] = allocate(sizeof(int[N][M]));
        unsigned seed = 77;
        fill(S, sizeof(int[N][M]), FILL_INT, &seed);
        memcpy(right, S, sizeof(int[N][M]));
        right[0][1] = 12345;
        const int expected = table_serial(N, M, right), expected2 = table_serial(N, M, right);
        int got = 0, got2 = 0;
        int *flat = &S[0][0];
#pragma omp target data map(tofrom : flat[0 : N * M]) device(device)
        {
#pragma omp target map(tofrom : flat[0 : N * M]) device(device)
            flat[1] = 12345;
            assert_int_not_equal(S[0][1], 12345 + (omp_target_is_present(flat, device) ? 0 : 1));
            got = table_on(device, N, M, S);
            got2 = table_on(device, N, M, S);
            assert_true(omp_target_is_present(flat, device));
        }
        assert_false(omp_target_is_present(flat, device));
        assert_int_equal(got, expected);
        assert_int_equal(got2, expected2);
        assert_memory_equal(S, right, sizeof(int[N][M]));
        free(S);
        free(right);
    }
}

static int find_devices(const char *kind) {
    struct heddle_device_info info;
    first_device = last_device = -1;
    for (int d = 0; d < heddle_device_count(); d++)
        if (!heddle_device_info(d, &info) && !strcmp(info.kind, kind)) {
            first_device = first_device < 0 ? d : first_device;
            last_device = d;
        }
    return first_device >= 0;
}

/* Is guard.c's malloc in place, whose new blocks hold a pattern? */
static int is_guarded(void) {
    volatile unsigned char *p = allocate(64);
    const int yes = p[0] == 0xa5 && p[63] == 0xa5;
    free((void *)p);
    return yes;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "host";
    const struct CMUnitTest host[] = {cmocka_unit_test(small_sizes), cmocka_unit_test(random_sizes),
                                      cmocka_unit_test(large_sizes), cmocka_unit_test(inside_parallel),
                                      cmocka_unit_test(host_threads)};
    const struct CMUnitTest devices[] = {
        cmocka_unit_test(every_device),          cmocka_unit_test(hybrid_layout),
        cmocka_unit_test(all_devices),           cmocka_unit_test(panels),
        cmocka_unit_test(threads_on_one_device), cmocka_unit_test(threads_on_two_devices),
        cmocka_unit_test(data_present)};
    const struct CMUnitTest few[] = {cmocka_unit_test(every_device), cmocka_unit_test(threads_on_two_devices),
                                     cmocka_unit_test(data_present)};
    if (!strcmp(mode, "host"))
        return cmocka_run_group_tests_name("conformance on the host", host, NULL, NULL);
    on_gpu = !strcmp(mode, "gpu");
    brief = !strcmp(mode, "brief");
    if (brief && !is_guarded())
        return fputs("brief: guard.so is not preloaded, or GUARD is not set\n", stderr), 1;
    if (!find_devices(!strcmp(mode, "gpu") ? "cuda" : "other"))
        return puts(on_gpu ? "skipped: no NVIDIA GPU here" : "skipped: no x86_64 devices here"), 77;
    if (brief)
        return cmocka_run_group_tests_name("conformance on devices, in brief", few, NULL, NULL);
    return cmocka_run_group_tests_name("conformance on devices", devices, NULL, NULL);
}
