/* SPDX-License-Identifier: Apache-2.0 */
/* An OpenMP device: every call is done when it returns. */
#include "port.h"

#include "app.h"

#include <stdint.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#endif

#ifdef _OPENMP
#include <omp.h>

static int enter(struct port *port) {
    (void)port;
    return 0;
}
static void leave(struct port *port) { (void)port; }

/* What does not tell is the host under another name, more often than not: half of its memory, shared by all devices. */
static size_t room(struct port *port) {
#if __has_include(<heddle.h>)
    const size_t told = heddle_device_room(port->device);
    if (told != SIZE_MAX)
        return told;
#endif
    const double free = app_memory_free();
    return free < 0 ? 0 : (size_t)(free / 2 / omp_get_num_devices());
}

static void *alloc(struct port *port, size_t bytes) { return omp_target_alloc(bytes, port->device); }
static void release(struct port *port, void *memory) { omp_target_free(memory, port->device); }
static void *event(struct port *port) { return port; } /* any mark will do */
static void event_free(struct port *port, void *event) { (void)port, (void)event; }
static int done(struct port *port, void *event) {
    (void)port, (void)event;
    return 1;
}

static int load(struct port *port, void *to, const void *from, size_t bytes, void *event) {
    (void)event;
    return omp_target_memcpy(to, from, bytes, 0, 0, port->device, omp_get_initial_device()) ? -1 : 0;
}

static bool reaches(struct port *port, const struct port *other) {
    (void)port, (void)other;
    return true;
}

static int load_from(struct port *port, void *to, const struct port *other, const void *from, size_t bytes,
                     void *event) {
    (void)event;
    return omp_target_memcpy(to, from, bytes, 0, 0, port->device, other->device) ? -1 : 0;
}

static int store(struct port *port, void *to, const void *from, size_t bytes, void *after, void *event) {
    (void)after, (void)event;
    return omp_target_memcpy(to, from, bytes, 0, 0, omp_get_initial_device(), port->device) ? -1 : 0;
}

static int multiply(struct port *port, int lane, const struct product *p, void *const after[3], void *event) {
    (void)lane, (void)after, (void)event;
    return product_target(port->device, p);
}
static void close_port(struct port *port) { (void)port; }

bool port_omp_open(struct port *port, int device) {
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
    *port = (struct port){.ops = &ops, .device = device};
    snprintf(port->library, sizeof port->library, "OpenMP kernel");
    return device >= 0 && device < omp_get_num_devices();
}
#else
bool port_omp_open(struct port *port, int device) {
    (void)port, (void)device;
    return false;
}
#endif
