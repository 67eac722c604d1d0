/* SPDX-License-Identifier: Apache-2.0 */
#include "rects.h"
#include <stdlib.h>

size_t heddle__rects_rows(const struct heddle_rect *rect, int n) {
    size_t rows = 0;
    for (int k = 0; k < n; k++)
        rows += rect[k].run ? (size_t)rect[k].rows * (size_t)rect[k].planes : 0;
    return rows;
}

static int by_place(const void *a, const void *b) {
    const struct heddle__segment *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Rows of two rectangles may be the same, or follow each other. */
static int join(struct heddle__segment *s, int n) {
    int last = 0;
    if (!n)
        return 0;
    qsort(s, (size_t)n, sizeof *s, by_place);
    for (int k = 1; k < n; k++) {
        const size_t end = s[last].at + s[last].bytes, more = s[k].at + s[k].bytes;
        if (s[k].at > end)
            s[++last] = s[k];
        else if (more > end)
            s[last].bytes = more - s[last].at;
    }
    return last + 1;
}

int heddle__rects_segments(const struct heddle_rect *rect, int n, int map, const struct heddle_map *m, bool in,
                           const struct heddle__segment *whole, struct heddle__segment *out) {
    int rows = 0;
    size_t bytes = 0;
    for (int k = 0; k < n; k++) {
        const struct heddle_rect *r = &rect[k];
        if (r->map != map || !r->run || !(r->kind & (in ? HEDDLE_MAP_TO : HEDDLE_MAP_FROM)))
            continue;
        for (long p = 0; p < r->planes; p++)
            for (long row = 0; row < r->rows; row++) {
                const size_t at = (size_t)(r->first + p * r->plane + row * r->pitch - m->first);
                out[rows++] = (struct heddle__segment){.host = whole->host + at, .at = whole->at + at, .bytes = r->run};
                bytes += r->run;
            }
    }
    if (in && 2 * bytes >= whole->bytes) { /* what else is sent is never looked at, nor brought back */
        *out = *whole;
        return 1;
    }
    return join(out, rows);
}
