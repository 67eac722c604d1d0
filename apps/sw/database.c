/* SPDX-License-Identifier: Apache-2.0 */
#include "database.h"

#include "pipeline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 8, DEPTH = 3 }; /* a chunk is so much of what may be held; chunks under way */

struct chunk {
    struct seq_record *at;
    struct sw_many many;
    int count, first, longest;
    struct failure failure;
};

/* A target of a hit. */
struct kept {
    int number; /* among all */
    struct seq_record record;
};

struct database {
    struct sw *sw;
    struct seq_reader *rest;
    struct batch *queries;
    sw_score_chunk *score;
    bool at_end;
    int read;
    struct kept *kept; /* by number */
    int kept_count, kept_room;
    struct failure failure;
};

static void keep_residues(struct chunk *c) {
    for (int k = 0; k < c->count; k++)
        c->at[k].codes = c->many.residues + c->many.first[k];
}

/* Those that were read before it was clear that they are too many. */
static struct chunk *first_chunk(struct sw *sw) {
    struct chunk *c = app_alloc(1, sizeof *c);
    *c = (struct chunk){.at = sw->targets, .many = sw->many, .count = sw->target_count, .longest = sw->longest_target};
    c->failure.status = -1;
    keep_residues(c);
    sw->targets = NULL;
    sw->many = (struct sw_many){0};
    sw->target_count = 0;
    return c;
}

static void *read_chunk(void *cookie) {
    struct database *d = cookie;
    if (d->at_end)
        return NULL;
    if (!d->read) {
        struct chunk *c = first_chunk(d->sw);
        d->read = c->count;
        return c;
    }
    struct chunk *c = app_alloc(1, sizeof *c);
    int room = 0, status = 1;
    c->first = d->read;
    c->failure.status = -1;
    while (c->many.used <= d->sw->set.hold / PARTS && status > 0) {
        if (c->count == room) {
            room = room ? 2 * room : 256;
            c->at = app_resize(c->at, (size_t)room, sizeof *c->at);
        }
        struct seq_record *target = &c->at[c->count];
        if (d->read == INT_MAX || (status = seq_next(d->rest, target)) <= 0)
            break;
        sw_many_add(&c->many, (struct sw_item){target->codes, target->length});
        free(target->codes);
        c->longest = target->length > c->longest ? target->length : c->longest;
        c->count++;
        d->read++;
    }
    keep_residues(c);
    d->at_end = status <= 0 || d->read == INT_MAX;
    if (status < 0)
        failure_set(&c->failure, APP_BAD_INPUT, "%s", seq_error(d->rest));
    else if (d->read == INT_MAX)
        failure_set(&c->failure, APP_BAD_INPUT, "%s: more than %d targets", d->sw->app.input[1], INT_MAX);
    return c;
}

static int by_number(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static struct kept *find(const struct database *d, int number) {
    const struct kept key = {.number = number};
    return d->kept ? bsearch(&key, d->kept, (size_t)d->kept_count, sizeof key, by_number) : NULL;
}

static bool *marks(const struct database *d, const struct chunk *c) {
    bool *wanted = app_alloc((size_t)d->kept_count + (size_t)c->count, sizeof *wanted);
    for (int k = 0; k < d->queries->count; k++)
        for (int h = 0; h < d->queries->hits[k].count; h++) {
            const int number = d->queries->hits[k].at[h].best.target;
            wanted[number < c->first ? find(d, number) - d->kept : d->kept_count + number - c->first] = true;
        }
    return wanted;
}

/* Targets of the chunk that are in a list of hits are copied, those that have left all lists go. */
static void keep_hits(struct database *d, const struct chunk *c) {
    bool *wanted = marks(d, c);
    const int before = d->kept_count;
    d->kept_count = 0;
    for (int k = 0; k < before; k++)
        if (wanted[k])
            d->kept[d->kept_count++] = d->kept[k];
        else
            seq_release(&d->kept[k].record);
    for (int k = 0; k < c->count; k++) {
        if (!wanted[before + k])
            continue;
        if (d->kept_count == d->kept_room) {
            d->kept_room = d->kept_room ? 2 * d->kept_room : 256;
            d->kept = app_resize(d->kept, (size_t)d->kept_room, sizeof *d->kept);
        }
        struct kept *kept = &d->kept[d->kept_count++];
        *kept = (struct kept){.number = c->first + k, .record = c->at[k]};
        kept->record.codes = app_resize(NULL, (size_t)c->at[k].length, 1);
        memcpy(kept->record.codes, c->at[k].codes, (size_t)c->at[k].length);
        c->at[k].name = c->at[k].quality = NULL;
    }
    free(wanted);
}

static int score_chunk(void *cookie, void *with) {
    struct database *d = cookie;
    struct chunk *c = with;
    struct sw *sw = d->sw;
    for (int k = 0; k < d->queries->count && c->failure.status < 0; k++)
        if (!sw_score_fits(sw, d->queries->at[k].length, c->longest))
            failure_set(&c->failure, APP_BAD_INPUT,
                        "record %ld (%s): the score could exceed 32 bits, lower the match score",
                        d->queries->at[k].number, d->queries->at[k].name);
    if (c->failure.status >= 0)
        return 0;
    if (c->first) { /* the first chunk is counted */
        sw->target_residues += (double)c->many.used;
        sw->database_count += c->count;
    }
    d->score(sw, d->queries, &c->many, c->first);
    keep_hits(d, c);
    return 0;
}

static void no_work(void *cookie, void *chunk, int part) { (void)cookie, (void)chunk, (void)part; }

static bool note_failure(void *cookie, void *with) {
    struct database *d = cookie;
    const struct chunk *c = with;
    if (c->failure.status >= 0)
        d->failure = c->failure;
    return c->failure.status < 0;
}

static void drop(void *cookie, void *with) {
    struct chunk *c = with;
    (void)cookie;
    for (int k = 0; k < c->count; k++) {
        c->at[k].codes = NULL;
        seq_release(&c->at[k]);
    }
    sw_many_free(&c->many);
    free(c->at);
    free(c);
}

/* The targets that are left become all there are. */
static void hand_over(struct database *d) {
    struct sw *sw = d->sw;
    for (int k = 0; k < d->queries->count; k++)
        for (int h = 0; h < d->queries->hits[k].count; h++)
            d->queries->hits[k].at[h].best.target = (int)(find(d, d->queries->hits[k].at[h].best.target) - d->kept);
    sw->target_count = d->kept_count;
    sw->targets = app_alloc((size_t)d->kept_count, sizeof *sw->targets);
    sw->target_items = app_resize(sw->target_items, (size_t)d->kept_count + 1, sizeof *sw->target_items);
    for (int k = 0; k < d->kept_count; k++) {
        struct seq_record *target = &sw->targets[k];
        *target = d->kept[k].record;
        sw_many_add(&sw->many, (struct sw_item){target->codes, target->length});
        free(target->codes);
    }
    for (int k = 0; k < d->kept_count; k++) {
        sw->targets[k].codes = sw->many.residues + sw->many.first[k];
        sw->target_items[k] = (struct sw_item){sw->targets[k].codes, sw->targets[k].length};
    }
    free(d->kept);
}

int sw_database(struct sw *sw, struct seq_reader *rest, struct batch *queries, sw_score_chunk *score) {
    struct database d = {.sw = sw, .rest = rest, .queries = queries, .score = score};
    d.failure.status = -1;
    pipeline_run(&(struct pipeline){.cookie = &d,
                                    .read = read_chunk,
                                    .score = score_chunk,
                                    .work = no_work,
                                    .write = note_failure,
                                    .drop = drop,
                                    .workers = 1,
                                    .depth = DEPTH});
    hand_over(&d);
    return d.failure.status < 0 ? -1 : app_fail(&sw->app, "%s", d.failure.text);
}
