/* SPDX-License-Identifier: Apache-2.0 */
/* Modified forms of the peptides, sorted by mass, and their codes as a device reads them. */
#include "peptides.h"

#include <stdlib.h>

struct form {
    double mass;
    uint32_t peptide;
    uint64_t sites;
};

/* Where modifications may sit in one peptide, in order of places. */
struct options {
    int count;
    uint8_t place[(LONGEST_PEPTIDE + 1) * VARIABLE_MOST], mod[(LONGEST_PEPTIDE + 1) * VARIABLE_MOST];
};

struct maker {
    const struct candidates *c;
    const struct proteins *p;
    const struct chemistry *chemistry;
    const struct digest_rule *rule;
};

/* A sequence that occurs at an end of any protein may carry what belongs there. */
static void find_ends(const struct maker *m, long peptide, bool *start, bool *end) {
    *start = *end = false;
    for (uint32_t s = m->c->peptide_span[peptide]; s < m->c->peptide_span[peptide + 1]; s++) {
        const struct span *span = &m->c->spans[s];
        const struct protein *protein = &m->p->at[proteins_find(m->p, span->at)];
        const bool clipped =
            m->rule->clip && span->at == protein->first + 1 && m->p->codes[protein->first] == 'M' - 'A' + 1;
        *start |= span->at == protein->first || clipped;
        *end |= span->at + span->length == protein->first + protein->length;
    }
}

static void find_options(const struct maker *m, long peptide, struct options *o) {
    const struct chemistry *chemistry = m->chemistry;
    const struct span *span = &m->c->spans[m->c->peptide_span[peptide]];
    bool start = false, end = false;
    for (int v = 0; v < chemistry->variables; v++)
        if (chemistry->variable[v].place >= PLACE_PROTEIN_START && !start && !end)
            find_ends(m, peptide, &start, &end);
    o->count = 0;
    for (uint32_t i = 0; i < span->length; i++)
        for (int v = 0; v < chemistry->variables; v++) {
            const struct variable_mod *mod = &chemistry->variable[v];
            const bool first = i == 0, last = i + 1 == span->length;
            const bool placed[] = {true, first, last, first && start, last && end};
            if (!placed[mod->place] || !mod->code[m->p->codes[span->at + i]])
                continue;
            o->place[o->count] = (uint8_t)i;
            o->mod[o->count++] = (uint8_t)v;
        }
}

/* All choices of options from `next` on, one per place; appends to `out` unless it is NULL. */
static size_t choose(const struct maker *m, const struct options *o, int next, struct form form, struct form *out) {
    size_t found = 0;
    if (form.mass >= m->rule->lightest && form.mass <= m->rule->heaviest) {
        if (out)
            out[0] = form;
        found = 1;
    }
    if (site_count(form.sites) == m->rule->mods)
        return found;
    for (int k = next; k < o->count; k++) {
        struct form more = {form.mass + m->chemistry->variable[o->mod[k]].delta, form.peptide,
                            site_add(form.sites, o->place[k], o->mod[k])};
        int after = k + 1;
        while (after < o->count && o->place[after] == o->place[k])
            after++;
        found += choose(m, o, after, more, out ? out + found : NULL);
    }
    return found;
}

static size_t forms_of(const struct maker *m, long peptide, struct form *out) {
    struct options o = {0};
    if (m->chemistry->variables)
        find_options(m, peptide, &o);
    const struct form plain = {m->c->spans[m->c->peptide_span[peptide]].mass, (uint32_t)peptide, 0};
    return choose(m, &o, 0, plain, out);
}

static int compare_forms(const void *left, const void *right, void *context) {
    const struct form *a = left, *b = right;
    (void)context;
    if (a->mass != b->mass)
        return a->mass < b->mass ? -1 : 1;
    if (a->peptide != b->peptide)
        return a->peptide < b->peptide ? -1 : 1;
    return (a->sites > b->sites) - (a->sites < b->sites);
}

static void spell(const struct maker *m, long k, uint64_t *words) {
    const struct candidates *c = m->c;
    const struct span *span = &c->spans[c->peptide_span[c->peptide[k]]];
    for (uint32_t w = 0; w < (span->length + 7) / 8; w++)
        words[w] = 0;
    int next = 0;
    for (uint32_t i = 0; i < span->length; i++) {
        uint64_t code = m->p->codes[span->at + i];
        if (next < site_count(c->sites[k]) && site_place(c->sites[k], next) == (int)i)
            code = m->chemistry->variable[site_mod(c->sites[k], next++)].code[code];
        words[i / 8] |= code << (8 * (i % 8));
    }
}

/* Takes the sorted forms apart into arrays. */
static bool lay_out(struct candidates *c, const struct maker *m, const struct form *forms, struct note *note) {
    const size_t n = (size_t)c->count;
    c->mass = app_resize(NULL, n, sizeof *c->mass);
    c->peptide = app_resize(NULL, n, sizeof *c->peptide);
    c->sites = app_resize(NULL, n, sizeof *c->sites);
    c->first = app_resize(NULL, n + 1, sizeof *c->first);
    size_t words = 0;
    for (size_t k = 0; k < n; k++) {
        c->mass[k] = forms[k].mass;
        c->peptide[k] = forms[k].peptide;
        c->sites[k] = forms[k].sites;
        c->first[k] = (uint32_t)words;
        words += (c->spans[c->peptide_span[forms[k].peptide]].length + 7) / 8;
        if (words > UINT32_MAX)
            return note_fail(note,
                             "the candidates have more residues than this program numbers; allow fewer modifications");
    }
    c->first[n] = (uint32_t)words;
    c->words = app_resize(NULL, words, sizeof *c->words);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < n; k++)
        spell(m, (long)k, c->words + c->first[k]);
    return true;
}

bool candidates_make(struct candidates *c, const struct proteins *p, const struct chemistry *chemistry,
                     const struct digest_rule *rule, struct note *note) {
    *c = (struct candidates){0};
    if (!digest(c, p, chemistry, rule, note))
        return false;
    const struct maker m = {c, p, chemistry, rule};
    size_t *start = app_alloc((size_t)c->peptides + 1, sizeof *start);
#pragma omp parallel for schedule(dynamic, 1024)
    for (long k = 0; k < c->peptides; k++)
        start[k + 1] = forms_of(&m, k, NULL);
    for (long k = 0; k < c->peptides; k++)
        start[k + 1] += start[k];
    const size_t total = start[c->peptides];
    bool good = total < INT32_MAX;
    if (!good)
        note_fail(note, "%zu modified peptides are more than this program numbers; allow fewer --variable or --mods",
                  total);
    if (good && rule->app && app_memory_fits(rule->app, (double)total * 100, "so many modified peptides") >= 0)
        good = note_fail(note, "%zu modified peptides; allow fewer --variable, --mods or --missed", total);
    struct form *forms = good ? app_resize(NULL, total, sizeof *forms) : NULL;
    if (good) {
#pragma omp parallel for schedule(dynamic, 1024)
        for (long k = 0; k < c->peptides; k++)
            forms_of(&m, k, forms + start[k]);
        c->count = (long)total;
        mass_sort(forms, total, sizeof *forms, compare_forms, NULL);
        good = lay_out(c, &m, forms, note);
    }
    free(forms);
    free(start);
    return good;
}

int candidate_codes(const struct candidates *c, long k, uint8_t codes[LONGEST_PEPTIDE + 1]) {
    int length = 0;
    for (uint32_t w = c->first[k]; w < c->first[k + 1]; w++)
        for (int i = 0; i < 8; i++) {
            const uint8_t code = (uint8_t)(c->words[w] >> (8 * i));
            if (code)
                codes[length++] = code;
        }
    codes[length] = 0;
    return length;
}

void candidates_free(struct candidates *c) {
    free(c->spans);
    free(c->peptide_span);
    free(c->mass);
    free(c->peptide);
    free(c->sites);
    free(c->first);
    free(c->words);
    *c = (struct candidates){0};
}
