/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the reader of series. */
#include "fuzz.h"
#include "series.h"

#include <math.h>
#include <string.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS(" ,;\t\n\r#.eE+-0123456789naifx\0\377"), .changes_least = 1,
                                      .changes_most = 5, .cut = true, .digits = true};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct series_set set = {0};
    char message[300] = "";
    const char *path = fuzz_file("series.csv", data, size);
    const bool good = series_read(&set, path, message, sizeof message);
    FUZZ_PROMISE(good ? set.count > 0 && !*message : !strncmp(message, path, strlen(path)));
    size_t samples = 0;
    for (int k = 0; good && k < set.count; k++) {
        FUZZ_PROMISE(set.at[k].length > 0 && set.at[k].start == samples);
        samples += (size_t)set.at[k].length;
    }
    FUZZ_PROMISE(!good || samples == set.used);
    for (size_t k = 0; k < set.used; k++)
        FUZZ_PROMISE(fabs(set.samples[k]) <= SERIES_MOST);
    series_free(&set);
    return 0;
}
