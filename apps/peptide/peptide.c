/* SPDX-License-Identifier: Apache-2.0 */
/* peptide: finds the peptides of fragment spectra in protein sequences. See README.md. */
#include "create.h"
#include "results.h"
#include "settings.h"
#include "synthetic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define heddle_loop_case(name) (void)(name)
#endif

struct peptide {
    struct app app;
    struct settings set;
    struct proteins proteins;
    struct chemistry chemistry;
    struct candidates candidates;
    struct spectra spectra;
    struct search search;
    struct results results;
    double begun, loaded; /* seconds of the clock: at the start, when all input was there */
};

static int fail(const struct peptide *x, const struct note *note) { return app_fail(&x->app, "%s", note->text); }

static int load_proteins(struct peptide *x) {
    struct note note = {""};
    const struct settings *set = &x->set;
    app_progress(&x->app, "reading proteins");
    if (!x->app.input_count && app_memory_fits(&x->app, (double)set->proteins * 4000, "so many proteins") >= 0)
        return APP_BAD_INPUT;
    bool good = x->app.input_count ? proteins_read(&x->proteins, x->app.input[0], set->decoy_prefix, &note)
                                   : synthetic_proteins(&x->proteins, set->proteins, (uint64_t)set->seed, &note);
    long decoys = 0;
    for (long k = 0; k < x->proteins.count; k++)
        decoys += x->proteins.at[k].decoy;
    if (good && set->decoy && decoys)
        good = note_fail(&note, "--decoy: %s has %ld decoys already (--decoy-prefix=%s)", x->app.input[0], decoys,
                         set->decoy_prefix);
    if (good && (set->decoy || !x->app.input_count))
        good = proteins_reverse(&x->proteins, set->decoy_prefix, &note);
    if (good && set->save_proteins && !proteins_write(&x->proteins, set->save_proteins))
        good = note_fail(&note, "%s: cannot write: %s", set->save_proteins, strerror(errno ? errno : EIO));
    return good ? -1 : fail(x, &note);
}

static int make_candidates(struct peptide *x) {
    struct note note = {""};
    const struct settings *set = &x->set;
    if (!chemistry_set(&x->chemistry, set->fixed, set->variable, &note))
        return fail(x, &note);
    int status = load_proteins(x);
    if (status >= 0)
        return status;
    app_progress(&x->app, "%ld proteins; digesting", x->proteins.count);
    if (!candidates_make(&x->candidates, &x->proteins, &x->chemistry, &set->digest, &note))
        return fail(x, &note);
    if (!x->candidates.count)
        return app_fail(&x->app, "no peptide of %s residues and %s Da in these proteins", set->length, set->masses);
    return -1;
}

static struct synthetic synthetic(const struct settings *set, long spectra) {
    const struct tolerance t = set->search.fragment;
    return (struct synthetic){spectra, (uint64_t)set->seed, 4, t.unit == UNIT_PPM ? t.value * 3e-4 : t.value * 0.6};
}

/* --size: the spectra take the way through a file's text. */
static int load_seeded(struct peptide *x, struct note *note) {
    const struct synthetic what = synthetic(&x->set, x->app.rows);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool good = out && synthetic_write(out, false, &what, &x->candidates, &x->proteins, &x->chemistry);
    if (out)
        fclose(out);
    if (!good)
        note_fail(note, "out of memory for %ld spectra", x->app.rows);
    good = good && spectra_parse(&x->spectra, "<seeded>", text, length, note);
    free(text);
    return good;
}

static int load_spectra(struct peptide *x) {
    struct note note = {""};
    bool good = true;
    if (!x->app.input_count && app_memory_fits(&x->app, (double)x->app.rows * 8000, "so many spectra") >= 0)
        return APP_BAD_INPUT;
    x->spectra.filter = x->set.filter;
    for (int k = 1; good && k < x->app.input_count; k++) {
        app_progress(&x->app, "%ld candidates; reading %s", x->candidates.count, x->app.input[k]);
        good = spectra_read(&x->spectra, x->app.input[k], &note);
    }
    if (!x->app.input_count)
        good = load_seeded(x, &note);
    if (good && !x->spectra.count)
        good = note_fail(
            &note,
            "none of %ld spectra can be searched: %ld are MS1 or have no precursor, %ld have fewer than %ld peaks",
            x->spectra.read, x->spectra.surveys, x->spectra.poor, x->set.least_peaks);
    return good ? -1 : fail(x, &note);
}

/* Devices differ more where a spectrum has many candidates: what is learnt holds for a power of two of them. */
static void name_loop(const struct peptide *x) {
    const double mean = search_work(&x->search) / (double)x->spectra.count;
    int size = 0;
    char name[64];
    while (size < 32 && mean >= (double)(UINT64_C(2) << size))
        size++;
    snprintf(name, sizeof name, "%s bins, 2^%d candidates", x->search.plan.sparse ? "sparse" : "flat", size);
    heddle_loop_case(name);
}

static double measure(struct peptide *x) {
    name_loop(x);
    double *times = app_alloc((size_t)x->app.repeat, sizeof *times);
    for (long k = -x->set.warm; k < x->app.repeat; k++) {
        search_run(&x->search, peptide_score_heddle);
        times[k < 0 ? 0 : k] = x->search.seconds; /* those before are written over */
    }
    const double seconds = app_median(times, (int)x->app.repeat);
    free(times);
    return seconds;
}

/* The keys of all spectra, bit by bit. */
static enum app_verdict check(struct peptide *x) {
    const size_t bytes = (size_t)x->spectra.count * TOP * sizeof *x->search.keys;
    uint64_t *keys = app_resize(NULL, bytes, 1);
    memcpy(keys, x->search.keys, bytes);
    search_run(&x->search, peptide_score_serial);
    const bool same = !memcmp(keys, x->search.keys, bytes);
    memcpy(x->search.keys, keys, bytes);
    free(keys);
    if (!same)
        app_fail(&x->app, "check: the hits differ from the serial program's");
    return same ? APP_CHECK_OK : APP_CHECK_BAD;
}

static void say_what_was_left_out(const struct peptide *x) {
    const struct spectra *s = &x->spectra;
    if (s->profiles)
        fprintf(stderr, "%s: %ld spectra are not centroided; every point of them counts as a peak\n", x->app.name,
                s->profiles);
    if (x->app.json)
        return;
    fprintf(stderr, "%ld candidates (%ld sequences) of %ld proteins", x->candidates.count, x->candidates.peptides,
            x->proteins.count);
    if (x->candidates.skipped)
        fprintf(stderr, "; peptides with B, X or Z, in %ld of them, are left out", x->candidates.skipped);
    fprintf(stderr, "\n%ld spectra searched of %ld", s->count, s->read);
    if (s->surveys || s->poor)
        fprintf(stderr, "; left out: %ld MS1 or without precursor, %ld with fewer than %ld peaks", s->surveys, s->poor,
                s->filter.least);
    fputc('\n', stderr);
}

static int write_table(const struct peptide *x) {
    const struct settings *set = &x->set;
    const struct table_options options = {set->top, set->most_q, x->app.input_count > 2 ? x->app.input + 1 : NULL};
    if (set->most_q < 1 && !x->results.decoys)
        return app_fail(&x->app, "--max-q=%g: no protein is a decoy (--decoy makes them, --decoy-prefix=%s)",
                        set->most_q, set->decoy_prefix);
    if (!set->out && (x->app.json || !x->app.input_count))
        return -1;
    errno = 0;
    FILE *out = set->out ? app_create(set->out) : stdout;
    bool good = out && results_write(&x->results, &x->search, &x->proteins, &options, out);
    if (out && set->out)
        good = app_finish(out, good);
    return good ? -1
                : app_fail(&x->app, "%s: cannot write: %s", set->out ? set->out : "<stdout>",
                           strerror(errno ? errno : EIO));
}

static int run(struct peptide *x) {
    x->search = (struct search){.app = &x->app,
                                .spectra = &x->spectra,
                                .candidates = &x->candidates,
                                .chemistry = &x->chemistry,
                                .rule = x->set.search};
    x->loaded = app_seconds();
    search_prepare(&x->search);
    const double seconds = measure(x);
    struct app_result result = {.rows = (double)x->spectra.count,
                                .cols = (double)x->candidates.count,
                                .seconds = seconds,
                                .work = x->search.comparisons,
                                .unit = "Gcandidates/s",
                                .checksum = results_hash(&x->search),
                                .check = x->app.check ? check(x) : APP_NOT_CHECKED};
    results_make(&x->results, &x->search, &x->proteins);
    int status = write_table(x);
    if (status >= 0)
        return status;
    say_what_was_left_out(x);
    const struct app_value values[] = {
        {"compared", x->search.comparisons},           {"matched", (double)x->results.matched},
        {"identified", (double)x->results.identified}, {"input_seconds", x->loaded - x->begun},
        {"total_seconds", app_seconds() - x->begun},   {NULL, 0}};
    const bool table_on_stdout = !x->set.out && !x->app.json && x->app.input_count;
    return app_report_values(&x->app, &result, table_on_stdout ? stderr : stdout, values);
}

/* A disk that is full in an hour is full for everybody else, too. A spectrum takes a kilobyte at least; pipes and
 * devices have no room. */
static int disk_fits(const struct peptide *x, FILE *out) {
    struct stat file;
    struct statvfs disk;
    if (fstat(fileno(out), &file) || !S_ISREG(file.st_mode) || fstatvfs(fileno(out), &disk))
        return -1;
    const double needed = 1000.0 * (double)x->set.synthesize, room = (double)disk.f_bavail * (double)disk.f_frsize;
    return needed <= room ? -1
                          : app_fail(&x->app, "%s: so many spectra need %.3g GB at least; %.3g GB are free there",
                                     x->set.out, needed * 1e-9, room * 1e-9);
}

/* --synthesize: spectra for this and other programs. */
static int synthesize(struct peptide *x) {
    const char *path = x->set.out;
    const size_t length = path ? strlen(path) : 0;
    const bool mzml = length > 5 && !strcmp(path + length - 5, ".mzML");
    if (!mzml && !(length > 4 && !strcmp(path + length - 4, ".mgf")))
        return app_fail(&x->app, "--synthesize needs --out=FILE.mgf or FILE.mzML");
    const int status = make_candidates(x);
    if (status >= 0)
        return status;
    const struct synthetic what = synthetic(&x->set, x->set.synthesize);
    errno = 0;
    FILE *out = app_create(path);
    if (out && disk_fits(x, out) >= 0) {
        app_finish(out, false);
        return APP_BAD_INPUT;
    }
    bool good = out && synthetic_write(out, mzml, &what, &x->candidates, &x->proteins, &x->chemistry);
    good = app_finish(out, good);
    return good ? APP_OK : app_fail(&x->app, "%s: cannot write: %s", path, strerror(errno ? errno : EIO));
}

static int start(struct peptide *x) {
    int status = settings_read(&x->app, &x->set);
    if (status >= 0)
        return status;
    if (x->set.synthesize)
        return synthesize(x);
    if (x->app.input_count == 1)
        return app_fail(&x->app, "no spectra: expected PROTEINS.fasta and then files of spectra (see %s --help)",
                        x->app.name);
    if (x->app.sized && x->app.input_count)
        return app_fail(&x->app, "--size is for runs without files");
    status = make_candidates(x);
    if (status < 0)
        status = load_spectra(x);
    return status < 0 ? run(x) : status;
}

static void release(struct peptide *x) {
    results_free(&x->results);
    search_free(&x->search);
    spectra_free(&x->spectra);
    candidates_free(&x->candidates);
    proteins_free(&x->proteins);
}

static void set_defaults(struct peptide *x) {
    x->app =
        (struct app){.name = "peptide",
                     .summary = "finds the peptides of fragment spectra (MS/MS) in protein sequences, by MVH scores",
                     .inputs = "[PROTEINS SPECTRA...]   (FASTA; mzML or MGF; plain or gzip)",
                     .inputs_max = 1000,
                     .loops = true,
                     .size_help = "without files: seeded spectra (2000)",
                     .rows = 2000,
                     .cols = 2000};
    x->set = (struct settings){.precursor = "10ppm",
                               .fragment = "0.5da",
                               .isotopes = "0,0",
                               .charges = "2,4",
                               .length = "6,50",
                               .masses = "600,5000",
                               .enzyme = "trypsin",
                               .fixed = "C+57.021464",
                               .decoy_prefix = "rev_",
                               .missed = 2,
                               .mods = 2,
                               .peaks = 300,
                               .least_peaks = 10,
                               .classes = 3,
                               .least = 4,
                               .fragment_charges = 3,
                               .top = TOP,
                               .proteins = 1000,
                               .seed = 1,
                               .tic = 0.98,
                               .most_q = 1};
}

int main(int argc, char **argv) {
    static struct peptide x;
    struct settings *s = &x.set;
    set_defaults(&x);
    x.begun = app_seconds();
    const struct app_option options[] = {
        {"tolerance", "T", "of the precursor's mass: 10ppm, 3da, or 1.5mz (Da of m/z) (10ppm)", APP_TEXT, &s->precursor,
         0},
        {"fragment", "T", "of fragments: 0.5da or 20ppm (0.5da)", APP_TEXT, &s->fragment, 0},
        {"isotopes", "LO,HI", "the precursor may be one of these isotope peaks (0,0)", APP_TEXT, &s->isotopes, 0},
        {"charges", "LO,HI", "tried where the file says none (2,4)", APP_TEXT, &s->charges, 0},
        {"fragment-charges", "N", "highest charge of fragments, below the precursor's (3)", APP_LONG,
         &s->fragment_charges, 1},
        {"enzyme", "E",
         "trypsin, trypsin-p (cuts before P too), lys-c, lys-n, arg-c, asp-n, glu-c, chymotrypsin, none (trypsin)",
         APP_TEXT, &s->enzyme, 0},
        {"missed", "N", "uncut sites in a peptide (2)", APP_LONG, &s->missed, 0},
        {"clip-methionine", NULL, "a protein's first M may be gone", APP_FLAG, &s->clip, 0},
        {"length", "LO,HI", "residues of a peptide (6,50)", APP_TEXT, &s->length, 0},
        {"masses", "LO,HI", "of a peptide, Da (600,5000)", APP_TEXT, &s->masses, 0},
        {"static", "LIST", "modifications of all such residues; n and c are the peptide's ends (C+57.021464)", APP_TEXT,
         &s->fixed, 0},
        {"variable", "LIST", "modifications that may be: M+15.994915,STY+79.966331,nQ-17.026549,^+42.010565", APP_TEXT,
         &s->variable, 0},
        {"mods", "N", "variable modifications of a peptide at most (2)", APP_LONG, &s->mods, 0},
        {"decoy", NULL, "add the reversed proteins", APP_FLAG, &s->decoy, 0},
        {"decoy-prefix", "P", "names of decoys start with this (rev_)", APP_TEXT, &s->decoy_prefix, 0},
        {"tic", "F", "keep the strongest peaks that have this fraction of the intensity (0.98)", APP_REAL, &s->tic, 0},
        {"peaks", "N", "keep at most so many peaks (300)", APP_LONG, &s->peaks, 1},
        {"min-peaks", "N", "leave out spectra with fewer peaks (10)", APP_LONG, &s->least_peaks, 1},
        {"classes", "N", "intensity classes, each twice as large as the one before (3)", APP_LONG, &s->classes, 1},
        {"min-matched", "N", "fewer matched ions score nothing (4)", APP_LONG, &s->least, 1},
        {"top", "N", "hits listed per spectrum, up to 5 (5)", APP_LONG, &s->top, 1},
        {"max-q", "Q", "list spectra whose best hit has at most this q-value (1)", APP_REAL, &s->most_q, 0},
        {"out", "FILE", "the table (standard output; with --json nowhere)", APP_OUTPUT, &s->out, 0},
        {"synthesize", "N", "write N seeded spectra of the proteins, or of seeded ones, to --out=FILE.mgf or .mzML",
         APP_LONG, &s->synthesize, 1},
        {"save-proteins", "FILE", "write the proteins, decoys included, as FASTA", APP_OUTPUT, &s->save_proteins, 0},
        {"warm", "N", "search so often before what --repeat measures (0)", APP_LONG, &s->warm, 0},
        {"proteins", "N", "without files: seeded proteins (1000)", APP_LONG, &s->proteins, 1},
        {"seed", "N", "of what is seeded (1)", APP_LONG, &s->seed, 0},
        {0}};
    x.app.options = options;
    int status = app_parse(&x.app, argc, argv);
    if (status < 0)
        status = start(&x);
    release(&x);
    return status;
}
