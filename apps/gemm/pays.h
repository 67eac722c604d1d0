/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GEMM_PAYS_H
#define GEMM_PAYS_H

#include "problem.h"

/* A thread of the host that takes a tile has to end it. Where the devices would do the whole product in less time, the
 * loop is told to leave the host out: the first run on a machine, which knows no speeds, would try it. True: it was
 * told. */
bool pays_leave_out_host(const struct gemm *g);

#endif
