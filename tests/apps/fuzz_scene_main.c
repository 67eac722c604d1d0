/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few scenes and meshes. */
#include "app.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 16, ROUNDS = 10000 };

static void run_file(const char *path)
{
    static uint8_t data[ROOM];
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
    fclose(file);
}

static void mutate(struct app_random *random, uint8_t *data, size_t *size)
{
    static const char marks[] = " \n\t/-+.e0123456789#\"vfnx\0\377";
    for (unsigned k = 1 + app_below(random, 3); k; k--) {
        const size_t at = 1 + app_below(random, (uint32_t)*size - 1);
        const unsigned what = app_below(random, 9);
        if (what == 0 && *size > 2)
            memmove(data + at, data + at + 1, --*size - at);
        else if (what == 1)
            data[at] = (uint8_t)app_next(random);
        else if (what == 2 || what == 3)
            data[at] = (uint8_t)marks[app_below(random, sizeof marks - 1)];
        else if (what > 4 && data[at] >= '0' && data[at] <= '9') /* numbers that are still numbers */
            data[at] = (uint8_t)('0' + app_below(random, 10));
        else if (*size > 20 && !app_below(random, 8))
            *size -= app_below(random, (uint32_t)*size - 10);
    }
}

int main(int argc, char **argv)
{
    static const char *const seeds[] = {
        "0v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nvt 0 0\nvn 0 0 1\nf 1 2 3 4\nf -4//-1 -3//1 -2//-1\nf 1/1/1 2/1/1 3/1/1\n",
        "1camera from 0 1 4 at 0 0 0 fov 50\nlight 1 5 2 radius 0.5\nmaterial m colour 0.9 0.5 0.1 transmit 0.4\nsphere 0 0 0 1\nplane 0 1 0 -1\n",
        "1shape knot 90 scale 2 rotate 10 20 30 move 0 1 0 smooth\nbackground 1 1 1 to 0 0 1\nsun 1 1 1 colour 1 0.5 0.5\n",
        "1material glass colour 1 1 1 checks 0.5 0 0 0 shade 0.5 shine 9\nsphere 0 0 0 1e-3 material glass\nsphere 1e8 0 0 9e8\nambient 1 1 1\n"};
    static uint8_t work[ROOM];
    struct app_random random;
    app_seed(&random, 8);
    for (int k = 1; k < argc; k++)
        run_file(argv[k]);
    for (int round = 0; round < ROUNDS; round++) {
        const char *seed = seeds[round % 4];
        size_t size = strlen(seed);
        memcpy(work, seed, size);
        if (round >= 4)
            mutate(&random, work, &size);
        LLVMFuzzerTestOneInput(work, size);
    }
    printf("%d inputs, no complaint\n", ROUNDS);
    return 0;
}
