/* SPDX-License-Identifier: Apache-2.0 */
/* A batch's memory on a device for as long as the batch exists, so that copies are made by the threads that
 * have the time for them while the tasks of another batch run. Without a device (negative number) all of this
 * does nothing. */
#ifndef INTRA_RESIDENT_H
#define INTRA_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>

enum { RESIDENT_NOWHERE = -1 };

/* `copied`: often enough that page-locking it pays. */
void resident_keep(void *memory, size_t bytes, int device, bool copied);
void resident_drop(void *memory, size_t bytes, int device);
void resident_upload(void *memory, size_t bytes, int device);
void resident_download(void *memory, size_t bytes, int device);

#endif
