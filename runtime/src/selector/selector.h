/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device selector, inside. A target region without a device clause may run at any *place* where that gives
 * the same result as plain OpenMP; the policy picks the place that finishes it first.
 *
 * Words used here:
 *   - default device: the device that plain OpenMP would use. The program's data environment always exists there,
 *     mapped by libomptarget itself, so it is always a right answer.
 *   - place: a device number, or HOST for the host version of a region.
 *   - entry: a range of host memory that the program mapped by `target data` or `enter data`, with the bit set of
 *     devices that hold its current value. A copy on another device than the default one is a *replica*.
 *   - footprint: the entries and ranges that a call may touch.
 *   - active region: a region or data call that is running now, with its footprint.
 *
 * One lock guards all tables; it is never held while a kernel runs.
 */
#ifndef HEDDLE_SELECT_INTERNAL_H
#define HEDDLE_SELECT_INTERNAL_H

#include "device/device.h"
#include "model/region.h"
#include "model/table.h"
#include "abi.h"
#include "policy/table.h"
#include <omp-tools.h>

enum { PLACES = 64, HOST = PLACES - 1 };
typedef uint64_t place_set;
#define BIT(place) ((place_set)1 << (place))

struct range {
    uintptr_t from, to; /* [from, to) */
};
#define RANGE_ALL ((struct range){0, UINTPTR_MAX})

/* ---- real.c: libomptarget's own functions -------------------------------------------------------------- */
#define DATA_PARAMETERS struct ident *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **
struct real {
    int (*kernel)(struct ident *, int64_t, int32_t, int32_t, void *, struct kernel_args *);
    void (*begin)(DATA_PARAMETERS);
    void (*end)(DATA_PARAMETERS);
    void (*update)(DATA_PARAMETERS);
    void (*begin_nowait)(DATA_PARAMETERS, int32_t, void *, int32_t, void *);
    void (*end_nowait)(DATA_PARAMETERS, int32_t, void *, int32_t, void *);
    void (*update_nowait)(DATA_PARAMETERS, int32_t, void *, int32_t, void *);
    void *(*target_task_alloc)(struct ident *, int32_t, int32_t, size_t, size_t, void *, int64_t);
    void *(*task_alloc)(struct ident *, int32_t, int32_t, size_t, size_t, void *);
    int32_t (*task_with_deps)(struct ident *, int32_t, void *, int32_t, void *, int32_t, void *);
    void (*taskwait_deps)(struct ident *, int32_t, int32_t, void *, int32_t, void *, int32_t);
    void (*task_begin_if0)(struct ident *, int32_t, void *);
    void (*task_complete_if0)(struct ident *, int32_t, void *);
    void **(*task_handle)(int32_t); /* LLVM 16 and newer; NULL: nobody can tell whose task it is */
    int32_t (*thread_number)(struct ident *);
    void (*register_requires)(int64_t);
    void *(*alloc)(size_t, int);
    void (*free)(void *, int);
    void *(*alloc_device)(size_t, int);
    void (*free_device)(void *, int);
    void *(*alloc_shared)(size_t, int);
    int (*is_present)(const void *, int);
    void *(*mapped_ptr)(const void *, int);
    void (*free_shared)(void *, int);
    int (*copy)(void *, const void *, size_t, size_t, size_t, int, int);
    int (*copy_async)(void *, const void *, size_t, size_t, size_t, int, int, int, void *);
    int (*copy_rect)(void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *, const size_t *,
                     const size_t *, int, int);
    int (*copy_rect_async)(void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *,
                           const size_t *, const size_t *, int, int, int, void *);
    void *(*set)(void *, int, size_t, int);
    void *(*set_async)(void *, int, size_t, int, int, void *);
    int (*associate)(const void *, const void *, size_t, size_t, int);
    int (*disassociate)(const void *, int);
};
HEDDLE_HIDDEN const struct real *heddle__real(void);       /* starts the devices */
HEDDLE_HIDDEN const struct real *heddle__real_tasks(void); /* libomp's: devices may sleep on */
HEDDLE_HIDDEN bool heddle__real_there(void);
HEDDLE_HIDDEN void heddle__hooks_view(void);                    /* hook.c */
HEDDLE_HIDDEN void heddle__real_faults(struct real *functions); /* puts HEDDLE_FAULT before them */

/* ---- core.c: state, lock, activity ---------------------------------------------------------------------- */
struct selector {
    bool active;           /* HEDDLE_POLICY is set: fixed before the program's main */
    bool override;         /* HEDDLE_OVERRIDE_DEVICE */
    bool explain, summary; /* a line for each region; sums at exit */
    bool fixed;            /* the policy is `fixed`: nothing ever moves, so nothing is tracked */
    bool opaque;           /* the program does what cannot be followed: everything stays on the default device */
    bool host_off;         /* a host version did not come back in time: no more of them */
    atomic_int devices;    /* -1: not asked yet; read without the lock by policy `fixed` */
    int default_device;
    place_set candidates;
    const struct heddle_policy *policy;
    void *policy_state;
};
HEDDLE_HIDDEN extern struct selector heddle__sel;
/* Nonzero while heddle itself calls libomptarget: hooks pass straight through. */
HEDDLE_HIDDEN extern _Thread_local int heddle__inside;
HEDDLE_HIDDEN void heddle__lock(void);
HEDDLE_HIDDEN void heddle__unlock(void);
HEDDLE_HIDDEN void heddle__wait(double seconds); /* for any change of the active regions; drops the lock meanwhile */
HEDDLE_HIDDEN void heddle__wake(void);
/* Asks for devices, classes and policy once libomptarget is up. Lock held. */
HEDDLE_HIDDEN void heddle__select_ready(void);
HEDDLE_HIDDEN void heddle__select_once(void); /* the same, taking the lock */
/* Once the process ends and another thread does that: true for a libomp task, whose call is to do nothing; does not
   return for others, and gives the lock back before. */
HEDDLE_HIDDEN bool heddle__stop_if_ending(bool locked, bool task);
HEDDLE_HIDDEN void heddle__begin_end(void); /* no image is left, or exit runs: waits a little for what runs */
HEDDLE_HIDDEN void heddle__no_end(void);    /* another image came */
HEDDLE_HIDDEN extern atomic_int heddle__fixed_running; /* calls that policy `fixed` passes on now */
/* Counts a call there; false: the program ends, and the call is left out. */
HEDDLE_HIDDEN bool heddle__enter_fixed(bool task);
/* What the program loses, said once per reason. Lock held. */
HEDDLE_HIDDEN void heddle__give_up(const char *reason);

/* ---- image.c: kernels by address ------------------------------------------------------------------------ */
struct image {
    bool state;    /* its device code has variables of its own: regions may not change device */
    uint64_t hash; /* of its device code */
};
struct kernel {
    const char *name;
    const struct image *image; /* NULL: not registered with us */
};
HEDDLE_HIDDEN void heddle__image_add(const struct library *library);
HEDDLE_HIDDEN int heddle__image_remove(const struct library *library); /* how many libraries with images are left */
HEDDLE_HIDDEN struct kernel heddle__kernel_find(const void *id);

/* ---- args.c: what a call touches ------------------------------------------------------------------------ */
enum { RANGES_INLINE = 48 };
struct footprint {
    struct range *ranges, first[RANGES_INLINE];
    int count, room;
    place_set allowed;  /* places that give plain OpenMP's result */
    const char *pinned; /* why `allowed` is one device; NULL: it is not pinned */
    size_t to, from;    /* bytes of the call's own maps */
    size_t env;         /* bytes of entries it touches */
    int reads;          /* of the ranges, the first ones: the call says that it only reads those */
    bool alone;         /* ... but to others elsewhere it is a writer all the same */
    bool compares;      /* its copies of them are compared when it has ended */
    bool verify;        /* host version must first be known not to write `map(to:)` data or mapped pointers */
    place_set moves;    /* places where some entry is not current */
};
HEDDLE_HIDDEN void heddle__footprint_init(struct footprint *t, place_set allowed);
HEDDLE_HIDDEN void heddle__footprint_free(struct footprint *t);
HEDDLE_HIDDEN void heddle__footprint_of_region(struct footprint *t, const struct map_args *m, int default_device);
/* The region's own maps, a bit each. Lock held. */
HEDDLE_HIDDEN uint64_t heddle__own_maps(const struct map_args *m);
/* Whether libomptarget finds some of them on a device, though nobody runs there with them: then the program itself, or
   a library that does not go through our hooks, mapped them, and a region would work on that. It may keep the caller
   waiting while it allocates on that device, so it is asked without the lock, and only about the place where the region
   is to run. */
HEDDLE_HIDDEN bool heddle__present(const struct map_args *m, uint64_t own, int place);
/* Whether a device has room for these. libomptarget ends the program where it has not; what is smaller is not looked
 * at. */
enum { HEDDLE__LOOK_FROM = 1 << 20 };
HEDDLE_HIDDEN bool heddle__own_fit(const struct map_args *m, uint64_t own, int place);
HEDDLE_HIDDEN void heddle__footprint_of_data(struct footprint *t, const struct map_args *m);

/* ---- active_region.c ------------------------------------------------------------------------------------------- */
struct active_region {
    struct active_region *next, *previous;
    int place;
    struct range *ranges;
    int count, reads;       /* as in its footprint */
    int beside;             /* ranges that others elsewhere may read meanwhile */
    bool by_word, linked;   /* on a device that the program named, other than the default device; in the list */
    void *region;           /* struct region of a kernel; NULL for data calls */
    const void *size;       /* struct size of a kernel, while it runs */
    bool nested;            /* it came from inside `parallel` */
    double start, expected; /* seconds */
    double work; /* seconds: while it runs the place's clock at its start, then what it would have taken alone */
};
struct sample;
HEDDLE_HIDDEN void heddle__active_begin(struct active_region *f, int place, struct footprint *t, void *region,
                                        double expected, double now);
/* After the end: what of `seconds` is the region's own, where others ran at the same place meanwhile. */
HEDDLE_HIDDEN void heddle__active_share_time(const struct active_region *f, struct sample *s, double seconds);
HEDDLE_HIDDEN void heddle__active_end(struct active_region *f, double now);
/* Places of running calls that touch any of the ranges: those we placed, or those placed by the program's word. */
HEDDLE_HIDDEN place_set heddle__active_conflicts(const struct footprint *t, bool by_word);
/* Somebody may write some of it now, by what the running calls say of themselves. */
HEDDLE_HIDDEN bool heddle__active_writes(const struct footprint *t);
/* A region that runs elsewhere and says that it reads some of it; NULL: none. */
HEDDLE_HIDDEN const struct active_region *heddle__active_reader(const struct range *r, int place);
HEDDLE_HIDDEN place_set heddle__active_places(const struct range *r); /* with a region that works on some of it */
HEDDLE_HIDDEN bool heddle__active_on_data(const struct range *r);     /* a data call or a move works there now */
HEDDLE_HIDDEN bool heddle__active_drop_host(void);                    /* those far overdue */
HEDDLE_HIDDEN int heddle__active_count(int place, double *wait);
HEDDLE_HIDDEN double heddle__busy_seconds(int place); /* with a region or more; 0 under policy `fixed` */
HEDDLE_HIDDEN const struct active_region *heddle__active_regions(void);
HEDDLE_HIDDEN bool heddle__on_devices(void);    /* a call runs on a device */
HEDDLE_HIDDEN void heddle__active_forget(void); /* in the child of a fork */
/* The calling thread is about to run a host version; the record ends at its next call into heddle. */
HEDDLE_HIDDEN bool heddle__host_begin(struct footprint *t, const struct sample *sample);
HEDDLE_HIDDEN void heddle__host_end(double when);
HEDDLE_HIDDEN bool heddle__host_running(void); /* of the calling thread; needs no lock */

/* ---- data.c: entries, device pointers -------------------------------------------------------------------- */
struct entry {
    uintptr_t from, to;
    int default_device;
    place_set valid, replicas; /* current value; memory held by us */
    const char *pinned;        /* why it never leaves the default device; NULL: it may */
    bool dirty;                /* a kernel may have written pointers into it since the last look */
    bool migrating;            /* a thread works on it without the lock: hands off */
    const char *exposed;       /* its device address, where the program was given it */
    unsigned long writes;      /* calls that may have written it, or may be at it */
    unsigned alias_group;      /* entries that one kernel has seen together have the same number */
    char *base;                /* base.c: what readers on several devices began with; good if nobody wrote since */
    unsigned long base_writes;
    place_set based; /* copies that are the base and what their own regions wrote */
};
HEDDLE_HIDDEN struct entry *heddle__entry_find(uintptr_t from,
                                               uintptr_t to); /* first that overlaps; to == from: contains */
HEDDLE_HIDDEN struct entry *heddle__entry_at_address(const void *at,
                                                     int device); /* whose memory on its default device that is */
HEDDLE_HIDDEN struct entry *heddle__entry_next(const struct entry *e, uintptr_t to);
/* `e`: each entry that a footprint's ranges overlap, as long as `going`. */
#define EACH_ENTRY(e, t, going)                                                                                        \
    for (int k_ = 0; (going) && k_ < (t)->count; k_++)                                                                 \
        for (struct entry *e = heddle__entry_find((t)->ranges[k_].from, (t)->ranges[k_].to); (going) && e;             \
             e = heddle__entry_next(e, (t)->ranges[k_].to))
HEDDLE_HIDDEN struct entry *heddle__entry_at(int k);
HEDDLE_HIDDEN void heddle__entry_add(uintptr_t from, uintptr_t to, int default_device, const char *pinned);
HEDDLE_HIDDEN void heddle__entry_remove(struct entry *e);
HEDDLE_HIDDEN void heddle__entry_expose(struct entry *e);
HEDDLE_HIDDEN void heddle__data_mark_changed(const struct footprint *t, int device); /* the program wrote there */
/* By a region; kept: as from heddle__reads_end. */
HEDDLE_HIDDEN void heddle__data_mark_written(const struct footprint *t, int place, int default_device, uint64_t kept);
HEDDLE_HIDDEN bool heddle__data_has_replica(uintptr_t at, int device);
HEDDLE_HIDDEN size_t heddle__data_count_missing(const struct footprint *t, int place);
HEDDLE_HIDDEN int heddle__data_count_entries(void);
HEDDLE_HIDDEN void heddle__exposed_add(const void *at, size_t bytes, int device);
HEDDLE_HIDDEN void heddle__exposed_remove(const void *at, int device);
HEDDLE_HIDDEN int heddle__exposed_find(uintptr_t at); /* device that owns the pointer; -1: none */
HEDDLE_HIDDEN bool heddle__exposed_has_any(void);
/* True when a word of [at, at + bytes) is a device pointer that the program was given. */
HEDDLE_HIDDEN bool heddle__exposed_occurs_in(const void *at, size_t bytes);

/* ---- migrate.c: values and their copies on other devices ----------------------------------------------------- */
enum migration {
    MIGRATED,
    MIGRATION_DENIED,
    MIGRATION_RETRY
}; /* denied: some cannot go there; again: others work on them, wait and look again */
/* Makes the entries of the default device that overlap current at a device. Gives the lock back while it copies. */
HEDDLE_HIDDEN enum migration heddle__data_migrate(const struct footprint *t, int place, int default_device);
HEDDLE_HIDDEN bool heddle__data_is_migrating(const struct footprint *t);
HEDDLE_HIDDEN bool heddle__data_any_migrating(void);
HEDDLE_HIDDEN void heddle__data_forget_migrations(void); /* in the child of a fork */
/* Under the lock all the while; nothing of `t` is moving. */
HEDDLE_HIDDEN void heddle__data_bring_back(const struct footprint *t, int device);
HEDDLE_HIDDEN void heddle__data_bring_all_back(void);
HEDDLE_HIDDEN void heddle__data_drop_replicas(const struct footprint *t, int device);
/* Forgets what is no longer mapped. Gives the lock back meanwhile. */
HEDDLE_HIDDEN void heddle__entry_sweep(const struct range *ranges, int count);
HEDDLE_HIDDEN long heddle__data_count_replicas(void);

HEDDLE_HIDDEN void heddle__entry_hold(struct entry *e, bool on); /* keeps others away from it without the lock */

/* ---- reads.c: several valid copies ------------------------------------------------------------------------- */
struct region;
struct reading {
    bool clean; /* nobody wrote there when it began */
    unsigned long writes;
};
/* Before a place is chosen: who may run meanwhile, and whether copies are compared. */
HEDDLE_HIDDEN void heddle__reads_plan(const struct region *region, struct footprint *t, int default_device);
HEDDLE_HIDDEN void heddle__reads_begin(const struct footprint *t, struct reading *r);
/* Once the region counts as running at a place, to which some of its data had to be moved. May give the lock back. */
HEDDLE_HIDDEN void heddle__reads_beside(const struct region *region, const struct footprint *t, int place, bool moved);
/* After a region's run: of the ranges that it says it only reads, those (a bit each) whose other copies are as its own
   for sure. May give the lock back. */
HEDDLE_HIDDEN uint64_t heddle__reads_end(struct region *region, const struct footprint *t, int place,
                                         const struct reading *r);

/* ---- base.c: what readers on several devices began with. All may give the lock back ------------------------ */
enum base_state { BASE_NONE, BASE_SAME, BASE_WRITTEN, BASE_FAILED };
HEDDLE_HIDDEN bool heddle__base_is_fresh(const struct entry *e);
HEDDLE_HIDDEN void heddle__base_free(struct entry *e);
/* Before a reader runs; makes the base if others read elsewhere. False: there is no memory, or a copy failed. */
HEDDLE_HIDDEN bool heddle__base_take(const struct range *r, int place, bool moved);
/* Behind a reader: what it wrote is in all copies then. */
HEDDLE_HIDDEN enum base_state heddle__base_merge(const struct range *r, int place);

/* ---- search.c: device addresses inside data --------------------------------------------------------------- */
struct spans {
    struct range *range; /* sorted; they do not meet */
    int count;
};
HEDDLE_HIDDEN bool heddle__spans_on(struct spans *s, int device);    /* lock held; then: */
HEDDLE_HIDDEN void heddle__spans_there(struct spans *s, int device); /* device addresses of them; no lock needed */
/* Copies what lies at `host` from one device to another, or only looks at it (to < 0). False: it holds addresses, or a
   copy failed; what is at the destination does not count then. */
HEDDLE_HIDDEN bool heddle__copy_and_scan(const struct range *host, int from, int to, const struct spans *s);
HEDDLE_HIDDEN bool heddle__data_addresses_in(const void *at, size_t bytes,
                                             int device); /* of entries there. Lock held */

/* ---- regions.c, regions_file.c ------------------------------------------------------------------------------ */
enum { CLASSES = 16, KNOWN_RUNS = 10 };
struct region {
    struct region *next;
    const void *id;
    char *key, *where; /* offload name; "file:line" or the function and line from the name */
    unsigned long runs;
    place_set warm; /* places that had their first run */
    place_set failed;
    bool address_free, addresses; /* its outputs were searched for device addresses; some were found */
    bool writes_in;               /* data that its task says it only reads */
    unsigned long read_runs;      /* of a task that says so */
    bool read_proven;             /* after one of them all its copies were as another one */
    bool host_ok, host_no;        /* verified to leave map(to:) data and pointers alone; verified not to */
    int stored_ok;                /* the same of an earlier process: 1, 2; it counts if the code is the same */
    uint64_t code, stored_code;   /* hash of the region's device images */
    struct model *model[CLASSES];
    unsigned long count[PLACES];
    double spent; /* seconds in all runs of this process */
};
HEDDLE_HIDDEN struct region *heddle__region_find(const void *id, const struct ident *loc);
HEDDLE_HIDDEN void heddle__regions_unbind(void); /* kernels' addresses may mean others from now on */
HEDDLE_HIDDEN struct region *heddle__region_by_key(const char *key);
HEDDLE_HIDDEN struct region *heddle__regions(void);
enum { CLASS_HOST, CLASS_HOST_NESTED, CLASS_FIRST_DEVICE };
HEDDLE_HIDDEN int heddle__class_of(int place); /* of HOST: outside parallel regions */
HEDDLE_HIDDEN const char *heddle__class_name(int class);
HEDDLE_HIDDEN int heddle__class_named(const char *name); /* -1: no room */
HEDDLE_HIDDEN void heddle__classes_start(int devices);
struct sample { /* one run of a region */
    struct region *region;
    int place, default_device;
    struct size size;
    double predicted, move, start;
    size_t moved;
    double alone; /* seconds that it would have taken alone */
    double asked; /* when the program came with it; this and the next three only for HEDDLE_RECORD */
    place_set allowed;
    uintptr_t data;                             /* the first mapped range that it touches; 0: none */
    size_t data_bytes;                          /* of all of them */
    int graph_node, graph_task, graph_unit;     /* graph.c: of the iteration, of the graph; -1: none */
    int graph_place;                            /* where the graph's policy wants it; -1: it says nothing */
    bool foreign;                               /* the place has other data under the same names */
    bool no_room;                               /* the place has no memory for what the region maps */
    bool measure, nested, shared, known, probe; /* known: predicted from KNOWN_RUNS or more; probe: run here to learn */
    char text[320];                             /* costs of all candidates; only with HEDDLE_EXPLAIN */
};
/* Seconds; < 0: not known. *runs: measurements of this very size. */
HEDDLE_HIDDEN double heddle__predict(const struct region *r, int class, const struct size *size, unsigned *runs);
HEDDLE_HIDDEN double heddle__predict_transfers(struct region *r, int class,
                                               const struct size *size); /* what of that are its own maps */
HEDDLE_HIDDEN void heddle__region_add_first_run(struct region *r, int class, double seconds);
HEDDLE_HIDDEN void heddle__region_add_run(const struct sample *s, double seconds);
HEDDLE_HIDDEN struct cell *heddle__cell_find(struct region *r, int class, const struct size *size, bool make);
HEDDLE_HIDDEN void heddle__model_fit(struct region *r, int class);
HEDDLE_HIDDEN void heddle__models_load(void);
HEDDLE_HIDDEN void heddle__models_save(void);

/* ---- links.c: what transfers cost -------------------------------------------------------------------------- */
enum link { LINK_TO, LINK_FROM, LINK_BETWEEN, LINKS };
enum { LINK_SIZES = 4, LINK_RUNS = 5 };
struct link_times {
    double to[LINK_SIZES][LINK_RUNS], from[LINK_SIZES][LINK_RUNS]; /* seconds */
};
HEDDLE_HIDDEN bool heddle__is_link(const char *key);                     /* of a region that stands for a link */
HEDDLE_HIDDEN double heddle__link_rate(enum link link, int class);       /* seconds per byte; 0: not known */
HEDDLE_HIDDEN double heddle__predict_migration(int class, size_t bytes); /* from another device */
HEDDLE_HIDDEN void heddle__link_add(enum link link, int class, size_t bytes, double seconds);
/* Whether the caller is to measure the links of the place's class: true once. Lock held for it, and for the note; not
 * for the look. */
HEDDLE_HIDDEN bool heddle__link_claim(int place);
HEDDLE_HIDDEN bool heddle__link_measure(int device, struct link_times *times);
HEDDLE_HIDDEN void heddle__link_add_times(int device, const struct link_times *times);

/* ---- policies ------------------------------------------------------------------------------------------- */
HEDDLE_HIDDEN const struct heddle_policy *heddle__policy_find(const char *name);
/* The first candidate with the least cost, of those whose run is known; -1: none. */
HEDDLE_HIDDEN int heddle__policy_cheapest(const struct heddle_choice *c,
                                          double (*cost)(const struct heddle_candidate *p));

/* ---- choice.c: the decision; execute.c, first_run.c, data_calls.c: carrying it out; explain.c: telling it
 * ------------------------------- */
HEDDLE_HIDDEN int heddle__choose(struct sample *s, const struct footprint *t);
HEDDLE_HIDDEN int heddle__run_kernel(struct ident *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                                     struct kernel_args *args);
/* May the number in a call be replaced? Only where the program gave none (-1), or the user says so. */
HEDDLE_HIDDEN bool heddle__may_move(int64_t device);
/* The device that plain OpenMP would use; -1: not an offload device, or not ours to follow. Lock held. */
HEDDLE_HIDDEN int heddle__plain_device(int64_t device, bool *by_word);
HEDDLE_HIDDEN void heddle__wait_for(place_set conflicts); /* for calls placed elsewhere that touch the same ranges */
enum data_call { DATA_BEGIN, DATA_END, DATA_UPDATE };
HEDDLE_HIDDEN void heddle__run_data(enum data_call call, struct ident *loc, int64_t device, struct map_args m,
                                    bool task);
HEDDLE_HIDDEN void heddle__explain_choice(const struct heddle_choice *c, struct sample *s, const char *why);
HEDDLE_HIDDEN void heddle__explain_done(const struct sample *s, double seconds);
HEDDLE_HIDDEN void heddle__explain_summary(void);
HEDDLE_HIDDEN void heddle__count_migrated(int place, size_t bytes);

/* ---- record.c: HEDDLE_RECORD ------------------------------------------------------------------------------ */
HEDDLE_HIDDEN bool heddle__recording(void);
HEDDLE_HIDDEN void heddle__record_start(void);
HEDDLE_HIDDEN void heddle__record_forget(void);
HEDDLE_HIDDEN void heddle__record_region(const struct sample *s, double seconds);
HEDDLE_HIDDEN void heddle__record_end(void);

/* ---- data_ops.c: what libomptarget allocates and copies, as it tells a tool ----------------------------------- */
HEDDLE_HIDDEN bool heddle__data_ops_start(ompt_set_callback_t set);
HEDDLE_HIDDEN void heddle__data_ops_summary(bool expected); /* expected: regions ran on devices */

/* ---- ompt.c: how deep the calling thread is in parallel regions, and when one ended -------------------- */
HEDDLE_HIDDEN double heddle__ompt_last_end(void); /* 0: none since heddle__ompt_reset */
HEDDLE_HIDDEN void heddle__ompt_reset(void);

#endif
