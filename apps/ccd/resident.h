/* SPDX-License-Identifier: Apache-2.0 */
/* One device that does all jobs keeps the arrays of a query, and brings its boxes up to date by itself. */
#ifndef CCD_RESIDENT_H
#define CCD_RESIDENT_H

#include "query.h"

/* The number of the only GPU; -1: there is none, or several. */
int resident_gpu(void);
/* device: its number. From now on the query's corners are sent there, and its boxes are there alone. False: its memory
 * is too small, and nothing has changed. */
bool resident_enter(struct query *query, int device);
void resident_leave(struct query *query);

#endif
