/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partitions: one for each object, whose arrays are those that the same tasks work with. Two written data belong
 * together where most of the tasks that touch one of them touch the other; a task that touches many counts little for
 * each pair. A task belongs to the object that it writes most of; one that writes nothing is alone.
 */
#include "engine.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 12 /* data of a task whose pairs are looked at */ };
static const double TOGETHER = 0.25;

struct pair { /* a < b */
    int a, b;
    double weight;
};

static int by_data(const void *x, const void *y) {
    const struct pair *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static int root(int *up, int d) {
    while (up[d] != d)
        d = up[d] = up[up[d]];
    return d;
}

/* The written data of a task; more than MOST: -1. */
static int members(const struct heddle__graph_shape *s, int t, const char *written, int *data) {
    int n = 0;
    for (int k = s->task[t].access; k < s->task[t].access + s->task[t].accesses; k++) {
        if (!written[s->access[k].data])
            continue;
        if (n == MOST)
            return -1;
        data[n++] = s->access[k].data;
    }
    return n;
}

static long list_pairs(const struct heddle__graph_shape *s, const char *written, double *touched, struct pair *pair) {
    long pairs = 0;
    for (int t = 0; t < s->g.tasks; t++) {
        int data[MOST];
        const int n = members(s, t, written, data);
        for (int i = 0; i < n; i++)
            touched[data[i]] += pair ? 0 : 1;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++, pairs++)
                if (pair)
                    pair[pairs] = (struct pair){data[i] < data[k] ? data[i] : data[k],
                                                data[i] < data[k] ? data[k] : data[i], 1.0 / (n - 1)};
    }
    return pairs;
}

static bool unite(const struct heddle__graph_shape *s, const char *written, int *up) {
    double *touched = calloc((size_t)s->g.datas + 1, sizeof *touched);
    const long pairs = touched ? list_pairs(s, written, touched, NULL) : 0;
    struct pair *pair = malloc(((size_t)pairs + 1) * sizeof *pair);
    const bool good = touched && pair;
    if (good) {
        list_pairs(s, written, touched, pair);
        qsort(pair, (size_t)pairs, sizeof *pair, by_data);
    }
    for (long k = 0, end; good && k < pairs; k = end) {
        double weight = 0;
        for (end = k; end < pairs && !by_data(&pair[k], &pair[end]); end++)
            weight += pair[end].weight;
        const double fewer = fmin(touched[pair[k].a], touched[pair[k].b]);
        if (fewer > 1 && weight >= TOGETHER * fewer)
            up[root(up, pair[k].a)] = root(up, pair[k].b);
    }
    free(touched);
    free(pair);
    return good;
}

static int object_of(const struct heddle__graph_shape *s, int t, int *up) {
    double most = -1;
    int best = -1;
    for (int k = s->task[t].access; k < s->task[t].access + s->task[t].accesses; k++) {
        const double bytes = s->data[s->access[k].data].bytes;
        if (s->access[k].writes && bytes > most) {
            most = bytes;
            best = root(up, s->access[k].data);
        }
    }
    return best;
}

bool heddle__graph_partitions(struct heddle__graph_shape *s) {
    const size_t datas = (size_t)s->g.datas + 1;
    char *written = calloc(datas, 1);
    int *up = malloc(datas * sizeof *up), *number = malloc(datas * sizeof *number);
    bool good = written && up && number;
    for (int d = 0; good && d < s->g.datas; d++)
        up[d] = d, number[d] = -1;
    for (int t = 0; good && t < s->g.tasks; t++)
        for (int k = s->task[t].access; k < s->task[t].access + s->task[t].accesses; k++)
            written[s->access[k].data] |= s->access[k].writes;
    good = good && unite(s, written, up);
    for (int t = 0; good && t < s->g.tasks; t++) {
        const int object = object_of(s, t, up);
        if (object >= 0 && number[object] < 0)
            number[object] = s->g.partitions++;
        s->task[t].partition = object >= 0 ? number[object] : s->g.partitions++;
    }
    for (int d = 0; good && d < s->g.datas; d++)
        s->data[d].partition = written[d] ? number[root(up, d)] : -1;
    free(written);
    free(up);
    free(number);
    return good;
}
