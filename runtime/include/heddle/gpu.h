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
 * Device numbers are OpenMP's, sizes are bytes. All but heddle_gpu_enter, heddle_gpu_lock and heddle_gpu_unlock want
 * the calling thread to have entered the device to which the stream, event or memory belongs. Streams and events are
 * the driver's own handles (CUstream, CUevent); memory that is allocated here may be given to OpenMP's is_device_ptr.
 * Functions that return int return 0 or a negative heddle_error: HEDDLE_ELAUNCH where the driver refuses and nothing
 * else is said.
 */
#ifndef HEDDLE_GPU_H
#define HEDDLE_GPU_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes the device's primary context, the one that OpenMP uses, current on this thread, until heddle_gpu_leave. They
   nest. A context that was entered stays until the program ends. HEDDLE_ENODEV: no such GPU, or no driver. */
int heddle_gpu_enter(int device);
/* Undoes one heddle_gpu_enter that returned 0: the context before it is current again. */
void heddle_gpu_leave(void);

/* Threads that wait for the entered GPU, OpenMP's too, keep their processor from now on and leave it to others who want
   it: OpenMP has them sleep, and then they are told 50 to 100 us later. Returns the way it was, for heddle_gpu_wait_as;
   below 0: it stays as it is. */
int heddle_gpu_wait_awake(void);
/* `before`: what heddle_gpu_wait_awake returned; below 0: nothing is changed. */
void heddle_gpu_wait_as(int before);

/* Memory of the entered GPU, the caller's until heddle_gpu_free. HEDDLE_ENOMEM: *memory is NULL. */
int heddle_gpu_alloc(void **memory, size_t bytes);
/* Gives back what heddle_gpu_alloc gave; NULL is fine. */
void heddle_gpu_free(void *memory);
/* Bytes of the entered GPU that are free now; 0: the driver does not say. */
size_t heddle_gpu_room(void);

/* Page-locks host memory that the program has already, for every GPU: copies to and from it then run beside the program
   at the link's full speed. The call itself takes longer than a copy. HEDDLE_ENODEV without a GPU, HEDDLE_ENOMEM where
   the system refuses (ulimit -l does not count, a part that is locked already does). Undo it before freeing the memory.
 */
int heddle_gpu_lock(void *memory, size_t bytes);
/* Undoes heddle_gpu_lock of the block that begins there. */
void heddle_gpu_unlock(void *memory);

/* A new stream of the entered GPU: it runs what it is given in order, different ones beside each other. */
int heddle_gpu_stream(void **stream);
/* Gives a stream back; what it was given still runs. */
void heddle_gpu_stream_free(void *stream);
/* Waits until all that the stream was given is done. */
int heddle_gpu_synchronize(void *stream);

/* A new event, which is done until heddle_gpu_record. */
int heddle_gpu_event(void **event);
/* Gives an event back; what waits for it still does. */
void heddle_gpu_event_free(void *event);
/* The event is done when all is that the stream was given before. */
int heddle_gpu_record(void *event, void *stream);
/* What comes next in `stream` waits for the event; returns at once. */
int heddle_gpu_wait(void *stream, void *event);
/* 1: done, 0: not yet, negative: the device failed. */
int heddle_gpu_done(void *event);

/* From the host to the entered GPU. Asynchronous where the host's side is page-locked; otherwise it may wait. */
int heddle_gpu_copy_in(void *device_memory, const void *host, size_t bytes, void *stream);
/* From the entered GPU to the host, likewise. */
int heddle_gpu_copy_out(void *host, const void *device_memory, size_t bytes, void *stream);

/* Lets the entered GPU read the memory of GPU `device` over the link between them; asking again does no harm.
   HEDDLE_ENODEV: there is no such link. */
int heddle_gpu_reach(int device);
/* From the memory of GPU `device`, which was reached, to that of the entered one; asynchronous, in a stream of the
   latter. HEDDLE_ENODEV: no such GPU. */
int heddle_gpu_copy_across(void *to, const void *from, int device, size_t bytes, void *stream);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
