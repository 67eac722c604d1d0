/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void change(const struct fuzz_style *style, struct app_random *random, uint8_t *data, size_t *size) {
    const size_t keep = style->keep_first, least = keep + 1;
    const size_t at = keep + app_below(random, (uint32_t)(*size - keep));
    const unsigned kinds = style->digits ? 9 : 4, what = app_below(random, kinds);
    if (what == 0 && *size > least)
        memmove(data + at, data + at + 1, --*size - at);
    else if (what == 1)
        data[at] = (uint8_t)app_next(random);
    else if (what == 2)
        data[at] = (uint8_t)style->marks[app_below(random, (uint32_t)style->mark_count)];
    else if (what > 4 && data[at] >= '0' && data[at] <= '9')
        data[at] = (uint8_t)('0' + app_below(random, 10));
    else if (style->cut && !app_below(random, 8))
        *size -= app_below(random, (uint32_t)(*size - keep));
}

void fuzz_mutate(const struct fuzz_style *style, struct app_random *random, uint8_t *data, size_t *size) {
    const unsigned range = style->changes_most - style->changes_least + 1;
    for (unsigned k = style->changes_least + app_below(random, range); k; k--)
        change(style, random, data, size);
}

static void run_files(int count, char **paths) {
    enum { ROOM = 1 << 22 };
    uint8_t *data = app_alloc(ROOM, 1);
    for (int k = 0; k < count; k++) {
        FILE *file = fopen(paths[k], "rb");
        if (!file)
            continue;
        LLVMFuzzerTestOneInput(data, fread(data, 1, ROOM, file));
        fclose(file);
    }
    free(data);
}

int fuzz_run(const struct fuzz_run *run, int argc, char **argv) {
    struct app_random random;
    app_seed(&random, 5);
    run_files(argc - 1, argv + 1);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int round = 0; round < run->rounds + run->count; round++) {
        const struct fuzz_seed *seed = &run->seeds[round % run->count];
        uint8_t *data = app_alloc(seed->size, 1); /* no byte more: a sanitizer sees who reads on */
        size_t size = seed->size;
        memcpy(data, seed->bytes, size);
        if (round >= run->count)
            fuzz_mutate(&run->style, &random, data, &size);
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    printf("%d inputs, no complaint\n", run->rounds + run->count);
    return 0;
}
