/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that start devices which wait for each other. */
#ifndef SOFTBODY_LAUNCHER_H
#define SOFTBODY_LAUNCHER_H

#include <stdint.h>

struct unit;
struct launcher;
/* NULL: there is no thread. */
struct launcher *launcher_open(const struct unit *unit);
void launcher_start(struct launcher *launcher, uint32_t meets);
void launcher_wait(struct launcher *launcher);
void launcher_close(struct launcher *launcher);

#endif
