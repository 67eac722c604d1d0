/* SPDX-License-Identifier: Apache-2.0 */
/* The option table: environment variables, heddle_option_get/set, --help texts and docs/reference/environment.md. */
#include "internal.h"
#include <heddle/words.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that are only for measuring are keys of one variable: HEDDLE_TUNE=warps=4,pool-tile=4,8. */
static const char TUNE[] = "HEDDLE_TUNE";

static const struct heddle_option table[] = {
    {"device", "HEDDLE_DEVICE", "auto",
     "auto, all, or device numbers and host, joined by commas (nests and pools take the lowest number)",
     "Where nests without a device clause run. auto takes a GPU when the nest is large enough to gain from it; all "
     "deals the row blocks of a nest in registers over all devices of the first one's kind. Loops over every device "
     "use all of them and the host, or those named alone; under auto a loop runs on the host until such loops have "
     "taken as long as devices take to start (0.3 s), and goes on there while they do."},
    {"wavefront", "HEDDLE_WAVEFRONT", "auto",
     HEDDLE_WORD_TEXTS(HEDDLE_WAVEFRONT_SCHEDULES, ", then optionally ,h and ,w"),
     "Schedule of wavefront nests, over the schedule clause: cells in registers; prefix sums in one pass, those of "
     "floating-point numbers in another order (others: registers); cells in memory on hyper-tiles with "
     "flags between neighbours and a width that a model chooses, the same with equal sides, hyper-tiles with a barrier "
     "after each diagonal, both on square tiles; or the loop as written. h and w are the tile's rows and columns."},
    {"for", "HEDDLE_FOR", "auto", HEDDLE_WORD_TEXTS(HEDDLE_LOOP_SCHEDULES, " or ./schedule.so, then optionally ,chunk"),
     "Schedule of loops over every device, over the schedule clause. `heddle sim list` says what each does. auto "
     "leaves the clause alone."},
    {"jobs", "HEDDLE_JOBS", "auto",
     HEDDLE_WORD_TEXTS(HEDDLE_JOBS_POLICIES, " or ./policy.so, then optionally ,parameter"),
     "Which device gets which jobs, over the schedule clause. `heddle sim list` says what each does. auto leaves the "
     "clause alone; where there is none either, and no device is named, the fastest of all devices, one kind or one "
     "device is found by executions."},
    {"graph", "HEDDLE_GRAPH", "auto",
     HEDDLE_WORD_TEXTS(HEDDLE_GRAPH_POLICIES, " or ./policy.so, then optionally ,parameter …"),
     "Which device or thread runs which task of a graph, over the schedule clause. `heddle sim list` says what each "
     "does. auto leaves the clause alone."},
    {"slow", "HEDDLE_SLOW", "", "device:factor, joined by commas; host for its threads",
     "Makes devices slower in loops over every device, by sleeping after each chunk: 0:2,host:4. To try how schedules "
     "balance."},
    {"layout", "HEDDLE_LAYOUT", "auto", HEDDLE_WORD_TEXTS(HEDDLE_LAYOUTS, ""),
     "Where the cells of flexible, peer and barrier lie on a GPU, over the layout clause: in the arrays as they are, "
     "or in device memory with the cells of a diagonal side by side, copied back where they are wanted. auto takes the "
     "latter where no cell is wanted; loops over sweeps always take the former."},
    {"timers", "HEDDLE_TIMERS", "0", "0, 1, or a number of tiles up to 16777216",
     "Times inside the kernels of flexible, peer and barrier on a GPU, for heddle_last_times(): 1 sums for each "
     "multiprocessor, more the begin and end of so many tiles as well."},
    {"pool", "HEDDLE_POOL", "auto", HEDDLE_WORD_TEXTS(HEDDLE_POOL_SCHEDULES, ""),
     "Schedule of task pools, over the schedule clause: ready tasks in any order (steal: from queues of the workers' "
     "own, global: all through one queue), an order fixed beforehand, level by level, or the calls as written."},
    {"threads", "HEDDLE_THREADS", "0", "0 (as OpenMP would) to 4096",
     "Host threads for a nest. A nest inside a parallel region runs on the thread that meets it."},
    {"memory-limit", "HEDDLE_MEMORY_LIMIT", "0", "0 (what is free), or bytes, with K, M, G or T",
     "Device memory that the arrays of a nest may take, and heddle_device_room() tells of; batches of jobs take half "
     "of it. What does not fit is "
     "computed in panels of rows, whose transfers go on beside the computation."},
    {"timeout", "HEDDLE_TIMEOUT", "60", "seconds, more than 0",
     "Longest wait between neighbours without any progress. Then every waiter is released, an error names the "
     "tile, and the loop runs serially."},
    {"verify-memory", "HEDDLE_VERIFY_MEMORY", "0", "0 (a quarter of the machine's), or bytes, with K, M, G or T",
     "Programs of `heddle cc --verify`: memory for what is known of each address. What has to be forgotten for it is "
     "said."},
    {"verify-findings", "HEDDLE_VERIFY_FINDINGS", "100", "1 or more",
     "Programs of `heddle cc --verify`: findings that are shown."},
    {"verbose", "HEDDLE_VERBOSE", "0", "0 or 1",
     "One line on stderr for each nest or loop: device, schedule, time; loops that the host has in another order."},
    {"policy", "HEDDLE_POLICY", "", HEDDLE_WORD_TEXTS(HEDDLE_POLICIES, " or ./policy.so"),
     "Turns the device selector on: which device takes a target region that names none. `heddle run` sets "
     "earliest-finish. With it HEDDLE_DEVICE is the program's default device."},
    {"candidates", "HEDDLE_CANDIDATES", "all", "all, or device numbers and host, joined by commas",
     "Where the selector may place regions."},
    {"override-device", "HEDDLE_OVERRIDE_DEVICE", "0", "0 or 1",
     "The selector also places regions whose device clause names a device; only for programs that use one device."},
    {"explain", "HEDDLE_EXPLAIN", "0", "0, 1 or summary",
     "One line on stderr for each region: predicted cost on each place, choice, measured time; and for each loop over "
     "every device: who did what, efficiency, balance; for jobs each decision. A summary at exit, with "
     "what was allocated and copied. summary: only that."},
    {"record", "HEDDLE_RECORD", "", "a file",
     "A line for each target region: who asked when, what it touches, where it may run, where it ran, how long. "
     "`heddle sim regions --recorded` replays it under every policy."},
    {"graph-record", "HEDDLE_GRAPH_RECORD", "", "a file",
     "Writes the graphs of the first `#pragma heddle graph` that runs, and FILE.machine; `heddle sim graph "
     "--scene=FILE "
     "--machine=FILE.machine` replays them under every policy."},
    {"jobs-record", "HEDDLE_JOBS_RECORD", "", "a file",
     "What each batch of the first `#pragma heddle jobs` that runs made, at each of its executions, and in "
     "FILE.machine "
     "what it took here. `heddle sim jobs --stream=FILE --machine=FILE.machine` runs it under every policy."},
    {"models", "HEDDLE_MODELS", "", "a folder, or none",
     "Where the selector, the tile-width model and loops over every device keep what they measured, one CSV file each "
     "per program. Default: the user's cache folder."},
    {"fault", "HEDDLE_FAULT", "none", "none, or kind:n; alloc, map, launch, copy, event, thread, write, kill or vanish",
     "Makes the n-th operation of a kind fail as the real one would, and says where: an allocation on the host or on a "
     "device, a kernel, a copy, a stream or event of CUDA, a thread, a write; kill ends the program there, in the "
     "middle of a file. Only from the environment. To try what comes of it; docs/reference/faults.md has a table."},
    {"trace", "HEDDLE_TRACE", "", "a file: .html, .svg, .json, .paje, or any other name for plain text",
     "Writes a timeline at exit: nests, kernels, target regions, transfers, row blocks and tasks. `heddle trace` turns "
     "the plain text into the other forms and sums it up."},
    {"trace-events", "HEDDLE_TRACE_EVENTS", "4000000", "1 to 1000000000",
     "How many spans a timeline keeps (24 bytes each); what does not fit is counted."},
    {"deal", TUNE, "0", "0 (chosen) to 1048576", "Row blocks that a device takes in a row where all share a nest."},
    {"spread", TUNE, "auto", "auto, 1, 2, 4, 8, 16 or 32",
     "Loops over every device: one of so many threads of a device gets an iteration. More than 1 pays on a GPU where "
     "few iterations go different ways; auto takes as many as a GPU has places for, and 1 elsewhere."},
    {"graph-streams", TUNE, "0", "0 (chosen) to 8",
     "Tasks of a graph that a device runs beside each other; chosen are 4 on a GPU, fewer on few cores, and 1 "
     "elsewhere."},
    {"graph-replay", TUNE, "auto", "auto, off or always",
     "A graph whose tasks one device runs is launched as one, and regions between tasks of the host by parts: a CUDA "
     "graph each. auto: on GPUs; always: elsewhere too, as a "
     "list of launches, which saves nothing."},
    {"graph-keep", TUNE, "1M", "0, or bytes, with K, M, G or T",
     "Old values of the host's memory that a graph keeps in each step, to make again what a lost device takes with "
     "it."},
    {"graph-freed", TUNE, "auto", "auto or always",
     "always: a task that works with a block of some 256 KB or more that was freed before it began is found for sure. "
     "malloc maps each such block anew, which takes longer. auto: found where malloc does so, which it does no more "
     "for "
     "blocks as large as one that was freed. Only from the environment."},
    {"jobs-batch", TUNE, "0", "0 (what is placed on it, by its memory) or more", "Jobs of one launch on a device."},
    {"jobs-room", TUNE, "0", "0 (chosen) or more",
     "Elements that jobs of one launch on a device may append to a list. Where they append more, the launch is "
     "repeated "
     "with fewer jobs."},
    {"jobs-memory", TUNE, "0", "0 (three quarters of the machine's), or bytes, with K, M, G or T",
     "Memory that the lists of jobs may take."},
    {"pool-tile", TUNE, "auto", "auto, off, or rows,columns",
     "Iterations of a taskloop with sinks that one worker of a device runs at a time, as a parallelogram of the two "
     "inner loops. auto: several when they took less than a microsecond each in the pool's last run."},
    {"workers", TUNE, "0", "0 (chosen) to 1048576", "Workers (warps or blocks) of a task pool on a GPU."},
    {"cpu-form", TUNE, "auto", "auto, lanes or interleaved",
     "How a CPU core works on nests in registers: many rows in SIMD lanes, or a few rows at a time by scalar code. "
     "auto measures."},
    {"instructions", TUNE, "auto", "auto, base, avx2 or avx512",
     "The widest vectors that host threads use; the processor's own where it has less. Read once."},
    {"sweeps", TUNE, "auto", "auto, one or many",
     "Sweeps of a loop over sweeps that are under way at once on a GPU: one after the other, or several, which pays "
     "once there are enough of them. auto goes by their number and the grid."},
    {"rows-per-lane", TUNE, "0", "0 (chosen by size), 4 or 8; 2 or 4 where a row reads further along the one above",
     "Rows that a GPU lane keeps in registers."},
    {"warps", TUNE, "0", "0 (chosen by size) to 64",
     "Warps per multiprocessor, of a block in prefix sums; 16 at most except in the memory forms."},
    {NULL, NULL, NULL, NULL, NULL},
};

HEDDLE__AT_HAND static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HEDDLE__AT_HAND static char *values[sizeof table / sizeof *table];

/* ---- what decisions depend on ---------------------------------------------------------------------------------- */
HEDDLE__AT_HAND static atomic_uint_fast64_t ends;

void heddle__decisions_end(void) { atomic_fetch_add(&ends, 1); }

/* setenv() and putenv() put another string into the environment, unsetenv() moves those behind: a look at where the
   strings lie takes less than a look for six of them. */
uint64_t heddle__decision_mark(void) {
    uint64_t mark = atomic_load(&ends);
    for (uint64_t k = 0; environ && environ[k]; k++)
        mark += (uintptr_t)environ[k] * (2 * k + 3);
    return mark;
}

static void lock_values(void) { pthread_mutex_lock(&lock); }
static void unlock_values(void) { pthread_mutex_unlock(&lock); }
static void in_child(void) {
    heddle__decisions_end(); /* it has no devices */
    unlock_values();
}
__attribute__((constructor)) static void watch(void) { pthread_atfork(lock_values, unlock_values, in_child); }

const struct heddle_option *heddle_options(void) { return table; }

static int find(const char *name) {
    for (int k = 0; table[k].name; k++)
        if (*table[k].name == *name && !strcmp(table[k].name, name))
            return k;
    return -1;
}

/* ---- HEDDLE_TUNE: key=value, joined by commas; a value goes on to the comma before the next key ---------------- */
HEDDLE__AT_HAND static char *tuned[sizeof table / sizeof *table];

static size_t key_length(const char *at) {
    const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz-");
    return n && at[n] == '=' ? n : 0;
}

static size_t entry_length(const char *at) {
    size_t n = strcspn(at, ",");
    while (at[n] && !key_length(at + n + 1))
        n += 1 + strcspn(at + n + 1, ",");
    return n;
}

static int find_key(const char *at, size_t n) {
    for (int k = 0; table[k].name; k++)
        if (table[k].env == TUNE && strlen(table[k].name) == n && !memcmp(table[k].name, at, n))
            return k;
    return -1;
}

static void read_tune(void) {
    const char *at = secure_getenv(TUNE);
    for (size_t n; at && *at; at += n + (at[n] == ',')) {
        n = entry_length(at);
        const size_t length = key_length(at);
        const int k = find_key(at, length);
        if (k < 0) {
            heddle__warn(NULL, "%s: '%.*s' sets no key of it; `heddle options` lists them", TUNE, (int)n, at);
            continue;
        }
        free(tuned[k]); /* the last one counts */
        tuned[k] = strndup(at + length + 1, n - length - 1);
    }
}

/* What the environment says; NULL: nothing. */
static const char *environment(int k) {
    HEDDLE__AT_HAND static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (table[k].env != TUNE)
        return secure_getenv(table[k].env);
    pthread_once(&once, read_tune);
    return tuned[k];
}

void heddle__options_read_tune(void) { (void)environment(find("warps")); }

const char *heddle_option_get(const char *name) {
    const int k = find(name);
    if (k < 0)
        return NULL;
    pthread_mutex_lock(&lock);
    const char *value = values[k];
    pthread_mutex_unlock(&lock);
    if (!value)
        value = environment(k);
    return value && *value ? value : table[k].fallback;
}

extern char **environ;
HEDDLE__AT_HAND static atomic_bool any_set; /* by a call */

HEDDLE__AT_HAND static atomic_uint_fast64_t none; /* the mark under which the environment held no option */

bool heddle__options_any(void) {
    const uint64_t mark = heddle__decision_mark();
    bool any = atomic_load(&any_set);
    if (any || (mark && mark == atomic_load(&none)))
        return any;
    for (char **e = environ; !any && e && *e; e++)
        any = !strncmp(*e, "HEDDLE_", 7);
    if (!any)
        atomic_store(&none, mark);
    return any;
}

bool heddle__option_given(const char *name) {
    const int k = find(name);
    pthread_mutex_lock(&lock);
    const bool given = values[k];
    pthread_mutex_unlock(&lock);
    return given || environment(k);
}

int heddle_option_set(const char *name, const char *value) {
    const int k = find(name);
    if (k < 0)
        return HEDDLE_EINVAL;
    atomic_store(&any_set, true);
    char *copy = value ? strdup(value) : NULL;
    if (value && !copy)
        return HEDDLE_ENOMEM;
    pthread_mutex_lock(&lock);
    char *old = values[k];
    values[k] = copy;
    pthread_mutex_unlock(&lock);
    heddle__decisions_end();
    free(old);
    return HEDDLE_OK;
}

void heddle__option_read(const char *name, char *value, size_t size) {
    const int k = find(name);
    const char *outside = environment(k);
    pthread_mutex_lock(&lock);
    const char *now = values[k] ? values[k] : outside;
    now = now && *now ? now : table[k].fallback;
    const size_t length =
        strnlen(now, size - 1); /* a short loop reads ten options: snprintf would take as long as the rest of it */
    memcpy(value, now, length);
    value[length] = 0;
    pthread_mutex_unlock(&lock);
}

void heddle__option_bad(const char *name, const char *value) {
    static char *told[sizeof table / sizeof *table];
    const int k = find(name);
    pthread_mutex_lock(&lock);
    const bool again = told[k] && !strcmp(told[k], value);
    if (!again) {
        free(told[k]);
        told[k] = strdup(value);
    }
    pthread_mutex_unlock(&lock);
    if (!again)
        heddle__warn(NULL, "%s%s%s=%s is not %s; using %s", table[k].env, table[k].env == TUNE ? "=" : "",
                     table[k].env == TUNE ? name : "", value, table[k].values, table[k].fallback);
}

long heddle__option_long(const char *name, long low, long high) {
    char value[HEDDLE__OPTION_MAX], *end;
    heddle__option_read(name, value, sizeof value);
    errno = 0;
    const long v = strtol(value, &end, 10);
    if (!*end && end != value && !errno && v >= low && v <= high)
        return v;
    heddle__option_bad(name, value);
    return strtol(table[find(name)].fallback, NULL, 10);
}

size_t heddle__option_bytes(const char *name) {
    static const char units[] = "KMGT";
    char value[HEDDLE__OPTION_MAX], *end;
    heddle__option_read(name, value, sizeof value);
    double v = strtod(value, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    for (long k = 0; unit && k <= unit - units; k++)
        v *= 1024;
    if (end != value && !end[unit != NULL] && v >= 0 && v < 1e18)
        return (size_t)v;
    heddle__option_bad(name, value);
    return 0;
}

double heddle__option_seconds(const char *name) {
    char value[HEDDLE__OPTION_MAX], *end;
    heddle__option_read(name, value, sizeof value);
    const double v = strtod(value, &end);
    if (!*end && end != value && v > 0 && v < 1e9)
        return v;
    heddle__option_bad(name, value);
    return strtod(table[find(name)].fallback, NULL);
}
