/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GPU that a processor plays, as one more set of device functions: the tests compile programs for x86_64 devices with
 * HEDDLE_DEVICE_HEADER naming this file, and kernels, sizes and buffers are then those of a GPU whose warps have
 * HEDDLE_EMULATED_WARP lanes. HEDDLE_EMULATED_GPU is set where the device's code is compiled.
 *
 * A block is a thread, its lanes are contexts that this thread runs in turn. A lane gives way at each load that may be
 * one of a wait, and where the lanes of its warp or block meet: there it is seen to it that all of them come, and to
 * the same place.
 */
#ifndef HEDDLE_EMULATED_H
#define HEDDLE_EMULATED_H
#define HEDDLE_LAUNCH(call, kernel, elsewhere)                                                                         \
    do {                                                                                                               \
        __typeof__((call)->control) control = (call)->control;                                                         \
        const int teams = (call)->teams, threads = (call)->threads, device = (call)->device;                           \
        _Pragma("omp target is_device_ptr(control) firstprivate(teams, threads) device(device)") {                     \
            HEDDLE_EMULATE(kernel, elsewhere);                                                                         \
        }                                                                                                              \
    } while (0)

#ifndef HEDDLE_EMULATED_GPU
#include <heddle/engine/device/host.h>
/* control, teams, threads: what a kernel takes comes in the order of its first uses, here and there */
#define HEDDLE_EMULATE(kernel, elsewhere) elsewhere(control), (void)teams, (void)threads
#else
#define HEDDLE_EMULATE(kernel, elsewhere) emulate((void (*)(void *))kernel, control, teams, threads)
#define HEDDLE_ON_GPU 1
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

enum { HEDDLE_WARP = HEDDLE_EMULATED_WARP, HEDDLE_SHARED_MAX = 65536 };
typedef uint64_t heddle_mask;

/* ---- lanes in turn ---- */
enum { EMULATED_STACK = 1 << 18, EMULATED_THREADS = 1024 };
enum emulated_place { EMULATED_SHUFFLE, EMULATED_VOTE, EMULATED_WARP_SYNC, EMULATED_BLOCK_SYNC };
struct emulated_meeting {
    int here, place;
    uint64_t round;
};
struct emulated_warp {
    struct emulated_meeting meeting;
    uint32_t word[2][HEDDLE_WARP];
};
struct emulated_block {
    void (*kernel)(void *);
    void *control;
    int block, blocks, threads, running, now;
    char *stacks;
    ucontext_t outside, lane[EMULATED_THREADS];
    char done[EMULATED_THREADS];
    struct emulated_meeting meeting;
    struct emulated_warp warp[EMULATED_THREADS / HEDDLE_WARP];
};
static __attribute__((unused)) struct emulated_block **emulated_here(void) {
    static _Thread_local struct emulated_block *block; /* a variable outside could not be a thread's own in a kernel */
    return &block;
}
#define emulated (*emulated_here())

static __attribute__((unused)) void emulated_next(void) {
    struct emulated_block *b = emulated;
    const int from = b->now;
    int next = from;
    do
        next = (next + 1) % b->threads;
    while (b->done[next] && next != from);
    if (next <= from)
        sched_yield(); /* another block may be waited for */
    b->now = next;
    if (next != from)
        swapcontext(&b->lane[from], &b->lane[next]);
}

static __attribute__((unused)) void emulated_lane(void) {
    struct emulated_block *b = emulated;
    b->kernel(b->control);
    b->done[b->now] = 1;
    if (--b->running)
        emulated_next();
    else
        setcontext(&b->outside);
}

static __attribute__((unused)) void emulated_meet(struct emulated_meeting *m, int lanes, int first, int place) {
    struct emulated_block *b = emulated;
    const uint64_t round = m->round;
    if (m->here && m->place != place) {
        fprintf(stderr, "emulated: thread %d is at place %d, others of its warp or block at %d\n", b->now, place,
                m->place);
        abort();
    }
    for (int l = first; l < first + lanes; l++)
        if (b->done[l]) {
            fprintf(stderr, "emulated: thread %d waits at place %d for thread %d, which has left\n", b->now, place, l);
            abort();
        }
    m->place = place;
    if (++m->here == lanes) {
        m->here = 0;
        m->round++;
    }
    while (m->round == round)
        emulated_next();
}

/* What each lane of the warp brings; valid until the second meeting from now. */
static __attribute__((unused)) const uint32_t *emulated_words(uint32_t v, int place) {
    struct emulated_block *b = emulated;
    struct emulated_warp *w = &b->warp[b->now / HEDDLE_WARP];
    uint32_t *words = w->word[w->meeting.round & 1];
    words[b->now % HEDDLE_WARP] = v;
    emulated_meet(&w->meeting, HEDDLE_WARP, b->now / HEDDLE_WARP * HEDDLE_WARP, place);
    return words;
}

static __attribute__((unused)) void *emulated_run(void *block) {
    struct emulated_block *b = emulated = block;
    for (int l = 0; l < b->threads; l++) {
        getcontext(&b->lane[l]);
        b->lane[l].uc_stack.ss_sp = b->stacks + (size_t)l * EMULATED_STACK;
        b->lane[l].uc_stack.ss_size = EMULATED_STACK;
        makecontext(&b->lane[l], emulated_lane, 0);
    }
    swapcontext(&b->outside, &b->lane[0]);
    return NULL;
}

static __attribute__((unused)) void emulate(void (*kernel)(void *), void *control, int blocks, int threads) {
    pthread_t *thread = calloc((size_t)blocks, sizeof *thread);
    struct emulated_block *b = calloc((size_t)blocks, sizeof *b);
    if (!thread || !b || threads % HEDDLE_WARP || threads > EMULATED_THREADS) {
        fprintf(stderr, "emulated: %d blocks of %d threads\n", blocks, threads);
        abort();
    }
    for (int k = 0; k < blocks; k++) {
        b[k].kernel = kernel, b[k].control = control;
        b[k].block = k, b[k].blocks = blocks, b[k].threads = b[k].running = threads;
        b[k].stacks = mmap(NULL, (size_t)threads * EMULATED_STACK, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (b[k].stacks == MAP_FAILED || pthread_create(&thread[k], NULL, emulated_run, &b[k]))
            abort();
    }
    for (int k = 0; k < blocks; k++) {
        pthread_join(thread[k], NULL);
        munmap(b[k].stacks, (size_t)threads * EMULATED_STACK);
    }
    free(b);
    free(thread);
}

/* ---- the functions ---- */
#define EMULATED_LOAD(name, type, order)                                                                               \
    HEDDLE_DEVICE type name(const type *p) {                                                                           \
        emulated_next();                                                                                               \
        return __atomic_load_n(p, __ATOMIC_##order);                                                                   \
    }
#define EMULATED_STORE(name, type, order)                                                                              \
    HEDDLE_DEVICE void name(type *p, type v) { __atomic_store_n(p, v, __ATOMIC_##order); }
#define EMULATED_ADD(name, type, order)                                                                                \
    HEDDLE_DEVICE type name(type *p, type v) { return __atomic_fetch_add(p, v, __ATOMIC_##order); }
EMULATED_LOAD(heddle_load_acquire, uint64_t, ACQUIRE)
EMULATED_LOAD(heddle_load_relaxed, uint64_t, RELAXED)
EMULATED_LOAD(heddle_load_system, uint64_t, ACQUIRE)
EMULATED_LOAD(heddle_load_system_relaxed, uint64_t, RELAXED)
EMULATED_LOAD(heddle_load32_acquire, uint32_t, ACQUIRE)
EMULATED_LOAD(heddle_load32_relaxed, uint32_t, RELAXED)
EMULATED_STORE(heddle_store_release, uint64_t, RELEASE)
EMULATED_STORE(heddle_store_relaxed, uint64_t, RELAXED)
EMULATED_STORE(heddle_store_system, uint64_t, RELEASE)
EMULATED_STORE(heddle_store_system_relaxed, uint64_t, RELAXED)
EMULATED_STORE(heddle_store_system_after, uint64_t, RELEASE)
EMULATED_STORE(heddle_store_system_last, uint64_t, RELEASE)
EMULATED_STORE(heddle_store32_release, uint32_t, RELEASE)
EMULATED_ADD(heddle_add_relaxed, uint64_t, RELAXED)
EMULATED_ADD(heddle_add_acq_rel, uint64_t, ACQ_REL)
EMULATED_ADD(heddle_add32_acq_rel, uint32_t, ACQ_REL)
EMULATED_ADD(heddle_add32_block, uint32_t, RELAXED)
HEDDLE_DEVICE uint32_t heddle_swap32_block(uint32_t *p, uint32_t v) {
    return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}
HEDDLE_DEVICE void heddle_min_relaxed(uint64_t *p, uint64_t v) { __atomic_fetch_min(p, v, __ATOMIC_RELAXED); }
HEDDLE_DEVICE void heddle_max_relaxed(uint64_t *p, uint64_t v) { __atomic_fetch_max(p, v, __ATOMIC_RELAXED); }
HEDDLE_DEVICE uint64_t heddle_swap_if(uint64_t *p, uint64_t expected, uint64_t v) {
    __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}

HEDDLE_DEVICE int heddle_thread(void) { return emulated->now; }
HEDDLE_DEVICE int heddle_threads(void) { return emulated->threads; }
HEDDLE_DEVICE int heddle_block(void) { return emulated->block; }
HEDDLE_DEVICE int heddle_blocks(void) { return emulated->blocks; }
HEDDLE_DEVICE int heddle_multiprocessor(void) { return emulated->block; }

HEDDLE_DEVICE uint32_t heddle_shuffle_word(uint32_t v, int source) {
    return emulated_words(v, EMULATED_SHUFFLE)[source & (HEDDLE_WARP - 1)];
}
HEDDLE_DEVICE uint32_t heddle_shuffle_up_by_word(uint32_t v, int lanes) {
    const int lane = emulated->now % HEDDLE_WARP;
    return heddle_shuffle_word(v, lane < lanes ? lane : lane - lanes);
}
HEDDLE_DEVICE uint32_t heddle_shuffle_up_word(uint32_t v) { return heddle_shuffle_up_by_word(v, 1); }
HEDDLE_DEVICE uint32_t heddle_shuffle_xor_word(uint32_t v, int mask) {
    return heddle_shuffle_word(v, (emulated->now % HEDDLE_WARP) ^ mask);
}
HEDDLE_DEVICE heddle_mask heddle_ballot(int yes) {
    const uint32_t *words = emulated_words(yes != 0, EMULATED_VOTE);
    heddle_mask mask = 0;
    for (int l = 0; l < HEDDLE_WARP; l++)
        mask |= (heddle_mask)words[l] << l;
    return mask;
}
HEDDLE_DEVICE int heddle_first_lane(heddle_mask mask) { return __builtin_ctzll(mask); }
HEDDLE_DEVICE uint32_t heddle_lower_halves(uint32_t a, uint32_t b) { return (a & 0xffff) | b << 16; }
HEDDLE_DEVICE uint32_t heddle_upper_halves(uint32_t a, uint32_t b) { return a >> 16 | (b & 0xffff0000u); }
HEDDLE_DEVICE int heddle_all(int yes) { return !heddle_ballot(!yes); }
HEDDLE_DEVICE int heddle_any(int yes) { return heddle_ballot(yes) != 0; }
HEDDLE_DEVICE void heddle_warp_sync(void) { emulated_words(0, EMULATED_WARP_SYNC); }
HEDDLE_DEVICE void heddle_block_sync(void) {
    emulated_meet(&emulated->meeting, emulated->threads, 0, EMULATED_BLOCK_SYNC);
}

typedef char heddle_shared_char;
typedef struct {
    char byte[16];
} heddle_vector;
#define HEDDLE_SHARED(name, bytes)                                                                                     \
    static __attribute__((unused)) char *name(void) {                                                                  \
        static _Thread_local char memory[bytes] __attribute__((aligned(128)));                                         \
        return memory;                                                                                                 \
    }                                                                                                                  \
    struct heddle_shared
#define HEDDLE_BLOCK_VARIABLE(declaration, name) static _Thread_local declaration
HEDDLE_DEVICE void heddle_shared_put(heddle_shared_char *to, const char *from, int size) {
    memcpy(to, from, (size_t)size);
}
HEDDLE_DEVICE void heddle_shared_get(char *to, const heddle_shared_char *from, int size) {
    memcpy(to, from, (size_t)size);
}
HEDDLE_DEVICE void heddle_copy_async(heddle_shared_char *to, const char *from) { memcpy(to, from, 16); }
HEDDLE_DEVICE void heddle_copy_wait(void) {}
HEDDLE_DEVICE void heddle_shared_to_global(char *to, const heddle_shared_char *from, int size) {
    memcpy(to, from, (size_t)size);
}
HEDDLE_DEVICE void heddle_shared_get_vector(heddle_vector *to, const heddle_shared_char *from) {
    memcpy(to, from, sizeof *to);
}
HEDDLE_DEVICE void heddle_global_put_vector(char *to, const heddle_vector *from) { memcpy(to, from, sizeof *from); }
HEDDLE_DEVICE uint32_t heddle_opaque(uint32_t v) { return v; }

HEDDLE_DEVICE uint64_t heddle_clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
HEDDLE_DEVICE uint64_t heddle_cycles(void) { return heddle_clock_ns(); }
HEDDLE_DEVICE void heddle_pause(unsigned ns) {
    (void)ns;
    emulated_next();
}
#endif
#endif
