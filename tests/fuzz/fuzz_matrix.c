/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a whole .npy file, and as a .bin: what the header says is read, or refused. The first byte picks the
 * matrix. */
#include "files.h"
#include "fuzz.h"

#include <string.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS("{}()',:<>f48TF019 \n\\\"\0\377"), .changes_least = 1,
                                      .changes_most = 4, .cut = true, .digits = true};

static void read_into(const char *path, enum gemm_matrix which, long rows, long cols, bool is_double) {
    struct gemm g = {.m = 3, .n = 3, .k = 3, .tile = 7, .is_double = is_double};
    char message[400] = "";
    *(which == GEMM_B ? &g.k : &g.m) = rows;
    *(which == GEMM_A ? &g.k : &g.n) = cols;
    FUZZ_PROMISE(gemm_plan(&g) && gemm_alloc(&g));
    const bool good = file_read(path, &g, which, message, sizeof message);
    FUZZ_PROMISE(good ? !*message : !strncmp(message, path, strlen(path)));
    file_has_odd_values(&g, which);
    gemm_free(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct npy npy;
    bool is_bin;
    char message[400] = "";
    if (!size)
        return 0;
    const enum gemm_matrix which = (enum gemm_matrix)(*data % 3);
    const char *path = fuzz_file("m.npy", data + 1, size - 1);
    if (file_look(path, &npy, &is_bin, message, sizeof message)) {
        FUZZ_PROMISE(!is_bin && npy.rows >= 0 && npy.cols >= 0 && npy.rows <= NPY_SIDE_MOST &&
                     npy.cols <= NPY_SIDE_MOST);
        if (npy.rows <= 300 && npy.cols <= 300)
            read_into(path, which, npy.rows, npy.cols, npy.is_double);
    } else {
        FUZZ_PROMISE(!strncmp(message, path, strlen(path)));
    }
    read_into(fuzz_file("m.bin", data + 1, size - 1), which, 2, (long)(size - 1) / 16, true);
    return 0;
}
