/* SPDX-License-Identifier: Apache-2.0 */
#include "resident.h"

void resident_keep(void *memory, size_t bytes, int device) {
    char *m = memory;
    (void)m, (void)bytes;
    if (device >= 0) {
#pragma omp target enter data map(alloc : m[0 : bytes]) device(device)
    }
}

void resident_drop(void *memory, size_t bytes, int device) {
    char *m = memory;
    (void)m, (void)bytes;
    if (device >= 0) {
#pragma omp target exit data map(release : m[0 : bytes]) device(device)
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
