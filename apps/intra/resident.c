/* SPDX-License-Identifier: Apache-2.0 */
#include "resident.h"

#if __has_include(<heddle/gpu.h>)
#include <heddle/gpu.h>

/* Page-locked, memory is copied at the link's speed. Less than this does not pay, and may share its pages with other
 * memory. */
enum { LOCKED_LEAST = 1 << 20 };

static void lock(void *memory, size_t bytes) {
    if (bytes >= LOCKED_LEAST)
        (void)heddle_gpu_lock(memory, bytes); /* refused: copies are slower */
}

static void unlock(void *memory, size_t bytes) {
    if (bytes >= LOCKED_LEAST)
        heddle_gpu_unlock(memory); /* nothing happens if it was not locked */
}
#else
#define lock(memory, bytes) ((void)0)
#define unlock(memory, bytes) ((void)0)
#endif

void resident_keep(void *memory, size_t bytes, int device, bool copied) {
    char *m = memory;
    (void)m, (void)bytes, (void)copied;
    if (device >= 0) {
        if (copied)
            lock(m, bytes);
#pragma omp target enter data map(alloc : m[0 : bytes]) device(device)
    }
}

void resident_drop(void *memory, size_t bytes, int device) {
    char *m = memory;
    (void)m, (void)bytes;
    if (device >= 0) {
#pragma omp target exit data map(release : m[0 : bytes]) device(device)
        unlock(m, bytes);
    }
}

void resident_upload(void *memory, size_t bytes, int device) {
    char *m = memory;
    (void)m, (void)bytes;
    if (device >= 0) {
#pragma omp target update to(m[0 : bytes]) device(device)
    }
}

void resident_download(void *memory, size_t bytes, int device) {
    char *m = memory;
    (void)m, (void)bytes;
    if (device >= 0) {
#pragma omp target update from(m[0 : bytes]) device(device)
    }
}
