/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of persistent.h, and its launches. Corners and hits are in memory of the host that devices read and write
 * by themselves; everything else stays on a device from query to query. */
#include "persistent.h"

#if defined(__has_include) && __has_include(<heddle/engine/device.h>)
#include "app.h"
#include "persistent_kernel.h"

#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
extern void *llvm_omp_target_alloc_host(size_t bytes, int device);
extern void llvm_omp_target_free_host(void *memory, int device);
#else /* the host itself */
static void *omp_target_alloc(size_t bytes, int device) { return (void)device, malloc(bytes); }
static void omp_target_free(void *memory, int device) { (void)device, free(memory); }
static void *llvm_omp_target_alloc_host(size_t bytes, int device) { return (void)device, malloc(bytes); }
static void llvm_omp_target_free_host(void *memory, int device) { (void)device, free(memory); }
static int omp_get_initial_device(void) { return 0; }
static int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t at, size_t of, int device, int other) {
    (void)device, (void)other;
    memcpy((char *)to + at, (const char *)from + of, bytes);
    return 0;
}
#endif
#if defined(_OPENMP) && defined(__has_include)
#if __has_include(<heddle.h>)
#include <heddle.h>
#include <heddle/gpu.h>
#define HAVE_RUNTIME 1
#endif
#endif

/* Threads of a block, and blocks of a multiprocessor that run at once: its registers are divided among them
 * (CMakeLists.txt). */
enum { THREADS = 128 };
#ifndef CCD_BLOCKS
#define CCD_BLOCKS 3
#endif
#ifndef CCD_BLOCKS_ELSEWHERE /* tests: processors as devices */
#define CCD_BLOCKS_ELSEWHERE 0
#endif

enum { ARRAYS = 28, GIVEN = 1 << 22, DOUBTS = 1 << 16, TRIES = 6, LEAST_BOXES = 100000 };

struct unit { /* a device */
    int device, blocks;
    struct persistent_work work, *there; /* there: on the device */
    struct report *seen;                 /* of the last query */
    void *array[ARRAYS];                 /* on the device */
    int arrays;
    size_t bytes, most; /* of them; half of what may be had */
    int asleep;         /* how threads waited before; -1: as now */
    bool failed;
};
struct persistent {
    struct vec3 *points[2]; /* the query's own; it has those that devices read meanwhile */
    int count, device;      /* device: whose memory they are */
    bool lent;              /* the query's hits are where the only device wrote them */
    struct contact *hits;   /* meanwhile: the query's own, with room for so many */
    size_t room;
    struct unit unit[KEEPERS_MOST];
};

static void *take_memory(struct unit *u, const void *from, size_t bytes) {
    u->bytes += bytes;
    void *memory = u->failed || u->bytes > u->most ? NULL : omp_target_alloc(bytes ? bytes : 1, u->device);
    u->failed |= !memory;
    if (memory)
        u->array[u->arrays++] = memory;
    if (memory && from)
        u->failed |= omp_target_memcpy(memory, from, bytes, 0, 0, u->device, omp_get_initial_device()) != 0;
    return memory;
}
static void *take_zeros(struct unit *u, size_t bytes) {
    void *zeros = app_alloc(bytes, 1);
    memset(zeros, 0, bytes);
    void *memory = take_memory(u, zeros, bytes);
    free(zeros);
    return memory;
}
static void give_back(struct unit *u, const void *memory) {
    for (int k = 0; k < u->arrays; k++)
        if (u->array[k] == memory) {
            omp_target_free(u->array[k], u->device);
            u->array[k] = u->array[--u->arrays];
            return;
        }
}

static uint32_t *make_parents(const struct bvh_tree *tree) {
    uint32_t *parents = app_alloc(tree->ends, sizeof *parents);
    memset(parents, 0, tree->ends * sizeof *parents);
    for (uint32_t k = 0; k < tree->ends; k++)
        if (tree->nodes[k].count && tree->nodes[k].right)
            parents[k + 1] = parents[tree->nodes[k].right] = k;
    return parents;
}
static uint32_t *make_leaves(const struct bvh_tree *tree, uint32_t *count) {
    uint32_t *leaves = app_alloc(tree->ends, sizeof *leaves);
    *count = 0;
    for (uint32_t k = 0; k < tree->ends; k += tree->nodes[k].right ? 1 : 2 * tree->nodes[k].count - 1)
        if (!tree->nodes[k].right)
            leaves[(*count)++] = k;
    return leaves;
}

static void bring(struct unit *u, const struct query *query) {
    struct persistent_work *w = &u->work;
    const struct mesh *mesh = &query->mesh;
    const struct bvh_tree *tree = &query->tree;
    const size_t faces = mesh->faces_count, places = tree->count, ends = tree->ends;
    uint32_t *parents = make_parents(tree), *leaves = make_leaves(tree, &w->leaf_count);
    w->view = (struct view){.faces = take_memory(u, mesh->faces, faces * sizeof *mesh->faces),
                            .face_edges = take_memory(u, mesh->face_edges, faces * sizeof *mesh->face_edges),
                            .owns = take_memory(u, mesh->owns, faces),
                            .body = take_memory(u, mesh->body, faces * sizeof *mesh->body),
                            .nodes = take_memory(u, tree->nodes, ends * sizeof *tree->nodes),
                            .order = take_memory(u, tree->order, places * sizeof *tree->order),
                            .starts = take_memory(u, query->starts, places * sizeof *query->starts),
                            .ends = tree->ends,
                            .which = (int)query->which,
                            .margin = query->margin};
    w->points = mesh->points_count;
    w->places = tree->count;
    w->parents = take_memory(u, parents, ends * sizeof *parents);
    w->leaves = take_memory(u, leaves, w->leaf_count * sizeof *leaves);
    w->arrived = take_zeros(u, ends * sizeof *w->arrived);
    w->packed_points = take_memory(u, NULL, w->points * sizeof *w->packed_points);
    w->packed_faces = take_memory(u, NULL, places * sizeof *w->packed_faces);
    w->packed_nodes = take_memory(u, NULL, ends * sizeof *w->packed_nodes);
    w->packed_movers = take_memory(u, NULL, places * sizeof *w->packed_movers);
    w->stacks = take_memory(u, NULL, (size_t)u->blocks * THREADS * CCD_DEPTH_MOST * sizeof *w->stacks);
    w->given_room = GIVEN, w->given = take_memory(u, NULL, GIVEN * sizeof *w->given);
    w->flags = take_zeros(u, GIVEN * sizeof *w->flags);
    w->doubts_room = DOUBTS, w->doubts = take_memory(u, NULL, DOUBTS * sizeof *w->doubts);
    u->there = take_memory(u, NULL, sizeof *u->there);
    w->counters = take_zeros(u, sizeof *w->counters);
    w->report = u->seen = llvm_omp_target_alloc_host(sizeof *u->seen, u->device);
    w->view.before = query->mesh.points[0];
    w->view.after = query->mesh.points[1];
    w->tolerance = query->limits.tolerance;
    w->cells_most = query->limits.boxes;
    free(parents);
    free(leaves);
}

/* By a quarter more than what was needed; what was there is lost. True: it was too small. */
static bool grow(struct unit *u, void **memory, uint64_t *room, uint64_t need, size_t record) {
    if (need <= *room)
        return false;
    give_back(u, *memory);
    u->bytes -= *room * record;
    *room = need + need / 4 + 1024;
    *memory = take_memory(u, NULL, *room * record);
    return true;
}
static bool grow_all(struct unit *u, const struct report *c) {
    struct persistent_work *w = &u->work;
    bool grown = grow(u, (void **)&w->pairs, &w->pairs_room, c->pairs, sizeof *w->pairs);
    grown |= grow(u, (void **)&w->tests, &w->tests_room, c->tests, sizeof *w->tests);
    grown |= grow(u, (void **)&w->hard, &w->hard_room, c->hard, sizeof *w->hard);
    grown |= grow(u, (void **)&w->slots, &w->slots_room, c->hard, sizeof *w->slots);
    grown |= grow(u, (void **)&w->doubts, &w->doubts_room, c->doubts, sizeof *w->doubts);
    if (c->hits > w->hits_room) {
        if (w->hits)
            llvm_omp_target_free_host(w->hits, u->device);
        w->hits_room = c->hits + c->hits / 4 + 1024;
        w->hits = llvm_omp_target_alloc_host(w->hits_room * sizeof *w->hits, u->device);
        u->failed |= !w->hits;
        grown = true;
    }
    return grown;
}

static bool send(struct unit *u) {
    u->failed =
        u->failed || omp_target_memcpy(u->there, &u->work, sizeof u->work, 0, 0, u->device, omp_get_initial_device());
    return !u->failed;
}

static void start(const struct unit *u) {
    struct persistent_work *control = u->there;
    const int device = u->device, teams = u->blocks, threads = THREADS;
    (void)device, (void)teams, (void)threads; /* only OpenMP uses them */
#ifdef HEDDLE_EMULATE                         /* tests: a GPU that a processor plays */
    HEDDLE_EMULATE(persistent_thread, persistent_thread);
#else
#pragma omp target teams ompx_bare num_teams(teams) thread_limit(threads) is_device_ptr(control) device(device)
    persistent_thread(control);
#endif
}

/* Whoever names a policy, or records jobs, wants jobs. */
static bool wants_jobs(void) {
#ifdef HAVE_RUNTIME
    return strcmp(heddle_option_get("jobs"), "auto") || *heddle_option_get("jobs-record");
#else
    return false;
#endif
}

static size_t room_of(int device) {
#ifdef HAVE_RUNTIME
    return heddle_device_room(device) / 2;
#else
    return (void)device, SIZE_MAX;
#endif
}

/* A query is not much longer than it takes to wake a thread. */
static int wait_awake(int device) {
    int before = -1;
#ifdef HAVE_RUNTIME
    if (!heddle_gpu_enter(device)) {
        before = heddle_gpu_wait_awake();
        heddle_gpu_leave();
    }
#else
    (void)device;
#endif
    return before;
}
static void wait_as(int device, int before) {
#ifdef HAVE_RUNTIME
    if (before >= 0 && !heddle_gpu_enter(device)) {
        heddle_gpu_wait_as(before);
        heddle_gpu_leave();
    }
#else
    (void)device, (void)before;
#endif
}

static int blocks_of(int device) {
#ifdef HAVE_RUNTIME
    struct heddle_device_info info;
    if (!heddle_device_info(device, &info) && !strcmp(info.kind, "cuda"))
        return info.units * CCD_BLOCKS;
#else
    (void)device;
#endif
    return CCD_BLOCKS_ELSEWHERE;
}

/* Corners to where devices read them, and back. */
static bool move_points(struct persistent *p, struct mesh *mesh) {
    for (int k = 0; k < 2; k++) {
        const size_t bytes = mesh->points_count * sizeof(struct vec3);
        struct vec3 *points = llvm_omp_target_alloc_host(bytes, p->device);
        if (!points)
            return false;
        memcpy(points, mesh->points[k], bytes);
        p->points[k] = mesh->points[k];
        mesh->points[k] = points;
    }
    return true;
}

struct persistent *persistent_enter(struct query *query, const int *devices, int count) {
    bool good = count && !wants_jobs() && query->tree.count && query->limits.boxes >= LEAST_BOXES;
    for (int k = 0; k < count; k++)
        good = good && blocks_of(devices[k]);
    if (!good)
        return NULL;
    struct persistent *p = app_alloc(1, sizeof *p);
    *p = (struct persistent){.count = count, .device = devices[0]};
    good = move_points(p, &query->mesh);
    const uint64_t places = query->tree.count / (unsigned)count;
    const struct report guess = {.pairs = 24 * places, .tests = 32 * places, .hard = 12 * places, .hits = places};
    for (int k = 0; k < count; k++) {
        struct unit *u = &p->unit[k];
        *u = (struct unit){.device = devices[k],
                           .blocks = blocks_of(devices[k]),
                           .most = room_of(devices[k]),
                           .asleep = wait_awake(devices[k]),
                           .work = {.part = (uint32_t)k, .parts = (uint32_t)count}};
        bring(u, query);
        grow_all(u, &guess);
        good = good && u->seen && send(u);
    }
    if (good)
        return p;
    persistent_leave(p, query);
    return NULL;
}

static void give_room(struct query *query, size_t hits) {
    if (query->hits_room < hits) {
        query->hits_room = hits + hits / 4 + 64;
        query->hits = app_resize(query->hits, query->hits_room, sizeof *query->hits);
    }
}
static void copy_hits(const struct unit *u, struct query *query, size_t at) {
    if (u->seen->hits)
        memcpy(query->hits + at, u->work.hits, u->seen->hits * sizeof *query->hits);
}

/* The query has its own array again; kept: with the hits. */
static void take_back(struct persistent *p, struct query *query, bool kept) {
    if (!p->lent)
        return;
    p->lent = false;
    query->hits = p->hits;
    query->hits_room = p->room;
    if (kept) {
        give_room(query, query->hits_count);
        copy_hits(&p->unit[0], query, 0);
    }
}

void persistent_leave(struct persistent *p, struct query *query) {
    struct mesh *mesh = &query->mesh;
    take_back(p, query, true);
    for (int k = 0; k < 2; k++)
        if (p->points[k]) {
            llvm_omp_target_free_host(mesh->points[k], p->device);
            mesh->points[k] = p->points[k];
        }
    for (int k = 0; k < p->count; k++) {
        struct unit *u = &p->unit[k];
        wait_as(u->device, u->asleep);
        while (u->arrays)
            omp_target_free(u->array[--u->arrays], u->device);
        if (u->work.hits)
            llvm_omp_target_free_host(u->work.hits, u->device);
        if (u->seen)
            llvm_omp_target_free_host(u->seen, u->device);
    }
    free(p);
}

/* Again while a list had no room. */
static void run_unit(struct unit *u) {
    bool again = true;
    for (int k = 0; again && k < TRIES && !u->failed; k++) {
        start(u);
        u->failed |= u->seen->failed != 0;
        u->failed |= u->seen->pairs >> PAIR_BITS != 0;
        again = !u->failed && grow_all(u, u->seen);
        u->failed |= again && !send(u);
    }
    u->failed |= again;
}

/* What a device did not decide with the cells that a test may have: as on the host. */
static void settle(struct unit *u, struct query *query) {
    const size_t count = u->seen->doubts;
    struct pair *doubts = app_alloc(count, sizeof *doubts);
    const int host = omp_get_initial_device();
    u->failed |= omp_target_memcpy(doubts, u->work.doubts, count * sizeof *doubts, 0, 0, host, u->device) != 0;
    if (!u->failed)
        query_settle(query, doubts, (long)count);
    free(doubts);
}

/* Of one device the hits stay where they are: to copy them takes longer than to walk. Of several, each thread copies
 * those of its device. */
static void collect(struct persistent *p, struct query *query) {
    const int count = p->count;
    size_t at[KEEPERS_MOST + 1] = {0}, doubts = 0;
    query->tests = query->cells = query->undecided = 0;
    for (int k = 0; k < count; k++) {
        const struct report *c = p->unit[k].seen;
        at[k + 1] = at[k] + c->hits;
        query->tests += c->tests;
        query->cells += c->cells;
        doubts += c->doubts;
    }
    query->hits_count = at[count];
    if (count == 1 && !doubts) {
        p->lent = true;
        p->hits = query->hits;
        p->room = query->hits_room;
        query->hits = p->unit[0].work.hits;
        query->hits_room = p->unit[0].work.hits_room;
        return;
    }
    give_room(query, query->hits_count);
#pragma omp parallel for num_threads(count) schedule(static, 1) if (count > 1)
    for (int k = 0; k < count; k++)
        copy_hits(&p->unit[k], query, at[k]);
    for (int k = 0; k < count; k++)
        if (p->unit[k].seen->doubts)
            settle(&p->unit[k], query);
}

bool persistent_run(struct persistent *p, struct query *query) {
    const int count = p->count;
    bool good = true;
    take_back(p, query, false);
#pragma omp parallel for num_threads(count) schedule(static, 1) if (count > 1)
    for (int k = 0; k < count; k++)
        run_unit(&p->unit[k]);
    for (int k = 0; k < count; k++)
        good = good && !p->unit[k].failed;
    if (good)
        collect(p, query);
    for (int k = 0; k < count; k++)
        good = good && !p->unit[k].failed;
    return good;
}
#else /* without the library there are no devices */
struct persistent *persistent_enter(struct query *query, const int *devices, int count) {
    return (void)query, (void)devices, (void)count, NULL;
}
bool persistent_run(struct persistent *p, struct query *query) { return (void)p, (void)query, false; }
void persistent_leave(struct persistent *p, struct query *query) { (void)p, (void)query; }
#endif
