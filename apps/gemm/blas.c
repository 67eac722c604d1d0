/* SPDX-License-Identifier: Apache-2.0 */
#include "blas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, TRANSPOSE = 112 }; /* of CBLAS */

static struct {
    void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
    void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *,
                  int);
    char name[64];
} blas = {.name = "plain C"};

const char *blas_name(void) { return blas.name; }

/* OpenBLAS 0.3.21 takes a processor that it does not know, or one that a virtual machine hides, for one of 2004 and
 * runs at a tenth of the speed. What the processor can do, it says itself. */
static const char *core_by_features(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        return "SKYLAKEX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "HASWELL";
#endif
    return NULL;
}

static bool is_old_core(const char *core) {
    static const char *const old[] = {"prescott", "katmai", "coppermine", "northwood", "banias", "core2", "generic"};
    for (size_t k = 0; k < sizeof old / sizeof *old; k++)
        if (!strcasecmp(core, old[k]))
            return true;
    return false;
}

static void *open_blas(const char *name) {
    /* read when it is loaded; the loop's threads are enough */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("BLIS_NUM_THREADS", "1", 1);
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* The library once more if it chose code for a processor that is too old. */
static void *open_for_core(const char *name) {
    void *lib = open_blas(name);
    char *(*core)(void) = lib ? (char *(*)(void))dlsym(lib, "openblas_get_corename") : NULL;
    const char *better = core_by_features();
    if (core && better && is_old_core(core()) && !getenv("OPENBLAS_CORETYPE")) {
        dlclose(lib);
        setenv("OPENBLAS_CORETYPE", better, 1);
        lib = open_blas(name);
    }
    return lib;
}

static bool use(void *lib) {
    *(void **)&blas.sgemm = dlsym(lib, "cblas_sgemm");
    *(void **)&blas.dgemm = dlsym(lib, "cblas_dgemm");
    if (!blas.sgemm || !blas.dgemm) {
        blas.sgemm = NULL;
        return false;
    }
    char *(*core)(void) = (char *(*)(void))dlsym(lib, "openblas_get_corename");
    void (*threads)(int) = (void (*)(int))dlsym(lib, "openblas_set_num_threads");
    if (threads)
        threads(1);
    if (core)
        snprintf(blas.name, sizeof blas.name, "OpenBLAS %s", core());
    else
        snprintf(blas.name, sizeof blas.name, "%s", dlsym(lib, "bli_init") ? "BLIS" : "CBLAS");
    return true;
}

bool blas_open(const char *name, char *message, size_t size) {
    static const char *const usual[] = {"libopenblas.so.0", "libblis.so.4", "libblis.so.3", "libopenblas.so", NULL};
    if (name && !strcmp(name, "none"))
        return true;
    for (int k = 0; !name && usual[k]; k++) {
        void *lib = open_for_core(usual[k]);
        if (lib && use(lib))
            return true;
    }
    if (!name)
        return true;
    void *lib = open_for_core(name);
    if (!lib)
        snprintf(message, size, "%s", dlerror());
    else if (!use(lib))
        snprintf(message, size, "%s has no cblas_sgemm and cblas_dgemm", name);
    return blas.sgemm;
}

void blas_product(const struct product *p) {
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k, lda = (int)p->lda, ldb = (int)p->ldb, ldc = (int)p->ldc;
    if (!blas.sgemm || !m || !n || !k) {
        product_plain(p);
    } else if (p->is_double) {
        blas.dgemm(ROW_MAJOR, TRANSPOSE, NO_TRANSPOSE, m, n, k, p->alpha, p->a, lda, p->b, ldb, p->beta, p->c, ldc);
    } else {
        blas.sgemm(ROW_MAJOR, TRANSPOSE, NO_TRANSPOSE, m, n, k, (float)p->alpha, p->a, lda, p->b, ldb, (float)p->beta,
                   p->c, ldc);
    }
}

void gemm_host(struct gemm *g, long t) {
    const struct product p = gemm_product(g, t);
    blas_product(&p);
    g->done++;
}
