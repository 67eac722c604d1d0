/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of libomptarget's entry points that need devices. They go straight through, but start the devices first
 * (device/start.h): without them libomptarget would say once and for all that there are none.
 */
#include "device/omptarget.h"
#include "device/start.h"
#include <dlfcn.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* libomp's omp_get_num_devices and omp_get_initial_device look for libomptarget's by name, in all libraries, at each
   call; and libomptarget calls them at each launch. */
static void *past_libomp(void *function, const char *name) {
    Dl_info info;
    const char *slash = function && dladdr(function, &info) ? strrchr(info.dli_fname, '/') : NULL;
    void *own = slash && !strncmp(slash, "/libomp.so", 10) ? heddle__omptarget_own(name) : NULL;
    return own ? own : function;
}

static void *real(const char *name) {
    heddle__devices_start();
    return past_libomp(heddle__omptarget_function(name), name);
}

/* A function that this libomptarget lacks gives 0. No part of libheddle's own calls (path.py): libomptarget itself
   calls some of them, which finds these. */
#define PASS(type, name, parameters, arguments)                                                                        \
    EXPORT __attribute__((no_instrument_function)) type name parameters;                                               \
    type name parameters {                                                                                             \
        static type(*_Atomic function) parameters;                                                                     \
        type(*call) parameters = atomic_load_explicit(&function, memory_order_relaxed);                                \
        if (!call || !atomic_load_explicit(&heddle__devices_up, memory_order_acquire)) {                               \
            call = (type(*) parameters)real(#name);                                                                    \
            atomic_store_explicit(&function, call, memory_order_relaxed);                                              \
        }                                                                                                              \
        return call ? call arguments : (type)0;                                                                        \
    }

#define MAPS int32_t n, void **bases, void **args, int64_t *sizes, int64_t *types, void **names, void **mappers
#define OLD_MAPS int32_t n, void **bases, void **args, int64_t *sizes, int64_t *types
#define DEPS int32_t ndeps, void *deps, int32_t nnoalias, void *noalias
#define MAP_VALUES n, bases, args, sizes, types, names, mappers
#define OLD_VALUES n, bases, args, sizes, types
#define DEP_VALUES ndeps, deps, nnoalias, noalias

/* OpenMP's and LLVM's API */
PASS(int, omp_get_num_devices, (void), ())
PASS(int, omp_get_initial_device, (void), ())
PASS(int, omp_get_device_num, (void), ())
PASS(int, omp_target_is_accessible, (const void *at, size_t bytes, int device), (at, bytes, device))
PASS(int, omp_get_device_from_uid, (const char *uid), (uid))
PASS(const char *, omp_get_uid_from_device, (int device), (device))
PASS(void *, llvm_omp_target_alloc_host, (size_t bytes, int device), (bytes, device))
PASS(void, llvm_omp_target_free_host, (void *at, int device), (at, device))
PASS(void *, llvm_omp_target_lock_mem, (void *at, size_t bytes, int device), (at, bytes, device))
PASS(void, llvm_omp_target_unlock_mem, (void *at, int device), (at, device))

/* what compilers emit */
PASS(int, __tgt_target_kernel_nowait,
     (void *loc, int64_t device, int32_t teams, int32_t threads, void *id, void *args, DEPS),
     (loc, device, teams, threads, id, args, DEP_VALUES))
PASS(void, __tgt_init_all_rtls, (void), ())
PASS(int, __tgt_print_device_info, (int64_t device), (device))
PASS(void, __tgt_interop_init,
     (void *loc, int32_t thread, void **interop, int32_t type, int32_t device, int32_t count, void *list, int32_t wait),
     (loc, thread, interop, type, device, count, list, wait))
PASS(void *, __tgt_interop_get,
     (void *loc, int32_t type, int64_t device, int32_t count, void *prefer, void *context, void *deps),
     (loc, type, device, count, prefer, context, deps))

/* what compilers before LLVM 15 emitted */
PASS(int, __tgt_target, (int64_t device, void *id, OLD_MAPS), (device, id, OLD_VALUES))
PASS(int, __tgt_target_nowait, (int64_t device, void *id, OLD_MAPS, DEPS), (device, id, OLD_VALUES, DEP_VALUES))
PASS(int, __tgt_target_teams, (int64_t device, void *id, OLD_MAPS, int32_t teams, int32_t threads),
     (device, id, OLD_VALUES, teams, threads))
PASS(int, __tgt_target_teams_nowait, (int64_t device, void *id, OLD_MAPS, int32_t teams, int32_t threads, DEPS),
     (device, id, OLD_VALUES, teams, threads, DEP_VALUES))
PASS(int, __tgt_target_mapper, (void *loc, int64_t device, void *id, MAPS), (loc, device, id, MAP_VALUES))
PASS(int, __tgt_target_nowait_mapper, (void *loc, int64_t device, void *id, MAPS, DEPS),
     (loc, device, id, MAP_VALUES, DEP_VALUES))
PASS(int, __tgt_target_teams_mapper, (void *loc, int64_t device, void *id, MAPS, int32_t teams, int32_t threads),
     (loc, device, id, MAP_VALUES, teams, threads))
PASS(int, __tgt_target_teams_nowait_mapper,
     (void *loc, int64_t device, void *id, MAPS, int32_t teams, int32_t threads, DEPS),
     (loc, device, id, MAP_VALUES, teams, threads, DEP_VALUES))
#define OLD_DATA(name)                                                                                                 \
    PASS(void, __tgt_target_data_##name, (int64_t device, OLD_MAPS), (device, OLD_VALUES))                             \
    PASS(void, __tgt_target_data_##name##_nowait, (int64_t device, OLD_MAPS, DEPS), (device, OLD_VALUES, DEP_VALUES))
OLD_DATA(begin)
OLD_DATA(end)
OLD_DATA(update)
