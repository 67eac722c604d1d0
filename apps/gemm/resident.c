/* SPDX-License-Identifier: Apache-2.0 */
#include "resident.h"

#include "app.h"
#include "cublas.h"
#include "port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct resident {
    struct gemm *g;
    struct port port;
    void *a, *b, *c, *event;
};

static bool wait(struct resident *r) {
    int done;
    while (!(done = r->port.ops->done(&r->port, r->event)))
        ;
    return done > 0;
}

static bool load(struct resident *r, void *to, const void *from, size_t bytes) {
    return !r->port.ops->load(&r->port, to, from, bytes, r->event) && wait(r);
}

static bool run(struct resident *r, double *seconds, long count) {
    struct gemm *g = r->g;
    const size_t a = gemm_operand_bytes(g, g->m), b = gemm_operand_bytes(g, g->n), c = gemm_c_bytes(g);
    struct product p = gemm_product(g, 0);
    p.a = r->a;
    p.b = r->b;
    p.c = r->c;
    bool ok = load(r, r->a, g->a, a) && load(r, r->b, g->b, b);
    for (long k = 0; k < count && ok; k++) {
        ok = g->beta == 0 || load(r, r->c, g->c, c);
        const double start = app_seconds();
        ok = ok && !r->port.ops->multiply(&r->port, 0, &p, (void *const[3]){NULL, NULL, NULL}, r->event) && wait(r);
        seconds[k] = app_seconds() - start;
    }
    return ok && !r->port.ops->store(&r->port, g->c, r->c, c, NULL, r->event) && wait(r);
}

static bool with_memory(struct resident *r, double *seconds, long count, char *message, size_t size) {
    struct gemm *g = r->g;
    const struct port_ops *ops = r->port.ops;
    const size_t bytes[3] = {gemm_operand_bytes(g, g->m), gemm_operand_bytes(g, g->n), gemm_c_bytes(g)};
    r->a = ops->alloc(&r->port, bytes[0]);
    r->b = ops->alloc(&r->port, bytes[1]);
    r->c = ops->alloc(&r->port, bytes[2]);
    r->event = ops->event(&r->port);
    bool ok = r->a && r->b && r->c && r->event;
    if (!ok)
        snprintf(message, size, "--resident: the matrices, %.3g GB, do not fit into device %d",
                 (double)(bytes[0] + bytes[1] + bytes[2]) * 1e-9, r->port.device);
    else if (!(ok = run(r, seconds, count)))
        snprintf(message, size, "device %d failed", r->port.device);
    void *const memory[3] = {r->a, r->b, r->c};
    for (int k = 0; k < 3; k++)
        if (memory[k])
            ops->free(&r->port, memory[k]);
    if (r->event)
        ops->event_free(&r->port, r->event);
    return ok;
}

bool resident_run(struct gemm *g, int device, const char *cublas, double *seconds, long count, char *library,
                  char *message, size_t size) {
    struct resident r = {.g = g};
    if (!port_cuda_open(&r.port, device, cublas, message, size)) {
        if (message[0])
            return false;
        if (!port_omp_open(&r.port, device)) {
            snprintf(message, size, "--resident: there is no device %d", device);
            return false;
        }
    }
    r.port.plain = true;
    snprintf(library, 64, "%s", r.port.library);
    bool ok = !r.port.ops->enter(&r.port);
    if (ok) {
        ok = with_memory(&r, seconds, count, message, size);
        r.port.ops->close(&r.port);
        r.port.ops->leave(&r.port);
    }
    return ok;
}

static bool xt_times(struct gemm *g, void *handle, double *seconds, long repeat) {
    const struct product p = gemm_product(g, 0);
    const size_t bytes = gemm_c_bytes(g);
    void *before = g->beta == 0 ? NULL : app_alloc(bytes, 1);
    bool ok = true;
    if (before)
        memcpy(before, g->c, bytes);
    for (long k = 0; k < repeat + 1 && ok; k++) { /* one more, not timed: it takes its memory */
        if (before)
            memcpy(g->c, before, bytes);
        const double start = app_seconds();
        ok = !cublas_xt_product(handle, &p);
        if (k)
            seconds[k - 1] = app_seconds() - start;
    }
    free(before);
    return ok;
}

bool xt_run(struct gemm *g, const int *devices, int count, int block, const char *cublas, double *seconds, long repeat,
            char *message, size_t size) {
    struct port port;
    if (!port_cuda_open(&port, devices[0], cublas, message, size) || message[0]) {
        if (!message[0])
            snprintf(message, size, "--xt: device %d is no GPU", devices[0]);
        return false;
    }
    void *const matrix[3] = {g->a, g->b, g->c};
    const size_t bytes[3] = {gemm_operand_bytes(g, g->m), gemm_operand_bytes(g, g->n), gemm_c_bytes(g)};
    bool locked[3];
    for (int k = 0; k < 3; k++)
        locked[k] = port_cuda_lock(matrix[k], bytes[k]);
    bool ok = !port.ops->enter(&port);
    if (ok) {
        void *handle = cublas_xt_handle(devices, count, block);
        ok = handle && xt_times(g, handle, seconds, repeat);
        if (handle)
            cublas_xt_free(handle);
        port.ops->close(&port);
        port.ops->leave(&port);
    }
    if (!ok)
        snprintf(message, size, "--xt: cuBLASXt failed or is not there");
    for (int k = 0; k < 3; k++)
        if (locked[k])
            port_cuda_unlock(matrix[k]);
    return ok;
}
