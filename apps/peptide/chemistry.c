/* SPDX-License-Identifier: Apache-2.0 */
#include "chemistry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Monoisotopic residue masses from the elements' (IUPAC). J is I or L; U selenocysteine, O pyrrolysine. */
static const double residue_masses[LETTERS] = {
    ['A' - 'A'] = 71.037113805,  ['C' - 'A'] = 103.009184505, ['D' - 'A'] = 115.026943065, ['E' - 'A'] = 129.042593135,
    ['F' - 'A'] = 147.068413945, ['G' - 'A'] = 57.021463735,  ['H' - 'A'] = 137.058911875, ['I' - 'A'] = 113.084064015,
    ['J' - 'A'] = 113.084064015, ['K' - 'A'] = 128.094963050, ['L' - 'A'] = 113.084064015, ['M' - 'A'] = 131.040484645,
    ['N' - 'A'] = 114.042927470, ['O' - 'A'] = 237.147726925, ['P' - 'A'] = 97.052763875,  ['Q' - 'A'] = 128.058577540,
    ['R' - 'A'] = 156.101111050, ['S' - 'A'] = 87.032028435,  ['T' - 'A'] = 101.047678505, ['U' - 'A'] = 150.953633405,
    ['V' - 'A'] = 99.068413945,  ['W' - 'A'] = 186.079312980, ['Y' - 'A'] = 163.063328575,
};

/* One entry of a list, taken apart. */
struct entry {
    bool letter[LETTERS + 1], any; /* any: a place without letters */
    enum mod_place place;
    double delta;
};

static bool read_entry(const char **at, struct entry *e, const char *option, struct note *note) {
    const char *start = *at;
    static const char places[] = "nc^$";
    *e = (struct entry){.any = true};
    for (; **at && !strchr("+-,", **at); ++*at) {
        const char c = **at, *place = strchr(places, c);
        if (place && e->place == PLACE_ANY) {
            e->place = PLACE_PEPTIDE_START + (enum mod_place)(place - places);
        } else if (c >= 'A' && c <= 'Z' && residue_masses[c - 'A'] > 0) {
            e->letter[c - 'A' + 1] = true;
            e->any = false;
        } else {
            return note_fail(note, "--%s: '%c' in '%s' is neither a residue nor one place of n, c, ^, $", option, c,
                             start);
        }
    }
    char *end = NULL;
    const bool number = **at == '+' || **at == '-';
    e->delta = number ? strtod(*at, &end) : 0;
    if (!number || end == *at || (*end && *end != ','))
        return note_fail(note, "--%s: expected residues and a mass like C+57.021464 at '%s'", option, start);
    if (!(fabs(e->delta) <= 10000))
        return note_fail(note, "--%s: a mass beyond 10000 Da at '%s'", option, start);
    if (e->any && e->place == PLACE_ANY)
        return note_fail(note, "--%s: no residue before the mass at '%s'", option, start);
    *at = *end ? end + 1 : end;
    return true;
}

static bool add_fixed(struct chemistry *c, const struct entry *e, struct note *note) {
    if (e->place > PLACE_PEPTIDE_END || (e->place != PLACE_ANY && !e->any))
        return note_fail(note, "--static: residues, or n or c alone; use --variable for other places");
    if (e->place == PLACE_PEPTIDE_START)
        c->start += e->delta;
    if (e->place == PLACE_PEPTIDE_END)
        c->end += e->delta;
    for (int k = 1; k <= LETTERS; k++)
        if (e->letter[k] && !((c->mass[k] += e->delta) > 0))
            return note_fail(note, "--static: the mass of %c becomes %g", c->letter[k], c->mass[k]);
    return true;
}

static bool add_variable(struct chemistry *c, const struct entry *e, struct note *note) {
    if (c->variables == VARIABLE_MOST)
        return note_fail(note, "--variable: more than %d modifications", VARIABLE_MOST);
    struct variable_mod *mod = &c->variable[c->variables++];
    *mod = (struct variable_mod){.delta = e->delta, .place = e->place};
    for (int k = 1; k <= LETTERS; k++) {
        if (!(e->any ? c->mass[k] > 0 : e->letter[k]))
            continue;
        if (c->codes == CODES)
            return note_fail(note, "--variable: more than %d modified residues", CODES - LETTERS - 1);
        if (!(c->mass[k] + e->delta > 0))
            return note_fail(note, "--variable: the mass of %c becomes %g", c->letter[k], c->mass[k] + e->delta);
        c->mass[c->codes] = c->mass[k] + e->delta;
        c->letter[c->codes] = c->letter[k];
        c->delta[c->codes] = e->delta;
        mod->code[k] = (uint8_t)c->codes++;
    }
    return true;
}

bool chemistry_set(struct chemistry *c, const char *fixed, const char *variable, struct note *note) {
    struct entry e;
    *c = (struct chemistry){.codes = LETTERS + 1};
    for (int k = 1; k <= LETTERS; k++) {
        c->letter[k] = (char)('A' + k - 1);
        c->mass[k] = residue_masses[k - 1];
    }
    for (const char *at = fixed; at && *at;) /* first: variable ones come on top */
        if (!read_entry(&at, &e, "static", note) || !add_fixed(c, &e, note))
            return false;
    for (const char *at = variable; at && *at;)
        if (!read_entry(&at, &e, "variable", note) || !add_variable(c, &e, note))
            return false;
    return true;
}
