/* SPDX-License-Identifier: Apache-2.0 */
/* heddle_variant_device() and heddle_variant_stream(): which device the calling thread drives. */
#include "variant.h"
#include <heddle.h>
#include <stddef.h>

static _Thread_local int driven = HEDDLE_DEVICE_HOST;
static _Thread_local void *own_stream;

void heddle__variant_enter(int device, void *stream) {
    driven = device;
    own_stream = stream;
}

void heddle__variant_leave(void) { heddle__variant_enter(HEDDLE_DEVICE_HOST, NULL); }

int heddle_variant_device(void) { return driven; }
void *heddle_variant_stream(void) { return own_stream; }
