/* SPDX-License-Identifier: Apache-2.0 */
/* Materials of Wavefront MTL files: newmtl, Kd, Ks, Ke, Tf, Ns, Ni, d, Tr, illum. Maps and what pictures of light do
 * without (Ka) are left out, and counted; all else is an error. */
#include "scene.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mtl {
    struct scene *scene;
    const char *name;
    size_t number;
    const char *at, *end;
    struct material *now; /* NULL: none yet */
    struct complaint *c;
};

#define COMPLAIN(mtl, ...) complain((mtl)->c, (mtl)->name, (mtl)->number, __VA_ARGS__)

static bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\r' || !letter; }

static bool at_end(struct mtl *mtl) {
    while (mtl->at < mtl->end && is_space(*mtl->at))
        mtl->at++;
    return mtl->at == mtl->end || *mtl->at == '#';
}

static int word(const struct mtl *mtl) {
    int length = 0;
    while (mtl->at + length < mtl->end && length < 40 && !is_space(mtl->at[length]))
        length++;
    return length;
}

static bool number(struct mtl *mtl, const char *what, double low, double high, float *value) {
    char *end;
    if (at_end(mtl))
        return COMPLAIN(mtl, "%s: a number is missing", what);
    const double x = strtod(mtl->at, &end);
    if (end == mtl->at || end > mtl->end || !(end == mtl->end || is_space(*end)))
        return COMPLAIN(mtl, "%s: '%.*s' is no number", what, word(mtl), mtl->at);
    if (!(x >= low && x <= high))
        return COMPLAIN(mtl, "%s: %.*s is out of range (%g to %g)", what, word(mtl), mtl->at, low, high);
    *value = (float)x;
    mtl->at = end;
    return true;
}

/* Red, green, blue; or one number for all. */
static bool colour(struct mtl *mtl, const char *what, double high, struct vec3 *v) {
    if (!number(mtl, what, 0, high, &v->x))
        return false;
    v->y = v->z = v->x;
    return at_end(mtl) || (number(mtl, what, 0, high, &v->y) && number(mtl, what, 0, high, &v->z));
}

static bool start_material(struct mtl *mtl) {
    const char *end = mtl->end;
    if (at_end(mtl))
        return COMPLAIN(mtl, "newmtl: the name is missing");
    while (end > mtl->at && is_space(end[-1]))
        end--;
    if (end - mtl->at > SCENE_NAME_MOST)
        return COMPLAIN(mtl, "newmtl: a name of more than %d letters", SCENE_NAME_MOST);
    const uint32_t number = scene_material(mtl->scene, mtl->at, (int)(end - mtl->at)); /* may move the materials */
    mtl->now = &mtl->scene->materials[number];
    *mtl->now = scene_grey();
    return true;
}

/* Blinn's exponent, as rough as GGX is with this alpha; from 1000 on, which programs write for 0, a mirror. */
static float roughness(float exponent) { return exponent >= 1000 ? 0 : sqrtf(2 / (exponent + 2)); }

static bool set_number(struct mtl *mtl, const char *name, struct material *m) {
    float x;
    if (!strcmp(name, "Ns")) {
        if (!number(mtl, name, 0, 1e9, &x))
            return false;
        m->roughness = roughness(x);
    } else if (!strcmp(name, "Ni")) {
        if (!number(mtl, name, 0, 100, &x))
            return false;
        m->index = x < 0.01f ? 1 : x;
    } else if (!strcmp(name, "d")) {
        if (!number(mtl, name, 0, 1, &x))
            return false;
        m->transmit = 1 - x;
    } else if (!strcmp(name, "Tr"))
        return number(mtl, name, 0, 1, &m->transmit);
    else { /* illum: 3 and 5 are mirrors */
        if (!number(mtl, name, 0, 10, &x))
            return false;
        m->roughness = x == 3 || x == 5 ? 0 : m->roughness;
    }
    return true;
}

static bool is_one_of(const char *const *names, const char *name) {
    for (; *names; names++)
        if (!strcmp(*names, name))
            return true;
    return false;
}

static bool read_statement(struct mtl *mtl) {
    static const char *const numbers[] = {"Ns", "Ni", "d", "Tr", "illum", NULL};
    static const char *const left_out[] = {
        "Ka",       "map_Ka",   "map_Kd",   "map_Ks", "map_Ke", "map_Ns", "map_d",     "bump",
        "map_bump", "map_Bump", "disp",     "decal",  "refl",   "norm",   "sharpness", "map_aat",
        "Pr",       "Pm",       "Ps",       "Pc",     "Pcr",    "aniso",  "anisor",    "map_Pr",
        "map_Pm",   "map_Ps",   "map_refl", "map_Tr", "map_Ni", "Km",     NULL};
    char name[41];
    if (at_end(mtl))
        return true;
    const int length = word(mtl);
    memcpy(name, mtl->at, (size_t)length);
    name[length] = 0;
    mtl->at += length;
    if (!strcmp(name, "newmtl"))
        return start_material(mtl);
    const bool colours = !strcmp(name, "Kd") || !strcmp(name, "Ks") || !strcmp(name, "Ke") || !strcmp(name, "Tf");
    if (!colours && !is_one_of(numbers, name)) {
        mtl->scene->notes += !strncmp(name, "map_", 4);
        return is_one_of(left_out, name) || COMPLAIN(mtl, "'%s' is no statement of an MTL file", name);
    }
    if (!mtl->now)
        return COMPLAIN(mtl, "%s: no newmtl before it", name);
    if (!colours)
        return set_number(mtl, name, mtl->now);
    return name[0] == 'T'   ? colour(mtl, name, 1, &mtl->now->tint)
           : name[1] == 'd' ? colour(mtl, name, 100, &mtl->now->diffuse)
           : name[1] == 's' ? colour(mtl, name, 100, &mtl->now->glossy)
                            : colour(mtl, name, (double)SCENE_LIGHT_MOST, &mtl->now->emit);
}

bool mtl_parse(struct scene *scene, const char *text, size_t size, const char *name, struct complaint *c) {
    struct mtl mtl = {.scene = scene, .name = name, .c = c};
    bool good = true;
    for (const char *at = text, *last = text + size; at < last && good;) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        mtl.at = at;
        mtl.end = end ? end : last;
        mtl.number++;
        good = read_statement(&mtl);
        at = mtl.end + 1;
    }
    return good;
}
