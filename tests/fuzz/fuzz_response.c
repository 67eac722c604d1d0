/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a response file of `heddle cc`, and as a source whose directives are looked for. */
#include "driver.h"
#include "ends.h"
#include "fuzz.h"

#include <string.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS(" \n\t\"'\\@-=oxcDIMF.#pragma heddle\0\377"), .changes_least = 1,
                                      .changes_most = 5, .cut = true};

static void parse(const char *path, struct args *a) {
    char *argv[] = {format("@%s", path), "-c"};
    parse_args(2, argv, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct args a;
    const char *path = fuzz_file("args.c", data, size);
    if (FUZZ_RUN(parse(path, &a))) {
        size_t letters = 0;
        for (size_t k = 0; k < a.rest.count; k++)
            letters += strlen(a.rest.at[k]);
        FUZZ_PROMISE(letters <= 3 * size + 16); /* "./" before a dash */
        for (size_t k = 0; k < a.input_count; k++) {
            FUZZ_PROMISE(a.inputs[k].position < a.rest.count &&
                         !strcmp(a.inputs[k].path, a.rest.at[a.inputs[k].position]));
            FUZZ_PROMISE(a.inputs[k].path[0] != '-' || !a.inputs[k].path[1]);
        }
    }
    struct input in = {.path = format("%s", path), .c_source = true};
    FUZZ_RUN(to_translate(&in, &a.preprocess));
    return 0;
}
