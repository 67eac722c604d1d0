/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences that stay on a device while one query after the other is scored against them. */
#ifndef SW_RESIDENT_H
#define SW_RESIDENT_H

#include "scores.h"

/* Nothing happens where there is no such device, or no room; the sequences then travel with each call. */
void sw_resident_enter(struct sw_many *many, int device);
/* What the device computed is copied to many->found. */
void sw_resident_fetch(const struct sw_many *many);
void sw_resident_leave(struct sw_many *many);

#endif
