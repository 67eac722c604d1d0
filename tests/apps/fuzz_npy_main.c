/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: seeded mutations of three headers. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

int main(void) {
    static const struct fuzz_style style = {FUZZ_MARKS("{}()',:<>f48TF019 \n\\\"\0\377"), .changes_least = 0,
                                            .changes_most = 4, .cut = true};
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
        fuzz_mutate(&style, &random, data, &size);
        LLVMFuzzerTestOneInput(data, size);
    }
    puts("300000 inputs, no complaint");
    return 0;
}
