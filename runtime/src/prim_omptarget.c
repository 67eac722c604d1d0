/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seam to libomptarget: what is not in OpenMP's API.
 *
 * libomptarget sets itself up when a program registers an offload image, and its API calls crash before
 * that (LLVM 19). A program compiled for the host alone has no image, so libheddle starts it. It does not take
 * part in the end: that belongs to the program's own image, and here libcuda may be gone already.
 */
#include "internal.h"

void __tgt_rtl_init(void);

__attribute__((constructor)) static void start(void) { __tgt_rtl_init(); }
