/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registered device images: names of kernels, and whether the device code has variables of its own. Such
 * variables (declare target data, statics) live once per device and are no arguments of a kernel, so a region of
 * such an image must stay on one device.
 */
#include "selector.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct library_image {
    struct library_image *next;
    const struct library *library;
    struct image image;
};
struct kernel_slot {
    const void *id;
    struct kernel kernel;
};
static struct library_image *libraries;
static struct kernel_slot *slots;
static size_t room, used;

static size_t slot_of(const void *id) {
    size_t k = ((uintptr_t)id >> 0) * 0x9e3779b97f4a7c15u >> 20;
    for (k &= room - 1; slots[k].id && slots[k].id != id; k = (k + 1) & (room - 1))
        ;
    return k;
}

static void add_kernel(const void *id, const char *name, const struct image *image) {
    if (2 * used >= room) {
        struct kernel_slot *old = slots;
        const size_t old_room = room;
        struct kernel_slot *fresh = calloc(room ? 2 * room : 256, sizeof *fresh);
        if (!fresh)
            return; /* an unknown kernel stays on the default device */
        room = room ? 2 * room : 256;
        slots = fresh;
        for (size_t k = 0; k < old_room; k++)
            if (old[k].id)
                slots[slot_of(old[k].id)] = old[k];
        free(old);
    }
    const size_t k = slot_of(id);
    used += !slots[k].id;
    slots[k] = (struct kernel_slot){id, {name, image}};
}

struct kernel heddle__kernel_find(const void *id) {
    return room ? slots[slot_of(id)].kernel : (struct kernel){NULL, NULL};
}

/* Variables that compiler and device run time bring along, which hold nothing of the program. DW.ref.…: C++ code on
   x86_64 devices finds its personality routine there. */
static bool harmless(const char *name) {
    static const char *const prefix[] = {".offloading", "__omp_offloading_", "__omp_rtl_",  "__dso_handle",
                                         "completed.",  "DW.ref.",           "__TMC_END__", "_DYNAMIC",
                                         "_ZN4ompx",    "_ZN12_GLOBAL__N_1", "__llvm_",     "$str",
                                         ".str",        "__unnamed",         "anon.",       "_GLOBAL_OFFSET",
                                         ".hidden.ref", ".gomp_critical_",   "_openmp_"};
    for (size_t k = 0; k < sizeof prefix / sizeof *prefix; k++)
        if (!strncmp(name, prefix[k], strlen(prefix[k])))
            return true;
    return !*name || strstr(name, "_kernel_environment") || strstr(name, "_dynamic_environment") ||
           strstr(name, "IsSPMDMode");
}

static bool writable(const Elf64_Shdr *s, const char *name) {
    if (!strcmp(name, ".data.rel.ro") || !strncmp(name, ".nv.constant", 12))
        return false;
    return !strncmp(name, ".data", 5) || !strncmp(name, ".bss", 4) || !strncmp(name, ".tdata", 6) ||
           !strncmp(name, ".tbss", 5) || (!strncmp(name, ".nv.global", 10) && s->sh_size);
}

/* True also for what cannot be read: bitcode, other formats, images without symbols. */
static bool has_variables(const char *start, size_t size) {
    const Elf64_Ehdr *h = (const void *)start;
    if (size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff > size ||
        (size - h->e_shoff) / sizeof(Elf64_Shdr) < h->e_shnum || h->e_shstrndx >= h->e_shnum)
        return true;
    const Elf64_Shdr *s = (const void *)(start + h->e_shoff);
    if (s[h->e_shstrndx].sh_offset > size)
        return true;
    const char *names = start + s[h->e_shstrndx].sh_offset;
    bool symbols = false;
    for (int k = 0; k < h->e_shnum; k++) {
        if (s[k].sh_type != SHT_SYMTAB || s[k].sh_link >= h->e_shnum)
            continue;
        symbols = true;
        const Elf64_Sym *at = (const void *)(start + s[k].sh_offset);
        const char *text = start + s[s[k].sh_link].sh_offset;
        for (size_t n = 0; n < s[k].sh_size / sizeof *at; n++) {
            const int section = at[n].st_shndx, type = ELF64_ST_TYPE(at[n].st_info);
            if ((type != STT_OBJECT && type != STT_TLS) || !at[n].st_size || section == SHN_UNDEF ||
                section >= h->e_shnum)
                continue;
            if (writable(&s[section], names + s[section].sh_name) && !harmless(text + at[n].st_name))
                return true;
        }
    }
    return !symbols;
}

/* Calls back once per entry, whichever layout it has. */
static void each_entry(const struct library *library, struct image *image) {
    const char *p = library->entries, *end = library->entries_end;
    while (p && p < end) {
        const struct entry_old *o = (const void *)p;
        const struct entry_new *n = (const void *)p;
        const bool fresh = (size_t)(end - p) >= sizeof *n && n->zero == 0;
        void *address = fresh ? n->address : o->address;
        const char *name = fresh ? n->name : o->name;
        const uint64_t size = fresh ? n->size : o->size;
        if (address && size) {
            image->state = true;
            heddle__entry_add((uintptr_t)address, (uintptr_t)address + size, -1, "a declare target variable");
        } else if (address && name) {
            add_kernel(address, name, image);
        } else if (!address && !fresh && o->flags & 0x10 && o->data & (2 | 4 | 8)) {
            heddle__give_up("the program requires unified addresses or reverse offload");
        }
        p += fresh ? sizeof *n : sizeof *o;
    }
}

/* So that what is known of a program's code is not taken for known of its next version. */
static uint64_t hash_of(const char *at, size_t bytes, uint64_t hash) {
    for (size_t k = 0; k < bytes; k += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, at + k, bytes - k < sizeof word ? bytes - k : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

void heddle__image_add(const struct library *library) {
    struct library_image *l = calloc(1, sizeof *l);
    if (!l)
        return;
    l->library = library;
    l->next = libraries;
    libraries = l;
    for (int k = 0; k < library->images; k++) {
        const char *at = library->image[k].start;
        const size_t bytes = (size_t)((char *)library->image[k].end - at);
        l->image.state = l->image.state || has_variables(at, bytes);
        l->image.hash = hash_of(at, bytes, l->image.hash);
    }
    each_entry(library, &l->image);
}

/* The kernels' addresses may come back with another library (dlclose, dlopen). */
int heddle__image_remove(const struct library *library) {
    int left = 0;
    for (size_t k = 0; k < room; k++)
        for (struct library_image *l = libraries; l; l = l->next)
            if (slots[k].id && l->library == library && slots[k].kernel.image == &l->image)
                slots[k].kernel = (struct kernel){NULL, NULL};
    for (struct library_image *l = libraries; l; l = l->next) {
        if (l->library == library)
            l->library = NULL;
        left += l->library != NULL;
    }
    heddle__regions_unbind();
    return left;
}
