/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interposed memory calls of OpenMP's API. A device pointer in the program's hands may go anywhere, so what it
 * points to stays on its device; it is enough to know them all. Each call also tells that this thread's host version,
 * if there is one, has ended: these calls may not stand in a target region.
 */
#include "selector.h"

#define EXPORT __attribute__((visibility("default")))
EXPORT void *omp_target_alloc(size_t bytes, int device);
EXPORT void omp_target_free(void *at, int device);
EXPORT void *llvm_omp_target_alloc_device(size_t bytes, int device);
EXPORT void llvm_omp_target_free_device(void *at, int device);
EXPORT void *llvm_omp_target_alloc_shared(size_t bytes, int device);
EXPORT int omp_target_is_present(const void *at, int device);
EXPORT void *omp_get_mapped_ptr(const void *at, int device);
EXPORT int omp_target_associate_ptr(const void *host, const void *at, size_t bytes, size_t offset, int device);
EXPORT int omp_target_disassociate_ptr(const void *host, int device);
EXPORT void llvm_omp_target_free_shared(void *at, int device);
#define COPY_PARAMETERS                                                                                                \
    void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset, int to_device, int from_device
#define COPY_ARGUMENTS to, from, bytes, to_offset, from_offset, to_device, from_device
EXPORT int omp_target_memcpy(COPY_PARAMETERS);
EXPORT int omp_target_memcpy_async(COPY_PARAMETERS, int ndeps, void *deps);
#define RECT_PARAMETERS                                                                                                \
    void *to, const void *from, size_t element, int dims, const size_t *volume, const size_t *to_offsets,              \
        const size_t *from_offsets, const size_t *to_dims, const size_t *from_dims, int to_device, int from_device
#define RECT_ARGUMENTS                                                                                                 \
    to, from, element, dims, volume, to_offsets, from_offsets, to_dims, from_dims, to_device, from_device
EXPORT int omp_target_memcpy_rect(RECT_PARAMETERS);
EXPORT int omp_target_memcpy_rect_async(RECT_PARAMETERS, int ndeps, void *deps);
EXPORT void *omp_target_memset(void *at, int byte, size_t bytes, int device);
EXPORT void *omp_target_memset_async(void *at, int byte, size_t bytes, int device, int ndeps, void *deps);

static inline bool off(void) { return !heddle__sel.active || heddle__inside || heddle__sel.fixed; }

static void *exposed(void *at, size_t bytes, int device) {
    if (at && !off()) {
        heddle__lock();
        heddle__exposed_add(at, bytes, device);
        heddle__unlock();
    }
    return at;
}

static void hidden(const void *at, int device) {
    if (at && !off()) {
        heddle__lock();
        heddle__exposed_remove(at, device);
        heddle__unlock();
    }
}

void *omp_target_alloc(size_t bytes, int device) {
    return exposed(heddle__real()->alloc(bytes, device), bytes, device);
}

void omp_target_free(void *at, int device) {
    hidden(at, device);
    heddle__real()->free(at, device);
}

void *llvm_omp_target_alloc_device(size_t bytes, int device) {
    return exposed(heddle__real()->alloc_device(bytes, device), bytes, device);
}

void llvm_omp_target_free_device(void *at, int device) {
    hidden(at, device);
    heddle__real()->free_device(at, device);
}

void *llvm_omp_target_alloc_shared(size_t bytes, int device) {
    return exposed(heddle__real()->alloc_shared(bytes, device), bytes, device);
}

int omp_target_is_present(const void *at, int device) {
    if (!off()) {
        heddle__lock();
        const bool ours = heddle__data_has_replica((uintptr_t)at, device);
        heddle__unlock();
        if (ours) /* our copy is not the program's mapping */
            return 0;
    }
    return heddle__real()->is_present(at, device);
}

/* The program gets the address on the default device: the value goes there and stays. Lock held. */
static void expose(struct entry *e) {
    const int device = e->default_device;
    struct footprint t;
    heddle__footprint_init(&t, BIT(device));
    t.ranges[t.count++] = (struct range){e->from, e->to};
    while (heddle__active_conflicts(&t, false) & ~BIT(device) || heddle__data_is_migrating(&t))
        heddle__wait(0.1);
    heddle__data_bring_back(&t, device);
    e = heddle__entry_find(t.ranges[0].from, t.ranges[0].from);
    heddle__footprint_free(&t);
    heddle__inside++;
    if (e)
        heddle__entry_expose(e);
    heddle__inside--;
}

/* The program may do anything with a device pointer, so what it points to stays where it is. */
void *omp_get_mapped_ptr(const void *at, int device) {
    if (off())
        return heddle__real()->mapped_ptr(at, device);
    heddle__lock();
    if (heddle__data_has_replica((uintptr_t)at, device)) {
        heddle__unlock();
        return NULL;
    }
    void *there = heddle__real()->mapped_ptr(at, device);
    struct entry *e = there ? heddle__entry_find((uintptr_t)at, (uintptr_t)at) : NULL;
    if (e && e->default_device == device)
        expose(e);
    heddle__unlock();
    return there;
}

int omp_target_associate_ptr(const void *host, const void *at, size_t bytes, size_t offset, int device) {
    const int error = heddle__real()->associate(host, at, bytes, offset, device);
    if (!error && !off()) {
        heddle__lock();
        heddle__entry_add((uintptr_t)host, (uintptr_t)host + bytes, device, "associated by the program");
        heddle__unlock();
    }
    return error;
}

int omp_target_disassociate_ptr(const void *host, int device) {
    const int error = heddle__real()->disassociate(host, device);
    if (!error && !off()) {
        heddle__lock();
        heddle__entry_sweep(&(struct range){(uintptr_t)host, (uintptr_t)host + 1}, 1);
        heddle__unlock();
    }
    return error;
}

void llvm_omp_target_free_shared(void *at, int device) {
    hidden(at, device);
    heddle__real()->free_shared(at, device);
}

/* ---- copies and fills -------------------------------------------------------------------------------------- */

/* The program has this address of a device. Where nobody told us before (memory of another library, or an address that
   came back from a region) it counts from now on; where it lies in mapped data, that data is on the default device and
   stays there. */
static void in_program(const void *at, size_t bytes, int device) {
    if (!at || device < 0 || device >= heddle__sel.devices || heddle__exposed_find((uintptr_t)at) == device)
        return;
    struct entry *e = heddle__entry_at_address(at, device);
    if (e)
        expose(e);
    else
        heddle__exposed_add(at, bytes, device);
}

static void before_copy(const void *to, size_t to_bytes, int to_device, const void *from, size_t from_bytes,
                        int from_device) {
    if (off())
        return;
    const double now = heddle__host_running() ? heddle__now() : 0;
    heddle__lock();
    heddle__select_ready();
    heddle__host_end(now);
    in_program(to, to_bytes, to_device);
    in_program(from, from_bytes, from_device);
    heddle__unlock();
}

int omp_target_memcpy(COPY_PARAMETERS) {
    before_copy(to, to_offset + bytes, to_device, from, from_offset + bytes, from_device);
    return heddle__real()->copy(COPY_ARGUMENTS);
}

int omp_target_memcpy_async(COPY_PARAMETERS, int ndeps, void *deps) {
    before_copy(to, to_offset + bytes, to_device, from, from_offset + bytes, from_device);
    return heddle__real()->copy_async(COPY_ARGUMENTS, ndeps, deps);
}

static size_t box(const size_t *dims, int count, size_t element) {
    for (int k = 0; dims && k < count; k++)
        element *= dims[k];
    return element;
}

int omp_target_memcpy_rect(RECT_PARAMETERS) {
    before_copy(to, box(to_dims, dims, element), to_device, from, box(from_dims, dims, element), from_device);
    return heddle__real()->copy_rect(RECT_ARGUMENTS);
}

int omp_target_memcpy_rect_async(RECT_PARAMETERS, int ndeps, void *deps) {
    before_copy(to, box(to_dims, dims, element), to_device, from, box(from_dims, dims, element), from_device);
    return heddle__real()->copy_rect_async(RECT_ARGUMENTS, ndeps, deps);
}

void *omp_target_memset(void *at, int byte, size_t bytes, int device) {
    before_copy(at, bytes, device, NULL, 0, -1);
    return heddle__real()->set(at, byte, bytes, device);
}

void *omp_target_memset_async(void *at, int byte, size_t bytes, int device, int ndeps, void *deps) {
    before_copy(at, bytes, device, NULL, 0, -1);
    return heddle__real()->set_async(at, byte, bytes, device, ndeps, deps);
}
