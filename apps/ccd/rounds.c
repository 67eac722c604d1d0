/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that need very many boxes: how many each of their parts may look at in a round, and when a test has had all. */
#include "query.h"

#include <stdlib.h>

static int compare_pairs(struct pair a, struct pair b) {
    if (a.first != b.first)
        return a.first < b.first ? -1 : 1;
    return a.second < b.second ? -1 : a.second > b.second;
}

static int compare_parts(const void *left, const void *right) {
    return compare_pairs(((const struct part *)left)->pair, ((const struct part *)right)->pair);
}

static int compare_ends(const void *left, const void *right) {
    return compare_pairs(((const struct ended *)left)->contact.pair, ((const struct ended *)right)->contact.pair);
}

static int compare_contacts(const void *left, const void *right) {
    const struct contact *a = left, *b = right;
    const int order = compare_pairs(a->pair, b->pair);
    return order ? order : a->time < b->time ? -1 : a->time > b->time;
}

void rounds_unite(struct contacts *found) {
    long count = 0;
    if (found->count)
        qsort(found->at, (size_t)found->count, sizeof *found->at, compare_contacts);
    for (long k = 0; k < found->count; k++)
        if (!count || compare_pairs(found->at[k].pair, found->at[count - 1].pair))
            found->at[count++] = found->at[k];
    found->count = count;
}

/* Of one test: what it has spent, and the first contact known. */
struct state {
    uint64_t spent;
    double first;
};

/* From what became of its parts in the last round; those of tests before it are passed by. */
static struct state look_up(const struct ends *ends, long *at, struct pair pair) {
    struct state s = {0, CCD_MISS};
    uint64_t before = 0;
    while (*at < ends->count && compare_pairs(ends->at[*at].contact.pair, pair) < 0)
        ++*at;
    for (; *at < ends->count && !compare_pairs(ends->at[*at].contact.pair, pair); ++*at) {
        const struct ended *end = &ends->at[*at];
        before = end->spent;
        s.spent += end->boxes;
        s.first = end->contact.time < s.first ? end->contact.time : s.first;
    }
    s.spent += before;
    return s;
}

/* Parts [from, to) of one test: their boxes, or nothing where it has had all; then what is left counts as a contact. */
static long share(struct parts *parts, long from, long to, struct state s, uint64_t boxes, long kept,
                  struct contacts *found, struct jobs_tally *tally) {
    const uint32_t most = parts->count < PARTS_FEW ? BOXES_ROUND : BOXES_LONG;
    const uint64_t each = s.spent < boxes ? (boxes - s.spent) / (uint64_t)(to - from) : 0;
    const bool gives_up = each < BOXES_LEAST;
    double first = s.first;
    for (long k = from; k < to; k++) {
        struct part part = parts->at[k];
        const double begins = ccd_number(part.low[0]);
        first = begins < first ? begins : first;
        part.first = s.first;
        part.spent = (uint32_t)s.spent;
        part.boxes = each < most ? (uint32_t)each : most;
        if (!gives_up && begins < s.first)
            parts->at[kept++] = part;
    }
    tally->undecided += gives_up;
    if (gives_up && first <= 1)
        heddle_list_append(found, (struct contact){parts->at[from].pair, first});
    return kept;
}

/* Parts for the next round; ends are those of the last one. */
static void deal(struct parts *parts, struct ends *ends, uint64_t boxes, struct contacts *found,
                 struct jobs_tally *tally) {
    long kept = 0, at = 0;
    qsort(parts->at, (size_t)parts->count, sizeof *parts->at, compare_parts);
    if (ends->count)
        qsort(ends->at, (size_t)ends->count, sizeof *ends->at, compare_ends);
    for (long from = 0, to; from < parts->count; from = to) {
        struct state s = look_up(ends, &at, parts->at[from].pair);
        for (to = from; to < parts->count && !compare_pairs(parts->at[to].pair, parts->at[from].pair); to++)
            s.first = parts->at[to].first < s.first ? parts->at[to].first : s.first;
        kept = share(parts, from, to, s, boxes, kept, found, tally);
    }
    parts->count = kept;
}

void rounds_run(const struct jobs_setting *set, const struct view *view, parts_loop *loop, struct parts *rest,
                struct contacts *found, struct jobs_tally *tally) {
    const uint64_t boxes = set->limits.boxes > BOXES_LONG ? (set->limits.boxes - BOXES_LONG) / 2 : 0;
    struct parts other = {0}, *now = rest, *next = &other;
    struct ends ends = {0};
    while (now->count) {
        deal(now, &ends, boxes, found, tally);
        heddle_list_clear(&ends);
        heddle_list_clear(next);
        if (now->count)
            loop(set, view, now, next, &ends);
        for (long k = 0; k < ends.count; k++) {
            tally->cells += ends.at[k].boxes;
            if (ends.at[k].contact.time <= 1)
                heddle_list_append(found, ends.at[k].contact);
        }
        struct parts *done = now;
        now = next;
        next = done;
    }
    heddle_list_free(&other);
    heddle_list_free(&ends);
}
