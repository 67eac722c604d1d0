/* SPDX-License-Identifier: Apache-2.0 */
/* Every policy over random machines, also with nothing, zeros, huge costs and lost devices: no job twice or where it
   cannot run, and policies that place all do so. */
#include "jobs/plan/plan.h"
#include "jobs/schedule/table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DEVICES = 40, TYPES = 4, KINDS = DEVICES * TYPES, CLASSES = 16 };

static uint64_t state;
static double uniform(void) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static int below(int n) { return (int)(uniform() * n); }

struct scene {
    struct heddle_jobs_machine machine;
    struct heddle_jobs_choice choice;
    struct heddle_jobs_device device[DEVICES];
    struct heddle_jobs_time time[TYPES * CLASSES];
    double move[TYPES * CLASSES * CLASSES], rest[DEVICES];
    struct heddle_jobs_kind kind[KINDS];
    long queued[DEVICES * TYPES], running[DEVICES * TYPES], left[KINDS];
};

static const char *policy = "";
static void put(void *with, int kind, int device, long count) {
    struct scene *s = with;
    assert_in_range(kind, 0, s->choice.kinds - 1);
    assert_in_range(device, 0, s->machine.devices - 1);
    if (count < 1 || count > s->left[kind])
        fail_msg("%s: %ld of %ld jobs of kind %d for %d", policy, count, s->left[kind], kind, device);
    assert_true(heddle__jobs_each(&s->machine, s->kind[kind].type, -1, device) >= 0);
    assert_false(isinf(s->rest[device]));
    s->left[kind] -= count;
}

static double any_time(int mode) {
    return mode == 0 ? 0 : mode == 1 ? exp(60 * uniform() - 40) : mode == 2 ? 1e-6 : 1e-6 * uniform();
}

static void make(struct scene *s) {
    memset(s, 0, sizeof *s);
    struct heddle_jobs_machine *m = &s->machine;
    const int mode = below(5);
    *m = (struct heddle_jobs_machine){.devices = 1 + below(below(3) ? 12 : DEVICES), .types = 1 + below(TYPES)};
    m->classes = 1 + below(m->devices < CLASSES ? m->devices : CLASSES);
    m->device = s->device;
    m->time = s->time;
    m->move = s->move;
    m->far = below(2) ? s->move : NULL;
    m->parameter = below(2) ? 0 : 1 + below(100);
    for (int d = 0; d < m->devices; d++) {
        s->device[d] = (struct heddle_jobs_device){d ? d : -1, d % m->classes, d, d / 8};
        s->rest[d] = below(4) ? any_time(mode) : below(3) ? 0 : HUGE_VAL;
    }
    for (int k = 0; k < m->types * m->classes; k++)
        s->time[k] = (struct heddle_jobs_time){any_time(mode), below(6) ? any_time(mode) : -1};
    for (int k = 0; k < m->types * m->classes * m->classes; k++)
        s->move[k] = any_time(mode);
    struct heddle_jobs_choice *c = &s->choice;
    *c = (struct heddle_jobs_choice){.machine = m, .kind = s->kind, .rest = s->rest, .queued = s->queued};
    c->running = s->running;
    c->put = put;
    c->with = s;
    c->asking = below(m->devices + 1) - 1;
    for (int t = 0; t < m->types; t++)
        for (int d = -1; d < m->devices && c->kinds < KINDS; d++)
            if (below(2))
                s->kind[c->kinds++] = (struct heddle_jobs_kind){t, d, below(3) ? below(50000) : below(3)};
    for (int k = 0; k < m->devices * m->types; k++)
        if (s->time[k % m->types * m->classes + s->device[k / m->types].class].each >= 0)
            s->queued[k] = below(3) ? 0 : below(1000);
    for (int j = 0; j < c->kinds; j++)
        s->left[j] = s->kind[j].count;
}

static bool can_run(const struct scene *s, int type) {
    for (int d = 0; d < s->machine.devices; d++)
        if (!isinf(s->rest[d]) && heddle__jobs_each(&s->machine, type, -1, d) >= 0)
            return true;
    return false;
}

static void move_jobs(struct scene *s, const struct heddle_jobs_policy *p, void *with) {
    const int types = s->machine.types;
    for (int turn = 0; p->steal && s->choice.asking >= 0; turn++) {
        struct heddle_jobs_move m;
        assert_true(turn < 1000);
        if (!p->steal(with, &s->choice, &m))
            return;
        assert_true(m.count > 0 && m.from != m.to && m.count <= s->queued[m.from * types + m.type]);
        assert_true(heddle__jobs_each(&s->machine, m.type, -1, m.to) >= 0);
        s->queued[m.from * types + m.type] -= m.count;
        s->queued[m.to * types + m.type] += m.count;
    }
}

static void take_batches(struct scene *s, const struct heddle_jobs_policy *p, void *with) {
    const int types = s->machine.types;
    for (int turn = 0; p->batch && s->choice.asking >= 0 && heddle__jobs_waiting(&s->choice, s->choice.asking);
         turn++) {
        struct heddle_jobs_batch b = {-1, 0};
        assert_true(turn < 10000);
        p->batch(with, &s->choice, &b);
        long *queued = &s->queued[s->choice.asking * types + b.type];
        assert_true(b.type >= 0 && b.count > 0 && b.count <= *queued);
        *queued -= b.count;
    }
}

static void all_is_placed_once_and_where_it_runs(void **unused) {
    (void)unused;
    static struct scene s;
    for (unsigned turn = 0; turn < 3000; turn++)
        for (int k = 0; heddle_jobs_policies[k]; k++) {
            const struct heddle_jobs_policy *p = heddle_jobs_policies[k];
            policy = p->name;
            state = turn + 1;
            make(&s);
            void *with = p->start(&s.machine);
            assert_non_null(with);
            p->place(with, &s.choice);
            for (int j = 0; j < s.choice.kinds && strcmp(p->name, "tan09"); j++)
                if (s.left[j] != (can_run(&s, s.kind[j].type) ? 0 : s.kind[j].count))
                    fail_msg("seed %u, %s: %ld of %ld jobs of kind %d are left", turn + 1, p->name, s.left[j],
                             s.kind[j].count, j);
            move_jobs(&s, p, with);
            take_batches(&s, p, with);
            p->stop(with);
        }
}

static void deals_keep_sums(void **unused) {
    (void)unused;
    double share[DEVICES];
    long out[DEVICES];
    for (unsigned turn = 0; turn < 20000; turn++) {
        state = turn;
        const int n = 1 + below(DEVICES);
        const long count = below(3) ? below(100000) : below(5);
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += share[k] = below(3) ? exp(20 * uniform() - 10) : 0;
        heddle__jobs_deal(n, share, count, out);
        long dealt = 0;
        for (int k = 0; k < n; k++) {
            dealt += out[k];
            assert_true(out[k] >= 0 && (share[k] > 0 || !out[k]));
            assert_true(!(sum > 0) || fabs((double)out[k] - share[k] / sum * (double)count) < 1 + 1e-6);
        }
        assert_true(dealt == (sum > 0 ? count : 0));
    }
}

static void rest_is_expected_anew_when_overdue(void **unused) {
    (void)unused;
    assert_true(fabs(heddle__jobs_rest(5, 2, 1) - 3) < 1e-12);
    assert_true(fabs(heddle__jobs_rest(5, 6, 0.5) - 2.5) < 1e-12);
    assert_true(heddle__jobs_rest(5, 5, 0.5) == 0);
}

/* ---- an application's rule ------------------------------------------------------------------------------------- */
static bool no_leaves_on_the_host(void *with, const struct heddle_jobs_choice *c, const double *x,
                                  struct heddle_jobs_pair *out) {
    (void)with;
    for (int j = 0; j < c->kinds; j++)
        if (c->kind[j].type == 1 && x[j * c->machine->devices] > 0) {
            *out = (struct heddle_jobs_pair){j, 0};
            return true;
        }
    return false;
}

static void an_applications_rule_is_asked(void **unused) {
    (void)unused;
    static struct scene s;
    const struct heddle_jobs_time time[] = {{0.1, 2e-3}, {0.1, 1e-3}, {0, 1e-3}, {0, 1e-3}};
    double x[4], share = 0;
    struct heddle_jobs_pair pair;
    memset(&s, 0, sizeof s);
    s.machine = (struct heddle_jobs_machine){.devices = 2, .classes = 2, .types = 2, .device = s.device, .time = time};
    s.machine.move = s.move;
    s.device[0] = (struct heddle_jobs_device){-1, 0, 0, 0};
    s.device[1] = (struct heddle_jobs_device){0, 1, 1, 0};
    s.choice = (struct heddle_jobs_choice){&s.machine, .kinds = 2, .kind = s.kind, .rest = s.rest, .queued = s.queued};
    s.choice.put = put;
    s.choice.with = &s;
    s.choice.rule = no_leaves_on_the_host;
    for (int j = 0; j < 2; j++)
        s.kind[j] = (struct heddle_jobs_kind){j, -1, s.left[j] = 1000};
    heddle__jobs_lp.place(&s, &s.choice);
    assert_true(!s.left[0] && !s.left[1]);
    for (int k = 0; k < 4; k++)
        share += x[k] = k == 2;
    assert_true(no_leaves_on_the_host(NULL, &s.choice, x, &pair) && pair.kind == 1 && share > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_placed_once_and_where_it_runs),
        cmocka_unit_test(deals_keep_sums),
        cmocka_unit_test(rest_is_expected_anew_when_overdue),
        cmocka_unit_test(an_applications_rule_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
