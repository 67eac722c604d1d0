/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the picture reader: it must end, stay in bounds and keep its promises. Built
 * for libFuzzer with -DHEDDLE_FUZZ=ON; fuzz_image_main.c runs the same function on fixed inputs in
 * ctest. */
#include "image.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct image image;
    char message[200] = "";
    if (!image_parse(&image, data, size, message, sizeof message)) {
        promise(message[0] && !image.pixels);
        return 0;
    }
    promise(image.width >= 1 && image.height >= 1 && image.most >= 1 && image.most <= 65535);
    for (size_t k = 0; k < (size_t)image.width * (size_t)image.height; k++)
        promise(image.pixels[k] <= image.most);
    image_free(&image);
    return 0;
}
