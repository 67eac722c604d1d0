/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

int work_look_on_devices = 1;
