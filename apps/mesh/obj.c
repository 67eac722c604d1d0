/* SPDX-License-Identifier: Apache-2.0 */
/* Wavefront OBJ: v, vn, f with v, v/t, v//n, v/t/n; indices from 1, negative ones count back from the last so far.
 * Polygons are cut into fans. Texture coordinates, groups, lines, points and curves are left out; all else is an
 * error. */
#include "obj.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS_MOST = 100000 };

struct obj {
    const struct obj_sink *sink;
    const char *name;
    size_t number; /* of the line */
    const char *at, *end;
    size_t point_count, normal_count, triangle_count, textures;
    uint32_t *points, *normals; /* of the face that is read */
    size_t room;
    struct complaint *c;
};

#define COMPLAIN(obj, ...) complain((obj)->c, (obj)->name, (obj)->number, __VA_ARGS__)

static void skip_space(struct obj *obj) {
    while (obj->at < obj->end && (*obj->at == ' ' || *obj->at == '\t' || *obj->at == '\r'))
        obj->at++;
}

static bool at_end(struct obj *obj) {
    skip_space(obj);
    return obj->at == obj->end || *obj->at == '#';
}

static bool is_space(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n' || letter == '#' || !letter;
}

/* Length of the word that is next, for messages. */
static int word(const struct obj *obj) {
    int length = 0;
    while (obj->at + length < obj->end && length < 40 && !is_space(obj->at[length]))
        length++;
    return length;
}

/* The text ends with a 0 byte or a line's end, so strtod stops in time. */
static bool read_float(struct obj *obj, const char *what, float *value) {
    char *end;
    if (at_end(obj))
        return COMPLAIN(obj, "%s: three numbers are needed", what);
    const double x = strtod(obj->at, &end);
    if (end == obj->at || end > obj->end || !is_space(*end))
        return COMPLAIN(obj, "%s: '%.*s' is no number", what, word(obj), obj->at);
    if (!(fabs(x) <= (double)OBJ_COORDINATE_MOST))
        return COMPLAIN(obj, "%s: %.*s is out of range (at most %g)", what, word(obj), obj->at,
                        (double)OBJ_COORDINATE_MOST);
    *value = (float)x;
    obj->at = end;
    return true;
}

static bool read_vector(struct obj *obj, const char *what, float v[3]) {
    return read_float(obj, what, &v[0]) && read_float(obj, what, &v[1]) && read_float(obj, what, &v[2]);
}

static bool read_point(struct obj *obj) {
    float v[3];
    if (!read_vector(obj, "v", v))
        return false;
    if (obj->point_count++ >= OBJ_COUNT_MOST)
        return COMPLAIN(obj, "more than %u points", OBJ_COUNT_MOST);
    obj->sink->point(obj->sink->to, v); /* a fourth number (weight) or a colour may follow */
    return true;
}

static bool read_normal(struct obj *obj) {
    float v[3];
    if (!read_vector(obj, "vn", v))
        return false;
    obj->normal_count++;
    obj->sink->normal(obj->sink->to, v);
    return true;
}

/* An index of `count` things so far; *index counts from 0. */
static bool read_index(struct obj *obj, const char *what, size_t count, uint32_t *index) {
    char *end;
    const long value = strtol(obj->at, &end, 10);
    if (end == obj->at || end > obj->end || is_space(*obj->at))
        return COMPLAIN(obj, "f: '%.*s' is no index", word(obj), obj->at);
    obj->at = end;
    if (value == 0 || value > (long)count || value < -(long)count)
        return COMPLAIN(obj, "f: %s %ld does not exist: %zu so far%s", what, value, count,
                        value ? "" : ", counted from 1");
    *index = (uint32_t)(value > 0 ? value - 1 : (long)count + value);
    return true;
}

/* point[/[texture][/normal]] */
static bool read_corner(struct obj *obj, size_t corner) {
    uint32_t ignored, *point = &obj->points[corner], *normal = &obj->normals[corner];
    *normal = OBJ_NO_NORMAL;
    if (!read_index(obj, "point", obj->point_count, point))
        return false;
    if (obj->at < obj->end && *obj->at == '/') {
        obj->at++;
        const bool texture = obj->at < obj->end && *obj->at != '/' && !is_space(*obj->at);
        if (texture && !read_index(obj, "texture", obj->textures, &ignored))
            return false;
        if (obj->at < obj->end && *obj->at == '/') {
            obj->at++;
            if (!read_index(obj, "normal", obj->normal_count, normal))
                return false;
        }
    }
    if (obj->at < obj->end && !is_space(*obj->at))
        return COMPLAIN(obj, "f: unexpected '%.*s' behind an index", word(obj), obj->at);
    return true;
}

static bool read_face(struct obj *obj) {
    size_t count = 0;
    for (; !at_end(obj); count++) {
        if (count == CORNERS_MOST)
            return COMPLAIN(obj, "f: more than %d corners", CORNERS_MOST);
        if (count == obj->room) {
            obj->room = 2 * obj->room + 8;
            obj->points = app_resize(obj->points, obj->room, sizeof *obj->points);
            obj->normals = app_resize(obj->normals, obj->room, sizeof *obj->normals);
        }
        if (!read_corner(obj, count))
            return false;
    }
    if (count < 3)
        return COMPLAIN(obj, "f: a face needs three corners, here are %zu", count);
    if (obj->triangle_count + count > OBJ_COUNT_MOST)
        return COMPLAIN(obj, "more than %u triangles", OBJ_COUNT_MOST);
    for (size_t k = 2; k < count; k++) {
        const uint32_t corners[3] = {obj->points[0], obj->points[k - 1], obj->points[k]};
        const uint32_t normals[3] = {obj->normals[0], obj->normals[k - 1], obj->normals[k]};
        const bool smooth = normals[0] != OBJ_NO_NORMAL && normals[1] != OBJ_NO_NORMAL && normals[2] != OBJ_NO_NORMAL;
        obj->sink->triangle(obj->sink->to, corners, smooth ? normals : NULL);
        obj->triangle_count++;
    }
    return true;
}

/* What pictures of the shape do without. */
static bool is_left_out(const char *name, int length) {
    static const char *const names[] = {"vt",     "vp",     "g",          "o",         "s",        "l",
                                        "p",      "mg",     "bevel",      "c_interp",  "d_interp", "lod",
                                        "usemap", "maplib", "shadow_obj", "trace_obj", NULL};
    for (int k = 0; names[k]; k++)
        if ((int)strlen(names[k]) == length && !memcmp(names[k], name, (size_t)length))
            return true;
    return false;
}

/* Some programs write the numbers of points and triangles before all else. */
static bool is_count(const struct obj *obj, const char *name, int length) {
    bool digits = !obj->point_count && !obj->triangle_count;
    for (int k = 0; k < length; k++)
        digits &= name[k] >= '0' && name[k] <= '9';
    return digits;
}

/* The rest of the line is the name, blanks in it included. */
static bool read_material(struct obj *obj, bool library) {
    void (*const tell)(void *, const char *, int) = library ? obj->sink->library : obj->sink->material;
    const char *end = obj->end;
    if (at_end(obj))
        return true; /* some programs write no name */
    while (end > obj->at && is_space(end[-1]))
        end--;
    if (end - obj->at > OBJ_NAME_MOST)
        return COMPLAIN(obj, "%s: a name of more than %d letters", library ? "mtllib" : "usemtl", OBJ_NAME_MOST);
    if (tell)
        tell(obj->sink->to, obj->at, (int)(end - obj->at));
    return true;
}

static bool read_statement(struct obj *obj) {
    if (at_end(obj))
        return true;
    const char *name = obj->at;
    const int length = word(obj);
    obj->at += length;
    if (length == 1 && *name == 'v')
        return read_point(obj);
    if (length == 1 && *name == 'f')
        return read_face(obj);
    if (length == 2 && name[0] == 'v' && name[1] == 'n')
        return read_normal(obj);
    obj->textures += length == 2 && name[0] == 'v' && name[1] == 't';
    if (length == 6 && (!memcmp(name, "mtllib", 6) || !memcmp(name, "usemtl", 6)))
        return read_material(obj, name[0] == 'm');
    if (is_left_out(name, length) || is_count(obj, name, length))
        return true;
    return COMPLAIN(obj, "'%.*s' is no statement of an OBJ file", length, name);
}

bool obj_scan(const struct obj_sink *sink, const char *text, size_t size, const char *name, struct complaint *c) {
    struct obj obj = {.sink = sink, .name = name, .c = c};
    bool good = true;
    for (const char *at = text, *last = text + size; at < last && good;) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        obj.at = at;
        obj.end = end ? end : last;
        obj.number++;
        good = read_statement(&obj);
        at = obj.end + 1;
    }
    free(obj.points);
    free(obj.normals);
    obj.number = 0;
    if (good && !obj.triangle_count)
        return COMPLAIN(&obj, "the file has no faces (%zu points)", obj.point_count);
    return good;
}
