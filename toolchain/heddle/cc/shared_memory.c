/* SPDX-License-Identifier: Apache-2.0 */
/* shared_memory.c - libomp writes its name into /dev/shm/__KMP_REGISTERED_LIB_<pid>_<uid> before main() begins, through
 * a mapping: where that has no page left, or a program that had the same pid was killed between making the file and
 * giving it its size, every OpenMP program with that pid dies of SIGBUS. */
#include "driver.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>

static bool is_leftover(int folder, const char *name) {
    static const char start[] = "__KMP_REGISTERED_LIB_";
    struct stat s;
    if (!starts_with(name, start) || !isdigit((unsigned char)name[sizeof start - 1]))
        return false;
    const long pid = strtol(name + sizeof start - 1, NULL, 10);
    const bool runs = pid > 0 && (!kill((pid_t)pid, 0) || errno == EPERM);
    return !runs && !fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) && S_ISREG(s.st_mode) && s.st_size == 0 &&
           s.st_uid == geteuid();
}

struct shared_memory find_shared_memory(void) {
    struct shared_memory found = {.there = false};
    struct statvfs room;
    DIR *folder = opendir(SHARED_MEMORY);
    if (!folder)
        return found;
    found.there = true;
    found.full = !statvfs(SHARED_MEMORY, &room) && room.f_blocks && !room.f_bavail;
    for (struct dirent *e; (e = readdir(folder));)
        found.leftovers += is_leftover(dirfd(folder), e->d_name);
    closedir(folder);
    return found;
}
