/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interposed entry points. Each passes straight through while the selector is off, while heddle itself is
 * the caller, and where the function is not libomptarget's (an old version): then only the caller loses.
 */
#include "device/replay.h"
#include "device/start.h"
#include "selector.h"
#include <omp.h>

#define EXPORT __attribute__((visibility("default")))
#define DATA_ARGUMENTS                                                                                                 \
    struct ident *loc, int64_t device, int32_t count, void **bases, void **args, int64_t *sizes, int64_t *types,       \
        void **names, void **mappers
#define DEPEND_ARGUMENTS int32_t ndeps, void *deps, int32_t nnoalias, void *noalias
#define PASS loc, device, count, bases, args, sizes, types, names, mappers
#define MAPS                                                                                                           \
    (struct map_args) { count, bases, args, sizes, types, names, mappers }

EXPORT int __tgt_target_kernel(struct ident *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                               struct kernel_args *args);
EXPORT void __tgt_target_data_begin_mapper(DATA_ARGUMENTS);
EXPORT void __tgt_target_data_end_mapper(DATA_ARGUMENTS);
EXPORT void __tgt_target_data_update_mapper(DATA_ARGUMENTS);
EXPORT void __tgt_target_data_begin_nowait_mapper(DATA_ARGUMENTS, DEPEND_ARGUMENTS);
EXPORT void __tgt_target_data_end_nowait_mapper(DATA_ARGUMENTS, DEPEND_ARGUMENTS);
EXPORT void __tgt_target_data_update_nowait_mapper(DATA_ARGUMENTS, DEPEND_ARGUMENTS);
EXPORT void __tgt_register_lib(struct library *library);
EXPORT void __tgt_unregister_lib(struct library *library);
EXPORT void __tgt_register_requires(int64_t flags);

static inline bool off(void) { return !heddle__sel.active || heddle__inside; }

/* All that the kernel gets are values: nothing is copied, and nothing is allocated, before it. */
static bool has_values_only(const struct kernel_args *args) {
    bool values = args->version == KERNEL_ARGS_VERSION && !args->dynamic_memory;
    for (uint32_t k = 0; values && k < args->count; k++)
        values = args->types[k] & MAP_LITERAL && !(args->mappers && args->mappers[k]);
    return values;
}

int __tgt_target_kernel(struct ident *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                        struct kernel_args *args) {
    if (heddle__replay_records() && !heddle__replay_takes(has_values_only(args)))
        return 1;
    heddle__call_begin(); /* a child that is forked meanwhile has libomptarget and libomp as they are now */
    const int rc = off() ? heddle__real()->kernel(loc, device, teams, threads, id, args)
                         : heddle__run_kernel(loc, device, teams, threads, id, args);
    heddle__call_end();
    return rc;
}

#define DATA_HOOK(name, what)                                                                                          \
    void __tgt_target_data_##name##_mapper(DATA_ARGUMENTS) {                                                           \
        heddle__call_begin();                                                                                          \
        if (off())                                                                                                     \
            heddle__real()->name(PASS);                                                                                \
        else                                                                                                           \
            heddle__run_data(what, loc, device, MAPS, false);                                                          \
        heddle__call_end();                                                                                            \
    }                                                                                                                  \
    /* The dependences are always empty: the task that calls carries them. Done at once, so that                       \
       the tables are right when the task ends. */                                                                     \
    void __tgt_target_data_##name##_nowait_mapper(DATA_ARGUMENTS, DEPEND_ARGUMENTS) {                                  \
        heddle__call_begin();                                                                                          \
        if (off())                                                                                                     \
            heddle__real()->name##_nowait(PASS, ndeps, deps, nnoalias, noalias);                                       \
        else                                                                                                           \
            heddle__run_data(what, loc, device, MAPS, true);                                                           \
        heddle__call_end();                                                                                            \
    }
DATA_HOOK(begin, DATA_BEGIN)
DATA_HOOK(end, DATA_END)
DATA_HOOK(update, DATA_UPDATE)

/* What engines map is the selector's business, too: its replicas of that data have to go, and what the program has
   mapped may lie elsewhere now. The device holds, whatever HEDDLE_OVERRIDE_DEVICE says. */
#define ENGINE_HOOK(name)                                                                                              \
    static void engine_##name(void *loc, int64_t device, int32_t count, void **bases, void **args, int64_t *sizes,     \
                              int64_t *types, void **names, void **mappers) {                                          \
        heddle__launch_begin();                                                                                        \
        __tgt_target_data_##name##_mapper(PASS);                                                                       \
        (void)heddle__launch_end();                                                                                    \
    }
ENGINE_HOOK(begin)
ENGINE_HOOK(end)

void heddle__hooks_view(void) {
    heddle__device_view(&(struct heddle__device_view){.is_present = omp_target_is_present,
                                                      .mapped_ptr = omp_get_mapped_ptr,
                                                      .map = engine_begin,
                                                      .unmap = engine_end});
}

void __tgt_register_lib(struct library *library) {
    if (heddle__sel.active) {
        heddle__lock();
        heddle__image_add(library);
        heddle__unlock();
        heddle__no_end();
    }
    heddle__library_add(library);
}

void __tgt_unregister_lib(struct library *library) {
    heddle__decisions_end();
    if (heddle__sel.active) {
        heddle__lock();
        const int left = heddle__image_remove(library);
        heddle__unlock();
        if (!left) /* exit, or the only library with regions is unloaded */
            heddle__begin_end();
    }
    heddle__library_remove(library);
}

/* `requires unified_shared_memory` and `reverse_offload`: host memory is used without maps. */
void __tgt_register_requires(int64_t flags) {
    enum { REVERSE_OFFLOAD = 2, UNIFIED_ADDRESS = 4, UNIFIED_SHARED_MEMORY = 8 };
    if (heddle__sel.active && flags & (REVERSE_OFFLOAD | UNIFIED_ADDRESS | UNIFIED_SHARED_MEMORY)) {
        heddle__lock();
        heddle__give_up("the program requires unified addresses or reverse offload");
        heddle__unlock();
    }
    if (heddle__real()->register_requires)
        heddle__real()->register_requires(flags);
}
