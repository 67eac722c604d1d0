/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few meshes. */
#include "fuzz.h"

static const char two[] =
    "\0$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n9 1 1 1\n"
    "$EndNodes\n$Elements\n3\n1 2 2 7 1 1 2 3\n2 4 2 7 1 1 2 3 4\n3 4 0 2 3 4 9\n$EndElements\n";
static const char four[] =
    "\0$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n2 5 1 9\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n3 1 0 2\n4\n9\n0 0 1\n1 1 1\n$EndNodes\n"
    "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 9\n$EndElements\n";
static const char nodes[] = "\1# nodes\n4 3 0 0\n1 0 0 0\n2 1.5 0 0 # here\n3 0 1e0 0\n4 0 0 -1\n";
static const char tets[] = "\2\n3 4 0\n0 0 1 2 3\n1 1 2 3 7\n2 4 5 6 7\n";

int main(int argc, char **argv) {
    static const struct fuzz_seed seeds[] = {FUZZ_SEED(two), FUZZ_SEED(four), FUZZ_SEED(nodes), FUZZ_SEED(tets)};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS(" \n\t/-+.e0123456789$#NE\0\377"), .changes_least = 1,
                                                 .changes_most = 3, .keep_first = 1, .cut = true, .digits = true},
                                       .seeds = seeds,
                                       .count = 4,
                                       .rounds = 12000},
                    argc, argv);
}
