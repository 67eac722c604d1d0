/* SPDX-License-Identifier: Apache-2.0 */
/* The exact queries of the data set Sample-Queries: none that collides may be missed. Prints false positives and the
 * time of a query. Rational coordinates whose quotients are doubles, eight rows a query. */
#include "app.h"
#include "narrow.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct tally {
    long queries, collide, missed, false_positives, cells, most;
    double seconds;
};

static bool read_row(FILE *file, double at[3], int *truth) {
    char line[4096], *from = line;
    if (!fgets(line, sizeof line, file))
        return false;
    for (int k = 0; k < 3; k++) {
        const double above = strtod(from, &from), below = strtod(from + 1, &from);
        at[k] = above / below;
        from++;
    }
    *truth = atoi(from);
    return true;
}

static void look_at(struct tally *tally, const char *path, bool edges) {
    const struct ccd_limits limits = {1e-6, 1000000};
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    struct ccd_query query = {.edges = edges};
    int truth = 0, row = 0;
    while (read_row(file, query.at[row / 4][row % 4], &truth)) {
        row = (row + 1) % 8;
        if (row)
            continue;
        uint32_t cells;
        const double start = app_seconds(), time = ccd_first_contact(&query, &limits, &cells);
        tally->seconds += app_seconds() - start;
        tally->queries++;
        tally->collide += truth;
        tally->missed += truth && !(time <= 1);
        tally->false_positives += !truth && time <= 1;
        tally->cells += cells;
        tally->most = cells > tally->most ? cells : tally->most;
    }
    fclose(file);
}

static void look_in(struct tally *tally, const char *folder, bool edges) {
    char path[4096];
    DIR *all = opendir(folder);
    if (!all)
        return;
    for (const struct dirent *entry; (entry = readdir(all));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".csv"))
            look_at(tally, path, edges);
    }
    closedir(all);
}

static struct tally all_of(const char *data, const char *kind) {
    struct tally tally = {.queries = 0};
    char path[2048];
    DIR *scenes = opendir(data);
    if (!scenes)
        return tally;
    for (const struct dirent *entry; (entry = readdir(scenes));) {
        snprintf(path, sizeof path, "%s/%s/%s", data, entry->d_name, kind);
        if (*entry->d_name != '.')
            look_in(&tally, path, !strcmp(kind, "edge-edge"));
    }
    closedir(scenes);
    return tally;
}

int main(void) {
    static const char *const kinds[] = {"vertex-face", "edge-edge"};
    const char *given = getenv("HEDDLE_DATA"), *source = getenv("HEDDLE_SOURCE");
    char data[1024];
    struct stat status;
    bool missed = false;
    snprintf(data, sizeof data, "%s/ccd", given ? given : "");
    if (!given || stat(data, &status))
        snprintf(data, sizeof data, "%s/../shared/data/ccd", source ? source : ".");
    if (stat(data, &status)) {
        printf("skipped: no ccd in a folder of test data (HEDDLE_DATA=DIR, or ../shared/data beside the sources)\n");
        return 77;
    }
    for (int k = 0; k < 2; k++) {
        const struct tally t = all_of(data, kinds[k]);
        printf(
            "%s: %ld queries, %ld collide, %ld missed, %ld false positives, %.0f ns a query, %.1f cells, at most %ld\n",
            kinds[k], t.queries, t.collide, t.missed, t.false_positives, 1e9 * t.seconds / (double)t.queries,
            (double)t.cells / (double)t.queries, t.most);
        missed |= t.missed || !t.collide;
    }
    return missed;
}
