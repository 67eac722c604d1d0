/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char folder[300], path[400];
static int memory = -1;

static void remove_folder(void) {
    unlink(path);
    rmdir(folder);
}

/* The bytes are in memory; the name is a link to them, because readers look at how names end. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size) {
    char to[64];
    if (memory < 0) {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.200s/heddle-fuzz-XXXXXX", base && *base ? base : "/tmp");
        FUZZ_PROMISE(mkdtemp(folder) && (memory = memfd_create("input", 0)) >= 0);
        atexit(remove_folder);
    }
    FUZZ_PROMISE(!ftruncate(memory, 0) && pwrite(memory, data, size, 0) == (ssize_t)size &&
                 lseek(memory, 0, SEEK_SET) == 0);
    if (*path)
        unlink(path);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(to, sizeof to, "/proc/%d/fd/%d", (int)getpid(), memory);
    FUZZ_PROMISE(!symlink(to, path));
    return path;
}

void fuzz_broken(const char *file, int line, const char *promise) {
    fprintf(stderr, "%s:%d: not kept: %s\n", file, line, promise);
    abort();
}
