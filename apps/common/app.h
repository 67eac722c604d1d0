/* SPDX-License-Identifier: Apache-2.0 */
/* What every heddle app shares: options, messages, progress, seeded random numbers, timing and the
 * result line. An app fills a struct app, calls app_parse(), works, and ends with app_report().
 * Nothing here knows the runtime: --schedule, --device, --threads and --trace become environment
 * variables that the runtime reads at the first annotated nest. */
#ifndef HEDDLE_APP_H
#define HEDDLE_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes of every app. */
enum { APP_OK = 0, APP_CHECK_FAILED = 1, APP_BAD_INPUT = 2 };

/* APP_INPUT and APP_OUTPUT are texts that name a file which is read, or written. */
enum app_kind { APP_FLAG, APP_LONG, APP_REAL, APP_TEXT, APP_INPUT, APP_OUTPUT };

/* One option of the app itself; a table of these ends with a NULL name. The value points to bool,
 * long, double or const char *, and keeps its old content (the default) when the option is absent.
 */
struct app_option {
    const char *name;     /* without the dashes */
    const char *argument; /* as --help shows it, NULL for a flag */
    const char *help;
    enum app_kind kind;
    void *value;
    long least; /* APP_LONG: smallest accepted value */
};

struct app {
    const char *name;
    const char *summary;   /* one line for --help */
    const char *inputs;    /* how --help writes the operands; NULL: there are none */
    const char *size_help; /* what --size is; NULL: of the seeded input */
    int inputs_max;        /* more operands than this are an error */
    bool two_sizes;        /* --size takes NxM as well as N */
    bool three_sizes;      /* ... or MxNxK, each from 0 */
    bool pools;            /* --schedule is that of task pools */
    bool loops;            /* --schedule is that of loops over every device, --device=all takes all of them */
    bool jobs;             /* with loops: --schedule is a policy of jobs */
    const struct app_option *options;

    long rows, cols, depth; /* --size; set the default before app_parse() */
    bool sized;             /* --size was given */
    const char *schedule, *device, *trace;
    bool device_later;   /* the app starts devices beside other work, and checks the number itself */
    bool device_numbers; /* result: --device gave numbers */
    long threads, repeat;
    bool check, json, progress;
    char **input; /* the operands; memory of app_parse(), valid until the program ends or calls it again */
    int input_count;
};

/* Returns -1 to go on, otherwise the exit status (--help: 0, wrong usage: 2). Also refuses an output that is an input,
 * or another output. */
int app_parse(struct app *app, int argc, char **argv);

/* device_later: starts devices on a thread of their own, if the user named some; else, unless it is to be the host, if
 * the work seems worth it. Then, before the first result: -1, or the exit status with a message where a device is not
 * there, which waits for the devices. */
void app_start_devices(const struct app *app, bool worth_it);
int app_check_device(const struct app *app, char *message, size_t size);

/* The first of the devices d … count - 1 that --device names, a word or numbers with commas between them; count: none.
 */
int app_next_device(const char *device, int d, int count);

/* outputs.c: -1, or the exit status with a message where a file that will be written (an APP_OUTPUT, the trace,
 * standard output) is read as well (an operand, an APP_INPUT), or two of those written are one. app_parse() calls it.
 */
int app_outputs_apart(const struct app *app);
/* The option by which this command line writes the file at `path`; NULL: none does. For files that an input names. */
const char *app_writes(const char *path);

/* "NAME: message" on stderr; returns APP_BAD_INPUT so that a caller can return it on. */
int app_fail(const struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A status line on stderr, at most five a second; silent unless stderr is a terminal or --progress.
 */
void app_progress(const struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
void app_progress_end(const struct app *app);
/* Whether a status line is shown at all. */
bool app_progress_wanted(const struct app *app);

/* Memory for an app: never NULL, ends the program with exit 2 and a message when there is none. */
void *app_alloc(size_t count, size_t size);
void *app_resize(void *old, size_t count, size_t size);

/* Whether `bytes` of memory can be had without swapping: -1, or a message "WHAT needs ..." and exit
 * status 2. Linux hands out memory that it does not have, so this has to be asked before. */
int app_memory_fits(const struct app *app, double bytes, const char *what);
/* So many bytes; negative: not known. */
double app_memory_free(void);

/* xoshiro256** (Blackman, Vigna 2018) seeded by splitmix64: the same numbers on every machine. */
struct app_random {
    uint64_t state[4];
};
void app_seed(struct app_random *random, uint64_t seed);
uint64_t app_next(struct app_random *random);
uint32_t app_below(struct app_random *random, uint32_t limit);
double app_unit(struct app_random *random); /* [0, 1) */

double app_seconds(void);                         /* monotonic clock */
double app_median(double *values, int count);     /* sorts values */
void app_print_json(FILE *out, const char *text); /* as a string of JSON */

/* FNV-1a over bytes; start with APP_HASH_START. */
#define APP_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t app_hash(uint64_t hash, const void *bytes, size_t count);

enum app_verdict { APP_NOT_CHECKED, APP_CHECK_OK, APP_CHECK_BAD };

struct app_result {
    double rows, cols; /* problem size as reported */
    double depth;      /* three_sizes: the third */
    double seconds;    /* median */
    double work;       /* in units of 1e9 per second after division by seconds */
    const char *unit;
    uint64_t checksum;
    enum app_verdict check;
};

/* With --json one object on one line, otherwise a short table, on `out`. extra_key may be NULL;
 * then there is no extra value. Returns the exit status that belongs to the verdict. */
int app_report(const struct app *app, const struct app_result *result, FILE *out, const char *extra_key,
               double extra_value);

/* The same with any number of values of the app; the list ends with a NULL key. */
struct app_value {
    const char *key;
    double value;
};
int app_report_values(const struct app *app, const struct app_result *result, FILE *out,
                      const struct app_value *values);

/* The device that the calling thread's last nest ran on, for keeping data there; APP_DEVICE_AUTO
 * where that was the host or there is no runtime. */
enum { APP_DEVICE_AUTO = -2 };
int app_device(void);
/* Devices that the runtime finds, without the host; -1: there is no runtime. */
int app_device_count(void);
/* Whether that nest ran by this schedule; false where there is no runtime. */
bool app_ran(const char *schedule);

#endif
