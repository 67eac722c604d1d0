/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No variable in the device code here: regions of such programs never move (state.c).
 *
 * cases [NAME...]: one check per thing that must not be moved wrongly. Each passes with plain
 * libomptarget too; status 0, or the number of wrong cases.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1000, ROUNDS = 12 };

struct node {
    int value;
    struct node *next;
};

/* Deep structures by attached pointers, followed on the device. */
static int list(void) {
    struct node *head = NULL;
    int sum = 0, wrong = 0;
    for (int k = 0; k < 10; k++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){k, head};
        head = n;
    }
#pragma omp target enter data map(to : head[0 : 1])
    for (struct node *n = head; n->next; n = n->next) {
        struct node *cur = n;
#pragma omp target enter data map(to : cur->next[0 : 1])
    }
    for (int k = 0; k < ROUNDS; k++) {
        sum = 0;
#pragma omp target map(tofrom : sum)
        for (struct node *n = head; n; n = n->next)
            sum += n->value++;
        wrong += sum != 45 + 10 * k;
    }
    for (struct node *n = head, *after; n; n = after) {
        after = n->next;
#pragma omp target exit data map(release : n[0 : 1])
        free(n);
    }
    return wrong;
}

struct image {
    int w, h;
    float *pixels;
};

static int structures(void) {
    static struct image im;
    im = (struct image){20, 10, malloc(200 * sizeof(float))};
    for (int i = 0; i < 200; i++)
        im.pixels[i] = 1;
#pragma omp target data map(to : im) map(tofrom : im.pixels[0 : 200])
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < im.w * im.h; i++)
            im.pixels[i] += 1;
    }
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for map(tofrom : im.pixels[0 : 200])
        for (int i = 0; i < 200; i++)
            im.pixels[i] += 1;
    }
    const int wrong = im.pixels[0] != 1 + 2 * ROUNDS || im.pixels[199] != 1 + 2 * ROUNDS;
    free(im.pixels);
    return wrong;
}

typedef struct {
    int n;
    double *v;
} vector;
#pragma omp declare mapper(vector s) map(s, s.v[0 : s.n])

static int mappers(void) {
    static vector s;
    s = (vector){N, malloc(N * sizeof(double))};
    for (int i = 0; i < N; i++)
        s.v[i] = i;
#pragma omp target map(tofrom : s) /* once: LLVM 19 leaves it mapped */
    for (int i = 0; i < s.n; i++)
        s.v[i] += 1;
    return s.v[0] != 1 || s.v[N - 1] != N;
}

struct holder {
    int n, *p;
};

/* A pointer inside mapped data, which points at data that is mapped later. */
static int attached(void) {
    static int data[N];
    static struct holder h;
    int wrong = 0;
    memset(data, 0, sizeof data);
    h = (struct holder){0, data};
#pragma omp target enter data map(to : h)
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target /* may go to another device, and h with it */
        h.n++;
    }
#pragma omp target enter data map(to : h.p[0 : N])
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target
        for (int i = 0; i < N; i++)
            h.p[i] += h.n;
    }
#pragma omp target exit data map(from : h.p[0 : N])
#pragma omp target update from(h.n)
#pragma omp target exit data map(release : h)
    for (int i = 0; i < N; i++)
        wrong += data[i] != ROUNDS * ROUNDS;
    return wrong || h.n != ROUNDS || h.p != data;
}

/* The region maps both itself. */
static int own_attached(void) {
    static int data[N];
    struct holder h = {1, data}, *s = &h;
    int wrong = 0;
    memset(data, 0, sizeof data);
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target map(to : s[0 : 1]) map(tofrom : s->p[0 : N])
        for (int i = 0; i < N; i++)
            s->p[i] += s->n;
    }
    for (int k = 0; k < ROUNDS; k++) {
        long sum = 0;
#pragma omp target map(to : s[0 : 1]) map(to : s->p[0 : N]) map(tofrom : sum)
        for (int i = 0; i < N; i++) /* in the device's copy: the program's stays as it is */
            sum += s->p[i] += s->n;
        wrong += sum != (long)N * (ROUNDS + 1);
    }
    for (int i = 0; i < N; i++)
        wrong += data[i] != ROUNDS;
    return wrong || h.p != data;
}

/* Every second element; the call carries a descriptor, not a size. */
static int strided(void) {
    static int a[N];
    int wrong = 0;
#pragma omp target enter data map(to : a)
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
#pragma omp target update from(a[0 : N / 2 : 2])
    for (int i = 0; i < N / 2; i += 2) /* LLVM 19 takes one-dimensional strides for 1 */
        wrong += a[i] != ROUNDS;
#pragma omp target exit data map(delete : a)
    return wrong != 0;
}

static int named_devices(void) {
    const int devices = omp_get_num_devices();
    int a[N], wrong = 0;
    for (int d = 0; d <= devices; d++) {
        int where = -1;
        memset(a, 0, sizeof a);
#pragma omp target enter data map(to : a) device(d)
        for (int k = 0; k < ROUNDS; k++) {
#pragma omp target map(from : where) device(d)
            {
                where = omp_get_device_num();
                for (int i = 0; i < N; i++)
                    a[i] += d + 1;
            }
        }
#pragma omp target update from(a) device(d)
#pragma omp target exit data map(delete : a) device(d)
        wrong += a[N - 1] != ROUNDS * (d + 1);
        wrong += d < devices && where != d && where != devices; /* x86_64 devices say: the host */
    }
    return wrong;
}

/* The default device, but by number. */
static int obeyed(void) {
    int a[N] = {0}, device = omp_get_default_device();
#pragma omp target enter data map(to : a) device(device)
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for device(device)
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
#pragma omp target exit data map(from : a) device(device)
    return a[0] != ROUNDS || a[N - 1] != ROUNDS;
}

/* One array mapped on two devices by the program's own word. */
static int two_devices(void) {
    int a[N] = {0}, here = 0, there = 0;
    if (omp_get_num_devices() < 2)
        return 0;
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a) device(1)
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma omp target teams distribute parallel for device(1)
        for (int i = 0; i < N; i++)
            a[i] += 2;
    }
#pragma omp target update from(a)
    here = a[N - 1];
#pragma omp target update from(a) device(1)
    there = a[N - 1];
#pragma omp target exit data map(delete : a) device(1)
#pragma omp target exit data map(delete : a)
    return here != ROUNDS || there != 2 * ROUNDS;
}

static int default_device(void) {
    const int devices = omp_get_num_devices(), old = omp_get_default_device();
    int a[N] = {0};
    for (int k = 0; k < ROUNDS; k++) {
        omp_set_default_device(k % (devices ? devices : 1));
#pragma omp target data map(tofrom : a)
        {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++)
                a[i] += 1;
        }
    }
    omp_set_default_device(old);
    return a[0] != ROUNDS || a[N - 1] != ROUNDS;
}

static int associated(void) {
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    int a[N] = {0}, wrong = 0;
    int *there = omp_target_alloc(sizeof a, device);
    if (!there || device == host)
        return 0;
    omp_target_memcpy(there, a, sizeof a, 0, 0, device, host);
    wrong += omp_target_associate_ptr(a, there, sizeof a, 0, device) != 0;
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for map(tofrom : a)
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
    wrong += omp_get_mapped_ptr(a, device) != there;
    omp_target_memcpy(a, there, sizeof a, 0, 0, host, device);
    wrong += omp_target_disassociate_ptr(a, device) != 0;
    omp_target_free(there, device);
    return wrong + (a[N - 1] != ROUNDS);
}

/* A region tells the program where its mapped data is; the address then goes back into another. */
static int told_addresses(void) {
    static int a[N];
    int *there = NULL;
#pragma omp target enter data map(to : a)
#pragma omp target map(from : there)
    there = &a[0];
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma omp target is_device_ptr(there)
        for (int i = 0; i < N; i++)
            there[i] += 1;
    }
#pragma omp target exit data map(from : a)
    return a[0] != 2 * ROUNDS || a[N - 1] != 2 * ROUNDS;
}

static int present(void) {
    int a[N] = {0}, wrong = 0;
#pragma omp target enter data map(to : a)
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
        for (int d = 0; d < omp_get_num_devices(); d++)
            wrong += omp_target_is_present(a, d) != (d == omp_get_default_device());
    }
#pragma omp target exit data map(from : a)
    return wrong + (a[0] != ROUNDS);
}

static int *read_by, *written_by, *moved_by;

/* Sections of pointers with static storage: the device has a copy of the pointer, and what a region does to that copy
   must not reach the host's. */
static int static_pointers(void) {
    int wrong = 0;
    int *const start = moved_by = calloc(N, sizeof *moved_by);
    read_by = malloc(N * sizeof *read_by), written_by = calloc(N, sizeof *written_by);
    for (int i = 0; i < N; i++)
        read_by[i] = i;
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for map(to : read_by[0 : N]) map(tofrom : written_by[0 : N])
        for (int i = 0; i < N; i++)
            written_by[i] += read_by[i];
#pragma omp target map(tofrom : moved_by[0 : N])
        {
            moved_by++;
            moved_by[0] += 1;
        }
        wrong += moved_by != start;
    }
    for (int i = 0; i < N; i++)
        wrong += written_by[i] != ROUNDS * i || read_by[i] != i || start[i] != (i == 1 ? ROUNDS : 0);
    free(start), free(read_by), free(written_by);
    return wrong;
}

/* Regions inside nested parallel regions, some of them nowait. Serial regions: on x86_64 devices LLVM 19's libomp
   aborts over nested teams, with or without heddle. */
static int nesting(void) {
    int *a = calloc(16 * N, sizeof *a), wrong = 0;
    omp_set_max_active_levels(2);
#pragma omp target map(tofrom : a[0 : N]) nowait /* LLVM 19's libomp must not start its helper threads in there */
    a[0] = 0;
#pragma omp taskwait
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp parallel num_threads(2)
        {
            const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
            {
                int *mine = a + (outer * 2 + omp_get_thread_num()) * N;
#pragma omp target map(tofrom : mine[0 : N])
                for (int i = 0; i < N; i++)
                    mine[i] += 1;
#pragma omp target map(tofrom : mine[0 : N]) nowait
                for (int i = 0; i < N; i++)
                    mine[i] += 1;
#pragma omp taskwait
            }
        }
    }
    for (int t = 0; t < 4; t++)
        wrong += a[t * N] != 2 * ROUNDS || a[t * N + N - 1] != 2 * ROUNDS;
    free(a);
    return wrong;
}

static void *native(void *p) {
    int *a = p;
    for (int k = 0; k < ROUNDS * 4; k++) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : N])
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
    return NULL;
}

/* Threads that OpenMP did not make. */
static int native_threads(void) {
    pthread_t t[4];
    int *a = calloc(4 * N, sizeof *a), wrong = 0;
    for (int k = 0; k < 4; k++)
        pthread_create(&t[k], NULL, native, a + k * N);
    for (int k = 0; k < 4; k++)
        pthread_join(t[k], NULL);
    for (int k = 0; k < 4; k++)
        wrong += a[k * N + 5] != ROUNDS * 4;
    free(a);
    return wrong;
}

/* Two threads come to the same region at once; the script has a device refuse both. The data is where the region before
 * ran. */
struct together {
    int *a;
    pthread_barrier_t *meet;
};

static void *one_of_two(void *argument) {
    const struct together *w = argument;
    int *a = w->a;
#pragma omp target data map(tofrom : a[0 : N])
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += i;
        pthread_barrier_wait(w->meet);
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] ^= k + 1;
        pthread_barrier_wait(w->meet);
    }
    return NULL;
}

static int two_at_once(void) {
    static int a[2][N];
    struct together with[2];
    pthread_barrier_t meet;
    pthread_t t[2];
    int wrong = 0;
    memset(a, 0, sizeof a);
    pthread_barrier_init(&meet, NULL, 2);
    for (int k = 0; k < 2; k++) {
        with[k] = (struct together){a[k], &meet};
        pthread_create(&t[k], NULL, one_of_two, &with[k]);
    }
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N; i++) {
            int expected = 0;
            for (int j = 0; j < ROUNDS; j++)
                expected = (expected + i) ^ (j + 1);
            wrong += a[k][i] != expected;
        }
    pthread_barrier_destroy(&meet);
    return wrong;
}

/* One environment, regions of several threads on parts of it, and one thread that updates. */
static int shared_environment(void) {
    static int a[8][N];
    int wrong = 0;
    memset(a, 0, sizeof a);
#pragma omp target enter data map(to : a)
#pragma omp parallel for num_threads(4)
    for (int t = 0; t < 8; t++)
        for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++)
                a[t][i] += t;
        }
#pragma omp target exit data map(from : a)
    for (int t = 0; t < 8; t++)
        wrong += a[t][N - 1] != t * ROUNDS;
    return wrong;
}

/* Each thread has an environment of its own that comes and goes while those of others move. */
static int coming_and_going(void) {
    static int a[4][N];
    int wrong = 0;
    memset(a, 0, sizeof a);
#pragma omp parallel for num_threads(4) reduction(+ : wrong)
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < ROUNDS; k++) {
            int *p = a[t];
#pragma omp target enter data map(to : p[0 : N])
            for (int r = 0; r < 4; r++) {
#pragma omp target
                for (int i = 0; i < N; i++)
                    p[i] += t + 1;
                if (r == 2) {
#pragma omp target update from(p[0 : N])
                    wrong += p[N - 1] != (4 * k + 3) * (t + 1);
                }
            }
#pragma omp target exit data map(from : p[0 : N])
            wrong += p[0] != 4 * (k + 1) * (t + 1);
        }
    return wrong;
}

/* Updates and mappings as tasks: the values must be there when the task that depends on them runs. */
static int update_nowait(void) {
    static int a[N], b[N];
    int wrong = 0;
    memset(a, 0, sizeof a);
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma omp target enter data map(alloc : a, b) depend(out : a) nowait
#pragma omp target update to(a) depend(inout : a) nowait
#pragma omp target map(a, b) depend(inout : a) nowait
        for (int i = 0; i < N; i++)
            b[i] = a[i] *= 2;
#pragma omp target update from(b) depend(inout : a) nowait
#pragma omp target exit data map(from : a) map(release : b) depend(inout : a) nowait
#pragma omp taskwait
        wrong += b[N - 1] != a[N - 1] || a[0] != (2 << k) * 2 - 2;
    }
    return wrong;
}

static int fork_after_start(void) {
    int a[N] = {0};
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < N; i++)
        a[i] += 1;
    const pid_t child = fork();
    if (child == 0)
        _exit(a[N - 1] == 1 ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < N; i++)
        a[i] += 1;
    return status != 0 || a[0] != 2;
}

static const struct {
    const char *name;
    int (*run)(void);
} cases[] = {
    {"list", list},
    {"structures", structures},
    {"mappers", mappers},
    {"strided", strided},
    {"named-devices", named_devices},
    {"obeyed", obeyed},
    {"two-devices", two_devices},
    {"default-device", default_device},
    {"associated", associated},
    {"told-addresses", told_addresses},
    {"present", present},
    {"static-pointers", static_pointers},
    {"attached", attached},
    {"own-attached", own_attached},
    {"nesting", nesting},
    {"native-threads", native_threads},
    {"two-at-once", two_at_once},
    {"shared-environment", shared_environment},
    {"coming-and-going", coming_and_going},
    {"update-nowait", update_nowait},
    {"fork", fork_after_start},
};

int main(int argc, char **argv) {
    int wrong = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int wanted = argc == 1;
        for (int j = 1; j < argc; j++)
            wanted |= !strcmp(argv[j], cases[k].name);
        if (!wanted)
            continue;
        const int bad = cases[k].run();
        if (bad)
            printf("%s: wrong\n", cases[k].name);
        wrong += bad != 0;
    }
    return wrong;
}
