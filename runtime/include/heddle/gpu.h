/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle/gpu.h - streams, events and copies on an NVIDIA GPU, for host code that calls a library there
 * ====================================================================================================
 *
 * A variant of a loop's body that calls cuBLAS or the like has to move its data itself. These calls are what that takes
 * of the driver, so that a program needs neither CUDA's headers nor its libraries to be built:
 *
 *     if (heddle_gpu_enter(device)) return run_elsewhere();     // no such GPU, no driver
 *     heddle_gpu_copy_in(tile_on_gpu, tile, bytes, copies);     // returns at once
 *     heddle_gpu_record(loaded, copies);
 *     heddle_gpu_wait(compute, loaded);
 *     cublasSgemm(...);                                         // on stream `compute`
 *     heddle_gpu_synchronize(compute);
 *     heddle_gpu_leave();
 *
 * Device numbers are OpenMP's. All but heddle_gpu_enter and heddle_gpu_lock want the calling thread to have entered the
 * device to which the stream, event or memory belongs. Streams and events are the driver's own handles (CUstream,
 * CUevent), memory that is found here may be given to OpenMP's is_device_ptr. Functions return 0 or a negative
 * heddle_error.
 */
#ifndef HEDDLE_GPU_H
#define HEDDLE_GPU_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes the device's primary context, the one that OpenMP uses, current on this thread, and undoes it. They nest. A
   context that was entered stays until the program ends. HEDDLE_ENODEV: no such GPU. */
int heddle_gpu_enter(int device);
void heddle_gpu_leave(void);

/* Threads that wait for the entered GPU, OpenMP's too, keep their processor from now on and leave it to others who want
   it: OpenMP has them sleep, and then they are told 50 to 100 us later. The way it was, for heddle_gpu_wait_as; below
   0: it stays as it is. */
int heddle_gpu_wait_awake(void);
void heddle_gpu_wait_as(int before);

/* Device memory; HEDDLE_ENOMEM. NULL may be freed. */
int heddle_gpu_alloc(void **memory, size_t bytes);
void heddle_gpu_free(void *memory);
/* Bytes that can be had now. */
size_t heddle_gpu_room(void);

/* Page-locks host memory that the program has already, for every GPU: copies to and from it then run beside the program
   at the link's full speed. The call itself takes longer than a copy. HEDDLE_ENODEV without a GPU, HEDDLE_ENOMEM where
   the system refuses (ulimit -l does not count, a part that is locked already does). Undo it before freeing the memory.
 */
int heddle_gpu_lock(void *memory, size_t bytes);
void heddle_gpu_unlock(void *memory);

/* A stream runs what it is given in order, different ones beside each other. */
int heddle_gpu_stream(void **stream);
void heddle_gpu_stream_free(void *stream);
int heddle_gpu_synchronize(void *stream);

/* An event is done when everything is that its stream was given before heddle_gpu_record. */
int heddle_gpu_event(void **event);
void heddle_gpu_event_free(void *event);
int heddle_gpu_record(void *event, void *stream);
int heddle_gpu_wait(void *stream, void *event); /* what comes next in `stream` waits for it; returns at once */
int heddle_gpu_done(void *event);               /* 1: done, 0: not yet, negative: the device failed */

/* Asynchronous where the host's side is page-locked; otherwise they may wait. */
int heddle_gpu_copy_in(void *device_memory, const void *host, size_t bytes, void *stream);
int heddle_gpu_copy_out(void *host, const void *device_memory, size_t bytes, void *stream);

/* Lets the entered GPU read the memory of GPU `device` over the link between them; asking again does no harm.
   HEDDLE_ENODEV: there is no such link. */
int heddle_gpu_reach(int device);
/* From the memory of GPU `device`, which was reached, to that of the entered one; asynchronous, in a stream of the
 * latter. */
int heddle_gpu_copy_across(void *to, const void *from, int device, size_t bytes, void *stream);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
