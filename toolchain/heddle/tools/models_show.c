/* SPDX-License-Identifier: Apache-2.0 */
/* models_show.c - the rows of a file of learnt costs as tables and as JSON. */
#include "driver.h"
#include "core/text.h"
#include "models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- regions and links ------------------------------------------------------------------------------------ */

static bool is_of_region(const struct heddle__row *r) {
    return r->kind == HEDDLE__ROW_REGION || r->kind == HEDDLE__ROW_FIRST || r->kind == HEDDLE__ROW_LINK;
}

static bool any(const struct models *m, bool (*is_wanted)(const struct heddle__row *r)) {
    for (size_t k = 0; k < m->rows; k++)
        if (is_wanted(&m->row[k]))
            return true;
    return false;
}

static const char *name_of(const struct heddle__row *r) {
    if (r->kind == HEDDLE__ROW_LINK)
        return format("(%s)", r->name);
    return *r->region.where ? r->region.where : r->name;
}

/* The term of the line that grows with bytes; on a device that is what the region's own maps take on their way. */
static double bytes_term(const struct heddle__row *r) { return r->region.per_byte * r->region.bytes; }
static double transfers(const struct heddle__row *r) { return starts_with(r->device, "host") ? 0 : bytes_term(r); }

static void list_regions(const struct models *m) {
    if (!any(m, is_of_region))
        return;
    printf("  %-28s %-18s %12s %12s %12s %12s %9s %12s %10s\n", "region", "device", "n", "bytes", "median us",
           "spread us", "runs", "transfers us", "GB/s");
    for (const struct heddle__row *r = m->row; r < m->row + m->rows; r++)
        if (r->kind == HEDDLE__ROW_FIRST)
            printf("  %-28s %-18s %12s %12s %12.6g %12s %9s\n", name_of(r), r->device, "", "", 1e6 * r->region.median,
                   "", "first");
        else if (is_of_region(r))
            printf("  %-28s %-18s %12.0f %12.0f %12.6g %12.6g %9ld %12.1f %10.3g\n", name_of(r), r->device, r->region.n,
                   r->region.bytes, 1e6 * r->region.median, 1e6 * r->region.spread, r->region.runs, 1e6 * transfers(r),
                   transfers(r) > 0 ? 1e-9 * r->region.bytes / transfers(r) : 0);
}

void models_compare(const struct models *m) {
    if (!any(m, is_of_region))
        return;
    printf("%s\n", m->path);
    printf("  %-28s %-18s %12s %12s %10s %10s %12s %12s %12s %7s %8s\n", "region", "device", "n", "bytes", "setup us",
           "items us", "transfers us", "line us", "median us", "off %", "error %");
    for (const struct heddle__row *r = m->row; r < m->row + m->rows; r++) {
        const double items = r->region.per_item * r->region.n, median = r->region.median;
        const double line = r->region.setup + items + bytes_term(r);
        if (r->kind != HEDDLE__ROW_FIRST && is_of_region(r))
            printf("  %-28s %-18s %12.0f %12.0f %10.6g %10.1f %12.1f %12.1f %12.6g %7.1f %8.1f\n", name_of(r),
                   r->device, r->region.n, r->region.bytes, 1e6 * r->region.setup, 1e6 * items, 1e6 * transfers(r),
                   1e6 * line, 1e6 * median, median > 0 ? 100 * (line - median) / median : 0, 100 * r->region.error);
    }
}

/* ---- loops ------------------------------------------------------------------------------------------------- */

enum { SUMS = 4096 };
/* Chunks of one loop of one length on one device, or times of all of it by one set of devices. */
struct sum {
    const struct heddle__row *row; /* the first one */
    long n, chunks;
    double items, compute, move;
};

static bool is_of_loop(const struct heddle__row *r) {
    return r->kind == HEDDLE__ROW_CHUNK || (r->kind == HEDDLE__ROW_SET && r->set.seconds > 0); /* 0: it never ran */
}

static long length_of(const struct heddle__row *r) { return r->kind == HEDDLE__ROW_SET ? r->set.n : r->chunk.n; }

static const char *shared_by(const struct heddle__row *r) {
    static const char *const forms[] = {"", "", "equal parts: ", "one ", "the calling thread"};
    char *text = format("%s%s", forms[r->set.form], r->device);
    for (char *at; (at = strchr(text, ';'));)
        text = format("%.*s + %s", (int)(at - text), text, at + 1);
    return text;
}

static void print_sum(const struct sum *s) {
    if (s->row->kind == HEDDLE__ROW_SET)
        printf("  %-44s %-34s %12ld %8ld %14s %14s %12.1f\n", s->row->name, shared_by(s->row), s->n, s->chunks, "", "",
               1e6 * s->compute / (double)s->chunks);
    else
        printf("  %-44s %-34s %12ld %8ld %14.6g %14.6g\n", s->row->name, s->row->device, s->n, s->chunks,
               1e6 * s->compute / s->items, 1e6 * s->move / s->items);
}

/* NULL: no room for one more loop, length and device. */
static struct sum *sum_of(struct sum *sum, int *count, const struct heddle__row *r) {
    for (struct sum *s = sum; s < sum + *count; s++)
        if (s->row->kind == r->kind && s->n == length_of(r) && !strcmp(s->row->name, r->name) &&
            !strcmp(s->row->device, r->device) && (r->kind == HEDDLE__ROW_CHUNK || s->row->set.form == r->set.form))
            return s;
    if (*count == SUMS)
        return NULL;
    sum[*count] = (struct sum){.row = r, .n = length_of(r)};
    return &sum[(*count)++];
}

static void add(struct sum *s, const struct heddle__row *r) {
    s->chunks++;
    if (r->kind == HEDDLE__ROW_SET) {
        s->compute += r->set.seconds;
        return;
    }
    s->items += (double)r->chunk.chunk.count;
    s->compute += r->chunk.compute;
    s->move += r->chunk.move;
}

static void list_loops(const struct models *m) {
    static struct sum sum[SUMS];
    int count = 0, left_out = 0;
    if (!any(m, is_of_loop))
        return;
    for (const struct heddle__row *r = m->row; r < m->row + m->rows; r++) {
        struct sum *s = is_of_loop(r) ? sum_of(sum, &count, r) : NULL;
        if (s)
            add(s, r);
        left_out += is_of_loop(r) && !s;
    }
    printf("  %-44s %-34s %12s %8s %14s %14s %12s\n", "loop", "device, or those that shared it", "n", "chunks",
           "us/iteration", "us moving it", "us/loop");
    for (int k = 0; k < count; k++)
        print_sum(&sum[k]);
    if (left_out)
        complain("models: %d lines are left out: more than %d loops, lengths and devices", left_out, SUMS);
}

/* ---- tile widths ------------------------------------------------------------------------------------------- */

static bool is_width(const struct heddle__row *r) { return r->kind == HEDDLE__ROW_WIDTH; }

static void list_widths(const struct models *m) {
    static const char *const layouts[] = {"auto", "row", "hybrid"};
    if (!any(m, is_width))
        return;
    printf("  %-44s %-24s %-8s %8s %8s %10s %10s %12s %10s\n", "nest", "device", "layout", "height", "workers", "rows",
           "columns", "diagonal ns", "sync ns");
    for (const struct heddle__row *r = m->row; r < m->row + m->rows; r++)
        if (is_width(r))
            printf("  %-44s %-24s %-8s %8ld %8ld %10s %10s %12.6g %10.6g\n", r->name, r->device,
                   layouts[r->width.layout], r->width.height, r->width.workers, format("2^%ld", r->width.rows),
                   format("2^%ld", r->width.columns), 1e9 * r->width.diagonal, 1e9 * r->width.sync);
}

void models_list(const struct models *m) {
    printf("%s\n", m->path);
    list_regions(m);
    list_loops(m);
    list_widths(m);
}

/* ---- JSON -------------------------------------------------------------------------------------------------- */

/* One object for each row, with the names of its columns. */
void models_json(const struct models *m) {
    for (size_t k = 0; k < m->rows; k++) {
        const struct heddle__row *r = &m->row[k];
        printf("{\"file\": ");
        heddle__print_json(stdout, m->path);
        printf(", \"kind\": \"%s\"", heddle__row_kind_name(r->kind));
        for (const struct heddle__column *c = heddle__row_columns(r->kind); c->name; c++) {
            const bool text = c->type == HEDDLE__TEXT || c->type == HEDDLE__WORD || c->type == HEDDLE__HEX;
            printf(", \"%s\": %s", c->name, c->type == HEDDLE__WORD || c->type == HEDDLE__HEX ? "\"" : "");
            if (c->type == HEDDLE__TEXT)
                heddle__print_json(stdout, *(const char *const *)((const char *)r + c->at));
            else
                heddle__column_write(stdout, c, r);
            fputs(text && c->type != HEDDLE__TEXT ? "\"" : "", stdout);
        }
        puts("}");
    }
}
