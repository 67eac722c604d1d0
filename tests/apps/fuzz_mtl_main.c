/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few materials. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 16, ROUNDS = 4000 };

int main(int argc, char **argv) {
    static const struct fuzz_style style = {FUZZ_MARKS(" \n\t-+.e0123456789#KdsNiTrf\0\377"), .changes_least = 1,
                                            .changes_most = 3, .cut = true, .digits = true};
    static const char *const seeds[] = {
        "newmtl a\nKa 1 1 1\nKd 0.5 0.25 1\nKs 0.5 0.5 0.5\nNs 98\nillum 2\nmap_Kd x.png\n",
        "newmtl glass\nKd 0 0 0\nNi 1.3\nd 0.25\nTf 1 0.5 0.5\nnewmtl lamp\nKe 20 10 1e5\nKd 0\n",
        "newmtl m\nKd 0\nKs 1 1 1\nNs 1e9\nillum 5\nnewmtl n\nTr 0.5\nNi 100\nKs 0.9\nNs 0\nKe 1\n"};
    static uint8_t work[ROOM];
    struct app_random random;
    app_seed(&random, 8);
    fuzz_files(argc - 1, argv + 1, ROOM);
    for (int round = 0; round < ROUNDS; round++) {
        const char *seed = seeds[round % 3];
        size_t size = strlen(seed);
        memcpy(work, seed, size);
        if (round >= 3)
            fuzz_mutate(&style, &random, work, &size);
        LLVMFuzzerTestOneInput(work, size);
    }
    printf("%d inputs, no complaint\n", ROUNDS);
    return 0;
}
