/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device functions for AMD GPUs. A warp is a wavefront: 64 lanes on gfx9, which clang tells. Clang's AMDGPU back
 * end implements C11's memory orders with scopes, so those are what stands here; scope "agent" or "device" orders the
 * blocks of one GPU. Lanes of a wavefront run in lock-step: none waits for another outside the functions below.
 */
/* In OpenMP code for AMD GPUs clang takes these for calls of a library, and there is none: the engines say what they
   mean, and the user's own calls find a function. */
#pragma omp begin declare target device_type(nohost)
#define HEDDLE_STRING(name, second)                                                                                    \
    __attribute__((weak)) void *name(void *to, second, size_t bytes) { return __builtin_##name(to, from, bytes); }
HEDDLE_STRING(memcpy, const void *from)
HEDDLE_STRING(memmove, const void *from)
HEDDLE_STRING(memset, int from)
#undef HEDDLE_STRING
#pragma omp end declare target
#define memcpy(to, from, bytes) __builtin_memcpy(to, from, bytes)
#define memmove(to, from, bytes) __builtin_memmove(to, from, bytes)
#define memset(to, byte, bytes) __builtin_memset(to, byte, bytes)

#define HEDDLE_NO_VALUE __attribute__((loader_uninitialized)) /* the back end refuses any */
#include <heddle/engine/device/spaces.h>
#include <omp.h>
#define HEDDLE_ON_GPU 1
enum { HEDDLE_WARP = __AMDGCN_WAVEFRONT_SIZE__, HEDDLE_SHARED_MAX = 65536 };
typedef uint64_t heddle_mask;

#define HEDDLE_WORD(p) ((HEDDLE_GLOBAL_SPACE uint64_t *)(uintptr_t)(p))
#define HEDDLE_WORD32(p) ((HEDDLE_GLOBAL_SPACE uint32_t *)(uintptr_t)(p))
#define HEDDLE_LOAD(p, order, scope) __scoped_atomic_load_n(p, __ATOMIC_##order, __MEMORY_SCOPE_##scope)
#define HEDDLE_PUT(p, v, order, scope) __scoped_atomic_store_n(p, v, __ATOMIC_##order, __MEMORY_SCOPE_##scope)

HEDDLE_DEVICE uint64_t heddle_load_acquire(const uint64_t *p) { return HEDDLE_LOAD(HEDDLE_WORD(p), ACQUIRE, DEVICE); }
HEDDLE_DEVICE uint64_t heddle_load_relaxed(const uint64_t *p) { return HEDDLE_LOAD(HEDDLE_WORD(p), RELAXED, DEVICE); }
HEDDLE_DEVICE void heddle_store_release(uint64_t *p, uint64_t v) { HEDDLE_PUT(HEDDLE_WORD(p), v, RELEASE, DEVICE); }
HEDDLE_DEVICE void heddle_store_relaxed(uint64_t *p, uint64_t v) { HEDDLE_PUT(HEDDLE_WORD(p), v, RELAXED, DEVICE); }
HEDDLE_DEVICE uint64_t heddle_add_relaxed(uint64_t *p, uint64_t v) {
    return __scoped_atomic_fetch_add(HEDDLE_WORD(p), v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
HEDDLE_DEVICE void heddle_min_relaxed(uint64_t *p, uint64_t v) {
    __scoped_atomic_fetch_min(HEDDLE_WORD(p), v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
HEDDLE_DEVICE void heddle_max_relaxed(uint64_t *p, uint64_t v) {
    __scoped_atomic_fetch_max(HEDDLE_WORD(p), v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
HEDDLE_DEVICE uint64_t heddle_add_acq_rel(uint64_t *p, uint64_t v) {
    return __scoped_atomic_fetch_add(HEDDLE_WORD(p), v, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
}
HEDDLE_DEVICE uint64_t heddle_swap_if(uint64_t *p, uint64_t expected, uint64_t v) {
    __scoped_atomic_compare_exchange_n(HEDDLE_WORD(p), &expected, v, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                       __MEMORY_SCOPE_DEVICE);
    return expected;
}
HEDDLE_DEVICE uint32_t heddle_load32_acquire(const uint32_t *p) {
    return HEDDLE_LOAD(HEDDLE_WORD32(p), ACQUIRE, DEVICE);
}
HEDDLE_DEVICE uint32_t heddle_load32_relaxed(const uint32_t *p) {
    return HEDDLE_LOAD(HEDDLE_WORD32(p), RELAXED, DEVICE);
}
HEDDLE_DEVICE void heddle_store32_release(uint32_t *p, uint32_t v) { HEDDLE_PUT(HEDDLE_WORD32(p), v, RELEASE, DEVICE); }
HEDDLE_DEVICE uint32_t heddle_add32_acq_rel(uint32_t *p, uint32_t v) {
    return __scoped_atomic_fetch_add(HEDDLE_WORD32(p), v, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
}
/* Words in the block's memory. */
HEDDLE_DEVICE uint32_t heddle_add32_block(uint32_t *p, uint32_t v) {
    return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
HEDDLE_DEVICE uint32_t heddle_swap32_block(uint32_t *p, uint32_t v) {
    return __scoped_atomic_exchange_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
HEDDLE_DEVICE uint64_t heddle_load_system(const uint64_t *p) { return HEDDLE_LOAD(HEDDLE_WORD(p), ACQUIRE, SYSTEM); }
HEDDLE_DEVICE uint64_t heddle_load_system_relaxed(const uint64_t *p) {
    return HEDDLE_LOAD(HEDDLE_WORD(p), RELAXED, SYSTEM);
}
HEDDLE_DEVICE void heddle_store_system(uint64_t *p, uint64_t v) { HEDDLE_PUT(HEDDLE_WORD(p), v, RELEASE, SYSTEM); }
HEDDLE_DEVICE void heddle_store_system_relaxed(uint64_t *p, uint64_t v) {
    HEDDLE_PUT(HEDDLE_WORD(p), v, RELAXED, SYSTEM);
}
HEDDLE_DEVICE void heddle_store_system_after(uint64_t *p, uint64_t v) {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
    heddle_store_system_relaxed(p, v);
}
HEDDLE_DEVICE void heddle_store_system_last(uint64_t *p, uint64_t v) {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "");
    heddle_store_system_relaxed(p, v);
}
#undef HEDDLE_WORD
#undef HEDDLE_WORD32
#undef HEDDLE_LOAD
#undef HEDDLE_PUT

HEDDLE_DEVICE int heddle_thread(void) { return (int)__builtin_amdgcn_workitem_id_x(); }
HEDDLE_DEVICE int heddle_threads(void) { return (int)__builtin_amdgcn_workgroup_size_x(); }
HEDDLE_DEVICE int heddle_block(void) { return (int)__builtin_amdgcn_workgroup_id_x(); }
HEDDLE_DEVICE int heddle_blocks(void) {
    return (int)(__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x());
}

/* A lane that the compiler knows is read into a scalar register; any other by a permutation through the LDS unit. */
HEDDLE_DEVICE uint32_t heddle_shuffle_word(uint32_t v, int source) {
    if (__builtin_constant_p(source))
        return (uint32_t)__builtin_amdgcn_readlane((int)v, source);
    return (uint32_t)__builtin_amdgcn_ds_bpermute(source * 4, (int)v);
}
HEDDLE_DEVICE int heddle_own_lane(void) { return heddle_thread() & (HEDDLE_WARP - 1); }
HEDDLE_DEVICE uint32_t heddle_shuffle_up_by_word(uint32_t v, int lanes) {
    const int lane = heddle_own_lane();
    return (uint32_t)__builtin_amdgcn_ds_bpermute((lane < lanes ? lane : lane - lanes) * 4, (int)v);
}
HEDDLE_DEVICE uint32_t heddle_shuffle_up_word(uint32_t v) { return heddle_shuffle_up_by_word(v, 1); }
HEDDLE_DEVICE uint32_t heddle_shuffle_xor_word(uint32_t v, int mask) {
    return (uint32_t)__builtin_amdgcn_ds_bpermute((heddle_own_lane() ^ mask) * 4, (int)v);
}
#if __AMDGCN_WAVEFRONT_SIZE__ == 64
HEDDLE_DEVICE heddle_mask heddle_ballot(int yes) { return __builtin_amdgcn_ballot_w64(yes != 0); }
#else
HEDDLE_DEVICE heddle_mask heddle_ballot(int yes) { return __builtin_amdgcn_ballot_w32(yes != 0); }
#endif
/* Is the whole warp here, with one value? Not asked here. */
HEDDLE_DEVICE int heddle_all_with(uint64_t v) { return (void)v, 0; }
HEDDLE_DEVICE int heddle_first_lane(heddle_mask mask) { return __builtin_ctzll(mask); }
HEDDLE_DEVICE int heddle_all(int yes) { return !heddle_ballot(!yes); }
HEDDLE_DEVICE int heddle_any(int yes) { return heddle_ballot(yes) != 0; }
HEDDLE_DEVICE void heddle_warp_sync(void) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
HEDDLE_DEVICE void heddle_block_sync(void) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* There is no copy past the registers: the load is waited for where it is stored. */
HEDDLE_DEVICE void heddle_copy_async(heddle_shared_char *to, const char *from) {
    *(HEDDLE_SHARED_SPACE heddle_vector *)to = *(const HEDDLE_GLOBAL_SPACE heddle_vector *)(uintptr_t)from;
}
HEDDLE_DEVICE void heddle_copy_wait(void) {}
HEDDLE_DEVICE uint32_t heddle_opaque(uint32_t v) {
    __asm__ volatile("" : "+v"(v));
    return v;
}
/* The lower, or the upper, halves of a and b in one word; the compiler knows nothing of it. */
HEDDLE_DEVICE uint32_t heddle_lower_halves(uint32_t a, uint32_t b) { return heddle_opaque((a & 0xffff) | b << 16); }
HEDDLE_DEVICE uint32_t heddle_upper_halves(uint32_t a, uint32_t b) {
    return heddle_opaque(a >> 16 | (b & 0xffff0000u));
}

/* Compute unit and shader engine, as gfx9's register HW_ID (number 4) has them: bits 8 … 11 and 13 … 15. */
HEDDLE_DEVICE int heddle_multiprocessor(void) {
    const uint32_t id = (uint32_t)__builtin_amdgcn_s_getreg(4 | 31 << 11);
    return (int)((id >> 13 & 7) << 4 | (id >> 8 & 15));
}
/* The clock's rate differs from card to card; OpenMP's device library is told by the driver. */
HEDDLE_DEVICE uint64_t heddle_clock_ns(void) {
    return (uint64_t)((double)__builtin_readsteadycounter() * (omp_get_wtick() * 1e9));
}
HEDDLE_DEVICE uint64_t heddle_cycles(void) { return __builtin_readcyclecounter(); }
/* s_sleep takes a constant: 64 cycles, some 40 ns, as often as needed. */
HEDDLE_DEVICE void heddle_pause(unsigned ns) {
    for (unsigned slept = 0; slept < ns; slept += 40)
        __builtin_amdgcn_s_sleep(1);
}
