/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few frames. */
#include "fuzz.h"

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
    static const struct fuzz_seed seeds[] = {FUZZ_SEED(text), FUZZ_SEED(little), FUZZ_SEED(big), FUZZ_SEED(obj)};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS(" \n\t/-+.e0123456789plyvf\0\377"), .changes_least = 1,
                                                 .changes_most = 3, .cut = true, .digits = true},
                                       .seeds = seeds,
                                       .count = 4,
                                       .rounds = 10000},
                    argc, argv);
}
