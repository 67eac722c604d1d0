/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few frames. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 16, ROUNDS = 10000 };

#define HEAD(form, count)                                                                                              \
    "ply\nformat " form " 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"               \
    "element face " count "\nproperty list uchar int vertex_indices\nend_header\n"
static const char text[] = HEAD("ascii", "2") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n4 0 1 2 0\n";
static const char little[] = HEAD("binary_little_endian", "1") "\0\0\0\0\0\0\0\0\0\0\0\0"
                                                               "\0\0\200?\0\0\0\0\0\0\0\0"
                                                               "\0\0\0\0\0\0\200?\0\0\0\0"
                                                               "\3\0\0\0\0\1\0\0\0\2\0\0\0";
static const char big[] = HEAD("binary_big_endian", "1") "\0\0\0\0\0\0\0\0\0\0\0\0"
                                                         "?\200\0\0\0\0\0\0\0\0\0\0"
                                                         "\0\0\0\0?\200\0\0\0\0\0\0"
                                                         "\3\0\0\0\0\0\0\0\1\0\0\0\2";
static const char obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nf 1 2 3 4\nf -4 -3 -2\n";

int main(int argc, char **argv) {
    static const struct fuzz_style style = {FUZZ_MARKS(" \n\t/-+.e0123456789plyvf\0\377"), .changes_least = 1,
                                            .changes_most = 3, .cut = true, .digits = true};
    static const struct {
        const char *bytes;
        size_t size;
    } seeds[] = {{text, sizeof text - 1}, {little, sizeof little - 1}, {big, sizeof big - 1}, {obj, sizeof obj - 1}};
    static uint8_t work[ROOM];
    struct app_random random;
    app_seed(&random, 8);
    fuzz_files(argc - 1, argv + 1, ROOM);
    for (int round = 0; round < ROUNDS; round++) {
        size_t size = seeds[round % 4].size;
        memcpy(work, seeds[round % 4].bytes, size);
        if (round >= 4)
            fuzz_mutate(&style, &random, work, &size);
        LLVMFuzzerTestOneInput(work, size);
    }
    printf("%d inputs, no complaint\n", ROUNDS);
    return 0;
}
