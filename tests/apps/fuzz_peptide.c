/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as FASTA, mzML or MGF: the readers end, stay in bounds, and either keep their promises or say what is
 * wrong. Built for libFuzzer with -DHEDDLE_FUZZ=ON; fuzz_peptide_main.c runs the same function on fixed inputs in
 * ctest. */
#include "peptides.h"
#include "spectra.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

static void check_candidates(const struct candidates *c, const struct chemistry *chemistry) {
    uint8_t codes[LONGEST_PEPTIDE + 1];
    for (long k = 0; k < c->count; k++) {
        const int length = candidate_codes(c, k, codes);
        promise(length >= 2 && length <= 20 && (!k || c->mass[k - 1] <= c->mass[k]));
        for (int i = 0; i < length; i++)
            promise(chemistry->mass[codes[i]] > 0);
    }
}

static void fuzz_proteins(const char *text, size_t size) {
    static const char *const enzymes[] = {"trypsin", "trypsin-p", "asp-n", "none"};
    struct proteins p = {0};
    struct candidates c = {0};
    struct chemistry chemistry;
    struct note note = {""};
    const struct digest_rule rule = {.enzyme = enzymes[size % 4],
                                     .missed = 2,
                                     .shortest = 2,
                                     .longest = 20,
                                     .lightest = 100,
                                     .heaviest = 3000,
                                     .clip = size % 3 == 0,
                                     .mods = 2};
    promise(chemistry_set(&chemistry, "C+57.021464", "M+15.994915,nQ-17.026549,^+42.010565", &note));
    const bool good = proteins_parse(&p, "<fuzz>", text, size, "rev_", &note) && proteins_reverse(&p, "rev_", &note);
    promise(good == !note.text[0] && (!good || p.count > 0));
    if (good) {
        promise(candidates_make(&c, &p, &chemistry, &rule, &note));
        check_candidates(&c, &chemistry);
    }
    candidates_free(&c);
    proteins_free(&p);
}

static void fuzz_spectra(const char *text, size_t size) {
    struct spectra s = {.filter = {.tic = 0.98, .most = 300, .least = 1, .classes = 1}};
    struct note note = {""};
    const bool good = spectra_parse(&s, "<fuzz>", text, size, &note);
    promise(good == !note.text[0] && (good || strstr(note.text, "<fuzz>")));
    for (long k = 0; good && k < s.count; k++) {
        const struct spectrum *x = &s.at[k];
        promise(x->peaks > 0 && x->first + (size_t)x->peaks <= s.peaks && x->mz > 0 && x->mz <= MZ_MOST);
        for (int i = 0; i < x->peaks; i++)
            promise(s.mz[x->first + (size_t)i] >= 0 && s.mz[x->first + (size_t)i] <= MZ_MOST);
    }
    spectra_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = app_alloc(size + 1, 1); /* the readers may look at the zero behind the end */
    memcpy(text, data, size);
    if (size && text[0] == '>')
        fuzz_proteins(text, size);
    else
        fuzz_spectra(text, size);
    free(text);
    return 0;
}
