/* SPDX-License-Identifier: Apache-2.0 */
/* One step: contacts are found, then a graph of tasks a body, a pair or a set computes the next state. Compiled twice:
 * as it stands, and with the pragmas ignored (SOFTBODY_SERIAL). */
#include "devices.h"
#include "forms.h"
#include "tasks.h"

#include "app.h"

#include <stdlib.h>

#ifdef SOFTBODY_SERIAL
#define NEST(name) name##_serial
#else
#define NEST(name) name##_heddle
#endif

LANES_INLINE void start_any(const struct settings *o, const struct body *bodies, const struct pair *pairs,
                            struct body *body) {
    (void)o;
    begin_any(bodies, pairs, body);
}
LANES_INLINE void multiply_any(const struct settings *o, const struct body *bodies, const struct pair *pairs,
                               const struct body_set *set, struct body *body) {
    (void)o;
    if (!set->done)
        product_any(bodies, pairs, body);
}
LANES_INLINE void go_on_any(const struct settings *o, const struct body_set *set, struct body *body) {
    (void)o;
    advance_any(set, body);
}
FORMS(assemble, (const struct settings *o, struct body *body), (o, body))
FORMS(start, (const struct settings *o, const struct body *bodies, const struct pair *pairs, struct body *body),
      (o, bodies, pairs, body))
FORMS(multiply,
      (const struct settings *o, const struct body *bodies, const struct pair *pairs, const struct body_set *set,
       struct body *body),
      (o, bodies, pairs, set, body))
FORMS(go_on, (const struct settings *o, const struct body_set *set, struct body *body), (o, set, body))
FORMS(alone,
      (const struct settings *o, const struct body *bodies, const struct pair *pairs, const uint32_t *member,
       const struct body_sums *sums, struct body_set *set, struct body *body),
      (o, bodies, pairs, member, sums, set, body))
FORMS(inspect, (const struct settings *o, struct body *body), (o, body))
FORMS(move, (const struct settings *o, struct body *body), (o, body))

/* The bodies that this one's rows read: itself, and those that it meets. */
static uint32_t neighbours(const struct scene *scene, const struct body *body, uint32_t *list) {
    uint32_t count = 0;
    list[count++] = body->number;
    for (uint32_t k = 0; k < body->meets_count; k++) {
        const struct pair *pair = &scene->pair[body->meets[k]];
        list[count++] = pair->body[pair->body[0] == body->number];
    }
    return count;
}

static void find_contacts(struct scene *scene) {
    const struct settings *o = &scene->settings;
    for (uint32_t b = 0; b < scene->bodies; b++) {
        struct body *body = &scene->body[b];
#pragma omp task firstprivate(body)
        collide_refit(body, o->thickness);
    }
#pragma omp taskwait
    collide_pairs(scene);
    for (uint32_t k = scene->attached; k < scene->pairs; k++) {
        struct pair *pair = &scene->pair[k];
#pragma omp task firstprivate(pair)
        collide_narrow(scene, pair);
    }
#pragma omp taskwait
    collide_sets(scene);
}

/* The graph of a step. What a task orders itself by stands for all that goes with it: x for the state of a body, r for
 * its solver, u for what neighbours read, its sums, a pair's contacts, a set's scalars. */
static void evaluate_contacts(struct scene *scene) {
    const struct settings *o = &scene->settings;
    struct body *bodies = scene->body;
    for (uint32_t k = 0; k < scene->pairs; k++) {
        struct pair *pair = &scene->pair[k];
        if (!pair->count || bodies[pair->body[0]].place >= 0)
            continue;
#pragma omp task firstprivate(pair, bodies, o) depend(in: bodies[pair->body[0]].x[0], bodies[pair->body[1]].x[0]) \
    depend(out: pair->contact)
        contact_any(o, bodies, pair);
    }
}

static void assemble_bodies(struct scene *scene) {
    const struct settings *o = &scene->settings;
    struct body_sums *sums = scene->sums;
    (void)sums; /* where the pragmas are ignored */
    for (uint32_t b = 0; b < scene->bodies; b++) {
        struct body *body = &scene->body[b];
        if (body->place >= 0)
            continue;
#pragma omp task firstprivate(body, o) depend(in: body->x[0]) depend(out: body->r[0]) depend(out: sums[b])
        assemble(o, body);
    }
}

static void solve_alone(struct scene *scene, struct body_set *set) {
    const struct settings *o = &scene->settings;
    struct body *bodies = scene->body;
    struct pair *pairs = scene->pair;
    struct body_sums *sums = scene->sums;
    const uint32_t *members = scene->member;
    struct body *body = &bodies[members[set->first]];
#pragma omp task firstprivate(set, body, bodies, pairs, members, sums, o) \
    depend(iterator(k = 0 : body->meets_count), in: pairs[body->meets[k]].contact) \
    depend(inout: body->x[0], body->r[0], sums[body->number])
    alone(o, bodies, pairs, members, sums, set, body);
}

/* `near` has room for the neighbours of a body. */
static void start_set(struct scene *scene, struct body_set *set, uint32_t *near) {
    const struct settings *o = &scene->settings;
    struct body *bodies = scene->body;
    struct pair *pairs = scene->pair;
    for (uint32_t m = 0; m < set->count; m++) {
        struct body *body = &bodies[scene->member[set->first + m]];
        const uint32_t count = neighbours(scene, body, near);
        (void)count;
#pragma omp task firstprivate(body, bodies, pairs, o) \
    depend(iterator(k = 0 : body->meets_count), in: pairs[body->meets[k]].contact) \
    depend(iterator(k = 0 : count), in: bodies[near[k]].x[0]) depend(inout: body->r[0]) depend(out: body->u[0])
        start(o, bodies, pairs, body);
    }
}

/* One iteration of the solver. */
static void advance_set(struct scene *scene, struct body_set *set, uint32_t *near) {
    const struct settings *o = &scene->settings;
    struct body *bodies = scene->body;
    struct pair *pairs = scene->pair;
    struct body_sums *sums = scene->sums;
    const uint32_t *members = scene->member;
    for (uint32_t m = 0; m < set->count; m++) {
        struct body *body = &bodies[members[set->first + m]];
        const uint32_t count = neighbours(scene, body, near);
        (void)count;
#pragma omp task firstprivate(set, body, bodies, pairs, o) depend(iterator(k = 0 : count), in: bodies[near[k]].u[0]) \
    depend(in: set->done) depend(inout: body->r[0]) depend(out: sums[body->number])
        multiply(o, bodies, pairs, set, body);
    }
#pragma omp task firstprivate(set, sums, members, o) \
    depend(iterator(k = 0 : set->count), in: sums[members[set->first + k]]) depend(inout: set->done)
    scalars_any(o, sums, members, set);
    for (uint32_t m = 0; m < set->count; m++) {
        struct body *body = &bodies[members[set->first + m]];
#pragma omp task firstprivate(set, body, o) depend(in: set->done) depend(inout: body->r[0], body->x[0]) \
    depend(inout: body->u[0])
        go_on(o, set, body);
    }
}

static void inspect_bodies(struct scene *scene) {
    const struct settings *o = &scene->settings;
    struct body_sums *sums = scene->sums;
    (void)sums;
    for (uint32_t b = 0; b < scene->bodies; b++) {
        struct body *body = &scene->body[b];
        if (body->place >= 0)
            continue;
#pragma omp task firstprivate(body, o) depend(in: body->x[0]) depend(inout: sums[b])
        inspect(o, body);
    }
}

static void integrate(struct scene *scene) {
    uint32_t most = 1;
    for (uint32_t b = 0; b < scene->bodies; b++)
        most = scene->body[b].meets_count + 1 > most ? scene->body[b].meets_count + 1 : most;
    uint32_t *near = app_alloc(most, sizeof *near);
    evaluate_contacts(scene);
    assemble_bodies(scene);
    for (uint32_t s = 0; s < scene->sets; s++) {
        struct body_set *set = &scene->set[s];
        if (scene->body[scene->member[set->first]].place >= 0)
            continue;
        if (set->count == 1) {
            solve_alone(scene, set);
            continue;
        }
        start_set(scene, set, near);
        for (uint32_t i = 0; i < scene->settings.iterations; i++)
            advance_set(scene, set, near);
    }
    inspect_bodies(scene);
    free(near);
}

static uint32_t first_bad(const struct scene *scene) {
    for (uint32_t b = 0; b < scene->bodies; b++)
        if (scene->sums[b].bad)
            return b;
    return scene->bodies;
}

void NEST(count_work)(struct scene *scene) {
    scene->holds = scene->iterations = 0;
    for (uint32_t k = 0; k < scene->pairs; k++)
        scene->holds += scene->pair[k].count;
    for (uint32_t s = 0; s < scene->sets; s++)
        scene->iterations += (uint64_t)scene->set[s].iterations * scene->set[s].count;
}

enum phase { START = 1, FINISH = 2, MOVE = 4 };

#ifdef SOFTBODY_HOST /* built without devices */
__attribute__((unused)) static uint32_t devices_of(const struct scene *scene) { return scene->devices != NULL; }
static bool deal(struct scene *scene) {
    (void)scene;
    return true;
}
static void on_devices(struct scene *scene, enum phase phase, bool *good) { (void)scene, (void)phase, (void)good; }
static bool shared(const struct scene *scene) { return (void)scene, false; }
static void host_took(struct scene *scene, double seconds) { (void)scene, (void)seconds; }
#else
static uint32_t devices_of(const struct scene *scene) { return scene->devices ? devices_count(scene->devices) : 0; }
static bool deal(struct scene *scene) { return !scene->devices || devices_deal(scene->devices, scene); }
static void host_took(struct scene *scene, double seconds) {
    if (scene->devices)
        devices_host_took(scene->devices, seconds);
}
static bool shared(const struct scene *scene) { return scene->devices && devices_splits(scene->devices); }
static bool on_device(struct scene *scene, enum phase phase, uint32_t k) {
    struct devices *d = scene->devices;
    bool good = true;
    if (phase & START)
        good = devices_start(d, k, scene);
    if (phase & FINISH)
        good = good && devices_finish(d, k, scene);
    if (phase & MOVE)
        good = good && devices_move(d, k, scene);
    return good;
}
/* A thread for each device, which waits for it. */
static void on_devices(struct scene *scene, enum phase phase, bool *good) {
    for (uint32_t k = 0; k < devices_of(scene); k++) {
#pragma omp task firstprivate(k, scene, phase, good)
        if (!on_device(scene, phase, k)) {
#pragma omp atomic write
            *good = false;
        }
    }
}
#endif

void NEST(contacts)(struct scene *scene, int threads) {
    (void)threads;
#pragma omp parallel num_threads(threads)
#pragma omp single
    find_contacts(scene);
}

/* A step that fails leaves all places as they were. *bad is no body's number where a device failed. */
bool NEST(step)(struct scene *scene, int threads, uint32_t *bad) {
    bool good = true;
    (void)threads;
#pragma omp parallel num_threads(threads + (int)devices_of(scene))
#pragma omp single
    {
        const struct settings *o = &scene->settings;
        const double start_time = app_seconds();
        find_contacts(scene);
        const double found = app_seconds();
        good = deal(scene);
        if (good) {
            /* devices that share sets have to be started before one is waited for */
            on_devices(scene, shared(scene) ? START : START | FINISH, &good);
#pragma omp taskgroup
            integrate(scene);
            host_took(scene, app_seconds() - found);
#pragma omp taskwait
            if (good && shared(scene))
                on_devices(scene, FINISH, &good);
#pragma omp taskwait
        }
        *bad = good ? first_bad(scene) : scene->bodies;
        good = good && *bad == scene->bodies;
        if (good)
            on_devices(scene, MOVE, &good);
        for (uint32_t b = 0; good && b < scene->bodies; b++) {
            struct body *body = &scene->body[b];
            if (body->place >= 0)
                continue;
#pragma omp task firstprivate(body, o)
            move(o, body);
        }
#pragma omp taskwait
        scene->detect_seconds += found - start_time;
        scene->solve_seconds += app_seconds() - found;
        NEST(count_work)(scene);
    }
    return good;
}
