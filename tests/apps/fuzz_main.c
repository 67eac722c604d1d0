/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a
 * few records. Short enough for every test run. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static const struct fuzz_style style = {FUZZ_MARKS(">@+\n\r \tACGTNacgt*-I!\0\377"), .changes_least = 1,
                                            .changes_most = 6};
    static const char *const seeds[] = {">a\nACGT\n>b x\nAC\nGT\n", "@a\nACGT\n+\nIIII\n@b\nAC\nG\n+b\nII\nI\n",
                                        "\r\n>a\r\nacgun\r\n", "@a\nA\n+\n@\n>"};
    struct app_random random;
    app_seed(&random, 5);
    fuzz_files(argc - 1, argv + 1, 1 << 20);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int round = 0; round < 200000; round++) {
        uint8_t data[64];
        const char *seed = seeds[round % 4];
        size_t size = strlen(seed);
        memcpy(data, seed, size);
        fuzz_mutate(&style, &random, data, &size);
        LLVMFuzzerTestOneInput(data, size);
    }
    puts("200000 inputs, no complaint");
    return 0;
}
