/* SPDX-License-Identifier: Apache-2.0 */
/* What softbody asks of OpenMP's devices; a compiler that ignores the pragmas has none, and one team. */
#ifndef SOFTBODY_TARGET_H
#define SOFTBODY_TARGET_H

#ifdef _OPENMP
#include <omp.h>
#else
#include <stdlib.h>
#include <string.h>

static inline int omp_get_num_devices(void) { return 0; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_get_initial_device(void) { return 0; }
static inline int omp_is_initial_device(void) { return 1; }
static inline int omp_get_team_num(void) { return 0; }
static inline int omp_get_num_teams(void) { return 1; }
static inline void *omp_target_alloc(size_t bytes, int device) { return (void)device, malloc(bytes); }
static inline void omp_target_free(void *memory, int device) { (void)device, free(memory); }
static inline int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t at, size_t of, int device,
                                    int other) {
    (void)device, (void)other;
    memcpy((char *)to + at, (const char *)from + of, bytes);
    return 0;
}
#endif

#endif
