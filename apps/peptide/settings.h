/* SPDX-License-Identifier: Apache-2.0 */
/* The options that only peptide has, as text and as what they mean. */
#ifndef PEPTIDE_SETTINGS_H
#define PEPTIDE_SETTINGS_H

#include "search.h"

struct settings {
    /* as they are given */
    const char *precursor, *fragment, *isotopes, *charges, *length, *masses;
    const char *enzyme, *fixed, *variable, *decoy_prefix, *out, *save_proteins;
    long missed, mods, peaks, least_peaks, classes, least, fragment_charges, top;
    long proteins, synthesize, seed, warm;
    double tic, most_q;
    bool decoy, clip;
    /* what they mean */
    struct digest_rule digest;
    struct search_rule search;
    struct peak_filter filter;
};

/* Returns -1, or the exit status after a message. */
int settings_read(const struct app *app, struct settings *set);

#endif
