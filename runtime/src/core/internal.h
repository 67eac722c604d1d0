/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of libheddle share and nobody else sees. */
#ifndef HEDDLE_INTERNAL_H
#define HEDDLE_INTERNAL_H

#include <heddle.h>
#include <heddle/engine/nest.h>
#include <heddle/engine/wavefront/call.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define HEDDLE_HIDDEN __attribute__((visibility("hidden")))
/* Before a function that the first loop of a process runs through: these lie side by side, on few pages. */
#define HEDDLE__FIRST __attribute__((hot))

/* options.c. A copy is read, so that another thread may set the option meanwhile; bad values are complained
   about once and the default is used. */
enum { HEDDLE__OPTION_MAX = 256 };
HEDDLE_HIDDEN void heddle__option_read(const char *name, char *value, size_t size);
HEDDLE_HIDDEN void heddle__option_bad(const char *name, const char *value);
HEDDLE_HIDDEN long heddle__option_long(const char *name, long low, long high);
HEDDLE_HIDDEN double heddle__option_seconds(const char *name);
HEDDLE_HIDDEN void heddle__options_read_tune(void); /* options.c: what HEDDLE_TUNE holds that is no key is said */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__options_any(void);   /* has anybody set one, here or in the environment? */
HEDDLE_HIDDEN bool heddle__option_given(const char *name);    /* has anybody set it, likewise? */
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__options_check(void); /* says once what the environment holds in vain */
HEDDLE_HIDDEN size_t heddle__option_bytes(const char *name);  /* with K, M, G or T; 0: none */
/* What was decided by options, devices and images holds while this number stays what it was before. */
HEDDLE_HIDDEN HEDDLE__FIRST uint64_t heddle__decision_mark(void);
HEDDLE_HIDDEN void heddle__decisions_end(void); /* an image goes, whose addresses may come again */

/* gone.c: of a block whose freeing can be seen; whether it was freed (a device's memory never was there). */
HEDDLE_HIDDEN bool heddle__memory_is_large(uintptr_t begin, uintptr_t end);
HEDDLE_HIDDEN bool heddle__memory_is_gone(uintptr_t begin);

/* report.c: messages go to stderr in the form "heddle: file:line: text". */
HEDDLE_HIDDEN void heddle__warn(const struct heddle_site *site, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Of a place, and a thing that is said of it; true from the second time on, while options and images are the same. */
HEDDLE_HIDDEN bool heddle__said(const struct heddle_site *site, unsigned what);
/* The same, and ends the program: nothing right can be computed any more. */
HEDDLE_HIDDEN _Noreturn void heddle__fatal(const struct heddle_site *site, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same where locks are held, or on a thread that others wait for: what is registered for the end does not run. */
HEDDLE_HIDDEN _Noreturn void heddle__lost(const struct heddle_site *site, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
HEDDLE_HIDDEN void heddle__verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
HEDDLE_HIDDEN HEDDLE__FIRST double heddle__now(void);
HEDDLE_HIDDEN HEDDLE__FIRST struct heddle_report *heddle__report(void);

/* Before a variable that is 0 at first and that the first loop of a process looks at: it lies among those that have a
   value, whose pages are in memory, and not in one that nobody has touched, which takes 3 to 14 us. */
#define HEDDLE__AT_HAND __attribute__((section(".data")))

/* fork.c. Around each call that runs something; false: this is the child of a fork that came while another thread was
   inside, so that the loop is to be run as it is written (said once), and there is no heddle__leave. */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__enter(const struct heddle_site *site);
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__leave(void);
/* ... around what is the program's own: target regions and data. */
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__call_begin(void);
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__call_end(void);
HEDDLE_HIDDEN bool heddle__forked(void);        /* this process is a child */
HEDDLE_HIDDEN bool heddle__forked_inside(void); /* ... of such a fork */

/* transfer/overlap.c: whether two of the sections share bytes, and one of them is written; apart: no, or a line has
 * said so. */
HEDDLE_HIDDEN bool heddle__maps_overlap(const struct heddle_map *maps, int nmaps, int *first, int *second);
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__maps_apart(const struct heddle_site *site, const struct heddle_map *maps,
                                                    int nmaps);
/* transfer/rows.c: rows behind pointers share no memory with each other, nor with the maps; false was said, once where
   `said` is 0 */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__rows_apart(const struct heddle_site *site, const struct heddle_rows *rows,
                                                    int nrows, const struct heddle_map *maps, int nmaps, int *said);

HEDDLE_HIDDEN bool heddle__is_host(int device); /* device/devices.c: by either of its numbers */
/* device/host_threads.c: threads to start where so many of all have something to do; the rest is to leave at once. */
HEDDLE_HIDDEN HEDDLE__FIRST int heddle__host_team(int threads, int all);
HEDDLE_HIDDEN HEDDLE__FIRST int heddle__host_threads(void); /* device/host_threads.c: of a team on the host */

/* transfer/map.c */
HEDDLE_HIDDEN size_t heddle__maps_bytes(const struct heddle_map *maps, int nmaps, int device);
/* Maps and writes the device pointers into `env` (a copy of the host's). HEDDLE_ENOMEM: nothing is mapped. Until they
   are unmapped, calls of other host threads look at the host's arrays. */
HEDDLE_HIDDEN int heddle__maps_enter(const struct heddle_map *maps, int nmaps, int device, void *env);
HEDDLE_HIDDEN void heddle__maps_exit(const struct heddle_map *maps, int nmaps, int device, bool keep);
HEDDLE_HIDDEN bool heddle__maps_kept(const struct heddle_map *map, int device); /* there by the program's doing */
/* The device on which the program holds one of the arrays already (target data, enter data), or the host. Where
   a nest runs elsewhere all the same, the device's values come to the host before and go back after it. */
HEDDLE_HIDDEN HEDDLE__FIRST int heddle__maps_holder(const struct heddle_map *maps, int nmaps);
/* Where it is kept on the device; NULL: not all of it is. */
HEDDLE_HIDDEN char *heddle__maps_kept_at(const struct heddle_map *map, int device);
HEDDLE_HIDDEN void heddle__maps_pull(const struct heddle_map *maps, int nmaps, int device); /* of those that it keeps */
HEDDLE_HIDDEN void heddle__maps_fetch(const struct heddle_map *map, int device);            /* whoever has mapped it */
HEDDLE_HIDDEN int heddle__maps_try_fetch(const struct heddle_map *map,
                                         int device); /* the same, for who knows another */
/* After a copy with that error: the program keeps its newest value there, or looks for it there later, and ends. */
HEDDLE_HIDDEN void heddle__maps_copied(const struct heddle_map *map, int device, int error);
HEDDLE_HIDDEN bool heddle__maps_are_there(const struct heddle_map *maps, int nmaps,
                                          int device); /* all of them, whole */
HEDDLE_HIDDEN void heddle__maps_push(const struct heddle_map *maps, int nmaps, int device);

/* wavefront/wavefront.c: whether a schedule works on tiles with the cells in memory. */
HEDDLE_HIDDEN bool heddle__in_memory(int schedule);

/* model/tile_width.c: PeerWave's model (ICS 2015, section 4). Times in seconds. */
struct heddle__width {
    double rows, columns, h, workers;
    double d, tau; /* one diagonal of a tile; one synchronisation */
};
HEDDLE_HIDDEN double heddle__width_time(const struct heddle__width *m, double w);
HEDDLE_HIDDEN long heddle__width_best(const struct heddle__width *m, long low, long high);
/* Least squares of d and tau to measured times of (rows, columns, w); false: they make no sense. */
struct heddle__width_run {
    double rows, columns, w, seconds;
};
HEDDLE_HIDDEN bool heddle__width_fit(struct heddle__width *m, const struct heddle__width_run *runs, int count);
/* wavefront/width.c: the nest by schedule flexible, its width from the file of models, or after measuring a corner. */
HEDDLE_HIDDEN int heddle__flexible(struct heddle_wavefront *call, int device, int holder);
/* What it is expected to take, in seconds; 0: not measured. */
HEDDLE_HIDDEN double heddle__flexible_expected(const struct heddle_wavefront *call, int device);
/* wavefront/wavefront.c: the nest on a device, on all (HEDDLE_DEVICE_ALL) or on the host, and nowhere else where that
   fails. `holder` has the arrays: they are taken from there and brought back. `sized`: as of heddle__wavefront_gpu. */
struct job;
HEDDLE_HIDDEN int heddle__try_run(struct heddle_wavefront *call, int schedule, int device, int holder,
                                  struct job *sized);

/* wavefront/gpu_tiles.c: the tiles' sizes, and what the timers said. */
struct heddle__tiling {
    int schedule, warp;
    bool hybrid;
    long rows, columns;
    long h, w, teams;
};
HEDDLE_HIDDEN struct heddle__tiling heddle__tiling(const struct heddle_wavefront *call, int schedule, int device);
HEDDLE_HIDDEN void heddle__tile_control(struct heddle_gpu_control *c, const struct heddle_nest *nest,
                                        const struct heddle__tiling *t);
/* A width in the hybrid layout: not less, and whole groups of steps, which are done without a test. */
HEDDLE_HIDDEN long heddle__group_steps(long steps);
HEDDLE_HIDDEN int heddle__timers_begin(struct heddle_gpu_control *c, long blocks, int device);
HEDDLE_HIDDEN void heddle__timers_end(struct heddle_gpu_control *c, long blocks, int device);

/* wavefront/cpu.c: one way to run a nest on the host; wavefront/forms.c chooses. */
struct heddle__cpu_form {
    const char *name; /* for reports */
    int schedule;
    bool interleaved; /* registers: scalar rows instead of SIMD lanes */
    bool alone;       /* on the calling thread */
    bool rows;        /* memory: row after row, the order of the loop as written */
    bool stream;      /* the whole nest's results are larger than the caches */
};
HEDDLE_HIDDEN int heddle__host_isa(void);
HEDDLE_HIDDEN void heddle__top_halo(const struct heddle_wavefront *call, char *edge);
HEDDLE_HIDDEN int heddle__cpu_run(struct heddle_wavefront *call, const struct heddle__cpu_form *form);

/* wavefront/forms.c, wavefront/gpu.c: 0 or a negative heddle_error; the arrays are unchanged after an error. */
HEDDLE_HIDDEN int heddle__wavefront_cpu(struct heddle_wavefront *call, int schedule);
HEDDLE_HIDDEN int heddle__sweeps_cpu(struct heddle_wavefront *call); /* an in-place stencil, all its sweeps */
HEDDLE_HIDDEN void heddle__wait_word(atomic_ulong *word, unsigned long goal, const struct heddle_site *site, long row,
                                     double timeout);
/* wavefront/gpu_sweeps.c: passes and row blocks of one launch, words of a level's row, bytes of all of them; the
   list of row blocks (passes * blocks of them). */
HEDDLE_HIDDEN long heddle__sweeps_passes(const struct heddle_wavefront *call);
HEDDLE_HIDDEN long heddle__sweeps_blocks(const struct heddle_wavefront *call, int warp);
HEDDLE_HIDDEN long heddle__sweeps_stride(const struct heddle_wavefront *call, int warp);
HEDDLE_HIDDEN size_t heddle__sweeps_edge_bytes(const struct heddle_wavefront *call, int warp);
HEDDLE_HIDDEN void heddle__sweeps_items(struct heddle_gpu_control *control, uint32_t *item);
/* sized: what an equal call was, or with `call` NULL gets what this one is, before it begins; or NULL. */
HEDDLE_HIDDEN int heddle__wavefront_gpu(struct heddle_wavefront *call, int schedule, int device, struct job *sized);
/* wavefront/panels.c: whether the nest's arrays do not fit and can be cut, and the nest panel by panel, the devices in
 * turn. */
HEDDLE_HIDDEN bool heddle__needs_panels(const struct heddle_wavefront *call, int device);
HEDDLE_HIDDEN int heddle__wavefront_panels(struct heddle_wavefront *call, int schedule, const int *devices, int count);
/* wavefront/gpu_all.c: the devices that can share a nest (at most HEDDLE_PEERS_MAX; a line says why it is only one),
   and the nest on all of them. */
HEDDLE_HIDDEN int heddle__all_devices(const struct heddle_wavefront *call, int schedule, int *devices);
HEDDLE_HIDDEN int heddle__wavefront_all(struct heddle_wavefront *call, const int *devices, int count);

/* ---- strange.c --------------------------------------------------------------------------------------------------- */
struct heddle__strange {
    void (*met)(void *with); /* NULL: nothing */
    void *with;
};
/* What is done before this thread makes a task of OpenMP's; returns what was before. */
HEDDLE_HIDDEN struct heddle__strange heddle__strange_expect(struct heddle__strange s);
HEDDLE_HIDDEN void heddle__strange_met(void);

#endif
