/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs_stream.c - recorded or generated jobs, as text:
 *
 *     type traversal                           types, in the order of their numbers
 *     type leaf
 *     frame                                    from here on jobs of one use of `#pragma heddle jobs`
 *     new traversal 2000                       jobs that are there when it begins
 *     ran traversal 500 traversal=210 leaf=4100 weight=1.2
 *                                              500 jobs ran and made these; what they cost against the mean (1)
 *
 * A comment begins with #. The order is one in which all could run: every `ran` takes jobs that were new or made before
 * it. The simulator runs them in other portions: job number k of a type makes what it made in the file.
 */
#include "jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct jobs_stream *s;
    long waiting[JOBS_TYPES]; /* of this frame: there and not run */
    int line;
    char *message;
};

static bool wrong(const struct reader *r, const char *what, const char *word) {
    snprintf(r->message, SIM_MESSAGE, "line %d: %s '%.100s'", r->line, what, word);
    return false;
}

static int find(const struct jobs_stream *s, const char *name) {
    for (int t = 0; t < s->types; t++)
        if (!strcmp(s->type[t], name))
            return t;
    return -1;
}

static bool read_count(const char *text, long *count) {
    char *end;
    *count = text ? strtol(text, &end, 10) : -1;
    return text && end != text && !*end && *count >= 0 && *count <= 1000000000000;
}

static bool add_type(struct reader *r, const char *name) {
    struct jobs_stream *s = r->s;
    if (s->frames)
        return wrong(r, "types come before the first frame:", name ? name : "");
    if (!name || s->types == JOBS_TYPES || strlen(name) >= SIM_NAME || strchr(name, '=') || !strcmp(name, "weight") ||
        find(s, name) >= 0)
        return wrong(r, "one type too many, there twice, or no name of one:", name ? name : "");
    strcpy(s->type[s->types++], name);
    return true;
}

static bool check_frame(const struct reader *r) {
    for (int t = 0; t < r->s->types; t++)
        if (r->waiting[t])
            return wrong(r, "when the frame ends, jobs of this type have not run:", r->s->type[t]);
    return true;
}

static bool add_frame(struct reader *r) {
    struct jobs_stream *s = r->s;
    if (!s->types)
        return wrong(r, "types come before", "frame");
    if (s->frames && !check_frame(r))
        return false;
    if (!(s->frames & (s->frames - 1))) { /* room doubles */
        void *more = realloc(s->frame, (s->frames ? 2 * (size_t)s->frames : 1) * sizeof *s->frame);
        if (!more)
            return wrong(r, "out of memory at", "frame");
        s->frame = more;
    }
    memset(&s->frame[s->frames++], 0, sizeof *s->frame);
    return true;
}

static bool add_segment(struct jobs_frame *f, int t, const struct jobs_segment *segment) {
    const int n = f->segments[t];
    if (!(n & (n - 1))) {
        void *more = realloc(f->segment[t], (n ? 2 * (size_t)n : 1) * sizeof **f->segment);
        if (!more)
            return false;
        f->segment[t] = more;
    }
    f->segment[t][f->segments[t]++] = *segment;
    f->total[t] += segment->count;
    return true;
}

static bool read_made(struct reader *r, char *word, struct jobs_segment *segment) {
    char *equals = strchr(word, '='), *end;
    if (!equals)
        return wrong(r, "TYPE=COUNT or weight=NUMBER expected, not", word);
    *equals = 0;
    if (!strcmp(word, "weight")) {
        segment->weight = strtod(equals + 1, &end);
        return (end != equals + 1 && !*end && segment->weight >= 0 && segment->weight <= 1e6) ||
               wrong(r, "not a weight from 0 to 1000000:", equals + 1);
    }
    const int t = find(r->s, word);
    if (t < 0)
        return wrong(r, "no type of job has the name", word);
    if (!read_count(equals + 1, &segment->made[t]))
        return wrong(r, "not a number of jobs:", equals + 1);
    r->waiting[t] += segment->made[t];
    return true;
}

static bool read_jobs(struct reader *r, bool is_new, char **save) {
    char *name = strtok_r(NULL, " \t\r", save), *count = strtok_r(NULL, " \t\r", save);
    struct jobs_segment segment = {.weight = 1};
    if (!r->s->frames)
        return wrong(r, "before the first frame:", is_new ? "new" : "ran");
    struct jobs_frame *f = &r->s->frame[r->s->frames - 1];
    const int t = name ? find(r->s, name) : -1;
    if (t < 0)
        return wrong(r, "no type of job has the name", name ? name : "");
    if (!read_count(count, &segment.count))
        return wrong(r, "not a number of jobs:", count ? count : "");
    if (is_new) {
        f->begin[t] += segment.count;
        r->waiting[t] += segment.count;
        return true;
    }
    if (segment.count > r->waiting[t])
        return wrong(r, "more jobs run than there are, of type", name);
    r->waiting[t] -= segment.count;
    for (char *word; (word = strtok_r(NULL, " \t\r", save)) && *word != '#';)
        if (!read_made(r, word, &segment))
            return false;
    return !segment.count || add_segment(f, t, &segment) || wrong(r, "out of memory at", name);
}

static bool read_line(struct reader *r, char *text) {
    char *save = NULL, *word = strtok_r(text, " \t\r", &save);
    if (!word || *word == '#')
        return true;
    if (!strcmp(word, "type"))
        return add_type(r, strtok_r(NULL, " \t\r", &save));
    if (!strcmp(word, "frame"))
        return add_frame(r) && (memset(r->waiting, 0, sizeof r->waiting), true);
    if (!strcmp(word, "new") || !strcmp(word, "ran"))
        return read_jobs(r, !strcmp(word, "new"), &save);
    return wrong(r, "a line begins with type, frame, new or ran, not with", word);
}

bool jobs_stream_read(struct jobs_stream *s, const char *text, char *message) {
    struct reader r = {.s = s, .message = message};
    char *copy = strdup(text);
    bool good = copy;
    memset(s, 0, sizeof *s);
    snprintf(message, SIM_MESSAGE, "out of memory");
    for (char *next = copy; good && next;) {
        char *here = next, *end = strchr(next, '\n');
        r.line++;
        next = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        good = read_line(&r, here);
    }
    free(copy);
    if (good && !s->frames)
        good = wrong(&r, "there is no", "frame");
    good = good && check_frame(&r);
    if (!good)
        jobs_stream_free(s);
    return good;
}

void jobs_stream_free(struct jobs_stream *s) {
    for (int k = 0; k < s->frames; k++)
        for (int t = 0; t < JOBS_TYPES; t++)
            free(s->frame[k].segment[t]);
    free(s->frame);
    memset(s, 0, sizeof *s);
}
