/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers on a device of this test's own that has streams: a copy happens when somebody waits for an event behind it,
 * never before, so data that is read too early or a block that is filled too early shows. Every copy of the image of a
 * chunk, of ranges of segments and of single arrays is compared with what memcpy makes of it; then each call of the
 * device fails once.
 */
#include "device/threads.h"
#include "loop/chunk.h"
#include "transfer/pipeline.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DEVICES = 2, PENDING = 4096, MAPS = 6 };

/* ---- the device -------------------------------------------------------------------------------------------------- */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool streams = true, all_locked;
static int calls, fail_at; /* 0: none */
static int taken;

struct stream {
    struct {
        char *to;
        const char *from;
        size_t bytes;
    } pending[PENDING];
    int count, recorded[2];
};

static bool fails(void) {
    pthread_mutex_lock(&lock);
    const bool now = ++calls == fail_at;
    pthread_mutex_unlock(&lock);
    return now;
}

/* no chunk here belongs to a GPU, and none reduces */
const struct heddle_device_info *heddle__device_facts(int device) {
    (void)device;
    abort();
}

void heddle__lost(const struct heddle_site *site, const char *format, ...) {
    (void)site, (void)format;
    abort();
}

struct heddle__channel *heddle__channel_take(int device) {
    struct heddle__channel *c = calloc(1, sizeof *c);
    (void)device;
    for (int k = 0; streams && k < 2; k++)
        c->pinned[k] = malloc(HEDDLE__BLOCK_BYTES);
    c->stream = streams ? calloc(1, sizeof(struct stream)) : NULL;
    __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
    return c;
}

void heddle__channel_give(int device, struct heddle__channel *c) {
    (void)device;
    for (int k = 0; k < 2; k++)
        free(c->pinned[k]);
    free(c->stream);
    free(c);
    __atomic_fetch_sub(&taken, 1, __ATOMIC_RELAXED);
}

void heddle__channel_drop(int device, struct heddle__channel *c) { heddle__channel_give(device, c); }

static int add(struct heddle__channel *c, void *to, const void *from, size_t bytes) {
    struct stream *s = c->stream;
    if (fails())
        return HEDDLE_ELAUNCH;
    if (!s) {
        memcpy(to, from, bytes);
        return HEDDLE_OK;
    }
    assert_true(s->count < PENDING);
    s->pending[s->count].to = to;
    s->pending[s->count].from = from;
    s->pending[s->count++].bytes = bytes;
    return HEDDLE_OK;
}

int heddle__channel_in(int device, struct heddle__channel *c, void *there, const void *here, size_t bytes) {
    (void)device;
    return add(c, there, here, bytes);
}
int heddle__channel_out(int device, struct heddle__channel *c, void *here, const void *there, size_t bytes) {
    (void)device;
    return add(c, here, there, bytes);
}
int heddle__channel_across(int device, struct heddle__channel *c, void *there, int from, const void *at, size_t bytes) {
    (void)device, (void)from;
    return add(c, there, at, bytes);
}

int heddle__channel_record(int device, struct heddle__channel *c, int k) {
    struct stream *s = c->stream;
    (void)device;
    if (fails())
        return HEDDLE_ELAUNCH;
    if (s)
        s->recorded[k] = s->count;
    return HEDDLE_OK;
}

int heddle__channel_wait(int device, struct heddle__channel *c, int k, double timeout) {
    struct stream *s = c->stream;
    (void)device, (void)timeout;
    if (fails())
        return HEDDLE_ETIMEDOUT;
    const int upto = s ? s->recorded[k] : 0;
    for (int p = 0; p < upto; p++)
        memcpy(s->pending[p].to, s->pending[p].from, s->pending[p].bytes);
    for (int p = upto; s && p < s->count; p++)
        s->pending[p - upto] = s->pending[p];
    for (int e = 0; s && e < 2; e++)
        s->recorded[e] = s->recorded[e] > upto ? s->recorded[e] - upto : 0;
    if (s)
        s->count -= upto;
    return HEDDLE_OK;
}

static int now(void *to, const void *from, size_t bytes) {
    if (fails())
        return HEDDLE_ELAUNCH;
    memcpy(to, from, bytes);
    return HEDDLE_OK;
}
int heddle__device_copy_in(int device, void *there, const void *here, size_t bytes) {
    return (void)device, now(there, here, bytes);
}
int heddle__device_copy_out(int device, void *here, const void *there, size_t bytes) {
    return (void)device, now(here, there, bytes);
}
int heddle__device_copy_across(int device, void *there, int from, const void *at, size_t bytes) {
    return (void)device, (void)from, now(there, at, bytes);
}
int heddle__device_enter(int device) { return (void)device, HEDDLE_OK; }
void heddle__device_leave(int device) { (void)device; }
int heddle__device_spread(int device, double threads, int kernels) {
    return (void)device, (void)threads, (void)kernels, 0;
}
bool heddle__device_is_cuda(int device) { return (void)device, streams; }
bool heddle__device_locked(int device, const void *here, size_t bytes) {
    return (void)device, (void)bytes, all_locked || (uintptr_t)here / 64 % 3 == 0;
}
void *heddle__device_alloc(int device, size_t bytes) { return (void)device, malloc(bytes); }
void heddle__device_free(int device, void *at) { (void)device, free(at); }
void *heddle__device_mapped(int device, const void *here) { return (void)device, (void)here, NULL; }
bool heddle__maps_kept(const struct heddle_map *map, int device) { return (void)map, (void)device, false; }
double heddle__now(void) { return 0; }
double heddle__option_seconds(const char *name) { return (void)name, 1; }
int heddle__loop_count_devices(const struct heddle__engine *e, int before) { return (void)e, (void)before, 1; }

struct call {
    void (*run)(void *with);
    void *with;
};
static void *thread(void *with) {
    const struct call call = *(struct call *)with;
    free(with);
    call.run(call.with);
    return NULL;
}
int heddle__thread_run(void (*run)(void *with), void *with, bool device) {
    struct call *call = malloc(sizeof *call);
    pthread_t id;
    (void)device;
    *call = (struct call){run, with};
    assert_int_equal(pthread_create(&id, NULL, thread, call), 0);
    return pthread_detach(id);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */
static unsigned long seed = 5;
static size_t below(size_t n) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (size_t)((seed >> 33) % n);
}
static void fill(char *at, size_t bytes) {
    for (size_t k = 0; k < bytes; k++)
        at[k] = (char)(seed = seed * 25214903917ul + 11);
}
static size_t some_size(void) { return below(3) ? 1 + below(70000) : 1 + below(5 << 20); }

/* ---- large copies ------------------------------------------------------------------------------------------------ */
static const char *other_device, *own_host;
static int arrived;
static const char *find(void *with, const char *host, int *device) {
    (void)with;
    *device = 1;
    return below(2) ? other_device + (host - own_host) : NULL;
}
static void note(void *with, const char *host) {
    (void)with, (void)host;
    __atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED);
}

static void large_copies(void **state) {
    (void)state;
    for (int turn = 0; turn < 40; turn++) {
        const size_t bytes = 1 + below(9 << 20), cut = below(bytes + 1);
        char *host = malloc(bytes), *there = calloc(bytes, 1), *copy = malloc(bytes);
        struct heddle__nearby nearby = {find, note, NULL};
        struct heddle__done done = {0};
        const bool to_host = turn % 2, shared = !to_host && turn % 4;
        streams = turn % 5;
        fill(to_host ? there : host, bytes);
        memcpy(copy, host, bytes);
        other_device = copy;
        own_host = host;
        arrived = 0;
        struct heddle__transfer *t = heddle__transfer_open(0, to_host, NULL, 1, 3);
        if (shared)
            heddle__transfer_nearby(t, &nearby);
        assert_int_equal(heddle__transfer_copy(t, host, there, cut, &done), HEDDLE_OK);
        assert_int_equal(heddle__transfer_copy(t, host + cut, there + cut, bytes - cut, &done), HEDDLE_OK);
        assert_int_equal(heddle__transfer_wait(t, &done), HEDDLE_OK);
        heddle__transfer_close(t);
        assert_memory_equal(host, there, bytes);
        assert_true(arrived > 0 == shared);
        free(host);
        free(there);
        free(copy);
    }
    assert_int_equal(taken, 0);
}

/* ---- chunks ------------------------------------------------------------------------------------------------------ */
static struct heddle_map maps[MAPS];
static char *array[MAPS], *expected[MAPS];
static const int kinds[] = {HEDDLE_MAP_TO, HEDDLE_MAP_FROM, HEDDLE_MAP_TOFROM, HEDDLE_MAP_ALLOC};

static struct heddle_loop_type type = {.env_bytes = MAPS * sizeof(char *)};
static char *loop_env[MAPS];
static struct heddle_loop loop = {.type = &type, .env = loop_env, .maps = maps, .nmaps = MAPS, .step = 1};
static struct heddle__engine engine = {.loop = &loop, .type = &type, .n = 100};

static void make_arrays(void) {
    for (int k = 0; k < MAPS; k++) {
        const size_t bytes = below(8) ? some_size() : 0;
        array[k] = malloc(bytes + 1);
        expected[k] = malloc(bytes + 1);
        fill(array[k], bytes);
        memcpy(expected[k], array[k], bytes);
        maps[k] = (struct heddle_map){.base = array[k],
                                      .bytes = bytes,
                                      .kind = kinds[below(4)] | HEDDLE_MAP_CHUNK,
                                      .slot = (size_t)k * sizeof(char *)};
    }
}

/* What a kernel does that gets the environment as it is on the device. */
static void compute(const struct heddle__chunk_transfer *c) {
    char *there[MAPS];
    memcpy(there, c->slot->memory, sizeof there);
    for (int k = 0; k < MAPS; k++) {
        if (maps[k].kind & HEDDLE_MAP_TO)
            assert_memory_equal(there[k], array[k], maps[k].bytes);
        for (size_t i = 0; i < maps[k].bytes && maps[k].kind & HEDDLE_MAP_FROM; i++)
            expected[k][i] = there[k][i] = (char)(i * 7 + (size_t)k);
    }
}

static int run_chunk(struct heddle__slot *slot, bool *wrote) {
    struct heddle__participant place = {.engine = &engine, .cuda = streams, .servers = 1 + (int)below(2)};
    struct heddle__section section[MAPS];
    struct heddle_map own[MAPS];
    char env[sizeof loop_env], place_env[sizeof loop_env] = {0};
    struct heddle__chunk_transfer c = {
        .participant = &place, .slot = slot, .maps = own, .section = section, .env = env};
    place.env = place_env;
    const bool wait = below(2);
    int error = heddle__slot_make(slot, 0, 1);
    error = error ? error : heddle__chunk_plan(&c, &(struct heddle_loop_chunk){0, 100});
    error = error ? error : heddle__chunk_send(&c, wait);
    if (!error && !wait) /* what the kernel's stream does */
        error = heddle__chunk_wait(&c);
    if (!error)
        compute(&c);
    error = error ? error : heddle__chunk_fetch(&c);
    *wrote = c.wrote;
    return error;
}

static void drop_slot(struct heddle__slot *slot) {
    if (slot->copies.channel)
        heddle__channel_give(0, slot->copies.channel);
    free(slot->memory);
    free(slot->red);
}

static void drop_arrays(bool compare) {
    for (int k = 0; k < MAPS; k++) {
        if (compare)
            assert_memory_equal(array[k], expected[k], maps[k].bytes);
        free(array[k]);
        free(expected[k]);
    }
}

static void chunks(void **state) {
    struct heddle__slot slot[2] = {{.memory = NULL}}; /* with streams, without */
    bool wrote;
    (void)state;
    for (int turn = 0; turn < 80; turn++) {
        streams = turn % 4;
        all_locked = turn % 9 == 0;
        make_arrays();
        assert_int_equal(run_chunk(&slot[!streams], &wrote), HEDDLE_OK);
        drop_arrays(true);
    }
    all_locked = false;
    drop_slot(&slot[0]);
    drop_slot(&slot[1]);
}

/* Each call of the device fails once: an error comes back, and it is known whether results have reached the arrays. */
static void chunk_failures(void **state) {
    (void)state;
    for (int turn = 0; turn < 12; turn++) {
        int error = HEDDLE_ELAUNCH;
        streams = turn % 3;
        all_locked = turn % 4 == 1;
        for (int at = 1; error; at++) {
            struct heddle__slot slot = {.memory = NULL};
            bool wrote, changed = false;
            make_arrays();
            char *before[MAPS];
            for (int k = 0; k < MAPS; k++)
                before[k] = memcpy(malloc(maps[k].bytes + 1), array[k], maps[k].bytes);
            calls = 0;
            fail_at = at;
            error = run_chunk(&slot, &wrote);
            assert_int_equal(error != 0, calls >= at);
            fail_at = 0;
            for (int k = 0; k < MAPS; k++) {
                changed |= memcmp(before[k], array[k], maps[k].bytes) != 0;
                free(before[k]);
            }
            assert_true(!changed || wrote);
            drop_arrays(!error);
            drop_slot(&slot);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_copies),
        cmocka_unit_test(chunks),
        cmocka_unit_test(chunk_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
