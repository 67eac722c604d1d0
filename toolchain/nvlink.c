/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvlink for clang's offload linker, on top of libnvJitLink.
 *
 * clang 19 links device code by running `nvlink -o OUT -arch sm_NN [-L DIR]… INPUT.cubin…`. PyPI's packages of
 * CUDA 12 hold a ptxas that makes clearly faster sm_90 code than Debian's 11.8 but no nvlink; the linker itself
 * is in libnvJitLink. toolchain/fetch-cuda compiles this file beside it. The C interface is declared here as
 * NVIDIA documents it (nvJitLink documentation, CUDA 12), since the package has no header for clang to find.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSIONED(name) "__" name "_12_9"
enum { INPUT_CUBIN = 1, INPUT_FATBIN = 3 };

typedef void *handle;
static struct {
    int (*create)(handle *, uint32_t, const char **);
    int (*add_file)(handle, int, const char *);
    int (*complete)(handle);
    int (*size)(handle, size_t *);
    int (*get)(handle, void *);
    int (*log_size)(handle, size_t *);
    int (*log)(handle, char *);
} link_api;

static void *symbol(void *library, const char *versioned, const char *plain) {
    void *p = dlsym(library, versioned);
    if (!p)
        p = dlsym(library, plain);
    if (!p) {
        fprintf(stderr, "nvlink: libnvJitLink has no %s: it must be of CUDA 12.9\n", plain);
        exit(1);
    }
    return p;
}

static void open_library(void) {
    void *library = dlopen("libnvJitLink.so.12", RTLD_NOW); /* the run path names its folder */
    if (!library) {
        fprintf(stderr, "nvlink: %s\n", dlerror());
        exit(1);
    }
#define LOAD(member, name) *(void **)&link_api.member = symbol(library, VERSIONED(name), name)
    LOAD(create, "nvJitLinkCreate");
    LOAD(add_file, "nvJitLinkAddFile");
    LOAD(complete, "nvJitLinkComplete");
    LOAD(size, "nvJitLinkGetLinkedCubinSize");
    LOAD(get, "nvJitLinkGetLinkedCubin");
    LOAD(log_size, "nvJitLinkGetErrorLogSize");
    LOAD(log, "nvJitLinkGetErrorLog");
}

static void check(handle link, int error, const char *what) {
    size_t n = 0;
    if (!error)
        return;
    fprintf(stderr, "nvlink: %s: error %d\n", what, error);
    if (link && !link_api.log_size(link, &n) && n) {
        char *log = calloc(n + 1, 1);
        if (log && !link_api.log(link, log))
            fprintf(stderr, "%s\n", log);
        free(log);
    }
    exit(1);
}

struct command {
    const char *output, *arch;
    const char **inputs;
    int ninputs;
};

static void parse(int argc, char **argv, struct command *c) {
    c->inputs = calloc((size_t)argc + 1, sizeof *c->inputs);
    for (int k = 1; k < argc; k++) {
        const int has_value = k + 1 < argc;
        if (!strcmp(argv[k], "-o") && has_value)
            c->output = argv[++k];
        else if (!strcmp(argv[k], "-arch") && has_value)
            c->arch = argv[++k];
        else if (!strcmp(argv[k], "-L") && has_value)
            k++; /* archives were resolved by clang's wrapper */
        else if (argv[k][0] != '-' && c->inputs)
            c->inputs[c->ninputs++] = argv[k];
    }
    if (!c->output || !c->arch || !c->ninputs) {
        fprintf(stderr, "usage: nvlink -o OUTPUT -arch sm_NN INPUT.cubin...\n");
        exit(2);
    }
}

static void write_file(const char *path, const void *data, size_t size) {
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) {
        perror(path);
        remove(path);
        exit(1);
    }
}

int main(int argc, char **argv) {
    struct command c = {0};
    char arch[64];
    handle link = NULL;
    size_t size = 0;
    parse(argc, argv, &c);
    open_library();
    snprintf(arch, sizeof arch, "-arch=%s", c.arch);
    check(link, link_api.create(&link, 1, (const char *[]){arch}), "create");
    for (int k = 0; k < c.ninputs; k++)
        check(link, link_api.add_file(link, INPUT_CUBIN, c.inputs[k]), c.inputs[k]);
    check(link, link_api.complete(link), "link");
    check(link, link_api.size(link, &size), "size");
    void *image = malloc(size);
    check(link, image ? link_api.get(link, image) : -1, "result");
    write_file(c.output, image, size);
    return 0;
}
