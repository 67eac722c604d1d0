/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What clang's offload code passes to libomptarget (LLVM 19 to 22). Layouts are those of the compiler, not
 * ours: a kernel-argument version that is not named here is never read, only passed on. Version 4 (LLVM 23) has the
 * hidden pointer of a kernel as its last argument instead of libomptarget's putting it first, and host kernels take all
 * arguments by one pointer.
 */
#ifndef HEDDLE_SELECT_ABI_H
#define HEDDLE_SELECT_ABI_H

#include <stdint.h>

struct ident {
    int32_t reserved_1, flags, reserved_2, reserved_3;
    const char *source; /* ";file;function;line;column;;" */
};

struct kernel_args {
    uint32_t version, count;
    void **bases, **args;
    int64_t *sizes, *types;
    void **names, **mappers;
    uint64_t tripcount; /* 0: not a loop */
    uint64_t flags;
    uint32_t teams[3], threads[3], dynamic_memory;
};
enum { KERNEL_ARGS_VERSION = 3, KERNEL_NOWAIT = 1 };

/* Arguments of the data calls. */
struct map_args {
    int32_t count;
    void **bases, **args;
    int64_t *sizes, *types;
    void **names, **mappers;
};

enum {
    MAP_TO = 1,
    MAP_FROM = 2,
    MAP_ALWAYS = 4,
    MAP_DELETE = 8,
    MAP_PTR_AND_OBJ = 0x10,
    MAP_TARGET_PARAM = 0x20,
    MAP_RETURN_PARAM = 0x40, /* use_device_ptr, use_device_addr */
    MAP_PRIVATE = 0x80,
    MAP_LITERAL = 0x100, /* the value itself stands in args[] */
    MAP_IMPLICIT = 0x200,
    MAP_CLOSE = 0x400,
    MAP_PRESENT = 0x1000,
    MAP_HOLD = 0x2000,
    MAP_ATTACH = 0x4000, /* LLVM 22 */
    MAP_PLAIN = MAP_TO | MAP_FROM | MAP_ALWAYS | MAP_DELETE | MAP_TARGET_PARAM | MAP_IMPLICIT | MAP_PRESENT
};
#define MAP_NON_CONTIGUOUS (1ll << 44)
#define MAP_MEMBER_OF 0xffff000000000000ull

struct device_image {
    void *start, *end;
    void *entries, *entries_end;
};

struct library {
    int32_t images;
    struct device_image *image;
    void *entries, *entries_end;
};

/* LLVM 19 and 20. */
struct entry_old {
    void *address;
    char *name;
    uint64_t size; /* 0: a kernel; else a variable's size */
    int32_t flags, data;
};

/* From LLVM 21 on; told from the old one by its first word, which is 0 here. */
struct entry_new {
    uint64_t zero;
    uint16_t version, kind;
    uint32_t flags;
    void *address;
    char *name;
    uint64_t size, data;
    void *aux;
};

#endif
