/* SPDX-License-Identifier: Apache-2.0 */
/* Included by heddle/engine/wavefront/gpu_rows.h and heddle/engine/wavefront/gpu_extended.h once per HEDDLE_K. No
 * include guard. */

/* The row above of the next chunk, on its way. */
struct HEDDLE_G(coming) {
    const struct HEDDLE_N(link) *in;
    long column, columns, block; /* the lane's column there, of how many, and the block that it enters */
    struct HEDDLE_N(words) words;
};
static HEDDLE_INLINE void HEDDLE_G(fetch_next)(struct HEDDLE_G(coming) *next) {
    HEDDLE_N(fetch)(next->in, next->column, next->columns, next->block, &next->words);
}
