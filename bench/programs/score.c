/* SPDX-License-Identifier: Apache-2.0 */
/* bench-score: Smith-Waterman, score only. `serial` and `heddle` are one source, with the pragma
 * ignored and obeyed; `tuned` is the serial loop rewritten by hand. The checksum is the score.
 * --devices tells what the runtime sees, for the report. */
#include "bench.h"

static size_t two_rows(long n, long m) {
    (void)n;
    return 2 * ((size_t)m + 1);
}

static uint64_t run_serial(const struct bench_pair *p) {
    return (uint64_t)bench_serial_score(p->n, p->m, p->a, p->b, p->cells);
}

static uint64_t run_tuned(const struct bench_pair *p) {
    return (uint64_t)bench_tuned_score(p->n, p->m, p->a, p->b, p->cells);
}

static uint64_t run_heddle(const struct bench_pair *p) {
    return (uint64_t)bench_heddle_score(p->n, p->m, p->a, p->b, p->cells);
}

static const struct bench_method methods[] = {
    {.name = "serial", .run = run_serial, .count = two_rows},
    {.name = "tuned", .run = run_tuned, .count = two_rows},
    {.name = "heddle", .run = run_heddle, .count = two_rows, .nest = true},
    {.name = NULL},
};

static void place(const char *device) {
    if (heddle_option_set("device", device))
        fprintf(stderr, "bench-score: --turns: no device %s\n", device);
}

static int list_devices(void) {
    struct heddle_device_info info;
    printf("{\"heddle\": \"%s\", \"compiler\": ", heddle_version());
    app_print_json(stdout, bench_compiler);
    printf(", \"flags\": ");
    app_print_json(stdout, bench_flags);
    printf(", \"devices\": [");
    for (int d = 0, count = heddle_device_count(), shown = 0; d < count; d++) {
        if (heddle_device_info(d, &info))
            continue;
        printf("%s{\"number\": %d, \"kind\": \"%s\", \"name\": ", shown++ ? ", " : "", d, info.kind);
        app_print_json(stdout, info.name);
        printf(", \"units\": %d, \"memory\": %zu}", info.units, info.memory);
    }
    printf("]}\n");
    return APP_OK;
}

int main(int argc, char **argv) {
    static struct bench b = {.method = "heddle", .seed = 1, .report = heddle_last_report, .place = place};
    bool devices = false;
    const struct app_option options[] = {
        BENCH_OPTIONS(b),
        {"turns", "LIST", "devices that take turns, 0,all", APP_TEXT, &b.turns, 0},
        {"devices", NULL, "print the devices and versions as JSON and end", APP_FLAG, &devices, 0},
        {NULL, NULL, NULL, APP_FLAG, NULL, 0},
    };
    b.app = (struct app){.name = "bench-score",
                         .summary = "local alignment score (methods: serial, tuned, heddle)",
                         .inputs = "",
                         .two_sizes = true,
                         .options = options,
                         .rows = 4096,
                         .cols = 4096};
    const int status = app_parse(&b.app, argc, argv);
    if (status >= 0)
        return status;
    return devices ? list_devices() : bench_main(&b, methods);
}
