/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few videos.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 256, ROUNDS = 60000 };

int main(int argc, char **argv) {
    static const struct fuzz_style style = {FUZZ_MARKS("YUV4MPEG2 WHFIAC420:FRAME\n \0\377019"), .changes_least = 0,
                                            .changes_most = 4, .cut = true};
    static const char *const seeds[] = {"YUV4MPEG2 W4 H2 F25:1 Ip A1:1 C420\nFRAME\nabcdefghijklFRAME X\nmnopqrstuvwx",
                                        "YUV4MPEG2 H4 W2\nFRAME\nabcdefghijkl",
                                        "YUV4MPEG2 W16 H16 C420jpeg XA B\nFRAME\n",
                                        "some raw bytes, 36 make up a frame, more"};
    struct app_random random;
    app_seed(&random, 5);
    fuzz_files(argc - 1, argv + 1, 1 << 20);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t data[ROOM];
        size_t size = strlen(seeds[round % 4]);
        memcpy(data, seeds[round % 4], size);
        fuzz_mutate(&style, &random, data, &size);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%d inputs, no complaint\n", ROUNDS);
    return 0;
}
