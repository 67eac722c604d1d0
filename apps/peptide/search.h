/* SPDX-License-Identifier: Apache-2.0 */
/* From spectra and candidates to scored hits. */
#ifndef PEPTIDE_SEARCH_H
#define PEPTIDE_SEARCH_H

#include "app.h"
#include "nest.h"
#include "peptides.h"
#include "spectra.h"

enum tolerance_unit { UNIT_PPM, UNIT_DA, UNIT_MZ };

struct tolerance {
    double value;
    enum tolerance_unit unit; /* UNIT_MZ: Da of m/z, so a charge multiplies it */
};

struct search_rule {
    struct tolerance precursor, fragment; /* fragment: UNIT_PPM or UNIT_DA */
    long isotopes_low, isotopes_high;     /* the instrument may have picked the k-th isotope peak */
    long charge_low, charge_high;         /* where the file says nothing */
    long fragment_charges, least;
};

/* One of the best candidates of a spectrum. */
struct hit {
    double mvh;
    uint32_t candidate;
    uint16_t charge, matched, ions;
};

struct search {
    const struct app *app;
    const struct spectra *spectra;
    const struct candidates *candidates;
    const struct chemistry *chemistry;
    struct search_rule rule;

    double bin; /* Da */
    struct score_plan plan;
    uint32_t *totals;
    int64_t *logs;
    long logs_count;
    struct shape *shapes; /* of all spectra */
    struct window *windows;
    double comparisons; /* of a spectrum and a candidate */
    uint64_t *keys;     /* [spectra][TOP] */
    uint32_t *tables;   /* of a batch; kept, since the system hands out fresh memory page by page, in time that the loop
                           would wait */
    uint64_t *best;
    size_t tables_room, best_room;
    double seconds; /* in the loop alone */
};

/* Bins, masses in bins, mass windows; the rule has been checked by settings_read(). */
void search_prepare(struct search *s);
/* Comparisons of a spectrum and a candidate that search_run() will make. */
double search_work(const struct search *s);
/* Scores all spectra with `nest` and keeps the best keys. */
void search_run(struct search *s, peptide_score *nest);
/* The best hits of a spectrum, best first, with what a report wants to know; returns how many. */
int search_hits(const struct search *s, long spectrum, struct hit hits[TOP]);
void search_free(struct search *s);

/* Fills the table of one spectrum: plan->stride words. */
void table_fill(const struct search *s, long spectrum, uint32_t *table);

#endif
