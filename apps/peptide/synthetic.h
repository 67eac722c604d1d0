/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded proteins and spectra, for runs without files and for files that other programs read too. */
#ifndef PEPTIDE_SYNTHETIC_H
#define PEPTIDE_SYNTHETIC_H

#include "app.h"
#include "peptides.h"

/* Random chains of 80 to 600 residues with the frequencies of natural proteins (UniProtKB/Swiss-Prot). */
bool synthetic_proteins(struct proteins *p, long count, uint64_t seed, struct note *note);

struct synthetic {
    long spectra;
    uint64_t seed;
    double ppm;      /* the precursor's error is within this */
    double fragment; /* the fragments' error is within this, Da */
};

/* Spectra of random candidates: three quarters of the b and y ions, noise, and one spectrum in five of noise alone.
 * Scan k of the MGF has the peptide in its TITLE. Returns false when the file cannot be written. */
bool synthetic_write(FILE *out, bool mzml, const struct synthetic *what, const struct candidates *c,
                     const struct proteins *p, const struct chemistry *chemistry);

#endif
