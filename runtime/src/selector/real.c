/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions behind the hooks: those after libheddle in the search order (libomptarget, libomp, or another tool
 * that stands between). Where the order puts libomptarget first the hooks are not called at all.
 */
#include "selector.h"
#include "core/fault.h"
#include "device/omptarget.h"
#include "device/start.h"
#include <pthread.h>

static struct real real;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    static const struct {
        void *slot;
        const char *name;
    } table[] = {
        {&real.kernel, "__tgt_target_kernel"},
        {&real.begin, "__tgt_target_data_begin_mapper"},
        {&real.end, "__tgt_target_data_end_mapper"},
        {&real.update, "__tgt_target_data_update_mapper"},
        {&real.begin_nowait, "__tgt_target_data_begin_nowait_mapper"},
        {&real.end_nowait, "__tgt_target_data_end_nowait_mapper"},
        {&real.update_nowait, "__tgt_target_data_update_nowait_mapper"},
        {&real.target_task_alloc, "__kmpc_omp_target_task_alloc"},
        {&real.task_alloc, "__kmpc_omp_task_alloc"},
        {&real.task_with_deps, "__kmpc_omp_task_with_deps"},
        {&real.taskwait_deps, "__kmpc_omp_taskwait_deps_51"},
        {&real.task_begin_if0, "__kmpc_omp_task_begin_if0"},
        {&real.task_complete_if0, "__kmpc_omp_task_complete_if0"},
        {&real.task_handle, "__kmpc_omp_get_target_async_handle_ptr"},
        {&real.thread_number, "__kmpc_global_thread_num"},
        {&real.register_requires, "__tgt_register_requires"},
        {&real.alloc, "omp_target_alloc"},
        {&real.free, "omp_target_free"},
        {&real.alloc_device, "llvm_omp_target_alloc_device"},
        {&real.free_device, "llvm_omp_target_free_device"},
        {&real.alloc_shared, "llvm_omp_target_alloc_shared"},
        {&real.is_present, "omp_target_is_present"},
        {&real.mapped_ptr, "omp_get_mapped_ptr"},
        {&real.free_shared, "llvm_omp_target_free_shared"},
        {&real.copy, "omp_target_memcpy"},
        {&real.copy_async, "omp_target_memcpy_async"},
        {&real.copy_rect, "omp_target_memcpy_rect"},
        {&real.copy_rect_async, "omp_target_memcpy_rect_async"},
        {&real.set, "omp_target_memset"},
        {&real.set_async, "omp_target_memset_async"},
        {&real.associate, "omp_target_associate_ptr"},
        {&real.disassociate, "omp_target_disassociate_ptr"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        *(void **)table[k].slot = heddle__omptarget_function(table[k].name);
    if (heddle__fault_set)
        heddle__real_faults(&real);
}

bool heddle__real_there(void) {
    pthread_once(&once, load);
    return real.kernel && real.mapped_ptr && real.copy;
}

const struct real *heddle__real_tasks(void) {
    pthread_once(&once, load);
    return &real;
}

/* Who asks for them will call them. */
const struct real *heddle__real(void) {
    pthread_once(&once, load);
    HEDDLE__DEVICES_START();
    return &real;
}
