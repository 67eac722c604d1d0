/* SPDX-License-Identifier: Apache-2.0 */
#include "video.h"

#include "synthetic.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 1024 };
static const double RATE_LEAST = 1e-3, RATE_MOST = 1e5; /* frames a second */

static bool fail(struct video *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct video *v, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->message, sizeof v->message, format, arguments);
    va_end(arguments);
    return false;
}

/* A line without its end; -1: the file ends first, -2: too long. */
static int read_line(FILE *file, char *line) {
    for (int length = 0; length < LINE_MOST; length++) {
        const int c = getc(file);
        if (c == EOF)
            return -1;
        if (c == '\n') {
            line[length] = 0;
            return length;
        }
        line[length] = (char)c;
    }
    return -2;
}

/* A whole decimal number up to `most` that ends at `end`. */
static bool number(const char **at, uint32_t most, char end, uint32_t *value) {
    uint64_t n = 0;
    const char *p = *at;
    for (; *p >= '0' && *p <= '9' && n <= most; p++)
        n = 10 * n + (uint64_t)(*p - '0');
    if (p == *at || *p != end || n > most)
        return false;
    *at = p + (end != 0);
    *value = (uint32_t)n;
    return true;
}

/* "30000:1001"; 0:0 is unknown. */
static bool fraction(const char *text, uint32_t *over, uint32_t *under) {
    uint32_t a, b;
    if (!number(&text, INT32_MAX, ':', &a) || !number(&text, INT32_MAX, 0, &b) || !a != !b)
        return false;
    *over = a;
    *under = b;
    return true;
}

/* What no camera and no film has would make a stream that players wait in for years. */
static bool parse_rate(struct video *v, const char *name, const char *tag) {
    if (!fraction(tag + 1, &v->rate, &v->rate_scale))
        return fail(v, "%s: %.40s: not a frame rate", name, tag);
    const double rate = v->rate ? (double)v->rate / v->rate_scale : 25;
    return (rate >= RATE_LEAST && rate <= RATE_MOST) ||
           fail(v, "%s: %.40s: %g frames a second are not from %g to %g", name, tag, rate, RATE_LEAST, RATE_MOST);
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The stream has 16 bits for each side. */
static bool parse_aspect(struct video *v, const char *name, const char *tag) {
    if (!fraction(tag + 1, &v->aspect, &v->aspect_scale))
        return fail(v, "%s: %.40s: not an aspect", name, tag);
    const uint32_t divisor =
        v->aspect > UINT16_MAX || v->aspect_scale > UINT16_MAX ? common_divisor(v->aspect, v->aspect_scale) : 1;
    v->aspect /= divisor;
    v->aspect_scale /= divisor;
    return (v->aspect <= UINT16_MAX && v->aspect_scale <= UINT16_MAX) ||
           fail(v, "%s: %.40s: an aspect's sides are at most %d", name, tag, UINT16_MAX);
}

static bool chroma_is_420(const char *name) {
    static const char *const same[] = {"420", "420jpeg", "420mpeg2", "420paldv"};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        if (!strcmp(name, same[k]))
            return true;
    return false;
}

static bool parse_tag(struct video *v, const char *name, const char *tag) {
    uint32_t value;
    const char *text = tag + 1;
    switch (*tag) {
    case 'W':
    case 'H':
        if (!number(&text, VIDEO_SIDE_MOST, 0, &value))
            return fail(v, "%s: %.40s: sides are numbers up to %d", name, tag, VIDEO_SIDE_MOST);
        *(*tag == 'W' ? &v->width : &v->height) = (int)value;
        return true;
    case 'F':
        return parse_rate(v, name, tag);
    case 'A':
        return parse_aspect(v, name, tag);
    case 'C':
        return chroma_is_420(text) ||
               fail(v, "%s: chroma %.40s is not 8-bit 4:2:0; convert it: ffmpeg -i %s -pix_fmt yuv420p out.y4m", name,
                    text, name);
    case 'I':
        v->interlaced = *text == 't' || *text == 'b' || *text == 'm';
        return true;
    default: /* comments, whatever comes */
        return true;
    }
}

static bool parse_head(struct video *v, const char *name) {
    char line[LINE_MOST], *rest = line;
    const int length = read_line(v->file, line);
    if (length < 0)
        return fail(v, "%s: Y4M: %s", name, length == -1 ? "the file ends in its header" : "the header is too long");
    if ((size_t)length != strlen(line))
        return fail(v, "%s: Y4M: a zero byte in the header", name);
    for (char *tag; (tag = strsep(&rest, " "));)
        if (*tag && !parse_tag(v, name, tag))
            return false;
    if (!v->width || !v->height)
        return fail(v, "%s: Y4M: the header does not give width and height", name);
    return true;
}

static bool check_size(struct video *v, const char *name) {
    if (v->width > VIDEO_SIDE_MOST || v->height > VIDEO_SIDE_MOST)
        return fail(v, "%s: %dx%d: sides above %d are not supported", name, v->width, v->height, VIDEO_SIDE_MOST);
    if (v->width & 1 || v->height & 1)
        return fail(v,
                    "%s: %dx%d: 4:2:0 video has even sides; crop or pad it: ffmpeg -i %s -vf "
                    "crop=trunc(iw/2)*2:trunc(ih/2)*2 out.y4m",
                    name, v->width, v->height, name);
    return true;
}

bool video_open_file(struct video *v, FILE *file, const char *name, int width, int height) {
    static const char magic[] = "YUV4MPEG2 ";
    char start[sizeof magic] = "";
    *v = (struct video){.file = file};
    /* the sign of a Y4M file, or pushed back: a raw file can be a pipe, too */
    size_t length = 0;
    int c;
    while (length < sizeof magic - 1 && (c = getc(file)) != EOF) {
        start[length++] = (char)c;
        if (c != magic[length - 1])
            break;
    }
    v->y4m = length == sizeof magic - 1 && !memcmp(start, magic, length);
    if (!length)
        return fail(v, "%s: %s", name, ferror(file) ? strerror(errno) : "empty file");
    if (v->y4m) {
        if (width)
            return fail(v, "%s: a Y4M file has its size in it; --size is for raw files", name);
        if (!parse_head(v, name) || !check_size(v, name))
            return false;
        v->first = ftell(file);
        return true;
    }
    if (!width)
        return fail(v, "%s: no Y4M file; raw 4:2:0 needs --size=WIDTHxHEIGHT", name);
    v->width = width;
    v->height = height;
    memcpy(v->pushed, start, length);
    v->pushed_count = (int)length;
    return check_size(v, name);
}

bool video_open(struct video *v, const char *path, int width, int height) {
    const bool piped = !strcmp(path, "-");
    FILE *file = piped ? stdin : fopen(path, "rb");
    *v = (struct video){0};
    if (!file)
        return fail(v, "%s: %s", path, strerror(errno));
    setvbuf(file, NULL, _IOFBF, 1 << 20);
    return video_open_file(v, file, piped ? "standard input" : path, width, height);
}

void video_open_synthetic(struct video *v, int width, int height, uint64_t seed) {
    *v = (struct video){.width = width, .height = height, .rate = 25, .rate_scale = 1, .seed = seed};
    v->texture = synthetic_texture(seed);
}

void video_close(struct video *v) {
    if (v->file && v->file != stdin)
        fclose(v->file);
    free(v->texture);
    v->file = NULL;
    v->texture = NULL;
}

static size_t read_bytes(struct video *v, uint8_t *to, size_t count) {
    size_t have = 0;
    for (; v->pushed_count && have < count; have++) {
        to[have] = (uint8_t)v->pushed[0];
        memmove(v->pushed, v->pushed + 1, (size_t)--v->pushed_count);
    }
    return have + fread(to + have, 1, count - have, v->file);
}

/* Bytes read, fewer than the plane's where the file ends. */
static size_t read_plane(struct video *v, uint8_t *plane, int width, int height, int stride) {
    if (width == stride)
        return read_bytes(v, plane, (size_t)width * (size_t)height);
    size_t have = 0;
    for (int r = 0; r < height; r++) {
        const size_t got = read_bytes(v, plane + (size_t)r * (size_t)stride, (size_t)width);
        have += got;
        if (got < (size_t)width)
            break;
    }
    return have;
}

static void repeat_edges(uint8_t *plane, int width, int height, int stride, int rows) {
    for (int r = 0; r < height && width < stride; r++) {
        uint8_t *row = plane + (size_t)r * (size_t)stride;
        memset(row + width, row[width - 1], (size_t)(stride - width));
    }
    for (int r = height; r < rows; r++)
        memcpy(plane + (size_t)r * (size_t)stride, plane + (size_t)(height - 1) * (size_t)stride, (size_t)stride);
}

void video_repeat_edges(const struct video *v, int mb_width, int mb_height, uint8_t *planes) {
    for (int plane = 0; plane < 3; plane++) {
        const int shift = plane > 0, stride = mb_width * 16 >> shift, rows = mb_height * 16 >> shift;
        repeat_edges(planes, v->width >> shift, v->height >> shift, stride, rows);
        planes += (size_t)stride * (size_t)rows;
    }
}

/* 1, 0 at the end of the file, -1. */
static int start_frame(struct video *v) {
    char line[LINE_MOST];
    if (!v->y4m)
        return 1;
    const int c = getc(v->file);
    if (c == EOF)
        return 0;
    ungetc(c, v->file);
    const int length = read_line(v->file, line);
    if (length == -1)
        return fail(v, "frame %ld: the file ends in its header", v->frames + 1) - 1;
    if (length < 5 || memcmp(line, "FRAME", 5) || (line[5] && line[5] != ' '))
        return fail(v, "frame %ld: no FRAME line where one should be", v->frames + 1) - 1;
    return 1;
}

static int read_frame(struct video *v, int mb_width, int mb_height, uint8_t *to) {
    size_t have = 0;
    const size_t want = (size_t)v->width * (size_t)v->height * 3 / 2;
    int status = start_frame(v);
    for (int plane = 0; plane < 3 && status > 0; plane++) {
        const int shift = plane > 0, width = v->width >> shift, height = v->height >> shift;
        const size_t got = read_plane(v, to, width, height, mb_width * 16 >> shift);
        have += got;
        if (got < (size_t)width * (size_t)height) {
            if (!have && !v->y4m && !ferror(v->file))
                return 0;
            if (ferror(v->file))
                return fail(v, "frame %ld: %s", v->frames + 1, strerror(errno)) - 1;
            return fail(v, "frame %ld is cut short: %zu of %zu bytes", v->frames + 1, have, want) - 1;
        }
        to += (size_t)(mb_width * 16 >> shift) * (size_t)(mb_height * 16 >> shift);
    }
    return status;
}

int video_next(struct video *v, int mb_width, int mb_height, uint8_t *planes) {
    if (v->ended)
        return v->message[0] ? -1 : 0;
    int status = 1;
    if (v->file)
        status = read_frame(v, mb_width, mb_height, planes);
    else
        synthetic_frame(v->texture, v->seed, v->frames, v->width, v->height, mb_width * 16, mb_height * 16, planes);
    if (status > 0)
        video_repeat_edges(v, mb_width, mb_height, planes);
    v->frames += status > 0;
    v->ended = status <= 0;
    return status;
}

bool video_rewind(struct video *v) {
    if (v->file && fseek(v->file, v->first, SEEK_SET))
        return false;
    v->pushed_count = 0;
    v->frames = 0;
    v->ended = false;
    v->message[0] = 0;
    return true;
}
