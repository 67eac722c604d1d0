/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device functions for NVIDIA GPUs, sm_70 and later, as inline PTX. `.gpu` scope orders blocks of one
 * GPU. Every asm with a memory effect carries the "memory" clobber, so the compiler moves nothing across.
 */
#define HEDDLE_NO_VALUE /* a zero is given and none is stored, so nobody may read it */
#include <heddle/engine/device/spaces.h>
#define HEDDLE_ON_GPU 1
enum { HEDDLE_WARP = 32, HEDDLE_SHARED_MAX = 49152 };
typedef uint32_t heddle_mask;

HEDDLE_DEVICE uint64_t heddle_load_acquire(const uint64_t *p) {
    uint64_t v;
    __asm__ volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
HEDDLE_DEVICE void heddle_store_release(uint64_t *p, uint64_t v) {
    __asm__ volatile("st.release.gpu.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}
/* Without order: counters whose value alone matters. */
HEDDLE_DEVICE uint64_t heddle_load_relaxed(const uint64_t *p) {
    uint64_t v;
    __asm__ volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
HEDDLE_DEVICE void heddle_store_relaxed(uint64_t *p, uint64_t v) {
    __asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}
HEDDLE_DEVICE uint64_t heddle_add_relaxed(uint64_t *p, uint64_t v) {
    uint64_t old;
    __asm__ volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");
    return old;
}
HEDDLE_DEVICE void heddle_min_relaxed(uint64_t *p, uint64_t v) {
    uint64_t old;
    __asm__ volatile("atom.relaxed.gpu.global.min.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");
}
HEDDLE_DEVICE void heddle_max_relaxed(uint64_t *p, uint64_t v) {
    uint64_t old;
    __asm__ volatile("atom.relaxed.gpu.global.max.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");
}
/* Arrival at a barrier: makes this block's writes visible and takes part in the order of all arrivals. */
HEDDLE_DEVICE uint64_t heddle_add_acq_rel(uint64_t *p, uint64_t v) {
    uint64_t old;
    __asm__ volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");
    return old;
}
/* One attempt; returns what was there. */
HEDDLE_DEVICE uint64_t heddle_swap_if(uint64_t *p, uint64_t expected, uint64_t v) {
    uint64_t old;
    __asm__ volatile("atom.acq_rel.gpu.global.cas.b64 %0, [%1], %2, %3;"
                     : "=l"(old)
                     : "l"(p), "l"(expected), "l"(v)
                     : "memory");
    return old;
}
HEDDLE_DEVICE uint32_t heddle_load32_acquire(const uint32_t *p) {
    uint32_t v;
    __asm__ volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
HEDDLE_DEVICE uint32_t heddle_load32_relaxed(const uint32_t *p) {
    uint32_t v;
    __asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
HEDDLE_DEVICE void heddle_store32_release(uint32_t *p, uint32_t v) {
    __asm__ volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
}
HEDDLE_DEVICE uint32_t heddle_add32_acq_rel(uint32_t *p, uint32_t v) {
    uint32_t old;
    __asm__ volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
    return old;
}
/* `.sys` scope: words in host memory that the host's threads and this device share. */
HEDDLE_DEVICE uint64_t heddle_load_system(const uint64_t *p) {
    uint64_t v;
    __asm__ volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
HEDDLE_DEVICE void heddle_store_system(uint64_t *p, uint64_t v) {
    __asm__ volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}
/* A word with its tag needs no order: it says itself whether it has come. */
HEDDLE_DEVICE uint64_t heddle_load_system_relaxed(const uint64_t *p) {
    uint64_t v;
    __asm__ volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
/* Stores before it are seen by this device, and by whoever reads its memory through the driver, no later than this one
   is seen by the host. Stores to the host's own memory need heddle_store_system_last. */
HEDDLE_DEVICE void heddle_store_system_after(uint64_t *p, uint64_t v) {
    __asm__ volatile("fence.acq_rel.gpu; st.relaxed.sys.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}
/* The same for stores to the host's own memory, too. Unlike a release it also empties the first-level cache. */
HEDDLE_DEVICE void heddle_store_system_last(uint64_t *p, uint64_t v) {
    __asm__ volatile("fence.acq_rel.sys; st.relaxed.sys.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}
HEDDLE_DEVICE void heddle_store_system_relaxed(uint64_t *p, uint64_t v) {
    __asm__ volatile("st.relaxed.sys.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}
/* Operations of a whole warp or block are clang's builtins, not inline assembly: the compiler knows that they
   may not be moved into or out of a branch, which it does to an asm statement in OpenMP device code. */
HEDDLE_DEVICE uint32_t heddle_shuffle_word(uint32_t v, int source) {
    return (uint32_t)__nvvm_shfl_sync_idx_i32(0xffffffffu, (int)v, source, 31);
}
/* Lane l gets lane l - 1's value; lane 0 keeps its own. */
HEDDLE_DEVICE uint32_t heddle_shuffle_up_word(uint32_t v) {
    return (uint32_t)__nvvm_shfl_sync_up_i32(0xffffffffu, (int)v, 1, 0);
}
/* Lane l gets lane l - lanes' value; the first ones keep their own. */
HEDDLE_DEVICE uint32_t heddle_shuffle_up_by_word(uint32_t v, int lanes) {
    return (uint32_t)__nvvm_shfl_sync_up_i32(0xffffffffu, (int)v, lanes, 0);
}
HEDDLE_DEVICE uint32_t heddle_shuffle_xor_word(uint32_t v, int mask) {
    return (uint32_t)__nvvm_shfl_sync_bfly_i32(0xffffffffu, (int)v, mask, 31);
}
/* Copies 16 bytes, at multiples of 16, without waiting; heddle_copy_wait: for all of this thread's copies. */
HEDDLE_DEVICE void heddle_copy_async(heddle_shared_char *to, const char *from) {
#if __CUDA_ARCH__ >= 800
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                     :
                     : "r"((uint32_t)(uintptr_t)to), "l"(from)
                     : "memory");
#else
    *(HEDDLE_SHARED_SPACE heddle_vector *)to = *(const HEDDLE_GLOBAL_SPACE heddle_vector *)from;
#endif
}
HEDDLE_DEVICE void heddle_copy_wait(void) {
#if __CUDA_ARCH__ >= 800
    __asm__ volatile("cp.async.wait_all;" : : : "memory");
#endif
}
/* The same value, of which the compiler knows nothing. */
HEDDLE_DEVICE uint32_t heddle_opaque(uint32_t v) {
    __asm__ volatile("" : "+r"(v));
    return v;
}
HEDDLE_DEVICE int heddle_all(int yes) { return __nvvm_vote_all_sync(0xffffffffu, yes); }
HEDDLE_DEVICE int heddle_any(int yes) { return __nvvm_vote_any_sync(0xffffffffu, yes); }
HEDDLE_DEVICE heddle_mask heddle_ballot(int yes) { return (uint32_t)__nvvm_vote_ballot_sync(0xffffffffu, yes); }
HEDDLE_DEVICE int heddle_first_lane(heddle_mask mask) { return __builtin_ctz(mask); }
HEDDLE_DEVICE void heddle_warp_sync(void) { __nvvm_bar_warp_sync(0xffffffffu); }
HEDDLE_DEVICE void heddle_block_sync(void) { __syncthreads(); }
HEDDLE_DEVICE int heddle_thread(void) {
    int v;
    __asm__("mov.u32 %0, %%tid.x;" : "=r"(v));
    return v;
}
HEDDLE_DEVICE int heddle_threads(void) {
    int v;
    __asm__("mov.u32 %0, %%ntid.x;" : "=r"(v));
    return v;
}
HEDDLE_DEVICE int heddle_block(void) {
    int v;
    __asm__("mov.u32 %0, %%ctaid.x;" : "=r"(v));
    return v;
}
HEDDLE_DEVICE int heddle_blocks(void) {
    int v;
    __asm__("mov.u32 %0, %%nctaid.x;" : "=r"(v));
    return v;
}
HEDDLE_DEVICE int heddle_multiprocessor(void) {
    int v;
    __asm__ volatile("mov.u32 %0, %%smid;" : "=r"(v));
    return v;
}
HEDDLE_DEVICE uint64_t heddle_clock_ns(void) {
    uint64_t v;
    __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(v));
    return v;
}
/* Of this multiprocessor: for lengths, not for comparison with others. */
HEDDLE_DEVICE uint64_t heddle_cycles(void) {
    uint64_t v;
    __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(v));
    return v;
}
HEDDLE_DEVICE void heddle_pause(unsigned ns) { __asm__ volatile("nanosleep.u32 %0;" : : "r"(ns)); }
