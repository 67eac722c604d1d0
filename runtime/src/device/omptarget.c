/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seam to libomptarget: what is not in OpenMP's API.
 *
 * libomptarget sets itself up when a program registers an offload image, and its API calls crash before
 * that (LLVM 19). A program compiled for the host alone has no image, so libheddle starts it. It does not take
 * part in the end: that belongs to the program's own image, and here libcuda may be gone already.
 */
#include "core/internal.h"

void __tgt_rtl_init(void);

__attribute__((constructor)) static void start(void) { __tgt_rtl_init(); }

/* Names of LLVM's runtime; an older or another one may lack them. */
__attribute__((weak)) void *llvm_omp_target_alloc_shared(size_t bytes, int device);
__attribute__((weak)) void llvm_omp_target_free_shared(void *at, int device);

void *heddle__shared_alloc(size_t bytes, int device) {
    return llvm_omp_target_alloc_shared && llvm_omp_target_free_shared ? llvm_omp_target_alloc_shared(bytes, device)
                                                                       : NULL;
}

void heddle__shared_free(void *at, int device) { llvm_omp_target_free_shared(at, device); }
