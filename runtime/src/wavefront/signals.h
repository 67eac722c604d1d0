/* SPDX-License-Identifier: Apache-2.0 */
/* signals.c: what is measured of threads and of a nest's steps on the host */
#ifndef HEDDLE_WAVEFRONT_SIGNALS_H
#define HEDDLE_WAVEFRONT_SIGNALS_H

#include "core/internal.h"

HEDDLE_HIDDEN double heddle__signal_seconds(int threads); /* from a thread to the next one of a team; measured once */
/* Seconds of a step without the time that was waited, of prefix sums of a cell: the least so far; 0: none yet. */
HEDDLE_HIDDEN double heddle__step_seconds(const struct heddle_nest *nest, int isa);
HEDDLE_HIDDEN void heddle__step_note(const struct heddle_nest *nest, int isa, double seconds);

#endif
