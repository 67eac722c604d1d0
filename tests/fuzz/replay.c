/* SPDX-License-Identifier: Apache-2.0 */
/* A target without libFuzzer: every input of its corpus, every file cut off anywhere, and seeded mutations. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 16, ROUNDS = 3000, CUTS = 200 };

static size_t load(const char *path, uint8_t *data) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    const size_t size = fread(data, 1, ROOM, file);
    fclose(file);
    return size;
}

int main(int argc, char **argv) {
    static uint8_t data[ROOM];
    struct app_random random;
    long inputs = 1;
    app_seed(&random, 11);
    if (argc < 2) {
        fprintf(stderr, "no corpus\n");
        return 1;
    }
    LLVMFuzzerTestOneInput(data, 0);
    for (int k = 1; k < argc; k++) {
        const size_t size = load(argv[k], data), step = size / CUTS + 1;
        LLVMFuzzerTestOneInput(data, size);
        for (size_t cut = 1; cut < size; cut += step, inputs++)
            LLVMFuzzerTestOneInput(data, cut);
    }
    for (int round = 0; round < ROUNDS; round++, inputs++) {
        size_t size = load(argv[1 + round % (argc - 1)], data);
        if (size <= fuzz_style.keep_first)
            continue;
        fuzz_mutate(&fuzz_style, &random, data, &size);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%ld inputs, no complaint\n", inputs);
    return 0;
}
