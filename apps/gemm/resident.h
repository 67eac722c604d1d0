/* SPDX-License-Identifier: Apache-2.0 */
/* The same product by one call of the device's library with all three matrices in the device's memory: what the loop,
 * whose data is on the host, is compared with. */
#ifndef GEMM_RESIDENT_H
#define GEMM_RESIDENT_H

#include "problem.h"

/* g has one tile. Computes C once per entry of seconds[count], whose times hold no transfer, and brings C back.
 * `library`: room for 64 characters. False: `message`. */
bool resident_run(struct gemm *g, int device, const char *cublas, double *seconds, long count, char *library,
                  char *message, size_t size);

/* The same by cuBLASXt on `count` devices with the matrices on the host, page-locked (NVIDIA's library for what this
 * program does); `block`: side of its tiles. Times hold the transfers. */
bool xt_run(struct gemm *g, const int *devices, int count, int block, const char *cublas, double *seconds, long repeat,
            char *message, size_t size);

#endif
