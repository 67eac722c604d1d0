/* SPDX-License-Identifier: Apache-2.0 */
/* A file is read whole, then parsed: so its size bounds what a header may claim before memory is
 * taken. */
#include "image.h"

#include "app.h"
#include "create.h"
#include "image_png.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct cursor {
    const unsigned char *at, *end;
};

void image_alloc(struct image *image, int width, int height, int most) {
    image->width = width;
    image->height = height;
    image->most = most;
    image->pixels = app_alloc((size_t)width * (size_t)height, sizeof *image->pixels);
}

void image_free(struct image *image) {
    free(image->pixels);
    image->pixels = NULL;
}

bool image_has_suffix(const char *path, const char *suffix) {
    size_t a = strlen(path), b = strlen(suffix);
    return a > b && !strcasecmp(path + a - b, suffix);
}

static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* A decimal number after blanks and comments; -1: none, or above `limit`. */
static long next_number(struct cursor *c, long limit) {
    long value = 0;
    while (c->at < c->end && (is_space(*c->at) || *c->at == '#'))
        if (*c->at++ == '#')
            while (c->at < c->end && *c->at != '\n' && *c->at != '\r')
                c->at++;
    const unsigned char *start = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if ((value = value * 10 + (*c->at - '0')) > limit)
            return -1;
    return c->at == start ? -1 : value;
}

static bool too_big(const struct image *image, char *message, size_t size) {
    if ((uint64_t)image->width * (uint64_t)image->height <= IMAGE_PIXELS_MOST)
        return false;
    snprintf(message, size, "%d x %d pixels are more than the %d million that are read", image->width, image->height,
             (int)(IMAGE_PIXELS_MOST >> 20));
    return true;
}

static bool read_binary(struct image *image, struct cursor *c, char *message, size_t size) {
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const size_t bytes = image->most > 255 ? 2 : 1;
    if (c->at == c->end || !is_space(*c->at)) {
        snprintf(message, size, "no blank between the PGM header and the pixels");
        return false;
    }
    c->at++;
    if ((size_t)(c->end - c->at) < pixels * bytes) {
        snprintf(message, size, "truncated: %zu bytes of pixels, %d x %d need %zu", (size_t)(c->end - c->at),
                 image->width, image->height, pixels * bytes);
        return false;
    }
    image_alloc(image, image->width, image->height, image->most);
    for (size_t k = 0; k < pixels; k++) {
        const unsigned char *p = c->at + k * bytes;
        int value = bytes == 2 ? p[0] << 8 | p[1] : p[0];
        if (value > image->most) {
            snprintf(message, size, "pixel %zu is %d, above the header's %d", k, value, image->most);
            image_free(image);
            return false;
        }
        image->pixels[k] = (uint16_t)value;
    }
    return true;
}

static bool read_plain(struct image *image, struct cursor *c, char *message, size_t size) {
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    if ((size_t)(c->end - c->at) < 2 * pixels) { /* a blank and a digit each */
        snprintf(message, size, "truncated: %d x %d pixels do not fit in %zu characters", image->width, image->height,
                 (size_t)(c->end - c->at));
        return false;
    }
    image_alloc(image, image->width, image->height, image->most);
    for (size_t k = 0; k < pixels; k++) {
        long value = next_number(c, image->most);
        if (value < 0) {
            snprintf(message, size,
                     c->at < c->end ? "pixel %zu is not a number from 0 to %d"
                                    : "truncated: the file ends before pixel %zu (white is %d)",
                     k, image->most);
            image_free(image);
            return false;
        }
        image->pixels[k] = (uint16_t)value;
    }
    return true;
}

static bool read_pgm(struct image *image, const unsigned char *bytes, size_t count, char *message, size_t size) {
    struct cursor c = {bytes + 2, bytes + count};
    long width = next_number(&c, IMAGE_SIDE_MOST), height = next_number(&c, IMAGE_SIDE_MOST);
    long most = next_number(&c, 65535);
    if (width < 1 || height < 1 || most < 1) {
        snprintf(message, size,
                 "bad PGM header: expected width and height from 1 to %d, then the value of white, "
                 "1 to 65535",
                 IMAGE_SIDE_MOST);
        return false;
    }
    image->width = (int)width;
    image->height = (int)height;
    image->most = (int)most;
    if (too_big(image, message, size))
        return false;
    return bytes[1] == '5' ? read_binary(image, &c, message, size) : read_plain(image, &c, message, size);
}

bool image_parse(struct image *image, const unsigned char *bytes, size_t count, char *message, size_t size) {
    image->pixels = NULL;
    if (count >= 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5'))
        return read_pgm(image, bytes, count, message, size);
    if (count >= 8 && !memcmp(bytes, "\211PNG\r\n\032\n", 8))
        return image_parse_png(image, bytes, count, message, size);
    if (count == 0)
        snprintf(message, size, "empty file");
    else if (count >= 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7')
        snprintf(message, size, "P%c is not read; convert to PGM (P2, P5) or PNG", bytes[1]);
    else
        snprintf(message, size, "neither PGM (P2, P5) nor PNG");
    return false;
}

static unsigned char *read_all(const char *path, size_t *count) {
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    unsigned char *bytes = NULL;
    size_t room = 0, got;
    if (!file)
        return NULL;
    *count = 0;
    do {
        if (*count == room)
            bytes = app_resize(bytes, room = room ? 2 * room : 1 << 16, 1);
        got = fread(bytes + *count, 1, room - *count, file);
        *count += got;
    } while (got);
    int error = ferror(file) ? errno ? errno : EIO : 0;
    if (file != stdin)
        fclose(file);
    if (error) {
        free(bytes);
        errno = error;
        return NULL;
    }
    return bytes;
}

bool image_read(struct image *image, const char *path, char *message, size_t size) {
    char why[256];
    size_t count = 0;
    unsigned char *bytes = read_all(path, &count);
    if (!bytes) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
        return false;
    }
    bool good = image_parse(image, bytes, count, why, sizeof why);
    if (!good)
        snprintf(message, size, "%s: %s", path, why);
    free(bytes);
    return good;
}

static void write_pgm(const struct image *image, FILE *file) {
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    fprintf(file, "P5\n%d %d\n%d\n", image->width, image->height, image->most);
    for (size_t k = 0; k < pixels; k++) {
        if (image->most > 255)
            putc(image->pixels[k] >> 8, file);
        putc(image->pixels[k] & 255, file);
    }
}

/* The file for a picture; the format is in the name. NULL: the message is set. */
static FILE *create(const char *path, const char *other, bool *png, char *message, size_t size) {
    *png = image_has_suffix(path, ".png");
    if (!*png && !image_has_suffix(path, other)) {
        snprintf(message, size, "%s: the name must end in .png or %s", path, other);
        return NULL;
    }
    FILE *file = app_create(path);
    if (!file)
        snprintf(message, size, "%s: %s", path, strerror(errno));
    return file;
}

static bool finish(FILE *file, bool bad, const char *path, char *message, size_t size) {
    bad = !app_finish(file, !bad);
    if (bad)
        snprintf(message, size, "%s: cannot write: %s", path, strerror(errno));
    return !bad;
}

bool image_write(const struct image *image, const char *path, char *message, size_t size) {
    bool png, bad = false;
    FILE *file = create(path, ".pgm", &png, message, size);
    if (!file)
        return false;
    if (png)
        bad = !image_write_png(image, file);
    else
        write_pgm(image, file);
    return finish(file, bad, path, message, size);
}

bool image_write_rgb(const uint8_t *rgb, int width, int height, const char *path, char *message, size_t size) {
    bool png, bad = false;
    FILE *file = create(path, ".ppm", &png, message, size);
    if (!file)
        return false;
    if (png) {
        bad = !image_write_png_rgb(rgb, width, height, file);
    } else {
        fprintf(file, "P6\n%d %d\n255\n", width, height);
        fwrite(rgb, 3, (size_t)width * (size_t)height, file);
    }
    return finish(file, bad, path, message, size);
}
