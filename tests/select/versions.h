/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel arguments, as far as versions.c and next_layout.c make and read them. */
#pragma once
#include <stdint.h>

struct record {
    uint32_t version, count;
    void **bases, **args;
    int64_t *sizes, *types;
    void **names, **mappers;
    uint64_t rest[6];
};
enum { KNOWN = 3, NEXT = 4, HIDDEN = 0x2000000 };
typedef int launch(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, struct record *args);
