/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of nodes and tetrahedra, and the files that hold them. */
#include "softbody.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

static void *make_room(void *old, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return old;
    *room = *room ? 2 * *room : 64;
    return app_resize(old, *room, size);
}

void tets_point(struct tets *tets, const double point[3]) {
    tets->point = make_room(tets->point, tets->points, &tets->points_room, sizeof *tets->point);
    memcpy(tets->point[tets->points++], point, sizeof *tets->point);
}

void tets_tet(struct tets *tets, const uint32_t tet[4]) {
    tets->tet = make_room(tets->tet, tets->tets, &tets->tets_room, sizeof *tets->tet);
    memcpy(tets->tet[tets->tets++], tet, sizeof *tets->tet);
}

void tets_free(struct tets *tets) {
    free(tets->point);
    free(tets->tet);
    *tets = (struct tets){.point = NULL};
}

static bool ends_in(const char *path, const char *suffix) {
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && !strcmp(path + length - end, suffix);
}

static bool read_tetgen(struct tets *tets, const char *path, struct complaint *c) {
    const size_t stem = strlen(path) - 4 - (ends_in(path, ".node") ? 1 : 0);
    char *name = app_alloc(stem + 6, 1), *text;
    size_t size;
    long first = 0;
    snprintf(name, stem + 6, "%.*s.node", (int)stem, path);
    bool good = (text = textfile_load(name, &size, c)) && tetgen_parse_nodes(tets, text, size, name, &first, c);
    free(text);
    if (good) {
        snprintf(name, stem + 6, "%.*s.ele", (int)stem, path);
        good = (text = textfile_load(name, &size, c)) && tetgen_parse_tets(tets, text, size, name, first, c);
        free(text);
    }
    free(name);
    return good;
}

bool tets_read(struct tets *tets, const char *path, struct complaint *c) {
    *tets = (struct tets){.point = NULL};
    bool good = false;
    if (ends_in(path, ".node") || ends_in(path, ".ele"))
        good = read_tetgen(tets, path, c);
    else if (ends_in(path, ".msh")) {
        size_t size;
        char *text = textfile_load(path, &size, c);
        good = text && gmsh_parse(tets, text, size, path, c);
        free(text);
    } else
        complain(c, path, 0, "the name must end in .node, .ele or .msh");
    if (!good)
        tets_free(tets);
    return good;
}
