/* SPDX-License-Identifier: Apache-2.0 */
/* From proteins to what spectra are compared with: digestion, one entry per sequence, modified forms, all by mass.
 *
 * Candidates are arrays, so that a device takes them as they are: candidate k has residues in words[first[k]] ...
 * words[first[k + 1] - 1], eight codes a word, the first one lowest, zeros at the end. */
#ifndef PEPTIDE_PEPTIDES_H
#define PEPTIDE_PEPTIDES_H

#include "chemistry.h"
#include "proteins.h"

#include "app.h"

enum { LONGEST_PEPTIDE = 63, MODS_MOST = 6 };

struct digest_rule {
    const char *enzyme;        /* a name of digest_enzymes() */
    long missed;               /* cleavage sites inside a peptide */
    long shortest, longest;    /* residues */
    double lightest, heaviest; /* neutral mass, Da */
    bool clip;                 /* a protein's first M may be gone */
    long mods;                 /* variable modifications per peptide at most */
    const struct app *app;     /* who says that memory is short; NULL: nobody asks */
};

/* Names for a message: "trypsin, trypsin-p, ...". */
const char *digest_enzymes(void);

struct span {
    double mass; /* neutral, unmodified but for static modifications */
    uint32_t at, length;
};

struct candidates {
    struct span *spans; /* every occurrence, equal sequences together, by mass */
    long span_count;
    uint32_t *peptide_span; /* [peptides + 1]: the spans of a sequence */
    long peptides;

    long count;
    double *mass;      /* [count], ascending */
    uint32_t *peptide; /* [count] */
    uint64_t *sites;   /* [count] variable modifications, see site_count() */
    uint32_t *first;   /* [count + 1] */
    uint64_t *words;
    long skipped; /* proteins with residues that have no mass */
};

bool candidates_make(struct candidates *c, const struct proteins *p, const struct chemistry *chemistry,
                     const struct digest_rule *rule, struct note *note);
void candidates_free(struct candidates *c);

/* `sites` holds up to MODS_MOST pairs of a place and a variable modification. */
static inline int site_count(uint64_t sites) { return (int)(sites >> 60); }
static inline int site_place(uint64_t sites, int k) { return (int)(sites >> (10 * k + 4)) & 63; }
static inline int site_mod(uint64_t sites, int k) { return (int)(sites >> (10 * k)) & 15; }
static inline uint64_t site_add(uint64_t sites, int place, int mod) {
    const int k = site_count(sites);
    return (sites + (UINT64_C(1) << 60)) | ((uint64_t)(place << 4 | mod) << (10 * k));
}

/* Codes of candidate k, its length is returned. */
int candidate_codes(const struct candidates *c, long k, uint8_t codes[LONGEST_PEPTIDE + 1]);

/* Parts of candidates_make(). */
bool digest(struct candidates *c, const struct proteins *p, const struct chemistry *chemistry,
            const struct digest_rule *rule, struct note *note);
/* Sorts items that start with their mass (a double), in parallel; equal ones by `compare`, which sees whole items. */
void mass_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
               void *context);

#endif
