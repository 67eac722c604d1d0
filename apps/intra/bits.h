/* SPDX-License-Identifier: Apache-2.0 */
/* Bits into memory, most significant first. The caller sees to the room: bits_room() before every
 * macroblock, which cannot be longer than BITS_MB_MOST. */
#ifndef INTRA_BITS_H
#define INTRA_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 400 levels and runs of at most 28 + 11 bits each, and their counts. */
enum { BITS_MB_MOST = 4096 };

struct bits {
    uint8_t *bytes;
    size_t count, room; /* in bytes */
    uint64_t waiting;   /* the low `used` bits are not written yet; used < 32 between calls */
    unsigned used;
};

bool bits_room(struct bits *b, size_t bytes); /* false: no memory */
void bits_free(struct bits *b);

/* At most 32 bits; `value` has no others. */
static inline void bits_put(struct bits *b, unsigned length, uint32_t value) {
    b->waiting = b->waiting << length | value;
    b->used += length;
    if (b->used >= 32) {
        const uint32_t word = __builtin_bswap32((uint32_t)(b->waiting >> (b->used - 32)));
        memcpy(b->bytes + b->count, &word, 4);
        b->count += 4;
        b->used -= 32;
    }
}

static inline void bits_ue(struct bits *b, uint32_t value) {
    const unsigned length = 32 - (unsigned)__builtin_clz(value + 1);
    bits_put(b, length - 1, 0);
    bits_put(b, length, value + 1);
}

static inline void bits_se(struct bits *b, int32_t value) {
    bits_ue(b, value > 0 ? 2 * (uint32_t)value - 1 : 2 * (uint32_t)-value);
}

/* The stop bit, then zeros to a whole byte. */
void bits_end(struct bits *b);

/* Appends a NAL unit to `out`: start code, header byte, and the bytes of `payload` with a 3 wherever
 * two zeros would be followed by 3 or less. */
bool bits_append_nal(struct bits *out, unsigned header, const struct bits *payload);

#endif
