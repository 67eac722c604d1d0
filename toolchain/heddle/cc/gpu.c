/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.c - asks NVIDIA's driver library which GPUs there are. The library is opened at run time and
 * nothing of CUDA is needed to build. No context is made, so this costs one cuInit. */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The few entries of the driver interface that are used; names and values as in NVIDIA's cuda.h. */
enum { CC_MAJOR = 75, CC_MINOR = 76 };

struct driver_calls {
    int (*init)(unsigned);
    int (*count)(int *);
    int (*get)(int *, int);
    int (*attribute)(int *, int, int);
    int (*name)(char *, int, int);
    int (*version)(int *);
};

/* ISO C has no cast from a data pointer to a function pointer; POSIX promises that the bits are
 * fine. */
static void get_call(void *lib, const char *name, void *slot) {
    void *p = dlsym(lib, name);
    memcpy(slot, &p, sizeof p);
}

static void read_devices(struct gpus *g, const struct driver_calls *d, int count) {
    for (int i = 0; i < count && g->count < GPU_MAX; i++) {
        int dev, major = 0, minor = 0;
        if (d->get(&dev, i) || d->attribute(&major, CC_MAJOR, dev) || d->attribute(&minor, CC_MINOR, dev))
            continue;
        g->sm[g->count] = 10 * major + minor;
        if (!d->name || d->name(g->name[g->count], sizeof g->name[0], dev) != 0)
            snprintf(g->name[g->count], sizeof g->name[0], "GPU %d", i);
        g->count++;
    }
}

void find_gpus(struct gpus *g) {
    memset(g, 0, sizeof *g);
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    g->has_so_1 = lib != NULL;
    void *plain = dlopen("libcuda.so", RTLD_NOW);
    g->has_so = plain != NULL;
    lib = lib ? lib : plain;
    if (!lib)
        return;
    struct driver_calls d;
    get_call(lib, "cuInit", &d.init);
    get_call(lib, "cuDeviceGetCount", &d.count);
    get_call(lib, "cuDeviceGet", &d.get);
    get_call(lib, "cuDeviceGetAttribute", &d.attribute);
    get_call(lib, "cuDeviceGetName", &d.name);
    get_call(lib, "cuDriverGetVersion", &d.version);
    if (!d.init || !d.count || !d.get || !d.attribute) {
        g->error = format("the driver library lacks cuInit or cuDeviceGetAttribute");
        return;
    }
    int count = 0, e;
    if (d.version)
        d.version(&g->driver);
    if ((e = d.init(0)) != 0)
        g->error = format("cuInit returned error %d", e);
    else if ((e = d.count(&count)) != 0)
        g->error = format("cuDeviceGetCount returned error %d", e);
    else
        read_devices(g, &d, count);
}
