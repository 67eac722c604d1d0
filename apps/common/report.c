/* SPDX-License-Identifier: Apache-2.0 */
/* Timing, checksums and the result of a run, for people (a short table) or programs (--json). */
#include "app.h"
#include "core/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The runtime says where the nests ran. Weak, so that the serial program links without it. */
#if __has_include(<heddle.h>)
#include <heddle.h>
#pragma weak heddle_last_report
#pragma weak heddle_device_info
#pragma weak heddle_device_count
#pragma weak heddle_start_devices
#pragma weak heddle_last_loop_report
#define HAVE_RUNTIME 1
#endif

double app_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double app_median(double *values, int count) {
    if (count < 1)
        return 0;
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

uint64_t app_hash(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t k = 0; k < count; k++)
        hash = (hash ^ at[k]) * UINT64_C(0x100000001b3);
    return hash;
}

void app_print_json(FILE *out, const char *text) { heddle__print_json(out, text); }

/* What was asked for, or, where the runtime knows better, what the last nest did. */
struct where {
    char schedule[32], device[16], name[96];
};

static struct where find_where(const struct app *app) {
    struct where where = {"", "", ""};
    snprintf(where.schedule, sizeof where.schedule, "%s", app->schedule);
    snprintf(where.device, sizeof where.device, "%s", app->device);
#ifdef HAVE_RUNTIME
    struct heddle_report last = {0};
    struct heddle_device_info info = {0};
    if (heddle_last_report)
        heddle_last_report(&last);
    if (!last.schedule || !last.rows)
        return where;
    snprintf(where.schedule, sizeof where.schedule, "%s", last.schedule);
    if (last.device == HEDDLE_DEVICE_HOST)
        snprintf(where.device, sizeof where.device, "host");
    else if (last.device == HEDDLE_DEVICE_ALL)
        snprintf(where.device, sizeof where.device, "all");
    else
        snprintf(where.device, sizeof where.device, "%d", last.device);
    if (heddle_device_info && !heddle_device_info(last.device, &info))
        snprintf(where.name, sizeof where.name, "%s", info.name);
#endif
    return where;
}

/* What a loop over every device did with them: iterations of each in the order of the report, the host's threads as
 * one. */
struct spread {
    double efficiency, balance;
    long host, device[16];
    int devices;
};

static bool find_spread(const struct app *app, struct spread *spread) {
    *spread = (struct spread){.devices = 0};
#ifdef HAVE_RUNTIME
    struct heddle_loop_report last = {0};
    if (!app->loops || !heddle_last_loop_report)
        return false;
    heddle_last_loop_report(&last);
    if (!last.iterations || last.error)
        return false;
    spread->efficiency = last.efficiency;
    spread->balance = last.balance;
    for (int k = 0; k < last.devices; k++)
        if (last.device[k].device == HEDDLE_DEVICE_HOST)
            spread->host += last.device[k].iterations;
        else if (last.device[k].device >= 0 && last.device[k].device < 16) {
            spread->device[last.device[k].device] += last.device[k].iterations;
            if (last.device[k].device >= spread->devices)
                spread->devices = last.device[k].device + 1;
        }
    return true;
#else
    (void)app;
    return false;
#endif
}

static void print_json(const struct app *app, const struct app_result *r, FILE *out, double rate, const char *verdict) {
    struct where where = find_where(app);
    fprintf(out, "{\"app\": \"%s\", \"schedule\": ", app->name);
    heddle__print_json(out, where.schedule);
    fputs(", \"device\": ", out);
    heddle__print_json(out, where.device);
    if (where.name[0]) {
        fputs(", \"device_name\": ", out);
        heddle__print_json(out, where.name);
    }
    struct spread spread;
    if (find_spread(app, &spread)) {
        fprintf(out, ", \"efficiency\": %.4g, \"balance\": %.4g, \"host_iterations\": %ld, \"device_iterations\": [",
                spread.efficiency, spread.balance, spread.host);
        for (int k = 0; k < spread.devices; k++)
            fprintf(out, "%s%ld", k ? ", " : "", spread.device[k]);
        fputc(']', out);
    }
    char third[32] = "";
    if (app->three_sizes)
        snprintf(third, sizeof third, "x%.0f", r->depth);
    fprintf(out,
            ", \"size\": \"%.0fx%.0f%s\", \"repeat\": %ld, \"seconds\": %.9g, \"rate\": %.6g, "
            "\"unit\": \"%s\", \"checksum\": \"%016" PRIx64 "\", \"check\": \"%s\"",
            r->rows, r->cols, third, app->repeat, r->seconds, rate, r->unit, r->checksum, verdict);
}

static void print_table(const struct app *app, const struct app_result *r, FILE *out, double rate, const char *verdict,
                        const struct app_value *values) {
    struct where where = find_where(app);
    fprintf(out, "size      %.0f x %.0f", r->rows, r->cols);
    fprintf(out, app->three_sizes ? " x %.0f\n" : "\n", r->depth);
    fprintf(out, "schedule  %s\n", where.schedule);
    fprintf(out, "device    %s%s%s\n", where.device, where.name[0] ? "  " : "", where.name);
    fprintf(out, "time      %.6g s (median of %ld)\n", r->seconds, app->repeat);
    fprintf(out, "rate      %.4g %s\n", rate, r->unit);
    for (; values->key; values++)
        fprintf(out, "%-9s %.10g\n", values->key, values->value);
    fprintf(out, "check     %s\n", verdict);
}

int app_report_values(const struct app *app, const struct app_result *r, FILE *out, const struct app_value *values) {
    static const char *const verdicts[] = {"none", "ok", "fail"};
    double rate = r->seconds > 0 ? r->work / r->seconds * 1e-9 : 0;
    if (app->json) {
        print_json(app, r, out, rate, verdicts[r->check]);
        for (; values->key; values++) /* JSON has no infinity and no NaN */
            fprintf(out, values->value - values->value == 0 ? ", \"%s\": %.17g" : ", \"%s\": null", values->key,
                    values->value);
        fputs("}\n", out);
    } else {
        print_table(app, r, out, rate, verdicts[r->check], values);
    }
    if (fflush(out) || ferror(out)) /* a full disk: who reads the file would take what is there for all of it */
        return app_fail(app, "the result cannot be written: %s", strerror(errno ? errno : EIO));
    return r->check == APP_CHECK_BAD ? APP_CHECK_FAILED : APP_OK;
}

int app_report(const struct app *app, const struct app_result *r, FILE *out, const char *extra_key,
               double extra_value) {
    const struct app_value values[] = {{extra_key, extra_value}, {NULL, 0}};
    return app_report_values(app, r, out, values);
}

int app_device(void) {
#ifdef HAVE_RUNTIME
    struct heddle_report last = {0};
    if (heddle_last_report)
        heddle_last_report(&last);
    if (last.schedule && last.rows && !last.error && last.device >= 0)
        return last.device;
#endif
    return APP_DEVICE_AUTO;
}

bool app_ran(const char *schedule) {
#ifdef HAVE_RUNTIME
    struct heddle_report last = {0};
    if (heddle_last_report)
        heddle_last_report(&last);
    return last.schedule && last.rows && !last.error && !strcmp(last.schedule, schedule);
#else
    (void)schedule;
    return false;
#endif
}

void app_start_devices(const struct app *app, bool worth_it) {
#ifdef HAVE_RUNTIME
    if (heddle_start_devices && (worth_it || app->device_numbers) && strcmp(app->device, "host") != 0)
        heddle_start_devices();
#else
    (void)app, (void)worth_it;
#endif
}

int app_device_count(void) {
#ifdef HAVE_RUNTIME
    if (heddle_device_count)
        return heddle_device_count();
#endif
    return -1;
}
