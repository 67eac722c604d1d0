/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a run: two files, or those of a folder by name (numbers in names by value). */
#include "ccd.h"

#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

static int compare_names(const void *left, const void *right) {
    const char *a = *(char *const *)left, *b = *(char *const *)right;
    while (*a && *b) {
        if (is_digit(*a) && is_digit(*b)) {
            char *a_end, *b_end;
            const unsigned long x = strtoul(a, &a_end, 10), y = strtoul(b, &b_end, 10);
            if (x != y)
                return x < y ? -1 : 1;
            a = a_end, b = b_end;
        } else if (*a != *b)
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        else
            a++, b++;
    }
    return *a ? 1 : *b ? -1 : 0;
}

static void add(struct frames *frames, const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = app_alloc(size, 1);
    snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", name);
    frames->path = app_resize(frames->path, (size_t)frames->count + 1, sizeof *frames->path);
    frames->path[frames->count++] = path;
}

static bool is_frame(const char *name) {
    const char *end = strrchr(name, '.');
    return end && *name != '.' && (!strcmp(end, ".ply") || !strcmp(end, ".obj"));
}

static bool find_in(struct frames *frames, const char *folder, struct complaint *c) {
    DIR *all = opendir(folder);
    if (!all)
        return complain(c, folder, 0, "%s", strerror(errno));
    for (const struct dirent *entry; (entry = readdir(all));)
        if (is_frame(entry->d_name))
            add(frames, folder, entry->d_name);
    closedir(all);
    if (frames->count < 2)
        return complain(c, folder, 0, "%ld files end in .ply or .obj: two frames are needed", frames->count);
    qsort(frames->path, (size_t)frames->count, sizeof *frames->path, compare_names);
    return true;
}

bool frames_find(struct frames *frames, char *const *input, int count, struct complaint *c) {
    struct stat status;
    *frames = (struct frames){.steps = 1};
    if (count == 2)
        for (int k = 0; k < 2; k++)
            add(frames, "", input[k]);
    if (count == 1 && stat(input[0], &status))
        return complain(c, input[0], 0, "%s", strerror(errno));
    if (count == 1 && !S_ISDIR(status.st_mode))
        return complain(c, input[0], 0, "one frame: two, or a folder, are needed");
    if (count == 1 && !find_in(frames, input[0], c))
        return false;
    frames->steps = frames->count ? frames->count - 1 : 1;
    return true;
}

void frames_free(struct frames *frames) {
    for (long k = 0; k < frames->count; k++)
        free(frames->path[k]);
    free(frames->path);
    *frames = (struct frames){.path = NULL};
}
