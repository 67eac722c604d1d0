/* SPDX-License-Identifier: Apache-2.0 */
/* PLY: ascii, binary_little_endian, binary_big_endian. Of element vertex x, y, z are taken, of element face the list
 * vertex_indices (or vertex_index), polygons as fans; all else is skipped by its type. */
#include "meshfile.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MOST = 16, PROPERTIES_MOST = 64, CORNERS_MOST = 100000, WORD_MOST = 40 };
enum form { ASCII, LITTLE, BIG };
enum type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, TYPES };
static const int type_size[TYPES] = {1, 1, 2, 2, 4, 4, 4, 8};

struct property {
    enum type type, count_type;
    bool list;
    int axis; /* 0, 1, 2: x, y, z of a vertex; -1 */
    bool corners;
};
struct element {
    char name[WORD_MOST];
    unsigned long count;
    int properties;
    struct property property[PROPERTIES_MOST];
};
struct ply {
    const struct obj_sink *sink;
    size_t points, faces;
    uint32_t rounded;
    const char *name, *at, *end;
    size_t line;
    enum form form;
    int elements;
    struct element element[ELEMENTS_MOST];
    uint32_t *corner;
    struct complaint *c;
};

#define COMPLAIN(ply, ...) complain((ply)->c, (ply)->name, (ply)->line, __VA_ARGS__)

static bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

/* The next word of the header's line; "" at its end. */
static void read_word(struct ply *ply, char word[WORD_MOST]) {
    int length = 0;
    while (ply->at < ply->end && is_blank(*ply->at))
        ply->at++;
    while (ply->at < ply->end && !is_blank(*ply->at) && *ply->at != '\n') {
        if (length < WORD_MOST - 1 && *ply->at)
            word[length++] = *ply->at;
        ply->at++;
    }
    word[length] = 0;
}

static bool next_line(struct ply *ply) {
    const char *end = memchr(ply->at, '\n', (size_t)(ply->end - ply->at));
    if (!end)
        return COMPLAIN(ply, "the header does not end");
    ply->at = end + 1;
    ply->line++;
    return true;
}

static bool find_type(struct ply *ply, const char *word, enum type *type) {
    static const char *const names[2][TYPES] = {
        {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"},
        {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"}};
    for (int set = 0; set < 2; set++)
        for (int k = 0; k < TYPES; k++)
            if (!strcmp(names[set][k], word)) {
                *type = (enum type)k;
                return true;
            }
    return COMPLAIN(ply, "'%s' is no type of PLY", word);
}

static bool read_format(struct ply *ply) {
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    char word[WORD_MOST];
    read_word(ply, word);
    for (int k = 0; k < 3; k++)
        if (!strcmp(names[k], word)) {
            ply->form = (enum form)k;
            return true;
        }
    return COMPLAIN(ply, "format '%s': expected ascii, binary_little_endian or binary_big_endian", word);
}

static bool read_element(struct ply *ply) {
    char word[WORD_MOST], *end;
    if (ply->elements == ELEMENTS_MOST)
        return COMPLAIN(ply, "more than %d elements", ELEMENTS_MOST);
    struct element *element = &ply->element[ply->elements++];
    *element = (struct element){.count = 0};
    read_word(ply, element->name);
    read_word(ply, word);
    element->count = strtoul(word, &end, 10);
    if (end == word || *end || *word == '-' || element->count > OBJ_COUNT_MOST)
        return COMPLAIN(ply, "element %s: '%s' is no number up to %u", element->name, word, OBJ_COUNT_MOST);
    return true;
}

static bool read_property(struct ply *ply) {
    char word[WORD_MOST];
    if (!ply->elements)
        return COMPLAIN(ply, "a property before the first element");
    struct element *element = &ply->element[ply->elements - 1];
    if (element->properties == PROPERTIES_MOST)
        return COMPLAIN(ply, "more than %d properties", PROPERTIES_MOST);
    struct property *property = &element->property[element->properties++];
    *property = (struct property){.axis = -1};
    read_word(ply, word);
    property->list = !strcmp(word, "list");
    if (property->list) {
        read_word(ply, word);
        if (!find_type(ply, word, &property->count_type))
            return false;
        if (property->count_type >= FLOAT32)
            return COMPLAIN(ply, "the length of a list is a %s", word);
        read_word(ply, word);
    }
    if (!find_type(ply, word, &property->type))
        return false;
    read_word(ply, word);
    if (!strcmp(element->name, "vertex") && !property->list && word[0] >= 'x' && word[0] <= 'z' && !word[1])
        property->axis = word[0] - 'x';
    property->corners = !strcmp(element->name, "face") && property->list && property->type < FLOAT32 &&
                        (!strcmp(word, "vertex_indices") || !strcmp(word, "vertex_index"));
    return true;
}

static bool read_header(struct ply *ply) {
    char word[WORD_MOST];
    bool formatted = false;
    while (next_line(ply)) {
        read_word(ply, word);
        bool good = true;
        if (!strcmp(word, "end_header"))
            return (formatted || COMPLAIN(ply, "the header has no format")) && next_line(ply);
        if (!strcmp(word, "format"))
            good = formatted = read_format(ply);
        else if (!strcmp(word, "element"))
            good = read_element(ply);
        else if (!strcmp(word, "property"))
            good = read_property(ply);
        else if (*word && strcmp(word, "comment") && strcmp(word, "obj_info"))
            good = COMPLAIN(ply, "'%s': expected format, element, property, comment or end_header", word);
        if (!good)
            return false;
    }
    return false;
}

static bool read_text(struct ply *ply, double *value) {
    char *end;
    while (ply->at < ply->end && (is_blank(*ply->at) || *ply->at == '\n'))
        ply->line += *ply->at++ == '\n';
    if (ply->at == ply->end)
        return COMPLAIN(ply, "the file ends too early");
    *value = strtod(ply->at, &end);
    if (end == ply->at || (end < ply->end && !is_blank(*end) && *end != '\n'))
        return COMPLAIN(ply, "'%.*s' is no number", (int)strcspn(ply->at, " \t\r\n") % WORD_MOST, ply->at);
    ply->at = end;
    return true;
}

static double decode(enum type type, const unsigned char bytes[8], bool big) {
    uint64_t bits = 0;
    const int size = type_size[type];
    for (int k = 0; k < size; k++)
        bits |= (uint64_t)bytes[big ? size - 1 - k : k] << 8 * k;
    const uint32_t low = (uint32_t)bits;
    float single;
    double real;
    memcpy(&single, &low, sizeof single);
    memcpy(&real, &bits, sizeof real);
    switch (type) {
    case INT8:
        return (int8_t)bits;
    case INT16:
        return (int16_t)bits;
    case INT32:
        return (int32_t)low;
    case FLOAT32:
        return (double)single;
    case FLOAT64:
        return real;
    default:
        return (double)bits;
    }
}

static bool read_value(struct ply *ply, enum type type, double *value) {
    if (ply->form == ASCII)
        return read_text(ply, value);
    unsigned char bytes[8] = {0};
    if (ply->end - ply->at < type_size[type])
        return COMPLAIN(ply, "the file ends too early");
    memcpy(bytes, ply->at, (size_t)type_size[type]);
    ply->at += type_size[type];
    *value = decode(type, bytes, ply->form == BIG);
    return true;
}

static bool read_list(struct ply *ply, const struct property *property, unsigned long points) {
    double count, value;
    if (!read_value(ply, property->count_type, &count))
        return false;
    if (!(count >= 0 && count <= CORNERS_MOST) || count != floor(count))
        return COMPLAIN(ply, "a list of %g values: expected 0 to %d", count, CORNERS_MOST);
    if (property->corners && count < 3)
        return COMPLAIN(ply, "a face needs three corners, face %zu has %g", ply->faces, count);
    for (int k = 0; k < (int)count; k++) {
        if (!read_value(ply, property->type, &value))
            return false;
        if (!property->corners)
            continue;
        if (!(value >= 0 && value < (double)points) || value != floor(value))
            return COMPLAIN(ply, "face %zu: vertex %g does not exist, there are %lu", ply->faces, value, points);
        ply->corner[k < 2 ? k : 2] = (uint32_t)value;
        if (k >= 2) {
            if (ply->faces == OBJ_COUNT_MOST)
                return COMPLAIN(ply, "more than %u triangles", OBJ_COUNT_MOST);
            ply->sink->triangle(ply->sink->to, ply->corner, NULL);
            ply->faces++;
            ply->corner[1] = ply->corner[2];
        }
    }
    return true;
}

static bool read_item(struct ply *ply, const struct element *element, unsigned long points) {
    float point[3] = {0, 0, 0};
    for (int k = 0; k < element->properties; k++) {
        const struct property *property = &element->property[k];
        double value;
        if (property->list) {
            if (!read_list(ply, property, points))
                return false;
            continue;
        }
        if (!read_value(ply, property->type, &value))
            return false;
        if (property->axis < 0)
            continue;
        if (!(fabs(value) <= (double)OBJ_COORDINATE_MOST))
            return COMPLAIN(ply, "vertex %zu: %g is out of range (at most %g)", ply->points, value,
                            (double)OBJ_COORDINATE_MOST);
        point[property->axis] = (float)value;
        ply->rounded += (double)point[property->axis] != value;
    }
    if (!strcmp(element->name, "vertex")) {
        ply->sink->point(ply->sink->to, point);
        ply->points++;
    }
    return true;
}

static bool look_at_header(struct ply *ply, unsigned long *points) {
    unsigned axes = 0;
    bool corners = false, seen = false;
    for (int e = 0; e < ply->elements; e++) {
        const struct element *element = &ply->element[e];
        const bool vertex = !strcmp(element->name, "vertex");
        if (vertex && seen)
            return COMPLAIN(ply, "element vertex stands there twice");
        seen |= vertex;
        if (vertex)
            *points = element->count;
        if (!element->properties && element->count)
            return COMPLAIN(ply, "element %s has no properties", element->name);
        for (int k = 0; k < element->properties; k++) {
            axes |= element->property[k].axis >= 0 ? 1u << element->property[k].axis : 0;
            corners |= element->property[k].corners;
        }
    }
    return (axes == 7 || COMPLAIN(ply, "vertices without x, y or z")) &&
           (corners || COMPLAIN(ply, "no element face with a list of integers vertex_indices"));
}

static bool read_elements(struct ply *ply) {
    unsigned long points = 0;
    if (!look_at_header(ply, &points))
        return false;
    for (int e = 0; e < ply->elements; e++) {
        const size_t line = ply->line;
        if (ply->form != ASCII)
            ply->line = 0; /* the file has no lines from here on */
        for (unsigned long k = 0; k < ply->element[e].count; k++)
            if (!read_item(ply, &ply->element[e], points))
                return false;
        ply->line = ply->form == ASCII ? ply->line : line;
    }
    ply->line = 0;
    return ply->faces || COMPLAIN(ply, "the file has no faces (%zu points)", ply->points);
}

bool ply_scan(const struct obj_sink *sink, const char *bytes, size_t size, const char *name, uint32_t *rounded,
              struct complaint *c) {
    struct ply *ply = app_alloc(1, sizeof *ply);
    uint32_t corner[3];
    *ply =
        (struct ply){.sink = sink, .name = name, .at = bytes, .end = bytes + size, .line = 1, .corner = corner, .c = c};
    const bool good = read_header(ply) && read_elements(ply);
    if (rounded)
        *rounded = ply->rounded;
    free(ply);
    return good;
}
