/* SPDX-License-Identifier: Apache-2.0 */
/* TetGen's .node and .ele: a line of counts, then a line each; comments from # on; numbers from 0 or from 1, as the
 * first node has it. Of ten corners four are taken. */
#include "softbody.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at, *end, *name;
    size_t line;
    struct complaint *c;
};

static bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r' || letter == ','; }

/* To the next line that holds something; false: there is none. */
static bool next_line(struct reader *r) {
    for (;;) {
        while (r->at < r->end && is_blank(*r->at))
            r->at++;
        if (r->at == r->end)
            return false;
        if (*r->at != '#' && *r->at != '\n')
            return true;
        const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
        r->at = end ? end + 1 : r->end;
        r->line += end != NULL;
    }
}

static bool end_line(struct reader *r) {
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = end ? end + 1 : r->end;
    r->line += end != NULL;
    return true;
}

static bool read_number(struct reader *r, double *value) {
    char *end;
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
    if (r->at == r->end || *r->at == '\n' || *r->at == '#')
        return complain(r->c, r->name, r->line, "a number is missing");
    *value = strtod(r->at, &end);
    if (end == r->at || (end < r->end && !is_blank(*end) && *end != '\n' && *end != '#'))
        return complain(r->c, r->name, r->line, "'%.*s' is no number", (int)strcspn(r->at, " \t\r\n") % 40, r->at);
    r->at = end;
    return true;
}

static bool read_whole(struct reader *r, double least, double most, const char *what, long *value) {
    double number;
    if (!read_number(r, &number))
        return false;
    if (!(number >= least && number <= most) || number != floor(number))
        return complain(r->c, r->name, r->line, "%s: %g: expected a whole number from %.0f to %.0f", what, number,
                        least, most);
    *value = (long)number;
    return true;
}

static bool read_head(struct reader *r, double most, const char *what, long *count, long *second, double low,
                      double high) {
    if (!next_line(r))
        return complain(r->c, r->name, 0, "the file is empty");
    return read_whole(r, 1, most, what, count) && read_whole(r, low, high, "the second number", second) && end_line(r);
}

bool tetgen_parse_nodes(struct tets *tets, const char *text, size_t size, const char *name, long *first,
                        struct complaint *c) {
    struct reader r = {text, text + size, name, 1, c};
    long count, dimensions, number;
    *first = 0;
    if (!read_head(&r, SOFT_NODES_MOST, "nodes", &count, &dimensions, 3, 3))
        return false;
    for (long k = 0; k < count; k++) {
        double point[3];
        if (!next_line(&r))
            return complain(c, name, r.line, "the file ends after %ld of %ld nodes", k, count);
        if (!read_whole(&r, k ? (double)(*first + k) : 0, k ? (double)(*first + k) : 1, "number of a node", &number))
            return false;
        *first = k ? *first : number;
        for (int a = 0; a < 3; a++) {
            if (!read_number(&r, &point[a]))
                return false;
            if (!(fabs(point[a]) <= SOFT_COORDINATE_MOST))
                return complain(c, name, r.line, "%g is out of range (at most %g)", point[a], SOFT_COORDINATE_MOST);
        }
        end_line(&r);
        tets_point(tets, point);
    }
    return true;
}

bool tetgen_parse_tets(struct tets *tets, const char *text, size_t size, const char *name, long first,
                       struct complaint *c) {
    struct reader r = {text, text + size, name, 1, c};
    long count, corners, number;
    if (!read_head(&r, SOFT_TETS_MOST, "tetrahedra", &count, &corners, 4, 10))
        return false;
    for (long k = 0; k < count; k++) {
        uint32_t tet[4];
        if (!next_line(&r))
            return complain(c, name, r.line, "the file ends after %ld of %ld tetrahedra", k, count);
        if (!read_whole(&r, 0, 2.0 * SOFT_TETS_MOST, "number of a tetrahedron", &number))
            return false;
        for (int a = 0; a < 4; a++) {
            if (!read_whole(&r, (double)first, (double)first + (double)tets->points - 1, "node", &number))
                return false;
            tet[a] = (uint32_t)(number - first);
            for (int b = 0; b < a; b++)
                if (tet[a] == tet[b])
                    return complain(c, name, r.line, "node %ld is there twice", number);
        }
        end_line(&r);
        tets_tet(tets, tet);
    }
    return true;
}
