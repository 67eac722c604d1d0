/* SPDX-License-Identifier: Apache-2.0 */
/* Context-adaptive variable-length codes of transform levels, ITU-T H.264 section 9.2. */
#ifndef INTRA_CAVLC_H
#define INTRA_CAVLC_H

#include "bits.h"

/* Once, before the first block. */
void cavlc_prepare(void);

/* What the number of levels of the blocks left and above says about this one's; chroma DC has a
 * context of its own. */
enum { CAVLC_CHROMA_DC = -1 };

/* One block of `size` (4, 15 or 16) levels in scan order, `stride` apart; bit k of mask: level k is
 * not zero. Levels are within +-2063. */
void cavlc_block(struct bits *b, const int16_t *level, int stride, unsigned mask, int size, int context);

/* The code words, for the test that decodes them again: length and bits, length 0 where none. */
struct cavlc_code {
    uint8_t length;
    uint16_t bits;
};
struct cavlc_code cavlc_coeff_token(int context, int levels, int ones);
struct cavlc_code cavlc_total_zeros(int size, int levels, int zeros);
struct cavlc_code cavlc_run_before(int zeros_left, int run);

#endif
