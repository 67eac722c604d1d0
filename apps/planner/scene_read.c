/* SPDX-License-Identifier: Apache-2.0 */
/* Planning scenes and requests of MoveIt as YAML, read by libyaml. */
#include "scene.h"

#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

enum { FOLDERS_MOST = 16, PATH_LONGEST = 4096 };

struct reading {
    const char *path;
    struct complaint *complaint;
    yaml_document_t document;
};

#define refuse(r, node, ...) complain((r)->complaint, (r)->path, (node)->start_mark.line + 1, __VA_ARGS__)

/* ---- nodes */

static yaml_node_t *get(struct reading *r, const yaml_node_t *map, const char *key) {
    if (!map || map->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_document_get_node(&r->document, pair->key);
        if (name && name->type == YAML_SCALAR_NODE && !strcmp((const char *)name->data.scalar.value, key))
            return yaml_document_get_node(&r->document, pair->value);
    }
    return NULL;
}

static long length(const yaml_node_t *list) {
    return list && list->type == YAML_SEQUENCE_NODE ? list->data.sequence.items.top - list->data.sequence.items.start
                                                    : 0;
}

static yaml_node_t *item(struct reading *r, const yaml_node_t *list, long k) {
    return k >= 0 && k < length(list) ? yaml_document_get_node(&r->document, list->data.sequence.items.start[k]) : NULL;
}

static const char *text_of(const yaml_node_t *node) {
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

static bool number(struct reading *r, const yaml_node_t *node, const yaml_node_t *where, double *to) {
    const char *text = text_of(node);
    char *end;
    *to = strtod(text, &end);
    if (end == text || *end || !isfinite(*to) || fabs(*to) > 1e6)
        return refuse(r, node ? node : where, "'%.40s': a finite number is expected", text);
    return true;
}

static bool numbers(struct reading *r, const yaml_node_t *map, const char *key, double *to, long count) {
    const yaml_node_t *list = get(r, map, key);
    if (length(list) != count)
        return refuse(r, list ? list : map, "%s: expected [%ld numbers]", key, count);
    for (long k = 0; k < count; k++)
        if (!number(r, item(r, list, k), list, &to[k]))
            return false;
    return true;
}

/* ---- scenes */

struct place {
    double turn[9], move[3]; /* rows; turn: from the object to the world */
};

static bool get_pose(struct reading *r, const yaml_node_t *node, struct place *place) {
    double q[4];
    if (!numbers(r, node, "position", place->move, 3) || !numbers(r, node, "orientation", q, 4))
        return false;
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (fabs(norm - 1) > 1e-3)
        return refuse(r, node, "orientation: not a unit quaternion (length %g)", norm);
    const double x = q[0] / norm, y = q[1] / norm, z = q[2] / norm, w = q[3] / norm;
    const double turn[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                            2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                            2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(place->turn, turn, sizeof turn);
    return true;
}

static struct place place_in(const struct place *a, const struct place *b) {
    struct place c;
    for (int i = 0; i < 3; i++) {
        c.move[i] = a->move[i];
        for (int j = 0; j < 3; j++) {
            c.move[i] += a->turn[3 * i + j] * b->move[j];
            c.turn[3 * i + j] = 0;
            for (int k = 0; k < 3; k++)
                c.turn[3 * i + j] += a->turn[3 * i + k] * b->turn[3 * k + j];
        }
    }
    return c;
}

static bool get_shape(struct reading *r, const yaml_node_t *node, struct obstacle *o) {
    const char *type = text_of(get(r, node, "type"));
    double size[3];
    long count = !strcmp(type, "box") ? 3 : !strcmp(type, "cylinder") ? 2 : !strcmp(type, "sphere") ? 1 : 0;
    if (!count)
        return refuse(r, node, "type '%.40s': expected box, cylinder or sphere", type);
    if (!numbers(r, node, "dimensions", size, count))
        return false;
    for (long k = 0; k < count; k++)
        if (!(size[k] > 0))
            return refuse(r, node, "dimensions: %g: must be above 0", size[k]);
    if (count == 1)
        o->round = (float)size[0];
    else if (count == 2) { /* height, radius */
        o->cylinder = 1;
        o->half[0] = o->half[1] = (float)size[1];
        o->half[2] = (float)(size[0] / 2);
    } else
        for (int k = 0; k < 3; k++)
            o->half[k] = (float)(size[k] / 2);
    return true;
}

static bool get_object(struct reading *r, const yaml_node_t *object, struct problems *all, struct problem *problem,
                       uint32_t may_touch) {
    const yaml_node_t *shapes = get(r, object, "primitives"), *poses = get(r, object, "primitive_poses");
    struct place base = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    if (length(get(r, object, "meshes")) || length(get(r, object, "planes")))
        return refuse(r, object, "object %.40s: meshes and planes are not supported: boxes, cylinders, spheres are",
                      text_of(get(r, object, "id")));
    if (!length(shapes) || length(shapes) != length(poses))
        return refuse(r, object, "object %.40s: %ld primitives, but %ld primitive_poses", text_of(get(r, object, "id")),
                      length(shapes), length(poses));
    if (get(r, object, "pose") && !get_pose(r, get(r, object, "pose"), &base))
        return false;
    for (long k = 0; k < length(shapes); k++) {
        struct place own;
        double axes[9];
        if (problem->count == OBSTACLES_MOST)
            return refuse(r, object, "more than %d obstacles", OBSTACLES_MOST);
        if (!get_pose(r, item(r, poses, k), &own))
            return false;
        own = place_in(&base, &own);
        for (int i = 0; i < 9; i++)
            axes[i] = own.turn[i % 3 * 3 + i / 3];
        struct obstacle *o = problems_obstacle(all, axes, own.move);
        o->free = may_touch;
        if (!get_shape(r, item(r, shapes, k), o))
            return false;
    }
    return true;
}

/* Row and column of a name in the matrix of collisions that are allowed; -1: not there. */
static long entry(struct reading *r, const yaml_node_t *matrix, const char *name) {
    const yaml_node_t *list = get(r, matrix, "entry_names");
    for (long k = 0; k < length(list); k++)
        if (!strcmp(text_of(item(r, list, k)), name))
            return k;
    return -1;
}

static bool allowed(struct reading *r, const yaml_node_t *matrix, long row, long column, bool otherwise) {
    const yaml_node_t *rows = get(r, matrix, "entry_values"), *line = item(r, rows, row);
    const yaml_node_t *cells = line && line->type == YAML_MAPPING_NODE ? get(r, line, "enabled") : line;
    const yaml_node_t *cell = column < 0 || row < 0 ? NULL : item(r, cells, column);
    return cell ? !strcmp(text_of(cell), "true") : otherwise;
}

static bool get_scene(struct reading *r, struct problems *all, struct problem *problem, const struct robot *robot,
                      const struct robot_names *names) {
    const yaml_node_t *root = yaml_document_get_root_node(&r->document),
                      *matrix = get(r, root, "allowed_collision_matrix"),
                      *objects = get(r, get(r, root, "world"), "collision_objects");
    long at[LINKS_MOST];
    if (length(get(r, get(r, root, "robot_state"), "attached_collision_objects")))
        return refuse(r, root, "attached_collision_objects are not supported");
    for (int k = 0; k < robot->links; k++)
        at[k] = entry(r, matrix, names->link[k]);
    for (int k = 0; k < robot->links; k++)
        for (int other = 0; other < robot->links; other++) {
            const bool near = !(names->apart[k] >> other & 1);
            if (k != other && !allowed(r, matrix, at[k], at[other], near))
                problem->apart[k] |= 1u << other;
        }
    for (long k = 0; k < length(objects); k++) {
        const yaml_node_t *object = item(r, objects, k);
        const long row = entry(r, matrix, text_of(get(r, object, "id")));
        uint32_t may_touch = 0;
        for (int link = 0; link < robot->links; link++)
            may_touch |= (uint32_t)allowed(r, matrix, row, at[link], false) << link;
        if (!get_object(r, object, all, problem, may_touch))
            return false;
    }
    return true;
}

/* ---- requests */

static int joint_named(const struct robot *robot, const struct robot_names *names, const char *name) {
    for (int j = 0; j < robot->joints; j++)
        if (!strcmp(names->joint[j], name))
            return j;
    return -1;
}

static bool all_joints(struct reading *r, const yaml_node_t *node, const struct robot *robot,
                       const struct robot_names *names, uint32_t seen, const char *what) {
    for (int j = 0; j < robot->joints; j++)
        if (!(seen >> j & 1))
            return refuse(r, node, "%s has no position of joint %s", what, names->joint[j]);
    return true;
}

static bool get_start(struct reading *r, const yaml_node_t *root, const struct robot *robot,
                      const struct robot_names *names, struct problem *problem) {
    const yaml_node_t *state = get(r, get(r, root, "start_state"), "joint_state"), *name = get(r, state, "name"),
                      *position = get(r, state, "position");
    uint32_t seen = 0;
    if (length(name) != length(position))
        return refuse(r, state, "start_state: %ld names, but %ld positions", length(name), length(position));
    for (long k = 0; k < length(name); k++) {
        const int j = joint_named(robot, names, text_of(item(r, name, k)));
        double value;
        if (!number(r, item(r, position, k), position, &value))
            return false;
        if (j >= 0)
            problem->start[j] = (float)value, seen |= 1u << j;
    }
    return all_joints(r, state ? state : root, robot, names, seen, "start_state");
}

static bool get_goal(struct reading *r, const yaml_node_t *root, const struct robot *robot,
                     const struct robot_names *names, struct problem *problem) {
    const yaml_node_t *goals = get(r, root, "goal_constraints"), *list = get(r, item(r, goals, 0), "joint_constraints");
    uint32_t seen = 0;
    if (length(goals) != 1 || !length(list))
        return refuse(r, goals ? goals : root, "goal_constraints: one goal of joint_constraints is expected");
    for (long k = 0; k < length(list); k++) {
        const yaml_node_t *one = item(r, list, k);
        const int j = joint_named(robot, names, text_of(get(r, one, "joint_name")));
        double value;
        if (j < 0)
            return refuse(r, one, "joint_name %.40s: the robot has no such joint that moves",
                          text_of(get(r, one, "joint_name")));
        if (!number(r, get(r, one, "position"), one, &value))
            return false;
        problem->goal[j] = (float)value, seen |= 1u << j;
    }
    return all_joints(r, list, robot, names, seen, "goal_constraints");
}

/* ---- files */

static bool load(struct reading *r, const struct yaml_text *text) {
    yaml_parser_t parser;
    r->path = text->path;
    if (!yaml_parser_initialize(&parser))
        return complain(r->complaint, r->path, 0, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text->text, text->size);
    bool good = yaml_parser_load(&parser, &r->document);
    if (!good)
        complain(r->complaint, r->path, parser.problem_mark.line + 1, "%s",
                 parser.problem ? parser.problem : "not YAML");
    else if (!yaml_document_get_root_node(&r->document)) {
        good = complain(r->complaint, r->path, 0, "empty");
        yaml_document_delete(&r->document);
    }
    yaml_parser_delete(&parser);
    return good;
}

bool problems_parse(struct problems *all, const struct robot *robot, const struct robot_names *names, const char *name,
                    const struct yaml_text *request, const struct yaml_text *scene, struct complaint *c) {
    struct reading r = {.complaint = c};
    problems_add(all, name);
    if (!load(&r, request))
        return false;
    struct problem *problem = &all->problem[all->count - 1];
    const yaml_node_t *root = yaml_document_get_root_node(&r.document);
    bool good = get_start(&r, root, robot, names, problem) && get_goal(&r, root, robot, names, problem);
    yaml_document_delete(&r.document);
    if (!good || !load(&r, scene))
        return false;
    good = get_scene(&r, all, problem, robot, names);
    yaml_document_delete(&r.document);
    return good;
}

/* The end of a path that tells problems apart: its folder and what follows "request" in the file's name. */
static void name_of(const char *request, const char *number, char *name) {
    const char *slash = strrchr(request, '/'), *from = slash ? slash : request;
    while (from > request && from[-1] != '/')
        from--;
    const int folder = slash ? (int)(slash - from) : 0, digits = (int)strcspn(number, ".");
    snprintf(name, NAME_MOST * 2, "%.*s%s%.*s", folder, from, folder ? "/" : "", digits, number);
}

static bool read_pair(struct problems *all, const struct robot *robot, const struct robot_names *names,
                      const char *folder, const char *number, struct complaint *c) {
    char path[2][PATH_LONGEST], name[NAME_MOST * 2];
    struct yaml_text text[2];
    snprintf(path[0], sizeof path[0], "%srequest%s", folder, number);
    snprintf(path[1], sizeof path[1], "%sscene%s", folder, number);
    name_of(path[0], number, name);
    for (int k = 0; k < 2; k++) {
        text[k].path = path[k];
        text[k].text = textfile_load(path[k], &text[k].size, c);
    }
    const bool good = text[0].text && text[1].text && problems_parse(all, robot, names, name, &text[0], &text[1], c);
    free((char *)(uintptr_t)text[0].text);
    free((char *)(uintptr_t)text[1].text);
    return good;
}

static bool ends_in_yaml(const char *name) {
    const size_t n = strlen(name);
    return (n > 5 && !strcmp(name + n - 5, ".yaml")) || (n > 4 && !strcmp(name + n - 4, ".yml"));
}

static bool read_folder(struct problems *all, const struct robot *robot, const struct robot_names *names,
                        const char *path, int depth, struct complaint *c) {
    struct dirent **entry;
    const int count = scandir(path, &entry, NULL, alphasort);
    bool good = count >= 0;
    if (!good)
        complain(c, path, 0, "%s", strerror(errno));
    for (int k = 0; k < count; k++) {
        const char *name = entry[k]->d_name;
        char inner[PATH_LONGEST];
        struct stat about;
        const int n = snprintf(inner, sizeof inner, "%s/%s", path, name);
        if (good && name[0] != '.' && n < (int)sizeof inner && !stat(inner, &about)) {
            if (S_ISDIR(about.st_mode) && depth < FOLDERS_MOST)
                good = read_folder(all, robot, names, inner, depth + 1, c);
            else if (!strncmp(name, "request", 7) && ends_in_yaml(name)) {
                inner[n - (int)strlen(name)] = 0;
                good = read_pair(all, robot, names, inner, name + 7, c);
            }
        }
        free(entry[k]);
    }
    if (count >= 0)
        free(entry);
    return good;
}

bool problems_read(struct problems *all, const struct robot *robot, const struct robot_names *names, const char *path,
                   struct complaint *c) {
    struct stat about;
    const size_t before = all->count;
    if (stat(path, &about))
        return complain(c, path, 0, "%s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return read_folder(all, robot, names, path, 0, c) &&
               (all->count > before || complain(c, path, 0, "no request*.yaml in it"));
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *number = !strncmp(name, "scene", 5) ? name + 5 : !strncmp(name, "request", 7) ? name + 7 : NULL;
    if (!number || strlen(path) > PATH_LONGEST - 16)
        return complain(c, path, 0, "expected a folder, or a file scene*.yaml or request*.yaml");
    char folder[PATH_LONGEST];
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    return read_pair(all, robot, names, folder, number, c);
}
