/* SPDX-License-Identifier: Apache-2.0 */
#include "results.h"

#include "create.h"

const char *const outcome_names[OUTCOMES] = {
    [OUTCOME_SOLVED] = "solved",    [OUTCOME_START] = "start_touches", [OUTCOME_GOAL] = "goal_touches",
    [OUTCOME_NODES] = "nodes_full", [OUTCOME_SAMPLES] = "samples_up",  [OUTCOME_LONG] = "path_too_long"};

bool results_write(const char *path, const struct problems *problems, const struct answer *answers) {
    FILE *file = app_create(path);
    if (!file)
        return false;
    fprintf(file, "#problem\toutcome\tsamples\tnodes\tpositions\tcorners\tlength_rad\tplan_us\tshorten_us\n");
    for (size_t k = 0; k < problems->count; k++) {
        const struct answer *a = &answers[k];
        fprintf(file, "%s\t%s\t%d\t%d\t%d\t%d\t%.4f\t%.1f\t%.1f\n", problems->name[k], outcome_names[a->outcome],
                a->samples, a->nodes, a->tests, a->corners, (double)a->length, (double)a->seconds * 1e6,
                (double)a->shorten_seconds * 1e6);
    }
    return app_finish(file, !ferror(file));
}

bool results_write_paths(const char *path, const struct robot *robot, const struct robot_names *names,
                         const struct problems *problems, const struct answer *answers, const float *paths) {
    FILE *file = app_create(path);
    if (!file)
        return false;
    fprintf(file, "#problem\tcorner");
    for (int j = 0; j < robot->joints; j++)
        fprintf(file, "\t%s", names->joint[j]);
    fputc('\n', file);
    for (size_t k = 0; k < problems->count; k++)
        for (int c = 0; c < answers[k].corners; c++) {
            fprintf(file, "%s\t%d", problems->name[k], c);
            for (int j = 0; j < robot->joints; j++)
                fprintf(file, "\t%.7g",
                        (double)paths[(k * WAYPOINTS_MOST + (size_t)c) * (size_t)robot->joints + (size_t)j]);
            fputc('\n', file);
        }
    return app_finish(file, !ferror(file));
}
