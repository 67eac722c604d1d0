/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop. nest_tiles.c is compiled twice: by heddle, and with -DGEMM_SERIAL by a plain compiler that
 * ignores the pragmas; the second one is the reference of --check. */
#ifndef GEMM_NEST_H
#define GEMM_NEST_H

#include "problem.h"

void gemm_heddle(struct gemm *g);
void gemm_serial(struct gemm *g);

#ifdef GEMM_SERIAL
#define GEMM_NEST(name) name##_serial
#else
#define GEMM_NEST(name) name##_heddle
#endif

#endif
