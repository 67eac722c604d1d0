/* SPDX-License-Identifier: Apache-2.0 */
/* extreme_call.c: functions of the program that are a maximum or a minimum */
#ifndef HEDDLE_ANALYSIS_EXTREME_CALL_H
#define HEDDLE_ANALYSIS_EXTREME_CALL_H

#include "function.h"

enum extreme_kind { EXTREME_UNKNOWN, EXTREME_MAX, EXTREME_MIN };
/* Of its two arguments, converted to the parameters' type. Unknown: its body is elsewhere, or does more. */
enum extreme_kind extreme_of_call(struct unit *u, struct node *call);

#endif
