/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of regions that random programs are made of. */
#include "random.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

bool region_fits(int kind, const struct array *x, const struct array *z) {
    if (kind == 7 || kind == 12) /* relies on what is mapped */
        return x->maps && z->maps;
    if (kind == 9) /* names another device, where nothing of ours is */
        return !x->maps && !z->maps && omp_get_num_devices() > 1;
    if (kind == 3 || kind == 4) /* scratch memory and changed inputs: seen later only if it is mapped */
        return true;
    return true;
}

static void mix(word *z, long n, const word *x, long m, word c) {
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] * 3 + x[i % m] + c);
}

/* ---- the regions themselves ------------------------------------------------------------------------------ */

static void r_teams(word *x, long m, word *z, long n, word c) {
#pragma omp target teams distribute parallel for map(to : x[0 : m]) map(tofrom : z[0 : n])
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] * 3 + x[i % m] + c);
}

static void r_parallel(word *x, long m, word *z, long n, word c) {
#pragma omp target parallel for map(to : x[0 : m]) map(tofrom : z[0 : n])
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] * 3 + x[i % m] + c);
}

static void r_from(word *x, long m, word *z, long n, word c) {
#pragma omp target map(to : x[0 : m]) map(from : z[0 : n])
    for (long i = 0; i < n; i++)
        z[i] = clip(x[i % m] ^ c);
}

static void r_writes_input(word *x, long m, word *z, long n, word c) {
#pragma omp target map(to : x[0 : m]) map(tofrom : z[0 : n])
    {
        for (long i = 0; i < m; i++)
            x[i] = clip(x[i] + c);
        for (long i = 0; i < n; i++)
            z[i] = clip(z[i] * 3 + x[i % m] + c);
    }
}

static void r_scratch(word *x, long m, word *z, long n, word c) {
#pragma omp target map(alloc : x[0 : m]) map(tofrom : z[0 : n])
    {
        for (long i = 0; i < m; i++)
            x[i] = clip(z[i % n] + c);
        for (long i = 0; i < n; i++)
            z[i] = clip(z[i] * 3 + x[i % m] + c);
    }
}

static void r_always(word *x, long m, word *z, long n, word c) {
#pragma omp target teams distribute parallel for map(always, to : x[0 : m]) map(always, tofrom : z[0 : n])
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] * 3 + x[i % m] + c);
}

static word r_sum(word *x, long m, word c) {
    word sum = c;
#pragma omp target teams distribute parallel for map(to : x[0 : m]) map(tofrom : sum) reduction(+ : sum)
    for (long i = 0; i < m; i++)
        sum += x[i];
    return clip(sum);
}

static void r_implicit(word *x, long m, word *z, long n, word c) {
#pragma omp target
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] * 3 + x[i % m] + c);
}

struct pair {
    long n;
    word c;
    word *p;
};
static void r_struct(word *x, long m, word *z, long n, word c) {
    struct pair s = {n, c, z};
#pragma omp target map(tofrom : s.n, s.c) map(tofrom : s.p[0 : n]) map(to : x[0 : m])
    for (long i = 0; i < s.n; i++)
        s.p[i] = clip(s.p[i] * 3 + x[i % m] + s.c);
}

static void r_named(word *x, long m, word *z, long n, word c, int device) {
#pragma omp target map(to : x[0 : m]) map(tofrom : z[0 : n]) device(device)
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] * 3 + x[i % m] + c);
}

static void r_device_memory(word *x, long m, word *z, long n, word c) {
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    word *d = omp_target_alloc((size_t)m * sizeof *d, device);
    if (!d)
        return;
#pragma omp target is_device_ptr(d)
    for (long i = 0; i < m; i++)
        d[i] = 7;
    omp_target_memcpy(d, x, (size_t)m * sizeof *d, 0, 0, device, host);
#pragma omp target teams distribute parallel for is_device_ptr(d) map(tofrom : z[0 : n])
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] * 3 + d[i % m] + c);
    omp_target_free(d, device);
}

static void r_use_device_ptr(word *x, long m, word *z, long n, word c) {
#pragma omp target data map(to : x[0 : m]) use_device_ptr(x)
    {
#pragma omp target is_device_ptr(x) map(tofrom : z[0 : n])
        for (long i = 0; i < n; i++)
            z[i] = clip(z[i] * 3 + x[i % m] + c);
    }
}

/* Device addresses in mapped memory: made by one region, followed by another that does not name their target. */
static void r_chain(word *x, long m, word *z, long n, word c) {
    word *table[2] = {NULL, NULL};
#pragma omp target enter data map(to : table)
#pragma omp target map(to : x[0 : m])
    table[1] = x;
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n])
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] + c);
#pragma omp target map(tofrom : z[0 : n])
    for (long i = 0; i < n; i++)
        z[i] = clip(z[i] * 3 + table[1][i % m]);
#pragma omp target exit data map(delete : table)
}

static void r_nested_data(word *x, long m, word *z, long n, word c) {
#pragma omp target data map(to : x[0 : m]) map(tofrom : z[0 : n])
    {
#pragma omp target teams distribute parallel for
        for (long i = 0; i < n; i++)
            z[i] = clip(z[i] * 3 + x[i % m] + c);
#pragma omp target data map(tofrom : z[0 : n])
        {
#pragma omp target parallel for
            for (long i = 0; i < n; i++)
                z[i] = clip(z[i] * 3 + x[i % m] + c);
        }
    }
}

/* ---- both sides ------------------------------------------------------------------------------------------- */

static void model_writes_input(struct array *x, struct array *z, word c) {
    word *input = malloc((size_t)x->n * sizeof *input);
    for (long i = 0; i < x->n; i++)
        input[i] = clip(seen(x)[i] + c);
    mix(seen(z), z->n, input, x->n, c);
    if (x->maps) /* else the change dies with the region's own map */
        memcpy(x->device, input, (size_t)x->n * sizeof *input);
    free(input);
}

static void model_scratch(struct array *x, struct array *z, word c) {
    word *scratch = malloc((size_t)x->n * sizeof *scratch);
    for (long i = 0; i < x->n; i++)
        scratch[i] = clip(seen(z)[i % z->n] + c);
    mix(seen(z), z->n, scratch, x->n, c);
    if (x->maps)
        memcpy(x->device, scratch, (size_t)x->n * sizeof *scratch);
    free(scratch);
}

static void model_always(struct array *x, struct array *z, word c) {
    if (x->maps)
        memcpy(x->device, x->want, (size_t)x->n * sizeof(word));
    if (z->maps)
        memcpy(z->device, z->want, (size_t)z->n * sizeof(word));
    mix(seen(z), z->n, seen(x), x->n, c);
    if (z->maps)
        memcpy(z->want, z->device, (size_t)z->n * sizeof(word));
}

static void model_chain(struct array *x, struct array *z, word c) {
    for (long i = 0; i < z->n; i++)
        seen(z)[i] = clip(seen(z)[i] + c);
    mix(seen(z), z->n, seen(x), x->n, 0);
}

static void model(int kind, struct array *x, struct array *z, word c) {
    switch (kind) {
    case 2:
        for (long i = 0; i < z->n; i++)
            seen(z)[i] = clip(seen(x)[i % x->n] ^ c);
        break;
    case 3:
        model_writes_input(x, z, c);
        break;
    case 4:
        model_scratch(x, z, c);
        break;
    case 5:
        model_always(x, z, c);
        break;
    case 10: /* copies the host's x */
        mix(seen(z), z->n, x->want, x->n, c);
        break;
    case 12:
        model_chain(x, z, c);
        break;
    case 13:
        mix(seen(z), z->n, seen(x), x->n, c);
        /* fall through */
    default:
        mix(seen(z), z->n, seen(x), x->n, c);
    }
}

void region_run(int kind, struct array *x, struct array *z, word c, struct random *r) {
    static void (*const plain[])(word *, long, word *, long, word) = {
        r_teams,    r_parallel, r_from, r_writes_input,  r_scratch,        r_always, NULL,
        r_implicit, r_struct,   NULL,   r_device_memory, r_use_device_ptr, r_chain,  r_nested_data};
    if (kind == 6) {
        word sum = c;
        for (long i = 0; i < x->n; i++)
            sum += seen(x)[i];
        const word got = r_sum(x->at, x->n, c);
        /* the host keeps both, so that a wrong sum shows in the comparison */
        x->want[0] = clip(sum);
        x->at[0] = got;
        return;
    }
    model(kind, x, z, c);
    if (kind == 9)
        r_named(x->at, x->n, z->at, z->n, c, 1 + (int)below(r, omp_get_num_devices() - 1));
    else
        plain[kind](x->at, x->n, z->at, z->n, c);
}
