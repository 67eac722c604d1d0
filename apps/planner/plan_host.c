/* SPDX-License-Identifier: Apache-2.0 */
/* A problem on the host: the same source for the vectors that this CPU has. None of the forms contracts sums, so that
 * their numbers are those of the serial program. */
#define PLANNER_EDGES
#include "nest.h"

#include "app.h"

struct form {
    int (*find)(struct search *search, float *path);
    void (*shorten)(struct search *search, float *path);
    int (*edge)(struct search *search, const float *a, const float *b, float length);
};

#define FORM(name, target)                                                                                             \
    target static int find_##name(struct search *search, float *path) { return search_path(search, path); }            \
    target static void shorten_##name(struct search *search, float *path) { shorten_path(search, path); }              \
    target static int edge_##name(struct search *search, const float *a, const float *b, float length) {               \
        return edge_test(search, a, b, length);                                                                        \
    }                                                                                                                  \
    static const struct form form_##name = {find_##name, shorten_##name, edge_##name};

FORM(plain, )
#if defined(__x86_64__)
FORM(avx2, __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))))
FORM(avx512, __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl"))))
#endif

static const struct form *form_of_cpu(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return &form_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return &form_avx2;
#endif
    return &form_plain;
}

void plan_one_host(const struct robot *robot, const struct settings *settings, const struct problem *problem,
                   const struct obstacle *obstacles, float *place, int *parent, float *reach, struct answer *answer,
                   float *path) {
    const struct form *form = form_of_cpu();
    struct search search = {.robot = robot,
                            .problem = problem,
                            .obstacles = obstacles,
                            .settings = settings,
                            .forest = {place, parent, reach},
                            .answer = answer,
                            .edge = form->edge};
    const double start = app_seconds();
    answer->outcome = form->find(&search, path);
    const double found = app_seconds();
    answer->seconds = (float)(found - start);
    if (answer->outcome == OUTCOME_SOLVED)
        form->shorten(&search, path);
    answer->shorten_seconds = (float)(app_seconds() - found);
}
