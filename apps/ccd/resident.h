/* SPDX-License-Identifier: Apache-2.0 */
/* Devices that do all jobs keep the arrays of a query, and bring its boxes up to date by themselves. */
#ifndef CCD_RESIDENT_H
#define CCD_RESIDENT_H

#include "query.h"

/* The numbers of all GPUs, KEEPERS_MOST at most; how many. */
int resident_gpus(int *device);
/* From now on the query's corners are sent to these devices, and its boxes are there alone. False: one's memory is too
 * small, and nothing has changed. */
bool resident_enter(struct query *query, const int *devices, int count);
void resident_leave(struct query *query);

#endif
