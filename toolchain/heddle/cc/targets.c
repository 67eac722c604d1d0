/* SPDX-License-Identifier: Apache-2.0 */
/* targets.c - the list of targets and the clang flags they need.
 * "host" is no offloading at all; "native" is the NVIDIA GPUs of this machine; "sm_NN" and "gfxNNN" are
 * architectures of NVIDIA's and AMD's GPUs; "x86_64" the four devices that libomptarget makes of any PC, which serve
 * for testing. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool has_device_runtime(const struct compiler *c, int sm) {
    if (!c->lib)
        return false;
    /* up to LLVM 19 one file for each architecture, later one for all */
    return is_file(format("%s/libomptarget-nvptx-sm_%d.bc", c->lib, sm)) ||
           is_file(format("%s/libomptarget-nvptx.bc", c->lib));
}

static void add_sm(struct targets *t, int sm) {
    for (int i = 0; i < t->sm_count; i++)
        if (t->sm[i] == sm)
            return;
    if (t->sm_count < GPU_MAX)
        t->sm[t->sm_count++] = sm;
}

/* ROCm's own folders, and Debian's of rocm-device-libs. */
char *find_rocm_libraries(void) {
    const char *rocm = getenv("ROCM_PATH");
    char *const folders[] = {format("%s/amdgcn/bitcode", rocm && *rocm ? rocm : "/opt/rocm"),
                             format("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (is_file(format("%s/ocml.bc", folders[i])))
            return folders[i];
    return NULL;
}

static int add_gfx(struct targets *t, const struct compiler *c, const char *name) {
    /* up to LLVM 19 one file for each architecture, later one for all */
    if (!c->lib || (!is_file(format("%s/libomptarget-amdgpu-%s.bc", c->lib, name)) &&
                    !is_file(format("%s/libomptarget-amdgpu.bc", c->lib)))) {
        complain("this clang (LLVM %d) has no device run-time library for %s (%s/libomptarget-amdgpu-%s.bc): take "
                 "another one (HEDDLE_CC=clang-N), or --targets=host or x86_64",
                 c->major, name, c->lib ? c->lib : "?", name);
        return -1;
    }
    t->rocm = find_rocm_libraries();
    if (!t->rocm) {
        complain("no device libraries of ROCm (ocml.bc), which code for %s needs: apt-get install rocm-device-libs, or "
                 "set ROCM_PATH",
                 name);
        return -1;
    }
    for (int i = 0; i < t->gfx_count; i++)
        if (!strcmp(t->gfx[i], name))
            return 0;
    if (t->gfx_count < GPU_MAX)
        t->gfx[t->gfx_count++] = name;
    return 0;
}

/* A GPU runs code made for its own architecture or an older one of the same generation. */
static void add_gpu(struct targets *t, const struct compiler *c, int sm) {
    for (int s = sm; s >= sm / 10 * 10; s--)
        if (has_device_runtime(c, s)) {
            add_sm(t, s);
            return;
        }
    complain("this clang has no device run-time library for the GPU present (sm_%d): not compiled "
             "for it",
             sm);
}

static void add_native(struct targets *t, const struct compiler *c) {
    static struct gpus g;
    find_gpus(&g);
    for (int i = 0; i < g.count; i++)
        add_gpu(t, c, g.sm[i]);
}

static int add_target(struct targets *t, const struct compiler *c, const char *name) {
    int sm;
    char end;
    if (!strcmp(name, "host"))
        return 0;
    if (!strcmp(name, "native")) {
        add_native(t, c);
        return 0;
    }
    if (!strcmp(name, "x86_64")) {
        t->x86_64 = true;
        return 0;
    }
    if (starts_with(name, "gfx"))
        return add_gfx(t, c, name);
    if (sscanf(name, "sm_%d%c", &sm, &end) != 1) {
        complain("no target '%s'; targets are host, native, sm_NN (such as sm_90), gfxNNN (such as gfx90a), x86_64",
                 name);
        return -1;
    }
    if (!has_device_runtime(c, sm)) {
        complain("this clang (LLVM %d) has no device run-time library for %s (%s/libomptarget-nvptx%s%s.bc): take "
                 "another one "
                 "(HEDDLE_CC=clang-N), or --targets=host or x86_64",
                 c->major, name, c->lib ? c->lib : "?", c->major < 20 ? "-" : "", c->major < 20 ? name : "");
        return -1;
    }
    add_sm(t, sm);
    return 0;
}

int parse_targets(const char *text, const struct compiler *c, struct targets *t) {
    memset(t, 0, sizeof *t);
    while (*text) {
        size_t n = strcspn(text, ",");
        if (n && add_target(t, c, format("%.*s", (int)n, text)) != 0)
            return -1;
        text += n + (text[n] == ',');
    }
    return 0;
}

void add_target_flags(struct list *flags, const struct targets *t, const struct compiler *c, const struct cuda *cuda) {
    const char *nvidia = "nvptx64-nvidia-cuda", *amd = "amdgcn-amd-amdhsa", *x86_64 = "x86_64-pc-linux-gnu";
    const bool several = (t->sm_count > 0) + (t->gfx_count > 0) + t->x86_64 > 1;
    if (several || t->x86_64)
        list_add(flags, format("-fopenmp-targets=%s%s%s%s%s", t->sm_count ? nvidia : "",
                               t->sm_count && (t->gfx_count || t->x86_64) ? "," : "", t->gfx_count ? amd : "",
                               t->gfx_count && t->x86_64 ? "," : "", t->x86_64 ? x86_64 : ""));
    if (t->sm_count) {
        char *archs = format("--offload-arch=sm_%d", t->sm[0]);
        for (int i = 1; i < t->sm_count; i++)
            archs = format("%s,sm_%d", archs, t->sm[i]);
        if (several) /* then each flag must say which one it is for */
            list_add(flags, format("-Xopenmp-target=%s", nvidia));
        list_add(flags, archs);
        list_add(flags, format("--cuda-path=%s", cuda->path));
        list_add(flags, format("--libomptarget-nvptx-bc-path=%s", c->lib));
        list_add(flags, "-Wno-unknown-cuda-version"); /* clang 19 works with 12.6 to 12.9 but complains */
    }
    if (t->gfx_count) {
        char *archs = format("--offload-arch=%s", t->gfx[0]);
        for (int i = 1; i < t->gfx_count; i++)
            archs = format("%s,%s", archs, t->gfx[i]);
        if (several)
            list_add(flags, format("-Xopenmp-target=%s", amd));
        list_add(flags, archs);
        list_add(flags, format("--rocm-device-lib-path=%s", t->rocm));
    }
    if (t->x86_64) { /* else the image refers to the host's threadprivate variables, and does not link */
        list_add(flags, format("-Xopenmp-target=%s", x86_64));
        list_add(flags, "-fnoopenmp-use-tls");
    }
    if (t->sm_count || t->gfx_count || t->x86_64) {
        list_add(flags, "-Wno-openmp-target");
        /* the host's compilation says each warning, of files without directives, too */
        list_add(flags, "-Xarch_device");
        list_add(flags, "-w");
    }
}

/* What translated files need. The vectoriser's misses are the engines' business, not the user's. In kernels
 * without the OpenMP run time (ompx_bare) there is no shared stack to put locals on whose address is taken:
 * with clang's default, a call to __kmpc_alloc_shared, the whole kernel becomes undefined and is optimised
 * away; in CUDA mode locals stay on the thread's own stack. */
void add_translated_flags(struct list *argv, const struct targets *t) {
    list_add(argv, "--start-no-unused-arguments");
    list_add(argv, "-Wno-pass-failed");
    if (t->sm_count || t->gfx_count)
        list_add(argv, "-fopenmp-cuda-mode");
    list_add(argv, "--end-no-unused-arguments");
}

/* clang writes the largest block of a kernel into its PTX, and then ptxas takes as many registers as such a block can
 * have, whatever -maxrregcount says, unless it is told to override (CUDA 12; there is no version to go by, so ptxas is
 * asked). */
void add_register_limit(struct list *flags, const char *limit, const struct cuda *cuda) {
    struct list ask = {0};
    const int number = limit ? atoi(limit) : 0;
    if (limit && (number < 16 || number > 255 || strspn(limit, "0123456789") != strlen(limit)))
        fail("--gpu-registers=%s: expected a number from 16 to 255", limit);
    if (!limit || !cuda->path)
        return;
    list_add(&ask, format("%s/bin/ptxas", cuda->path));
    list_add(&ask, "-override-directive-values");
    list_add(&ask, "--version");
    if (!output_of(&ask))
        return;
    list_add(flags, "-Xcuda-ptxas");
    list_add(flags, "-override-directive-values");
    list_add(flags, "-Xcuda-ptxas");
    list_add(flags, format("-maxrregcount=%d", number));
}
