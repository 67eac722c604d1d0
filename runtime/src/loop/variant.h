/* SPDX-License-Identifier: Apache-2.0 */
/* What a variant may ask of the thread that calls it. */
#ifndef HEDDLE_LOOP_VARIANT_H
#define HEDDLE_LOOP_VARIANT_H

#pragma GCC visibility push(hidden)
void heddle__variant_enter(int device, void *stream);
void heddle__variant_leave(void);
#pragma GCC visibility pop

#endif
