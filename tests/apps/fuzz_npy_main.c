/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of three headers. */
#include "fuzz.h"

int main(int argc, char **argv) {
    static const struct fuzz_seed seeds[] = {
        FUZZ_SEED("\x93NUMPY\1\0\104\0{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }        \n"),
        FUZZ_SEED("\x93NUMPY\1\0\70\0{'descr': '<f8', 'fortran_order': True, 'shape': (3,), }"),
        FUZZ_SEED("\x93NUMPY\2\0\102\0\0\0{\"shape\": (1999999999, 0), 'descr': '<f8', 'fortran_order': False}")};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS("{}()',:<>f48TF019 \n\\\"\0\377"), .changes_least = 0,
                                                 .changes_most = 4, .cut = true},
                                       .seeds = seeds,
                                       .count = 3,
                                       .rounds = 300000},
                    argc, argv);
}
