/* SPDX-License-Identifier: Apache-2.0 */
/* Stands before libheddle: this program's regions go to it, or straight to libomptarget. */
#ifndef OVERHEAD_SWITCH_H
#define OVERHEAD_SWITCH_H

#include <stdbool.h>

extern bool overhead_direct; /* to libomptarget */
bool overhead_find(void);    /* false: there is no libomptarget */

#endif
