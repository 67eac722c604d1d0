/* SPDX-License-Identifier: Apache-2.0 */
/* Protein sequences from FASTA (plain or gzip), and their reversed decoys.
 *
 * Accepted: blank lines, Windows line ends, blanks between '>' and the name, lower case, a '*' at the end or
 * inside (a stop: no peptide goes across), '-' (left out), all letters. Anything else is an error with file and line.
 */
#ifndef PEPTIDE_PROTEINS_H
#define PEPTIDE_PROTEINS_H

#include "input.h"

#include <stdint.h>

struct protein {
    uint32_t first; /* of its residues in `codes` */
    uint32_t length;
    uint32_t name; /* in `names`: the first word after '>' */
    bool decoy;
};

struct proteins {
    uint8_t *codes; /* 1 ... 26 the letters, 0 a stop and after every protein */
    char *names;
    size_t residues, names_used, names_room, codes_room;
    struct protein *at;
    long count, room;
};

/* A protein whose name starts with `prefix` is a decoy; NULL or "": none is. */
bool proteins_read(struct proteins *p, const char *path, const char *prefix, struct note *note);
bool proteins_parse(struct proteins *p, const char *name, const char *text, size_t length, const char *prefix,
                    struct note *note);
/* Adds the reversed sequence of each protein, named prefix + name. False: too many residues. */
bool proteins_reverse(struct proteins *p, const char *prefix, struct note *note);
/* codes[length], 1 ... 26 or 0. */
bool proteins_add(struct proteins *p, const char *name, size_t name_length, const uint8_t *codes, size_t length,
                  bool decoy, struct note *note);
/* As FASTA; false: cannot be written. */
bool proteins_write(const struct proteins *p, const char *path);
/* The protein that holds residue `at`. */
long proteins_find(const struct proteins *p, uint32_t at);
void proteins_free(struct proteins *p);

#endif
