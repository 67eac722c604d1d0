/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting and printing of hits. Positions count from 1 and refer to the strand that was aligned. */
#include "hits.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

static bool goes_before(const struct sw_hit *x, const struct sw_hit *y) {
    if (x->best.score != y->best.score)
        return x->best.score > y->best.score;
    if (x->best.target != y->best.target)
        return x->best.target < y->best.target;
    return x->minus < y->minus;
}

/* Binary search, then a shift: cheap because hits mostly come in target order or are dropped. */
void sw_hits_add(struct sw_hits *hits, struct sw_hit hit, int top) {
    int low = top > 0 ? 0 : hits->count, high = hits->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (goes_before(&hit, &hits->at[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    if (top > 0 && low >= top)
        return;
    if (top > 0 && hits->count == top)
        hits->count--;
    if (hits->count == hits->room) {
        hits->room = hits->room ? hits->room * 2 : 2;
        hits->at = app_resize(hits->at, (size_t)hits->room, sizeof *hits->at);
    }
    memmove(&hits->at[low + 1], &hits->at[low], (size_t)(hits->count - low) * sizeof *hits->at);
    hits->at[low] = hit;
    hits->count++;
}

static int in_order(const void *a, const void *b) { return goes_before(a, b) ? -1 : goes_before(b, a); }

void sw_hits_sort(struct sw_hits *hits) {
    if (hits->count)
        qsort(hits->at, (size_t)hits->count, sizeof *hits->at, in_order);
}

void sw_output_header(const struct sw_output *o, int argc, char **argv) {
    if (!o->sam) {
        fprintf(o->file,
                "#query\tquery_length\ttarget\ttarget_length\tstrand\tscore\tquery_end\t"
                "target_end%s%s\n",
                o->align ? "\tquery_start\ttarget_start\tidentity\tcigar" : "",
                !o->statistics          ? ""
                : o->statistics->gapped ? "\tbits\tevalue"
                                        : "\tungapped_bits\tungapped_evalue");
        return;
    }
    fprintf(o->file, "@HD\tVN:1.6\tSO:unknown\n");
    for (int k = 0; k < o->target_count; k++)
        fprintf(o->file, "@SQ\tSN:%s\tLN:%d\n", o->targets[k].name, o->targets[k].length);
    fprintf(o->file, "@PG\tID:sw\tPN:sw\tCL:");
    for (int k = 0; k < argc; k++) {
        fputs(k ? " " : "", o->file);
        for (const char *at = argv[k]; *at; at++) /* tabs and line ends would end the field */
            putc_unlocked((unsigned char)*at < ' ' || *at == 0x7f ? '?' : *at, o->file);
    }
    putc_unlocked('\n', o->file);
}

static int by_name(const void *a, const void *b) {
    const struct seq_record *x = *(const struct seq_record *const *)a, *y = *(const struct seq_record *const *)b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

const struct seq_record *sw_sam_twin(const struct seq_record *targets, int count) {
    const struct seq_record **sorted = app_alloc((size_t)count, sizeof *sorted), *twin = NULL;
    for (int k = 0; k < count; k++)
        sorted[k] = &targets[k];
    qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    for (int k = 1; k < count; k++)
        if (!strcmp(sorted[k - 1]->name, sorted[k]->name) && (!twin || sorted[k]->number < twin->number))
            twin = sorted[k];
    free(sorted);
    return twin;
}

bool sw_sam_name(const char *name, bool target) {
    return strlen(name) <= SAM_NAME_MOST &&
           (target ? *name != '*' && *name != '=' : *name != '@' && strcmp(name, "*") != 0);
}

static void print_tsv(const struct sw_output *o, const struct seq_record *query, const struct sw_hit *hit,
                      const struct sw_path *path, double search_space) {
    const struct seq_record *target = &o->targets[hit->best.target];
    fprintf(o->file, "%s\t%d\t%s\t%d\t%c\t%d\t%d\t%d", query->name, query->length, target->name, target->length,
            hit->minus ? '-' : '+', hit->best.score, hit->best.query_end, hit->best.target_end);
    if (o->align && path) {
        char *cigar = sw_cigar(path->operations);
        fprintf(o->file, "\t%d\t%d\t%.4f\t%s", path->query_start, path->target_start,
                (double)path->matches / path->columns, cigar);
        free(cigar);
    } else if (o->align) {
        fputs("\t0\t0\t0\t*", o->file);
    }
    if (o->statistics)
        fprintf(o->file, "\t%.1f\t%.3g", sw_bits(o->statistics, hit->best.score),
                sw_evalue(o->statistics, search_space, hit->best.score));
    putc_unlocked('\n', o->file);
}

static void print_letters(const struct sw_output *o, const struct seq_record *query, const signed char *codes,
                          bool minus) {
    for (int k = 0; k < query->length; k++)
        putc_unlocked(o->scoring->query.letter[codes[k]], o->file);
    putc_unlocked('\t', o->file);
    if (!query->quality) {
        putc_unlocked('*', o->file);
        return;
    }
    for (int k = 0; k < query->length; k++)
        putc_unlocked(query->quality[minus ? query->length - 1 - k : k], o->file);
}

enum { SAM_UNMAPPED = 4, SAM_REVERSE = 16, SAM_SECONDARY = 256 };

static void print_sam_unmapped(const struct sw_output *o, const struct seq_record *query) {
    fprintf(o->file, "%s\t%d\t*\t0\t0\t*\t*\t0\t0\t", query->name, SAM_UNMAPPED);
    print_letters(o, query, query->codes, false);
    putc_unlocked('\n', o->file);
}

static void print_sam(const struct sw_output *o, const struct seq_record *query, const signed char *codes,
                      const struct sw_hit *hit, const struct sw_path *path, bool secondary) {
    int flag = (hit->minus ? SAM_REVERSE : 0) | (secondary ? SAM_SECONDARY : 0);
    int before = path->query_start - 1, after = query->length - hit->best.query_end;
    char *cigar = sw_cigar(path->operations);
    fprintf(o->file, "%s\t%d\t%s\t%d\t255\t", query->name, flag, o->targets[hit->best.target].name, path->target_start);
    if (before)
        fprintf(o->file, "%dS", before);
    fputs(cigar, o->file);
    if (after)
        fprintf(o->file, "%dS", after);
    fputs("\t*\t0\t0\t", o->file);
    print_letters(o, query, codes, hit->minus);
    fprintf(o->file, "\tAS:i:%d\tNM:i:%d\n", hit->best.score, path->edits);
    free(cigar);
}

enum sw_align_status sw_output_query(const struct sw_output *o, const struct seq_record *query,
                                     const signed char *reverse, const struct sw_hits *hits) {
    bool mapped = false;
    for (int k = 0; k < hits->count; k++) {
        const struct sw_hit *hit = &hits->at[k];
        const struct seq_record *target = &o->targets[hit->best.target];
        const signed char *codes = hit->minus ? reverse : query->codes;
        struct sw_path path = {0};
        bool aligned = o->align && hit->best.score > 0;
        if (aligned) {
            enum sw_align_status status = sw_align(o->scoring, (struct sw_item){codes, query->length},
                                                   (struct sw_item){target->codes, target->length}, &hit->best, &path);
            if (status != SW_ALIGN_OK) {
                free(path.operations);
                return status;
            }
        }
        if (!o->sam)
            print_tsv(o, query, hit, aligned ? &path : NULL, hits->search_space);
        else if (aligned)
            print_sam(o, query, codes, hit, &path, mapped);
        mapped = mapped || aligned;
        free(path.operations);
    }
    if (o->sam && !mapped)
        print_sam_unmapped(o, query);
    return SW_ALIGN_OK;
}
