/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program in which `heddle doctor` looks for offload images. */
#include "driver.h"
#include "ends.h"
#include "fuzz.h"

#include <string.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS("\x10\xff\x10\xad\1\0\0\0\377\177ELF\10\40triple\0arch\0sm_90\0"),
                                      .changes_least = 1, .changes_most = 6, .cut = true};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST = 8 };
    struct image images[MOST];
    int count = -1;
    memset(images, 0x5a, sizeof images);
    const char *path = fuzz_file("program", data, size);
    FUZZ_RUN(count = find_images(path, images, MOST));
    FUZZ_PROMISE(count >= 0 && (size_t)count * 28 <= size);
    for (int k = 0; k < count && k < MOST; k++)
        FUZZ_PROMISE(memchr(images[k].triple, 0, sizeof images[k].triple) &&
                     memchr(images[k].arch, 0, sizeof images[k].arch) && images[k].elf_abi >= 0 &&
                     images[k].elf_abi < 256);
    return 0;
}
