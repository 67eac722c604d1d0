/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few materials. */
#include "fuzz.h"

int main(int argc, char **argv) {
    static const struct fuzz_seed seeds[] = {
        FUZZ_SEED("newmtl a\nKa 1 1 1\nKd 0.5 0.25 1\nKs 0.5 0.5 0.5\nNs 98\nillum 2\nmap_Kd x.png\n"),
        FUZZ_SEED("newmtl glass\nKd 0 0 0\nNi 1.3\nd 0.25\nTf 1 0.5 0.5\nnewmtl lamp\nKe 20 10 1e5\nKd 0\n"),
        FUZZ_SEED("newmtl m\nKd 0\nKs 1 1 1\nNs 1e9\nillum 5\nnewmtl n\nTr 0.5\nNi 100\nKs 0.9\nNs 0\nKe 1\n")};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS(" \n\t-+.e0123456789#KdsNiTrf\0\377"), .changes_least = 1,
                                                 .changes_most = 3, .cut = true, .digits = true},
                                       .seeds = seeds,
                                       .count = 3,
                                       .rounds = 4000},
                    argc, argv);
}
