/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: seeded mutations of three headers. */
#include "app.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void mutate(struct app_random *random, uint8_t *data, size_t *size)
{
    static const char marks[] = "{}()',:<>f48TF019 \n\\\"\0\377";
    for (unsigned k = app_below(random, 5); k; k--) {
        const size_t at = app_below(random, (uint32_t)*size);
        const unsigned what = app_below(random, 4);
        if (what == 0 && *size > 1)
            memmove(data + at, data + at + 1, --*size - at);
        else if (what == 1)
            data[at] = (uint8_t)app_next(random);
        else if (what == 2)
            data[at] = (uint8_t)marks[app_below(random, sizeof marks - 1)];
        else if (!app_below(random, 8))
            *size -= app_below(random, (uint32_t)*size);
    }
}

int main(void)
{
    static const struct {
        const char *text;
        uint8_t version, length;
    } seeds[] = {{"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }          \n", 1, 68},
                 {"{'descr': '<f8', 'fortran_order': True, 'shape': (3,), }", 1, 56},
                 {"{\"shape\": (1999999999, 0), 'descr': '<f8', 'fortran_order': False}", 2, 67}};
    struct app_random random;
    app_seed(&random, 5);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int round = 0; round < 300000; round++) {
        uint8_t data[128];
        const int s = round % 3;
        const size_t fixed = seeds[s].version == 1 ? 10 : 12;
        size_t size = fixed + seeds[s].length;
        memcpy(data, (uint8_t[]){0x93, 'N', 'U', 'M', 'P', 'Y', seeds[s].version, 0, seeds[s].length, 0, 0, 0}, 12);
        memcpy(data + fixed, seeds[s].text, seeds[s].length);
        mutate(&random, data, &size);
        LLVMFuzzerTestOneInput(data, size);
    }
    puts("300000 inputs, no complaint");
    return 0;
}
