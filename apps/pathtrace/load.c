/* SPDX-License-Identifier: Apache-2.0 */
/* An OBJ file and the MTL files beside it, or a PLY file, as a scene. What is not there is grey: meshes often come
 * without. */
#include "scene.h"

#include "app.h"
#include "meshfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct load {
    struct scene *scene;
    const char *path;
    uint32_t material;
    bool failed; /* a material file is wrong, c says how */
    struct complaint *c;
};

static void add_point(void *to, const float p[3]) { scene_point(((struct load *)to)->scene, vec(p[0], p[1], p[2])); }

static void add_normal(void *to, const float n[3]) {
    scene_normal(((struct load *)to)->scene, unit(vec(n[0], n[1], n[2])));
}

static void add_triangle(void *to, const uint32_t corners[3], const uint32_t *normals) {
    const struct load *load = to;
    scene_triangle(load->scene, corners, normals, load->material);
}

static void note_missing(struct scene *scene, const char *name, int length) {
    if (!*scene->missing) {
        memcpy(scene->missing, name, (size_t)length);
        scene->missing[length] = 0;
    }
}

/* False: there is no such file. */
static bool add_file(struct load *load, const char *name, int length) {
    size_t size;
    char *path = textfile_beside(load->path, name, length);
    const bool there = !access(path, R_OK);
    if (there && !load->failed) {
        char *text = textfile_load(path, &size, load->c);
        load->failed = !text || !mtl_parse(load->scene, text, size, path, load->c);
        free(text);
    }
    free(path);
    return there;
}

/* One name with blanks in it, or several names. */
static void add_library(void *to, const char *names, int length) {
    struct load *load = to;
    if (!strcmp(load->path, "-") || add_file(load, names, length))
        return;
    for (int at = 0, next; at < length; at = next + 1) {
        for (next = at; next < length && names[next] != ' ' && names[next] != '\t';)
            next++;
        if (next > at && (next - at == length || !add_file(load, names + at, next - at)))
            note_missing(load->scene, names + at, next - at);
    }
}

static void use_material(void *to, const char *name, int length) {
    struct load *load = to;
    load->material = 0;
    if (!scene_has_material(load->scene, name, length, &load->material))
        note_missing(load->scene, name, length);
}

bool scene_read(struct scene *scene, const char *path, struct complaint *c) {
    struct load load = {.scene = scene, .path = path, .c = c};
    struct complaint own;
    const struct obj_sink sink = {&load, add_point, add_normal, add_triangle, add_library, use_material};
    size_t size;
    char *bytes = meshfile_load(path, &size, c);
    if (!bytes)
        return false;
    const bool good = meshfile_scan(&sink, bytes, size, strcmp(path, "-") ? path : "standard input", NULL, &own);
    free(bytes);
    if (!good && !load.failed)
        *c = own;
    return good && !load.failed;
}
