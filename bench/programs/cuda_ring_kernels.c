/* SPDX-License-Identifier: Apache-2.0 */
/* The ring's two tasks as kernels, a thread a number. Compiled to PTX by clang and loaded by cuda_ring.c. */
#include "graph.h"

#define KERNEL __attribute__((nvptx_kernel))
#define GLOBAL __attribute__((address_space(1)))

static inline long own(void) {
    return (long)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
}

KERNEL void first(const uint32_t *left, const uint32_t *u, const uint32_t *right, uint32_t *w, long size, long rounds) {
    const long k = own();
    if (k < size)
        ((GLOBAL uint32_t *)w)[k] =
            graph_work(((const GLOBAL uint32_t *)left)[k] + 3 * ((const GLOBAL uint32_t *)u)[k] +
                           5 * ((const GLOBAL uint32_t *)right)[k],
                       rounds);
}

KERNEL void second(const uint32_t *w, uint32_t *u, long size, long rounds) {
    const long k = own();
    if (k < size)
        ((GLOBAL uint32_t *)u)[k] = graph_work(((GLOBAL uint32_t *)u)[k] ^ ((const GLOBAL uint32_t *)w)[k], rounds);
}
