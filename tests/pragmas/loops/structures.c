/* SPDX-License-Identifier: Apache-2.0 */
/* A structure by value whose pointers are mapped, one that only has numbers, arrays of structures, names of the block. */
#include "../run/run.h"

struct item { int key; float value[3]; };
struct scene { int items; const struct item *item; float *out; char name[8]; };
struct pair { struct scene inner; long shift; };

static float look(const struct scene *s, int key)
{
    float best = -1;
    for (int k = 0; k < s->items; k++)
        if (s->item[k].key % 7 == key % 7 && s->item[k].value[key % 3] > best)
            best = s->item[k].value[key % 3];
    return best;
}

static void scenes(int n)
{
    struct item items[40], moved[501];
    float *out = calloc((size_t)n + 1, sizeof *out);
    for (int k = 0; k < 40; k++)
        items[k] = (struct item){(int)(run_random() % 50), {(float)k, (float)(k % 9), (float)(k * k % 31)}};
    struct scene s = {40, items, out, "abc"};
    struct pair p = {s, 3};
    const int width = 1;
#pragma heddle for map(to: s.item[0 : s.items]) map(from: s.out[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        s.out[i] = look(&s, i) + (float)s.name[0];
    run_report("out", out, (size_t)n * sizeof *out);
#pragma heddle for map(to: p.inner.item[0 : 40]) map(tofrom: out[heddle_lo * width : heddle_count * width]) \
    map(from: moved[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        out[i] += look(&p.inner, i + (int)p.shift);
        moved[i] = (struct item){i, {1, 2, (float)i}};
    }
    run_report("out", out, (size_t)n * sizeof *out);
    run_report("moved", moved, (size_t)n * sizeof *moved);
    free(out);
}

/* Pointers to one structure need no map clause. */
struct window { int first, last, weight[4]; const float *elsewhere; };

static void pointed(const struct window *w, struct window *other)
{
    int y[300];
    long sum = 0;
#pragma heddle for map(from: y[heddle_lo : heddle_count]) reduction(+: sum)
    for (int i = w->first; i < w->last; i++) {
        y[i] = w->weight[i & 3] * i + (i & 1 ? (*other).first : w->last) + other->weight[2];
        sum += y[i];
    }
    run_report("y", y, sizeof y);
    run_report("sum", &sum, sizeof sum);
}

int main(void)
{
    struct window w = {0, 300, {1, 2, 3, 4}, NULL}, other = {7, 9, {5, 6, 7, 8}, NULL};
    pointed(&w, &other);
    scenes(1);
    scenes(100);
    scenes(501);
    return 0;
}
