/* SPDX-License-Identifier: Apache-2.0 */
/* doctor.c - `heddle doctor [PROGRAM]`: one line for each thing that heddle needs, and under each
 * that is not well the command that mends it. Status 0: heddle can be used (perhaps without a GPU);
 * 1: something it cannot do without is missing. */
#include "driver.h"

#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum verdict { OK, WARNING, MISSING };

static int missing, warnings;

static void report(enum verdict v, const char *what, const char *fix, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void report(enum verdict v, const char *what, const char *fix, const char *fmt, ...) {
    static const char *const names[] = {"ok", "warning", "missing"};
    missing += v == MISSING;
    warnings += v == WARNING;
    printf("%-8s %-16s ", names[v], what);
    va_list ap;
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    if (fix)
        printf("%-8s %-16s   fix: %s\n", "", "", fix);
}

static char *as_root(const char *command) { return format("%s%s", geteuid() == 0 ? "" : "sudo ", command); }

static char *fetch_cuda(void) {
    const char *share = find_home()->share;
    return format("%s/fetch-cuda", share ? share : "toolchain");
}

static void check_compiler(struct compiler *c) {
    char *fix = as_root(format("apt-get install %s", llvm.packages));
    if (!find_compiler(c)) {
        if (c->major)
            report(MISSING, "compiler", fix, "%s is LLVM %d; %d or later is needed", c->path, c->major, llvm.oldest);
        else
            report(MISSING, "compiler", fix, "no clang of LLVM %d or later", llvm.oldest);
        return;
    }
    report(OK, "compiler", NULL, "%s (LLVM %d)", c->path, c->major);
}

static void check_offload_tools(const struct compiler *c) {
    const struct offload_tool *tool = c->major ? missing_offload_tool(c) : NULL;
    if (tool)
        report(MISSING, "offload tools", as_root(format("apt-get install %s-%d", tool->package, c->major)),
               "no %s for this clang: nothing can be offloaded", tool->name);
    else if (c->major)
        report(OK, "offload tools", NULL, "what packs and links device code is there");
}

/* Debian's packages of libomptarget and libomp: from LLVM 20 on the former has one of its own. */
static char *offload_packages(const struct compiler *c) {
    const int major = c->major ? c->major : llvm.built;
    return as_root(major < 20 ? format("apt-get install libomp-%d-dev", major)
                              : format("apt-get install libomp-%d-dev liboffload-%d-dev", major, major));
}

static void check_libomptarget(const struct compiler *c) {
    if (c->lib)
        report(OK, "libomptarget", NULL, "%s/libomptarget.so", c->lib);
    else
        report(MISSING, "libomptarget", offload_packages(c),
               "no libomptarget.so for this clang: nothing can be offloaded");
}

/* Nothing is wrong with an LLVM without it until a GPU is to be used: then check_gpus() warns. */
static void check_device_library(const struct compiler *c) {
    glob_t g;
    if (c->lib && glob(format("%s/libomptarget-nvptx*.bc", c->lib), 0, NULL, &g))
        report(OK, "device library", NULL, "none for GPUs in LLVM %d here: it serves the host and x86_64 devices",
               c->major);
    else if (c->lib)
        globfree(&g);
}

static void check_installation(void) {
    const struct home *h = find_home();
    if (h->translate && is_program(h->translate))
        report(OK, "translator", NULL, "%s", h->translate);
    else
        report(MISSING, "translator", "cmake --build build/release --target heddle-translate",
               "no heddle-translate beside %s/heddle", h->bin);
    if (h->lib)
        report(OK, "libheddle", NULL, "%s/libheddle.so", h->lib);
    else
        report(MISSING, "libheddle", "cmake --build build/release", "no libheddle.so near %s", h->bin);
    if (h->include)
        report(OK, "headers", NULL, "%s/heddle.h", h->include);
    else
        report(MISSING, "headers", "cmake --build build/release && cmake --install build/release",
               "no heddle.h near %s", h->bin);
}

/* The bundle (toolchain/bundle) that this program runs from: there programs run and nothing is compiled. NULL: none. */
static char *find_bundle(void) {
    char *bundle = format("%s/../..", find_home()->bin);
    return is_file(format("%s/lib/start.sh", bundle)) ? absolute(bundle) : NULL;
}

static char *bundled_library(const char *bundle, const char *name) {
    glob_t g;
    char *path = NULL;
    if (!glob(format("%s/lib/%s.so*", bundle, name), 0, NULL, &g))
        path = format("%s", g.gl_pathv[0]);
    globfree(&g);
    return path;
}

static void check_bundle(const char *bundle) {
    const char *heddle = bundled_library(bundle, "libheddle"), *target = bundled_library(bundle, "libomptarget");
    report(OK, "bundle", NULL, "%s: programs run here, nothing is compiled", bundle);
    if (heddle)
        report(OK, "libheddle", NULL, "%s", heddle);
    if (target)
        report(OK, "libomptarget", NULL, "%s", target);
    else if (heddle)
        report(MISSING, "libomptarget", "toolchain/bundle makes a whole bundle, where heddle is installed",
               "not in this bundle, and its libheddle needs it");
}

static void check_driver(const struct gpus *g) {
    if (!g->has_so_1 && !g->has_so) {
        report(OK, "NVIDIA driver", NULL, "none on this machine: the CPU is used");
        return;
    }
    if (g->error) {
        report(WARNING, "NVIDIA driver", "nvidia-smi   (shows whether the driver works)", "%s", g->error);
        return;
    }
    if (!g->has_so) {
        report(
            WARNING, "NVIDIA driver",
            format("heddle run ./program, or: %s", as_root("ln -s libcuda.so.1 /usr/lib/x86_64-linux-gnu/libcuda.so")),
            "only libcuda.so.1 is found, and libomptarget looks for libcuda.so: it sees no GPU");
        return;
    }
    report(OK, "NVIDIA driver", NULL, "CUDA %d.%d", g->driver / 1000, g->driver % 1000 / 10);
}

static void check_gpus(const struct gpus *g, const struct compiler *c) {
    for (int i = 0; i < g->count; i++) {
        int s = g->sm[i];
        while (s > g->sm[i] / 10 * 10 && !has_device_runtime(c, s))
            s--;
        if (has_device_runtime(c, s))
            report(OK, format("GPU %d", i), NULL, "%s, sm_%d (device run time for sm_%d is there)", g->name[i],
                   g->sm[i], s);
        else
            report(WARNING, format("GPU %d", i),
                   c->lib ? "an LLVM that has one: HEDDLE_CC=clang-N" : offload_packages(c),
                   "%s, sm_%d: this LLVM has no device run time for it", g->name[i], g->sm[i]);
    }
}

static void list_gpus(const struct gpus *g) {
    for (int i = 0; i < g->count; i++)
        report(OK, format("GPU %d", i), NULL, "%s, sm_%d", g->name[i], g->sm[i]);
}

static void check_cuda(const struct gpus *g, struct cuda *cuda) {
    find_cuda(cuda, NULL);
    if (cuda->path) {
        report(OK, "CUDA tools", NULL, "%s (%d.%d)", cuda->path, cuda->version / 100, cuda->version % 100);
        return;
    }
    enum verdict v = g->count ? WARNING : OK;
    if (cuda->unfit)
        report(WARNING, "CUDA tools", fetch_cuda(), "%s: %s", cuda->unfit, cuda->why);
    else
        report(v, "CUDA tools", fetch_cuda(),
               g->count ? "none: programs are compiled for the CPU only"
                        : "none; not needed without a GPU, but to compile for one");
}

/* There is no look for AMD's GPUs themselves: such code has been compiled and linked, never run. */
static void check_rocm(void) {
    const char *folder = find_rocm_libraries();
    report(OK, "ROCm libraries", folder ? NULL : as_root("apt-get install rocm-device-libs"), "%s",
           folder ? folder : "none; not needed but to compile for an AMD GPU");
}

static void check_shared_memory(void) {
    const struct shared_memory s = find_shared_memory();
    if (s.full)
        report(WARNING, "shared memory", "df " SHARED_MEMORY "; ls -l " SHARED_MEMORY,
               SHARED_MEMORY " is full: OpenMP programs die of SIGBUS before main() begins");
    if (s.leftovers)
        report(WARNING, "shared memory",
               "find " SHARED_MEMORY " -name '__KMP_REGISTERED_LIB_*' -empty -mmin +1 -delete",
               "%d empty file%s of killed OpenMP programs: another with the same pid dies of SIGBUS", s.leftovers,
               s.leftovers > 1 ? "s" : "");
    if (s.there && !s.full && !s.leftovers)
        report(OK, "shared memory", NULL, SHARED_MEMORY);
}

/* ---- a program ---- */

static bool runs_on(const struct image *image, int sm) {
    int arch;
    return starts_with(image->triple, "nvptx") && sscanf(image->arch, "sm_%d", &arch) == 1 && arch / 10 == sm / 10 &&
           arch <= sm;
}

static void check_image_for(const struct image *images, int count, const struct gpus *g, int gpu, const char *program) {
    char *what = format("for GPU %d", gpu);
    for (int i = 0; i < count; i++) {
        if (!runs_on(&images[i], g->sm[gpu]))
            continue;
        if (images[i].elf_abi < 8) /* the other kind was complained about already */
            report(OK, what, NULL, "image for %s", images[i].arch);
        return;
    }
    report(WARNING, what, format("heddle cc --targets=sm_%d ...   (compile and link)", g->sm[gpu]),
           "no image for sm_%d: %s runs on the CPU only", g->sm[gpu], program);
}

/* In a bundle bin/NAME is a script that starts lib/programs/NAME (see toolchain/bundle). */
static const char *without_starter(const char *program) {
    const char *name = strrchr(program, '/');
    const char *behind = name ? format("%.*s/../lib/programs/%s", (int)(name - program), program, name + 1)
                              : format("../lib/programs/%s", program);
    return is_program(behind) ? behind : program;
}

static void check_program(const char *given, const struct gpus *g) {
    enum { MAX = 64 };
    struct image images[MAX];
    const char *program = without_starter(given);
    int count = find_images(program, images, MAX);
    if (count < 0) {
        report(MISSING, "program", NULL, "%s cannot be read", program);
        return;
    }
    if (count == 0 && !g->count) {
        report(OK, "program", NULL, "%s holds no offload image: it runs on the CPU, which is all there is", program);
        return;
    }
    if (count == 0) {
        report(WARNING, "program", "heddle cc --targets=native ...   (compile and link)",
               "%s holds no offload image: it runs on the CPU only", program);
        return;
    }
    count = count < MAX ? count : MAX;
    for (int i = 0; i < count; i++)
        if (images[i].elf_abi >= 8 && starts_with(images[i].triple, "nvptx"))
            report(WARNING, "program", format("%s, then compile %s again", fetch_cuda(), program),
                   "image %d: %s %s, made by CUDA 13 tools: LLVM 19 rejects it in silence", i, images[i].triple,
                   images[i].arch);
        else
            report(OK, "program", NULL, "image %d: %s %s", i, images[i].triple, images[i].arch);
    for (int i = 0; i < g->count; i++)
        check_image_for(images, count, g, i, program);
}

static void check_toolchain(const struct gpus *g) {
    struct compiler c = {0};
    struct cuda cuda;
    check_compiler(&c);
    check_offload_tools(&c);
    check_libomptarget(&c);
    check_device_library(&c);
    check_installation();
    check_driver(g);
    check_gpus(g, &c);
    check_cuda(g, &cuda);
    check_rocm();
}

static void check_run_time(const char *bundle, const struct gpus *g) {
    check_bundle(bundle);
    check_driver(g);
    list_gpus(g);
}

static int run(int argc, char **argv) {
    static struct gpus g;
    if (argc > 2) {
        complain("doctor: one program at most");
        return 2;
    }
    if (argc == 2 && argv[1][0] == '-') {
        complain("doctor: no option %s; `heddle doctor --help`", argv[1]);
        return 2;
    }
    if (argc == 2 && find_images(without_starter(argv[1]), NULL, 0) < 0) {
        complain("doctor: cannot read the program %s", argv[1]);
        return 2;
    }
    find_gpus(&g);
    char *bundle = find_bundle();
    if (bundle)
        check_run_time(bundle, &g);
    else
        check_toolchain(&g);
    check_shared_memory();
    if (argc == 2)
        check_program(argv[1], &g);
    if (missing)
        printf("\nheddle cannot be used yet: %d missing.\n", missing);
    else if (warnings)
        printf("\nheddle can be used; %d warning%s.\n", warnings, warnings > 1 ? "s" : "");
    else
        printf("\nAll is well.\n");
    return missing ? 1 : 0;
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = "what is installed, which devices are seen, what is missing and how to mend it",
    .usage = "usage: heddle doctor [PROGRAM]\n"
             "\n"
             "Checks compiler, offload library, translator, run time, driver, GPUs and CUDA tools; "
             "with\n"
             "PROGRAM also whether it holds offload images for the GPUs present.\n"
             "In a bundle, where programs run and none is compiled, only what they need to run.\n"
             "Exit status: 0 when heddle can be used, 1 when something needed is missing.\n",
    .run = run,
};
