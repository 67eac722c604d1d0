/* SPDX-License-Identifier: Apache-2.0 */
/* 05_independent: grey pictures to black and white. Each row carries its rounding error from pixel to pixel, so the
 * average brightness stays; rows do not depend on each other.
 *
 * Pictures come with padded rows: row y begins at y * pitch. That rows do not overlap is true because pitch is at
 * least the width, which the caller knows and this function does not say. `independent` says it, and
 * `heddle cc --verify` builds a program that checks it. `05_independent careless` passes a pitch that is too small. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 600, PITCH = 1024 };
typedef unsigned char pixel;

/* One row in place: white where the grey and what the pixels before it owe come to more than half. */
static void threshold_row(int width, pixel *row) {
    int owed = 0;
    for (int x = 0; x < width; x++) {
        const int grey = row[x] + owed, white = grey > 127 ? 255 : 0;
        owed = grey - white;
        row[x] = (pixel)white;
    }
}

static void threshold(int width, int height, int pitch, pixel *picture) {
#pragma heddle for independent schedule(gss) map(tofrom: picture[heddle_lo * pitch : heddle_count * pitch])
    for (int y = 0; y < height; y++)
        threshold_row(width, picture + y * pitch);
}

static void paint(pixel *picture) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < PITCH; x++)
            picture[y * PITCH + x] = (pixel)(x < WIDTH ? (x * 255 / WIDTH + y * y / 500) & 255 : 0);
}

/* The sum of a row is kept but for what is owed at its end, which is less than one white pixel. */
static int check(const pixel *before, const pixel *after) {
    for (int y = 0; y < HEIGHT; y++) {
        long sum = 0;
        for (int x = 0; x < WIDTH; x++) {
            const pixel p = after[y * PITCH + x];
            if (p != 0 && p != 255)
                return 0;
            sum += p - before[y * PITCH + x];
        }
        if (labs(sum) > 127)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    static pixel before[PITCH * HEIGHT], picture[PITCH * HEIGHT];
    const int careless = argc == 2 && strcmp(argv[1], "careless") == 0;
    long white = 0;
    paint(before);
    memcpy(picture, before, sizeof picture);
    threshold(WIDTH, HEIGHT, careless ? WIDTH - 100 : PITCH, picture);
    for (size_t i = 0; i < sizeof picture; i++)
        white += picture[i] == 255;
    const int ok = check(before, picture);
    printf("%ld white pixels of %d: %s\n", white, WIDTH * HEIGHT, ok ? "ok" : "WRONG");
    return !ok;
}
