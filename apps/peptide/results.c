/* SPDX-License-Identifier: Apache-2.0 */
#include "results.h"

#include <stdlib.h>
#include <string.h>

enum { PROTEINS_SHOWN = 20 };

bool candidate_is_decoy(const struct candidates *c, const struct proteins *p, uint32_t candidate) {
    const uint32_t peptide = c->peptide[candidate];
    for (uint32_t s = c->peptide_span[peptide]; s < c->peptide_span[peptide + 1]; s++)
        if (!p->at[proteins_find(p, c->spans[s].at)].decoy)
            return false;
    return true;
}

struct ranked {
    double mvh;
    long spectrum;
    bool decoy;
};

static int compare_ranked(const void *left, const void *right) {
    const struct ranked *a = left, *b = right;
    if (a->mvh != b->mvh)
        return a->mvh > b->mvh ? -1 : 1;
    if (a->decoy != b->decoy) /* decoys first: equal scores are counted to the careful side */
        return a->decoy ? -1 : 1;
    return (a->spectrum > b->spectrum) - (a->spectrum < b->spectrum);
}

static void set_q(struct results *r, const struct ranked *ranked, long n) {
    double decoys = 0, targets = 0, least = 1;
    for (long k = 0; k < n; k++) {
        decoys += ranked[k].decoy;
        targets += !ranked[k].decoy;
        r->q[ranked[k].spectrum] = targets > decoys ? decoys / targets : 1;
    }
    for (long k = n - 1; k >= 0; k--) {
        double *q = &r->q[ranked[k].spectrum];
        *q = least = *q < least ? *q : least;
        r->identified += *q <= 0.01 && !ranked[k].decoy;
    }
}

void results_make(struct results *r, const struct search *s, const struct proteins *p) {
    const long n = s->spectra->count;
    struct ranked *ranked = app_alloc((size_t)n, sizeof *ranked);
    *r = (struct results){.hits = app_alloc((size_t)n * TOP, sizeof *r->hits),
                          .counts = app_alloc((size_t)n, sizeof *r->counts),
                          .q = app_alloc((size_t)n, sizeof *r->q)};
#pragma omp parallel for schedule(dynamic, 16)
    for (long k = 0; k < n; k++)
        r->counts[k] = search_hits(s, k, r->hits + k * TOP);
    for (long k = 0; k < p->count; k++)
        r->decoys |= p->at[k].decoy;
    for (long k = 0; k < n; k++) {
        r->q[k] = 1;
        if (r->counts[k])
            ranked[r->matched++] = (struct ranked){r->hits[k * TOP].mvh, k,
                                                   candidate_is_decoy(s->candidates, p, r->hits[k * TOP].candidate)};
    }
    qsort(ranked, (size_t)r->matched, sizeof *ranked, compare_ranked);
    if (r->decoys)
        set_q(r, ranked, r->matched);
    free(ranked);
}

static char neighbour(const struct proteins *p, uint8_t code) {
    (void)p;
    return code ? (char)('A' + code - 1) : '-';
}

void candidate_spell(const struct candidates *c, const struct proteins *p, const struct chemistry *chemistry,
                     uint32_t candidate, FILE *out) {
    const struct span *span = &c->spans[c->peptide_span[c->peptide[candidate]]];
    uint8_t codes[LONGEST_PEPTIDE + 1];
    const int length = candidate_codes(c, candidate, codes);
    fprintf(out, "%c.", span->at ? neighbour(p, p->codes[span->at - 1]) : '-');
    for (int i = 0; i < length; i++) {
        fputc(chemistry->letter[codes[i]], out);
        if (chemistry->delta[codes[i]] != 0)
            fprintf(out, "[%+.4f]", chemistry->delta[codes[i]]);
    }
    fprintf(out, ".%c", neighbour(p, p->codes[span->at + span->length]));
}

static void write_proteins(const struct candidates *c, const struct proteins *p, uint32_t candidate, FILE *out) {
    const uint32_t peptide = c->peptide[candidate], first = c->peptide_span[peptide],
                   end = c->peptide_span[peptide + 1];
    long last = -1;
    int shown = 0;
    for (uint32_t s = first; s < end; s++) {
        const long protein = proteins_find(p, c->spans[s].at);
        if (protein == last)
            continue;
        last = protein;
        if (shown == PROTEINS_SHOWN) {
            fputs(";...", out);
            return;
        }
        fprintf(out, "%s%s", shown++ ? ";" : "", p->names + p->at[protein].name);
    }
}

static void write_hit(const struct results *r, const struct search *s, const struct proteins *p,
                      const struct table_options *o, long k, int rank, FILE *out) {
    const struct spectrum *spectrum = &s->spectra->at[k];
    const struct hit *hit = &r->hits[k * TOP + rank];
    const bool decoy = candidate_is_decoy(s->candidates, p, hit->candidate);
    if (o->file)
        fprintf(out, "%s\t", o->file[spectrum->file]);
    fprintf(out, "%ld\t%d\t%d\t%.6f\t%.6f\t%.6f\t", spectrum->scan, rank + 1, hit->charge, spectrum->mz,
            (spectrum->mz - MASS_PROTON) * hit->charge, s->candidates->mass[hit->candidate]);
    candidate_spell(s->candidates, p, s->chemistry, hit->candidate, out);
    fputc('\t', out);
    write_proteins(s->candidates, p, hit->candidate, out);
    fprintf(out, "\t%.4f\t%d\t%d\t%d\t", hit->mvh, hit->matched, hit->ions, decoy);
    if (rank == 0 && r->decoys)
        fprintf(out, "%.6f\n", r->q[k]);
    else
        fputs("-\n", out);
}

bool results_write(const struct results *r, const struct search *s, const struct proteins *p,
                   const struct table_options *o, FILE *out) {
    fprintf(
        out,
        "#%sscan\trank\tcharge\tprecursor_mz\tmass\tcandidate_mass\tpeptide\tproteins\tmvh\tmatched\tions\tdecoy\tq\n",
        o->file ? "file\t" : "");
    for (long k = 0; k < s->spectra->count; k++)
        for (int rank = 0; rank < r->counts[k] && rank < o->top && r->q[k] <= o->most_q; rank++)
            write_hit(r, s, p, o, k, rank, out);
    return !fflush(out) && !ferror(out);
}

uint64_t results_hash(const struct search *s) {
    return app_hash(APP_HASH_START, s->keys, (size_t)s->spectra->count * TOP * sizeof *s->keys);
}

void results_free(struct results *r) {
    free(r->hits);
    free(r->counts);
    free(r->q);
}
