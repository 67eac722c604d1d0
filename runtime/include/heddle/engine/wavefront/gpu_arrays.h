/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about a nest's staged arrays (all cells stored, rows contiguous) and streams (values read ahead of time),
 * from its X-macro lists, as constants and functions of a constant number. Included by
 * heddle/engine/wavefront/wavefront.h once per nest. No include guard.
 */
#define HEDDLE_ONE(...) +1
#define HEDDLE_NATURAL(type) (sizeof(__typeof__(type)) == _Alignof(__typeof__(type)) && sizeof(__typeof__(type)) <= 16)
#define HEDDLE_FITS(type, name) &&HEDDLE_NATURAL(type)
#define HEDDLE_STREAM_FITS(type, name, r0, r1, c0, c1)                                                                 \
    &&HEDDLE_NATURAL(type) && (r1) - (r0) <= HEDDLE_STREAM_SPAN && (c1) - (c0) < HEDDLE_STREAM_SPAN &&                 \
        (!HEDDLE_EXTENDED || (c1) - (c0) + ((r1) - (r0)) * HEDDLE_N(PACE) <= HEDDLE_STREAM_SPAN)
enum {
    HEDDLE_N(STAGED_ARRAYS) = 0 HEDDLE_N(STAGED)(HEDDLE_ONE),
    HEDDLE_N(STAGED_FIT) = HEDDLE_N(STAGED_ARRAYS) > 0 HEDDLE_N(STAGED)(HEDDLE_FITS),
    HEDDLE_N(STREAMS) = 0 HEDDLE_N(STREAM)(HEDDLE_ONE),
    HEDDLE_N(STREAMS_FIT) = HEDDLE_N(STREAMS) > 0 HEDDLE_N(STREAM)(HEDDLE_STREAM_FITS),
    HEDDLE_N(EARLIES) = 0 HEDDLE_N(EARLY)(HEDDLE_ONE)
};
#undef HEDDLE_ONE
#undef HEDDLE_FITS
#undef HEDDLE_STREAM_FITS
#undef HEDDLE_NATURAL

static HEDDLE_INLINE int HEDDLE_N(staged_size)(int array) {
#define HEDDLE_X(type, name) sizeof(__typeof__(type)),
    const int size[] = {HEDDLE_N(STAGED)(HEDDLE_X) 1};
#undef HEDDLE_X
    return size[array];
}
static HEDDLE_INLINE int HEDDLE_N(staged_offset)(int array) {
#define HEDDLE_X(type, name) offsetof(struct HEDDLE_N(cell), name),
    const int offset[] = {HEDDLE_N(STAGED)(HEDDLE_X) 0};
#undef HEDDLE_X
    return offset[array];
}
static HEDDLE_INLINE int HEDDLE_N(stream_size)(int stream) {
#define HEDDLE_X(type, name, r0, r1, c0, c1) sizeof(__typeof__(type)),
    const int size[] = {HEDDLE_N(STREAM)(HEDDLE_X) 1};
#undef HEDDLE_X
    return size[stream];
}

/* Which rows and columns around a cell a stream's readers want. */
struct HEDDLE_N(stream_box) {
    int row_first, row_last, col_first, col_last;
};
static HEDDLE_INLINE struct HEDDLE_N(stream_box) HEDDLE_N(stream_facts)(int stream) {
#define HEDDLE_X(type, name, r0, r1, c0, c1) {r0, r1, c0, c1},
    const struct HEDDLE_N(stream_box) facts[] = {HEDDLE_N(STREAM)(HEDDLE_X){0, 0, 0, 0}};
#undef HEDDLE_X
    return facts[stream];
}

/* A value read ahead of time: its place in the structure, and where it comes from. */
struct HEDDLE_N(early_place) {
    int offset, stream, di, dj;
};
static HEDDLE_INLINE struct HEDDLE_N(early_place) HEDDLE_N(early_facts)(int early) {
#define HEDDLE_X(type, name, stream, di, dj) {offsetof(struct HEDDLE_N(early), name), stream, di, dj},
    const struct HEDDLE_N(early_place) facts[] = {HEDDLE_N(EARLY)(HEDDLE_X){0, 0, 0, 0}};
#undef HEDDLE_X
    return facts[early];
}

/* Lowest and one past the highest address that is read of a stream whose base is at `first` in the first cell. */
static HEDDLE_INLINE void HEDDLE_N(stream_range)(int stream, const struct heddle_gpu_control *c, long pitch,
                                                 const char *first, const char **low, const char **high) {
    const int size = HEDDLE_N(stream_size)(stream);
    const char *last = first + (c->i1 - c->i0) * pitch;
    long before = (long)1 << 62, after = -before;
#pragma unroll
    for (int e = 0; e < HEDDLE_N(EARLIES); e++) {
        const struct HEDDLE_N(early_place) at = HEDDLE_N(early_facts)(e);
        const long away = at.di * pitch + at.dj * size;
        before = at.stream == stream && away < before ? away : before;
        after = at.stream == stream && away > after ? away : after;
    }
    *low = (first < last ? first : last) + before;
    *high = (first < last ? last : first) + (c->j1 - c->j0 + 1) * size + after;
}
