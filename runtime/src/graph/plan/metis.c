/* SPDX-License-Identifier: Apache-2.0 */
/*
 * METIS, where it is installed: looked up at the first use, so that nothing needs it. Its header is not needed either;
 * Debian's library (5.1) has integers and reals of 32 bits.
 */
#include "plan.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

enum { OPTIONS = 40, SEED = 8, CUTS = 7, METIS_FINE = 1, SMALL = 8 };
typedef int partition_function(int32_t *vertices, int32_t *constraints, int32_t *first, int32_t *to, int32_t *weight,
                               int32_t *size, int32_t *shared, int32_t *parts, float *share, float *imbalance,
                               int32_t *options, int32_t *cut, int32_t *part);
typedef int options_function(int32_t *options);

static struct {
    options_function *defaults;
    partition_function *recursive, *direct;
    const char *missing;
} metis;
static pthread_once_t looked_up = PTHREAD_ONCE_INIT;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* its random numbers are the process's */

static void look_up(void) {
    int32_t options[2 * OPTIONS] = {0};
    void *library = dlopen("libmetis.so.5", RTLD_NOW | RTLD_LOCAL);
    metis.missing = "no libmetis.so.5 (package libmetis5)";
    if (!library)
        return;
    *(void **)&metis.defaults = dlsym(library, "METIS_SetDefaultOptions");
    *(void **)&metis.recursive = dlsym(library, "METIS_PartGraphRecursive");
    *(void **)&metis.direct = dlsym(library, "METIS_PartGraphKway");
    metis.missing = "libmetis.so.5 is another METIS than 5.1 with 32 bits";
    if (!metis.defaults || !metis.recursive || !metis.direct || metis.defaults(options) != METIS_FINE)
        return;
    if (options[OPTIONS - 1] == -1 && options[OPTIONS] == 0) /* 64 bits would have written on */
        metis.missing = NULL;
}

static bool is_right(const struct heddle__graph_weights *w, const int *part) {
    for (int v = 0; v < w->vertices; v++)
        if (part[v] < 0 || part[v] >= w->parts)
            return false;
    return true;
}

/* It complains on stdout where a part gets no vertex. */
static bool is_divisible(const struct heddle__graph_weights *w) {
    double all = 0, heaviest = 0, least = 1;
    for (int v = 0; v < w->vertices; v++) {
        all += w->weight[v];
        heaviest = heaviest > w->weight[v] ? heaviest : w->weight[v];
    }
    for (int k = 0; k < w->parts; k++)
        least = least < (double)w->share[k] ? least : (double)w->share[k];
    return w->vertices >= 2 * w->parts && heaviest <= all * least;
}

const char *heddle__graph_metis(const struct heddle__graph_weights *w, int *part) {
    int32_t vertices = w->vertices, constraints = 1, parts = w->parts, cut, options[OPTIONS];
    static const char *const failed = "METIS gave the graph up", *const few = "too few partitions for METIS";
    pthread_once(&looked_up, look_up);
    if (metis.missing)
        return metis.missing;
    if (!is_divisible(w))
        return few;
    pthread_mutex_lock(&one);
    metis.defaults(options);
    options[SEED] = 1;
    options[CUTS] = 8;
    /* It calls srand, and the program's own rand must go on as if it had not. */
    char numbers[128], *own = initstate(1, numbers, sizeof numbers);
    partition_function *f = w->parts <= SMALL ? metis.recursive : metis.direct;
    const int status = f(&vertices, &constraints, w->first, w->to, w->weight, NULL, w->shared, &parts, w->share, NULL,
                         options, &cut, part);
    if (own)
        setstate(own);
    pthread_mutex_unlock(&one);
    return status == METIS_FINE && is_right(w, part) ? NULL : failed;
}
