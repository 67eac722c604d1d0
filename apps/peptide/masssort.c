/* SPDX-License-Identifier: Apache-2.0 */
/* Masses are spread widely, so a counting sort into narrow buckets leaves little for comparisons. */
#define _GNU_SOURCE
#include "peptides.h"

#include <stdlib.h>
#include <string.h>

static double mass_of(const char *items, size_t size, size_t k) {
    double mass;
    memcpy(&mass, items + k * size, sizeof mass);
    return mass;
}

void mass_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
               void *context) {
    char *from = items;
    double low = 0, high = 0;
    for (size_t k = 0; k < count; k++) {
        const double mass = mass_of(from, size, k);
        low = !k || mass < low ? mass : low;
        high = !k || mass > high ? mass : high;
    }
    const size_t buckets = count / 4 + 1;
    const double scale = high > low ? (double)(buckets - 1) / (high - low) : 0;
    size_t *start = app_alloc(buckets + 1, sizeof *start);
    for (size_t k = 0; k < count; k++)
        start[(size_t)((mass_of(from, size, k) - low) * scale) + 1]++;
    for (size_t b = 0; b < buckets; b++)
        start[b + 1] += start[b];
    char *sorted = app_resize(NULL, count, size);
    for (size_t k = 0; k < count; k++) /* leaves start[b] at the bucket's end */
        memcpy(sorted + start[(size_t)((mass_of(from, size, k) - low) * scale)]++ * size, from + k * size, size);
#pragma omp parallel for schedule(dynamic, 512)
    for (size_t b = 0; b < buckets; b++) {
        const size_t first = b ? start[b - 1] : 0;
        if (start[b] - first > 1)
            qsort_r(sorted + first * size, start[b] - first, size, compare, context);
    }
    memcpy(items, sorted, count * size);
    free(sorted);
    free(start);
}
