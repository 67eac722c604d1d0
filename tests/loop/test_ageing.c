/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a loop was found to take may be wrong: it was measured beside other processes, or the machine has changed. On a
 * made-up machine, whose clock is moved by hand, with a file of models that is wrong: how many runs it takes until the
 * best choice is made again, and what asking costs while nothing has changed. store.c and loops.c are part of this
 * file, so that a process can end and another one begin.
 */
#include "loop/store.c"
#include "model/loops.c"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* ---- what these files and device_sets.c need from the rest
 * ------------------------------------------------------------------------- */
static double now;
static char kept[1 << 20]; /* the file */
static int threads = 2;

double heddle__now(void) { return now; }
int heddle__host_threads(void) { return threads; }
bool heddle__forked_inside(void) { return false; }
void heddle__warn(const struct heddle_site *site, const char *format, ...) { (void)site, (void)format; }
void heddle__option_read(const char *name, char *value, size_t size) {
    snprintf(value, size, "%s", strcmp(name, "device") ? "" : "auto");
}
bool heddle__store_load(struct heddle__store *s) {
    static char text[sizeof kept];
    struct heddle__row row;
    char *save = NULL;
    memcpy(text, kept, sizeof text);
    s->forget();
    for (char *at = strtok_r(text, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
        assert_true(heddle__row_read(at, &row));
        assert_true(s->take(&row));
    }
    return true;
}

bool heddle__store_save(struct heddle__store *s) {
    heddle__store_load(s);
    FILE *f = fmemopen(kept, sizeof kept, "w");
    assert_non_null(f);
    s->write(f);
    fclose(f);
    return true;
}

/* ---- a machine: two cores and, where there is one, a GPU
 * ------------------------------------------------------------------ */
enum { N = 1000000, CPU = 0, GPU = 1 };
static bool has_gpu;
static double time_all, time_one, time_gpu, time_everybody; /* seconds of the loop */

void heddle__participant_add(struct heddle__engine *e, int device, bool cuda, heddle_loop_form *host_driven) {
    e->participant[e->participants] = (struct heddle__participant){.engine = e,
                                                                   .number = e->participants,
                                                                   .device = device,
                                                                   .cuda = cuda,
                                                                   .host_driven = host_driven,
                                                                   .class = device < 0 ? CPU : GPU,
                                                                   .first = -1};
    pthread_mutex_init(&e->participant[e->participants++].lock, NULL);
}

static double time_of(const struct heddle__engine *e) {
    int cpus = 0, gpus = 0;
    for (int k = 0; k < e->participants; k++)
        *(e->participant[k].device < 0 ? &cpus : &gpus) += 1;
    return gpus ? cpus ? time_everybody : time_gpu : cpus > 1 ? time_all : time_one;
}

static struct heddle__engine *begin(void) {
    static const struct heddle_loop_type type = {.site = {.file = "loop.c", .line = 7}};
    static const struct heddle_loop loop = {.device = HEDDLE_DEVICE_AUTO};
    struct heddle__engine *e = calloc(1, sizeof *e);
    *e = (struct heddle__engine){.type = &type,
                                 .loop = &loop,
                                 .n = N,
                                 .start = now,
                                 .policy = &heddle__loop_auto,
                                 .class_name = {"cores", "GPU"},
                                 .classes = 1 + has_gpu};
    heddle__loop_find_choice(e);
    e->participant = calloc(8, sizeof *e->participant);
    e->device = calloc(8, sizeof *e->device);
    const bool only_gpu = e->choice.form == HEDDLE__CHOICE_DEVICES,
               no_gpu = e->choice.form == HEDDLE__CHOICE_HOST || e->choice.form == HEDDLE__CHOICE_ONE_THREAD;
    if (has_gpu && !no_gpu)
        heddle__participant_add(e, 0, true, NULL);
    for (int k = 0; k < (e->choice.form == HEDDLE__CHOICE_ONE_THREAD ? 1 : threads) && !only_gpu; k++)
        heddle__participant_add(e, -1, false, NULL);
    e->problem = (struct heddle_loop_problem){
        .n = N, .devices = e->participants, .classes = e->classes, .device = e->device, .ahead = 1};
    for (int k = 0; k < e->participants; k++)
        e->device[k] = (struct heddle_loop_device){
            .device = e->participant[k].device, .class = e->participant[k].class, .grain = 1};
    heddle__loop_recall_samples(e);
    for (int k = 0; k < e->participants; k++)
        heddle__loop_recall_costs(&e->problem, e->participant[k].class, &e->device[k].setup, &e->device[k].rate);
    return e;
}

/* One run of the loop; what it took. */
static double run(void) {
    struct heddle__engine *e = begin();
    heddle__loop_select_devices(e);
    const double seconds = time_of(e);
    now += seconds;
    e->sample = calloc((size_t)e->participants, sizeof *e->sample);
    for (int k = 0; k < e->participants; k++) {
        e->participant[k].chunks = 1;
        e->participant[k].iterations = N / e->participants;
        e->participant[k].first = 0;
        e->participant[k].last = seconds;
        e->sample[e->samples++] = (struct heddle__sample){
            {.chunk = {k * (N / e->participants), N / e->participants}, .n = N, .compute = seconds},
            e->participant[k].class};
    }
    heddle__loop_note_run(e);
    free((void *)(uintptr_t)e->problem.sample);
    free((void *)(uintptr_t)e->problem.sample_class);
    free(e->sample);
    free(e->participant);
    free(e->device);
    free(e);
    return seconds;
}

static void drop_records(void) {
    for (int k = 0; k < known; k++) {
        free(records[k]->sample);
        free(records[k]->of);
        free(records[k]);
    }
    known = 0;
    loaded = false;
}

/* The process ends, and another one begins. */
static void next_process(void) {
    save();
    drop_records();
}

/* The machine learns under `then`, where everything is as it was set before the call. */
static void forget_all(void) {
    drop_records();
    now = 0;
    memset(kept, 0, sizeof kept);
}

static void learn(int processes, int runs) {
    for (int p = 0; p < processes; p++) {
        for (int k = 0; k < runs; k++)
            run();
        next_process();
    }
}

/* Runs until it takes no more than `seconds` five times in a row, in processes of so many runs; the number of runs
 * before. */
static int until(double seconds, int each, int most) {
    int good = 0;
    for (int k = 0; k < most; k++) {
        if (k && k % each == 0)
            next_process();
        good = run() <= seconds ? good + 1 : 0;
        if (good == 5)
            return k - 4;
    }
    return most;
}

/* ---- tests
 * ----------------------------------------------------------------------------------------------------------------- */
static const int each[] = {1, 2, 3, 7, 40, 1000};
enum { WAYS = sizeof each / sizeof *each };
#define SETTLED_RUNS(each) ((each) < 224 ? (each) : 224) /* a process that has settled does not look for so long */

/* Both cores were disturbed, so that one was thought to be better. */
static void disturbed_cores(void **ignored) {
    (void)ignored;
    has_gpu = false;
    for (int w = 0; w < WAYS; w++) {
        forget_all();
        time_all = 0.35, time_one = 0.32;
        learn(30, 3);
        assert_true(run() <= 0.32);
        next_process();
        time_all = 0.175;
        const int runs = until(0.175, each[w], 1000);
        if (runs > 60 + SETTLED_RUNS(each[w]))
            fail_msg("processes of %d runs: %d runs on one thread", each[w], runs);
    }
}

/* The same from a file as it is after a disturbed run, without any history of what was asked when. */
static void disturbed_file(void **ignored) {
    (void)ignored;
    has_gpu = false;
    for (int w = 0; w < WAYS; w++) {
        forget_all();
        time_all = 0.175, time_one = 0.32;
        for (int k = 0; k < 3; k++)
            strcat(kept, "set,loop.c:7,shared,cores,1000000,0.35,0\nset,loop.c:7,one-device,cores,1000000,0.32,0\n");
        strcat(kept,
               "chunk,loop.c:7,cores,1000000,0,500000,0.35,0\nchunk,loop.c:7,cores,1000000,500000,500000,0.35,0\n");
        const int runs = until(0.175, each[w], 1000);
        if (runs > 60 + SETTLED_RUNS(each[w]))
            fail_msg("processes of %d runs: %d runs on one thread", each[w], runs);
    }
}

/* The GPU was another process's when it was measured. */
static void disturbed_gpu(void **ignored) {
    (void)ignored;
    has_gpu = true;
    for (int w = 0; w < WAYS; w++) {
        forget_all();
        time_all = 0.2, time_one = 0.4, time_gpu = 1.5, time_everybody = 0.3;
        learn(40, 5);
        time_gpu = time_everybody = 0.05;
        const int runs = until(0.05, each[w], 3000);
        if (runs > 1500)
            fail_msg("processes of %d runs: %d runs without the GPU", each[w], runs);
    }
}

/* Nothing is wrong: what asking costs is a small share. */
static void costs_little(void **ignored) {
    (void)ignored;
    static const double times[][4] = {{0.35, 0.32, 0, 0},     {0.175, 0.32, 0, 0},  {1, 0.01, 0, 0},
                                      {0.2, 0.4, 0.05, 0.06}, {0.2, 0.4, 1.5, 0.3}, {0.2, 0.4, 3, 0.19}};
    for (size_t t = 0; t < sizeof times / sizeof *times; t++)
        for (int w = 0; w < WAYS; w++) {
            has_gpu = times[t][2] > 0;
            forget_all();
            time_all = times[t][0], time_one = times[t][1], time_gpu = times[t][2], time_everybody = times[t][3];
            learn(1, 30); /* what the first process tries is not counted */
            double best = fmin(time_all, time_one), sum = 0;
            best = has_gpu ? fmin(best, fmin(time_gpu, 1.02 * time_everybody)) : best;
            for (int k = 0; k < 700; k++) {
                if (k % each[w] == 0)
                    next_process();
                sum += run();
            }
            if (sum > 1.045 * 700 * best)
                fail_msg("machine %zu, processes of %d runs: %g times the best", t, each[w], sum / 700 / best);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(disturbed_cores), cmocka_unit_test(disturbed_file),
                                       cmocka_unit_test(disturbed_gpu), cmocka_unit_test(costs_little)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    drop_records(); /* nothing is kept */
    return failed;
}
