/* SPDX-License-Identifier: Apache-2.0 */
/* find.c - where the parts are: this installation, the compiler, the CUDA pieces.
 * Nothing is configured at build time: the installation is found from the place of the running
 * program, the compiler's folder from the compiler. Environment variables come first everywhere. */
#include "driver.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HEDDLE_LIBDIR
#define HEDDLE_LIBDIR "lib"
#endif

enum { CUDA_OLDEST = 1108, CUDA_TOO_NEW = 1300 };

static const char *variable(const char *name) {
    const char *s = secure_getenv(name);
    return s && *s ? s : NULL;
}

/* ---- this installation ---- */

static char *first_with(const char *const *folders, const char *file) {
    for (; *folders; folders++)
        if (is_file(format("%s/%s", *folders, file)))
            return absolute(*folders);
    return NULL;
}

const struct home *find_home(void) {
    static struct home h;
    if (h.bin)
        return &h;
    char *self = absolute("/proc/self/exe");
    h.bin = dir_of(self);
    h.bin[strlen(h.bin) - 1] = 0; /* the slash */
    const char *translate = variable("HEDDLE_TRANSLATE");
    char *beside = format("%s/heddle-translate", h.bin);
    char *inside = format("%s/../libexec/heddle/heddle-translate", h.bin);
    if (translate)
        h.translate = format("%s", translate);
    else if (is_program(beside))
        h.translate = beside;
    else if (is_program(inside))
        h.translate = absolute(inside);
    const char *include[] = {format("%s/../include", h.bin), NULL};
    const char *lib[] = {format("%s/../lib", h.bin), format("%s/../" HEDDLE_LIBDIR, h.bin), NULL};
    const char *share[] = {format("%s/../share/heddle", h.bin), NULL};
    h.include = first_with(include, "heddle.h");
    h.lib = first_with(lib, "libheddle.so");
    h.share = first_with(share, "fetch-cuda");
    return &h;
}

/* ---- the compiler ---- */

const struct llvm llvm = {HEDDLE_LLVM_OLDEST, HEDDLE_LLVM_NEWEST, HEDDLE_LLVM_MAJOR, HEDDLE_LLVM_PACKAGES};

static int version_in_name(const char *path) {
    const char *names[] = {base_of(path), base_of(absolute(path))};
    for (size_t i = 0; i < 2; i++) {
        int major;
        if (sscanf(names[i], "clang-%d", &major) == 1 || sscanf(names[i], "clang++-%d", &major) == 1)
            return major;
    }
    return 0;
}

static int version_it_prints(const char *path) {
    struct list argv = {0};
    list_add(&argv, path);
    list_add(&argv, "--version");
    char *text = output_of(&argv);
    char *at = text ? strstr(text, "clang version ") : NULL;
    return at ? atoi(at + strlen("clang version ")) : 0;
}

/* The folder of libomptarget: beside the compiler's own bin/, or where the compiler would search.
 */
static char *runtime_folder(const char *path) {
    char *beside = absolute(format("%s../lib", dir_of(absolute(path))));
    if (is_file(format("%s/libomptarget.so", beside)))
        return beside;
    struct list argv = {0};
    list_add(&argv, path);
    list_add(&argv, "-print-file-name=libomptarget.so");
    char *file = output_of(&argv);
    if (!file)
        return NULL;
    file[strcspn(file, "\n")] = 0;
    if (!is_file(file)) /* the compiler prints the bare name when it finds nothing */
        return NULL;
    char *dir = absolute(dir_of(file)); /* of the link, not of the file behind it */
    return dir;
}

void describe_compiler(struct compiler *c) {
    char *full = find_in_path(c->path);
    if (!full)
        return;
    c->major = version_in_name(full);
    if (!c->major)
        c->major = version_it_prints(full);
    c->lib = c->major ? runtime_folder(full) : NULL;
}

/* Debian has these in packages of their own, and not in the same ones in every version. */
static const struct offload_tool offload_tools[] = {
    {"clang-offload-packager", "clang-tools", 0, 21},
    {"llvm-offload-binary", "llvm", 22, INT_MAX},
    {"clang-linker-wrapper", "clang-tools", 0, INT_MAX},
};

const struct offload_tool *missing_offload_tool(const struct compiler *c) {
    for (size_t i = 0; c->path && i < sizeof offload_tools / sizeof *offload_tools; i++) {
        const struct offload_tool *t = &offload_tools[i];
        if (c->major < t->from || c->major > t->until)
            continue;
        struct list argv = {0};
        list_add(&argv, c->path);
        list_add(&argv, format("-print-prog-name=%s", t->name));
        char *found = output_of(&argv);
        if (found && !strchr(found, '/')) /* the compiler prints the bare name when it finds nothing */
            return t;
    }
    return NULL;
}

/* Names of clang, best first: the one that made this build, of its LLVM, without a number, and of every version that
 * works. */
static const char *compiler_name(int k) {
    const char *const names[] = {HEDDLE_CLANG, format("clang-%d", llvm.built), "clang"};
    const int count = sizeof names / sizeof *names;
    if (k < count)
        return names[k];
    const int major = llvm.oldest + k - count;
    return major <= llvm.newest ? format("clang-%d", major) : NULL;
}

bool find_compiler(struct compiler *c) {
    const char *wish = variable("HEDDLE_CC"), *name;
    for (int k = 0; (name = wish ? wish : compiler_name(k)) && (k == 0 || !wish); k++) {
        struct compiler found = {.path = find_in_path(name)};
        if (!found.path) {
            c->path = c->path ? c->path : format("%s", name);
            continue;
        }
        describe_compiler(&found);
        *c = found;
        if (found.major >= llvm.oldest)
            return true;
    }
    return false;
}

/* ---- the CUDA pieces ---- */

int ptxas_version(const char *ptxas) {
    struct list argv = {0};
    list_add(&argv, ptxas);
    list_add(&argv, "--version");
    char *text = output_of(&argv);
    char *at = text ? strstr(text, "release ") : NULL;
    int major = 0, minor = 0;
    if (!at || sscanf(at, "release %d.%d", &major, &minor) != 2)
        return 0;
    return 100 * major + minor;
}

/* Why the folder cannot be used; NULL when it can. A folder without ptxas is none: "" . */
static const char *check_cuda(const char *path, int *version) {
    char *ptxas = format("%s/bin/ptxas", path);
    if (!is_program(ptxas))
        return "";
    *version = ptxas_version(ptxas);
    if (*version == 0)
        return "its ptxas does not run";
    if (*version >= CUDA_TOO_NEW)
        return format("its ptxas is of CUDA %d.%d, whose images LLVM 19 rejects in silence; 11.8 to "
                      "12.x are right",
                      *version / 100, *version % 100);
    if (*version < CUDA_OLDEST)
        return "its ptxas is older than CUDA 11.8";
    if (!is_program(format("%s/bin/nvlink", path)))
        return "it has no bin/nvlink";
    if (!is_file(format("%s/nvvm/libdevice/libdevice.10.bc", path)))
        return "it has no nvvm/libdevice/libdevice.10.bc";
    if (!is_file(format("%s/include/cuda.h", path)))
        return "it has no include/cuda.h, where clang reads the version";
    return NULL;
}

static bool try_cuda(struct cuda *c, const char *path) {
    int version = 0;
    if (!path || !is_dir(path))
        return false;
    const char *why = check_cuda(path, &version);
    if (!why) {
        c->path = absolute(path);
        c->version = version;
        return true;
    }
    if (*why && !c->unfit) {
        c->unfit = format("%s", path);
        c->why = format("%s", why);
    }
    return false;
}

static bool try_pattern(struct cuda *c, const char *pattern) {
    glob_t g;
    bool found = false;
    if (glob(pattern, 0, NULL, &g) == 0)
        for (size_t i = g.gl_pathc; i > 0 && !found; i--) /* the newest first */
            found = try_cuda(c, g.gl_pathv[i - 1]);
    globfree(&g);
    return found;
}

static char *cache_pattern(void) {
    const char *cache = variable("XDG_CACHE_HOME"), *user = variable("HOME");
    return cache ? format("%s/heddle/cuda-*", cache) : format("%s/.cache/heddle/cuda-*", user ? user : "");
}

void find_cuda(struct cuda *c, const char *preferred) {
    memset(c, 0, sizeof *c);
    if (preferred) { /* an explicit wish is not replaced by something else */
        if (!try_cuda(c, preferred) && !c->unfit) {
            c->unfit = format("%s", preferred);
            c->why = "it has no bin/ptxas";
        }
        return;
    }
    const struct home *h = find_home();
    if (try_cuda(c, variable("HEDDLE_CUDA")) || try_pattern(c, cache_pattern()) ||
        (h->share && try_pattern(c, format("%s/cuda-*", h->share))) || try_cuda(c, variable("CUDA_PATH")) ||
        try_cuda(c, variable("CUDA_HOME")) || try_cuda(c, "/usr/local/cuda") || try_pattern(c, "/usr/local/cuda-*") ||
        try_cuda(c, "/usr/lib/cuda"))
        return;
    char *ptxas = find_in_path("ptxas");
    if (ptxas)
        try_cuda(c, absolute(format("%s..", dir_of(absolute(ptxas)))));
}
