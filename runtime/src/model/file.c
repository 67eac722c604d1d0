/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files in the models' folder: one of each kind per program, replaced at once under a lock, so that a reader sees the
 * old file or the new one. A folder that cannot be written to is left alone; the run goes on.
 */
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

/* <folder>/<program>-<hash of its full path><suffix>: programs of one name do not share a file. False: nothing is kept.
 */
bool heddle__store_path(char *path, size_t size, const char *suffix) {
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

FILE *heddle__store_open(const char *path) {
    if (usable(path))
        return fopen(path, "re");
    heddle__warn(NULL,
                 "%s cannot be read: %s; what this program measures is not kept. Remove it, or name another folder by "
                 "HEDDLE_MODELS",
                 path, why());
    return NULL;
}

void heddle__store_read(const char *path, const char *header, const char *columns, bool (*line)(const char *text),
                        const char *what) {
    char text[1024], bad[4096 + 16];
    FILE *f = heddle__store_open(path);
    if (!f)
        return; /* a first run */
    bool good = fgets(text, sizeof text, f) && !strncmp(text, header, strlen(header));
    while (good && fgets(text, sizeof text, f))
        good = *text == '#' || !strncmp(text, columns, strlen(columns)) || line(text);
    fclose(f);
    if (good)
        return;
    snprintf(bad, sizeof bad, "%s.damaged", path);
    if (!rename(path, bad))
        heddle__warn(NULL, "the file of %s was damaged or of another version; it is now %s and a new one is made", what,
                     bad);
}

static bool write_fresh(const char *path, bool (*write)(FILE *f, void *with), void *with) {
    struct heddle__replace fresh;
    return heddle__replace_begin(&fresh, path, HEDDLE__REPLACE_OWN) &&
           heddle__replace_end(&fresh, write(fresh.file, with));
}

/* `merge` reads what is there now, `write` writes the new file. */
bool heddle__store_replace(const char *path, bool (*merge)(void *with), bool (*write)(FILE *f, void *with),
                           void *with) {
    char folders[4096];
    snprintf(folders, sizeof folders, "%s", path);
    if (!make_folders(folders) || !usable(path)) {
        heddle__verbose("models are not kept: %s: %s", path, why());
        return false;
    }
    const int lock = lock_file(path);
    if (lock < 0) {
        heddle__verbose("models are not kept: cannot lock %s.lock: %s", path, strerror(errno));
        return false;
    }
    const bool good = merge(with) && write_fresh(path, write, with);
    if (!good)
        heddle__verbose("models are not kept: %s: %s", path, strerror(errno));
    close(lock);
    return good;
}
