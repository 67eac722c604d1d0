/* SPDX-License-Identifier: Apache-2.0 */
/* Where frames come from: a Y4M file, raw planar 4:2:0, or a seeded synthetic scene. */
#ifndef INTRA_VIDEO_H
#define INTRA_VIDEO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { VIDEO_SIDE_MOST = 16384 };

struct video {
    int width, height;
    uint32_t rate, rate_scale;     /* frames per second; 0: not known */
    uint32_t aspect, aspect_scale; /* of a pixel; 0: not known */
    long frames;                   /* read so far */

    FILE *file; /* NULL: synthetic */
    bool y4m, ended;
    bool interlaced; /* as the header says; coded as whole frames */
    long first;      /* where frames start, for video_rewind() */
    char pushed[16]; /* bytes of a raw file read while looking for a Y4M header */
    int pushed_count;
    uint64_t seed;
    uint8_t *texture;
    char message[256]; /* what went wrong */
};

/* A Y4M file says its size itself; anything else is raw and needs width and height (0: not given).
 * "-" is standard input. False: `message`. The file is the video's from then on. */
bool video_open(struct video *video, const char *path, int width, int height);
bool video_open_file(struct video *video, FILE *file, const char *name, int width, int height);
void video_open_synthetic(struct video *video, int width, int height, uint64_t seed);
void video_close(struct video *video);

/* The next frame into planes of whole macroblocks; what lies outside the picture repeats its edge.
 * 1: a frame; 0: the end; -1: `message`; the frames before stay valid. */
int video_next(struct video *video, int mb_width, int mb_height, uint8_t *planes);

/* Some of the next `count` frames at once, `pitch` bytes from each other: how many. None is no error: video_next() says
 * what there is. */
int video_ahead(struct video *video, int count, size_t pitch, uint8_t *frames);
/* What lies outside the picture, from its edge. */
void video_repeat_edges(const struct video *video, int mb_width, int mb_height, uint8_t *planes);

/* Back to the first frame. False: the input is a pipe. */
bool video_rewind(struct video *video);

#endif
