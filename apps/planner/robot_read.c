/* SPDX-License-Identifier: Apache-2.0 */
/* URDF (ROS' Unified Robot Description Format): expat finds links, joints and collision spheres, then fixed joints are
 * folded into the bodies that the others move. */
#include "robot.h"

#include "app.h"

#include <expat.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { RAW_MOST = 256, DEPTH_MOST = 64, TEXT_MOST = 16 << 20 };

struct frame {
    double turn[9], move[3];
};

struct raw_link {
    char name[NAME_MOST];
    int first, count; /* spheres */
    int body;         /* -1: not placed yet */
    struct frame at;  /* in the body's frame */
};

struct raw_joint {
    char name[NAME_MOST], parent[NAME_MOST], child[NAME_MOST];
    enum { RAW_FIXED, RAW_TURNS, RAW_TURNS_ON, RAW_SLIDES } kind;
    struct frame origin;
    double axis[3], low, high;
    bool limited, placed;
    size_t line;
};

struct raw_sphere {
    double at[3], radius;
    int link;
};

struct urdf {
    XML_Parser parser;
    const char *path;
    struct complaint *complaint;
    bool failed;
    int depth;
    char name[NAME_MOST];
    struct raw_link *link;     /* the one that is read, NULL outside */
    struct raw_joint *joint;   /* the same */
    struct raw_sphere *sphere; /* inside collision: the same */
    bool collision, has_radius;
    int links, joints, spheres;
    struct raw_link all_links[RAW_MOST];
    struct raw_joint all_joints[RAW_MOST];
    struct raw_sphere all_spheres[SPHERES_MOST];
    struct frame sphere_origin;
};

static void __attribute__((format(printf, 2, 3))) fail(struct urdf *u, const char *format, ...) {
    if (u->failed)
        return;
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    complain(u->complaint, u->path, XML_GetCurrentLineNumber(u->parser), "%s", text);
    u->failed = true;
    XML_StopParser(u->parser, XML_FALSE);
}

static const char *find(const XML_Char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return NULL;
}

static bool get_name(struct urdf *u, const XML_Char **attributes, const char *what, char *to) {
    const char *text = find(attributes, what);
    if (!text || !*text || strlen(text) >= NAME_MOST) {
        fail(u, "%s: a name of 1 to %d characters is expected", what, NAME_MOST - 1);
        return false;
    }
    memcpy(to, text, strlen(text) + 1);
    return true;
}

/* Leaves `to` as it is where the attribute is missing. */
static void get_numbers(struct urdf *u, const XML_Char **attributes, const char *name, double *to, int count) {
    const char *text = find(attributes, name);
    double value[3];
    if (!text)
        return;
    for (int k = 0; k < count; k++) {
        char *end;
        value[k] = strtod(text, &end);
        if (end == text || !isfinite(value[k]) || fabs(value[k]) > 1e6) {
            fail(u, "%s=\"%s\": expected %d finite number%s", name, find(attributes, name), count,
                 count > 1 ? "s" : "");
            return;
        }
        text = end;
    }
    if (text[strspn(text, " \t\r\n")])
        fail(u, "%s=\"%s\": expected %d number%s", name, find(attributes, name), count, count > 1 ? "s" : "");
    else
        memcpy(to, value, (size_t)count * sizeof *to);
}

static struct frame frame_product(const struct frame *a, const struct frame *b) {
    struct frame c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            c.turn[3 * i + j] =
                a->turn[3 * i] * b->turn[j] + a->turn[3 * i + 1] * b->turn[3 + j] + a->turn[3 * i + 2] * b->turn[6 + j];
        c.move[i] = a->move[i] + a->turn[3 * i] * b->move[0] + a->turn[3 * i + 1] * b->move[1] +
                    a->turn[3 * i + 2] * b->move[2];
    }
    return c;
}

static const struct frame frame_none = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static struct frame get_origin(struct urdf *u, const XML_Char **attributes) {
    struct frame f = frame_none;
    double rpy[3] = {0, 0, 0};
    get_numbers(u, attributes, "xyz", f.move, 3);
    get_numbers(u, attributes, "rpy", rpy, 3);
    const double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]), cy = cos(rpy[2]),
                 sy = sin(rpy[2]);
    const double turn[9] = {cy * cp,
                            cy * sp * sr - sy * cr,
                            cy * sp * cr + sy * sr,
                            sy * cp,
                            sy * sp * sr + cy * cr,
                            sy * sp * cr - cy * sr,
                            -sp,
                            cp * sr,
                            cp * cr};
    memcpy(f.turn, turn, sizeof turn);
    return f;
}

static void start_link(struct urdf *u, const XML_Char **attributes) {
    if (u->links == RAW_MOST) {
        fail(u, "more than %d links", RAW_MOST);
        return;
    }
    struct raw_link *link = &u->all_links[u->links];
    *link = (struct raw_link){.first = u->spheres, .body = -1};
    if (!get_name(u, attributes, "name", link->name))
        return;
    for (int k = 0; k < u->links; k++)
        if (!strcmp(u->all_links[k].name, link->name))
            fail(u, "link %s is there already", link->name);
    u->link = link;
    u->links++;
}

static void start_joint(struct urdf *u, const XML_Char **attributes) {
    static const char *const kinds[] = {"fixed", "revolute", "continuous", "prismatic"};
    const char *type = find(attributes, "type");
    if (u->joints == RAW_MOST) {
        fail(u, "more than %d joints", RAW_MOST);
        return;
    }
    struct raw_joint *joint = &u->all_joints[u->joints];
    *joint = (struct raw_joint){.origin = frame_none, .axis = {1, 0, 0}, .line = XML_GetCurrentLineNumber(u->parser)};
    if (!get_name(u, attributes, "name", joint->name))
        return;
    for (int k = 0; type && k < 4; k++)
        if (!strcmp(type, kinds[k])) {
            joint->kind = (unsigned)k;
            u->joint = joint;
            u->joints++;
            return;
        }
    fail(u, "joint %s: type %s: expected fixed, revolute, continuous or prismatic", joint->name,
         type ? type : "missing");
}

static void in_joint(struct urdf *u, const char *element, const XML_Char **attributes) {
    struct raw_joint *joint = u->joint;
    if (!strcmp(element, "origin"))
        joint->origin = get_origin(u, attributes);
    else if (!strcmp(element, "parent"))
        get_name(u, attributes, "link", joint->parent);
    else if (!strcmp(element, "child"))
        get_name(u, attributes, "link", joint->child);
    else if (!strcmp(element, "axis"))
        get_numbers(u, attributes, "xyz", joint->axis, 3);
    else if (!strcmp(element, "limit")) {
        joint->limited = find(attributes, "lower") || find(attributes, "upper");
        get_numbers(u, attributes, "lower", &joint->low, 1);
        get_numbers(u, attributes, "upper", &joint->high, 1);
    } else if (!strcmp(element, "mimic") && joint->kind != RAW_FIXED)
        fail(u, "joint %s follows another one (mimic), which is not supported: make it fixed", joint->name);
}

static void in_collision(struct urdf *u, const char *element, const XML_Char **attributes) {
    static const char *const other[] = {"box", "cylinder", "mesh", "capsule"};
    if (!strcmp(element, "origin"))
        u->sphere_origin = get_origin(u, attributes);
    else if (!strcmp(element, "sphere")) {
        if (u->spheres == SPHERES_MOST) {
            fail(u, "more than %d spheres", SPHERES_MOST);
            return;
        }
        u->sphere = &u->all_spheres[u->spheres];
        *u->sphere = (struct raw_sphere){.radius = -1};
        get_numbers(u, attributes, "radius", &u->sphere->radius, 1);
        if (!(u->sphere->radius > 0))
            fail(u, "link %s: a sphere needs a radius above 0", u->link->name);
    }
    for (int k = 0; k < 4; k++)
        if (!strcmp(element, other[k]))
            fail(u, "link %s: collision geometry is a %s, spheres are needed (a spherized URDF)", u->link->name,
                 element);
}

static void XMLCALL on_start(void *data, const XML_Char *element, const XML_Char **attributes) {
    struct urdf *u = data;
    if (u->failed)
        return;
    if (++u->depth > DEPTH_MOST)
        fail(u, "elements in more than %d others", DEPTH_MOST);
    else if (u->depth == 1 && strcmp(element, "robot"))
        fail(u, "element <%s>: expected <robot>", element);
    else if (u->depth == 1)
        get_name(u, attributes, "name", u->name);
    else if (u->depth == 2 && !strcmp(element, "link"))
        start_link(u, attributes);
    else if (u->depth == 2 && !strcmp(element, "joint"))
        start_joint(u, attributes);
    else if (u->joint)
        in_joint(u, element, attributes);
    else if (u->link && u->depth == 3 && !strcmp(element, "collision")) {
        u->collision = true;
        u->sphere = NULL;
        u->sphere_origin = frame_none;
    } else if (u->collision)
        in_collision(u, element, attributes);
}

static void XMLCALL on_end(void *data, const XML_Char *element) {
    struct urdf *u = data;
    if (u->failed)
        return;
    (void)element;
    u->depth--;
    if (u->depth == 2 && u->collision) {
        u->collision = false;
        if (u->sphere) {
            memcpy(u->sphere->at, u->sphere_origin.move, sizeof u->sphere->at);
            u->sphere->link = (int)(u->link - u->all_links);
            u->link->count++;
            u->spheres++;
        }
    } else if (u->depth == 1)
        u->link = NULL, u->joint = NULL;
}

/* ---- from links and joints to bodies */

static struct raw_link *link_named(struct urdf *u, const char *name) {
    for (int k = 0; k < u->links; k++)
        if (!strcmp(u->all_links[k].name, name))
            return &u->all_links[k];
    return NULL;
}

/* A turn that brings z to the axis. */
static bool frame_of_axis(const double *axis, struct frame *f) {
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > 1e-6))
        return false;
    const double z[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
    double x[3] = {1, 0, 0};
    if (fabs(z[0]) > .9)
        x[0] = 0, x[1] = 1;
    const double along = x[0] * z[0] + x[1] * z[1] + x[2] * z[2];
    double norm = 0;
    for (int k = 0; k < 3; k++) {
        x[k] -= along * z[k];
        norm += x[k] * x[k];
    }
    norm = sqrt(norm);
    *f = frame_none;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        f->turn[3 * k] = x[k] / norm;
        f->turn[3 * k + 1] = (z[a] * x[b] - z[b] * x[a]) / norm;
        f->turn[3 * k + 2] = z[k];
    }
    return true;
}

static bool place_joint(struct urdf *u, struct robot *robot, struct robot_names *names, struct raw_joint *raw,
                        const struct raw_link *parent, struct raw_link *child) {
    struct frame axis, back = frame_none, at = frame_product(&parent->at, &raw->origin);
    child->body = parent->body;
    child->at = at;
    if (raw->kind == RAW_FIXED)
        return true;
    if (robot->joints == JOINTS_MOST)
        return complain(u->complaint, u->path, raw->line, "more than %d joints that move", JOINTS_MOST);
    if (!frame_of_axis(raw->axis, &axis))
        return complain(u->complaint, u->path, raw->line, "joint %s: its axis is 0 0 0", raw->name);
    if (raw->kind == RAW_TURNS_ON && !raw->limited)
        raw->low = -M_PI, raw->high = M_PI;
    else if (!raw->limited || !(raw->low < raw->high))
        return complain(u->complaint, u->path, raw->line, "joint %s needs limits, lower below upper", raw->name);
    at = frame_product(&at, &axis);
    struct joint *joint = &robot->joint[robot->joints];
    *joint = (struct joint){
        .parent = parent->body, .slides = raw->kind == RAW_SLIDES, .low = (float)raw->low, .high = (float)raw->high};
    for (int k = 0; k < 9; k++) {
        joint->turn[k] = (float)at.turn[k];
        back.turn[k] = axis.turn[k % 3 * 3 + k / 3];
    }
    for (int k = 0; k < 3; k++)
        joint->move[k] = (float)at.move[k];
    memcpy(names->joint[robot->joints], raw->name, NAME_MOST);
    child->body = ++robot->joints;
    child->at = back;
    return true;
}

static bool place_all(struct urdf *u, struct robot *robot, struct robot_names *names) {
    struct raw_link *root = NULL;
    for (int k = 0; k < u->joints; k++) {
        const struct raw_joint *joint = &u->all_joints[k];
        if (!link_named(u, joint->parent) || !link_named(u, joint->child))
            return complain(u->complaint, u->path, joint->line, "joint %s: there is no link %s", joint->name,
                            link_named(u, joint->parent) ? joint->child : joint->parent);
        for (int other = 0; other < k; other++)
            if (!strcmp(u->all_joints[other].child, joint->child))
                return complain(u->complaint, u->path, joint->line, "link %s has two parents", joint->child);
    }
    for (int k = 0; k < u->links; k++) {
        bool is_child = false;
        for (int j = 0; j < u->joints; j++)
            is_child |= !strcmp(u->all_joints[j].child, u->all_links[k].name);
        if (!is_child && root)
            return complain(u->complaint, u->path, 0, "links %s and %s have no parent: one robot is expected",
                            root->name, u->all_links[k].name);
        root = is_child ? root : &u->all_links[k];
    }
    if (!root)
        return complain(u->complaint, u->path, 0, "no link without a parent");
    root->body = 0;
    root->at = frame_none;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < u->joints; k++) {
            struct raw_joint *joint = &u->all_joints[k];
            const struct raw_link *parent = link_named(u, joint->parent);
            if (joint->placed || parent->body < 0)
                continue;
            if (!place_joint(u, robot, names, joint, parent, link_named(u, joint->child)))
                return false;
            joint->placed = more = true;
        }
    }
    for (int k = 0; k < u->joints; k++)
        if (!u->all_joints[k].placed)
            return complain(u->complaint, u->path, u->all_joints[k].line, "joint %s hangs on itself",
                            u->all_joints[k].name);
    return robot->joints > 0 || complain(u->complaint, u->path, 0, "no joint moves");
}

static bool gather(struct urdf *u, struct robot *robot, struct robot_names *names) {
    int spheres = 0;
    for (int body = 0; body <= robot->joints; body++)
        for (int k = 0; k < u->links; k++) {
            const struct raw_link *raw = &u->all_links[k];
            if (raw->body != body || !raw->count)
                continue;
            if (robot->links == LINKS_MOST)
                return complain(u->complaint, u->path, 0, "more than %d links with spheres", LINKS_MOST);
            memcpy(names->link[robot->links], raw->name, NAME_MOST);
            robot->link[robot->links++] = (struct link_spheres){.body = body, .first = spheres, .count = raw->count};
            for (int s = raw->first; s < raw->first + raw->count; s++, spheres++) {
                const struct raw_sphere *sphere = &u->all_spheres[s];
                for (int i = 0; i < 3; i++)
                    robot->sphere[spheres][i] =
                        (float)(raw->at.move[i] + raw->at.turn[3 * i] * sphere->at[0] +
                                raw->at.turn[3 * i + 1] * sphere->at[1] + raw->at.turn[3 * i + 2] * sphere->at[2]);
                robot->sphere[spheres][3] = (float)sphere->radius;
            }
        }
    return robot->links > 0 ||
           complain(u->complaint, u->path, 0, "no link has collision spheres: a spherized URDF is needed");
}

static bool parse(struct urdf *u, const char *text, size_t size) {
    if (size > TEXT_MOST)
        return complain(u->complaint, u->path, 0, "larger than %d MB", TEXT_MOST >> 20);
    XML_SetUserData(u->parser, u);
    XML_SetElementHandler(u->parser, on_start, on_end);
    if (XML_Parse(u->parser, text, (int)size, 1) == XML_STATUS_OK || u->failed)
        return !u->failed;
    return complain(u->complaint, u->path, XML_GetCurrentLineNumber(u->parser), "%s",
                    XML_ErrorString(XML_GetErrorCode(u->parser)));
}

bool robot_parse(struct robot *robot, struct robot_names *names, const char *path, const char *text, size_t size,
                 struct complaint *c) {
    *robot = (struct robot){0};
    *names = (struct robot_names){.apart = {0}};
    struct urdf *u = app_alloc(1, sizeof *u);
    memset(u, 0, sizeof *u);
    u->path = path, u->complaint = c, u->parser = XML_ParserCreate(NULL);
    const bool good = u->parser ? parse(u, text, size) && place_all(u, robot, names) && gather(u, robot, names)
                                : complain(c, path, 0, "out of memory");
    if (u->parser)
        XML_ParserFree(u->parser);
    memcpy(names->robot, u->name, NAME_MOST);
    free(u);
    if (good)
        robot_finish(robot, names);
    return good;
}

bool robot_read(struct robot *robot, struct robot_names *names, const char *path, struct complaint *c) {
    size_t size;
    char *text = textfile_load(path, &size, c);
    const bool good = text && robot_parse(robot, names, path, text, size, c);
    free(text);
    return good;
}
