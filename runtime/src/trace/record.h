/* SPDX-License-Identifier: Apache-2.0 */
/* Recording a timeline from inside libheddle. With HEDDLE_TRACE unset a call costs one load and a branch. */
#ifndef HEDDLE_TRACE_RECORD_H
#define HEDDLE_TRACE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)
extern _Atomic int heddle__trace_state;
bool heddle__trace_ask(void);

static inline bool heddle__trace_on(void) {
    const int state = __atomic_load_n((const int *)&heddle__trace_state, __ATOMIC_RELAXED);
    return state == 2 || (state == 0 && heddle__trace_ask());
}

int64_t heddle__trace_now(void); /* ns, the host's monotonic clock: all spans are in it */

/* Names are kept for the run; ask once and keep the number. A track is a line of the timeline inside a group:
   ("host", "thread 0"), ("device 1", "SM 17"). */
int heddle__trace_name(const char *name);
int heddle__trace_track(const char *group, const char *name);
int heddle__trace_thread(void); /* the calling thread's track */

void heddle__trace_span(int track, int name, int64_t begin, int64_t end);
void heddle__trace_lost(uint64_t events); /* of a device's own buffer, which overflowed */

void heddle__trace_finish(void);     /* writes the file, once */
void heddle__trace_interrupts(void); /* interrupt.c: and does so when the program is interrupted */

/* A device's clock runs on its own. `device_first` and `device_last` are its first and last reading in a launch
   that the host saw from `begin` to `end`: the offset puts the device's part in the middle of the host's. */
static inline int64_t heddle__trace_offset(int64_t begin, int64_t end, int64_t device_first, int64_t device_last) {
    return begin + ((end - begin) - (device_last - device_first)) / 2 - device_first;
}
#pragma GCC visibility pop
#endif
