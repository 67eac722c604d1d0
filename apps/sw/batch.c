/* SPDX-License-Identifier: Apache-2.0 */
#include "batch.h"

#include "app.h"

#include <stdarg.h>
#include <stdlib.h>

enum { PART = 8 /* queries */ };

void failure_set(struct failure *failure, int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    failure->status = status;
}

int batch_read(struct batch *batch, struct seq_reader *reader, long residues_most) {
    long residues = 0;
    batch->failure.status = -1;
    while (residues < residues_most) {
        if (batch->count == batch->room) {
            batch->room = batch->room ? batch->room * 2 : 64;
            batch->at = app_resize(batch->at, (size_t)batch->room, sizeof *batch->at);
        }
        int status = seq_next(reader, &batch->at[batch->count]);
        if (status <= 0)
            return status;
        residues += batch->at[batch->count++].length;
    }
    return 1;
}

static signed char *reverse_complement(const struct seq_record *query) {
    signed char *reverse = app_resize(NULL, (size_t)query->length, 1);
    for (int k = 0; k < query->length; k++) {
        signed char code = query->codes[query->length - 1 - k];
        reverse[k] = code < 4 ? (signed char)(3 - code) : code;
    }
    return reverse;
}

void batch_prepare(struct batch *batch, bool plus, bool minus) {
    size_t count = (size_t)batch->count;
    batch->hits = app_alloc(count, sizeof *batch->hits);
    batch->reverse = app_alloc(count, sizeof *batch->reverse);
    batch->items = app_alloc(2 * count, sizeof *batch->items);
    for (int k = 0; k < batch->count; k++) {
        struct seq_record *query = &batch->at[k];
        if (plus)
            batch->items[batch->item_count++] = (struct sw_item){query->codes, query->length};
        if (minus) {
            batch->reverse[k] = reverse_complement(query);
            batch->items[batch->item_count++] = (struct sw_item){batch->reverse[k], query->length};
        }
    }
}

int batch_cut(struct batch *batch) {
    batch->part_count = (batch->count + PART - 1) / PART;
    batch->parts = app_alloc((size_t)batch->part_count, sizeof *batch->parts);
    for (int k = 0; k < batch->part_count; k++) {
        const int last = (k + 1) * PART;
        batch->parts[k] = (struct part){.first = k * PART, .last = last < batch->count ? last : batch->count};
        batch->parts[k].failure.status = -1;
    }
    return batch->part_count;
}

void batch_free(struct batch *batch) {
    for (int k = 0; k < batch->count; k++) {
        seq_release(&batch->at[k]);
        free(batch->hits[k].at);
        free(batch->reverse[k]);
    }
    for (int k = 0; k < batch->part_count; k++)
        free(batch->parts[k].text);
    sw_segments_free(&batch->segments);
    free(batch->at);
    free(batch->hits);
    free(batch->reverse);
    free(batch->items);
    free(batch->parts);
    free(batch);
}
