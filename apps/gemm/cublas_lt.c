/* SPDX-License-Identifier: Apache-2.0 */
#include "cublas_lt.h"

#include <dlfcn.h>
#include <stdlib.h>

/* cublasLt.h */
enum { CUDA_R_64F = 1, CUBLAS_COMPUTE_64F = 70, CUBLASLT_MATMUL_DESC_TRANSB = 4, CUBLAS_OP_T = 1 };
struct algorithm {
    uint64_t data[8];
};
struct heuristic {
    struct algorithm algorithm;
    size_t workspace;
    int status;
    float waves;
    int reserved[4];
};
static struct {
    int (*create)(void **);
    int (*destroy)(void *);
    int (*description)(void **, int, int);
    int (*description_set)(void *, int, const void *, size_t);
    int (*description_free)(void *);
    int (*layout)(void **, int, uint64_t, uint64_t, int64_t);
    int (*layout_free)(void *);
    int (*preference)(void **);
    int (*preference_free)(void *);
    int (*choose)(void *, void *, void *, void *, void *, void *, void *, int, struct heuristic *, int *);
    int (*check)(void *, void *, void *, void *, void *, void *, const struct algorithm *, struct heuristic *);
    int (*multiply)(void *, void *, const void *, const void *, void *, const void *, void *, const void *,
                    const void *, void *, void *, void *, const struct algorithm *, void *, size_t, void *);
    bool open;
} calls;

struct cublas_lt {
    void *handle, *description;
    struct algorithm algorithm;
};

bool cublas_lt_open(void *library) {
    const struct {
        void *at;
        const char *name;
    } wanted[] = {{&calls.create, "cublasLtCreate"},
                  {&calls.destroy, "cublasLtDestroy"},
                  {&calls.description, "cublasLtMatmulDescCreate"},
                  {&calls.description_set, "cublasLtMatmulDescSetAttribute"},
                  {&calls.description_free, "cublasLtMatmulDescDestroy"},
                  {&calls.layout, "cublasLtMatrixLayoutCreate"},
                  {&calls.layout_free, "cublasLtMatrixLayoutDestroy"},
                  {&calls.preference, "cublasLtMatmulPreferenceCreate"},
                  {&calls.preference_free, "cublasLtMatmulPreferenceDestroy"},
                  {&calls.choose, "cublasLtMatmulAlgoGetHeuristic"},
                  {&calls.check, "cublasLtMatmulAlgoCheck"},
                  {&calls.multiply, "cublasLtMatmul"}};
    calls.open = true;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (!(*(void **)wanted[k].at = dlsym(library, wanted[k].name))) /* in what the library depends on, too */
            calls.open = false;
    return calls.open;
}

/* As cuBLAS sees a product: C' = B' A', by columns. */
static bool lay_out(void *layout[3], long m, long n, long k, long lda, long ldb, long ldc) {
    const long rows[3] = {n, m, n}, cols[3] = {k, k, m}, pitch[3] = {ldb, lda, ldc};
    bool ok = true;
    for (int x = 0; x < 3; x++) {
        layout[x] = NULL;
        ok = ok && !calls.layout(&layout[x], CUDA_R_64F, (uint64_t)rows[x], (uint64_t)cols[x], pitch[x]);
    }
    return ok;
}

static void free_layouts(void *layout[3]) {
    for (int x = 0; x < 3; x++)
        if (layout[x])
            calls.layout_free(layout[x]);
}

/* What is taken for a product of this size, in no more memory than its matrices. */
static bool choose(struct cublas_lt *lt) {
    enum { LARGE = 16384 };
    struct heuristic found = {.workspace = 1};
    void *layout[3], *preference = NULL;
    int count = 0;
    const bool ok = lay_out(layout, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE) && !calls.preference(&preference) &&
                    !calls.choose(lt->handle, lt->description, layout[0], layout[1], layout[2], layout[2], preference,
                                  1, &found, &count);
    free_layouts(layout);
    if (preference)
        calls.preference_free(preference);
    lt->algorithm = found.algorithm;
    return ok && count == 1 && !found.status && !found.workspace;
}

struct cublas_lt *cublas_lt_handle(void) {
    const int transposed = CUBLAS_OP_T;
    struct cublas_lt *lt = calls.open ? calloc(1, sizeof *lt) : NULL;
    if (!lt)
        return NULL;
    if (!calls.create(&lt->handle) && !calls.description(&lt->description, CUBLAS_COMPUTE_64F, CUDA_R_64F) &&
        !calls.description_set(lt->description, CUBLASLT_MATMUL_DESC_TRANSB, &transposed, sizeof transposed) &&
        choose(lt))
        return lt;
    cublas_lt_free(lt);
    return NULL;
}

void cublas_lt_free(struct cublas_lt *lt) {
    if (!lt)
        return;
    if (lt->description)
        calls.description_free(lt->description);
    if (lt->handle)
        calls.destroy(lt->handle);
    free(lt);
}

bool cublas_lt_product(struct cublas_lt *lt, const struct product *p, void *stream) {
    struct heuristic fits;
    void *layout[3];
    if (!lt || !p->is_double || (double)p->m * (double)p->n < 0x1p22)
        return false;
    const bool done =
        lay_out(layout, p->m, p->n, p->k, p->lda, p->ldb, p->ldc) &&
        !calls.check(lt->handle, lt->description, layout[0], layout[1], layout[2], layout[2], &lt->algorithm, &fits) &&
        !fits.workspace &&
        !calls.multiply(lt->handle, lt->description, &p->alpha, p->b, layout[0], p->a, layout[1], &p->beta, p->c,
                        layout[2], p->c, layout[2], &lt->algorithm, NULL, 0, stream);
    free_layouts(layout);
    return done;
}
