/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a
 * few pictures. */
#include "fuzz.h"
#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 4096, ROUNDS = 100000 };
struct seed {
    uint8_t bytes[ROOM];
    size_t size;
};

static void load(struct seed *seed, const char *path) {
    FILE *file = fopen(path, "rb");
    seed->size = file ? fread(seed->bytes, 1, ROOM, file) : 0;
    if (file)
        fclose(file);
}

static void set(struct seed *seed, const char *bytes, size_t size) {
    memcpy(seed->bytes, bytes, size);
    seed->size = size;
}

static void make_png(struct seed *seed) {
    char path[] = "/tmp/heddle-fuzz-XXXXXX.png", message[200];
    struct image image;
    int file = mkstemps(path, 4);
    image_alloc(&image, 9, 7, 1000);
    for (int k = 0; k < 63; k++)
        image.pixels[k] = (uint16_t)(k * 11);
    if (file < 0 || !image_write(&image, path, message, sizeof message))
        exit(1);
    close(file);
    load(seed, path);
    unlink(path);
    image_free(&image);
}

int main(int argc, char **argv) {
    static const struct fuzz_style style = {FUZZ_MARKS("P25# \n0123456789\0\377"), .changes_least = 1,
                                            .changes_most = 5, .cut = true};
    static struct seed seeds[4], work;
    static const char plain[] = "P2 #c\n3 2\n99\n0 1 2\n3 44 99\n", raw[] = "P5 3 2 5\n\0\1\2\3\4\5";
    static const char wide[] = "P5 2 2 999\n\0\1\2\3\1\0\3\xe7";
    struct app_random random;
    app_seed(&random, 5);
    fuzz_files(argc - 1, argv + 1, ROOM);
    set(&seeds[0], plain, sizeof plain - 1);
    set(&seeds[1], raw, sizeof raw - 1);
    set(&seeds[2], wide, sizeof wide - 1);
    make_png(&seeds[3]);
    LLVMFuzzerTestOneInput(work.bytes, 0);
    for (int round = 0; round < ROUNDS; round++) {
        work = seeds[round % 4];
        fuzz_mutate(&style, &random, work.bytes, &work.size);
        LLVMFuzzerTestOneInput(work.bytes, work.size);
    }
    printf("%d inputs, no complaint\n", ROUNDS);
    return 0;
}
