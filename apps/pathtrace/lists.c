/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as lists of rays by type (S. Laine, T. Karras, T. Aila: Megakernels Considered Harmful, HPG 2013): until all
 * are empty, each list is worked through, and what its rays make goes to the lists of the next turn. */
#include "path.h"
#include "render.h"

#include "app.h"

#include <stdlib.h>

enum { BATCH = 1 << 18 }; /* paths that are on their way at once */

struct extensions {
    struct extension *at;
    long count;
};
struct shadows {
    struct shadow *at;
    long count;
};

struct lists {
    struct extensions extensions, next;
    struct shadows shadows;
    struct hit *hits;
    struct shaded *made;
    struct vec3 *connected; /* of the shadow rays */
    struct vec3 *light;     /* of the paths */
    uint32_t *pixel;        /* of the paths */
    long paths;
};

static struct lists lists_alloc(long room) {
    const size_t n = (size_t)room;
    return (struct lists){.extensions = {app_alloc(n, sizeof(struct extension)), 0},
                          .next = {app_alloc(n, sizeof(struct extension)), 0},
                          .shadows = {app_alloc(n, sizeof(struct shadow)), 0},
                          .hits = app_alloc(n, sizeof(struct hit)),
                          .made = app_alloc(n, sizeof(struct shaded)),
                          .connected = app_alloc(n, sizeof(struct vec3)),
                          .light = app_alloc(n, sizeof(struct vec3)),
                          .pixel = app_alloc(n, sizeof(uint32_t))};
}

static void lists_free(struct lists *l) {
    void *all[] = {l->extensions.at, l->next.at, l->shadows.at, l->hits, l->made, l->connected, l->light, l->pixel};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

static void start(struct lists *l, const struct frame *frame, uint32_t pixel, uint32_t sample) {
    const uint32_t path = (uint32_t)l->paths;
    if (!start_path(frame, pixel, sample, path, &l->extensions.at[l->extensions.count]))
        return;
    l->extensions.count++;
    l->light[path] = vec(0, 0, 0);
    l->pixel[path] = pixel;
    l->paths++;
}

/* What the turn's surfaces made, to the lists. */
static void gather(struct lists *l) {
    struct extensions used;
    l->next.count = l->shadows.count = 0;
    for (long k = 0; k < l->extensions.count; k++) {
        const struct shaded *s = &l->made[k];
        const uint32_t path = l->extensions.at[k].path;
        l->light[path] = plus(l->light[path], s->light);
        if (s->made & SHADE_SHADOW)
            l->shadows.at[l->shadows.count++] = s->shadow;
        if (s->made & SHADE_NEXT)
            l->next.at[l->next.count++] = s->next;
    }
    used = l->extensions;
    l->extensions = l->next;
    l->next = used;
}

static unsigned long finish(struct lists *l, const struct render_stages *by, const struct picture *p,
                            struct vec3 *film) {
    unsigned long rays = 0;
    while (l->extensions.count) {
        const long n = l->extensions.count;
        by->extend(RENDER_ARGUMENTS(p), l->extensions.at, l->hits, n);
        by->shade(RENDER_ARGUMENTS(p), l->extensions.at, l->hits, l->made, n);
        gather(l);
        by->connect(RENDER_ARGUMENTS(p), l->shadows.at, l->connected, l->shadows.count);
        for (long k = 0; k < l->shadows.count; k++) {
            struct vec3 *light = &l->light[l->shadows.at[k].path];
            *light = plus(*light, l->connected[k]);
        }
        rays += (unsigned long)(n + l->shadows.count);
    }
    for (long k = 0; k < l->paths; k++)
        film[l->pixel[k]] = plus(film[l->pixel[k]], l->light[k]);
    l->paths = 0;
    return rays;
}

unsigned long render_lists(const struct render_stages *by, const struct picture *picture, struct vec3 *film,
                           uint32_t first, uint32_t samples) {
    const uint32_t pixels = (uint32_t)render_pixels(&picture->frame);
    struct lists lists = lists_alloc(BATCH);
    unsigned long rays = 0;
    for (uint32_t sample = first; sample < first + samples; sample++)
        for (uint32_t pixel = 0; pixel < pixels; pixel++) {
            start(&lists, &picture->frame, pixel, sample);
            if (lists.paths == BATCH)
                rays += finish(&lists, by, picture, film);
        }
    rays += finish(&lists, by, picture, film);
    lists_free(&lists);
    return rays;
}
