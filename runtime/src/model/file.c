/* SPDX-License-Identifier: Apache-2.0 */
/* Files in the models' folder, one of each kind per program: found, locked, read, set aside and replaced. */
#include "file.h"
#include "core/internal.h"
#include "core/replace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_folders(char *p) {
    for (char *s = p + 1; *s; s++)
        if (*s == '/') {
            *s = 0;
            const bool bad = mkdir(p, 0777) && errno != EEXIST;
            *s = '/';
            if (bad)
                return false;
        }
    return true;
}

/* <folder>/<program>-<hash of its full path><suffix>: programs of one name share no file. False: nothing is kept. */
static bool find_path(char *path, size_t size, const char *suffix) {
    char program[2048], folder[2048], option[HEDDLE__OPTION_MAX];
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    heddle__option_read("models", option, sizeof option);
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0 || !strcmp(option, "none"))
        return false;
    program[n] = 0;
    if (*option)
        snprintf(folder, sizeof folder, "%s", option);
    else if (cache && *cache)
        snprintf(folder, sizeof folder, "%s/heddle/models", cache);
    else if (home && *home)
        snprintf(folder, sizeof folder, "%s/.cache/heddle/models", home);
    else
        return false;
    uint32_t hash = 2166136261u;
    for (const char *s = program; *s; s++)
        hash = (hash ^ (unsigned char)*s) * 16777619u;
    const char *name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    snprintf(path, size, "%s/%.200s-%08x%s", folder, name, hash, suffix);
    return true;
}

/* Held until the descriptor is closed, also when the process is killed. Others wait; a stuck one is not waited
   for long. */
static int lock_file(const char *path) {
    char name[4096 + 8];
    snprintf(name, sizeof name, "%s.lock", path);
    const int fd = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    for (int tries = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB); tries++) {
        if (tries == 200 || errno != EWOULDBLOCK) {
            close(fd);
            return -1;
        }
        usleep(10000);
    }
    return fd;
}

/* Whether the file may be there, or what is there is ours to read and replace: not a pipe, which would make us wait, or
 * a folder. */
static bool usable(const char *path) {
    struct stat s;
    if (stat(path, &s))
        return errno == ENOENT || errno == ENOTDIR;
    errno = S_ISDIR(s.st_mode) ? EISDIR : EINVAL;
    return S_ISREG(s.st_mode) && !access(path, R_OK);
}

static const char *why(void) { return errno == EINVAL ? "it is not a file" : strerror(errno); }

static FILE *open_to_read(const char *path) {
    if (usable(path))
        return fopen(path, "re");
    heddle__warn(NULL,
                 "%s cannot be read: %s; what this program measures is not kept. Remove it, or name another folder by "
                 "HEDDLE_MODELS",
                 path, why());
    return NULL;
}

enum state { GOOD, OTHER_VERSION, DAMAGED };

/* A line that is cut ends in no line end, or in a byte 0: its last number might be another one. */
static enum state read_rows(FILE *f, struct heddle__store *s) {
    struct heddle__row row;
    char *line = NULL;
    size_t room = 0;
    ssize_t length = getline(&line, &room, f);
    enum state state = length <= 0                                                          ? DAMAGED
                       : !strncmp(line, HEDDLE__TABLE_HEADER, strlen(HEDDLE__TABLE_HEADER)) ? GOOD
                       : !strncmp(line, "# heddle ", strlen("# heddle "))                   ? OTHER_VERSION
                                                                                            : DAMAGED;
    while (state == GOOD && (length = getline(&line, &room, f)) > 0)
        if (line[length - 1] != '\n' || strlen(line) != (size_t)length)
            state = DAMAGED;
        else if (!heddle__row_is_comment(line) &&
                 (!heddle__row_read(line, &row) || !(s->kinds & HEDDLE__ROW_BIT(row.kind)) || !s->take(&row)))
            state = DAMAGED;
    free(line);
    return ferror(f) ? DAMAGED : state;
}

static void read_file(struct heddle__store *s) {
    char aside[sizeof s->path + 16];
    if (s->forget)
        s->forget();
    FILE *f = open_to_read(s->path);
    if (!f)
        return; /* a first run */
    const enum state state = read_rows(f, s);
    fclose(f);
    if (state == GOOD)
        return;
    snprintf(aside, sizeof aside, "%s.%s", s->path, state == DAMAGED ? "damaged" : "old");
    if (!rename(s->path, aside))
        heddle__warn(NULL, "the file of %s was %s; it is now %s and a new one is made", s->what,
                     state == DAMAGED ? "damaged" : "of another version", aside);
}

bool heddle__store_load(struct heddle__store *s) {
    if (!find_path(s->path, sizeof s->path, s->suffix))
        *s->path = 0;
    if (*s->path)
        read_file(s);
    return *s->path;
}

static bool write_file(struct heddle__store *s) {
    struct heddle__replace fresh;
    if (!heddle__replace_begin(&fresh, s->path, HEDDLE__REPLACE_OWN))
        return false;
    heddle__table_begin(fresh.file, s->kinds);
    s->write(fresh.file);
    return heddle__replace_end(&fresh, !ferror(fresh.file));
}

bool heddle__store_save(struct heddle__store *s) {
    char folders[sizeof s->path];
    if (!*s->path)
        return false;
    snprintf(folders, sizeof folders, "%s", s->path);
    if (!make_folders(folders) || !usable(s->path)) {
        heddle__verbose("models are not kept: %s: %s", s->path, why());
        return false;
    }
    const int lock = lock_file(s->path);
    if (lock < 0) {
        heddle__verbose("models are not kept: cannot lock %s.lock: %s", s->path, strerror(errno));
        return false;
    }
    read_file(s); /* what other processes measured meanwhile */
    const bool good = write_file(s);
    if (!good)
        heddle__verbose("models are not kept: %s: %s", s->path, strerror(errno));
    close(lock);
    return good;
}
