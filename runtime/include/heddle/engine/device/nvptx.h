/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device functions for NVIDIA GPUs, sm_70 and later, as inline PTX. `.gpu` scope orders blocks of one
 * GPU. Every asm with a memory effect carries the "memory" clobber, so the compiler moves nothing across.
 */
#define HEDDLE_NO_VALUE /* a zero is given and none is stored, so nobody may read it */
#include <heddle/engine/device/spaces.h>
#include <omp.h>
#define HEDDLE_ON_GPU 1
enum { HEDDLE_WARP = 32, HEDDLE_SHARED_MAX = 49152 };
typedef uint32_t heddle_mask;

/* A row for each instruction: the function, its words (uint64_t, "l" or uint32_t, "r") and the PTX. */
#define HEDDLE_PTX_LOAD(name, word, letter, instruction)                                                               \
    HEDDLE_DEVICE word name(const word *p) {                                                                           \
        word v;                                                                                                        \
        __asm__ volatile(instruction " %0, [%1];" : "=" letter(v) : "l"(p) : "memory");                                \
        return v;                                                                                                      \
    }
#define HEDDLE_PTX_STORE(name, word, letter, instruction)                                                              \
    HEDDLE_DEVICE void name(word *p, word v) {                                                                         \
        __asm__ volatile(instruction " [%0], %1;" : : "l"(p), letter(v) : "memory");                                   \
    }
#define HEDDLE_PTX_ATOMIC(name, word, letter, instruction)                                                             \
    HEDDLE_DEVICE word name(word *p, word v) {                                                                         \
        word old;                                                                                                      \
        __asm__ volatile(instruction " %0, [%1], %2;" : "=" letter(old) : "l"(p), letter(v) : "memory");               \
        return old;                                                                                                    \
    }
HEDDLE_PTX_LOAD(heddle_load_acquire, uint64_t, "l", "ld.acquire.gpu.global.u64")
HEDDLE_PTX_LOAD(heddle_load32_acquire, uint32_t, "r", "ld.acquire.gpu.global.u32")
HEDDLE_PTX_STORE(heddle_store_release, uint64_t, "l", "st.release.gpu.global.u64")
HEDDLE_PTX_STORE(heddle_store32_release, uint32_t, "r", "st.release.gpu.global.u32")
/* Without order: counters whose value alone matters. */
HEDDLE_PTX_LOAD(heddle_load_relaxed, uint64_t, "l", "ld.relaxed.gpu.global.u64")
HEDDLE_PTX_LOAD(heddle_load32_relaxed, uint32_t, "r", "ld.relaxed.gpu.global.u32")
HEDDLE_PTX_STORE(heddle_store_relaxed, uint64_t, "l", "st.relaxed.gpu.global.u64")
HEDDLE_PTX_ATOMIC(heddle_add_relaxed, uint64_t, "l", "atom.relaxed.gpu.global.add.u64")
HEDDLE_PTX_ATOMIC(heddle_min_relaxed, uint64_t, "l", "atom.relaxed.gpu.global.min.u64")
HEDDLE_PTX_ATOMIC(heddle_max_relaxed, uint64_t, "l", "atom.relaxed.gpu.global.max.u64")
/* Arrival at a barrier: makes this block's writes visible and takes part in the order of all arrivals. */
HEDDLE_PTX_ATOMIC(heddle_add_acq_rel, uint64_t, "l", "atom.acq_rel.gpu.global.add.u64")
HEDDLE_PTX_ATOMIC(heddle_add32_acq_rel, uint32_t, "r", "atom.acq_rel.gpu.global.add.u32")
/* Words in the block's memory. */
#define HEDDLE_PTX_BLOCK(name, instruction)                                                                            \
    HEDDLE_DEVICE uint32_t name(uint32_t *p, uint32_t v) {                                                             \
        uint32_t old;                                                                                                  \
        __asm__ volatile("{.reg .u64 place; cvta.to.shared.u64 place, %1; " instruction " %0, [place], %2;}"           \
                         : "=r"(old)                                                                                   \
                         : "l"(p), "r"(v)                                                                              \
                         : "memory");                                                                                  \
        return old;                                                                                                    \
    }
HEDDLE_PTX_BLOCK(heddle_add32_block, "atom.relaxed.cta.shared.add.u32")
HEDDLE_PTX_BLOCK(heddle_swap32_block, "atom.relaxed.cta.shared.exch.b32")
/* One attempt; returns what was there. */
HEDDLE_DEVICE uint64_t heddle_swap_if(uint64_t *p, uint64_t expected, uint64_t v) {
    uint64_t old;
    __asm__ volatile("atom.acq_rel.gpu.global.cas.b64 %0, [%1], %2, %3;"
                     : "=l"(old)
                     : "l"(p), "l"(expected), "l"(v)
                     : "memory");
    return old;
}
/* `.sys` scope: words in host memory that the host's threads and this device share. */
HEDDLE_PTX_LOAD(heddle_load_system, uint64_t, "l", "ld.acquire.sys.global.u64")
HEDDLE_PTX_STORE(heddle_store_system, uint64_t, "l", "st.release.sys.global.u64")
/* A word with its tag needs no order: it says itself whether it has come. */
HEDDLE_PTX_LOAD(heddle_load_system_relaxed, uint64_t, "l", "ld.relaxed.sys.global.u64")
HEDDLE_PTX_STORE(heddle_store_system_relaxed, uint64_t, "l", "st.relaxed.sys.global.u64")
/* Stores before it are seen by this device, and by whoever reads its memory through the driver, no later than this one
   is seen by the host. Stores to the host's own memory need heddle_store_system_last. */
HEDDLE_PTX_STORE(heddle_store_system_after, uint64_t, "l", "fence.acq_rel.gpu; st.relaxed.sys.global.u64")
/* The same for stores to the host's own memory, too. Unlike a release it also empties the first-level cache. */
HEDDLE_PTX_STORE(heddle_store_system_last, uint64_t, "l", "fence.acq_rel.sys; st.relaxed.sys.global.u64")
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
/* The lower, or the upper, halves of a and b in one word; the compiler knows nothing of it. */
#define HEDDLE_PTX_HALVES(name, bytes)                                                                                 \
    HEDDLE_DEVICE uint32_t name(uint32_t a, uint32_t b) {                                                              \
        uint32_t v;                                                                                                    \
        __asm__("prmt.b32 %0, %1, %2, " bytes ";" : "=r"(v) : "r"(a), "r"(b));                                         \
        return v;                                                                                                      \
    }
HEDDLE_PTX_HALVES(heddle_lower_halves, "0x5410")
HEDDLE_PTX_HALVES(heddle_upper_halves, "0x7632")
HEDDLE_DEVICE int heddle_all(int yes) { return __nvvm_vote_all_sync(0xffffffffu, yes); }
HEDDLE_DEVICE int heddle_any(int yes) { return __nvvm_vote_any_sync(0xffffffffu, yes); }
HEDDLE_DEVICE heddle_mask heddle_ballot(int yes) { return (uint32_t)__nvvm_vote_ballot_sync(0xffffffffu, yes); }
/* Is the whole warp here, with one value? */
HEDDLE_DEVICE int heddle_all_with(uint64_t v) {
    uint32_t here;
    int same = 0;
    __asm__ volatile("activemask.b32 %0;" : "=r"(here) : : "memory");
    if (here != 0xffffffffu)
        return 0;
    __nvvm_match_all_sync_i64p(0xffffffffu, v, &same);
    return same;
}
HEDDLE_DEVICE int heddle_first_lane(heddle_mask mask) { return __builtin_ctz(mask); }
HEDDLE_DEVICE void heddle_warp_sync(void) { __nvvm_bar_warp_sync(0xffffffffu); }
HEDDLE_DEVICE void heddle_block_sync(void) { __syncthreads(); }
#define HEDDLE_PTX_REGISTER(name, type, letter, instruction, ...)                                                      \
    HEDDLE_DEVICE type name(void) {                                                                                    \
        type v;                                                                                                        \
        __asm__ __VA_ARGS__(instruction ";" : "=" letter(v));                                                          \
        return v;                                                                                                      \
    }
HEDDLE_PTX_REGISTER(heddle_thread, int, "r", "mov.u32 %0, %%tid.x")
HEDDLE_PTX_REGISTER(heddle_threads, int, "r", "mov.u32 %0, %%ntid.x")
HEDDLE_PTX_REGISTER(heddle_block, int, "r", "mov.u32 %0, %%ctaid.x")
HEDDLE_PTX_REGISTER(heddle_blocks, int, "r", "mov.u32 %0, %%nctaid.x")
HEDDLE_PTX_REGISTER(heddle_multiprocessor, int, "r", "mov.u32 %0, %%smid", volatile)
HEDDLE_PTX_REGISTER(heddle_clock_ns, uint64_t, "l", "mov.u64 %0, %%globaltimer", volatile)
/* Of this multiprocessor: for lengths, not for comparison with others. */
HEDDLE_PTX_REGISTER(heddle_cycles, uint64_t, "l", "mov.u64 %0, %%clock64", volatile)
HEDDLE_DEVICE void heddle_pause(unsigned ns) { __asm__ volatile("nanosleep.u32 %0;" : : "r"(ns)); }
