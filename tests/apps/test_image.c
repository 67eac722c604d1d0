/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures: PGM of all kinds, PNG of all kinds made here by libpng, what is refused and why; table
 * files. */
#include "check.h"

#include "app.h"
#include "image.h"
#include "table.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char message[300];

static bool parse(struct image *image, const char *bytes, size_t count) {
    message[0] = 0;
    return image_parse(image, (const unsigned char *)bytes, count, message, sizeof message);
}

static void expect_pixels(struct image *image, int width, int height, int most, const int *pixels) {
    assert_int_equal(image->width, width);
    assert_int_equal(image->height, height);
    assert_int_equal(image->most, most);
    for (int k = 0; k < width * height; k++)
        assert_int_equal(image->pixels[k], pixels[k]);
    image_free(image);
}

static void good_pgm(void **state) {
    (void)state;
    struct image image;
    const int six[] = {0, 1, 2, 3, 4, 5}, two[] = {258, 65535}, one[] = {7};
    static const char plain[] = "P2 # a comment\n#another\r\n3 2\n5\n0 1 2\n3 4 5";
    static const char raw[] = "P5\n3\t2 5\n\0\1\2\3\4\5", wide[] = "P5 2 1 65535\n\1\2\377\377";
    static const char last[] = "P2 1 1 255 7", comment[] = "P2 1 1 255 #9\n7 #8";
    assert_true(parse(&image, plain, sizeof plain - 1));
    expect_pixels(&image, 3, 2, 5, six);
    assert_true(parse(&image, raw, sizeof raw - 1));
    expect_pixels(&image, 3, 2, 5, six);
    assert_true(parse(&image, wide, sizeof wide - 1));
    expect_pixels(&image, 2, 1, 65535, two);
    assert_true(parse(&image, last, sizeof last - 1));
    expect_pixels(&image, 1, 1, 255, one);
    assert_true(parse(&image, comment, sizeof comment - 1));
    expect_pixels(&image, 1, 1, 255, one);
}

static void bad_pgm(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
        const char *what;
    } cases[] = {
#define CASE(bytes, what) {bytes, sizeof bytes - 1, what}
        CASE("", "empty file"),
        CASE("GIF89a", "neither PGM"),
        CASE("P6 1 1 255\n\1\2\3", "P6 is not read"),
        CASE("P5", "bad PGM header"),
        CASE("P5 3 2", "bad PGM header"),
        CASE("P5 0 2 255\n", "bad PGM header"),
        CASE("P5 -1 2 255\n", "bad PGM header"),
        CASE("P5 2 2 65536\n", "bad PGM header"),
        CASE("P5 2 2 0\n", "bad PGM header"),
        CASE("P5 nan nan 255\n", "bad PGM header"),
        CASE("P5 99999999999999999999 1 255\n", "bad PGM header"),
        CASE("P5 1000000 1000000 255\n", "are more than the 1024 million"),
        CASE("P5 30000 30000 255\nabc", "truncated: 3 bytes of pixels, 30000 x 30000 need 900000000"),
        CASE("P5 3 2 255\nabcde", "truncated: 5 bytes of pixels, 3 x 2 need 6"),
        CASE("P5 2 1 256\nabc", "truncated: 3 bytes of pixels, 2 x 1 need 4"),
        CASE("P5 2 1 255", "no blank between"),
        CASE("P5 2 1 9\n\1\12", "pixel 1 is 10, above the header's 9"),
        CASE("P2 2 2 255\n1 2 3", "truncated: 2 x 2 pixels do not fit in 6 characters"),
        CASE("P2 2 2 255\n111 2 33", "truncated: the file ends before pixel 3"),
        CASE("P2 2 1 255\n1 256", "pixel 1 is not a number from 0 to 255"),
        CASE("P2 2 1 255\n1 nan", "pixel 1 is not a number from 0 to 255"),
        CASE("\211PNG\r\n\032\n", "PNG: truncated"),
        CASE("\211PNG\r\n\032\nabcdefghijklmnopqrstuvwxyz", "PNG: "),
#undef CASE
    };
    struct image image;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_false(parse(&image, cases[k].bytes, cases[k].count));
        assert_null(image.pixels);
        if (!strstr(message, cases[k].what))
            fail_msg("'%s' instead of '%s'", message, cases[k].what);
    }
}

/* --- PNG ------------------------------------------------------------------------------------ */

struct made {
    char *bytes;
    size_t count;
};

static void put(png_structp png, png_bytep from, size_t count) {
    struct made *made = png_get_io_ptr(png);
    made->bytes = app_resize(made->bytes, made->count + count, 1);
    memcpy(made->bytes + made->count, from, count);
    made->count += count;
}

static void no_flush(png_structp png) { (void)png; }

/* rows: `height` rows of `stride` bytes as the format wants them. */
static struct made make(int width, int height, int depth, int colour, int interlace, const png_color *palette,
                        int colours, const png_byte *alpha, png_bytep rows, size_t stride) {
    struct made made = {NULL, 0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_bytep row[16];
    assert_true(height <= 16);
    assert_int_equal(setjmp(png_jmpbuf(png)), 0);
    png_set_write_fn(png, &made, put, no_flush);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, depth, colour, interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (colours)
        png_set_PLTE(png, info, palette, colours);
    if (alpha)
        png_set_tRNS(png, info, alpha, colours, NULL);
    png_write_info(png, info);
    for (int y = 0; y < height; y++)
        row[y] = rows + (size_t)y * stride;
    png_write_image(png, row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return made;
}

static void expect_png(struct made made, int width, int height, int most, const int *pixels) {
    struct image image;
    if (!parse(&image, made.bytes, made.count))
        fail_msg("%s", message);
    expect_pixels(&image, width, height, most, pixels);
    /* any shorter file is an error, or at least no crash: libpng forgives a missing end chunk */
    for (size_t count = 8; count + 12 < made.count; count++)
        assert_false(parse(&image, made.bytes, count));
    free(made.bytes);
}

static void all_kinds_of_png(void **state) {
    (void)state;
    png_byte grey[] = {0, 100, 255, 7}, wide[] = {1, 2, 255, 255, 0, 0, 128, 1}, bits[] = {0x40, 0x80};
    png_byte index[] = {0, 1, 2, 1}, colour[] = {255, 255, 255, 0, 0, 0, 50, 50, 50, 255, 0, 0};
    png_byte with_alpha[] = {100, 255, 100, 0, 0, 51, 255, 7};
    png_byte rgba[] = {9, 9, 9, 255, 9, 9, 9, 0};
    png_byte wide_alpha[] = {1, 0, 255, 255, 1, 0, 0, 0};
    const png_color palette[] = {{0, 0, 0}, {200, 200, 200}, {255, 255, 255}};
    const png_byte clear[] = {255, 0, 255};
    expect_png(make(2, 2, 8, PNG_COLOR_TYPE_GRAY, 0, NULL, 0, NULL, grey, 2), 2, 2, 255, (int[]){0, 100, 255, 7});
    expect_png(make(2, 2, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, NULL, 0, NULL, grey, 2), 2, 2, 255,
               (int[]){0, 100, 255, 7});
    expect_png(make(2, 2, 16, PNG_COLOR_TYPE_GRAY, 0, NULL, 0, NULL, wide, 4), 2, 2, 65535,
               (int[]){258, 65535, 0, 32769});
    expect_png(make(2, 2, 1, PNG_COLOR_TYPE_GRAY, 0, NULL, 0, NULL, bits, 1), 2, 2, 255, (int[]){0, 255, 255, 0});
    expect_png(make(2, 2, 8, PNG_COLOR_TYPE_PALETTE, 0, palette, 3, NULL, index, 2), 2, 2, 255,
               (int[]){0, 200, 255, 200});
    expect_png(make(2, 2, 8, PNG_COLOR_TYPE_PALETTE, 0, palette, 3, clear, index, 2), 2, 2, 255,
               (int[]){0, 255, 255, 255});
    expect_png(make(3, 1, 8, PNG_COLOR_TYPE_RGB, 0, NULL, 0, NULL, colour, 12), 3, 1, 255, (int[]){255, 0, 50});
    expect_png(make(4, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, 0, NULL, 0, NULL, with_alpha, 8), 4, 1, 255,
               (int[]){100, 255, 204, 255});
    expect_png(make(2, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, 0, NULL, 0, NULL, rgba, 8), 2, 1, 255, (int[]){9, 255});
    expect_png(make(2, 1, 16, PNG_COLOR_TYPE_GRAY_ALPHA, 0, NULL, 0, NULL, wide_alpha, 8), 2, 1, 65535,
               (int[]){256, 65535});
}

/* A PNG of one pixel whose header says otherwise. */
static struct made claim(uint32_t width, uint32_t height) {
    png_byte grey[] = {1};
    struct made made = make(1, 1, 8, PNG_COLOR_TYPE_GRAY, 0, NULL, 0, NULL, grey, 1);
    uint32_t crc = 0xffffffff;
    for (int k = 0; k < 4; k++) {
        made.bytes[16 + k] = (char)(width >> (24 - 8 * k));
        made.bytes[20 + k] = (char)(height >> (24 - 8 * k));
    }
    for (int k = 12; k < 29; k++) {
        crc ^= (unsigned char)made.bytes[k];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    crc = ~crc;
    for (int k = 0; k < 4; k++)
        made.bytes[29 + k] = (char)(crc >> (24 - 8 * k));
    return made;
}

/* A header that claims much more than the file can hold takes no memory; the bounds are exact. */
static void bomb(void **state) {
    (void)state;
    static const struct {
        uint32_t width, height;
        const char *what;
    } cases[] = {{30000, 30000, "more than 64 million are read only where 64 take a byte; convert it to PGM"},
                 {8193, 8192, "8193 x 8192 pixels in 67 bytes: more than 64 million"},
                 {8192, 8192, "Not enough"}, /* allowed: the data end early */
                 {32769, 32768, "32769 x 32768 pixels are more than the 1024 million that are read"},
                 {1000000, 1000000, "are more than the 1024 million"},
                 {32768, 32768, "more than 64 million"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct image image;
        struct made made = claim(cases[k].width, cases[k].height);
        assert_false(parse(&image, made.bytes, made.count));
        if (!strstr(message, cases[k].what))
            fail_msg("%u x %u: %s", cases[k].width, cases[k].height, message);
        free(made.bytes);
    }
}

static void written_and_read(void **state) {
    (void)state;
    static const int mosts[] = {255, 65535, 9, 1000};
    static const char *const names[] = {"heddle-test.png", "heddle-test.PGM"};
    struct app_random numbers;
    app_seed(&numbers, 3);
    for (int round = 0; round < 8; round++) {
        struct image image, back;
        const char *name = names[round / 4];
        const int most = mosts[round % 4];
        image_alloc(&image, 17, 5, most);
        for (int k = 0; k < 17 * 5; k++)
            image.pixels[k] = (uint16_t)app_below(&numbers, (uint32_t)most + 1);
        assert_true(image_write(&image, name, message, sizeof message));
        assert_true(image_read(&back, name, message, sizeof message));
        const int full = round >= 4 ? most : most > 255 ? 65535 : 255; /* PNG's white is fixed */
        assert_int_equal(back.most, full);
        for (int k = 0; k < 17 * 5; k++)
            assert_int_equal(back.pixels[k], (image.pixels[k] * (long)full + most / 2) / most);
        image_free(&image);
        image_free(&back);
        unlink(name);
    }
}

static void files_that_are_not_there(void **state) {
    (void)state;
    struct image image;
    uint16_t pixel = 1;
    struct image one = {1, 1, 255, &pixel};
    assert_false(image_read(&image, "no/such.png", message, sizeof message));
    assert_string_equal(message, "no/such.png: No such file or directory");
    assert_false(image_read(&image, "/", message, sizeof message));
    assert_false(image_write(&one, "no/such.png", message, sizeof message));
    assert_string_equal(message, "no/such.png: No such file or directory");
    assert_false(image_write(&one, "a.jpg", message, sizeof message));
    assert_string_equal(message, "a.jpg: the name must end in .png or .pgm");
    if (!access("/dev/full", W_OK)) {
        symlink("/dev/full", "heddle-full.pgm");
        assert_false(image_write(&one, "heddle-full.pgm", message, sizeof message));
        assert_false(table_write("heddle-full.pgm", TABLE_INT32, 1, 1, 1, &(int){1}, message, sizeof message));
        unlink("heddle-full.pgm");
    }
}

static void table_files(void **state) {
    (void)state;
    const int32_t values[] = {1, -2, 3, 4, 5, 0x01020304};
    static const char expected[] = "heddle-table 1 int32 1 2 3\n\1\0\0\0\376\377\377\377\3\0\0\0"
                                   "\4\0\0\0\5\0\0\0\4\3\2\1";
    char bytes[100];
    assert_true(table_write("heddle-test.bin", TABLE_INT32, 1, 2, 3, values, message, sizeof message));
    FILE *file = fopen("heddle-test.bin", "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof expected - 1);
    assert_memory_equal(bytes, expected, sizeof expected - 1);
    fclose(file);
    unlink("heddle-test.bin");
    assert_false(table_write("no/such", TABLE_INT32, 1, 1, 1, values, message, sizeof message));
}

int main(void) {
    char folder[] = "/tmp/heddle-image-XXXXXX";
    const struct CMUnitTest tests[] = {cmocka_unit_test(good_pgm),         cmocka_unit_test(bad_pgm),
                                       cmocka_unit_test(all_kinds_of_png), cmocka_unit_test(bomb),
                                       cmocka_unit_test(written_and_read), cmocka_unit_test(files_that_are_not_there),
                                       cmocka_unit_test(table_files)};
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
