/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of peptide against what is known or computed in another way: digestion, masses, modifications, arrays of mzML,
 * filters, tables of bins, windows and scores. */
#define _GNU_SOURCE 1 /* asprintf */
#include "results.h"
#include "score.h"
#include "synthetic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct digest_rule plain_rule = {
    .enzyme = "trypsin", .missed = 2, .shortest = 1, .longest = 63, .lightest = 100, .heaviest = 20000, .mods = 2};

struct digested {
    struct proteins p;
    struct chemistry chemistry;
    struct candidates c;
};

static struct digested digested(const char *fasta, const char *fixed, const char *variable,
                                const struct digest_rule *rule) {
    struct digested d = {0};
    struct note note = {""};
    if (!chemistry_set(&d.chemistry, fixed, variable, &note) ||
        !proteins_parse(&d.p, "t.fa", fasta, strlen(fasta), "rev_", &note) ||
        !candidates_make(&d.c, &d.p, &d.chemistry, rule, &note))
        fail_msg("%s", note.text);
    return d;
}

static void release(struct digested *d) {
    candidates_free(&d->c);
    proteins_free(&d->p);
}

/* All candidates, spelt and sorted, between blanks. */
static int compare_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static char *spelt(const struct digested *d) {
    char **list = app_alloc((size_t)d->c.count, sizeof *list), *all = NULL;
    size_t size;
    for (long k = 0; k < d->c.count; k++) {
        FILE *out = open_memstream(&list[k], &size);
        candidate_spell(&d->c, &d->p, &d->chemistry, (uint32_t)k, out);
        fclose(out);
    }
    qsort(list, (size_t)d->c.count, sizeof *list, compare_text);
    FILE *out = open_memstream(&all, &size);
    for (long k = 0; k < d->c.count; k++) {
        fprintf(out, "%s%s", k ? " " : "", list[k]);
        free(list[k]);
    }
    fclose(out);
    free(list);
    return all;
}

static void expect_peptides(const char *fasta, const char *variable, const struct digest_rule *rule,
                            const char *expected) {
    struct digested d = digested(fasta, NULL, variable, rule);
    char *got = spelt(&d);
    assert_string_equal(got, expected);
    free(got);
    release(&d);
}

/* Weber 2012, figure 6.2: MK LYNLK DHNER QVSFK A with up to two missed cleavages. */
static void test_digestion(void **state) {
    (void)state;
    struct digest_rule rule = plain_rule;
    rule.lightest = 1; /* A alone is a peptide in the figure; 89 Da */
    expect_peptides(">p\nMKLYNLKDHNERQVSFKA\n", NULL, &rule,
                    "-.MK.L -.MKLYNLK.D -.MKLYNLKDHNER.Q K.A.- K.DHNER.Q K.DHNERQVSFK.A K.DHNERQVSFKA.- K.LYNLK.D "
                    "K.LYNLKDHNER.Q K.LYNLKDHNERQVSFK.A R.QVSFK.A R.QVSFKA.-");
    rule.missed = 0;
    expect_peptides(">p\nAKPGRPDKD\n", NULL, &rule, "-.AKPGRPDK.D K.D.-"); /* not before P */
    rule.enzyme = "trypsin-p";
    expect_peptides(">p\nAKPGRPDKD\n", NULL, &rule, "-.AK.P K.D.- K.PGR.P R.PDK.D");
    rule.enzyme = "none";
    rule.shortest = 2;
    rule.longest = 3;
    expect_peptides(">p\nACDE\n", NULL, &rule, "-.AC.D -.ACD.E A.CD.E A.CDE.- C.DE.-");
    rule.enzyme = "asp-n";
    expect_peptides(">p\nACDEF\n", NULL, &rule, "-.AC.D C.DEF.-");
}

/* Nothing goes across a stop, B, X or Z; U, O and J have masses; an M may be clipped. */
static void test_odd_residues(void **state) {
    (void)state;
    struct digest_rule rule = plain_rule;
    rule.missed = 0;
    expect_peptides(">p\nAAXAK*GGK\n> q r\n\nUJK\nOBK\n", NULL, &rule, "-.GGK.- -.UJK.O");
    rule.clip = true;
    expect_peptides(">p\nMAGK\n", NULL, &rule, "-.MAGK.- M.AGK.-");
}

static void test_masses(void **state) {
    (void)state;
    struct digested d = digested(
        ">p\nRFYDAVSTFK\n", "C+57.021464", NULL,
        &(struct digest_rule){
            .enzyme = "trypsin", .missed = 2, .shortest = 10, .longest = 63, .lightest = 100, .heaviest = 9999});
    assert_int_equal(d.c.count, 1);
    assert_true(fabs(d.c.mass[0] - 1232.618973) < 2e-6); /* as Comet computes it */
    release(&d);
    d = digested(">p\nCK\n", "C+57.021464,n+10,c+5", NULL, &plain_rule);
    assert_true(fabs(d.c.mass[0] - (103.009184505 + 57.021464 + 128.09496305 + MASS_WATER + 15)) < 1e-6);
    release(&d);
}

static void test_modifications(void **state) {
    (void)state;
    struct digest_rule rule = plain_rule;
    rule.missed = 0;
    expect_peptides(
        ">p\nMAMMK\n", "M+15.9949", &rule,
        "-.MAMMK.- -.MAMM[+15.9949]K.- -.MAM[+15.9949]MK.- -.MAM[+15.9949]M[+15.9949]K.- -.M[+15.9949]AMMK.- "
        "-.M[+15.9949]AMM[+15.9949]K.- -.M[+15.9949]AM[+15.9949]MK.-");
    rule.mods = 1; /* one per place, even where two would fit */
    expect_peptides(">p\nMK\nQK\n", "M+16,^+42,nQ-17,c+1", &rule,
                    "-.MK.Q -.MK[+1.0000].Q -.M[+16.0000]K.Q -.M[+42.0000]K.Q K.QK.- K.QK[+1.0000].- K.Q[-17.0000]K.-");
    struct chemistry c;
    static const char *const bad[] = {"X+1", "M", "M+", "M+1x", "+5", "M-900", "nc+1", "M+1e9", "M+nan"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct note note = {""};
        assert_false(chemistry_set(&c, NULL, bad[k], &note));
        assert_non_null(strstr(note.text, "--variable"));
    }
}

/* Equal sequences are one candidate with all its proteins, a decoy only if all of them are. */
static void test_proteins(void **state) {
    (void)state;
    struct digested d = digested(">a\nGGAAKLLK\n>rev_a\nKLLKAAGG\n>b\nCCK\n", NULL, NULL, &plain_rule);
    long decoys = 0;
    for (long k = 0; k < d.c.count; k++) {
        const uint32_t peptide = d.c.peptide[k];
        const struct span *span = &d.c.spans[d.c.peptide_span[peptide]];
        if (span->length == 3 && d.p.codes[span->at] == 'L' - 'A' + 1) {
            assert_int_equal(d.c.peptide_span[peptide + 1] - d.c.peptide_span[peptide], 2);
            assert_false(candidate_is_decoy(&d.c, &d.p, (uint32_t)k));
        }
        decoys += candidate_is_decoy(&d.c, &d.p, (uint32_t)k);
    }
    assert_true(decoys > 0);
    struct note note = {""};
    assert_true(proteins_reverse(&d.p, "rev_", &note));
    assert_int_equal(d.p.count, 6);
    assert_memory_equal(d.p.codes + d.p.at[5].first, "\013\003\003", 3);
    assert_string_equal(d.p.names + d.p.at[5].name, "rev_b");
    release(&d);
}

static void test_arrays(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool packed, whole;
        int width;
        long count;
        const char *error; /* NULL: 1.5 and -2 (as integers 7 and -3) */
    } cases[] = {{"AADAPwAAAMA=", false, false, 4, 2, NULL},
                 {"AAAAAAAA+D8AAAAAAAAAwA==", false, false, 8, 2, NULL},
                 {"BwAAAP3///8=", false, true, 4, 2, NULL},
                 {"AADA\n PwAAAMA=", false, false, 4, 2, NULL},
                 {"eJxjYDhgz8DAcAAABoMBwA==", true, false, 4, 2, NULL},
                 {"eJxjYDhgz8DAcAAABoMBwQ==", true, false, 4, 2, "zlib"},
                 {"eJxjYDhgz8DAcA==", true, false, 4, 2, "zlib: it ends early"},
                 {"eJxjYDhgz8DAcAAABoMBwA==", true, false, 4, 3, "hold 8 bytes where 12"},
                 {"eJxjYDhgz8DAcAAABoMBwA==", true, false, 4, 1, "at least 5 bytes where 4"},
                 {"AADAPwAAAMA", false, false, 4, 2, "bad base64: it ends early"},
                 {"AADAPw!AAMA=", false, false, 4, 2, "bad base64 at byte 6"},
                 {"AADAPwAAAMA=", false, false, 4, 3, "8 bytes where 3 numbers"},
                 {"AADAPwAAAMA=", true, false, 4, 2, "zlib"},
                 {"AADAPwAAAMA=", true, false, 8, 100000000, "cannot hold the 100000000 numbers"},
                 {"", false, false, 4, 2, "no binary data"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct note note = {""};
        double out[3];
        const bool good = binary_decode(cases[k].text, strlen(cases[k].text), cases[k].packed, cases[k].whole,
                                        cases[k].width, cases[k].count, out, &note);
        if (cases[k].error) {
            assert_false(good);
            assert_non_null(strstr(note.text, cases[k].error));
        } else {
            assert_true(good);
            assert_true(out[0] == (cases[k].whole ? 7 : 1.5) && out[1] == (cases[k].whole ? -3 : -2));
        }
    }
}

/* 98 % of the intensity, a multiple of 2^c - 1, the strongest first. */
static void test_filter(void **state) {
    (void)state;
    struct spectra s = {.filter = {.tic = 0.98, .most = 7, .least = 3, .classes = 2}};
    struct note note = {""};
    static const char text[] =
        "BEGIN IONS\nPEPMASS=300\nCHARGE=3+,2\n100 1\n110 50\n120 30\n130 10\n140 5\n150 4\n160 0\nEND IONS\n"
        "BEGIN IONS\nPEPMASS=300\n1 1\n2 1\nEND IONS\n";
    assert_true(spectra_parse(&s, "t.mgf", text, sizeof text - 1, &note));
    assert_int_equal(s.read, 2);
    assert_int_equal(s.poor, 1);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.at[0].charges, 1 << 2 | 1 << 3);
    assert_int_equal(s.at[0].peaks, 3); /* 50 + 30 + 10 + 5 + 4 of 100 are five peaks: three are a multiple of 3 */
    assert_true(s.mz[0] == 110 && s.mz[1] == 120 && s.mz[2] == 130);
    spectra_free(&s);
}

/* One spectrum with these parameters and arrays of `count` numbers, "" instead of their base64. False: the note says
 * why. */
static bool read_one(struct spectra *s, const char *params, const char *ion, long count, const char *coding,
                     const char *base64, struct note *note) {
    static const char format[] =
        "<mzML><spectrum id=\"scan=7\" defaultArrayLength=\"%ld\">%s<selectedIon>%s</selectedIon>"
        "<binaryDataArray><cvParam accession=\"MS:1000514\"/><cvParam "
        "accession=\"MS:1000523\"/>%s<binary>%s</binary></binaryDataArray>"
        "<binaryDataArray><cvParam accession=\"MS:1000515\"/><cvParam "
        "accession=\"MS:1000523\"/>%s<binary>%s</binary></binaryDataArray>"
        "</spectrum></mzML>";
    char *text = NULL;
    *note = (struct note){""};
    *s = (struct spectra){.filter = {.tic = 1, .most = 3, .least = 1, .classes = 1}};
    const int size = asprintf(&text, format, count, params, ion, coding, base64, coding, base64);
    assert_true(size > 0);
    const bool good = spectra_parse(s, "t.mzML", text, (size_t)size, note);
    free(text);
    return good;
}

#define ONE_PEAK "AAAAAAAAWUA=" /* 100.0 */
#define MZ "<cvParam accession=\"MS:1000744\" value=\"500.5\"/>"
#define TIME(value, unit) "<cvParam accession=\"MS:1000016\" value=\"" value "\" unitAccession=\"" unit "\"/>"

/* Retention times are seconds, whatever the file counts in; what is no number is not taken for one. */
static void test_parameters(void **state) {
    (void)state;
    struct spectra s;
    struct note note;
    static const struct {
        const char *params;
        double seconds;
    } times[] = {{TIME("2.5", "UO:0000031"), 150},
                 {TIME("2.5", "UO:0000010"), 2.5},
                 {TIME("2.5", ""), 2.5},
                 {"", -1},
                 {TIME("2.5", "UO:0000032"), -1},
                 {TIME("later", ""), -1},
                 {TIME("-3", ""), -1},
                 {TIME("nan", ""), -1}};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        assert_true(read_one(&s, times[k].params, MZ, 1, "", ONE_PEAK, &note));
        assert_int_equal(s.count, 1);
        assert_true(s.at[0].seconds == times[k].seconds && s.at[0].mz == 500.5 && s.at[0].scan == 7);
        spectra_free(&s);
    }
    static const char *const bad[][3] = {
        {"", "<cvParam accession=\"MS:1000744\" value=\"500.5x\"/>", "the m/z of a selected ion is no number"},
        {"", MZ "<cvParam accession=\"MS:1000041\" value=\"two\"/>", "the charge of a selected ion is no number"},
        {"<cvParam accession=\"MS:1000511\" value=\"\"/>", MZ, "the level of a spectrum is no number"},
        {"<cvParam accession=\"MS:1000827\" value=\"1e\"/>", MZ, "the target of an isolation window is no number"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_false(read_one(&s, bad[k][0], bad[k][1], 1, "", ONE_PEAK, &note));
        assert_non_null(strstr(note.text, bad[k][2]));
        spectra_free(&s);
    }
}

/* What a file can make us allocate has bounds that the message names. */
static void test_limits(void **state) {
    (void)state;
    static const char packed[] = "<cvParam accession=\"MS:1000574\"/>";
    struct spectra s;
    struct note note;
    char *base64 = app_alloc(40000, 1);
    memset(base64, 'A', 32768);
    assert_false(read_one(&s, "", MZ, 16777217, packed, base64, &note));
    assert_non_null(strstr(note.text, "not from 0 to 16777216"));
    assert_false(read_one(&s, "", MZ, 262145, packed, base64 + 32,
                          &note)); /* 32736 bytes: a little more than 8 numbers for each */
    assert_non_null(
        strstr(note.text, "262145 m/z values in 32736 bytes: more than 262144 are read only where 8 take a byte"));
    assert_false(
        read_one(&s, "", MZ, 262145, packed, base64, &note)); /* within the limit: the data themselves are bad */
    assert_non_null(strstr(note.text, "zlib"));
    assert_false(read_one(&s, "", MZ, 262144, packed, base64 + 32, &note));
    assert_non_null(strstr(note.text, "zlib"));
    free(base64);
    struct spectra many = {.filter = {.tic = 1, .most = 3, .least = 1, .classes = 1}};
    char *text = app_alloc(1 << 20, 1), *at = text + sprintf(text, "<mzML>");
    for (int k = 0; k < 1025; k++)
        at += sprintf(at, "<referenceableParamGroup id=\"g%d\"/>", k);
    note = (struct note){""};
    assert_false(spectra_parse(&many, "t.mzML", text, strlen(text), &note));
    assert_non_null(strstr(note.text, "more than 1024 groups of parameters"));
    at = text + sprintf(text, "<mzML><referenceableParamGroup id=\"g\">");
    for (int k = 0; k < 7000; k++)
        at += sprintf(at, "<cvParam accession=\"MS:1000574\"/>");
    note = (struct note){""};
    assert_false(spectra_parse(&many, "t.mzML", text, strlen(text), &note));
    assert_non_null(strstr(note.text, "a group of parameters of more than 64 kB"));
    free(text);
    const size_t long_tag = 64 << 20;
    text = app_alloc(long_tag, 1);
    memset(text, ' ', long_tag);
    memcpy(text, "<mzML", 5);
    note = (struct note){""};
    assert_false(spectra_parse(&many, "t.mzML", text, long_tag, &note));
    assert_non_null(strstr(note.text, "a tag of more than 16 MB"));
    free(text);
    spectra_free(&many);
}

static double choose(double n, double k) { return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1); }

/* Equation 6.2 in floating point. */
static void test_score(void **state) {
    (void)state;
    struct app_random random;
    struct search s = {0};
    struct score_plan plan = {.least = 1};
    int64_t logs[6000];
    long double sum = 0;
    (void)s;
    for (int k = 0; k < 6000; k++)
        logs[k] = (int64_t)roundl(ldexpl(sum += k ? logl(k) : 0, LOG_BITS));
    app_seed(&random, 3);
    for (int round = 0; round < 20000; round++) {
        struct shape shape = {.bins = 400 + app_below(&random, 4000)};
        struct matches m = {0, 10 + app_below(&random, 90)};
        const uint32_t unit = 1 + app_below(&random, 40);
        double p = 0, matched = 0, peaks = 7.0 * unit;
        for (int c = 0; c < 3; c++) {
            shape.count[c] = unit << c;
            const uint32_t k = app_below(&random, (m.inside / 3 < shape.count[c] ? m.inside / 3 : shape.count[c]) + 1);
            m.classes += (uint64_t)k << (16 * (c + 1));
            p += choose(shape.count[c], k);
            matched += k;
        }
        p += choose(shape.bins - peaks, m.inside - matched);
        p = choose(shape.bins, m.inside) - p;
        const double got = (double)mvh_score(&plan, &shape, logs, &m) / (1 << SCORE_BITS);
        if (matched < 1 || matched * shape.bins <= m.inside * peaks)
            assert_true(got == 0);
        else
            assert_true(fabs(got - fmax(p, 0)) < 1e-4);
    }
}

/* Ions of a candidate within a tolerance of any peak, in floating point. */
static int count_ions(const struct digested *d, const struct spectra *s, long spectrum, uint32_t k, int charge,
                      double tolerance) {
    const struct spectrum *x = &s->at[spectrum];
    uint8_t codes[LONGEST_PEPTIDE + 1];
    const int length = candidate_codes(&d->c, k, codes);
    double prefix = 0;
    int found = 0;
    for (int i = 0; i + 1 < length; i++) {
        prefix += d->chemistry.mass[codes[i]];
        for (int z = 1; z <= (charge > 2 ? charge - 1 : 1) && z <= 3; z++) {
            const double ion[2] = {prefix / z + MASS_PROTON, (d->c.mass[k] - prefix) / z + MASS_PROTON};
            for (int side = 0; side < 2; side++) {
                bool near = false;
                for (int p = 0; p < x->peaks; p++)
                    near |= fabs(s->mz[x->first + (size_t)p] - ion[side]) <= tolerance;
                found += near;
            }
        }
    }
    return found;
}

/* Seeded spectra: the true peptide is found; ions are counted to within half a bin; windows hold just what they should.
 */
static void check_search(struct tolerance fragment) {
    static struct proteins none;
    struct digested d = {.p = none};
    struct note note = {""};
    struct app app = {.name = "test"};
    const struct digest_rule rule = {
        .enzyme = "trypsin", .missed = 1, .shortest = 6, .longest = 40, .lightest = 600, .heaviest = 4000, .mods = 1};
    const double tolerance = fragment.unit == UNIT_DA ? fragment.value : 0;
    const struct synthetic what = {60, 7, 4, fragment.unit == UNIT_DA ? fragment.value * 0.5 : 0.001};
    char *text = NULL;
    size_t size;
    assert_true(synthetic_proteins(&d.p, 60, 1, &note) && proteins_reverse(&d.p, "rev_", &note));
    assert_true(chemistry_set(&d.chemistry, "C+57.021464", "M+15.994915", &note));
    assert_true(candidates_make(&d.c, &d.p, &d.chemistry, &rule, &note));
    FILE *out = open_memstream(&text, &size);
    assert_true(synthetic_write(out, true, &what, &d.c, &d.p, &d.chemistry));
    fclose(out);
    struct spectra s = {.filter = {.tic = 0.98, .most = 300, .least = 10, .classes = 3}};
    assert_true(spectra_parse(&s, "t.mzML", text, size, &note));
    assert_int_equal(s.count, 60);
    struct search search = {.app = &app,
                            .spectra = &s,
                            .candidates = &d.c,
                            .chemistry = &d.chemistry,
                            .rule = {{10, UNIT_PPM}, fragment, 0, 0, 2, 3, 3, 4}};
    search_prepare(&search);
    search_run(&search, peptide_score_serial);
    struct results r;
    results_make(&r, &search, &d.p);
    assert_true(r.identified >= 40); /* four in five have a peptide */
    for (long k = 0; k < s.count; k++) {
        long within = 0, windowed = 0;
        for (long i = 0; i < d.c.count; i++)
            for (int z = 2; z <= 3; z++)
                within += (s.at[k].charges >> z & 1) &&
                          fabs((s.at[k].mz - MASS_PROTON) * z - d.c.mass[i]) <= 1e-5 * (s.at[k].mz - MASS_PROTON) * z;
        for (uint32_t w = 0; w < search.plan.windows; w++)
            windowed += search.windows[(size_t)k * search.plan.windows + w].high -
                        search.windows[(size_t)k * search.plan.windows + w].low;
        assert_int_equal(within, windowed);
        for (int i = 0; i < r.counts[k] && tolerance > 0; i++) {
            const struct hit *hit = &r.hits[k * TOP + i];
            const double half = search.bin / 2 + 1e-4;
            assert_in_range(hit->matched, count_ions(&d, &s, k, hit->candidate, hit->charge, tolerance - half),
                            count_ions(&d, &s, k, hit->candidate, hit->charge, tolerance + half));
            assert_true(i == 0 || hit->mvh <= hit[-1].mvh);
        }
    }
    results_free(&r);
    search_free(&search);
    spectra_free(&s);
    free(text);
    release(&d);
}

static void test_search_wide(void **state) {
    (void)state;
    check_search((struct tolerance){0.5, UNIT_DA});
}

static void test_search_narrow(void **state) {
    (void)state;
    check_search((struct tolerance){0.02, UNIT_DA}); /* sparse tables */
    check_search((struct tolerance){20, UNIT_PPM});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digestion),     cmocka_unit_test(test_odd_residues), cmocka_unit_test(test_masses),
        cmocka_unit_test(test_modifications), cmocka_unit_test(test_proteins),     cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_filter),        cmocka_unit_test(test_score),        cmocka_unit_test(test_search_wide),
        cmocka_unit_test(test_search_narrow), cmocka_unit_test(test_parameters),   cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests_name("peptide", tests, NULL, NULL);
}
