/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few videos.
 */
#include "fuzz.h"

int main(int argc, char **argv) {
    static const struct fuzz_seed seeds[] = {
        FUZZ_SEED("YUV4MPEG2 W4 H2 F25:1 Ip A1:1 C420\nFRAME\nabcdefghijklFRAME X\nmnopqrstuvwx"),
        FUZZ_SEED("YUV4MPEG2 H4 W2\nFRAME\nabcdefghijkl"), FUZZ_SEED("YUV4MPEG2 W16 H16 C420jpeg XA B\nFRAME\n"),
        FUZZ_SEED("some raw bytes, 36 make up a frame, more")};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS("YUV4MPEG2 WHFIAC420:FRAME\n \0\377019"),
                                                 .changes_least = 0, .changes_most = 4, .cut = true},
                                       .seeds = seeds,
                                       .count = 4,
                                       .rounds = 60000},
                    argc, argv);
}
