/* SPDX-License-Identifier: Apache-2.0 */
/* Devices that tests make slower, to see how the rest balances it. */
#include "device.h"
#include <stdlib.h>
#include <string.h>

double heddle__device_slowness(int device) {
    char option[HEDDLE__OPTION_MAX], key[16], *rest = NULL;
    heddle__option_read("slow", option, sizeof option);
    if (!*option)
        return 1;
    snprintf(key, sizeof key, device < 0 ? "host" : "%d", device);
    for (char *one = strtok_r(option, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        char *colon = strchr(one, ':');
        const double factor = colon ? strtod(colon + 1, NULL) : 0;
        if (factor >= 1 && (size_t)(colon - one) == strlen(key) && !strncmp(one, key, strlen(key)))
            return factor;
    }
    return 1;
}
