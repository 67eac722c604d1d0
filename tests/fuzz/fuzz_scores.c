/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the reader of score matrices. */
#include "fuzz.h"
#include "scoring.h"

#include <stdlib.h>
#include <string.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS(" \t\n\r#-0123456789ABCZ*ab\0\377"), .changes_least = 1,
                                      .changes_most = 5, .cut = true, .digits = true};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct sw_scoring scoring;
    char message[300] = "";
    const char *path = fuzz_file("scores.txt", data, size);
    memset(&scoring, 0, sizeof scoring);
    if (!sw_scoring_file(&scoring, path, message, sizeof message)) {
        FUZZ_PROMISE(!strncmp(message, path, strlen(path)));
        return 0;
    }
    int letters = 0;
    for (int c = 0; c < 256; c++) {
        FUZZ_PROMISE(scoring.query.code[c] < SW_CODES);
        letters += scoring.query.code[c] >= 0;
    }
    FUZZ_PROMISE(letters > 0 && scoring.matrix_mode);
    for (int x = 0; x < SW_CODES; x++)
        for (int y = 0; y < SW_CODES; y++)
            FUZZ_PROMISE(abs(scoring.matrix[x][y]) <= 1000 && scoring.matrix[x][y] == scoring.transposed[y][x] &&
                         scoring.matrix[x][y] <= scoring.largest);
    return 0;
}
