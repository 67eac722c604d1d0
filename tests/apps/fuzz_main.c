/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a
 * few records. Short enough for every test run. */
#include "fuzz.h"

int main(int argc, char **argv) {
    static const struct fuzz_seed seeds[] = {FUZZ_SEED(">a\nACGT\n>b x\nAC\nGT\n"),
                                             FUZZ_SEED("@a\nACGT\n+\nIIII\n@b\nAC\nG\n+b\nII\nI\n"),
                                             FUZZ_SEED("\r\n>a\r\nacgun\r\n"), FUZZ_SEED("@a\nA\n+\n@\n>")};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS(">@+\n\r \tACGTNacgt*-I!\0\377"), .changes_least = 1,
                                                 .changes_most = 6},
                                       .seeds = seeds,
                                       .count = 4,
                                       .rounds = 200000},
                    argc, argv);
}
