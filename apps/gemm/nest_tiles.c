/* SPDX-License-Identifier: Apache-2.0 */
/* C = alpha A B + beta C, tile by tile. A device gets many tiles at once (devices.h), a thread of the host one
 * (blas.h). */
#include "blas.h"
#include "devices.h"
#include "nest.h"

void GEMM_NEST(gemm)(struct gemm *g) {
    const long tiles = g->tiles;
#pragma heddle for independent schedule(auto)
    for (long t = 0; t < tiles; t++)
#pragma heddle variant(cuda: gemm_device(g, heddle_lo, heddle_count)) variant(other: gemm_device(g, heddle_lo, heddle_count)) variant(host: gemm_host)
        gemm_tile(g, t);
}
