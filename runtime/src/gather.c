/* SPDX-License-Identifier: Apache-2.0 */
#include "gather.h"
#include <string.h>

void heddle__gather(const struct heddle__part *part, int parts, char *piece, size_t at, size_t bytes, bool in)
{
    for (int k = 0; k < parts; k++) {
        const size_t low = part[k].at > at ? part[k].at : at;
        if (part[k].direct)
            continue;
        const size_t end = part[k].at + part[k].bytes, stop = end < at + bytes ? end : at + bytes;
        if (low >= stop)
            continue;
        char *host = part[k].host + (low - part[k].at);
        if (in)
            memcpy(piece + (low - at), host, stop - low);
        else
            memcpy(host, piece + (low - at), stop - low);
    }
}
