/* SPDX-License-Identifier: Apache-2.0 */
#include "synthetic.h"

#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PEAKS_MOST = 2 * 2 * LONGEST_PEPTIDE + 160 };

/* Per mille of the residues in UniProtKB/Swiss-Prot, rounded. */
static const struct {
    char letter;
    int share;
} frequencies[] = {{'A', 83}, {'R', 55}, {'N', 41}, {'D', 55}, {'C', 14}, {'Q', 39}, {'E', 67},
                   {'G', 71}, {'H', 23}, {'I', 59}, {'L', 97}, {'K', 58}, {'M', 24}, {'F', 39},
                   {'P', 47}, {'S', 66}, {'T', 54}, {'W', 11}, {'Y', 29}, {'V', 69}};

static uint8_t random_residue(struct app_random *random) {
    int at = (int)app_below(random, 1001);
    for (size_t k = 0; k < sizeof frequencies / sizeof *frequencies; k++)
        if ((at -= frequencies[k].share) < 0)
            return (uint8_t)(frequencies[k].letter - 'A' + 1);
    return 1;
}

bool synthetic_proteins(struct proteins *p, long count, uint64_t seed, struct note *note) {
    struct app_random random;
    uint8_t codes[600];
    char name[32];
    bool good = true;
    app_seed(&random, seed);
    for (long k = 0; good && k < count; k++) {
        const size_t length = 80 + app_below(&random, 520);
        codes[0] = 'M' - 'A' + 1;
        for (size_t i = 1; i < length; i++)
            codes[i] = random_residue(&random);
        const int named = snprintf(name, sizeof name, "seeded%ld", k + 1);
        good = proteins_add(p, name, (size_t)named, codes, length, false, note);
    }
    return good;
}

struct peaks {
    double mz[PEAKS_MOST], intensity[PEAKS_MOST];
    int count;
};

/* Intensities over two decades below `most`. */
static void add_peak(struct peaks *x, double mz, double most, struct app_random *random) {
    const double intensity = most * pow(10, -2 * app_unit(random));
    if (x->count < PEAKS_MOST && mz > 50) {
        x->mz[x->count] = mz;
        x->intensity[x->count++] = intensity;
    }
}

static double blur(struct app_random *random, double by) { return (2 * app_unit(random) - 1) * by; }

/* One draw a statement: the order in which arguments are computed is the compiler's choice. */
static void add_ion(struct peaks *x, double mz, double most, const struct synthetic *what, struct app_random *random) {
    const double shifted = mz + blur(random, what->fragment);
    add_peak(x, shifted, most, random);
}

static void add_ions(struct peaks *x, const struct synthetic *what, const struct candidates *c,
                     const struct chemistry *chemistry, long k, int charge, struct app_random *random) {
    uint8_t codes[LONGEST_PEPTIDE + 1];
    const int length = candidate_codes(c, k, codes);
    double prefix = chemistry->start;
    for (int i = 0; i + 1 < length; i++) {
        prefix += chemistry->mass[codes[i]];
        for (int z = 1; z <= (charge > 2 ? 2 : 1); z++) {
            const double chance = z == 1 ? 0.75 : 0.3;
            const double start = prefix / z + MASS_PROTON, end = (c->mass[k] - prefix) / z + MASS_PROTON;
            if (app_unit(random) < chance)
                add_ion(x, start, 600, what, random);
            if (app_unit(random) < chance)
                add_ion(x, end, 1000, what, random);
        }
    }
}

static void add_noise(struct peaks *x, double mass, struct app_random *random) {
    const double mz = 100 + app_unit(random) * (mass - 100);
    add_peak(x, mz, 150, random);
}

static int compare_mz(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

static void sort_peaks(struct peaks *x) {
    double pairs[PEAKS_MOST][2];
    for (int k = 0; k < x->count; k++) {
        pairs[k][0] = x->mz[k];
        pairs[k][1] = x->intensity[k];
    }
    qsort(pairs, (size_t)x->count, sizeof *pairs, compare_mz);
    for (int k = 0; k < x->count; k++) {
        x->mz[k] = pairs[k][0];
        x->intensity[k] = pairs[k][1];
    }
}

static void write_base64(FILE *out, const double *values, int count) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char plain[PEAKS_MOST * 8], packed[PEAKS_MOST * 9 + 100];
    uLongf length = sizeof packed;
    for (int k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        for (int b = 0; b < 8; b++)
            plain[8 * k + b] = (unsigned char)(bits >> (8 * b));
    }
    compress(packed, &length, plain, (uLong)count * 8);
    fprintf(out, "<binary>");
    for (uLongf k = 0; k < length; k += 3) {
        const unsigned left = (unsigned)(length - k);
        const unsigned bits = packed[k] << 16 | (left > 1 ? packed[k + 1] << 8 : 0) | (left > 2 ? packed[k + 2] : 0);
        fputc(letters[bits >> 18], out);
        fputc(letters[bits >> 12 & 63], out);
        fputc(left > 1 ? letters[bits >> 6 & 63] : '=', out);
        fputc(left > 2 ? letters[bits & 63] : '=', out);
    }
    fprintf(out, "</binary>");
}

static void write_array(FILE *out, const char *kind, const char *name, const double *values, int count) {
    fprintf(out,
            "<binaryDataArray encodedLength=\"0\"><cvParam cvRef=\"MS\" accession=\"MS:1000523\" name=\"64-bit float\" "
            "value=\"\"/>"
            "<cvParam cvRef=\"MS\" accession=\"MS:1000574\" name=\"zlib compression\" value=\"\"/>"
            "<cvParam cvRef=\"MS\" accession=\"%s\" name=\"%s\" value=\"\"/>",
            kind, name);
    write_base64(out, values, count);
    fprintf(out, "</binaryDataArray>\n");
}

static void write_mzml(FILE *out, const struct peaks *x, long scan, double mz, int charge) {
    fprintf(out,
            "<spectrum index=\"%ld\" id=\"scan=%ld\" defaultArrayLength=\"%d\">\n"
            "<cvParam cvRef=\"MS\" accession=\"MS:1000511\" name=\"ms level\" value=\"2\"/>"
            "<cvParam cvRef=\"MS\" accession=\"MS:1000127\" name=\"centroid spectrum\" value=\"\"/>\n"
            "<precursorList count=\"1\"><precursor><selectedIonList count=\"1\"><selectedIon>"
            "<cvParam cvRef=\"MS\" accession=\"MS:1000744\" name=\"selected ion m/z\" value=\"%.7f\"/>"
            "<cvParam cvRef=\"MS\" accession=\"MS:1000041\" name=\"charge state\" value=\"%d\"/>"
            "</selectedIon></selectedIonList></precursor></precursorList>\n<binaryDataArrayList count=\"2\">\n",
            scan - 1, scan, x->count, mz, charge);
    write_array(out, "MS:1000514", "m/z array", x->mz, x->count);
    write_array(out, "MS:1000515", "intensity array", x->intensity, x->count);
    fprintf(out, "</binaryDataArrayList></spectrum>\n");
}

static void write_mgf(FILE *out, const struct peaks *x, long scan, double mz, int charge) {
    fprintf(out, "SCANS=%ld\nPEPMASS=%.7f\nCHARGE=%d+\n", scan, mz, charge);
    for (int k = 0; k < x->count; k++)
        fprintf(out, "%.5f %.2f\n", x->mz[k], x->intensity[k]);
    fprintf(out, "END IONS\n\n");
}

static void write_one(FILE *out, bool mzml, const struct synthetic *what, const struct candidates *c,
                      const struct proteins *p, const struct chemistry *chemistry, long scan,
                      struct app_random *random) {
    struct peaks x = {.count = 0};
    long k = (long)(app_next(random) % (uint64_t)c->count);
    for (int tries = 0; tries < 100 && candidate_is_decoy(c, p, (uint32_t)k); tries++)
        k = (long)(app_next(random) % (uint64_t)c->count);
    const bool noise = app_below(random, 5) == 0;
    const int charge = c->mass[k] < 900 ? 2 : 2 + (int)app_below(random, 2);
    const double mass = (noise ? c->mass[k] + 0.4 : c->mass[k]) * (1 + blur(random, what->ppm * 1e-6));
    if (!noise)
        add_ions(&x, what, c, chemistry, k, charge, random);
    const int stray = 40 + (int)app_below(random, 80);
    for (int i = 0; i < stray; i++)
        add_noise(&x, c->mass[k], random);
    sort_peaks(&x);
    if (mzml) {
        write_mzml(out, &x, scan, mass / charge + MASS_PROTON, charge);
        return;
    }
    fprintf(out, "BEGIN IONS\nTITLE=");
    if (noise)
        fprintf(out, "noise");
    else
        candidate_spell(c, p, chemistry, (uint32_t)k, out);
    fprintf(out, " scan=%ld\n", scan);
    write_mgf(out, &x, scan, mass / charge + MASS_PROTON, charge);
}

bool synthetic_write(FILE *out, bool mzml, const struct synthetic *what, const struct candidates *c,
                     const struct proteins *p, const struct chemistry *chemistry) {
    struct app_random random;
    app_seed(&random, what->seed ^ UINT64_C(0x9e3779b97f4a7c15));
    if (mzml)
        fprintf(out,
                "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<mzML xmlns=\"http://psi.hupo.org/ms/mzml\" "
                "version=\"1.1.0\" id=\"seeded\">\n"
                "<fileDescription><fileContent><cvParam cvRef=\"MS\" accession=\"MS:1000580\" name=\"MSn spectrum\" "
                "value=\"\"/>"
                "</fileContent></fileDescription>\n<run id=\"seeded\"><spectrumList count=\"%ld\">\n",
                what->spectra);
    for (long k = 0; k < what->spectra && c->count && !ferror(out); k++)
        write_one(out, mzml, what, c, p, chemistry, k + 1, &random);
    if (mzml)
        fprintf(out, "</spectrumList></run></mzML>\n");
    return !fflush(out) && !ferror(out);
}
