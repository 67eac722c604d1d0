/* SPDX-License-Identifier: Apache-2.0 */
/* Table-driven command line: the common options, then the app's own, one lookup for both.
 * Long options only, "--name=value" or "--name"; "--" ends the options; "-" is an operand (stdin).
 */
#include "app.h"
#include <heddle/words.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COMMON_OPTIONS 10
static const long threads_most = 4096; /* the runtime's limit */
static const long repeat_most = 1000000;

struct parse_state {
    struct app *app;
    const char *size;
    bool help;
    struct app_option common[COMMON_OPTIONS];
};

static const char *schedules(const struct app *app) {
    return app->pools   ? HEDDLE_WORD_TEXTS(HEDDLE_POOL_SCHEDULES, "")
           : app->jobs  ? HEDDLE_WORD_TEXTS(HEDDLE_JOBS_POLICIES, " or ./policy.so, then optionally ,parameter")
           : app->loops ? HEDDLE_WORD_TEXTS(HEDDLE_LOOP_SCHEDULES, " or ./schedule.so, then optionally ,chunk")
                        : HEDDLE_WORD_TEXTS(HEDDLE_WAVEFRONT_SCHEDULES, ", then optionally ,h and ,w");
}

static void list_common(struct parse_state *state) {
    struct app *app = state->app;
    const struct app_option list[COMMON_OPTIONS] = {
        {"size",
         app->three_sizes ? "N|MxNxK"
         : app->two_sizes ? "N|NxM"
                          : "N",
         app->size_help ? app->size_help : "size of the seeded input", APP_TEXT, &state->size, 0},
        {"schedule", "S", schedules(app), APP_TEXT, &app->schedule, 0},
        {"device", "D",
         app->loops ? "auto, host, all, or device numbers joined by commas, then host or not"
                    : "auto, host, all or a device number",
         APP_TEXT, &app->device, 0},
        {"threads", "N", "CPU threads", APP_LONG, &app->threads, 1},
        {"repeat", "N", "measure N times, report the median", APP_LONG, &app->repeat, 1},
        {"check", NULL, "compare with the serial program; exit 1 if they differ", APP_FLAG, &app->check, 0},
        {"json", NULL, "one JSON object on one line", APP_FLAG, &app->json, 0},
        {"progress", NULL, "status on stderr even if it is not a terminal", APP_FLAG, &app->progress, 0},
        {"trace", "FILE", "write a trace of the run", APP_TEXT, &app->trace, 0},
        {"help", NULL, "this text", APP_FLAG, &state->help, 0},
    };
    memcpy(state->common, list, sizeof list);
}

static const struct app_option *find(const struct parse_state *state, const char *name, size_t length) {
    for (int k = 0; k < COMMON_OPTIONS; k++)
        if (strlen(state->common[k].name) == length && !memcmp(state->common[k].name, name, length))
            return &state->common[k];
    for (const struct app_option *o = state->app->options; o && o->name; o++)
        if (strlen(o->name) == length && !memcmp(o->name, name, length))
            return o;
    return NULL;
}

static void print_option(const struct app_option *option) {
    char left[64];
    snprintf(left, sizeof left, "%s--%s%s%s", strcmp(option->name, "out") ? "" : "-o FILE, ", option->name,
             option->argument ? "=" : "", option->argument ? option->argument : "");
    printf("  %-24s %s\n", left, option->help);
}

static void print_help(const struct parse_state *state) {
    const struct app *app = state->app;
    printf("%s: %s\n\nusage: %s [options]%s%s\n\n", app->name, app->summary, app->name,
           app->inputs && *app->inputs ? " " : "", app->inputs ? app->inputs : "");
    for (const struct app_option *o = app->options; o && o->name; o++)
        print_option(o);
    printf("\n");
    for (int k = 0; k < COMMON_OPTIONS; k++)
        print_option(&state->common[k]);
    printf("\nexit status: 0 done, 1 check failed, 2 bad input or usage\n");
}

static bool whole_number(const char *text, char **end, long *value) {
    errno = 0;
    *value = strtol(text, end, 10);
    return *end != text && !errno;
}

static int set_value(const struct app *app, const struct app_option *option, const char *text) {
    char *end;
    if (option->kind == APP_FLAG) {
        if (text)
            return app_fail(app, "--%s takes no value", option->name);
        *(bool *)option->value = true;
        return -1;
    }
    if (!text || !*text)
        return app_fail(app, "--%s needs a value: --%s=%s", option->name, option->name, option->argument);
    if (option->kind == APP_TEXT || option->kind == APP_INPUT || option->kind == APP_OUTPUT) {
        *(const char **)option->value = text;
    } else if (option->kind == APP_LONG) {
        long value;
        if (!whole_number(text, &end, &value) || *end)
            return app_fail(app, "--%s=%s: not a whole number", option->name, text);
        if (value < option->least)
            return app_fail(app, "--%s=%s: must be at least %ld", option->name, text, option->least);
        *(long *)option->value = value;
    } else {
        double value = strtod(text, &end);
        if (end == text || *end || !(value - value == 0))
            return app_fail(app, "--%s=%s: not a number", option->name, text);
        *(double *)option->value = value;
    }
    return -1;
}

static const long size_most = 2000000000L; /* loop counters of the nests are int */

/* N or MxNxK, each from 0. */
static int set_three_sizes(struct app *app, const char *text) {
    long size[3];
    const char *at = text;
    char *end;
    int count = 0;
    while (count < 3 && whole_number(at, &end, &size[count]) && size[count] >= 0 && size[count] <= size_most) {
        count++;
        at = end;
        if (*at != 'x' && *at != 'X')
            break;
        at++;
    }
    if ((count != 1 && count != 3) || *at)
        return app_fail(app, "--size=%s: expected N or MxNxK, each from 0 to %ld", text, size_most);
    app->rows = size[0];
    app->cols = size[count == 3 ? 1 : 0];
    app->depth = size[count == 3 ? 2 : 0];
    app->sized = true;
    return -1;
}

static int set_size(struct app *app, const char *text) {
    const long most = size_most;
    char *end;
    long rows, cols;
    if (app->three_sizes)
        return set_three_sizes(app, text);
    if (!whole_number(text, &end, &rows))
        return app_fail(app, "--size=%s: not a size", text);
    cols = rows;
    if (app->two_sizes && (*end == 'x' || *end == 'X') && !whole_number(end + 1, &end, &cols))
        return app_fail(app, "--size=%s: not a size", text);
    if (*end || rows < 1 || cols < 1 || rows > most || cols > most)
        return app_fail(app, "--size=%s: expected %s from 1 to %ld", text, app->two_sizes ? "N or NxM, each" : "N",
                        most);
    app->rows = rows;
    app->cols = cols;
    app->sized = true;
    return -1;
}

static bool is_schedule(const char *const *names, const char *text, size_t length) {
    for (; *names; names++)
        if (strlen(*names) == length && !memcmp(*names, text, length))
            return true;
    return false;
}

/* The words of heddle/words.h; what may follow one, the runtime reads again. */
static int check_schedule(const struct app *app) {
    static const char *const nests[] = HEDDLE_WORD_ARRAY(HEDDLE_WAVEFRONT_SCHEDULES),
                             *const pools[] = HEDDLE_WORD_ARRAY(HEDDLE_POOL_SCHEDULES),
                             *const loops[] = HEDDLE_WORD_ARRAY(HEDDLE_LOOP_SCHEDULES),
                             *const jobs[] = HEDDLE_WORD_ARRAY(HEDDLE_JOBS_POLICIES);
    const size_t length = strcspn(app->schedule, app->pools ? "" : ",");
    const char *more = app->schedule + length;
    bool good = is_schedule(app->pools   ? pools
                            : app->jobs  ? jobs
                            : app->loops ? loops
                                         : nests,
                            app->schedule, length) ||
                (app->jobs && !strcmp(app->schedule, "auto"));
    if (app->loops) /* or a schedule of the user's */
        good = (good || memchr(app->schedule, '/', length)) &&
               (!*more || (more[1] >= '1' && more[1] <= '9' && strspn(more + 1, "0123456789") == strlen(more + 1)));
    else
        good = good && strspn(more, ",0123456789") == strlen(more);
    return good ? -1 : app_fail(app, "--schedule=%s: expected %s", app->schedule, schedules(app));
}

static bool device_is_host(const char *name) { return !strcmp(name, "host"); }

/* Numbers joined by commas: are these devices there? Who names one wants that one, not another. */
int app_check_device(const struct app *app, char *message, size_t size) {
    if (!app->device_numbers)
        return -1;
    const int count = app_device_count();
    char *end;
    for (const char *d = app->device;; d = end + 1) {
        const long number = strtol(d, &end, 10);
        if (count >= 0 && number >= count) {
            snprintf(message, size, "--device=%s: there is no device %ld (%d found; `heddle doctor` shows them)",
                     app->device, number, count);
            return APP_BAD_INPUT;
        }
        if (!*end || device_is_host(end + 1))
            return -1;
    }
}

static bool names_device(const char *device, int d) {
    if (*device < '0' || *device > '9')
        return true;
    for (const char *at = device; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (*at >= '0' && *at <= '9' && atoi(at) == d)
            return true;
    }
    return false;
}

int app_next_device(const char *device, int d, int count) {
    while (d < count && !names_device(device, d))
        d++;
    return d;
}

static int check_device(struct app *app) {
    const char *d = app->device;
    char message[512];
    if (!strcmp(d, "auto") || !strcmp(d, "host") || !strcmp(d, "all"))
        return -1;
    const size_t length = strspn(d, "0123456789,");
    const bool and_host = app->loops && length > 1 && d[length - 1] == ',' && device_is_host(d + length);
    const bool numbers = d[0] >= '0' && d[0] <= '9' && strlen(d) < 200 && !strstr(d, ",,") &&
                         (and_host || (!d[length] && d[length - 1] != ','));
    if (numbers && (app->loops || (!strchr(d, ',') && strlen(d) < 6)))
        app->device_numbers = true;
    if (app->device_numbers && !app->device_later && app_check_device(app, message, sizeof message) >= 0)
        return app_fail(app, "%s", message);
    if (app->device_numbers)
        return -1;
    return app_fail(app,
                    app->loops ? "--device=%s: expected auto, host, all or numbers (0,1 or 0,host)"
                               : "--device=%s: expected auto, host, all or a number",
                    d);
}

/* The runtime reads its environment at the first nest, so setting it here is early enough. What the
 * user put into the environment stands unless an option says otherwise. */
static int hand_over(struct app *app) {
    const char *schedule = app->pools   ? "HEDDLE_POOL"
                           : app->jobs  ? "HEDDLE_JOBS"
                           : app->loops ? "HEDDLE_FOR"
                                        : "HEDDLE_WAVEFRONT";
    char number[32];
    int status;
    if (app->schedule) {
        if ((status = check_schedule(app)) >= 0)
            return status;
        setenv(schedule, app->schedule, 1);
    }
    if (app->device) {
        if ((status = check_device(app)) >= 0)
            return status;
        setenv("HEDDLE_DEVICE", app->device, 1);
    }
    if (app->trace)
        setenv("HEDDLE_TRACE", app->trace, 1);
    if (app->repeat > repeat_most)
        return app_fail(app, "--repeat=%ld: must be at most %ld", app->repeat, repeat_most);
    if (app->threads > threads_most)
        return app_fail(app, "--threads=%ld: must be at most %ld", app->threads, threads_most);
    if (app->threads) {
        snprintf(number, sizeof number, "%ld", app->threads);
        setenv("HEDDLE_THREADS", number, 1);
    }
    if (!app->schedule && !(app->schedule = getenv(schedule)))
        app->schedule = "auto";
    if (!app->device && !(app->device = getenv("HEDDLE_DEVICE")))
        app->device = "auto";
    return -1;
}

static int parse_one(struct parse_state *state, const char *text) {
    const struct app *app = state->app;
    const char *name = text + 2, *value = strchr(name, '=');
    const struct app_option *option = find(state, name, value ? (size_t)(value - name) : strlen(name));
    if (!option)
        return app_fail(app, "unknown option %s (see %s --help)", text, app->name);
    return set_value(app, option, value ? value + 1 : NULL);
}

static char **operands; /* a program has one command line, wanted until it ends */

int app_parse(struct app *app, int argc, char **argv) {
    struct parse_state state = {.app = app};
    int status;
    list_common(&state);
    if (!app->repeat)
        app->repeat = 1;
    free(operands);
    app->input = operands = app_alloc((size_t)argc + 1, sizeof *operands);
    bool operands_only = false;
    for (int k = 1; k < argc; k++) {
        if (operands_only || argv[k][0] != '-' || !argv[k][1]) {
            app->input[app->input_count++] = argv[k];
        } else if (!strcmp(argv[k], "--")) {
            operands_only = true;
        } else if (!strcmp(argv[k], "-o") && find(&state, "out", 3)) { /* what people type */
            if (k + 1 == argc)
                return app_fail(app, "-o: expected a file behind it");
            if ((status = set_value(app, find(&state, "out", 3), argv[++k])) >= 0)
                return status;
        } else if (argv[k][1] != '-') {
            return app_fail(app, "unknown option %s (see %s --help)", argv[k], app->name);
        } else if ((status = parse_one(&state, argv[k])) >= 0) {
            return status;
        }
    }
    if (state.help) {
        print_help(&state);
        return APP_OK;
    }
    if (app->input_count > app->inputs_max)
        return app_fail(app, "too many inputs: %s", app->input[app->inputs_max]);
    if (state.size && (status = set_size(app, state.size)) >= 0)
        return status;
    status = hand_over(app);
    return status < 0 ? app_outputs_apart(app) : status;
}
