/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a regular file by several threads: one thread copies some 4 GB/s out of the system's file cache, 1300
 * pictures of 1080p a second. Frames are as far apart as their size says, with nothing but FRAME before them in a Y4M
 * file; the first that is not there as expected is left to the reader that goes through the file in order. */
#include "video.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS = 4 };
static const char head[] = "FRAME\n";

struct part {
    const struct video *video;
    uint8_t *frames;
    size_t pitch; /* from frame to frame in memory */
    off_t from, step;
    long first, count; /* frames first, first + THREADS, ... below count */
    long good;         /* all of its own below this are read */
};

static size_t picture_bytes(const struct video *v) { return (size_t)v->width * (size_t)v->height * 3 / 2; }

static bool read_all(int file, void *to, size_t bytes, off_t at) {
    char *p = to;
    while (bytes) {
        const ssize_t got = pread(file, p, bytes, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got, at += got, bytes -= (size_t)got;
    }
    return true;
}

/* The picture's planes where rows follow each other without a gap. */
static bool read_frame(const struct part *part, long k) {
    const struct video *v = part->video;
    const int file = fileno(v->file);
    uint8_t *to = part->frames + (size_t)k * part->pitch;
    off_t at = part->from + (off_t)k * part->step;
    char start[sizeof head - 1];
    if (v->y4m) {
        if (!read_all(file, start, sizeof start, at) || memcmp(start, head, sizeof start))
            return false;
        at += (off_t)sizeof start;
    }
    const size_t luma = (size_t)v->width * (size_t)v->height,
                 stored = (size_t)v->width * (size_t)((v->height + 15) / 16 * 16);
    return read_all(file, to, luma, at) && read_all(file, to + stored, luma / 4, at + (off_t)luma) &&
           read_all(file, to + stored + stored / 4, luma / 4, at + (off_t)(luma + luma / 4));
}

static void *read_part(void *context) {
    struct part *part = context;
    for (part->good = part->first; part->good < part->count && read_frame(part, part->good);)
        part->good += THREADS;
    return NULL;
}

/* How many frames are whole in the file from here on, or 0 where they cannot be read like this. */
static long frames_ahead(const struct video *v, off_t *from, off_t *step) {
    struct stat file;
    if (!v->file || v->ended || v->pushed_count || v->width % 16 || fstat(fileno(v->file), &file) ||
        !S_ISREG(file.st_mode))
        return 0;
    *from = ftello(v->file);
    *step = (off_t)picture_bytes(v) + (v->y4m ? (off_t)sizeof head - 1 : 0);
    return *from < 0 || *from > file.st_size ? 0 : (long)((file.st_size - *from) / *step);
}

int video_ahead(struct video *v, int count, size_t pitch, uint8_t *frames) {
    struct part part[THREADS];
    pthread_t thread[THREADS];
    bool started[THREADS];
    off_t from, step;
    const long there = frames_ahead(v, &from, &step);
    long good = there < count ? there : count;
    if (good < 2)
        return 0;
    for (int t = 0; t < THREADS; t++) {
        part[t] = (struct part){
            .video = v, .frames = frames, .pitch = pitch, .from = from, .step = step, .first = t, .count = good};
        started[t] = t + 1 < THREADS && !pthread_create(&thread[t], NULL, read_part, &part[t]);
    }
    for (int t = THREADS - 1; t >= 0; t--) {
        if (started[t])
            pthread_join(thread[t], NULL);
        else
            read_part(&part[t]);
    }
    for (int t = 0; t < THREADS; t++)
        good = part[t].good < good ? part[t].good : good;
    if (fseeko(v->file, from + (off_t)good * step, SEEK_SET))
        return 0;
    v->frames += good;
    for (long k = 0; k < good; k++)
        video_repeat_edges(v, v->width / 16, (v->height + 15) / 16, frames + (size_t)k * pitch);
    return (int)good;
}
