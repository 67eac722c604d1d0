/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as each of the three files of what programs measured, through everything that `heddle models` prints of
 * them. */
#include "driver.h"
#include "ends.h"
#include "fuzz.h"

#include <unistd.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS(",,,\n#-.e0123456789naift \"\\\0\1\377"), .changes_least = 1,
                                      .changes_most = 6, .cut = true, .digits = true};

static void show(const char *verb, const char *path, char *option) {
    char *argv[] = {"models", format("%s", verb), format("%s", path), option, NULL};
    const int status = command_models.run(option ? 4 : 3, argv);
    FUZZ_PROMISE(status == 0 || *fuzz_said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"prog-0123abcd.csv", "prog-0123abcd.loops.csv", "prog-0123abcd.widths.csv"};
    static FILE *nowhere;
    FILE *shown = stdout;
    if (!nowhere)
        FUZZ_PROMISE(nowhere = fopen("/dev/null", "w"));
    stdout = nowhere;
    for (int k = 0; k < 3; k++) {
        const char *path = fuzz_file(names[k], data, size);
        FUZZ_RUN(show("list", path, NULL));
        FUZZ_RUN(show("compare", path, NULL));
        FUZZ_RUN(show("export", path, NULL));
        FUZZ_RUN(show("export", path, "--json"));
    }
    stdout = shown;
    return 0;
}
