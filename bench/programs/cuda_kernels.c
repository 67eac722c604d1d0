/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one writes by hand for a GPU without flags between neighbours: Smith-Waterman, every cell kept where the serial
 * loop keeps it, tiles of ROWS threads, each with a row, a column behind the one above. Either all diagonals of tiles
 * in one kernel with a grid barrier after each, or a kernel for each diagonal (the nodes of a CUDA graph). Compiled to
 * PTX by clang and loaded by cuda_matrix.c: neither OpenMP nor heddle has a part in it.
 */
#include "cuda_matrix.h"

#define KERNEL __attribute__((nvptx_kernel))
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))

static SHARED int passed[2][CUDA_ROWS];

static inline int max2(int a, int b) { return a > b ? a : b; }

/* Tile t of tile row r: steps t * WIDTH … of its threads. What the tiles before have left is in H. */
static inline __attribute__((always_inline)) void tile(const struct cuda_matrix *x, long r, long t) {
    const int thread = __nvvm_read_ptx_sreg_tid_x();
    const long pitch = (long)x->m + 1, i = r * CUDA_ROWS + thread + 1, first = t * CUDA_WIDTH - thread + 1;
    GLOBAL int *row = (GLOBAL int *)x->cells + i * pitch, *above = row - pitch;
    const int here = i <= x->n;
    const signed char letter = here ? ((const GLOBAL signed char *)x->a)[i - 1] : 0;
    const GLOBAL signed char *b = (const GLOBAL signed char *)x->b - 1;
    int left = here && first > 1 && first - 1 <= x->m ? row[first - 1] : 0;
    int corner = here && first > 1 && first - 1 <= x->m ? above[first - 1] : 0;
    for (int k = 0; k < CUDA_WIDTH; k++) {
        const long j = first + k;
        if (here && j >= 1 && j <= x->m) {
            const int up = thread && k ? passed[(k + 1) & 1][thread - 1] : above[j];
            const int s = letter == b[j] ? 2 : -1;
            left = max2(max2(corner + s, 0), max2(up, left) - 1);
            corner = up;
            row[j] = left;
        }
        passed[k & 1][thread] = left;
        __syncthreads();
    }
}

static inline long first_row(const struct cuda_matrix *x, long d) {
    return d < x->tiles ? 0 : (d - x->tiles) / CUDA_LAG + 1;
}

/* Diagonal d: a block for each of its tiles. */
KERNEL void diagonal(struct cuda_matrix x, long d) {
    const long r = first_row(&x, d) + __nvvm_read_ptx_sreg_ctaid_x();
    if (r < x.tile_rows && r * CUDA_LAG <= d)
        tile(&x, r, d - r * CUDA_LAG);
}

/* All diagonals; as many blocks as run at once. */
KERNEL void diagonals(struct cuda_matrix x) {
    const long blocks = __nvvm_read_ptx_sreg_nctaid_x();
    const long count = x.tiles + (x.tile_rows - 1) * CUDA_LAG;
    volatile GLOBAL unsigned *arrived = (volatile GLOBAL unsigned *)x.arrived;
    for (long d = 0; d < count; d++) {
        for (long r = first_row(&x, d) + __nvvm_read_ptx_sreg_ctaid_x(); r < x.tile_rows && r * CUDA_LAG <= d;
             r += blocks)
            tile(&x, r, d - r * CUDA_LAG);
        __syncthreads();
        if (__nvvm_read_ptx_sreg_tid_x() == 0) {
            __nvvm_membar_gl();
            __atomic_fetch_add((GLOBAL unsigned *)x.arrived, 1u, __ATOMIC_RELAXED);
            while (*arrived < (unsigned)((d + 1) * blocks)) {
            }
            __nvvm_membar_gl();
        }
        __syncthreads();
    }
}
