/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device functions where a "device" is a host processor (the x86_64 offload target) and for the host
 * pass of the compiler. There a block is one thread and a warp one lane.
 */
#define HEDDLE_ON_GPU 0
enum { HEDDLE_WARP = 1, HEDDLE_SHARED_MAX = 49152 };
typedef uint32_t heddle_mask;

HEDDLE_DEVICE uint64_t heddle_load_acquire(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
HEDDLE_DEVICE void heddle_store_release(uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
HEDDLE_DEVICE uint64_t heddle_load_relaxed(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
HEDDLE_DEVICE void heddle_store_relaxed(uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_RELAXED); }
HEDDLE_DEVICE uint64_t heddle_add_relaxed(uint64_t *p, uint64_t v) {
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
HEDDLE_DEVICE void heddle_min_relaxed(uint64_t *p, uint64_t v) {
    uint64_t seen = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (v < seen && !__atomic_compare_exchange_n(p, &seen, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}
HEDDLE_DEVICE uint64_t heddle_add_acq_rel(uint64_t *p, uint64_t v) {
    return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL);
}
HEDDLE_DEVICE uint64_t heddle_swap_if(uint64_t *p, uint64_t expected, uint64_t v) {
    __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}
HEDDLE_DEVICE uint32_t heddle_load32_acquire(const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
HEDDLE_DEVICE void heddle_store32_release(uint32_t *p, uint32_t v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
HEDDLE_DEVICE uint32_t heddle_add32_acq_rel(uint32_t *p, uint32_t v) {
    return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL);
}
HEDDLE_DEVICE uint32_t heddle_add32_block(uint32_t *p, uint32_t v) {
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
HEDDLE_DEVICE uint32_t heddle_swap32_block(uint32_t *p, uint32_t v) {
    return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}
HEDDLE_DEVICE uint64_t heddle_load_system(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
HEDDLE_DEVICE void heddle_store_system(uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
HEDDLE_DEVICE uint64_t heddle_load_system_relaxed(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
HEDDLE_DEVICE void heddle_store_system_relaxed(uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_RELAXED); }
HEDDLE_DEVICE uint32_t heddle_shuffle_word(uint32_t v, int source) { return (void)source, v; }
HEDDLE_DEVICE uint32_t heddle_shuffle_up_word(uint32_t v) { return v; }
HEDDLE_DEVICE uint32_t heddle_shuffle_up_by_word(uint32_t v, int lanes) { return (void)lanes, v; }
HEDDLE_DEVICE uint32_t heddle_shuffle_xor_word(uint32_t v, int mask) { return (void)mask, v; }
typedef char heddle_shared_char;
typedef struct {
    char byte[16];
} heddle_vector;
#define HEDDLE_SHARED(name, bytes)                                                                                     \
    HEDDLE_DEVICE char *name(void) { return NULL; }                                                                    \
    struct heddle_shared
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
/* The same value, of which the compiler knows nothing. */
HEDDLE_DEVICE uint32_t heddle_opaque(uint32_t v) {
    __asm__ volatile("" : "+r"(v));
    return v;
}
/* The lower, or the upper, halves of a and b in one word; the compiler knows nothing of it. */
HEDDLE_DEVICE uint32_t heddle_lower_halves(uint32_t a, uint32_t b) { return heddle_opaque((a & 0xffff) | b << 16); }
HEDDLE_DEVICE uint32_t heddle_upper_halves(uint32_t a, uint32_t b) {
    return heddle_opaque(a >> 16 | (b & 0xffff0000u));
}
HEDDLE_DEVICE int heddle_all(int yes) { return yes; }
HEDDLE_DEVICE int heddle_any(int yes) { return yes; }
HEDDLE_DEVICE heddle_mask heddle_ballot(int yes) { return yes != 0; }
/* Is the whole warp here, with one value? Not asked here. */
HEDDLE_DEVICE int heddle_all_with(uint64_t v) { return (void)v, 0; }
HEDDLE_DEVICE int heddle_first_lane(heddle_mask mask) { return (void)mask, 0; }
HEDDLE_DEVICE void heddle_warp_sync(void) {}
HEDDLE_DEVICE void heddle_block_sync(void) {}
HEDDLE_DEVICE int heddle_thread(void) { return 0; }
HEDDLE_DEVICE int heddle_threads(void) { return 1; }
HEDDLE_DEVICE int heddle_block(void) { return 0; }
HEDDLE_DEVICE int heddle_blocks(void) { return 1; }
HEDDLE_DEVICE int heddle_multiprocessor(void) { return 0; }
HEDDLE_DEVICE uint64_t heddle_clock_ns(void) {
    enum { MONOTONIC = 1 }; /* as Linux numbers them */
    struct heddle_timespec t;
    heddle_clock_gettime(MONOTONIC, &t);
    return (uint64_t)t.seconds * 1000000000u + (uint64_t)t.nanoseconds;
}
HEDDLE_DEVICE uint64_t heddle_cycles(void) { return 0; }
HEDDLE_DEVICE uint32_t heddle_load32_relaxed(const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
HEDDLE_DEVICE void heddle_store_system_after(uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
HEDDLE_DEVICE void heddle_store_system_last(uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
/* Who is waited for may need this core. */
HEDDLE_DEVICE void heddle_pause(unsigned ns) {
    (void)ns;
    heddle_sched_yield();
}
