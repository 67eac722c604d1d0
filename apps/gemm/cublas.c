/* SPDX-License-Identifier: Apache-2.0 */
#include "cublas.h"

#include "cublas_lt.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cublas_api.h */
enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
static struct {
    int (*create)(void **);
    int (*destroy)(void *);
    int (*set_stream)(void *, void *);
    int (*get_property)(int, int *);
    int (*sgemm)(void *, int, int, int, int, int, const float *, const float *, int, const float *, int, const float *,
                 float *, int);
    int (*dgemm)(void *, int, int, int, int, int, const double *, const double *, int, const double *, int,
                 const double *, double *, int);
    bool open;
    char name[64], wrong[256];
    /* cuBLASXt, of the same library */
    int (*xt_create)(void **);
    int (*xt_destroy)(void *);
    int (*xt_select)(void *, int, int *);
    int (*xt_block)(void *, int);
    int (*xt_sgemm)(void *, int, int, size_t, size_t, size_t, const float *, const float *, size_t, const float *,
                    size_t, const float *, float *, size_t);
    int (*xt_dgemm)(void *, int, int, size_t, size_t, size_t, const double *, const double *, size_t, const double *,
                    size_t, const double *, double *, size_t);
} blas;
struct cublas_handle {
    void *blas, *stream;
    struct cublas_lt *lt;
};
static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;

const char *cublas_name(void) { return blas.name; }

static bool use(void *lib) {
    *(void **)&blas.create = dlsym(lib, "cublasCreate_v2");
    *(void **)&blas.destroy = dlsym(lib, "cublasDestroy_v2");
    *(void **)&blas.set_stream = dlsym(lib, "cublasSetStream_v2");
    *(void **)&blas.get_property = dlsym(lib, "cublasGetProperty");
    *(void **)&blas.sgemm = dlsym(lib, "cublasSgemm_v2");
    *(void **)&blas.dgemm = dlsym(lib, "cublasDgemm_v2");
    *(void **)&blas.xt_create = dlsym(lib, "cublasXtCreate");
    *(void **)&blas.xt_destroy = dlsym(lib, "cublasXtDestroy");
    *(void **)&blas.xt_select = dlsym(lib, "cublasXtDeviceSelect");
    *(void **)&blas.xt_block = dlsym(lib, "cublasXtSetBlockDim");
    *(void **)&blas.xt_sgemm = dlsym(lib, "cublasXtSgemm");
    *(void **)&blas.xt_dgemm = dlsym(lib, "cublasXtDgemm");
    if (!blas.create || !blas.destroy || !blas.set_stream || !blas.sgemm || !blas.dgemm)
        return false;
    cublas_lt_open(lib);
    int version[3] = {0, 0, 0};
    for (int k = 0; blas.get_property && k < 3; k++)
        blas.get_property(k, &version[k]);
    snprintf(blas.name, sizeof blas.name, "cuBLAS %d.%d.%d", version[0], version[1], version[2]);
    return true;
}

/* The newest that matches; glob sorts by name. */
static void *open_newest(const char *pattern) {
    glob_t found;
    void *lib = NULL;
    if (glob(pattern, 0, NULL, &found))
        return NULL;
    for (size_t k = found.gl_pathc; k-- > 0 && !lib;)
        lib = dlopen(found.gl_pathv[k], RTLD_NOW | RTLD_LOCAL);
    globfree(&found);
    return lib;
}

static void *find(void) {
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"};
    static const char *const places[] = {"/usr/local/cuda/lib64/libcublas.so.1?",
                                         "/usr/local/cuda-*/lib64/libcublas.so.1?",
                                         "/usr/local/cuda-*/targets/*/lib/libcublas.so.1?",
                                         "/opt/cuda/lib64/libcublas.so.1?",
                                         "/usr/lib/*/libcublas.so.1?",
                                         "/usr/lib*/python3*/*-packages/nvidia/*/lib/libcublas.so.1?",
                                         "/usr/local/lib/python3*/*-packages/nvidia/*/lib/libcublas.so.1?"};
    void *lib = NULL;
    for (size_t k = 0; k < sizeof names / sizeof *names && !lib; k++)
        lib = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    for (size_t k = 0; k < sizeof places / sizeof *places && !lib; k++)
        lib = open_newest(places[k]);
    return lib;
}

static void open_once(const char *path) {
    /* the default mode computes in the type's own precision unless the environment says otherwise; it does not here */
    setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
    unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
    unsetenv("CUBLAS_EMULATE_DOUBLE_PRECISION");
    unsetenv("CUBLAS_EMULATION_STRATEGY");
    void *lib = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : find();
    if (!lib && path)
        snprintf(blas.wrong, sizeof blas.wrong, "%s", dlerror());
    else if (!lib)
        snprintf(blas.wrong, sizeof blas.wrong,
                 "libcublas.so is in none of the usual places; --cublas=FILE names it (in nvidia-cuda-toolkit of "
                 "Debian, nvidia-cublas of PyPI)");
    else if (!(blas.open = use(lib)))
        snprintf(blas.wrong, sizeof blas.wrong, "%s is no cuBLAS: it lacks cublasSgemm_v2 and others",
                 path ? path : "libcublas.so");
}

bool cublas_open(const char *path, char *message, size_t size) {
    pthread_mutex_lock(&once);
    if (!blas.open && !blas.wrong[0])
        open_once(path);
    pthread_mutex_unlock(&once);
    if (!blas.open)
        snprintf(message, size, "%s", blas.wrong);
    return blas.open;
}

struct cublas_handle *cublas_handle(void *stream) {
    struct cublas_handle *handle = calloc(1, sizeof *handle);
    if (!handle || blas.create(&handle->blas)) {
        free(handle);
        return NULL;
    }
    if (blas.set_stream(handle->blas, stream)) {
        cublas_handle_free(handle);
        return NULL;
    }
    handle->stream = stream;
    handle->lt = cublas_lt_handle();
    return handle;
}

void cublas_handle_free(struct cublas_handle *handle) {
    cublas_lt_free(handle->lt);
    blas.destroy(handle->blas);
    free(handle);
}

/* cuBLAS takes matrices by columns: a row-major C of m rows is its transpose, C' = B' A', and B' and A' are what the
 * panels of B and A are by columns, the latter to be transposed. */
int cublas_product(struct cublas_handle *handle, const struct product *p, bool plain) {
    if (!plain && cublas_lt_product(handle->lt, p, handle->stream))
        return 0;
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k, lda = (int)p->lda, ldb = (int)p->ldb, ldc = (int)p->ldc;
    const float alpha = (float)p->alpha, beta = (float)p->beta;
    const int error = p->is_double ? blas.dgemm(handle->blas, CUBLAS_OP_N, CUBLAS_OP_T, n, m, k, &p->alpha, p->b, ldb,
                                                p->a, lda, &p->beta, p->c, ldc)
                                   : blas.sgemm(handle->blas, CUBLAS_OP_N, CUBLAS_OP_T, n, m, k, &alpha, p->b, ldb,
                                                p->a, lda, &beta, p->c, ldc);
    return error ? -1 : 0;
}

void *cublas_xt_handle(const int *devices, int count, int block) {
    int list[16];
    void *handle;
    if (!blas.xt_create || !blas.xt_destroy || !blas.xt_select || !blas.xt_block || !blas.xt_sgemm || !blas.xt_dgemm ||
        count > 16)
        return NULL;
    memcpy(list, devices, (size_t)count * sizeof *list);
    if (blas.xt_create(&handle))
        return NULL;
    if (!blas.xt_select(handle, count, list) && !blas.xt_block(handle, block))
        return handle;
    blas.xt_destroy(handle);
    return NULL;
}

int cublas_xt_product(void *handle, const struct product *p) {
    const size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k, lda = (size_t)p->lda, ldb = (size_t)p->ldb,
                 ldc = (size_t)p->ldc;
    const float alpha = (float)p->alpha, beta = (float)p->beta;
    return p->is_double ? blas.xt_dgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, m, k, &p->alpha, p->b, ldb, p->a, lda,
                                        &p->beta, p->c, ldc)
                        : blas.xt_sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, m, k, &alpha, p->b, ldb, p->a, lda, &beta,
                                        p->c, ldc);
}

void cublas_xt_free(void *handle) { blas.xt_destroy(handle); }
