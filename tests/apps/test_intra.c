/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms against the standard's formulas, level codes against a decoder that tries every code word, the
 * stream's byte layer, and the reader of videos. */
#include "check.h"

#include "app.h"
#include "cavlc.h"
#include "transform.h"
#include "video.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- transforms */

/* A block as a decoder makes it from its levels: ITU-T H.264 section 8.5.12, written from the text. */
static void decode_block(const int16_t *level, int qp, const uint8_t *predicted, uint8_t *out) {
    static const int zigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
    static const int scale[6][3] = {{10, 16, 13}, {11, 18, 14}, {13, 20, 16}, {14, 23, 18}, {16, 25, 20}, {18, 29, 23}};
    int d[16], f[16];
    for (int k = 0; k < 16; k++) {
        const int i = zigzag[k] / 4, j = zigzag[k] % 4;
        d[zigzag[k]] = level[k] * scale[qp % 6][i % 2 && j % 2 ? 1 : i % 2 || j % 2 ? 2 : 0] * (1 << qp / 6);
    }
    for (int i = 0; i < 4; i++) {
        const int *r = d + 4 * i;
        const int e0 = r[0] + r[2], e1 = r[0] - r[2], e2 = (r[1] >> 1) - r[3], e3 = r[1] + (r[3] >> 1);
        f[4 * i] = e0 + e3, f[4 * i + 1] = e1 + e2, f[4 * i + 2] = e1 - e2, f[4 * i + 3] = e0 - e3;
    }
    for (int j = 0; j < 4; j++) {
        const int g0 = f[j] + f[8 + j], g1 = f[j] - f[8 + j];
        const int g2 = (f[4 + j] >> 1) - f[12 + j], g3 = f[4 + j] + (f[12 + j] >> 1);
        const int h[4] = {g0 + g3, g1 + g2, g1 - g2, g0 - g3};
        for (int i = 0; i < 4; i++) {
            const int v = predicted[4 * i + j] + ((h[i] + 32) >> 6);
            out[4 * i + j] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
        }
    }
}

static void code_block(struct scratch *w, const struct quantiser *q) {
    for (int c = 0; c < 4; c++)
        transform_column(w, 5, c);
    for (int r = 0; r < 4; r++) {
        transform_row(w, 5, r);
        quantise_row(w, q, 5, r, 0);
    }
    for (int c = 0; c < 4; c++)
        reconstruct_column(w, 5, c);
}

static void transforms(void **state) {
    (void)state;
    static struct scratch w;
    struct app_random random;
    struct intra_setup setup;
    app_seed(&random, 7);
    for (int qp = 0; qp <= 51; qp++) {
        const double step = 0.625 * exp2(qp / 6.0);
        intra_prepare(&setup, 16, 16, qp, 1);
        for (int round = 0; round < 300; round++) {
            const int spread = round % 3 ? 256 : 1 + round / 3;
            unsigned mask = 0;
            uint8_t decoded[16];
            for (int k = 0; k < 16; k++) {
                w.source[5][k] = (uint8_t)app_below(&random, (uint32_t)spread);
                w.predicted[5][k] = round % 3 == 1 ? 128 : (uint8_t)app_below(&random, (uint32_t)spread);
            }
            code_block(&w, &setup.luma);
            decode_block(w.out.record.level[5], qp, w.predicted[5], decoded);
            assert_memory_equal(decoded, w.recon[5], 16);
            /* sixteen coefficients, each off by two thirds of a step at most */
            for (int k = 0; k < 16; k++) {
                assert_true(abs(w.recon[5][k] - w.source[5][k]) <= 3 * step + 1);
                mask |= (unsigned)(w.out.record.level[5][k] != 0) << k;
            }
            assert_int_equal(mask, w.row_mask[5][0] | w.row_mask[5][1] | w.row_mask[5][2] | w.row_mask[5][3]);
        }
    }
}

static void scan(void **state) {
    (void)state;
    static const int zigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
    for (int k = 0; k < 16; k++)
        assert_int_equal(scan_position(zigzag[k]), k);
}

static void differences(void **state) {
    (void)state;
    struct app_random random;
    app_seed(&random, 8);
    for (int round = 0; round < 1000; round++) {
        int d[16], sum = 0;
        for (int k = 0; k < 16; k++)
            d[k] = (int)app_below(&random, 511) - 255;
        for (int u = 0; u < 16; u++) { /* every coefficient of the Hadamard transform by its signs */
            int t = 0;
            for (int k = 0; k < 16; k++)
                t += __builtin_parity((unsigned)(u & k)) ? -d[k] : d[k];
            sum += abs(t);
        }
        assert_int_equal(2 * transformed_difference(d), sum);
    }
}

static void dc_pairs(void **state) {
    (void)state;
    static struct scratch w;
    struct app_random random;
    struct intra_setup setup;
    app_seed(&random, 9);
    for (int qp = 0; qp <= 51; qp++) {
        intra_prepare(&setup, 16, 16, qp, 1);
        for (int round = 0; round < 100; round++) {
            for (int k = 0; k < 4; k++)
                w.coefficient[20 + k][0] = (int16_t)((int)app_below(&random, 2001) - 1000);
            chroma_dc(&w, &setup.chroma, 1);
            /* a DC of 16 x comes back as 64 x; four levels off by two thirds of a step */
            const double step = 64 * 0.625 * exp2(qp / 6.0);
            for (int k = 0; k < 4; k++)
                assert_true(abs(w.dc[20 + k] - 4 * w.coefficient[20 + k][0]) <= 3 * step + 4);
        }
    }
}

/* ---- macroblocks */

/* Smooth, noisy and flat pictures of values that reach both ends. */
static void draw(struct app_random *random, uint8_t *pixels, size_t bytes, int kind) {
    for (size_t k = 0; k < bytes; k++) {
        const int noise = (int)app_below(random, 256);
        pixels[k] = (uint8_t)(kind == 0   ? noise
                              : kind == 1 ? (k * 3 & 127) + (unsigned)noise / 4
                              : kind == 2 ? 255 * (noise > 250)
                                          : 77);
    }
}

/* Each of the host's forms (wide.h) leaves the same records and pixels as the serial program; none is left for later.
 */
static void host_forms(void **state) {
    (void)state;
    static const int sizes[][2] = {{2, 2}, {16, 16}, {34, 98}, {130, 66}};
    struct app_random random;
    app_seed(&random, 11);
    for (int round = 0; round < 4 * 4 * 18; round++) {
        struct intra_setup setup;
        const int *size = sizes[round & 3], rows = (size[1] + 15) / 16;
        intra_prepare(&setup, size[0], size[1], round / 16 * 3, 1 + (int)app_below(&random, (uint32_t)rows));
        const size_t bytes = frame_bytes(&setup), count = frame_records(&setup);
        uint8_t *source = app_alloc(bytes, 1), *expected = app_alloc(bytes, 1), *recon = app_alloc(bytes, 1);
        struct mb_record *records = app_alloc(count, sizeof *records), *wanted = app_alloc(count, sizeof *wanted);
        draw(&random, source, bytes, round >> 2 & 3);
        intra_encode_serial(&setup, 1, source, expected, wanted);
        for (const int best = setup.wide; setup.wide >= 0; setup.wide--) {
            memset(recon, 0, bytes);
            memset(records, 255, count * sizeof *records);
            intra_encode_heddle(&setup, 1, source, recon, records);
            if (memcmp(recon, expected, bytes) || memcmp(records, wanted, count * sizeof *records))
                fail_msg("%dx%d, QP %d, form %d of %d", size[0], size[1], setup.qp, setup.wide, best);
        }
        free(source), free(expected), free(recon), free(records), free(wanted);
    }
}

/* ---- level codes */

struct reader {
    const uint8_t *bytes;
    size_t bits, at;
};

static unsigned read_bits(struct reader *r, unsigned count) {
    unsigned value = 0;
    for (; count; count--, r->at++) {
        assert_true(r->at < r->bits);
        value = value << 1 | (r->bytes[r->at / 8] >> (7 - r->at % 8) & 1);
    }
    return value;
}

static bool comes(const struct reader *r, struct cavlc_code code) {
    struct reader ahead = *r;
    return code.length && r->at + code.length <= r->bits && read_bits(&ahead, code.length) == code.bits;
}

static int read_level(struct reader *r, unsigned *suffix, bool first) {
    unsigned prefix = 0;
    while (!read_bits(r, 1))
        prefix++;
    assert_true(prefix <= 15);
    const unsigned length = prefix == 15 ? 12 : prefix == 14 && !*suffix ? 4 : *suffix;
    unsigned code = (prefix << *suffix) + (length ? read_bits(r, length) : 0);
    code += (prefix == 15 && !*suffix ? 15 : 0) + (first ? 2 : 0);
    const int level = code & 1 ? -(int)(code + 1) / 2 : (int)(code + 2) / 2;
    *suffix = *suffix ? *suffix : 1;
    *suffix += abs(level) > 3 << (*suffix - 1) && *suffix < 6;
    return level;
}

static int read_run(struct reader *r, int left) {
    for (int run = 0; run <= left; run++)
        if (comes(r, cavlc_run_before(left, run))) {
            read_bits(r, cavlc_run_before(left, run).length);
            return run;
        }
    fail();
    return 0;
}

static void read_block(struct reader *r, int16_t *level, int size, int context) {
    int total = -1, ones = 0, value[16], zeros = 0;
    for (int n = 0; n <= size && total < 0; n++)
        for (int k = 0; k <= (n < 3 ? n : 3); k++)
            if (comes(r, cavlc_coeff_token(context, n, k))) {
                total = n, ones = k;
                break;
            }
    assert_true(total >= 0);
    read_bits(r, cavlc_coeff_token(context, total, ones).length);
    unsigned suffix = total > 10 && ones < 3;
    for (int k = 0; k < total; k++)
        value[k] = k < ones ? 1 - 2 * (int)read_bits(r, 1) : read_level(r, &suffix, k == ones && ones < 3);
    memset(level, 0, (size_t)size * sizeof *level);
    if (total && total < size) {
        while (!comes(r, cavlc_total_zeros(size, total, zeros)))
            assert_true(++zeros <= size - total);
        read_bits(r, cavlc_total_zeros(size, total, zeros).length);
    }
    int at = total + zeros - 1;
    for (int k = 0; k < total; k++) {
        level[at] = (int16_t)value[k];
        const int run = k + 1 < total ? (zeros ? read_run(r, zeros) : 0) : 0;
        zeros -= run;
        at -= 1 + run;
    }
}

static void level_codes(void **state) {
    (void)state;
    static const int sizes[3] = {4, 15, 16};
    struct app_random random;
    struct bits b = {0};
    cavlc_prepare();
    app_seed(&random, 10);
    for (int round = 0; round < 60000; round++) {
        const int size = sizes[round % 3], context = size == 4 ? CAVLC_CHROMA_DC : (int)app_below(&random, 17);
        const uint32_t dense = 1 + app_below(&random, 16), wide = app_below(&random, 12);
        int16_t level[16] = {0}, back[16];
        unsigned mask = 0;
        for (int k = 0; k < size; k++) {
            const int magnitude = app_below(&random, 16) < dense ? 1 + (int)app_below(&random, 1u << wide) : 0;
            level[k] = (int16_t)(app_next(&random) & 1 ? -magnitude : magnitude);
            if (round % 100 == 0 && magnitude)
                level[k] = level[k] < 0 ? -LEVEL_MOST : LEVEL_MOST;
            mask |= (unsigned)(level[k] != 0) << k;
        }
        b.count = 0;
        assert_true(bits_room(&b, BITS_MB_MOST));
        cavlc_block(&b, level, 1, mask, size, context);
        const size_t length = 8 * b.count + b.used;
        bits_end(&b);
        struct reader r = {b.bytes, length, 0};
        read_block(&r, back, size, context);
        assert_int_equal(r.at, length);
        assert_memory_equal(level, back, (size_t)size * sizeof *level);
    }
    bits_free(&b);
}

/* No code word begins another, and together they leave little room: a typing error would show. */
static void check_words(const struct cavlc_code *codes, int count, double least) {
    double room = 0;
    for (int a = 0; a < count; a++) {
        assert_true(codes[a].length > 0);
        room += exp2(-codes[a].length);
        for (int b = 0; b < count; b++)
            assert_false(a != b && codes[a].length <= codes[b].length &&
                         codes[b].bits >> (codes[b].length - codes[a].length) == codes[a].bits);
    }
    assert_true(room <= 1 && room >= least);
}

static void code_words(void **state) {
    (void)state;
    static const int contexts[] = {0, 2, 4, 8, CAVLC_CHROMA_DC};
    struct cavlc_code codes[80];
    cavlc_prepare();
    for (int c = 0; c < 5; c++) {
        int count = 0;
        for (int levels = 0; levels <= (contexts[c] < 0 ? 4 : 16); levels++)
            for (int ones = 0; ones <= (levels < 3 ? levels : 3); ones++)
                codes[count++] = cavlc_coeff_token(contexts[c], levels, ones);
        check_words(codes, count, 0.96);
    }
    for (int size = 4; size <= 16; size += 12)
        for (int levels = 1; levels < size; levels++) {
            for (int zeros = 0; zeros <= size - levels; zeros++)
                codes[zeros] = cavlc_total_zeros(size, levels, zeros);
            check_words(codes, size - levels + 1, 0.99);
        }
    for (int left = 1; left <= 14; left++) {
        for (int run = 0; run <= left; run++)
            codes[run] = cavlc_run_before(left, run);
        check_words(codes, left + 1, left < 7 ? 1 : 0.9);
    }
}

/* ---- bytes */

static void start_codes(void **state) {
    (void)state;
    struct app_random random;
    struct bits payload = {0}, out = {0};
    app_seed(&random, 11);
    for (int round = 0; round < 2000; round++) {
        payload.count = out.count = 0;
        assert_true(bits_room(&payload, 400));
        const int count = 1 + (int)app_below(&random, 80);
        for (int k = 0; k < count; k++)
            bits_put(&payload, 8, app_below(&random, 2) ? 0 : app_below(&random, 5));
        bits_end(&payload);
        assert_true(bits_append_nal(&out, 0x65, &payload));
        size_t at = 5, back = 0;
        for (unsigned zeros = 0; at < out.count; at++) {
            if (zeros >= 2) {
                assert_true(out.bytes[at] >= 3);
                if (out.bytes[at] == 3) {
                    zeros = 0;
                    continue;
                }
            }
            zeros = out.bytes[at] ? 0 : zeros + 1;
            assert_true(back < payload.count && out.bytes[at] == payload.bytes[back]);
            back++;
        }
        assert_int_equal(back, payload.count);
    }
    bits_free(&payload);
    bits_free(&out);
}

/* ---- videos */

static bool open_text(struct video *v, const char *text, size_t size, int width, int height) {
    FILE *file = fmemopen((void *)text, size, "rb");
    assert_non_null(file);
    return video_open_file(v, file, "in", width, height);
}

static void y4m_heads(void **state) {
    (void)state;
    struct video v;
    static const char good[] = "YUV4MPEG2 W6 H4 F30000:1001 Ip A4:3 C420jpeg XYSCSS=420JPEG\nFRAME Ip\n"
                               "abcdefghijklmnopqrstuvwxyz0123456789FRAME\n";
    uint8_t planes[384];
    assert_true(open_text(&v, good, sizeof good - 1, 0, 0));
    assert_true(v.width == 6 && v.height == 4 && v.rate == 30000 && v.rate_scale == 1001 && v.aspect == 4);
    assert_int_equal(video_next(&v, 1, 1, planes), 1);
    assert_memory_equal(planes, "abcdefffffffffff", 16);
    assert_memory_equal(planes + 5 * 16, "stuvwxxxxxxxxxxx", 16);
    assert_memory_equal(planes + 256, "yz000000", 8);
    assert_memory_equal(planes + 320 + 7 * 8, "78999999", 8);
    assert_int_equal(video_next(&v, 1, 1, planes), -1);
    assert_string_equal(v.message, "frame 2 is cut short: 0 of 36 bytes");
    video_close(&v);
}

static void y4m_errors(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"YUV4MPEG2 W6 H4 C444\n", "chroma 444 is not 8-bit 4:2:0"},
                                           {"YUV4MPEG2 W6 H4 C420p10\n", "chroma 420p10 is not 8-bit 4:2:0"},
                                           {"YUV4MPEG2 W6 H4 Cmono\n", "chroma mono"},
                                           {"YUV4MPEG2 W6 H5\n", "6x5: 4:2:0 video has even sides"},
                                           {"YUV4MPEG2 W6\n", "does not give width and height"},
                                           {"YUV4MPEG2 W0 H2\n", "does not give width and height"},
                                           {"YUV4MPEG2 W99999999999999999999 H2\n", "sides are numbers up to"},
                                           {"YUV4MPEG2 W-2 H2\n", "sides are numbers up to"},
                                           {"YUV4MPEG2 W6x H2\n", "sides are numbers up to"},
                                           {"YUV4MPEG2 W6 H4 F30\n", "not a frame rate"},
                                           {"YUV4MPEG2 W6 H4", "ends in its header"},
                                           {"YUV4MPEG", "no Y4M file; raw 4:2:0 needs --size"},
                                           {"abcdefghijkl", "no Y4M file; raw 4:2:0 needs --size"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct video v;
        assert_false(open_text(&v, cases[k][0], strlen(cases[k][0]), 0, 0));
        assert_non_null(strstr(v.message, cases[k][1]));
        video_close(&v);
    }
}

static void raw_files(void **state) {
    (void)state;
    struct video v;
    uint8_t planes[384];
    assert_true(open_text(&v, "YUV4abcdefgh", 12, 2, 2));
    assert_int_equal(video_next(&v, 1, 1, planes), 1);
    assert_memory_equal(planes, "YUUUUUUUUUUUUUUUV444", 20);
    assert_int_equal(video_next(&v, 1, 1, planes), 1);
    assert_int_equal(video_next(&v, 1, 1, planes), 0);
    assert_true(video_rewind(&v));
    assert_int_equal(video_next(&v, 1, 1, planes), 1);
    assert_int_equal(planes[0], 'Y');
    video_close(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms),  cmocka_unit_test(scan),        cmocka_unit_test(differences),
        cmocka_unit_test(dc_pairs),    cmocka_unit_test(level_codes), cmocka_unit_test(code_words),
        cmocka_unit_test(start_codes), cmocka_unit_test(y4m_heads),   cmocka_unit_test(y4m_errors),
        cmocka_unit_test(raw_files),   cmocka_unit_test(host_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
