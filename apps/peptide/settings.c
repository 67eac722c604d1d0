/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* "LO,HI" within least ... most. */
static int read_range(const struct app *app, const char *option, const char *text, double least, double most,
                      double *low, double *high) {
    char *end;
    *low = strtod(text, &end);
    *high = *low;
    bool good = end != text;
    if (good && *end == ',') {
        const char *second = end + 1;
        *high = strtod(second, &end);
        good = end != second;
    }
    if (!good || *end || !(*low >= least && *low <= *high && *high <= most))
        return app_fail(app, "--%s=%s: expected LO,HI from %g to %g", option, text, least, most);
    return -1;
}

static int read_whole_range(const struct app *app, const char *option, const char *text, long least, long most,
                            long *low, long *high) {
    double from, to;
    const int status = read_range(app, option, text, (double)least, (double)most, &from, &to);
    if (status >= 0)
        return status;
    *low = (long)from;
    *high = (long)to;
    if ((double)*low != from || (double)*high != to)
        return app_fail(app, "--%s=%s: expected whole numbers", option, text);
    return -1;
}

/* "10ppm", "0.5da", "1.5mz". */
static int read_tolerance(const struct app *app, const char *option, const char *text, bool fragment,
                          struct tolerance *t) {
    static const struct {
        const char *name;
        enum tolerance_unit unit;
        double least, most;
    } units[] = {{"ppm", UNIT_PPM, 0.01, 1e5}, {"da", UNIT_DA, 1e-4, 5000}, {"mz", UNIT_MZ, 1e-4, 5000}};
    char *end;
    t->value = strtod(text, &end);
    for (int k = 0; k < (fragment ? 2 : 3); k++)
        if (end != text && !strcmp(end, units[k].name)) {
            const double most = !fragment ? units[k].most
                                : k       ? 2
                                          : 1000,
                         least = fragment ? (k ? 0.001 : 1) : units[k].least;
            t->unit = units[k].unit;
            if (!(t->value >= least && t->value <= most))
                return app_fail(app, "--%s=%s: expected %g to %g %s", option, text, least, most, units[k].name);
            return -1;
        }
    return app_fail(app, "--%s=%s: expected a number and %s, like %s", option, text,
                    fragment ? "ppm or da" : "ppm, da or mz", fragment ? "0.5da" : "10ppm");
}

static int check(const struct app *app, const char *option, long value, long least, long most) {
    return value < least || value > most ? app_fail(app, "--%s=%ld: expected %ld to %ld", option, value, least, most)
                                         : -1;
}

static int read_limits(const struct app *app, const struct settings *s) {
    int status = check(app, "mods", s->mods, 0, MODS_MOST);
    if (status < 0)
        status = check(app, "classes", s->classes, 1, CLASSES_MOST);
    if (status < 0)
        status = check(app, "fragment-charges", s->fragment_charges, 1, FRAGMENT_CHARGES);
    if (status < 0)
        status = check(app, "top", s->top, 1, TOP);
    if (status < 0)
        status = check(app, "peaks", s->peaks, 7, 5000);
    if (status < 0 && !(s->tic > 0 && s->tic <= 1))
        status = app_fail(app, "--tic=%g: expected a fraction above 0 and up to 1", s->tic);
    if (status < 0 && !(s->most_q >= 0 && s->most_q <= 1))
        status = app_fail(app, "--max-q=%g: expected 0 to 1", s->most_q);
    if (status < 0 && s->decoy && !*s->decoy_prefix)
        status = app_fail(app, "--decoy needs a name in --decoy-prefix");
    return status;
}

int settings_read(const struct app *app, struct settings *s) {
    struct digest_rule *d = &s->digest;
    struct search_rule *r = &s->search;
    int status = read_limits(app, s);
#ifdef _OPENMP
    if (app->threads) /* of the loops beside the search; the search's own are the runtime's */
        omp_set_num_threads(app->threads < 4096 ? (int)app->threads : 4096);
#endif
    *d = (struct digest_rule){.enzyme = s->enzyme, .missed = s->missed, .clip = s->clip, .mods = s->mods, .app = app};
    *r = (struct search_rule){.fragment_charges = s->fragment_charges, .least = s->least};
    s->filter =
        (struct peak_filter){.tic = s->tic, .most = s->peaks, .least = s->least_peaks, .classes = (int)s->classes};
    if (status < 0)
        status = read_tolerance(app, "tolerance", s->precursor, false, &r->precursor);
    if (status < 0)
        status = read_tolerance(app, "fragment", s->fragment, true, &r->fragment);
    if (status < 0)
        status = read_whole_range(app, "isotopes", s->isotopes, -10, 10, &r->isotopes_low, &r->isotopes_high);
    if (status < 0)
        status = read_whole_range(app, "charges", s->charges, 1, CHARGE_MOST, &r->charge_low, &r->charge_high);
    if (status < 0)
        status = read_whole_range(app, "length", s->length, 2, LONGEST_PEPTIDE, &d->shortest, &d->longest);
    if (status < 0)
        status = read_range(app, "masses", s->masses, 100, 20000, &d->lightest, &d->heaviest);
    return status;
}
