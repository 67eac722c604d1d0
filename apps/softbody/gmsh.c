/* SPDX-License-Identifier: Apache-2.0 */
/* Gmsh's .msh, versions 2.2 and 4.1 in ASCII: nodes, and elements of type 4 (tetrahedra) or 11 (of ten nodes, of which
 * four are taken). All else is skipped. */
#include "softbody.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tag {
    uint64_t tag;
    uint32_t node;
};
struct reader {
    struct tets *tets;
    const char *at, *end, *name;
    size_t line;
    struct complaint *c;
    struct tag *tag; /* by tag, once sorted */
    size_t tags, tags_room;
    bool four;
};

#define COMPLAIN(r, ...) complain((r)->c, (r)->name, (r)->line, __VA_ARGS__)

static bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n'; }

static void skip_blanks(struct reader *r) {
    while (r->at < r->end && is_blank(*r->at))
        r->line += *r->at++ == '\n';
}

static bool skip_line(struct reader *r) {
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (!end)
        return false;
    r->at = end + 1;
    r->line++;
    return true;
}

static bool read_number(struct reader *r, double *value) {
    char *end;
    skip_blanks(r);
    if (r->at == r->end)
        return COMPLAIN(r, "the file ends too early");
    *value = strtod(r->at, &end);
    if (end == r->at || (end < r->end && !is_blank(*end)))
        return COMPLAIN(r, "'%.*s' is no number", (int)strcspn(r->at, " \t\r\n") % 40, r->at);
    r->at = end;
    return true;
}

static bool read_whole(struct reader *r, double most, const char *what, uint64_t *value) {
    double number;
    if (!read_number(r, &number))
        return false;
    if (!(number >= 0 && number <= most) || number != floor(number))
        return COMPLAIN(r, "%s: %g: expected a whole number up to %.0f", what, number, most);
    *value = (uint64_t)number;
    return true;
}

static bool skip_numbers(struct reader *r, uint64_t count) {
    double number;
    for (uint64_t k = 0; k < count; k++)
        if (!read_number(r, &number))
            return false;
    return true;
}

static bool read_point(struct reader *r, uint64_t tag) {
    double point[3];
    for (int a = 0; a < 3; a++) {
        if (!read_number(r, &point[a]))
            return false;
        if (!(fabs(point[a]) <= SOFT_COORDINATE_MOST))
            return COMPLAIN(r, "%g is out of range (at most %g)", point[a], SOFT_COORDINATE_MOST);
    }
    if (r->tets->points == SOFT_NODES_MOST)
        return COMPLAIN(r, "more than %u nodes", SOFT_NODES_MOST);
    if (r->tags == r->tags_room) {
        r->tags_room = r->tags_room ? 2 * r->tags_room : 64;
        r->tag = app_resize(r->tag, r->tags_room, sizeof *r->tag);
    }
    r->tag[r->tags++] = (struct tag){tag, (uint32_t)r->tets->points};
    tets_point(r->tets, point);
    return true;
}

static int compare_tags(const void *x, const void *y) {
    const struct tag *a = x, *b = y;
    return a->tag < b->tag ? -1 : a->tag > b->tag;
}

static bool sort_tags(struct reader *r) {
    if (!r->tags)
        return COMPLAIN(r, "$Nodes holds no node");
    qsort(r->tag, r->tags, sizeof *r->tag, compare_tags);
    for (size_t k = 1; k < r->tags; k++)
        if (r->tag[k].tag == r->tag[k - 1].tag)
            return COMPLAIN(r, "node %llu is there twice", (unsigned long long)r->tag[k].tag);
    return true;
}

#define TAG_MOST 9007199254740992.0

static bool read_nodes(struct reader *r) {
    uint64_t blocks = 1, count, ignored, tag;
    if (r->tags)
        return COMPLAIN(r, "$Nodes stands there twice");
    if (r->four && !read_whole(r, SOFT_NODES_MOST, "blocks of nodes", &blocks))
        return false;
    if (!read_whole(r, SOFT_NODES_MOST, "nodes", &count) || (r->four && !skip_numbers(r, 2)))
        return false;
    if (!r->four) {
        for (uint64_t k = 0; k < count; k++)
            if (!read_whole(r, TAG_MOST, "number of a node", &tag) || !read_point(r, tag))
                return false;
        return sort_tags(r);
    }
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t parametric, dimension, here;
        if (!read_whole(r, 3, "dimension", &dimension) || !skip_numbers(r, 1) ||
            !read_whole(r, 1, "parametric", &parametric) || !read_whole(r, SOFT_NODES_MOST, "nodes of a block", &here))
            return false;
        const size_t first = r->tags;
        uint64_t *tags = NULL;
        size_t room = 0;
        bool good = true;
        for (uint64_t k = 0; k < here && good; k++) {
            if (k == room) { /* grows with the file, not with what it announces */
                room = room ? 2 * room : 64;
                tags = app_resize(tags, room, sizeof *tags);
            }
            good = read_whole(r, TAG_MOST, "number of a node", &tags[k]);
        }
        for (uint64_t k = 0; k < here && good; k++)
            good = read_point(r, tags[k]) && (!parametric || skip_numbers(r, dimension));
        free(tags);
        if (!good)
            return false;
        ignored = r->tags - first;
        if (ignored > count)
            return COMPLAIN(r, "%llu nodes were announced, there are more", (unsigned long long)count);
    }
    return sort_tags(r);
}

static bool read_tet(struct reader *r) {
    uint32_t tet[4];
    uint64_t number;
    for (int k = 0; k < 4; k++) {
        if (!read_whole(r, TAG_MOST, "node", &number))
            return false;
        const struct tag wanted = {number, 0},
                         *found = r->tags ? bsearch(&wanted, r->tag, r->tags, sizeof *r->tag, compare_tags) : NULL;
        if (!found)
            return COMPLAIN(r, "node %llu does not exist", (unsigned long long)number);
        tet[k] = found->node;
        for (int i = 0; i < k; i++)
            if (tet[i] == tet[k])
                return COMPLAIN(r, "node %llu is there twice", (unsigned long long)number);
    }
    if (r->tets->tets == SOFT_TETS_MOST)
        return COMPLAIN(r, "more than %u tetrahedra", SOFT_TETS_MOST);
    tets_tet(r->tets, tet);
    return true;
}

static bool read_elements(struct reader *r) {
    uint64_t blocks = 1, count, ignored, type = 0, tags = 0;
    if (r->four && !read_whole(r, TAG_MOST, "blocks of elements", &blocks))
        return false;
    if (!read_whole(r, TAG_MOST, "elements", &count) || (r->four && !skip_numbers(r, 2)))
        return false;
    for (uint64_t b = 0; b < blocks; b++) {
        if (r->four && (!skip_numbers(r, 2) || !read_whole(r, 1000, "type of elements", &type) ||
                        !read_whole(r, TAG_MOST, "elements of a block", &count)))
            return false;
        for (uint64_t k = 0; k < count; k++) {
            skip_blanks(r);
            if (r->at == r->end)
                return COMPLAIN(r, "the file ends after %llu of %llu elements", (unsigned long long)k,
                                (unsigned long long)count);
            if (!read_whole(r, TAG_MOST, "number of an element", &ignored))
                return false;
            if (!r->four && (!read_whole(r, 1000, "type of an element", &type) ||
                             !read_whole(r, 1000, "tags of an element", &tags) || !skip_numbers(r, tags)))
                return false;
            if ((type == 4 || type == 11) && !read_tet(r))
                return false;
            if (!skip_line(r))
                r->at = r->end;
        }
    }
    return true;
}

static bool read_format(struct reader *r) {
    double version, binary;
    if (!read_number(r, &version) || !read_number(r, &binary))
        return false;
    r->four = version >= 4.1 - 1e-9;
    if (!(fabs(version - 2.2) < 0.05 || fabs(version - 4.1) < 0.05 || fabs(version - 2) < 1e-9))
        return COMPLAIN(r, "version %g of .msh: 2.2 and 4.1 are read", version);
    return binary == 0 || COMPLAIN(r, "a binary .msh: only ASCII is read (gmsh -bin 0)");
}

static bool starts(const struct reader *r, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(r->end - r->at) >= length && !memcmp(r->at, word, length) &&
           (r->at + length == r->end || is_blank(r->at[length]));
}

static bool read_all(struct reader *r) {
    bool formatted = false, nodes = false;
    for (;;) {
        skip_blanks(r);
        if (r->at == r->end)
            break;
        bool good = true;
        if (starts(r, "$MeshFormat")) {
            r->at += strlen("$MeshFormat");
            good = formatted = read_format(r);
        } else if (starts(r, "$Nodes") || starts(r, "$Elements")) {
            const bool elements = r->at[1] == 'E';
            if (!formatted)
                return COMPLAIN(r, "no $MeshFormat before");
            if (elements && !nodes)
                return COMPLAIN(r, "$Elements before $Nodes");
            r->at += strlen(elements ? "$Elements" : "$Nodes");
            good = elements ? read_elements(r) : read_nodes(r);
            nodes |= !elements;
        } else if (!skip_line(r))
            break;
        if (!good)
            return false;
    }
    r->line = 0;
    return r->tets->tets || COMPLAIN(r, "the file has no tetrahedra");
}

bool gmsh_parse(struct tets *tets, const char *text, size_t size, const char *name, struct complaint *c) {
    struct reader r = {.tets = tets, .at = text, .end = text + size, .name = name, .line = 1, .c = c};
    const bool good = read_all(&r);
    free(r.tag);
    return good;
}
