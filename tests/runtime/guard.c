/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded malloc that makes reads and writes outside a block crash, in kernels of x86_64 devices too, which no
 * sanitizer sees: from main() on every block has pages of its own, at whose end (GUARD=above) or beginning
 * (GUARD=below) it lies, and none are mapped for a while on both sides. They are not used again, so a block that was
 * freed crashes as well. New blocks hold a pattern, and bytes between a block's end and its page's are looked at when
 * it is freed. Without GUARD, or without room, libc's malloc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);
void __libc_free(void *p);

#define REGION ((size_t)1 << 38)
enum { PAGE = 4096, GAP = 32 * PAGE, PATTERN = 0xa5 };
static char *region;
static uint64_t *sizes; /* of the block that begins in a page of the region, and one */
static atomic_size_t used;
static atomic_bool on;
static bool below;

static void say(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(3);
}

static size_t up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

/* NULL: none to be had here. */
static char *take(size_t bytes, size_t align) {
    if (!atomic_load_explicit(&on, memory_order_relaxed) || align > PAGE || bytes > REGION / 4)
        return NULL;
    const size_t room = up(up(bytes + !bytes, align), PAGE), start = atomic_fetch_add(&used, room + GAP);
    if (start + room + GAP > REGION || mprotect(region + start, room, PROT_READ | PROT_WRITE))
        return NULL;
    char *p = region + start + (below ? 0 : room - up(bytes + !bytes, align));
    sizes[start / PAGE] = bytes + 1;
    return p;
}

static uint64_t *size_of(const void *p) {
    const size_t at = (size_t)((const char *)p - region);
    return region && (const char *)p >= region && at < REGION ? &sizes[at / PAGE] : NULL;
}

static void give(char *p, uint64_t *size) {
    const size_t bytes = *size - 1, first = (size_t)(p - region) / PAGE * PAGE;
    if (!*size) {
        say("guard: freed twice, or what is no block\n");
        abort();
    }
    const size_t room = up((size_t)(p - region) - first + bytes + !bytes, PAGE);
    for (const char *q = p + bytes; q < region + first + room; q++)
        if (*q && *q != (char)PATTERN) {
            say("guard: written behind the end of a block\n");
            abort();
        }
    *size = 0;
    madvise(region + first, room, MADV_DONTNEED);
    mprotect(region + first, room, PROT_NONE);
}

/* No more than that, or memory that a program only reserves would become real. */
static char *fill(char *p, size_t bytes) { return memset(p, PATTERN, bytes < 16 * PAGE ? bytes : 16 * PAGE); }

void *malloc(size_t bytes) {
    char *p = take(bytes, 16);
    return p ? fill(p, bytes) : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    if (bytes && count > SIZE_MAX / bytes) {
        errno = ENOMEM;
        return NULL;
    }
    char *p = take(count * bytes, 16);
    return p ? p : __libc_calloc(count, bytes);
}

void *memalign(size_t align, size_t bytes) {
    char *p = take(bytes, align < 16 ? 16 : align);
    return p ? fill(p, bytes) : __libc_memalign(align, bytes);
}

void *aligned_alloc(size_t align, size_t bytes) { return memalign(align, bytes); }

int posix_memalign(void **p, size_t align, size_t bytes) { return (*p = memalign(align, bytes)) ? 0 : ENOMEM; }

void free(void *p) {
    uint64_t *size = p ? size_of(p) : NULL;
    const int error = errno;
    if (size)
        give(p, size);
    else
        __libc_free(p);
    errno = error;
}

void *realloc(void *p, size_t bytes) {
    uint64_t *size = p ? size_of(p) : NULL;
    if (p && !size)
        return __libc_realloc(p, bytes);
    void *other = malloc(bytes);
    if (other && p) {
        memcpy(other, p, *size - 1 < bytes ? *size - 1 : bytes);
        free(p);
    }
    return other;
}

size_t malloc_usable_size(void *p) {
    static size_t (*next)(void *);
    uint64_t *size = p ? size_of(p) : NULL;
    if (size)
        return *size - 1;
    if (!next)
        next = (size_t (*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
    return next(p);
}

typedef int main_function(int argc, char **argv, char **env);
static main_function *program;

static int start(int argc, char **argv, char **env) {
    const char *how = getenv("GUARD");
    if (how && *how) {
        below = !strcmp(how, "below");
        void *r = mmap(NULL, REGION, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        void *s = mmap(NULL, REGION / PAGE * sizeof *sizes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (r == MAP_FAILED || s == MAP_FAILED) {
            say("guard: no room in this process\n");
            _exit(77);
        }
        region = (char *)r;
        sizes = s;
        atomic_store(&used, GAP);
        atomic_store(&on, true);
    }
    return program(argc, argv, env);
}

/* The C library's, which calls main(); when it does, all that libraries allocate as they are loaded is there. */
int __libc_start_main(main_function *function, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader)(void), void *stack);
int __libc_start_main(main_function *function, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader)(void), void *stack) {
    typedef int starter(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    starter *next = (starter *)dlsym(RTLD_NEXT, "__libc_start_main");
    program = function;
    return next(start, argc, argv, init, fini, loader, stack);
}
