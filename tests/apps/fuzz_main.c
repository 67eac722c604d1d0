/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a
 * few records. Short enough for every test run. */
#include "app.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run_file(const char *path) {
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
    fclose(file);
}

static void mutate(struct app_random *random, uint8_t *data, size_t *size) {
    static const char marks[] = ">@+\n\r \tACGTNacgt*-I!\0\377";
    for (unsigned k = 1 + app_below(random, 6); k; k--) {
        size_t at = app_below(random, (uint32_t)*size);
        unsigned what = app_below(random, 3);
        if (what == 0 && *size > 1)
            memmove(data + at, data + at + 1, --*size - at);
        else if (what == 1)
            data[at] = (uint8_t)app_next(random);
        else
            data[at] = (uint8_t)marks[app_below(random, sizeof marks - 1)];
    }
}

int main(int argc, char **argv) {
    static const char *const seeds[] = {">a\nACGT\n>b x\nAC\nGT\n",
                                        "@a\nACGT\n+\nIIII\n@b\nAC\nG\n+b\nII\nI\n",
                                        "\r\n>a\r\nacgun\r\n", "@a\nA\n+\n@\n>"};
    struct app_random random;
    app_seed(&random, 5);
    for (int k = 1; k < argc; k++)
        run_file(argv[k]);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int round = 0; round < 200000; round++) {
        uint8_t data[64];
        const char *seed = seeds[round % 4];
        size_t size = strlen(seed);
        memcpy(data, seed, size);
        mutate(&random, data, &size);
        LLVMFuzzerTestOneInput(data, size);
    }
    puts("200000 inputs, no complaint");
    return 0;
}
