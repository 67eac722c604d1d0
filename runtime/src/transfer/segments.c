/* SPDX-License-Identifier: Apache-2.0 */
#include "segments.h"
#include <string.h>

bool heddle__segment_within(const struct heddle__segment *segment, size_t at, size_t bytes, size_t *low, size_t *high) {
    const size_t end = segment->at + segment->bytes, stop = at + bytes;
    *low = segment->at > at ? segment->at : at;
    *high = end < stop ? end : stop;
    return *low < *high;
}

void heddle__segments_gather(const struct heddle__segment *segment, int segments, char *block, size_t at, size_t bytes,
                             bool in) {
    for (int k = 0; k < segments; k++) {
        size_t low, stop;
        if (segment[k].direct || !heddle__segment_within(&segment[k], at, bytes, &low, &stop))
            continue;
        char *host = segment[k].host + (low - segment[k].at);
        if (in)
            memcpy(block + (low - at), host, stop - low);
        else
            memcpy(host, block + (low - at), stop - low);
    }
}
