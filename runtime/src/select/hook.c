/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interposed entry points. Each passes straight through while the selector is off, while heddle itself is
 * the caller, and where the function is not libomptarget's (an old version): then only the caller loses.
 */
#include "select.h"

#define EXPORT __attribute__((visibility("default")))
#define DATA_ARGUMENTS                                                                             \
    struct ident *loc, int64_t device, int32_t count, void **bases, void **args, int64_t *sizes,   \
        int64_t *types, void **names, void **mappers
#define DEPEND_ARGUMENTS int32_t ndeps, void *deps, int32_t nnoalias, void *noalias
#define PASS loc, device, count, bases, args, sizes, types, names, mappers
#define MAPS (struct map_args){count, bases, args, sizes, types, names, mappers}

EXPORT int __tgt_target_kernel(struct ident *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                               struct kernel_args *args);
EXPORT void __tgt_target_data_begin_mapper(DATA_ARGUMENTS);
EXPORT void __tgt_target_data_end_mapper(DATA_ARGUMENTS);
EXPORT void __tgt_target_data_update_mapper(DATA_ARGUMENTS);
EXPORT void __tgt_target_data_begin_nowait_mapper(DATA_ARGUMENTS, DEPEND_ARGUMENTS);
EXPORT void __tgt_target_data_end_nowait_mapper(DATA_ARGUMENTS, DEPEND_ARGUMENTS);
EXPORT void __tgt_target_data_update_nowait_mapper(DATA_ARGUMENTS, DEPEND_ARGUMENTS);
EXPORT void *__kmpc_omp_target_task_alloc(struct ident *loc, int32_t thread, int32_t flags, size_t task, size_t shareds,
                                          void *entry, int64_t device);
EXPORT void __tgt_register_lib(struct library *library);
EXPORT void __tgt_unregister_lib(struct library *library);
EXPORT void __tgt_register_requires(int64_t flags);
EXPORT void *omp_target_alloc(size_t bytes, int device);
EXPORT void omp_target_free(void *at, int device);
EXPORT void *llvm_omp_target_alloc_device(size_t bytes, int device);
EXPORT void llvm_omp_target_free_device(void *at, int device);
EXPORT void *llvm_omp_target_alloc_shared(size_t bytes, int device);
EXPORT int omp_target_is_present(const void *at, int device);
EXPORT void *omp_get_mapped_ptr(const void *at, int device);
EXPORT int omp_target_associate_ptr(const void *host, const void *at, size_t bytes, size_t offset, int device);
EXPORT int omp_target_disassociate_ptr(const void *host, int device);

static inline bool off(void) { return !heddle__sel.active || heddle__inside; }

int __tgt_target_kernel(struct ident *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                        struct kernel_args *args)
{
    if (off())
        return heddle__real()->kernel(loc, device, teams, threads, id, args);
    return heddle__run_kernel(loc, device, teams, threads, id, args);
}

#define DATA_HOOK(name, what)                                                                      \
    void __tgt_target_data_##name##_mapper(DATA_ARGUMENTS)                                         \
    {                                                                                              \
        if (off())                                                                                 \
            heddle__real()->name(PASS);                                                            \
        else                                                                                       \
            heddle__run_data(what, loc, device, MAPS);                                             \
    }                                                                                              \
    /* The dependences are always empty: the task that calls carries them. Done at once, so that   \
       the tables are right when the task ends. */                                                 \
    void __tgt_target_data_##name##_nowait_mapper(DATA_ARGUMENTS, DEPEND_ARGUMENTS)                \
    {                                                                                              \
        if (off())                                                                                 \
            heddle__real()->name##_nowait(PASS, ndeps, deps, nnoalias, noalias);                   \
        else                                                                                       \
            heddle__run_data(what, loc, device, MAPS);                                             \
    }
DATA_HOOK(begin, DATA_BEGIN)
DATA_HOOK(end, DATA_END)
DATA_HOOK(update, DATA_UPDATE)

/* libomp's: a `target nowait` is met. It cannot stand inside a target region, so this thread's host version, if
   there is one, has ended. */
void *__kmpc_omp_target_task_alloc(struct ident *loc, int32_t thread, int32_t flags, size_t task, size_t shareds,
                                   void *entry, int64_t device)
{
    if (heddle__host_running()) {
        const double now = heddle__now();
        heddle__lock();
        heddle__host_end(now);
        heddle__unlock();
    }
    return heddle__real()->task_alloc(loc, thread, flags, task, shareds, entry, device);
}

void __tgt_register_lib(struct library *library)
{
    if (heddle__sel.active) {
        heddle__lock();
        heddle__image_add(library);
        heddle__unlock();
    }
    heddle__real()->register_lib(library);
}

void __tgt_unregister_lib(struct library *library)
{
    if (heddle__sel.active) {
        heddle__lock();
        heddle__image_remove(library);
        heddle__unlock();
    }
    heddle__real()->unregister_lib(library);
}

/* `requires unified_shared_memory` and `reverse_offload`: host memory is used without maps. */
void __tgt_register_requires(int64_t flags)
{
    enum { REVERSE_OFFLOAD = 2, UNIFIED_ADDRESS = 4, UNIFIED_SHARED_MEMORY = 8 };
    if (heddle__sel.active && flags & (REVERSE_OFFLOAD | UNIFIED_ADDRESS | UNIFIED_SHARED_MEMORY)) {
        heddle__lock();
        heddle__give_up("the program requires unified addresses or reverse offload");
        heddle__unlock();
    }
    if (heddle__real()->register_requires)
        heddle__real()->register_requires(flags);
}

static void *exposed(void *at, size_t bytes, int device)
{
    if (at && !off() && !heddle__sel.fixed) {
        heddle__lock();
        heddle__exposed_add(at, bytes, device);
        heddle__unlock();
    }
    return at;
}

static void hidden(const void *at, int device)
{
    if (at && !off() && !heddle__sel.fixed) {
        heddle__lock();
        heddle__exposed_remove(at, device);
        heddle__unlock();
    }
}

void *omp_target_alloc(size_t bytes, int device)
{
    return exposed(heddle__real()->alloc(bytes, device), bytes, device);
}

void omp_target_free(void *at, int device)
{
    hidden(at, device);
    heddle__real()->free(at, device);
}

void *llvm_omp_target_alloc_device(size_t bytes, int device)
{
    return exposed(heddle__real()->alloc_device(bytes, device), bytes, device);
}

void llvm_omp_target_free_device(void *at, int device)
{
    hidden(at, device);
    heddle__real()->free_device(at, device);
}

void *llvm_omp_target_alloc_shared(size_t bytes, int device)
{
    return exposed(heddle__real()->alloc_shared(bytes, device), bytes, device);
}

int omp_target_is_present(const void *at, int device)
{
    if (!off() && !heddle__sel.fixed) {
        heddle__lock();
        const bool ours = heddle__data_shadowed((uintptr_t)at, device);
        heddle__unlock();
        if (ours) /* our copy is not the program's mapping */
            return 0;
    }
    return heddle__real()->is_present(at, device);
}

/* The program may do anything with a device pointer, so what it points to stays where it is. */
void *omp_get_mapped_ptr(const void *at, int device)
{
    if (off() || heddle__sel.fixed)
        return heddle__real()->mapped_ptr(at, device);
    heddle__lock();
    if (heddle__data_shadowed((uintptr_t)at, device)) {
        heddle__unlock();
        return NULL;
    }
    void *there = heddle__real()->mapped_ptr(at, device);
    struct entry *e = there ? heddle__entry_find((uintptr_t)at, (uintptr_t)at) : NULL;
    if (e && e->home == device) {
        struct touch t;
        heddle__touch_init(&t, BIT(device));
        t.ranges[t.count++] = (struct range){e->from, e->to};
        while (heddle__flight_conflicts(&t, false) & ~BIT(device))
            heddle__wait(0.1);
        heddle__data_home(&t, device);
        heddle__touch_free(&t);
        e = heddle__entry_find((uintptr_t)at, (uintptr_t)at);
        heddle__inside++;
        if (e)
            heddle__entry_expose(e);
        heddle__inside--;
    }
    heddle__unlock();
    return there;
}

int omp_target_associate_ptr(const void *host, const void *at, size_t bytes, size_t offset, int device)
{
    const int error = heddle__real()->associate(host, at, bytes, offset, device);
    if (!error && !off() && !heddle__sel.fixed) {
        heddle__lock();
        heddle__entry_add((uintptr_t)host, (uintptr_t)host + bytes, device, "associated by the program");
        heddle__unlock();
    }
    return error;
}

int omp_target_disassociate_ptr(const void *host, int device)
{
    const int error = heddle__real()->disassociate(host, device);
    if (!error && !off() && !heddle__sel.fixed) {
        heddle__lock();
        heddle__entry_sweep(&(struct range){(uintptr_t)host, (uintptr_t)host + 1}, 1);
        heddle__unlock();
    }
    return error;
}
