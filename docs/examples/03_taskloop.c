/* SPDX-License-Identifier: Apache-2.0 */
/* 03_taskloop: a small picture coder. The picture is cut into blocks of 16 x 16; each block is predicted from the
 * decoded pixels on its left or above it, and what is left over is stored in few steps.
 *
 * A block needs its left and its upper neighbour *as the decoder will see them*, so the blocks form a wavefront of
 * tasks. `taskloop sink(…)` names the blocks that come first; `lanes` spreads the pixels of one block over the lanes of
 * the worker. At the end a plain serial decoder must find the very pixels that the coder had. */
#include <stdio.h>
#include <stdlib.h>

enum { B = 16, ROWS = 30, COLUMNS = 40, HEIGHT = ROWS * B, WIDTH = COLUMNS * B, STEP = 12 };
enum { FROM_LEFT, FROM_ABOVE, MODES };
typedef unsigned char pixel;

/* Pixel (r, c) of block (y, x) as its neighbours let one expect it; a block at an edge expects grey. */
static inline int expected(pixel (*seen)[WIDTH], int mode, int y, int x, int r, int c) {
    if (mode == FROM_LEFT)
        return x > 0 ? seen[y * B + r][x * B - 1] : 128;
    return y > 0 ? seen[y * B - 1][x * B + c] : 128;
}

/* The nearest multiple of STEP, in steps. */
static inline int steps(int difference) {
    return difference < 0 ? -((STEP / 2 - difference) / STEP) : (STEP / 2 + difference) / STEP;
}

static inline pixel clip(int v) { return (pixel)(v < 0 ? 0 : v > 255 ? 255 : v); }

/* A task: chooses the mode that is less wrong, stores the steps and what the decoder makes of them. */
static void code_block(pixel (*picture)[WIDTH], pixel (*seen)[WIDTH], signed char (*left)[WIDTH],
                       pixel (*modes)[COLUMNS], int y, int x) {
    int wrong[MODES] = {0, 0};
    for (int mode = 0; mode < MODES; mode++) {
        int sum = 0;
#pragma heddle lanes reduction(+: sum)
        for (int r = 0; r < B; r++)
            for (int c = 0; c < B; c++)
                sum += abs(picture[y * B + r][x * B + c] - expected(seen, mode, y, x, r, c));
        wrong[mode] = sum;
    }
    const int mode = wrong[FROM_ABOVE] < wrong[FROM_LEFT] ? FROM_ABOVE : FROM_LEFT;
    modes[y][x] = (pixel)mode;
#pragma heddle lanes
    for (int r = 0; r < B; r++)
        for (int c = 0; c < B; c++) {
            const int guess = expected(seen, mode, y, x, r, c), n = steps(picture[y * B + r][x * B + c] - guess);
            left[y * B + r][x * B + c] = (signed char)n;
            seen[y * B + r][x * B + c] = clip(guess + n * STEP);
        }
}

static void code(pixel (*picture)[WIDTH], pixel (*seen)[WIDTH], signed char (*left)[WIDTH], pixel (*modes)[COLUMNS]) {
#pragma heddle pool map(to: picture[0 : HEIGHT]) map(tofrom: seen[0 : HEIGHT], left[0 : HEIGHT], modes[0 : ROWS])
#pragma heddle taskloop sink(y, x-1) sink(y-1, x)
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            code_block(picture, seen, left, modes, y, x);
}

/* What a receiver does: from the modes and the steps alone. */
static void decode(pixel (*decoded)[WIDTH], signed char (*left)[WIDTH], pixel (*modes)[COLUMNS]) {
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            for (int r = 0; r < B; r++)
                for (int c = 0; c < B; c++)
                    decoded[y * B + r][x * B + c] =
                        clip(expected(decoded, modes[y][x], y, x, r, c) + left[y * B + r][x * B + c] * STEP);
}

/* Soft hills, with an edge here and there. */
static void paint(pixel (*picture)[WIDTH]) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            picture[y][x] = clip((x * x / 700 + y * 3 / 4) % 200 + (x / 90 + y / 70) % 2 * 50 + (x * 7 + y * 13) % 5);
}

int main(void) {
    static pixel picture[HEIGHT][WIDTH], seen[HEIGHT][WIDTH], decoded[HEIGHT][WIDTH], modes[ROWS][COLUMNS];
    static signed char left[HEIGHT][WIDTH];
    long zeros = 0, above = 0, worst = 0, different = 0;
    paint(picture);
    code(picture, seen, left, modes);
    decode(decoded, left, modes);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const long error = labs((long)picture[y][x] - decoded[y][x]);
            zeros += left[y][x] == 0;
            worst = error > worst ? error : worst;
            different += decoded[y][x] != seen[y][x];
        }
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            above += modes[y][x] == FROM_ABOVE;
    const int ok = different == 0 && worst <= STEP / 2;
    printf("%d blocks, %ld predicted from above; %.1f %% of the steps are 0\n", ROWS * COLUMNS, above,
           100.0 * (double)zeros / (HEIGHT * WIDTH));
    printf("the decoder differs in %ld pixels, the worst error is %ld: %s\n", different, worst, ok ? "ok" : "WRONG");
    return !ok;
}
