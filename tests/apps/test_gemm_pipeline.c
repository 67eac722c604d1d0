/* SPDX-License-Identifier: Apache-2.0 */
/* gemm's pipeline on a made-up device whose streams run at random speeds beside each other: a copy or a product happens
 * when its turn comes, not when it is asked for, so a product that does not wait for its data, a transfer into memory
 * that is still read, or a tile that is sent back too early give a wrong C. Memory is filled with NaN first. */
#include "check.h"

#include "app.h"
#include "device.h"
#include "nest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 2 + PORT_LANES, QUEUE = 256, EVENTS = 256 };

/* An event counts how often it was recorded and how many of these have been reached. */
struct mark {
    long asked, reached;
};
struct step {
    struct product product; /* m < 0: a copy */
    void *to;
    const void *from;
    size_t bytes;
    struct mark *after[3];
    long after_count[3];
    struct mark *event;
};
/* Used by the device's driver alone; what is written into its memory is seen by others through the cache's lock. */
struct made {
    struct step queue[STREAMS][QUEUE];
    int first[STREAMS], count[STREAMS];
    struct mark mark[EVENTS];
    int marks;
    struct app_random random;
    long products, taken, memory_bytes;
};
static struct made made[2];
static int made_devices = 1;
static long fail_at;
static size_t made_room = 1 << 24;

static struct made *of(const struct port *port) { return &made[port->device]; }
int omp_get_num_devices(void) { return made_devices; } /* instead of OpenMP's */
int omp_get_thread_num(void);

static int enter(struct port *port) { return (void)port, 0; }
static void leave(struct port *port) { (void)port; }
static size_t room(struct port *port) { return (void)port, made_room; }
static void *alloc(struct port *port, size_t bytes) {
    double *memory = malloc(bytes + 8);
    for (size_t k = 0; memory && k < bytes / 8; k++)
        memory[k] = NAN;
    of(port)->taken++;
    of(port)->memory_bytes = (long)bytes;
    return memory;
}
static void release(struct port *port, void *memory) {
    of(port)->taken--;
    free(memory);
}
static void *event(struct port *port) {
    assert_true(of(port)->marks < EVENTS);
    return &of(port)->mark[of(port)->marks++];
}
static void event_free(struct port *port, void *event) { (void)port, (void)event; }

static void run_step(struct step *s) {
    if (s->product.m < 0)
        memcpy(s->to, s->from, s->bytes);
    else
        product_plain(&s->product);
    s->event->reached++;
}

/* A random stream does its next step if what that waits for has happened. */
static void go_on(struct made *m) {
    const int stream = (int)app_below(&m->random, STREAMS);
    if (!m->count[stream])
        return;
    struct step *s = &m->queue[stream][m->first[stream]];
    for (int k = 0; k < 3; k++)
        if (s->after[k] && s->after[k]->reached < s->after_count[k])
            return;
    run_step(s);
    m->first[stream] = (m->first[stream] + 1) % QUEUE;
    m->count[stream]--;
}

static int done(struct port *port, void *event) {
    const struct mark *m = event;
    go_on(of(port));
    return m->reached == m->asked;
}

static struct step *add(struct port *port, int stream, void *event) {
    struct made *m = of(port);
    assert_true(m->count[stream] < QUEUE);
    struct step *s = &m->queue[stream][(m->first[stream] + m->count[stream]++) % QUEUE];
    *s = (struct step){.product = {.m = -1}, .event = event};
    assert_true(s->event->reached == s->event->asked); /* not used for two things at once */
    s->event->asked++;
    return s;
}

static void wait_for(struct step *s, int k, void *event) {
    s->after[k] = event;
    s->after_count[k] = event ? s->after[k]->asked : 0;
}

static int load(struct port *port, void *to, const void *from, size_t bytes, void *event) {
    struct step *s = add(port, 0, event);
    s->to = to;
    s->from = from;
    s->bytes = bytes;
    return 0;
}

static bool reaches(struct port *port, const struct port *other) { return port->device != other->device; }
static int load_from(struct port *port, void *to, const struct port *other, const void *from, size_t bytes,
                     void *event) {
    assert_true(port->device != other->device);
    return load(port, to, from, bytes, event);
}

static int store(struct port *port, void *to, const void *from, size_t bytes, void *after, void *event) {
    struct step *s = add(port, 1, event);
    s->to = to;
    s->from = from;
    s->bytes = bytes;
    wait_for(s, 0, after);
    return 0;
}

static int multiply(struct port *port, int lane, const struct product *p, void *const after[3], void *event) {
    if (++of(port)->products == fail_at && port->device == 0)
        return -1;
    struct step *s = add(port, 2 + lane, event);
    s->product = *p;
    for (int k = 0; k < 3; k++)
        wait_for(s, k, after[k]);
    return 0;
}
static void close_port(struct port *port) { (void)port; }

bool port_cuda_open(struct port *port, int device, const char *library, char *message, size_t size) {
    static const struct port_ops ops = {enter, leave, room,    alloc,     release, event,    event_free,
                                        done,  load,  reaches, load_from, store,   multiply, close_port};
    (void)library, (void)message, (void)size;
    *port = (struct port){.ops = &ops, .device = device, .library = "made up"};
    made[device].marks = 0;
    return true;
}
bool port_omp_open(struct port *port, int device) { return (void)port, (void)device, false; }
bool port_cuda_lock(void *memory, size_t bytes) { return (void)memory, (void)bytes, false; }
void port_cuda_unlock(void *memory) { (void)memory; }

/* One loop in chunks, several calls at a time as the engine makes them. */
static void loop(struct gemm *g, long chunk, int calls) {
    long next = 0;
#pragma omp parallel num_threads(calls * made_devices)
    for (;;) {
        long first;
#pragma omp atomic capture
        {
            first = next;
            next += chunk;
        }
        if (first >= g->tiles)
            break;
        devices_run(g, omp_get_thread_num() % made_devices, first, first + chunk < g->tiles ? chunk : g->tiles - first);
    }
}

/* C against the serial program's, all bits, since the values are whole; then once more with other matrices. */
static struct device_totals run(struct gemm *g, const struct devices_config *config, long chunk, int calls) {
    char message[300];
    struct device_totals totals = {0};
    assert_true(gemm_plan(g) && gemm_alloc(g));
    if (devices_open(g, made_devices > 1 ? -1 : 0, config, message, sizeof message))
        fail_msg("%s, %ld x %ld x %ld, cache %g", message, g->m, g->n, g->k, config->cache_bytes);
    for (uint64_t seed = 0; seed < 2; seed++) {
        for (int which = GEMM_A; which <= GEMM_C; which++)
            gemm_fill(g, (enum gemm_matrix)which, seed, true);
        struct gemm serial = *g;
        serial.c = app_alloc(gemm_c_bytes(g), 1);
        memcpy(serial.c, g->c, gemm_c_bytes(g));
        gemm_serial(&serial);
        devices_forget(g);
        loop(g, chunk, calls);
        for (long i = 0; i < g->m; i++)
            for (long j = 0; j < g->n; j++)
                assert_true(gemm_get_c(g->c, g, i, j) == gemm_get_c(serial.c, g, i, j));
        free(serial.c);
        for (int k = 0; !seed && k < made_devices; k++) {
            const struct device_totals t = devices_totals(g, k);
            totals.tiles += t.tiles;
            totals.fetched += t.fetched;
            totals.bytes_in += t.bytes_in;
            totals.bytes_out += t.bytes_out;
            totals.bytes_across += t.bytes_across;
        }
    }
    devices_close(g);
    assert_int_equal(made[0].taken + made[1].taken, 0);
    gemm_free(g);
    return totals;
}

static struct gemm problem(long m, long n, long k, long tile) {
    return (struct gemm){.m = m, .n = n, .k = k, .tile = tile, .is_double = true, .alpha = 1};
}

static void test_once(void **state) {
    (void)state;
    app_seed(&made[0].random, 1);
    struct gemm g = problem(100, 90, 70, 16); /* all panels fit: each is fetched once */
    const struct device_totals t = run(&g, &(struct devices_config){.slab_bytes = 1000}, 1000, 1);
    assert_int_equal(t.tiles, 42);
    assert_int_equal(t.fetched, 7 + 6);
    assert_int_equal((long)t.bytes_in, (100 + 92) * 70 * 8);
    assert_int_equal((long)t.bytes_out, 100 * 92 * 8);
}

static void test_random(void **state) {
    (void)state;
    struct app_random random;
    long fetched = 0, refetched = 0;
    double across = 0;
    app_seed(&random, 2);
    app_seed(&made[0].random, 3);
    app_seed(&made[1].random, 4);
    for (int round = 0; round < 100; round++) {
        struct gemm g = problem(1 + app_below(&random, 150), 1 + app_below(&random, 150), 1 + app_below(&random, 700),
                                9 + app_below(&random, 40));
        g.beta = app_below(&random, 2) ? 0 : 2;
        g.is_double = app_below(&random, 2);
        /* room for two tiles and a few short segments, up to everything */
        const double row = 8 * (double)(g.tile + 3), least = 2 * row * (double)(g.tile + 3) * 2 + 4 * 128 * row + 4000;
        const struct devices_config config = {.cache_bytes = least * (1 + 3 * app_unit(&random) * app_unit(&random)),
                                              .slab_bytes = 1 + app_below(&random, 20000),
                                              .step = app_below(&random, 3) * 50,
                                              .lanes = app_below(&random, 3)};
        const long all = (g.m + g.tile - 1) / g.tile + (g.n + g.tile - 1) / g.tile;
        made_devices = 1 + round % 2;
        const struct device_totals t = run(&g, &config, 1 + app_below(&random, 12), 1 + (int)app_below(&random, 3));
        assert_int_equal(t.tiles, g.tiles);
        fetched += made_devices == 1 ? all : 0;
        refetched += made_devices == 1 ? t.fetched : 0;
        across += t.bytes_across;
    }
    made_devices = 1;
    assert_true(across > 0);
    assert_true(refetched > fetched); /* some of the caches were too small to keep all */
}

/* Two devices, a half of C each: what both need of B comes from the host once, nearly, and is copied by the other. */
static void test_exchange(void **state) {
    (void)state;
    struct gemm g = problem(128, 128, 2000, 16);
    made_devices = 2;
    const struct device_totals t = run(&g, &(struct devices_config){.slab_bytes = 16 * 8 * 50}, 32, 1);
    made_devices = 1;
    const double a = 128 * 2000 * 8, b = a;
    assert_int_equal((long)t.bytes_in + (long)t.bytes_across, (long)(a + 2 * b));
    assert_true(t.bytes_across > 0.2 * b);
}

/* Matrices larger than the device: the cache takes what the device says it has, and no more. */
static void test_room(void **state) {
    (void)state;
    for (made_room = 400000; made_room < 12000000; made_room *= 2) {
        struct gemm g = problem(300, 300, 500, 32);
        const struct device_totals t = run(&g, &(struct devices_config){.slab_bytes = 5000}, 20, 2);
        assert_int_equal(t.tiles, 100);
        assert_true((size_t)made[0].memory_bytes <= made_room * 9 / 10);
        assert_true(made_room > 6000000 ? t.fetched == 20
                                        : t.fetched > 20); /* 10 + 10 panels of 128 KB, each once if all fit */
    }
    made_room = 1 << 24;
}

static void wipe(void) {
    for (int k = 0; k < 2; k++) {
        made[k].products = 0;
        memset(made[k].count, 0, sizeof made[k].count);
        memset(made[k].mark, 0, sizeof made[k].mark);
    }
}

/* A device that fails in the middle: its tiles are computed on the host. */
static void test_failure(void **state) {
    (void)state;
    for (long at = 1; at < 60; at += 7) {
        struct gemm g = problem(90, 90, 60, 16);
        fail_at = at;
        wipe();
        run(&g, &(struct devices_config){.slab_bytes = 3000}, 9, 2);
        wipe();
    }
    fail_at = 0;
}

static void test_too_small(void **state) {
    (void)state;
    char message[300] = "";
    struct gemm g = problem(100, 100, 100, 64);
    assert_true(gemm_plan(&g));
    assert_int_not_equal(devices_open(&g, 0, &(struct devices_config){.cache_bytes = 1000}, message, sizeof message),
                         0);
    assert_non_null(strstr(message, "too little memory"));
    devices_close(&g);
    gemm_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_once),     cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_exchange), cmocka_unit_test(test_room),
                                       cmocka_unit_test(test_failure),  cmocka_unit_test(test_too_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
