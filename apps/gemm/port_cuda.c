/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU: one stream for copies each way, PORT_LANES for products. */
#include "port.h"

#if __has_include(<heddle/gpu.h>)
#include "cublas.h"

#include <heddle.h>
#include <heddle/gpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gpu {
    void *in, *out, *lane[PORT_LANES];
    struct cublas_handle *handle[PORT_LANES]; /* of cuBLAS; NULL: the OpenMP kernel */
};

static int enter(struct port *port) { return heddle_gpu_enter(port->device); }
static void leave(struct port *port) {
    (void)port;
    heddle_gpu_leave();
}
static size_t room(struct port *port) { return heddle_device_room(port->device); }
static void *alloc(struct port *port, size_t bytes) {
    void *memory;
    (void)port;
    return heddle_gpu_alloc(&memory, bytes) ? NULL : memory;
}
static void release(struct port *port, void *memory) {
    (void)port;
    heddle_gpu_free(memory);
}
static void *event(struct port *port) {
    void *event;
    (void)port;
    return heddle_gpu_event(&event) ? NULL : event;
}
static void event_free(struct port *port, void *event) {
    (void)port;
    heddle_gpu_event_free(event);
}
static int done(struct port *port, void *event) {
    (void)port;
    return heddle_gpu_done(event);
}

static int load(struct port *port, void *to, const void *from, size_t bytes, void *event) {
    struct gpu *gpu = port->state;
    const int error = heddle_gpu_copy_in(to, from, bytes, gpu->in);
    return error ? error : heddle_gpu_record(event, gpu->in);
}

static bool reaches(struct port *port, const struct port *other) {
    (void)port;
    return !heddle_gpu_reach(other->device);
}

/* On the stream of the copies from the host, so that loads end in the order in which they were asked for. */
static int load_from(struct port *port, void *to, const struct port *other, const void *from, size_t bytes,
                     void *event) {
    struct gpu *gpu = port->state;
    const int error = heddle_gpu_copy_across(to, from, other->device, bytes, gpu->in);
    return error ? error : heddle_gpu_record(event, gpu->in);
}

static int store(struct port *port, void *to, const void *from, size_t bytes, void *after, void *event) {
    struct gpu *gpu = port->state;
    int error = after ? heddle_gpu_wait(gpu->out, after) : 0;
    error = error ? error : heddle_gpu_copy_out(to, from, bytes, gpu->out);
    return error ? error : heddle_gpu_record(event, gpu->out);
}

static int multiply(struct port *port, int lane, const struct product *p, void *const after[3], void *event) {
    struct gpu *gpu = port->state;
    int error = 0;
    for (int k = 0; k < 3 && !error; k++)
        error = after[k] ? heddle_gpu_wait(gpu->lane[lane], after[k]) : 0;
    if (!error && gpu->handle[lane])
        error = cublas_product(gpu->handle[lane], p, port->plain);
    else if (!error &&
             !(error = heddle_gpu_synchronize(gpu->lane[lane]))) /* OpenMP's kernels have streams of their own */
        error = product_target(port->device, p);
    return error ? error : heddle_gpu_record(event, gpu->lane[lane]);
}

static void close_port(struct port *port) {
    struct gpu *gpu = port->state;
    if (!gpu)
        return;
    for (int k = 0; k < PORT_LANES; k++) {
        if (gpu->handle[k])
            cublas_handle_free(gpu->handle[k]);
        if (gpu->lane[k])
            heddle_gpu_stream_free(gpu->lane[k]);
    }
    if (gpu->in)
        heddle_gpu_stream_free(gpu->in);
    if (gpu->out)
        heddle_gpu_stream_free(gpu->out);
    free(gpu);
    port->state = NULL;
}

static bool open_streams(struct gpu *gpu, bool library) {
    if (heddle_gpu_stream(&gpu->in) || heddle_gpu_stream(&gpu->out))
        return false;
    for (int k = 0; k < PORT_LANES; k++)
        if (heddle_gpu_stream(&gpu->lane[k]) || (library && !(gpu->handle[k] = cublas_handle(gpu->lane[k]))))
            return false;
    return true;
}

bool port_cuda_open(struct port *port, int device, const char *library, char *message, size_t size) {
    static const struct port_ops ops = {.enter = enter,
                                        .leave = leave,
                                        .room = room,
                                        .alloc = alloc,
                                        .free = release,
                                        .event = event,
                                        .event_free = event_free,
                                        .done = done,
                                        .load = load,
                                        .reaches = reaches,
                                        .load_from = load_from,
                                        .store = store,
                                        .multiply = multiply,
                                        .close = close_port};
    char why[256] = "";
    *port = (struct port){.ops = &ops, .device = device, .is_gpu = true};
    message[0] = 0;
    if (heddle_gpu_enter(device))
        return false;
    const bool none = library && !strcmp(library, "none"), found = !none && cublas_open(library, why, sizeof why);
    snprintf(port->library, sizeof port->library, "%s", found ? cublas_name() : "OpenMP kernel");
    if (!none && !found)
        snprintf(message, size, "%s", why);
    bool ok = !message[0] || !library; /* without a library that was not asked for it goes on, and says so */
    if (ok && !(ok = (port->state = calloc(1, sizeof(struct gpu))) && open_streams(port->state, found))) {
        snprintf(message, size, "device %d: streams or a cuBLAS handle could not be made", device);
        close_port(port);
    }
    heddle_gpu_leave();
    return ok;
}

bool port_cuda_lock(void *memory, size_t bytes) { return !heddle_gpu_lock(memory, bytes); }
void port_cuda_unlock(void *memory) { heddle_gpu_unlock(memory); }
#else
bool port_cuda_lock(void *memory, size_t bytes) {
    (void)memory, (void)bytes;
    return false;
}
void port_cuda_unlock(void *memory) { (void)memory; }
bool port_cuda_open(struct port *port, int device, const char *library, char *message, size_t size) {
    (void)port, (void)device, (void)library, (void)size;
    message[0] = 0;
    return false;
}
#endif
