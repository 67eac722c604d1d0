/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says once per process what the environment holds that no option can use: values that this run might never have looked
 * at, and names that are an option's but for a letter or two.
 */
#include "internal.h"
#include <limits.h>
#include <heddle/words.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void words(const char *name, const char *const *list) {
    char value[HEDDLE__OPTION_MAX];
    if (!heddle__option_given(name))
        return;
    heddle__option_read(name, value, sizeof value);
    for (; *list; list++)
        if (!strcmp(value, *list))
            return;
    heddle__option_bad(name, value);
}

/* device:factor, joined by commas */
static void slow(void) {
    char value[HEDDLE__OPTION_MAX], *end = value;
    if (!heddle__option_given("slow"))
        return;
    heddle__option_read("slow", value, sizeof value);
    for (const char *at = value; *at; at = end + (*end == ',')) {
        const size_t device = strcspn(at, ":,");
        const int host = device == 4 && !memcmp(at, "host", 4);
        const double factor = at[device] == ':' ? strtod(at + device + 1, &end) : 0;
        if (!device || (!host && strspn(at, "0123456789") != device) || !(factor >= 1) || (*end && *end != ',')) {
            heddle__option_bad("slow", value);
            return;
        }
    }
}

static void tile(void) {
    char value[HEDDLE__OPTION_MAX], *end = value;
    if (!heddle__option_given("pool-tile"))
        return;
    heddle__option_read("pool-tile", value, sizeof value);
    if (!strcmp(value, "auto") || !strcmp(value, "off"))
        return;
    const long rows = strtol(value, &end, 10), columns = *end == ',' ? strtol(end + 1, &end, 10) : 0;
    if (*end || rows < 1 || columns < 1 || rows > 1024 || columns > 1024)
        heddle__option_bad("pool-tile", value);
}

static void fault(void) {
    char value[HEDDLE__OPTION_MAX];
    if (!heddle__option_given("fault"))
        return;
    heddle__option_read("fault", value, sizeof value);
    if (strcmp(value, "none") && !heddle__fault_set)
        heddle__option_bad("fault", value);
}

static void number(const char *name, long low, long high) {
    if (heddle__option_given(name))
        heddle__option_long(name, low, high);
}

static void bytes(const char *name) {
    if (heddle__option_given(name))
        heddle__option_bytes(name);
}

static void values(void) {
    static const char
        *const layouts[] = HEDDLE_WORD_ARRAY(HEDDLE_LAYOUTS),
               *const sweeps[] = {"auto", "one", "many", NULL}, *const forms[] = {"auto", "lanes", "interleaved", NULL},
               *const sets[] = {"auto", "base", "avx2", "avx512", NULL}, *const rows[] = {"0", "2", "4", "8", NULL},
               *const spread[] = {"auto", "1", "2", "4", "8", "16", "32", NULL},
               *const replay[] = {"auto", "off", "always", NULL};
    words("layout", layouts);
    words("sweeps", sweeps);
    words("cpu-form", forms);
    words("instructions", sets);
    words("rows-per-lane", rows);
    words("spread", spread);
    words("graph-replay", replay);
    slow();
    tile();
    fault();
    number("deal", 0, 1 << 20);
    number("timers", 0, 1L << 24);
    number("workers", 0, 1 << 20);
    number("threads", 0, 4096);
    number("warps", 0, 64);
    number("trace-events", 1, 1000000000);
    number("graph-streams", 0, 8);
    number("jobs-batch", 0, LONG_MAX);
    number("jobs-room", 0, LONG_MAX);
    bytes("graph-keep");
    bytes("jobs-memory");
    bytes("memory-limit");
    if (heddle__option_given("timeout"))
        heddle__option_seconds("timeout");
}

static int least(int a, int b) { return a < b ? a : b; }

/* Letters to insert, drop or change (Levenshtein); names longer than the table are far from all options. */
static int distance(const char *a, size_t n, const char *b) {
    int row[64];
    const size_t m = strlen(b);
    if (n >= 64 || m >= 64)
        return 64;
    for (size_t j = 0; j <= m; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            const int above = row[j];
            row[j] = least(least(row[j], row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

/* What options were called in versions before. Said when the library is loaded, for the program would run without the
   option, and might never meet one of heddle's loops. */
static const struct {
    const char *old, *name;
} renamed[] = {{"HEDDLE_SCHEDULE", "HEDDLE_POLICY"}};

__attribute__((constructor)) static void name_renamed(void) {
    for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++)
        if (getenv(renamed[k].old))
            heddle__warn(NULL, "%s is not an option, %s is; `heddle options` lists them", renamed[k].old,
                         renamed[k].name);
}

static bool is_equal(const char *variable, size_t n, const char *name) {
    return !strncmp(variable, name, n) && !name[n];
}

static bool is_known(const char *variable, size_t n) {
    static const char *const compiler[] = {"HEDDLE_CC", "HEDDLE_TARGETS", "HEDDLE_CUDA", "HEDDLE_TRANSLATE"};
    bool known = false;
    for (size_t k = 0; k < sizeof compiler / sizeof *compiler; k++)
        known |= is_equal(variable, n, compiler[k]);
    for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++)
        known |= is_equal(variable, n, renamed[k].old);
    for (const struct heddle_option *o = heddle_options(); o->name; o++)
        known |= is_equal(variable, n, o->env);
    return known;
}

/* Is it the variable that a key of HEDDLE_TUNE would be by itself? */
static bool is_key(const struct heddle_option *o, const char *variable, size_t n) {
    size_t k = strlen("HEDDLE_");
    if (strcmp(o->env, "HEDDLE_TUNE") || n != k + strlen(o->name))
        return false;
    for (const char *s = o->name; *s && variable[k] == (*s == '-' ? '_' : *s - 'a' + 'A'); s++)
        k++;
    return k == n;
}

static void name(const char *variable, size_t n) {
    const char *near = NULL;
    if (is_known(variable, n))
        return;
    for (const struct heddle_option *o = heddle_options(); o->name; o++) {
        if (is_key(o, variable, n)) {
            heddle__warn(NULL, "%.*s is not an option, HEDDLE_TUNE=%s=… is", (int)n, variable, o->name);
            return;
        }
        const size_t length = strlen(o->env);
        const int most = length > strlen("HEDDLE_") + 5 ? 2 : 1;
        if (abs((int)length - (int)n) <= most && distance(variable, n, o->env) <= most)
            near = o->env;
    }
    if (near)
        heddle__warn(NULL, "%.*s is not an option, %s is; `heddle options` lists them", (int)n, variable, near);
}

static void check(void) {
    if (!heddle__options_any())
        return;
    heddle__options_read_tune();
    values();
    for (char **e = environ; e && *e; e++)
        if (!strncmp(*e, "HEDDLE_", 7))
            name(*e, strcspn(*e, "="));
}

void heddle__options_check(void) {
    HEDDLE__AT_HAND static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, check);
}
