/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

#include <stdlib.h>

bool bits_room(struct bits *b, size_t bytes) {
    if (b->room - b->count >= bytes)
        return true;
    const size_t room = b->room + b->room / 2 + bytes + 65536;
    uint8_t *memory = realloc(b->bytes, room);
    if (!memory)
        return false;
    b->bytes = memory;
    b->room = room;
    return true;
}

void bits_free(struct bits *b) {
    free(b->bytes);
    *b = (struct bits){0};
}

void bits_end(struct bits *b) {
    bits_put(b, 1, 1);
    bits_put(b, -b->used & 7, 0);
    for (; b->used; b->used -= 8)
        b->bytes[b->count++] = (uint8_t)(b->waiting >> (b->used - 8));
}

bool bits_append_nal(struct bits *out, unsigned header, const struct bits *payload) {
    if (!bits_room(out, 5 + payload->count + payload->count / 2))
        return false;
    uint8_t *to = out->bytes + out->count;
    memcpy(to, (const uint8_t[5]){0, 0, 0, 1, (uint8_t)header}, 5);
    to += 5;
    const uint8_t *from = payload->bytes, *end = from + payload->count;
    unsigned zeros = 0;
    while (from < end) {
        if (zeros == 2 && *from <= 3) {
            *to++ = 3;
            zeros = 0;
        }
        zeros = *from ? 0 : zeros + 1;
        *to++ = *from++;
    }
    out->count = (size_t)(to - out->bytes);
    return true;
}
