/* SPDX-License-Identifier: Apache-2.0 */
/* HEDDLE_FAULT for libomptarget: functions that refuse stand before its own, for libheddle and the program alike. */
#include "selector.h"
#include "core/fault.h"
#include "device/device.h"
#include <omp.h>

static struct real real;

/* Engines and the selector look at what comes back. In any other place the compiler's code would run the host's version
   on memory of the host, while the data is on the device: libomptarget ends the program then, wherever there are
   devices.
 */
static int refuse(int64_t device) {
    if (!heddle__inside && !heddle__launching() && !heddle__is_host((int)device))
        heddle__lost(
            NULL,
            "device %ld did not run a target region of the program, whose data may be there; the program ends, "
            "as it does without heddle",
            (long)device);
    return 1;
}

static int kernel(struct ident *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                  struct kernel_args *args) {
    const int64_t number = device < 0 ? omp_get_default_device() : device;
    const bool away = heddle__fault_set && heddle__fault_vanishes(number, __FILE__, __LINE__);
    return away || heddle__fails(HEDDLE__FAULT_LAUNCH) ? refuse(number)
                                                       : real.kernel(loc, device, teams, threads, id, args);
}

static void *alloc(size_t bytes, int device) {
    return heddle__is_away(device) || heddle__fails(HEDDLE__FAULT_MAP) ? NULL : real.alloc(bytes, device);
}
static void *alloc_device(size_t bytes, int device) {
    return heddle__is_away(device) || heddle__fails(HEDDLE__FAULT_MAP) ? NULL : real.alloc_device(bytes, device);
}
static void *alloc_shared(size_t bytes, int device) {
    return heddle__is_away(device) || heddle__fails(HEDDLE__FAULT_MAP) ? NULL : real.alloc_shared(bytes, device);
}

static int copy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset, int to_device,
                int from_device) {
    return heddle__is_away(to_device) || heddle__is_away(from_device) || heddle__fails(HEDDLE__FAULT_COPY)
               ? 1
               : real.copy(to, from, bytes, to_offset, from_offset, to_device, from_device);
}

void heddle__real_faults(struct real *functions) {
    real = *functions;
    functions->kernel = real.kernel ? kernel : NULL;
    functions->alloc = real.alloc ? alloc : NULL;
    functions->alloc_device = real.alloc_device ? alloc_device : NULL;
    functions->alloc_shared = real.alloc_shared ? alloc_shared : NULL;
    functions->copy = real.copy ? copy : NULL;
}
