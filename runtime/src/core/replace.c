/* SPDX-License-Identifier: Apache-2.0 */
#include "replace.h"
#include "fault.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBERS = 16 }; /* so many may write the same file at once */

static bool fail(int error) {
    errno = error;
    return false;
}

/* Length of the folder's name in a path, with its slash. */
static size_t folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* A long name is cut: names that are then alike only take each other's numbers. */
static void new_name(char *name, size_t size, const char *path, int number) {
    const size_t folder = folder_of(path);
    snprintf(name, size, "%.*s.%.200s.new-%d", (int)folder, path, path + folder, number);
}

/* False: another has it. Where files cannot be locked, nobody has. */
static bool lock_new(int fd) { return !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK; }

static bool same_file(int fd, const char *name) {
    struct stat a, b;
    return !fstat(fd, &a) && !lstat(name, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Whether nobody has the name, after removing what a killed writer left. Only who has the lock of a file removes its
 * name. */
static bool claim(const char *name) {
    struct stat s;
    const int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT;
    const bool left = !fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid() && !flock(fd, LOCK_EX | LOCK_NB) &&
                      same_file(fd, name);
    const bool gone = left && !unlink(name);
    close(fd);
    return gone;
}

static bool step_fails(void) {
    (void)heddle__fails(HEDDLE__FAULT_KILL);
    return heddle__fails(HEDDLE__FAULT_WRITE);
}

static int open_nameless(const char *path) {
    char folder[PATH_MAX];
    const size_t length = folder_of(path);
    snprintf(folder, sizeof folder, "%.*s.", (int)length, path);
    if (access("/proc/self/fd", X_OK)) /* no way to name it later */
        return -1;
    const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (fd >= 0)
        lock_new(fd);
    return fd;
}

static int open_named(const char *path, int *number) {
    char name[PATH_MAX];
    int error = EBUSY;
    for (*number = 0; *number < NUMBERS; ++*number) {
        new_name(name, sizeof name, path, *number);
        if (!claim(name))
            continue;
        const int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 && lock_new(fd) && same_file(fd, name))
            return fd;
        if (fd < 0 && errno != EEXIST)
            error = errno;
        if (fd >= 0) /* claimed by another before it was locked */
            close(fd);
        if (error != EBUSY)
            break;
    }
    errno = error;
    return -1;
}

static int open_new(const char *path, int *number) {
    *number = -1;
    if (step_fails())
        return -1;
    const int fd = open_nameless(path);
    return fd >= 0 ? fd : open_named(path, number);
}

static void drop(struct heddle__replace *r) {
    char name[PATH_MAX];
    const int cause = errno;
    if (r->number >= 0) {
        new_name(name, sizeof name, r->path, r->number);
        unlink(name);
    }
    close(r->kept);
    free(r->path);
    r->path = NULL;
    errno = cause;
}

/* The old file's rights and owner. */
static bool take_over(int fd, const struct stat *old) {
    struct stat fresh;
    if (fstat(fd, &fresh) || fchmod(fd, old->st_mode & 0777))
        return false;
    return (fresh.st_uid == old->st_uid && fresh.st_gid == old->st_gid) || !fchown(fd, old->st_uid, old->st_gid);
}

static bool beside(struct heddle__replace *r, const char *path, const struct stat *old, enum heddle__replace_how how) {
    if (strlen(path) >= PATH_MAX - 16)
        return fail(ENAMETOOLONG);
    r->path = strdup(path);
    r->kept = r->path ? open_new(path, &r->number) : -1;
    if (r->kept < 0) {
        free(r->path);
        r->path = NULL;
        return false;
    }
    const bool taken = !old || take_over(r->kept, old) || how == HEDDLE__REPLACE_OWN;
    const int fd = taken ? fcntl(r->kept, F_DUPFD_CLOEXEC, 0) : -1;
    if (fd >= 0 && !(r->file = heddle__fault_stream(fd, __FILE__, __LINE__)))
        r->file = fdopen(fd, "w");
    if (r->file)
        return true;
    if (fd >= 0)
        close(fd);
    drop(r);
    return false;
}

static bool as_it_is(struct heddle__replace *r, const char *path) {
    r->file = step_fails() ? NULL : fopen(path, "we");
    return r->file != NULL;
}

/* What stands behind a link in /dev or /proc is somebody's open file, which is written on, not replaced. */
static bool is_open_file(const char *path) { return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6); }

static bool begin_named(struct heddle__replace *r, const char *path) {
    char at[PATH_MAX], to[PATH_MAX];
    struct stat s;
    snprintf(at, sizeof at, "%s", path);
    for (int links = 0; links < 40 && !is_open_file(at) && !lstat(at, &s) && S_ISLNK(s.st_mode); links++) {
        const ssize_t n = readlink(at, to, sizeof to - 1);
        if (n <= 0)
            return false;
        to[n] = 0;
        const size_t folder = *to == '/' ? 0 : folder_of(at);
        if (folder + (size_t)n >= sizeof at)
            return fail(ENAMETOOLONG);
        memcpy(at + folder, to, (size_t)n + 1);
    }
    const bool there = !stat(at, &s);
    if (!there && errno != ENOENT)
        return false;
    if ((there && (!S_ISREG(s.st_mode) || access(at, W_OK))) || is_open_file(at))
        return as_it_is(r, path);
    if (beside(r, at, there ? &s : NULL, HEDDLE__REPLACE_NAMED))
        return true;
    return (errno == EACCES || errno == EPERM) && as_it_is(r, path);
}

bool heddle__replace_begin(struct heddle__replace *r, const char *path, enum heddle__replace_how how) {
    struct stat s;
    *r = (struct heddle__replace){.kept = -1, .number = -1};
    if (how == HEDDLE__REPLACE_NAMED)
        return strlen(path) < PATH_MAX ? begin_named(r, path) : fail(ENAMETOOLONG);
    const bool there = !lstat(path, &s);
    if (there && !S_ISREG(s.st_mode) && !S_ISLNK(s.st_mode))
        return fail(S_ISDIR(s.st_mode) ? EISDIR : EINVAL);
    return beside(r, path, there && S_ISREG(s.st_mode) ? &s : NULL, how);
}

/* A name for what has none yet: its own where it is free, else one from which it is renamed. */
static bool give_name(struct heddle__replace *r, bool *placed) {
    char here[64], name[PATH_MAX];
    snprintf(here, sizeof here, "/proc/self/fd/%d", r->kept);
    if (step_fails())
        return false;
    *placed = !linkat(AT_FDCWD, here, AT_FDCWD, r->path, AT_SYMLINK_FOLLOW);
    if (*placed || errno != EEXIST)
        return *placed;
    for (int k = 0; k < NUMBERS; k++) {
        new_name(name, sizeof name, r->path, k);
        if (!claim(name) || linkat(AT_FDCWD, here, AT_FDCWD, name, AT_SYMLINK_FOLLOW))
            continue;
        r->number = k;
        return true;
    }
    return fail(EBUSY);
}

static bool put(struct heddle__replace *r) {
    char name[PATH_MAX];
    bool placed = false;
    if (r->number < 0 && !give_name(r, &placed))
        return false;
    if (!placed) {
        new_name(name, sizeof name, r->path, r->number);
        if (step_fails() || rename(name, r->path))
            return false;
    }
    r->number = -1;
    return true;
}

/* Why not all that was written is there; 0: it is. What failed earlier most likely fails again: stdio has forgotten
 * why. */
static int missing(FILE *file) {
    const bool failed = ferror(file);
    errno = 0;
    if (!fflush(file) && !failed)
        return 0;
    if (!errno && fputc('\n', file) != EOF)
        fflush(file);
    return errno ? errno : EIO;
}

bool heddle__replace_end(struct heddle__replace *r, bool good) {
    if (!r->file)
        return false;
    const int before = errno, cause = missing(r->file);
    bool whole = !cause;
    whole = !fclose(r->file) && whole;
    r->file = NULL;
    if (!whole)
        errno = cause ? cause : errno;
    else if (!good)
        errno = before;
    if (r->path) {
        good = good && whole && put(r);
        drop(r);
    }
    return good && whole;
}
