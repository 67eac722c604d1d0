/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the .npy header's reader: it must end, stay in bounds and keep its promises. Built for libFuzzer
 * with -DHEDDLE_FUZZ=ON; fuzz_npy_main.c runs the same function on fixed inputs in ctest. */
#include "npy.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct npy npy;
    char message[160] = "";
    uint8_t *copy = malloc(size ? size : 1); /* its end is the end of the memory: a sanitizer sees a step too far */
    for (size_t k = 0; k < size; k++)
        copy[k] = data[k];
    if (npy_parse(&npy, copy, size, message, sizeof message)) {
        promise(npy.rows >= 0 && npy.rows <= NPY_SIDE_MOST && npy.cols >= 0 && npy.cols <= NPY_SIDE_MOST);
        promise(npy.begin >= 10 && npy.begin <= size && !message[0]);
    } else {
        promise(message[0]);
    }
    free(copy);
    return 0;
}
