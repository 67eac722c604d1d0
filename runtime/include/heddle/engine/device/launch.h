/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the host's code starts a kernel, and how it asks what runs on a device. A kernel is bare: no run time of
 * OpenMP's, every thread of every block runs it from the start.
 */
#ifndef HEDDLE_DEVICE_LAUNCH_H
#define HEDDLE_DEVICE_LAUNCH_H
#include <heddle/engine/device.h>
#include <heddle/engine/nest.h>
#include <heddle/engine/wavefront/call.h>

#if HEDDLE_ON_GPU
#define HEDDLE_KERNEL(kernel, elsewhere) kernel
#define HEDDLE_DESCRIBE(...)                                                                                           \
    image.arch = HEDDLE_ARCH_GPU;                                                                                      \
    __VA_ARGS__
#else
#define HEDDLE_KERNEL(kernel, elsewhere) elsewhere
#define HEDDLE_DESCRIBE(...) image.arch = heddle_is_host() ? HEDDLE_ARCH_NONE : HEDDLE_ARCH_HOST
#endif

/* Runs kernel(control) on a GPU, elsewhere(control) on a device that is a host processor, and on the host itself when
   the device did not take the launch. Waits. */
#ifndef HEDDLE_LAUNCH
/* one string: a formatter must not split it */
#define HEDDLE_LAUNCH_TARGET                                                                                           \
    _Pragma("omp target teams ompx_bare num_teams(teams) thread_limit(threads) is_device_ptr(control) device(device)")
#define HEDDLE_LAUNCH(call, kernel, elsewhere)                                                                         \
    do {                                                                                                               \
        __typeof__((call)->control) control = (call)->control;                                                         \
        const int teams = (call)->teams, threads = (call)->threads, device = (call)->device;                           \
        HEDDLE_LAUNCH_TARGET { HEDDLE_KERNEL(kernel, elsewhere)(control); }                                            \
    } while (0)
#endif

/* Defines `name`, the probe of a directive; what follows is a statement that runs on a GPU and may add to `image`. */
#define HEDDLE_PROBE(name, ...)                                                                                        \
    static HEDDLE_UNUSED struct heddle_image name(int device) {                                                        \
        struct heddle_image image = {.arch = HEDDLE_ARCH_NONE};                                                        \
        _Pragma("omp target teams ompx_bare num_teams(1) thread_limit(1) map(tofrom : image) device(device)") {        \
            image.warp = HEDDLE_WARP;                                                                                  \
            HEDDLE_DESCRIBE(__VA_ARGS__);                                                                              \
        }                                                                                                              \
        return image;                                                                                                  \
    }
#endif
