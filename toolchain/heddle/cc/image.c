/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - finds the offload images inside a program. LLVM wraps each in a small header (magic
 * 10 FF 10 AD, little-endian numbers, strings by offset), described in LLVM's OffloadBinary.h;
 * the file is searched for the magic, so section names, which change, do not matter. */
#include "driver.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wrapper {
    uint8_t magic[4];
    uint32_t version;
    uint64_t size, entry_offset, entry_size;
};

struct entry {
    uint16_t image_kind, offload_kind;
    uint32_t flags;
    uint64_t string_offset, string_count, image_offset, image_size;
};

enum { EI_ABIVERSION_AT = 8 };

/* Copies the NUL-terminated string at `offset`, cut to fit; nothing outside the wrapper is read. */
static void copy_string(char *to, size_t room, const char *base, uint64_t size, uint64_t offset) {
    to[0] = 0;
    if (offset >= size)
        return;
    size_t n = strnlen(base + offset, size - offset);
    snprintf(to, room, "%.*s", (int)(n < room ? n : room - 1), base + offset);
}

static bool read_image(const char *base, uint64_t rest, struct image *image) {
    struct wrapper w;
    struct entry e;
    memset(image, 0, sizeof *image);
    if (rest < sizeof w)
        return false;
    memcpy(&w, base, sizeof w);
    if (w.version != 1 || w.size > rest || w.entry_offset > w.size || w.size - w.entry_offset < sizeof e)
        return false;
    memcpy(&e, base + w.entry_offset, sizeof e);
    if (e.string_offset > w.size || e.image_offset > w.size)
        return false;
    for (uint64_t i = 0; i < e.string_count; i++) {
        uint64_t at[2];
        char key[32];
        if (w.size - e.string_offset < (i + 1) * sizeof at)
            break;
        memcpy(at, base + e.string_offset + i * sizeof at, sizeof at);
        copy_string(key, sizeof key, base, w.size, at[0]);
        if (!strcmp(key, "triple"))
            copy_string(image->triple, sizeof image->triple, base, w.size, at[1]);
        else if (!strcmp(key, "arch"))
            copy_string(image->arch, sizeof image->arch, base, w.size, at[1]);
    }
    const char *elf = base + e.image_offset;
    if (w.size - e.image_offset > 16 && !memcmp(elf, "\177ELF", 4))
        image->elf_abi = (uint8_t)elf[EI_ABIVERSION_AT];
    return true;
}

int find_images(const char *path, struct image *images, int max) {
    size_t size;
    char *text = read_file(path, &size);
    if (!text)
        return -1;
    int count = 0;
    const char *p = text, *end = text + size;
    while ((p = memmem(p, (size_t)(end - p), "\x10\xff\x10\xad", 4))) {
        struct image image;
        if (read_image(p, (uint64_t)(end - p), &image)) {
            if (count < max)
                images[count] = image;
            count++;
        }
        p += 4;
    }
    free(text);
    return count;
}
