/* SPDX-License-Identifier: Apache-2.0 */
#include "fault.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool heddle__fault_set;
static const char *const names[HEDDLE__FAULTS] = {"alloc",  "map",   "launch", "copy",  "event",
                                                  "thread", "write", "kill",   "vanish"};
static enum heddle__fault wanted;
static atomic_long left; /* operations before the one that fails */

/* Before all other constructors, some of which ask for something. */
__attribute__((constructor(101))) static void read_environment(void) {
    const char *value = secure_getenv("HEDDLE_FAULT"), *colon = value ? strchr(value, ':') : NULL;
    char *end;
    for (int k = 0; colon && k < HEDDLE__FAULTS; k++)
        if (strlen(names[k]) == (size_t)(colon - value) && !strncmp(names[k], value, (size_t)(colon - value))) {
            const long n = strtol(colon + 1, &end, 10);
            if (n < 1 || *end || end == colon + 1)
                break;
            wanted = (enum heddle__fault)k;
            atomic_store(&left, n);
            heddle__fault_set = true;
            return;
        }
}

static atomic_long vanished = -1; /* the device */

bool heddle__fault_vanished(long device) { return device >= 0 && atomic_load(&vanished) == device; }

bool heddle__fault_vanishes(long device, const char *file, int line) {
    if (heddle__fault_now(HEDDLE__FAULT_VANISH, file, line))
        atomic_store(&vanished, device);
    return heddle__fault_vanished(device);
}

static const char *without_folders(const char *file) {
    const char *source = strstr(file, "/src/"), *slash = strrchr(file, '/');
    return source ? source + 5 : slash ? slash + 1 : file;
}

bool heddle__fault_now(enum heddle__fault kind, const char *file, int line) {
    char text[256];
    if (kind != wanted || atomic_fetch_sub(&left, 1) != 1)
        return false;
    const int n = snprintf(text, sizeof text, "heddle: HEDDLE_FAULT: %s fails here: %s:%d\n", names[kind],
                           without_folders(file), line);
    if (write(STDERR_FILENO, text, (size_t)n) < 0 || kind == HEDDLE__FAULT_KILL)
        raise(SIGKILL);
    errno = kind == HEDDLE__FAULT_ALLOC ? ENOMEM : kind == HEDDLE__FAULT_WRITE ? ENOSPC : EAGAIN;
    return true;
}

/* ---- files ------------------------------------------------------------------------------------------------ */
struct stream {
    int fd;
    bool full;
    const char *file;
    int line;
};

static ssize_t write_piece(void *cookie, const char *bytes, size_t count) {
    struct stream *s = cookie;
    heddle__fault_now(HEDDLE__FAULT_KILL, s->file, s->line);
    if (!s->full && heddle__fault_now(HEDDLE__FAULT_WRITE, s->file, s->line)) {
        s->full = true;
        count /= 2;
    } else if (s->full) {
        count = 0;
    }
    const ssize_t n = count ? write(s->fd, bytes, count) : 0;
    if (s->full)
        errno = ENOSPC;
    return n < 0 ? 0 : n;
}

static int close_stream(void *cookie) {
    struct stream *s = cookie;
    const int error = close(s->fd);
    free(s);
    return error;
}

void *heddle__fault_stream(int fd, const char *file, int line) {
    if (!heddle__fault_set || (wanted != HEDDLE__FAULT_WRITE && wanted != HEDDLE__FAULT_KILL))
        return NULL;
    struct stream *s = malloc(sizeof *s);
    if (s)
        *s = (struct stream){.fd = fd, .file = file, .line = line};
    FILE *f = s ? fopencookie(s, "w", (cookie_io_functions_t){.write = write_piece, .close = close_stream}) : NULL;
    if (f)
        setvbuf(f, NULL, _IOFBF, 512); /* several pieces also of a short file */
    else
        free(s);
    return f;
}
