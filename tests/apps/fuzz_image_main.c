/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a
 * few pictures. */
#include "fuzz.h"
#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROOM = 4096 };

static struct fuzz_seed make_png(void) {
    static char bytes[ROOM];
    char path[] = "/tmp/heddle-fuzz-XXXXXX.png", message[200];
    struct image image;
    int file = mkstemps(path, 4);
    image_alloc(&image, 9, 7, 1000);
    for (int k = 0; k < 63; k++)
        image.pixels[k] = (uint16_t)(k * 11);
    if (file < 0 || !image_write(&image, path, message, sizeof message))
        exit(1);
    close(file);
    FILE *written = fopen(path, "rb");
    const size_t size = written ? fread(bytes, 1, ROOM, written) : 0;
    if (!size || fclose(written))
        exit(1);
    unlink(path);
    image_free(&image);
    return (struct fuzz_seed){bytes, size};
}

int main(int argc, char **argv) {
    const struct fuzz_seed seeds[] = {FUZZ_SEED("P2 #c\n3 2\n99\n0 1 2\n3 44 99\n"),
                                      FUZZ_SEED("P5 3 2 5\n\0\1\2\3\4\5"), FUZZ_SEED("P5 2 2 999\n\0\1\2\3\1\0\3\xe7"),
                                      make_png()};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS("P25# \n0123456789\0\377"), .changes_least = 1,
                                                 .changes_most = 5, .cut = true},
                                       .seeds = seeds,
                                       .count = 4,
                                       .rounds = 100000},
                    argc, argv);
}
