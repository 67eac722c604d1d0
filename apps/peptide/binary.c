/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of mzML: base64 around little-endian numbers, perhaps packed by zlib. */
#include "spectra.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static int value_of(unsigned char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* RFC 4648 with blanks allowed; the padding must be there and the last. -1: bad, *at is where. */
static long decode_base64(const char *text, size_t length, unsigned char *out, size_t *at) {
    unsigned bits = 0;
    int have = 0, padding = 0;
    long count = 0, letters = 0;
    for (*at = 0; *at < length; ++*at) {
        const unsigned char c = (unsigned char)text[*at];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
            continue;
        const int value = value_of(c);
        letters++;
        if (c == '=' && ++padding <= 2)
            continue;
        if (value < 0 || padding)
            return -1;
        bits = bits << 6 | (unsigned)value;
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[count++] = (unsigned char)(bits >> have);
        }
    }
    return letters % 4 == 0 ? count : -1;
}

/* Exactly `room` bytes come out, or it is an error. */
static bool unpack(const unsigned char *packed, size_t length, unsigned char *out, size_t room, struct note *note) {
    z_stream z = {.next_in = (unsigned char *)packed,
                  .avail_in = (unsigned)length,
                  .next_out = out,
                  .avail_out = (unsigned)room + 1};
    if (inflateInit(&z) != Z_OK)
        return note_fail(note, "zlib: out of memory");
    const int code = inflate(&z, Z_FINISH);
    const size_t got = z.total_out;
    const char *why = z.msg ? z.msg : code == Z_BUF_ERROR && z.avail_out ? "it ends early" : "bad data";
    char text[100];
    snprintf(text, sizeof text, "%s", why);
    inflateEnd(&z);
    if (got > room || (code == Z_STREAM_END && got != room))
        return note_fail(note, "the zlib data hold %s%zu bytes where %zu are announced", got > room ? "at least " : "",
                         got, room);
    return code == Z_STREAM_END || note_fail(note, "zlib: %s", text);
}

static void convert(const unsigned char *bytes, long count, int width, bool whole, double *out) {
    for (long k = 0; k < count; k++) {
        uint64_t bits = 0;
        float single;
        for (int b = 0; b < width; b++)
            bits |= (uint64_t)bytes[k * width + b] << (8 * b);
        const uint32_t low = (uint32_t)bits;
        memcpy(&single, &low, sizeof single);
        if (whole)
            out[k] = width == 4 ? (double)(int32_t)low : (double)(int64_t)bits;
        else if (width == 4)
            out[k] = (double)single;
        else
            memcpy(&out[k], &bits, sizeof bits);
    }
}

bool binary_decode(const char *text, size_t length, bool packed, bool whole, int width, long count, double *out,
                   struct note *note) {
    const size_t need = (size_t)count * (size_t)width;
    if (!length)
        return count == 0 || note_fail(note, "no binary data where %ld numbers are announced", count);
    unsigned char *bytes = app_resize(NULL, length / 4 * 3 + 3, 1), *plain = NULL;
    size_t at;
    const long got = decode_base64(text, length, bytes, &at);
    bool good = got >= 0;
    if (!good)
        note_fail(note, at < length ? "bad base64 at byte %zu of %zu" : "bad base64: it ends early, at byte %zu of %zu",
                  at, length);
    else if (packed && need / 1040 > (size_t)got) /* more than zlib can pack */
        good = note_fail(note, "%ld bytes cannot hold the %ld numbers that are announced", got, count);
    else if (packed)
        good = unpack(bytes, (size_t)got, plain = app_resize(NULL, need + 1, 1), need, note);
    else if ((size_t)got != need)
        good = note_fail(note, "%ld bytes where %ld numbers of %d bytes are announced", got, count, width);
    if (good)
        convert(packed ? plain : bytes, count, width, whole, out);
    free(bytes);
    free(plain);
    return good;
}
