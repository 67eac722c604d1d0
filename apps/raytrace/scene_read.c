/* SPDX-License-Identifier: Apache-2.0 */
/* Scene files: a line is an object; README.md lists them. Words after the fixed numbers are keys, each with its own
 * numbers. */
#include "scene.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 1000, WORDS_MOST = 100 };

struct line {
    struct scene *scene;
    const char *name, *folder;
    size_t number;
    char text[LINE_MOST + 1];
    char *word[WORDS_MOST];
    int count, at;
    bool failed;
    struct complaint *c;
};

#define COMPLAIN(line, ...) ((line)->failed = true, complain((line)->c, (line)->name, (line)->number, __VA_ARGS__))

static const char *peek(const struct line *line) { return line->at < line->count ? line->word[line->at] : NULL; }

static bool is_number(const char *word, float *value) {
    char *end;
    if (!word)
        return false;
    const double x = strtod(word, &end);
    *value = (float)x;
    return end != word && !*end;
}

/* The next word as a number from `low` to `high`; 0 after an error. */
static float number(struct line *line, const char *what, float low, float high) {
    float value = 0;
    const char *word = peek(line);
    if (line->failed)
        return 0;
    if (!word)
        COMPLAIN(line, "%s: a number is missing", what);
    else if (!is_number(word, &value))
        COMPLAIN(line, "%s: '%s' is no number", what, word);
    else if (!(value >= low && value <= high))
        COMPLAIN(line, "%s: %s is out of range (%g to %g)", what, word, (double)low, (double)high);
    line->at++;
    return line->failed ? 0 : value;
}

static struct vec3 three(struct line *line, const char *what, float low, float high) {
    const float x = number(line, what, low, high), y = number(line, what, low, high), z = number(line, what, low, high);
    return vec(x, y, z);
}

static struct vec3 place(struct line *line, const char *what) {
    return three(line, what, -SCENE_COORDINATE_MOST, SCENE_COORDINATE_MOST);
}
static struct vec3 colour(struct line *line, const char *what) { return three(line, what, 0, 1e4f); }

static struct vec3 direction(struct line *line, const char *what) {
    const struct vec3 d = place(line, what), u = unit(d);
    if (!line->failed && !(dot(u, u) > 0.5f))
        COMPLAIN(line, "%s: the direction has no length", what);
    return u;
}

static const char *text(struct line *line, const char *what) {
    const char *word = peek(line);
    if (!word && !line->failed)
        COMPLAIN(line, "%s: a name is missing", what);
    line->at++;
    return word ? word : "";
}

/* Takes the next word if it is this key. */
static bool key(struct line *line, const char *name) {
    const bool here = !line->failed && peek(line) && !strcmp(peek(line), name);
    line->at += here;
    return here;
}

/* After all keys. */
static bool odd_word(struct line *line, const char *keys) {
    return COMPLAIN(line, "%s: unexpected '%s'; it may have: %s", line->word[0], peek(line), keys);
}

static bool more(const struct line *line) { return !line->failed && line->at < line->count; }

static uint32_t material_name(struct line *line) {
    const char *name = text(line, "material");
    const long at = scene_find_material(line->scene, name);
    if (at < 0 && !line->failed)
        COMPLAIN(line, "material '%s' is not defined above this line", name);
    return at < 0 ? 0 : (uint32_t)at;
}

/* `material NAME`, or nothing: the default one. */
static uint32_t material_only(struct line *line) {
    uint32_t material = 0;
    while (more(line))
        if (key(line, "material"))
            material = material_name(line);
        else
            odd_word(line, "material NAME");
    return material;
}

static void read_camera(struct line *line) {
    struct camera camera = {.up = {0, 1, 0}, .fov = 40};
    bool from = false, at = false;
    while (more(line))
        if (key(line, "from"))
            camera.from = place(line, "from"), from = true;
        else if (key(line, "at"))
            camera.at = place(line, "at"), at = true;
        else if (key(line, "up"))
            camera.up = direction(line, "up");
        else if (key(line, "fov"))
            camera.fov = number(line, "fov", 0.01f, 170);
        else
            odd_word(line, "from X Y Z, at X Y Z, up X Y Z, fov DEGREES");
    if (!line->failed && (!from || !at))
        COMPLAIN(line, "camera: it needs from X Y Z and at X Y Z");
    const struct vec3 look = minus(camera.at, camera.from), side = cross(unit(look), camera.up);
    if (!line->failed && !(dot(look, look) > 0))
        COMPLAIN(line, "camera: from and at are the same place");
    if (!line->failed && !(dot(side, side) > 1e-10f))
        COMPLAIN(line, "camera: it looks along up; say another up");
    line->scene->camera = camera;
    line->scene->has_camera = true;
}

static void read_background(struct line *line) {
    line->scene->below = line->scene->above = colour(line, "background");
    while (more(line))
        if (key(line, "to"))
            line->scene->above = colour(line, "to");
        else
            odd_word(line, "to R G B");
    line->scene->has_background = true;
}

static void read_ambient(struct line *line) {
    line->scene->ambient = colour(line, "ambient");
    if (more(line))
        odd_word(line, "three numbers only");
}

static void read_light(struct line *line) {
    struct light light = {.colour = {1, 1, 1}, .sun = !strcmp(line->word[0], "sun")};
    light.place = light.sun ? direction(line, "sun") : place(line, "light");
    while (more(line))
        if (key(line, "colour"))
            light.colour = colour(line, "colour");
        else if (key(line, "radius"))
            light.radius = number(line, "radius", 0, SCENE_COORDINATE_MOST);
        else
            odd_word(line, "colour R G B, radius R");
    if (!line->failed)
        scene_light(line->scene, light);
}

static void read_checks(struct line *line, struct material *m) {
    m->checks = 1 / number(line, "checks", 1e-6f, SCENE_COORDINATE_MOST);
    m->other = colour(line, "checks");
}

static void read_material(struct line *line) {
    char name[SCENE_NAME_MOST];
    struct material m = scene_plain_material();
    float shade = -1;
    if (snprintf(name, sizeof name, "%s", text(line, "material")) >= SCENE_NAME_MOST && !line->failed)
        COMPLAIN(line, "material: the name is longer than %d letters", SCENE_NAME_MOST - 1);
    while (more(line))
        if (key(line, "colour"))
            m.colour = colour(line, "colour");
        else if (key(line, "checks"))
            read_checks(line, &m);
        else if (key(line, "ambient"))
            m.ambient = number(line, "ambient", 0, 100);
        else if (key(line, "diffuse"))
            m.diffuse = number(line, "diffuse", 0, 100);
        else if (key(line, "specular"))
            m.specular = number(line, "specular", 0, 100);
        else if (key(line, "shine"))
            m.shine = (int32_t)number(line, "shine", 1, 10000);
        else if (key(line, "reflect"))
            m.reflect = number(line, "reflect", 0, 1);
        else if (key(line, "transmit"))
            m.transmit = number(line, "transmit", 0, 1);
        else if (key(line, "index"))
            m.index = number(line, "index", 1, 10);
        else if (key(line, "shade"))
            shade = number(line, "shade", 0, 1);
        else
            odd_word(line, "colour, checks, ambient, diffuse, specular, shine, reflect, transmit, index, shade");
    shade = shade < 0 ? 1 - 0.75f * m.transmit : shade;
    m.shade = (int32_t)(shade * SCENE_SHADE_OPAQUE + 0.5f);
    if (!line->failed)
        scene_material(line->scene, name, m);
}

static void read_sphere(struct line *line) {
    const struct vec3 centre = place(line, "sphere");
    const float radius = number(line, "radius", 1e-9f, SCENE_COORDINATE_MOST);
    const uint32_t material = material_only(line);
    if (!line->failed)
        scene_sphere(line->scene, centre, radius, material);
}

static void read_plane(struct line *line) {
    const struct vec3 normal = direction(line, "plane");
    const float offset = number(line, "offset", -SCENE_COORDINATE_MOST, SCENE_COORDINATE_MOST);
    const uint32_t material = material_only(line);
    if (!line->failed)
        scene_plane(line->scene, normal, offset, material);
}

static void read_triangle(struct line *line) {
    struct vec3 corner[3];
    uint32_t at[3];
    for (int k = 0; k < 3; k++)
        corner[k] = place(line, "triangle");
    const uint32_t material = material_only(line);
    for (int k = 0; k < 3 && !line->failed; k++)
        at[k] = scene_point(line->scene, corner[k]);
    if (!line->failed)
        scene_triangle(line->scene, at, NULL, material);
}

static float factor(struct line *line) {
    const float value = number(line, "scale", -1e6f, 1e6f);
    if (!line->failed && !(fabsf(value) >= 1e-6f))
        COMPLAIN(line, "scale: a factor must not be 0");
    return value;
}

/* The keys of meshes and shapes; true: one was taken. */
static bool placing_key(struct line *line, struct placing *placing) {
    float ignored;
    if (key(line, "material"))
        placing->material = material_name(line);
    else if (key(line, "smooth"))
        placing->smooth = true;
    else if (key(line, "move"))
        placing->move = place(line, "move");
    else if (key(line, "rotate"))
        placing->turn = three(line, "rotate", -3600, 3600);
    else if (key(line, "scale")) {
        const float x = factor(line);
        placing->scale = vec(x, x, x);
        if (is_number(peek(line), &ignored))
            placing->scale.y = factor(line), placing->scale.z = factor(line);
    } else
        return false;
    return true;
}

#define PLACING_KEYS "material NAME, scale S or X Y Z, rotate X Y Z, move X Y Z, smooth"

static void read_mesh(struct line *line) {
    struct placing placing = placing_none();
    char path[2 * LINE_MOST + 300];
    const char *file = text(line, "mesh");
    while (more(line))
        if (!placing_key(line, &placing))
            odd_word(line, PLACING_KEYS);
    if (line->failed)
        return;
    if (!line->folder) {
        COMPLAIN(line, "mesh: files cannot be read from here");
        return;
    }
    if (*file == '/' || !*line->folder)
        snprintf(path, sizeof path, "%s", file);
    else
        snprintf(path, sizeof path, "%.*s/%s", LINE_MOST, line->folder, file);
    if (!obj_read(line->scene, path, &placing, line->c)) {
        const size_t used = strlen(line->c->text);
        snprintf(line->c->text + used, sizeof line->c->text - used, " (the mesh of %.100s:%zu)", line->name,
                 (size_t)line->number);
        line->failed = true;
    }
}

/* A word makes the triangles, so the file's length is no bound: 260 bytes each, with the hierarchy. */
static void check_room(struct line *line, long triangles) {
    const double needed = (double)(line->scene->triangle_count + (size_t)triangles) * 260, room = app_memory_free();
    if (line->scene->triangle_count + (size_t)triangles > SCENE_PRIMITIVES_MOST)
        COMPLAIN(line, "shape: more than %u triangles", SCENE_PRIMITIVES_MOST);
    else if (room >= 0 && needed > room)
        COMPLAIN(line, "shape: %ld triangles more need %.1f GB, %.1f GB are free", triangles, needed * 1e-9,
                 room * 1e-9);
}

static void read_shape(struct line *line) {
    struct placing placing = placing_none();
    long seed = 1;
    const char *shape = text(line, "shape");
    const long triangles = (long)number(line, "triangles", 1, 1e8f);
    while (more(line))
        if (key(line, "seed"))
            seed = (long)number(line, "seed", 0, 1e9f);
        else if (!placing_key(line, &placing))
            odd_word(line, "seed N, " PLACING_KEYS);
    if (!line->failed)
        check_room(line, triangles);
    if (!line->failed && !generate_shape(line->scene, shape, triangles, (uint64_t)seed, &placing))
        COMPLAIN(line, "shape: '%s' is none of terrain, knot, blob, or it leaves the range of coordinates", shape);
}

static const struct {
    const char *name;
    void (*read)(struct line *line);
} kinds[] = {
    {"camera", read_camera}, {"background", read_background}, {"ambient", read_ambient},   {"light", read_light},
    {"sun", read_light},     {"material", read_material},     {"sphere", read_sphere},     {"plane", read_plane},
    {"mesh", read_mesh},     {"shape", read_shape},           {"triangle", read_triangle}, {NULL, NULL}};

/* Cuts the line into words; "two words" in quotes are one. */
static bool split(struct line *line) {
    char *at = line->text;
    line->count = line->at = 0;
    for (;;) {
        at += strspn(at, " \t\r");
        if (!*at || *at == '#')
            return true;
        if (line->count == WORDS_MOST)
            return COMPLAIN(line, "more than %d words", WORDS_MOST);
        const bool quoted = *at == '"';
        char *end = quoted ? strchr(at + 1, '"') : at + strcspn(at, " \t\r#");
        if (!end)
            return COMPLAIN(line, "a quotation mark is not closed");
        line->word[line->count++] = at + quoted;
        const bool last = !*end || *end == '#';
        *end = 0;
        if (last)
            return true;
        at = end + 1;
    }
}

static bool read_line(struct line *line) {
    if (!split(line))
        return false;
    if (!line->count)
        return true;
    for (int k = 0; kinds[k].name; k++)
        if (!strcmp(kinds[k].name, line->word[0])) {
            line->at = 1;
            kinds[k].read(line);
            return !line->failed;
        }
    return COMPLAIN(
        line,
        "'%s': expected camera, background, ambient, light, sun, material, sphere, plane, mesh, shape or triangle",
        line->word[0]);
}

bool scene_parse(struct scene *scene, const char *all, size_t size, const char *name, const char *folder,
                 struct complaint *c) {
    struct line *line = app_alloc(1, sizeof *line);
    bool good = true;
    *line = (struct line){.scene = scene, .name = name, .folder = folder, .c = c};
    for (size_t at = 0; at < size && good;) {
        const char *end = memchr(all + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - all) - at : size - at;
        line->number++;
        if (length > LINE_MOST)
            good = COMPLAIN(line, "the line is longer than %d letters", LINE_MOST);
        else if (memchr(all + at, 0, length))
            good = COMPLAIN(line, "a byte of value 0: this is no text");
        if (good) {
            memcpy(line->text, all + at, length);
            line->text[length] = 0;
            good = read_line(line);
        }
        at += length + 1;
    }
    if (good && !scene->triangle_count && !scene->sphere_count && !scene->plane_count)
        good = complain(c, name, 0, "nothing to see: no sphere, plane, triangle, mesh or shape");
    free(line);
    return good;
}

static bool is_obj(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".obj");
}

bool scene_read(struct scene *scene, const char *path, struct complaint *c) {
    const struct placing placing = placing_none();
    char folder[LINE_MOST + 1] = "";
    const char *slash = strrchr(path, '/');
    size_t size;
    if (is_obj(path))
        return obj_read(scene, path, &placing, c);
    if (slash && slash - path <= LINE_MOST)
        memcpy(folder, path, slash == path ? 1 : (size_t)(slash - path));
    char *all = textfile_load(path, &size, c);
    const bool good = all && scene_parse(scene, all, size, strcmp(path, "-") ? path : "standard input", folder, c);
    free(all);
    return good;
}
