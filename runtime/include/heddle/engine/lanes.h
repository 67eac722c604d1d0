/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving values between SIMD lanes on a CPU: each to the next one, and rows of lanes to columns. Written with
 * clang's vector builtins so that a shift is one permutation and never a store followed by a misaligned load
 * (which would stall every step).
 */
#ifndef HEDDLE_LANES_H
#define HEDDLE_LANES_H

#include <heddle/engine/language.h>
#include <heddle/engine/library.h>

#define HEDDLE_I4 3, 0, 1, 2
#define HEDDLE_I8 7, 0, 1, 2, 3, 4, 5, 6
#define HEDDLE_I16 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
#define HEDDLE_I32                                                                                                     \
    31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define HEDDLE_I64                                                                                                     \
    63, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,  \
        30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,    \
        57, 58, 59, 60, 61, 62

#define HEDDLE_SHIFT_CASE(bits, lanes)                                                                                 \
    case (bits) * 1000 + (lanes): {                                                                                    \
        typedef uint##bits##_t vector __attribute__((vector_size((bits) / 8 * (lanes))));                              \
        vector v;                                                                                                      \
        uint##bits##_t first;                                                                                          \
        memcpy(&v, x, sizeof v);                                                                                       \
        memcpy(&first, in, sizeof first);                                                                              \
        v = __builtin_shufflevector(v, v, HEDDLE_I##lanes);                                                            \
        v[0] = first;                                                                                                  \
        memcpy(x, &v, sizeof v);                                                                                       \
        return;                                                                                                        \
    }

/* x[l] = x[l - 1] for all lanes, x[0] = *in; `bytes` is the size of one element. Arguments are constants. */
static inline __attribute__((always_inline, unused)) void heddle_shift_lanes(void *x, const void *in, int bytes,
                                                                             int lanes) {
    switch (bytes * 8000 + lanes) {
        HEDDLE_SHIFT_CASE(64, 4)
        HEDDLE_SHIFT_CASE(64, 8)
        HEDDLE_SHIFT_CASE(32, 4)
        HEDDLE_SHIFT_CASE(32, 8)
        HEDDLE_SHIFT_CASE(32, 16)
        HEDDLE_SHIFT_CASE(16, 4)
        HEDDLE_SHIFT_CASE(16, 8)
        HEDDLE_SHIFT_CASE(16, 16)
        HEDDLE_SHIFT_CASE(16, 32)
        HEDDLE_SHIFT_CASE(8, 4)
        HEDDLE_SHIFT_CASE(8, 8)
        HEDDLE_SHIFT_CASE(8, 16)
        HEDDLE_SHIFT_CASE(8, 32)
        HEDDLE_SHIFT_CASE(8, 64)
    default: { /* any other element: structures, long double */
        char *bytes_of_x = HEDDLE_PTR(x);
        for (int l = lanes - 1; l > 0; l--)
            memcpy(bytes_of_x + l * bytes, bytes_of_x + (l - 1) * bytes, (size_t)bytes);
        memcpy(bytes_of_x, in, (size_t)bytes);
    }
    }
}

/* Halves of two vectors, element by element in turn. */
#define HEDDLE_ZIP_LOW2 0, 2
#define HEDDLE_ZIP_HIGH2 1, 3
#define HEDDLE_ZIP_LOW4 0, 4, 1, 5
#define HEDDLE_ZIP_HIGH4 2, 6, 3, 7
#define HEDDLE_ZIP_LOW8 0, 8, 1, 9, 2, 10, 3, 11
#define HEDDLE_ZIP_HIGH8 4, 12, 5, 13, 6, 14, 7, 15
#define HEDDLE_ZIP_LOW16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HEDDLE_ZIP_HIGH16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

/* A square of n x n elements, n rows from byte `at` on: log2 n rounds of zips, each row with the one half the square
 * away, turn it. */
#define HEDDLE_TURN(bits, n)                                                                                           \
    static inline __attribute__((always_inline, unused)) void heddle_turn_##bits##_##n(                                \
        const char *const *from, size_t at, char *const *to, size_t to_at) {                                           \
        typedef uint##bits##_t vector __attribute__((vector_size((bits) / 8 * (n))));                                  \
        vector v[n], w[n];                                                                                             \
        _Pragma("GCC unroll 16") for (int q = 0; q < (n); q++) memcpy(&v[q], from[q] + at, sizeof(vector));            \
        _Pragma("GCC unroll 16") for (int round = 1; round < (n); round *= 2) {                                        \
            _Pragma("GCC unroll 16") for (int q = 0; q < (n) / 2; q++) {                                               \
                w[2 * q] = __builtin_shufflevector(v[q], v[q + (n) / 2], HEDDLE_ZIP_LOW##n);                           \
                w[2 * q + 1] = __builtin_shufflevector(v[q], v[q + (n) / 2], HEDDLE_ZIP_HIGH##n);                      \
            }                                                                                                          \
            memcpy(v, w, sizeof v);                                                                                    \
        }                                                                                                              \
        _Pragma("GCC unroll 16") for (int q = 0; q < (n); q++) memcpy(to[q] + to_at, &v[q], sizeof(vector));           \
    }
HEDDLE_TURN(64, 2)
/* Two elements of each of two rows in a half of a register, then halves: a permutation for each of both. */
static inline __attribute__((always_inline, unused)) void heddle_turn_64_4(const char *const *from, size_t at,
                                                                           char *const *to, size_t to_at) {
    typedef uint64_t vector __attribute__((vector_size(32)));
    vector a, b, c, d;
    memcpy(&a, from[0] + at, sizeof a);
    memcpy(&b, from[1] + at, sizeof b);
    memcpy(&c, from[2] + at, sizeof c);
    memcpy(&d, from[3] + at, sizeof d);
    const vector ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const vector cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
    memcpy(to[0] + to_at, &a, sizeof a);
    memcpy(to[1] + to_at, &b, sizeof b);
    memcpy(to[2] + to_at, &c, sizeof c);
    memcpy(to[3] + to_at, &d, sizeof d);
}
HEDDLE_TURN(32, 4)
/* Rows q and q + 4 share a register from the load on, so that everything else stays inside its halves. */
static inline __attribute__((always_inline, unused)) void heddle_turn_32_8(const char *const *from, size_t at,
                                                                           char *const *to, size_t to_at) {
    typedef uint32_t half __attribute__((vector_size(16)));
    typedef uint32_t vector __attribute__((vector_size(32)));
    _Pragma("GCC unroll 2") for (int side = 0; side < 2; side++) {
        vector v[4], out;
        _Pragma("GCC unroll 4") for (int q = 0; q < 4; q++) {
            half low, high;
            memcpy(&low, from[q] + at + 16 * side, sizeof low);
            memcpy(&high, from[q + 4] + at + 16 * side, sizeof high);
            v[q] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
        }
        const vector ab0 = __builtin_shufflevector(v[0], v[1], 0, 8, 1, 9, 4, 12, 5, 13),
                     ab1 = __builtin_shufflevector(v[0], v[1], 2, 10, 3, 11, 6, 14, 7, 15);
        const vector cd0 = __builtin_shufflevector(v[2], v[3], 0, 8, 1, 9, 4, 12, 5, 13),
                     cd1 = __builtin_shufflevector(v[2], v[3], 2, 10, 3, 11, 6, 14, 7, 15);
        out = __builtin_shufflevector(ab0, cd0, 0, 1, 8, 9, 4, 5, 12, 13);
        memcpy(to[4 * side] + to_at, &out, sizeof out);
        out = __builtin_shufflevector(ab0, cd0, 2, 3, 10, 11, 6, 7, 14, 15);
        memcpy(to[4 * side + 1] + to_at, &out, sizeof out);
        out = __builtin_shufflevector(ab1, cd1, 0, 1, 8, 9, 4, 5, 12, 13);
        memcpy(to[4 * side + 2] + to_at, &out, sizeof out);
        out = __builtin_shufflevector(ab1, cd1, 2, 3, 10, 11, 6, 7, 14, 15);
        memcpy(to[4 * side + 3] + to_at, &out, sizeof out);
    }
}
HEDDLE_TURN(16, 4)
HEDDLE_TURN(16, 8)
HEDDLE_TURN(8, 4)
HEDDLE_TURN(8, 8)
HEDDLE_TURN(8, 16)

/* Squares of the arguments of heddle_transpose_rows(). */
#define HEDDLE_TURN_CASE(bits, n)                                                                                      \
    if (bytes == (bits) / 8 && rows % (n) == 0 && columns % (n) == 0) {                                                \
        _Pragma("GCC unroll 4") for (int r = 0; r < rows; r += (n))                                                    \
            _Pragma("GCC unroll 4") for (int c = 0; c < columns; c += (n))                                             \
                heddle_turn_##bits##_##n(from + r, (size_t)(c * bytes), to + c, (size_t)(r * bytes));                  \
        return;                                                                                                        \
    }

/* to[c][r] = from[r][c], of rows that lie anywhere. `bytes`, the size of an element, and the numbers are constants. */
static inline __attribute__((always_inline, unused)) void
heddle_transpose_rows(const char *const *from, char *const *to, int bytes, int rows, int columns) {
    HEDDLE_TURN_CASE(64, 4)
    HEDDLE_TURN_CASE(64, 2)
    HEDDLE_TURN_CASE(32, 8)
    HEDDLE_TURN_CASE(32, 4)
    HEDDLE_TURN_CASE(16, 8)
    HEDDLE_TURN_CASE(16, 4)
    HEDDLE_TURN_CASE(8, 16)
    HEDDLE_TURN_CASE(8, 8)
    HEDDLE_TURN_CASE(8, 4)
    for (int r = 0; r < rows; r++) /* any other element: structures, long double */
        for (int c = 0; c < columns; c++)
            memcpy(to[c] + r * bytes, from[r] + c * bytes, (size_t)bytes);
}

/* The same with pitches in bytes. All but `rows` are constants; `from` has room for rows rounded up to a multiple of
   16, and `to` is filled so far. */
static inline __attribute__((always_inline, unused)) void
heddle_transpose(const void *from, size_t from_pitch, void *to, size_t to_pitch, int bytes, int rows, int columns) {
    enum { ROWS = 16, COLUMNS = 64 };
    for (int r = 0; r < rows; r += ROWS) {
        const char *row[ROWS];
        char *column[COLUMNS];
        for (int q = 0; q < ROWS; q++)
            row[q] = (const char *)from + (size_t)(r + q) * from_pitch;
        for (int q = 0; q < columns && q < COLUMNS; q++)
            column[q] = (char *)to + (size_t)q * to_pitch + r * bytes;
        heddle_transpose_rows(row, column, bytes, ROWS, columns);
    }
}
#endif
