/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of learnt costs: what is written is read back, column by column, and what makes no sense is refused. */
#include "model/table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char *written(const struct heddle__row *row) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    heddle__row_write(f, row);
    fclose(f);
    return text;
}

static const char *const rows[] = {
    [HEDDLE__ROW_REGION] =
        "region,__omp_x_l12,x.c:12,A GPU,same,00000000000005e6,1000,12000,8000,16,33.5,1.4,9.6,-10,16,0.5\n",
    [HEDDLE__ROW_FIRST] = "first,__omp_x_l12,x.c:12,host,250\n",
    [HEDDLE__ROW_LINK] = "link,host to device,A GPU,4096,5,9.25,0.5,0,8,0.1\n",
    [HEDDLE__ROW_CHUNK] = "chunk,x.c:7,A GPU,1000,40,100,0.25,0.125\n",
    [HEDDLE__ROW_READY] = "ready,x.c:7,A GPU,0.5\n",
    [HEDDLE__ROW_SET] = "set,x.c:7,shared,A GPU;A CPU,1000,0.75,12.5\n",
    [HEDDLE__ROW_SPLIT] = "split,x.c:7,equal-parts,A GPU,1000,1,0.4\n",
    [HEDDLE__ROW_WIDTH] = "width,x.c:77:f,A GPU,hybrid,32,132,12,13,41.5,900.25\n",
};

static void rows_come_back(void **unused) {
    (void)unused;
    for (int k = 0; k < HEDDLE__ROW_KINDS; k++) {
        struct heddle__row row;
        char *line = strdup(rows[k]);
        assert_true(heddle__row_read(line, &row));
        assert_int_equal(row.kind, k);
        char *again = written(&row);
        assert_string_equal(again, rows[k]);
        free(again);
        free(line);
    }
}

static void values_are_in_their_units(void **unused) {
    (void)unused;
    struct heddle__row row;
    char region[256], width[256];
    strcpy(region, rows[HEDDLE__ROW_REGION]);
    assert_true(heddle__row_read(region, &row));
    assert_true(fabs(row.region.median - 33.5e-6) < 1e-15);
    assert_true(fabs(row.region.per_byte - 0.5e-9) < 1e-18);
    assert_true(fabs(row.region.error - 0.096) < 1e-12);
    assert_int_equal(row.region.host, HEDDLE__HOST_SAME);
    assert_int_equal(row.region.code, 0x5e6);
    strcpy(width, rows[HEDDLE__ROW_WIDTH]);
    assert_true(heddle__row_read(width, &row));
    assert_true(fabs(row.width.diagonal - 41.5e-9) < 1e-18);
}

/* A column that is missing, one too many, no number, or cut, in every column of every kind. */
static void nonsense_is_refused(void **unused) {
    (void)unused;
    static const char *const bad[] = {"", "x", "1x", "nan", "inf", "1e+999", "0x"};
    for (int k = 0; k < HEDDLE__ROW_KINDS; k++) {
        int column = 1;
        for (const struct heddle__column *c = heddle__row_columns(k); c->name; c++, column++)
            for (size_t b = 0; b < sizeof bad / sizeof *bad && c->type != HEDDLE__TEXT; b++) {
                char line[512] = "", copy[256], *rest = copy;
                struct heddle__row row;
                strcpy(copy, rows[k]);
                for (int at = 0; rest; at++) {
                    const char *field = strsep(&rest, ",\n");
                    strcat(line, at ? "," : "");
                    strcat(line, at == column ? bad[b] : field);
                }
                line[strlen(line) - 1] = 0; /* behind the last field */
                assert_false(heddle__row_read(line, &row));
            }
        char longer[512], shorter[512];
        struct heddle__row row;
        snprintf(longer, sizeof longer, "%.*s,1\n", (int)strlen(rows[k]) - 1, rows[k]);
        snprintf(shorter, sizeof shorter, "%.*s\n", (int)(strrchr(rows[k], ',') - rows[k]), rows[k]);
        assert_false(heddle__row_read(longer, &row));
        assert_false(heddle__row_read(shorter, &row));
    }
}

static void limits_are_kept(void **unused) {
    (void)unused;
    static const char *const bad[] = {"",
                                      "x",
                                      "lines,x.c:7,A GPU,1000,0,100,1,0",
                                      "chunk,,A GPU,1000,0,100,1,0",
                                      "chunk,x.c:7,A GPU,1000,950,100,1,0",
                                      "chunk,x.c:7,A GPU,1000,-1,100,1,0",
                                      "chunk,x.c:7,A GPU,1000,0,0,1,0",
                                      "chunk,x.c:7,A GPU,1000,0,100,-1,0",
                                      "chunk,x.c:7,A GPU,9223372036854775808,0,100,1,0",
                                      "split,x.c:7,equal-parts,A GPU,1000,1,1.5",
                                      "set,x.c:7,together,A GPU,1000,1,1",
                                      "width,x.c:77:f,A GPU,hybrid,0,132,12,13,41.5,900.25",
                                      "width,x.c:77:f,A GPU,2,32,132,12,13,41.5,900.25",
                                      "width,x.c:77:f,A GPU,hybrid,32,132,63,13,41.5,900.25"};
    struct heddle__row row;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char line[256];
        strcpy(line, bad[k]);
        assert_false(heddle__row_read(line, &row));
    }
    char windows[] = "chunk,x.c:7,A GPU,1000,0,100,1,0\r\n";
    assert_true(heddle__row_read(windows, &row));
}

static void the_head_is_a_comment(void **unused) {
    (void)unused;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    heddle__table_begin(f, HEDDLE__ROW_BIT(HEDDLE__ROW_READY) | HEDDLE__ROW_BIT(HEDDLE__ROW_CHUNK));
    fclose(f);
    assert_string_equal(text, HEDDLE__TABLE_HEADER " edit or delete lines as you like\n"
                                                   "# chunk,loop,device,n,first,count,compute_s,move_s\n"
                                                   "# ready,loop,device,ready_s\n");
    assert_true(heddle__row_is_comment(text) && heddle__row_is_comment("") && heddle__row_is_comment("\n"));
    assert_false(heddle__row_is_comment(rows[HEDDLE__ROW_CHUNK]));
    free(text);
}

static void names_fit_a_row(void **unused) {
    (void)unused;
    char name[64], from[128];
    heddle__name_copy(name, "a, \"b\"\nc;d", sizeof name);
    assert_string_equal(name, "a   b  c d");
    assert_true(heddle__name_is(name, "a, \"b\"\nc;d", sizeof name));
    assert_false(heddle__name_is(name, "a", sizeof name));
    assert_false(heddle__name_is("a", "a, \"b\"\nc", sizeof name));
    memset(from, ',', sizeof from - 1);
    from[sizeof from - 1] = 0;
    heddle__name_copy(name, from, sizeof name);
    assert_int_equal(strlen(name), sizeof name - 1);
    assert_true(heddle__name_is(name, from, sizeof name));
    char *text = written(&(struct heddle__row){.kind = HEDDLE__ROW_READY, .name = "a,b\nc", .device = "d"});
    assert_string_equal(text, "ready,a b c,d,0\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back),        cmocka_unit_test(values_are_in_their_units),
        cmocka_unit_test(nonsense_is_refused),   cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(the_head_is_a_comment), cmocka_unit_test(names_fit_a_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
