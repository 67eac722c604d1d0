/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libomptarget asks the driver's library for its entry points by name and keeps them in variables. So the kernels that
 * it launches, with their functions, sizes and arguments, are had by putting another address into the one variable that
 * holds cuLaunchKernel, and into the one that holds cuLaunchKernelEx, by which newer versions launch. What no thread
 * wants to catch goes on to the driver. Where neither has exactly one such variable, nothing is caught.
 */
#include "cuda.h"
#include "replay.h"
#include <link.h>
#include <string.h>

typedef int launch_kernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void *stream, void **parameters, void **extra);
struct config { /* the driver's CUlaunchConfig */
    unsigned grid[3], block[3], shared;
    void *stream, *attributes;
    unsigned attribute_count;
};
typedef int launch_kernel_ex(const struct config *config, void *function, void **parameters, void **extra);
static launch_kernel *driver;
static launch_kernel_ex *driver_ex;
static _Thread_local struct heddle__cuda_catch *catching;

static int launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void *stream, void **parameters, void **extra) {
    struct heddle__cuda_catch *c = catching;
    if (!c)
        return driver(function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra);
    const struct heddle__cuda_kernel k = {function, {gx, gy, gz}, {bx, by, bz}, shared, parameters, extra};
    c->count++;
    return c->take(c, &k);
}

/* A node of the first version has no place for attributes: such a launch counts as two, which no recording takes. */
static int launch_ex(const struct config *config, void *function, void **parameters, void **extra) {
    struct heddle__cuda_catch *c = catching;
    if (!c)
        return driver_ex(config, function, parameters, extra);
    struct heddle__cuda_kernel k = {.function = function, .parameters = parameters, .extra = extra};
    memcpy(k.grid, config->grid, sizeof k.grid);
    memcpy(k.block, config->block, sizeof k.block);
    k.shared = config->shared;
    c->count += config->attribute_count ? 2 : 1;
    return c->take(c, &k);
}

struct search {
    uintptr_t wanted;
    uintptr_t **found;
    int count;
};

static bool is_sealed(const struct dl_phdr_info *object, uintptr_t at) {
    for (int k = 0; k < object->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[k];
        if (p->p_type == PT_GNU_RELRO && at - object->dlpi_addr - p->p_vaddr < p->p_memsz)
            return true;
    }
    return false;
}

/* The linker's own tables are no variables: they are sealed, and nothing is written there. What lies between variables
 * is read, too, of which a sanitizer knows that it is none. */
__attribute__((no_sanitize("address"))) static int look(struct dl_phdr_info *object, size_t size, void *with) {
    struct search *s = with;
    const char *slash = strrchr(object->dlpi_name, '/'), *name = slash ? slash + 1 : object->dlpi_name;
    (void)size;
    if (strncmp(name, "libomptarget", strlen("libomptarget")) != 0)
        return 0;
    for (int k = 0; k < object->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[k];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        const uintptr_t first = object->dlpi_addr + p->p_vaddr, end = first + p->p_memsz;
        for (uintptr_t at = (first + 7) & ~(uintptr_t)7; at + 8 <= end; at += 8)
            if (!is_sealed(object, at) && *(uintptr_t *)at == s->wanted) {
                *s->found = (uintptr_t *)at;
                s->count++;
            }
    }
    return 0;
}

static bool caught; /* for good: libheddle is not unloaded while libomptarget launches */

static void exchange_one(uintptr_t was, uintptr_t becomes) {
    uintptr_t *at = NULL;
    struct search s = {.wanted = was, .found = &at};
    if (!was)
        return;
    dl_iterate_phdr(look, &s);
    if (s.count != 1)
        return;
    __atomic_store_n(at, becomes, __ATOMIC_RELEASE);
    caught = true;
}

static void exchange(void) {
    *(void **)&driver = heddle__cuda_function("cuLaunchKernel");
    *(void **)&driver_ex = heddle__cuda_function("cuLaunchKernelEx");
    exchange_one((uintptr_t)driver, (uintptr_t)launch);
    exchange_one((uintptr_t)driver_ex, (uintptr_t)launch_ex);
}

bool heddle__cuda_catch_begin(struct heddle__cuda_catch *c) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, exchange);
    c->count = 0;
    catching = caught ? c : NULL;
    return caught;
}

void heddle__cuda_catch_end(void) { catching = NULL; }
