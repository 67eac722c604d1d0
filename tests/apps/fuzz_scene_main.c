/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few scenes and meshes.
 */
#include "fuzz.h"

int main(int argc, char **argv) {
    static const struct fuzz_seed seeds[] = {
        FUZZ_SEED("0v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nvt 0 0\nvn 0 0 1\nf 1 2 3 4\nf -4//-1 "
                  "-3//1 -2//-1\nf 1/1/1 2/1/1 3/1/1\n"),
        FUZZ_SEED("1camera from 0 1 4 at 0 0 0 fov 50\nlight 1 5 2 radius 0.5\nmaterial m colour "
                  "0.9 0.5 0.1 transmit 0.4\nsphere 0 0 0 1\nplane 0 1 0 -1\n"),
        FUZZ_SEED("1shape knot 90 scale 2 rotate 10 20 30 move 0 1 0 smooth\nbackground 1 1 1 to "
                  "0 0 1\nsun 1 1 1 colour 1 0.5 0.5\n"),
        FUZZ_SEED("1material glass colour 1 1 1 checks 0.5 0 0 0 shade 0.5 shine 9\nsphere 0 0 0 "
                  "1e-3 material glass\nsphere 1e8 0 0 9e8\nambient 1 1 1\n")};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS(" \n\t/-+.e0123456789#\"vfnx\0\377"), .changes_least = 1,
                                                 .changes_most = 3, .keep_first = 1, .cut = true, .digits = true},
                                       .seeds = seeds,
                                       .count = 4,
                                       .rounds = 10000},
                    argc, argv);
}
