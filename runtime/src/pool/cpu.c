/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task pools on CPU threads. A thread keeps one of the tasks that its last one made ready, pushes the others on its own
 * deque, and steals when it has none. Iterations that depend on nothing are claimed in batches.
 *
 * A thread is idle when its deque is empty and there are no iterations left to claim; it says that it is not before it
 * tries to steal. So when all are idle there is nothing left anywhere: the pool is done.
 */
#include "cpu.h"
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* ---- what next ------------------------------------------------------------------------------------------------ */
static uint64_t claim(struct thread *t) {
    struct team *m = t->team;
    while (t->batch == t->batch_end) {
        if (t->job == m->jobs)
            return 0;
        const struct heddle_job *j = &m->job[t->job];
        const bool look = j->form == HEDDLE_FORM_NODE || j->sinks;
        const uint64_t total = (uint64_t)j->total,
                       seen = atomic_load_explicit(&m->ticket[t->job], memory_order_relaxed);
        uint64_t n = look ? 512 : (total - seen) / (4 * (uint64_t)m->threads);
        n = n < 1 || seen >= total ? 1 : n > 256 && !look ? 256 : n;
        const uint64_t first =
            seen < total ? atomic_fetch_add_explicit(&m->ticket[t->job], n, memory_order_relaxed) : total;
        if (first >= total) {
            t->job++;
            continue;
        }
        const uint64_t end = first + n < total ? first + n : total;
        t->batch = look ? t->batch : first;
        t->batch_end = look ? t->batch_end : end;
        t->batch_job = t->job;
        for (uint64_t k = first; look && k < end; k++) {
            int32_t at[3];
            if (j->form == HEDDLE_FORM_NODE ? j->wanted[k] == 0
                                            : (heddle_place32_of(j, k, at), heddle_wanted(j, at) == 0))
                heddle__cpu_make_ready(t, j->form == HEDDLE_FORM_NODE ? (int)j->node[2 * k + 1] : 0,
                                       pack(j->form, t->job, k));
        }
        if (t->handed)
            return 0;
    }
    return pack(HEDDLE_FORM_LOOP, t->batch_job, t->batch++);
}

static uint64_t waiting_task(struct thread *t) {
    uint64_t task = t->team->run->segment->levels_used ? heddle__cpu_take_shared(t->team, 1) : 0;
    return task ? task : take_pushed(t);
}

static uint64_t own_task(struct thread *t) {
    uint64_t task = take_handed(t);
    if (!task)
        task = waiting_task(t);
    if (!task)
        task = claim(t);
    if (!task)
        task = take_handed(t);
    return task ? task : waiting_task(t); /* claiming may have put some there */
}

static struct thread *victim(struct thread *t) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return t->team->thread[t->random % (uint64_t)t->team->threads];
}

static bool shared_waits(struct team *m) {
    for (int level = 0; level < HEDDLE_LEVELS; level++)
        if (atomic_load(&m->waiting[level]))
            return true;
    return false;
}

/* 0: the pool is done. */
static uint64_t look_elsewhere(struct thread *t) {
    struct team *m = t->team;
    atomic_fetch_add(&m->idle, 1);
    for (unsigned tries = 1;; tries++) {
        struct thread *v = victim(t);
        if ((v != t && !deque_empty(&v->deque)) || shared_waits(m)) {
            atomic_fetch_sub(&m->idle, 1);
            uint64_t task = heddle__cpu_take_shared(m, 0);
            if (!task && v != t)
                task = deque_steal(&v->deque);
            if (task)
                return task;
            atomic_fetch_add(&m->idle, 1);
        }
        if (atomic_load(&m->idle) == m->threads)
            atomic_store(&m->finished, 1);
        if (atomic_load_explicit(&m->finished, memory_order_relaxed))
            return 0;
        heddle__spin_pause();
        if (tries % 64 == 0)
            sched_yield();
    }
}

static void run_dynamic(struct thread *t) {
    for (;;) {
        uint64_t task = own_task(t);
        if (!task)
            task = look_elsewhere(t);
        if (!task)
            return;
        heddle__cpu_execute(t, task);
    }
}

/* ---- fixed orders ---------------------------------------------------------------------------------------------- */
static void drain(struct thread *t) {
    for (uint64_t task; (task = take_own(t));)
        heddle__cpu_execute(t, task);
}

static void await_one(const struct heddle_job *j, uint64_t number) {
    for (unsigned polls = 1; !__atomic_load_n(&j->done[number], __ATOMIC_ACQUIRE); polls++) {
        heddle__spin_pause();
        if (polls % 256 == 0)
            sched_yield();
    }
}

static void await_before(const struct heddle_job *j, uint64_t number) {
    if (j->form == HEDDLE_FORM_NODE) {
        for (uint32_t q = j->before_start[number]; q < j->before_start[number + 1]; q++)
            await_one(j, j->before[q]);
        return;
    }
    int32_t at[3], before[3];
    heddle_place32_of(j, number, at);
    for (int q = 0; q < j->sinks; q++)
        if (heddle_neighbour(j, at, q, 1, before))
            await_one(j, heddle_number_of(j, before));
}

static void run_static(struct thread *t, int number) {
    struct team *m = t->team;
    for (int k = 0; k < m->jobs; k++)
        for (int64_t step = number; step < m->job[k].total; step += m->threads) {
            const uint64_t next = m->job[k].order[step];
            await_before(&m->job[k], next);
            heddle__cpu_execute(t, pack(m->job[k].form, k, next));
            drain(t);
        }
}

static void run_levels(struct thread *t, int number) {
    struct team *m = t->team;
    for (int k = 0; k < m->jobs; k++)
        for (int64_t level = 0; level < m->job[k].levels; level++) {
            const struct heddle_job *j = &m->job[k];
            for (uint32_t q = j->level_start[level] + (uint32_t)number; q < j->level_start[level + 1];
                 q += (uint32_t)m->threads) {
                heddle__cpu_execute(t, pack(j->form, k, j->order[q]));
                drain(t);
            }
#pragma omp barrier
        }
}

static void run_in_program_order(struct thread *t) {
    struct team *m = t->team;
    for (int k = 0; k < m->jobs; k++)
        for (uint64_t number = 0; number < (uint64_t)m->job[k].total; number++)
            heddle__cpu_execute(t, pack(m->job[k].form, k, number));
}

/* ---- the team --------------------------------------------------------------------------------------------------- */
static struct thread *new_thread(struct team *m, int number) {
    struct thread *t = aligned_alloc(128, (sizeof *t + m->type->scratch_bytes + 255) / 128 * 128);
    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    t->team = m;
    t->random = 0x9e3779b97f4a7c15u * (uint64_t)(number + 1);
    t->w.thread = t;
    t->w.lanes = 1;
    t->w.number = (uint32_t)number;
    t->w.scratch = (char *)t + (sizeof *t + 127) / 128 * 128;
    return t;
}

static void free_thread(struct thread *t) {
    while (t && t->slabs) {
        void *next = *(void **)t->slabs;
        free(t->slabs);
        t->slabs = next;
    }
    if (t)
        free(t->spill.task);
    free(t);
}

/* Counters and flags of the jobs. Without them the tasks still run, in program order. */
static bool allocate(struct team *m) {
    bool ok = (m->thread = calloc((size_t)m->threads, sizeof *m->thread)) != NULL;
    m->names = heddle__pool_trace_names(m->type);
    for (int k = 0; ok && k < m->threads; k++)
        ok = (m->thread[k] = new_thread(m, k)) != NULL;
    for (int k = 0; ok && m->schedule != HEDDLE_POOL_SERIAL && k < m->jobs; k++) {
        struct heddle_job *j = &m->job[k];
        if (j->form == HEDDLE_FORM_NODE || j->sinks)
            ok = (j->counters = calloc((size_t)j->total + 1, sizeof *j->counters)) != NULL;
        if (ok && m->schedule == HEDDLE_POOL_STATIC)
            ok = (j->done = calloc((size_t)j->total + 1, sizeof *j->done)) != NULL;
    }
    return ok;
}

static void deallocate(struct team *m) {
    for (int k = 0; k < m->jobs; k++) {
        free(m->job[k].counters);
        free(m->job[k].done);
        m->job[k].counters = m->job[k].done = NULL;
    }
    for (int k = 0; m->thread && k < m->threads; k++)
        free_thread(m->thread[k]);
    for (int k = 0; k < HEDDLE_LEVELS; k++)
        free(m->list[k].task);
    free(m->names);
    free(m->thread);
    m->thread = NULL;
}

static void run_thread(struct thread *t, int number) {
    switch (t->team->schedule) {
    case HEDDLE_POOL_SERIAL:
        run_in_program_order(t);
        break;
    case HEDDLE_POOL_STATIC:
        run_static(t, number);
        break;
    case HEDDLE_POOL_BARRIER:
        run_levels(t, number);
        break;
    default:
        run_dynamic(t);
    }
}

int heddle__pool_run_host(struct heddle__run *run) {
    struct heddle__segment *s = run->segment;
    struct team m = {.run = run,
                     .type = run->pool->type,
                     .env = run->pool->env,
                     .job = s->job,
                     .jobs = s->jobs,
                     .schedule = run->schedule,
                     .threads = run->schedule == HEDDLE_POOL_SERIAL ? 1 : heddle__host_threads(),
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .depend_lock = PTHREAD_MUTEX_INITIALIZER};
    const double start = heddle__now();
    if (!allocate(&m)) {
        deallocate(&m);
        m.schedule = HEDDLE_POOL_SERIAL;
        m.threads = 1;
        if (!allocate(&m)) {
            deallocate(&m);
            return HEDDLE_ENOMEM;
        }
    }
    const int allocated = m.threads;
#pragma omp parallel num_threads(allocated) if (allocated > 1)
    {
        const int number = allocated > 1 ? omp_get_thread_num() : 0;
        if (number == 0) /* there may be fewer than asked for */
            m.threads = allocated > 1 ? omp_get_num_threads() : 1;
#pragma omp barrier
        run_thread(m.thread[number], number);
    }
    m.threads = allocated;
    for (int k = 0; k < m.threads; k++) {
        run->done += m.thread[k]->done;
        run->spawned += m.thread[k]->spawned;
        run->sum += m.thread[k]->sum;
        run->handed += m.thread[k]->kept;
        run->queued += m.thread[k]->shared;
    }
    run->workers = m.threads;
    deallocate(&m);
    heddle__report()->kernel_seconds = heddle__now() - start;
    return HEDDLE_OK;
}
