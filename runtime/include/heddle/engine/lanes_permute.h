/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small tables in vector registers on x86-64: each lane takes the element that its index chooses. `row` holds the table
 * and what fills it up to two vectors; indices are smaller than `entries`. Written with clang's builtins, since
 * <immintrin.h> takes longer to read than a nest to compile. 0: not for this many entries of this size.
 */
#ifndef HEDDLE_LANES_PERMUTE_H
#define HEDDLE_LANES_PERMUTE_H

#include <heddle/engine/library.h>

#if defined(__x86_64__) && defined(__clang__)
typedef short heddle_v16s __attribute__((vector_size(32)));
typedef char heddle_v32c __attribute__((vector_size(32)));
typedef short heddle_v32s __attribute__((vector_size(64)));
typedef int heddle_v16i __attribute__((vector_size(64)));
typedef int heddle_v8i __attribute__((vector_size(32)));

__attribute__((target("avx512f,avx512bw"))) static inline __attribute__((always_inline, unused)) int
heddle_permute_avx512(void *to, int bytes, const char *row, int entries, const void *by) {
    if (bytes == 2 && entries <= 64) {
        heddle_v32s a, b, index, v;
        memcpy(&a, row, sizeof a);
        memcpy(&b, row + sizeof a, sizeof b);
        memcpy(&index, by, sizeof index);
        v = entries <= 32 ? (heddle_v32s)__builtin_ia32_permvarhi512(a, index)
                          : (heddle_v32s)__builtin_ia32_vpermi2varhi512(a, index, b);
        memcpy(to, &v, sizeof v);
        return 1;
    }
    if (bytes == 4 && entries <= 32) {
        heddle_v16i a, b, index, v;
        memcpy(&a, row, sizeof a);
        memcpy(&b, row + sizeof a, sizeof b);
        memcpy(&index, by, sizeof index);
        v = entries <= 16 ? (heddle_v16i)__builtin_ia32_permvarsi512(a, index)
                          : (heddle_v16i)__builtin_ia32_vpermi2vard512(a, index, b);
        memcpy(to, &v, sizeof v);
        return 1;
    }
    return 0;
}

/* Four parts of eight elements, of which bits 3 and 4 of an index choose one. */
__attribute__((target("avx2"))) static inline __attribute__((always_inline, unused)) int
heddle_permute_avx2(void *to, int bytes, const char *row, int entries, const void *by) {
    if (bytes == 2 && entries <= 32) {
        heddle_v16s index, pair, v[4];
        memcpy(&index, by, sizeof index);
        pair = (index & 7) * 0x0202 + 0x0100;
        for (int part = 0; part < 4; part++) {
            heddle_v32c twice;
            memcpy(&twice, row + 16 * part, 16);
            memcpy((char *)&twice + 16, row + 16 * part, 16);
            v[part] = (heddle_v16s)__builtin_ia32_pshufb256(twice, (heddle_v32c)pair);
        }
        const heddle_v16s odd = (index & 8) != 0, high = (index & 16) != 0;
        const heddle_v16s low_half = (v[0] & ~odd) | (v[1] & odd), high_half = (v[2] & ~odd) | (v[3] & odd);
        v[0] = (low_half & ~high) | (high_half & high);
        memcpy(to, v, sizeof v[0]);
        return 1;
    }
    if (bytes == 4 && entries <= 16) {
        heddle_v8i a, b, index;
        memcpy(&a, row, sizeof a);
        memcpy(&b, row + sizeof a, sizeof b);
        memcpy(&index, by, sizeof index);
        const heddle_v8i high = (index & 8) != 0;
        a = (heddle_v8i)__builtin_ia32_permvarsi256(a, index);
        b = (heddle_v8i)__builtin_ia32_permvarsi256(b, index);
        a = (a & ~high) | (b & high);
        memcpy(to, &a, sizeof a);
        return 1;
    }
    return 0;
}
#endif

#endif
