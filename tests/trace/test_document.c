/* SPDX-License-Identifier: Apache-2.0 */
/* Traces in memory: order, nesting, the plain-text form there and back, damaged files, every form's outline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "trace/trace.h"

static char text[] =
    "heddle-trace 1\ntitle\ta <b> & \"c\"\ndropped\t3\ntrack\tdevice 0\tSM 10\ntrack\thost\tthread 0\n"
    "track\tdevice 0\tSM 9\nname\tinner\nname\touter\ne\t1\t0\t1100\t50\ne\t1\t1\t1000\t400\ne\t1\t0\t1200\t200\n"
    "e\t0\t0\t1500\t0\ne\t2\t1\t1250\t250\n";

static struct trace_document load(const char *from) {
    struct trace_document d;
    char message[256] = "";
    FILE *f = fmemopen((void *)(uintptr_t)from, strlen(from), "r");
    assert_non_null(f);
    if (trace_read(f, &d, message, sizeof message))
        fail_msg("%s", message);
    fclose(f);
    return d;
}

static void order_and_depth(void **state) {
    (void)state;
    struct trace_document d = load(text);
    uint8_t *depth;
    assert_int_equal(d.event_count, 5);
    assert_int_equal(d.dropped, 3);
    assert_int_equal(trace_sort(&d, &depth), 0);
    const char *tracks[] = {"SM 9", "SM 10", "thread 0"}; /* by group, then by number */
    for (int k = 0; k < 3; k++)
        assert_string_equal(d.tracks[k].name, tracks[k]);
    assert_int_equal(d.tracks[1].group_number, 0);
    assert_int_equal(d.tracks[2].group_number, 1);
    const int64_t begin[] = {250, 500, 0, 100, 200}, end[] = {500, 500, 400, 150, 400};
    const int nested[] = {0, 0, 0, 1, 1}, track[] = {0, 1, 2, 2, 2};
    for (int k = 0; k < 5; k++) {
        assert_int_equal(d.events[k].begin, begin[k]);
        assert_int_equal(d.events[k].end, end[k]);
        assert_int_equal(d.events[k].track, track[k]);
        assert_int_equal(depth[k], nested[k]);
    }
    assert_int_equal(trace_length(&d), 500);
    free(depth);
    trace_free(&d);
}

static char *written(const char *from, int (*write)(FILE *, const struct trace_document *, const uint8_t *)) {
    struct trace_document d = load(from);
    uint8_t *depth;
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);
    assert_int_equal(trace_sort(&d, &depth), 0);
    assert_int_equal(write(f, &d, depth), 0);
    fclose(f);
    free(depth);
    trace_free(&d);
    return out;
}

static void there_and_back(void **state) {
    (void)state;
    char *once = written(text, trace_write_text), *twice = written(once, trace_write_text);
    assert_string_equal(once, twice);
    free(once);
    free(twice);
}

static int count(const char *where, const char *what) {
    int n = 0;
    for (const char *p = where; (p = strstr(p, what)); p++)
        n++;
    return n;
}

static void forms(void **state) {
    (void)state;
    char *picture = written(text, trace_write_picture), *chrome = written(text, trace_write_chrome);
    char *paje = written(text, trace_write_paje), *page = written(text, trace_write_page);
    assert_int_equal(count(picture, "<rect x="), 5 + 2); /* spans, and names in the legend */
    assert_int_equal(count(picture, "a &lt;b&gt; &amp; &quot;c&quot;"), 1);
    assert_int_equal(count(chrome, "\"ph\":\"X\""), 5);
    assert_int_equal(count(paje, "\n4 "), 4); /* a span of no length has no state */
    assert_int_equal(count(paje, "\n5 "), 4);
    assert_true(strstr(paje, "\n4 0.000000000 S t2 n1") < strstr(paje, "\n4 0.000000100 S t2 n0"));
    assert_int_equal(count(page, "\"count\":3"), 1);
    assert_int_equal(count(page, "/*HEAD*/"), 0);
    assert_null(strstr(page, "a <b>")); /* a name must not end the page's script */
    free(picture), free(chrome), free(paje), free(page);
}

/* Names come from anywhere: control characters and bytes that are no UTF-8 leave the documents well-formed. */
static void odd_names(void **state) {
    (void)state;
    static const char odd[] =
        "heddle-trace 1\ntitle\t\1\x1b[0m \xc3\xa9\xf0\x9f\x98\x80 \xff\xc0\x80 \xed\xa0\x80 \xef\xbf\xbe\x7f\xc3\n"
        "track\tg\2\tt\xf8\nname\tn</script>\3\\\"\ne\t0\t0\t1\t1\n";
    /* one U+FFFD for each byte that begins no character; JSON has escapes for control characters */
#define R "\xef\xbf\xbd"
    static const char title[] = R R "[0m \xc3\xa9\xf0\x9f\x98\x80 " R R R " " R R R " " R R R R R;
    char *all[] = {written(odd, trace_write_picture), written(odd, trace_write_chrome), written(odd, trace_write_paje),
                   written(odd, trace_write_page)};
    assert_non_null(strstr(all[0], title));
    assert_non_null(strstr(all[0], "n&lt;/script&gt;" R "\\&quot;"));
    assert_non_null(strstr(all[1], "\"n\\u003c/script>\\u0003"
                                   "\\\\\\\"\""));
    assert_non_null(strstr(all[2], "\"n</script>" R "\\'\""));
    assert_non_null(strstr(all[3], "\\u0001\\u001b[0m"));
    assert_null(strstr(all[3], "n</script>"));
    for (int k = 0; k < 4; k++) {
        for (const unsigned char *p = (const unsigned char *)all[k]; *p; p++)
            assert_true((*p >= ' ' && *p < 0xf8 && *p != 0x7f) || *p == '\n' || *p == '\t');
        free(all[k]);
    }
}

/* A zero byte ends no line in silence; groups are numbered by their first tracks, however many there are, in a moment.
 */
static void odd_files(void **state) {
    (void)state;
    static const char zero[] = "heddle-trace 1\ntitle\tabc\0def\n", first[] = "heddle-trace 1\0\n";
    const struct {
        const char *text;
        size_t size;
    } bad[] = {{zero, sizeof zero - 1}, {first, sizeof first - 1}};
    struct trace_document d;
    char message[256];
    for (int k = 0; k < 2; k++) {
        FILE *f = fmemopen((void *)(uintptr_t)bad[k].text, bad[k].size, "r");
        assert_int_equal(trace_read(f, &d, message, sizeof message), -1);
        fclose(f);
        trace_free(&d);
    }
    enum { GROUPS = 100000 };
    char *many = malloc(GROUPS * 40), *at = many + sprintf(many, "heddle-trace 1\n");
    uint8_t *depth;
    for (int k = 0; k < GROUPS; k++)
        at += sprintf(at, "track\tgroup %d\tt\n", GROUPS - k % (GROUPS / 2));
    d = load(many);
    assert_int_equal(trace_sort(&d, &depth), 0);
    for (int k = 0; k < GROUPS; k++) {
        assert_int_equal(d.tracks[k].group_number, k / 2);
        assert_int_equal(atoi(d.tracks[k].group + strlen("group ")), GROUPS - k / 2);
    }
    free(depth);
    trace_free(&d);
    free(many);
}

static void damaged(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        "heddle-trace 2\n",
        "heddle-trace 1\ne\t0\t0\t1\t1\n",
        "heddle-trace 1\ntrack\thost\n",
        "heddle-trace 1\nwhat\n",
        "heddle-trace 1\ntrack\ta\tb\nname\tn\ne\t0\t0\t1\n",
        "heddle-trace 1\ntrack\ta\tb\nname\tn\ne\t0\t1\t1\t1\n",
        "heddle-trace 1\ntrack\ta\tb\nname\tn\ne\t0\t0\t-1\t1\n",
        "heddle-trace 1\ntrack\ta\tb\nname\tn\ne\t0\t0\t1\t9223372036854775807\n",
        "heddle-trace 1\ntrack\ta\tb\nname\tn\ne\t0\t0\t99999999999999999999\t1\n",
        "heddle-trace 1\ntrack\ta\tb\tc\n",
        "heddle-trace 1\nname\ta\tb\n",
        "heddle-trace 1\nname\ta\r\n",
        "heddle-trace 1\ntitle\ta\tb\n",
        "heddle-trace 1\ndropped\t3x\n",
        "heddle-trace 1\ndropped\t-1\n",
        "heddle-trace 1\ndropped\t\n",
        "heddle-trace 1\ndropped\t99999999999999999999\n",
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct trace_document d;
        char message[256] = "";
        FILE *f = *bad[k] ? fmemopen((void *)(uintptr_t)bad[k], strlen(bad[k]), "r") : fopen("/dev/null", "r");
        assert_int_equal(trace_read(f, &d, message, sizeof message), -1);
        assert_true(*message);
        fclose(f);
        trace_free(&d);
    }
    for (size_t cut = 0; cut < strlen(text); cut++) { /* every prefix is read or refused, never worse */
        char copy[sizeof text], message[256];
        struct trace_document d;
        memcpy(copy, text, sizeof text);
        copy[cut + 1] = 0;
        FILE *f = fmemopen(copy, cut + 1, "r");
        trace_read(f, &d, message, sizeof message);
        fclose(f);
        trace_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_and_depth), cmocka_unit_test(there_and_back),
                                       cmocka_unit_test(forms),           cmocka_unit_test(damaged),
                                       cmocka_unit_test(odd_names),       cmocka_unit_test(odd_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
