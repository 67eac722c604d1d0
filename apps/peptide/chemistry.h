/* SPDX-License-Identifier: Apache-2.0 */
/* Masses of residues and of their modifications, in Da (monoisotopic).
 *
 * A residue of a peptide is a code of one byte: 1 ... 26 are the letters A ... Z, larger codes are letters with a
 * variable modification. Code 0 ends a peptide. Letters without a mass (B, X, Z) have none here either: a
 * peptide with such a residue cannot be searched. */
#ifndef PEPTIDE_CHEMISTRY_H
#define PEPTIDE_CHEMISTRY_H

#include "input.h"

#include <stdint.h>

#define MASS_PROTON 1.00727646688
#define MASS_WATER 18.0105646837
#define MASS_ISOTOPE 1.0033548378 /* 13C - 12C */

enum { CODES = 256, LETTERS = 26, VARIABLE_MOST = 15 };

enum mod_place { PLACE_ANY, PLACE_PEPTIDE_START, PLACE_PEPTIDE_END, PLACE_PROTEIN_START, PLACE_PROTEIN_END };

struct variable_mod {
    double delta;
    enum mod_place place;
    uint8_t code[LETTERS + 1]; /* of the modified residue, 0: it does not take this modification */
};

struct chemistry {
    double mass[CODES]; /* static modifications and the code's own included; 0: no mass */
    char letter[CODES];
    double delta[CODES]; /* of the variable modification, 0: none */
    int codes;           /* in use, code 0 included */
    double start, end;   /* static modifications of a peptide's ends */
    struct variable_mod variable[VARIABLE_MOST];
    int variables;
};

/* `fixed` and `variable` are lists like "C+57.021464,n+304.207" with, before the mass, letters and at most one
 * place: n and c the ends of a peptide, ^ and $ those of a protein (variable only). NULL or "": none. */
bool chemistry_set(struct chemistry *c, const char *fixed, const char *variable, struct note *note);

#endif
