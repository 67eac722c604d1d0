/* SPDX-License-Identifier: Apache-2.0 */
#include "meshfile.h"

#include "app.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_ply(const char *bytes, size_t size) { return size >= 4 && !memcmp(bytes, "ply", 3) && bytes[3] <= '\r'; }

bool meshfile_scan(const struct obj_sink *sink, const char *bytes, size_t size, const char *name, uint32_t *rounded,
                   struct complaint *c) {
    if (is_ply(bytes, size))
        return ply_scan(sink, bytes, size, name, rounded, c);
    if (memchr(bytes, 0, size))
        return complain(c, name, 0, "neither OBJ nor PLY: it has a byte 0");
    return obj_scan(sink, bytes, size, name, c);
}

/* What never ends is no text: all of a file whose beginning says PLY, otherwise up to the first byte 0. */
static char *load(FILE *file, size_t *size) {
    size_t room = 1 << 16, count = 0, before;
    char *all = NULL;
    bool more = true;
    while (more) {
        room *= 2;
        all = app_resize(all, room, 1);
        before = count;
        count += fread(all + count, 1, room - count - 1, file);
        more = count == room - 1 && (is_ply(all, count) || !memchr(all + before, 0, count - before));
    }
    all[count] = 0;
    *size = count;
    return all;
}

char *meshfile_load(const char *path, size_t *size, struct complaint *c) {
    const bool standard = !strcmp(path, "-");
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) {
        complain(c, path, 0, "%s", strerror(errno));
        return NULL;
    }
    char *bytes = load(file, size);
    const int failed = ferror(file) ? errno : 0;
    if (!standard)
        fclose(file);
    if (!failed)
        return bytes;
    complain(c, path, 0, "%s", strerror(failed));
    free(bytes);
    return NULL;
}
