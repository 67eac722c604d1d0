/* SPDX-License-Identifier: Apache-2.0 */
#include "cavlc.h"

/* Code words as the tables 9-5, 9-7, 9-8, 9-9 and 9-10 of ITU-T H.264 print them.
 * coeff_token: by context 0-1, 2-3, 4-7, by levels, by trailing ones (at most 3). */
/* clang-format off */
static const char *const coeff_token[3][17][4] = {
    {
        {"1"}, {"000101", "01"}, {"00000111", "000100", "001"},
        {"000000111", "00000110", "0000101", "00011"},
        {"0000000111", "000000110", "00000101", "000011"},
        {"00000000111", "0000000110", "000000101", "0000100"},
        {"0000000001111", "00000000110", "0000000101", "00000100"},
        {"0000000001011", "0000000001110", "00000000101", "000000100"},
        {"0000000001000", "0000000001010", "0000000001101", "0000000100"},
        {"00000000001111", "00000000001110", "0000000001001", "00000000100"},
        {"00000000001011", "00000000001010", "00000000001101", "0000000001100"},
        {"000000000001111", "000000000001110", "00000000001001", "00000000001100"},
        {"000000000001011", "000000000001010", "000000000001101", "00000000001000"},
        {"0000000000001111", "000000000000001", "000000000001001", "000000000001100"},
        {"0000000000001011", "0000000000001110", "0000000000001101", "000000000001000"},
        {"0000000000000111", "0000000000001010", "0000000000001001", "0000000000001100"},
        {"0000000000000100", "0000000000000110", "0000000000000101", "0000000000001000"}
    },
    {
        {"11"}, {"001011", "10"}, {"000111", "00111", "011"},
        {"0000111", "001010", "001001", "0101"}, {"00000111", "000110", "000101", "0100"},
        {"00000100", "0000110", "0000101", "00110"},
        {"000000111", "00000110", "00000101", "001000"},
        {"00000001111", "000000110", "000000101", "000100"},
        {"00000001011", "00000001110", "00000001101", "0000100"},
        {"000000001111", "00000001010", "00000001001", "000000100"},
        {"000000001011", "000000001110", "000000001101", "00000001100"},
        {"000000001000", "000000001010", "000000001001", "00000001000"},
        {"0000000001111", "0000000001110", "0000000001101", "000000001100"},
        {"0000000001011", "0000000001010", "0000000001001", "0000000001100"},
        {"0000000000111", "00000000001011", "0000000000110", "0000000001000"},
        {"00000000001001", "00000000001000", "00000000001010", "0000000000001"},
        {"00000000000111", "00000000000110", "00000000000101", "00000000000100"}
    },
    {
        {"1111"}, {"001111", "1110"}, {"001011", "01111", "1101"},
        {"001000", "01100", "01110", "1100"}, {"0001111", "01010", "01011", "1011"},
        {"0001011", "01000", "01001", "1010"}, {"0001001", "001110", "001101", "1001"},
        {"0001000", "001010", "001001", "1000"}, {"00001111", "0001110", "0001101", "01101"},
        {"00001011", "00001110", "0001010", "001100"},
        {"000001111", "00001010", "00001101", "0001100"},
        {"000001011", "000001110", "00001001", "00001100"},
        {"000001000", "000001010", "000001101", "00001000"},
        {"0000001101", "000000111", "000001001", "000001100"},
        {"0000001001", "0000001100", "0000001011", "0000001010"},
        {"0000000101", "0000001000", "0000000111", "0000000110"},
        {"0000000001", "0000000100", "0000000011", "0000000010"}
    },
};
static const char *const coeff_token_chroma_dc[5][4] = {
    {"01"}, {"000111", "1"}, {"000100", "000110", "001"},
    {"000011", "0000011", "0000010", "000101"}, {"000010", "00000011", "00000010", "0000000"}
};
static const char *const total_zeros[15][16] = {

    {"1", "011", "010", "0011", "0010", "00011", "00010", "000011", "000010", "0000011", "0000010", "00000011", "00000010", "000000011", "000000010", "000000001"},
    {"111", "110", "101", "100", "011", "0101", "0100", "0011", "0010", "00011", "00010", "000011", "000010", "000001", "000000"},
    {"0101", "111", "110", "101", "0100", "0011", "100", "011", "0010", "00011", "00010", "000001", "00001", "000000"},
    {"00011", "111", "0101", "0100", "110", "101", "100", "0011", "011", "0010", "00010", "00001", "00000"},
    {"0101", "0100", "0011", "111", "110", "101", "100", "011", "0010", "00001", "0001", "00000"},
    {"000001", "00001", "111", "110", "101", "100", "011", "010", "0001", "001", "000000"},
    {"000001", "00001", "101", "100", "011", "11", "010", "0001", "001", "000000"},
    {"000001", "0001", "00001", "011", "11", "10", "010", "001", "000000"},
    {"000001", "000000", "0001", "11", "10", "001", "01", "00001"},
    {"00001", "00000", "001", "11", "10", "01", "0001"},
    {"0000", "0001", "001", "010", "1", "011"}, {"0000", "0001", "01", "1", "001"},
    {"000", "001", "1", "01"}, {"00", "01", "1"}, {"0", "1"}
};
static const char *const total_zeros_chroma_dc[3][4] = {
    {"1", "01", "001", "000"}, {"1", "01", "00"}, {"1", "0"}
};
static const char *const run_before[7][15] = {
    {"1", "0"}, {"1", "01", "00"}, {"11", "10", "01", "00"}, {"11", "10", "01", "001", "000"},
    {"11", "10", "011", "010", "001", "000"}, {"11", "000", "001", "011", "010", "101", "100"},
    {"111", "110", "101", "100", "011", "010", "001", "0001", "00001", "000001", "0000001", "00000001", "000000001", "0000000001", "00000000001"}
};
/* clang-format on */

static struct cavlc_code tokens[5][17][4], zeros_code[16][16], zeros_code_dc[4][4], run_code[8][16];

static struct cavlc_code parse(const char *word) {
    struct cavlc_code code = {0, 0};
    for (; word && *word; word++) {
        code.bits = (uint16_t)(code.bits << 1 | (*word == '1'));
        code.length++;
    }
    return code;
}

void cavlc_prepare(void) {
    for (int levels = 0; levels <= 16; levels++)
        for (int ones = 0; ones < 4 && ones <= levels; ones++) {
            for (int c = 0; c < 3; c++)
                tokens[c][levels][ones] = parse(coeff_token[c][levels][ones]);
            /* from 8 on: six bits, levels - 1 and ones; none at all is 000011 */
            tokens[3][levels][ones] = (struct cavlc_code){6, levels ? (uint16_t)((levels - 1) << 2 | ones) : 3};
            if (levels <= 4)
                tokens[4][levels][ones] = parse(coeff_token_chroma_dc[levels][ones]);
        }
    for (int levels = 1; levels < 16; levels++)
        for (int zeros = 0; zeros <= 16 - levels; zeros++)
            zeros_code[levels][zeros] = parse(total_zeros[levels - 1][zeros]);
    for (int levels = 1; levels < 4; levels++)
        for (int zeros = 0; zeros <= 4 - levels; zeros++)
            zeros_code_dc[levels][zeros] = parse(total_zeros_chroma_dc[levels - 1][zeros]);
    for (int left = 1; left <= 7; left++)
        for (int run = 0; run < 15 && run <= (left < 7 ? left : 14); run++)
            run_code[left][run] = parse(run_before[left - 1][run]);
}

static inline int token_table(int context) {
    return context < 0 ? 4 : context < 2 ? 0 : context < 4 ? 1 : context < 8 ? 2 : 3;
}

struct cavlc_code cavlc_coeff_token(int context, int levels, int ones) {
    return tokens[token_table(context)][levels][ones];
}

struct cavlc_code cavlc_total_zeros(int size, int levels, int zeros) {
    return size == 4 ? zeros_code_dc[levels][zeros] : zeros_code[levels][zeros];
}

struct cavlc_code cavlc_run_before(int zeros_left, int run) { return run_code[zeros_left < 7 ? zeros_left : 7][run]; }

static inline void put_code(struct bits *b, struct cavlc_code code) { bits_put(b, code.length, code.bits); }

/* One level: a unary prefix and a suffix whose length grows with the levels seen. */
static inline void put_level(struct bits *b, int level, int first_shift, unsigned *suffix) {
    const unsigned magnitude = (unsigned)(level < 0 ? -level : level);
    const unsigned code = 2 * magnitude - 2 + (level < 0) - (unsigned)first_shift, length = *suffix;
    if (length == 0 && code >= 14 && code < 30)
        bits_put(b, 19, 1u << 4 | (code - 14));
    else if (code < 15u << length)
        bits_put(b, (code >> length) + 1 + length, 1u << length | (code & ((1u << length) - 1)));
    else
        bits_put(b, 28, 1u << 12 | (code - (length ? 15u << length : 30)));
    if (*suffix == 0)
        *suffix = 1;
    if (magnitude > 3u << (*suffix - 1) && *suffix < 6)
        ++*suffix;
}

void cavlc_block(struct bits *b, const int16_t *level, int stride, unsigned mask, int size, int context) {
    const int levels = __builtin_popcount(mask), table = token_table(context);
    if (!levels) {
        put_code(b, tokens[table][0][0]);
        return;
    }
    int value[16], run[16]; /* highest frequency first; run: zeros before it */
    int count = 0, ones = 0, counting = 1;
    unsigned signs = 0;
    for (unsigned left = mask; left; count++) {
        const int at = 31 - __builtin_clz(left);
        left &= ~(1u << at);
        run[count] = left ? at - (31 - __builtin_clz(left)) - 1 : at;
        value[count] = level[at * stride];
        counting &= ones < 3 && (value[count] == 1 || value[count] == -1);
        if (counting) {
            signs = signs << 1 | (value[count] < 0);
            ones++;
        }
    }
    put_code(b, tokens[table][levels][ones]);
    bits_put(b, (unsigned)ones, signs);
    unsigned suffix = levels > 10 && ones < 3;
    for (int k = ones; k < levels; k++)
        put_level(b, value[k], k == ones && ones < 3 ? 2 : 0, &suffix);
    int zeros = 31 - __builtin_clz(mask) + 1 - levels;
    if (levels < size)
        put_code(b, size == 4 ? zeros_code_dc[levels][zeros] : zeros_code[levels][zeros]);
    for (int k = 0; k < levels - 1 && zeros > 0; k++) {
        put_code(b, run_code[zeros < 7 ? zeros : 7][run[k]]);
        zeros -= run[k];
    }
}
