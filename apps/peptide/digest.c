/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts proteins where an enzyme does and puts equal sequences together. */
#include "peptides.h"

#include <stdlib.h>
#include <string.h>

/* Cleaves after a residue of `after` (before one of `before`) unless `not_before` follows. */
static const struct enzyme {
    const char *name, *after, *before, *not_before;
    bool anywhere;
} enzymes[] = {{"trypsin", "KR", "", "P", false}, {"trypsin-p", "KR", "", "", false},
               {"lys-c", "K", "", "P", false},    {"lys-n", "", "K", "", false},
               {"arg-c", "R", "", "P", false},    {"asp-n", "", "D", "", false},
               {"glu-c", "DE", "", "P", false},   {"chymotrypsin", "FWYL", "", "P", false},
               {"none", "", "", "", true},        {NULL, NULL, NULL, NULL, false}};

const char *digest_enzymes(void) {
    return "trypsin, trypsin-p, lys-c, lys-n, arg-c, asp-n, glu-c, chymotrypsin or none (cuts anywhere)";
}

/* The rule as tables over codes. */
struct cutter {
    const struct digest_rule *rule;
    const struct chemistry *chemistry;
    bool after[LETTERS + 1], before[LETTERS + 1], not_before[LETTERS + 1], anywhere;
    int pieces; /* at most in a peptide */
};

static void mark(bool *table, const char *letters) {
    for (; *letters; letters++)
        table[*letters - 'A' + 1] = true;
}

static bool make_cutter(struct cutter *c, const struct chemistry *chemistry, const struct digest_rule *rule,
                        struct note *note) {
    const struct enzyme *e = enzymes;
    while (e->name && strcmp(e->name, rule->enzyme))
        e++;
    if (!e->name)
        return note_fail(note, "--enzyme=%s: expected %s", rule->enzyme, digest_enzymes());
    *c = (struct cutter){.rule = rule, .chemistry = chemistry, .anywhere = e->anywhere};
    mark(c->after, e->after);
    mark(c->before, e->before);
    mark(c->not_before, e->not_before);
    c->pieces = e->anywhere || rule->missed >= LONGEST_PEPTIDE ? LONGEST_PEPTIDE + 1 : (int)rule->missed + 1;
    return true;
}

/* Whether the chain is cut between residues i - 1 and i. */
static bool is_cut(const struct cutter *c, const uint8_t *codes, long length, long i) {
    if (i == 0 || i == length || c->anywhere || !codes[i - 1] || !codes[i])
        return true;
    return (c->after[codes[i - 1]] && !c->not_before[codes[i]]) || c->before[codes[i]];
}

/* Peptides that start at `start`; written to `out` unless it is NULL. */
static size_t spans_from(const struct cutter *c, const uint8_t *codes, long length, long start, uint32_t offset,
                         struct span *out) {
    const struct digest_rule *r = c->rule;
    double mass = c->chemistry->start + c->chemistry->end + MASS_WATER;
    size_t found = 0;
    int pieces = 0;
    for (long end = start; end < length && end - start < r->longest;) {
        const double residue = c->chemistry->mass[codes[end]];
        if (!(residue > 0)) /* a stop or an unknown residue */
            break;
        mass += residue;
        if (mass > r->heaviest)
            break;
        if (!is_cut(c, codes, length, ++end))
            continue;
        if (end - start >= r->shortest && mass >= r->lightest) {
            if (out)
                out[found] = (struct span){mass, offset + (uint32_t)start, (uint32_t)(end - start)};
            found++;
        }
        if (++pieces == c->pieces)
            break;
    }
    return found;
}

static size_t spans_of(const struct cutter *c, const struct proteins *p, long k, struct span *out) {
    const struct protein *protein = &p->at[k];
    const uint8_t *codes = p->codes + protein->first;
    const bool clip = c->rule->clip && protein->length > 1 && codes[0] == 'M' - 'A' + 1;
    size_t found = 0;
    for (long i = 0; i < protein->length; i++)
        if (is_cut(c, codes, protein->length, i) || (clip && i == 1))
            found += spans_from(c, codes, protein->length, i, protein->first, out ? out + found : NULL);
    return found;
}

static int compare_spans(const void *left, const void *right, void *context) {
    const struct span *a = left, *b = right;
    const uint8_t *codes = context;
    if (a->mass != b->mass)
        return a->mass < b->mass ? -1 : 1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    const int order = memcmp(codes + a->at, codes + b->at, a->length);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

static void group(struct candidates *c, const uint8_t *codes) {
    c->peptide_span = app_resize(NULL, (size_t)c->span_count + 1, sizeof *c->peptide_span);
    c->peptides = 0;
    for (long k = 0; k < c->span_count; k++) {
        const struct span *a = &c->spans[k], *b = a - 1;
        if (!k || a->length != b->length || memcmp(codes + a->at, codes + b->at, a->length) != 0)
            c->peptide_span[c->peptides++] = (uint32_t)k;
    }
    c->peptide_span[c->peptides] = (uint32_t)c->span_count;
    c->peptide_span = app_resize(c->peptide_span, (size_t)c->peptides + 1, sizeof *c->peptide_span);
}

static long count_unknown(const struct proteins *p, const struct chemistry *chemistry) {
    long proteins = 0;
    for (long k = 0; k < p->count; k++) {
        bool unknown = false;
        for (uint32_t i = 0; i < p->at[k].length; i++)
            unknown |= p->codes[p->at[k].first + i] && !(chemistry->mass[p->codes[p->at[k].first + i]] > 0);
        proteins += unknown;
    }
    return proteins;
}

bool digest(struct candidates *c, const struct proteins *p, const struct chemistry *chemistry,
            const struct digest_rule *rule, struct note *note) {
    struct cutter cutter;
    if (!make_cutter(&cutter, chemistry, rule, note))
        return false;
    size_t *start = app_alloc((size_t)p->count + 1, sizeof *start);
#pragma omp parallel for schedule(dynamic, 64)
    for (long k = 0; k < p->count; k++)
        start[k + 1] = spans_of(&cutter, p, k, NULL);
    for (long k = 0; k < p->count; k++)
        start[k + 1] += start[k];
    const size_t total = start[p->count];
    const bool fits =
        total >= INT32_MAX || !rule->app || app_memory_fits(rule->app, (double)total * 40, "so many peptides") < 0;
    if (fits && total < INT32_MAX) {
        c->spans = app_resize(NULL, total, sizeof *c->spans);
#pragma omp parallel for schedule(dynamic, 64)
        for (long k = 0; k < p->count; k++)
            spans_of(&cutter, p, k, c->spans + start[k]);
        c->span_count = (long)total;
        mass_sort(c->spans, total, sizeof *c->spans, compare_spans, p->codes);
        group(c, p->codes);
        c->skipped = count_unknown(p, chemistry);
    }
    free(start);
    return (fits || note_fail(note, "%zu peptides; allow fewer --missed or --length", total)) &&
           (total < INT32_MAX ||
            note_fail(note, "%zu peptides are more than this program numbers; allow fewer --missed or --length",
                      total));
}
