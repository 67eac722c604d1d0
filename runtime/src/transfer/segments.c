/* SPDX-License-Identifier: Apache-2.0 */
#include "segments.h"
#include <string.h>

bool heddle__part_within(const struct heddle__part *part, size_t at, size_t bytes, size_t *low, size_t *high) {
    const size_t end = part->at + part->bytes, stop = at + bytes;
    *low = part->at > at ? part->at : at;
    *high = end < stop ? end : stop;
    return *low < *high;
}

void heddle__gather(const struct heddle__part *part, int parts, char *piece, size_t at, size_t bytes, bool in) {
    for (int k = 0; k < parts; k++) {
        size_t low, stop;
        if (part[k].direct || !heddle__part_within(&part[k], at, bytes, &low, &stop))
            continue;
        char *host = part[k].host + (low - part[k].at);
        if (in)
            memcpy(piece + (low - at), host, stop - low);
        else
            memcpy(host, piece + (low - at), stop - low);
    }
}
