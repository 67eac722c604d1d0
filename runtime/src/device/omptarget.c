/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices by libomptarget: what every kind of device can do, and all that is done on devices that are no GPUs.
 *
 * libomptarget sets itself up when a program registers an offload image, and its API calls crash before
 * that (LLVM 19). A program compiled for the host alone has no image, so libheddle starts it. It does not take
 * part in the end: that belongs to the program's own image, and here libcuda may be gone already.
 */
#include "omptarget.h"
#include "device.h"
#include "start.h"
#include <dlfcn.h>
#include <link.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum {
    THREAD = 1 << 20, /* bytes that a thread takes besides its stack */
    ARENA = 64 << 20  /* that malloc sets aside for a thread which asks it */
};

void __tgt_rtl_init(void);

__attribute__((constructor)) static void start(void) { __tgt_rtl_init(); }

/* Its name ends with its version. */
static int is_libomptarget(struct dl_phdr_info *object, size_t size, void *path) {
    const char *slash = strrchr(object->dlpi_name, '/'), *name = slash ? slash + 1 : object->dlpi_name;
    (void)size;
    return !strncmp(name, "libomptarget.so", strlen("libomptarget.so")) && (*(char **)path = strdup(object->dlpi_name));
}

/* Those after libheddle in the search order: libomptarget, or another tool that stands between. */
void *heddle__omptarget_function(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    /* libheddle loaded by dlopen: libomptarget may stand before it or in a scope of its own */
    return function ? function : heddle__omptarget_own(name);
}

void *heddle__omptarget_own(const char *name) {
    static void *library;
    char *path = NULL;
    if (!library && dl_iterate_phdr(is_libomptarget, &path))
        library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    free(path);
    return library ? dlsym(library, name) : NULL;
}

static struct {
    void *(*alloc)(size_t, int);
    void (*free)(void *, int);
    void *(*shared_alloc)(size_t, int); /* LLVM's; an older or another library may lack them */
    void (*shared_free)(void *, int);
    int (*copy)(void *, const void *, size_t, size_t, size_t, int, int);
    int (*count)(void);
    struct heddle__device_view view;
} real;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

/* Past the hooks of this library, but not past a tool that stands before them and wants to see every call. */
static void *entry(const char *name) {
    Dl_info first, own;
    void *function = dlsym(RTLD_DEFAULT, name);
    const bool foreign = function && dladdr(function, &first) && dladdr((void *)&heddle__ops_omptarget, &own) &&
                         first.dli_fbase != own.dli_fbase;
    return foreign ? function : heddle__omptarget_function(name);
}

static void load(void) {
    *(void **)&real.alloc = entry("omp_target_alloc");
    *(void **)&real.free = entry("omp_target_free");
    *(void **)&real.shared_alloc = entry("llvm_omp_target_alloc_shared");
    *(void **)&real.shared_free = entry("llvm_omp_target_free_shared");
    *(void **)&real.copy = entry("omp_target_memcpy");
    *(void **)&real.count = entry("omp_get_num_devices");
    if (real.view.is_present)
        return; /* the selector's */
    *(void **)&real.view.is_present = entry("omp_target_is_present");
    *(void **)&real.view.mapped_ptr = entry("omp_get_mapped_ptr");
    *(void **)&real.view.map = entry("__tgt_target_data_begin_mapper");
    *(void **)&real.view.unmap = entry("__tgt_target_data_end_mapper");
}

static bool ready(void) {
    pthread_once(&loaded, load);
    HEDDLE__DEVICES_START();
    const struct heddle__device_view *v = &real.view;
    return real.alloc && real.free && real.copy && v->is_present && v->mapped_ptr && v->map && v->unmap;
}

/* Also the number by which OpenMP knows the host. */
int heddle__target_count(void) {
    pthread_once(&loaded, load);
    HEDDLE__DEVICES_START();
    return real.count ? real.count() : 0;
}

static bool facts(struct heddle__device *d, struct heddle_device_info *info) {
    info->units = 1;
    snprintf(info->name, sizeof info->name, "OpenMP device %d", d->number);
    return true;
}

void *heddle__target_alloc(struct heddle__device *d, size_t bytes) {
    const bool away = heddle__is_away(d->number) || heddle__fails(HEDDLE__FAULT_MAP);
    return away || !ready() ? NULL : real.alloc(bytes, d->number);
}

void heddle__target_free(struct heddle__device *d, void *at) {
    if (ready())
        real.free(at, d->number);
}

void *heddle__target_shared_alloc(struct heddle__device *d, size_t bytes) {
    const bool able = ready() && real.shared_alloc && real.shared_free;
    return heddle__fails(HEDDLE__FAULT_MAP) || !able ? NULL : real.shared_alloc(bytes, d->number);
}

void heddle__target_shared_free(struct heddle__device *d, void *at) { real.shared_free(at, d->number); }

static bool is_limited(void) {
    struct rlimit limit;
    return !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

bool heddle__kernel_teams_fit(void) {
    const size_t team = (size_t)(omp_get_num_procs() - 1) * (kmp_get_stacksize_s() + THREAD),
                 bytes = HEDDLE__SLOTS * (team + ARENA);
    void *room = is_limited() ? mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : NULL;
    if (room && room != MAP_FAILED)
        munmap(room, bytes);
    return room != MAP_FAILED;
}

/* Devices that are not GPUs have their memory from the host's heap, which is as good as endless where the address space
 * is. volatile: or a compiler makes nothing of memory that nobody uses. */
bool heddle__target_fits(struct heddle__device *d, const size_t *bytes, int count) {
    void *volatile block[count + 1];
    const bool limited = is_limited();
    bool all = true;
    int got = 0;
    (void)d;
    for (; all && got <= count; got += all) {
        const size_t size = got < count ? bytes[got] : limited ? HEDDLE__DEVICE_SLACK : 0;
        void *at = size ? malloc(size) : NULL;
        all = !size || at;
        block[got] = at;
    }
    all = all && heddle__kernel_teams_fit();
    while (got-- > 0)
        free(block[got]);
    return all;
}

static int copy(void *to, int to_device, const void *from, int from_device, size_t bytes) {
    const bool away = heddle__is_away(to_device) || heddle__is_away(from_device);
    const bool done = !away && !heddle__fails(HEDDLE__FAULT_COPY) && ready() &&
                      !real.copy(to, from, bytes, 0, 0, to_device, from_device);
    return done ? HEDDLE_OK : HEDDLE_ELAUNCH;
}

int heddle__target_copy_in(struct heddle__device *d, void *there, const void *here, size_t bytes) {
    return copy(there, d->number, here, heddle__target_count(), bytes);
}

int heddle__target_copy_out(struct heddle__device *d, void *here, const void *there, size_t bytes) {
    return copy(here, heddle__target_count(), there, d->number, bytes);
}

int heddle__target_copy_across(struct heddle__device *d, void *there, struct heddle__device *from, const void *at,
                               size_t bytes) {
    return copy(there, d->number, at, from->number, bytes);
}

static int zero(struct heddle__device *d, void *there, size_t bytes) {
    enum { PART = 1 << 20 };
    const size_t part = bytes < PART ? bytes : PART;
    char *zeros = calloc(part + 1, 1);
    int error = zeros ? HEDDLE_OK : HEDDLE_ENOMEM;
    for (size_t at = 0; !error && at < bytes; at += part)
        error = heddle__target_copy_in(d, (char *)there + at, zeros, bytes - at < part ? bytes - at : part);
    free(zeros);
    return error;
}

const struct heddle__device_ops heddle__ops_omptarget = {
    .kind = "other",
    .facts = facts,
    .alloc = heddle__target_alloc,
    .free = heddle__target_free,
    .shared_alloc = heddle__target_shared_alloc,
    .shared_free = heddle__target_shared_free,
    .fits = heddle__target_fits,
    .copy_in = heddle__target_copy_in,
    .copy_out = heddle__target_copy_out,
    .copy_across = heddle__target_copy_across,
    .zero = zero,
};

void heddle__device_view(const struct heddle__device_view *view) { real.view = *view; }

bool heddle__device_present(int device, const void *here) { return ready() && real.view.is_present(here, device); }
void *heddle__device_mapped(int device, const void *here) {
    return ready() ? real.view.mapped_ptr(here, device) : NULL;
}

/* `kinds`: those of HEDDLE_MAP_* that count. */
static void data_call(heddle__data_call *call, int device, const struct heddle_map *maps, int nmaps, int64_t kinds,
                      int64_t more, void **there) {
    void *base[nmaps + 1], *begin[nmaps + 1];
    int64_t bytes[nmaps + 1], kind[nmaps + 1];
    int n = 0;
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes) {
            base[n] = begin[n] = (char *)maps[k].base + maps[k].first;
            bytes[n] = (int64_t)maps[k].bytes;
            kind[n++] = (maps[k].kind & kinds) | more;
        }
    if (n)
        call(NULL, device, n, base, begin, bytes, kind, NULL, NULL);
    for (int k = nmaps; there && k-- > 0;)
        there[k] = maps[k].bytes ? base[--n] : NULL;
}

int heddle__device_map(int device, const struct heddle_map *maps, int nmaps, void **there) {
    enum { RETURN_PARAM = 0x40 }; /* as of use_device_ptr: the address on the device comes back */
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes && (heddle__fails(HEDDLE__FAULT_MAP) || !ready()))
            return HEDDLE_ENOMEM;
    data_call(real.view.map, device, maps, nmaps, HEDDLE_MAP_TO, RETURN_PARAM, there);
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes && there[k] == (char *)maps[k].base + maps[k].first) { /* libomptarget maps nothing */
            heddle__device_unmap(device, maps, nmaps, false);
            return HEDDLE_ENOMEM;
        }
    return HEDDLE_OK;
}

/* libomptarget loads a program's code at the first mapping. */
void heddle__device_load(int device) {
    static char byte;
    const struct heddle_map map = {.base = &byte, .bytes = 1, .kind = HEDDLE_MAP_TO};
    void *there;
    if (!heddle__device_map(device, &map, 1, &there))
        heddle__device_unmap(device, &map, 1, false);
}

void heddle__device_unmap(int device, const struct heddle_map *maps, int nmaps, bool keep) {
    data_call(real.view.unmap, device, maps, nmaps, keep ? HEDDLE_MAP_FROM : 0, 0, NULL);
}
