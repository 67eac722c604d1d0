/* SPDX-License-Identifier: Apache-2.0 */
/* HEDDLE_FAULT for libomptarget: functions that refuse stand before its own, for libheddle and the program alike. */
#include "selector.h"
#include "core/fault.h"

static struct real real;

static int kernel(struct ident *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                  struct kernel_args *args) {
    const bool away = heddle__fault_set && heddle__fault_vanishes(device, __FILE__, __LINE__);
    return away || heddle__fails(HEDDLE__FAULT_LAUNCH) ? 1 : real.kernel(loc, device, teams, threads, id, args);
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
