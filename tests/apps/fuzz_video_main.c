/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few videos.
 */
#include "app.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 256, ROUNDS = 60000 };

static void run_file(const char *path) {
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
    fclose(file);
}

static void mutate(struct app_random *random, uint8_t *data, size_t *size) {
    static const char marks[] = "YUV4MPEG2 WHFIAC420:FRAME\n \0\377019";
    for (unsigned k = app_below(random, 5); k; k--) {
        size_t at = app_below(random, (uint32_t)*size);
        unsigned what = app_below(random, 4);
        if (what == 0 && *size > 1)
            memmove(data + at, data + at + 1, --*size - at);
        else if (what == 1)
            data[at] = (uint8_t)app_next(random);
        else if (what == 2)
            data[at] = (uint8_t)marks[app_below(random, sizeof marks - 1)];
        else if (*size > 8 && !app_below(random, 8))
            *size -= app_below(random, (uint32_t)*size - 1);
    }
}

int main(int argc, char **argv) {
    static const char *const seeds[] = {
        "YUV4MPEG2 W4 H2 F25:1 Ip A1:1 C420\nFRAME\nabcdefghijklFRAME X\nmnopqrstuvwx",
        "YUV4MPEG2 H4 W2\nFRAME\nabcdefghijkl", "YUV4MPEG2 W16 H16 C420jpeg XA B\nFRAME\n",
        "some raw bytes, 36 make up a frame, more"};
    struct app_random random;
    app_seed(&random, 5);
    for (int k = 1; k < argc; k++)
        run_file(argv[k]);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t data[ROOM];
        size_t size = strlen(seeds[round % 4]);
        memcpy(data, seeds[round % 4], size);
        mutate(&random, data, &size);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%d inputs, no complaint\n", ROUNDS);
    return 0;
}
