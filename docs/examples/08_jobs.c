/* SPDX-License-Identifier: Apache-2.0 */
/* Work that appears while it is done: which circles of a picture touch, by halving the picture until few are left. */
#include <heddle/list.h>
#include <stdio.h>
#include <stdlib.h>

enum { CIRCLES = 4000, FEW = 16, DEPTH = 8 };

struct circle {
    float x, y, r;
};
struct square { /* of the picture, with the circles that reach into it: names[first] … */
    float x, y, side;
    int depth;
};
struct pair {
    int a, b;
};
struct squares HEDDLE_LIST(struct square);
struct pairs HEDDLE_LIST(struct pair);

static int reaches(const struct circle *c, const struct square *s) {
    return c->x + c->r >= s->x && c->x - c->r < s->x + s->side && c->y + c->r >= s->y && c->y - c->r < s->y + s->side;
}

static int touch(const struct circle *a, const struct circle *b) {
    const float dx = a->x - b->x, dy = a->y - b->y, r = a->r + b->r;
    return dx * dx + dy * dy <= r * r;
}

/* Quarters of the square go on the list, or the square to those whose circles are compared. */
static void divide(const struct square *s, int n, const struct circle *circle, struct squares *todo,
                   struct squares *leaves) {
    int here = 0;
    for (int k = 0; k < n; k++)
        here += reaches(&circle[k], s);
    if (here <= FEW || s->depth == DEPTH) {
        if (here > 1)
            heddle_list_append(leaves, *s);
        return;
    }
    const float half = s->side / 2;
    for (int q = 0; q < 4; q++)
        heddle_list_append(
            todo, (struct square){s->x + (float)(q & 1) * half, s->y + (float)(q >> 1) * half, half, s->depth + 1});
}

/* A pair is found in the square that holds the left upper corner of what both cover. */
static int belongs(const struct circle *a, const struct circle *b, const struct square *s) {
    const float ax = a->x - a->r, bx = b->x - b->r, ay = a->y - a->r, by = b->y - b->r;
    const float x = ax > bx ? ax : bx, y = ay > by ? ay : by;
    return x >= s->x && x < s->x + s->side && y >= s->y && y < s->y + s->side;
}

static void compare(const struct square *s, int n, const struct circle *circle, struct pairs *found) {
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n && reaches(&circle[a], s); b++)
            if (belongs(&circle[a], &circle[b], s) && touch(&circle[a], &circle[b]))
                heddle_list_append(found, (struct pair){a, b});
}

static long touching(int n, const struct circle *circle) {
    struct squares squares = {0}, leaves = {0}, *todo = &squares, *small = &leaves;
    struct pairs pairs = {0}, *found = &pairs;
    long sum = 0, looked = 0;
    heddle_list_append(todo, (struct square){0, 0, 1, 0});
#pragma heddle jobs
    while (todo->count || small->count) {
#pragma heddle for append(todo, small) map(to : circle[0 : n])
        for (long k = 0; k < todo->count; k++) {
            const struct square s = todo->at[k];
            divide(&s, n, circle, todo, small);
        }
        heddle_list_clear(todo);
#pragma heddle for append(found) map(to : circle[0 : n]) reduction(+ : looked)
        for (long k = 0; k < small->count; k++) {
            const struct square s = small->at[k];
            compare(&s, n, circle, found);
            looked++;
        }
        heddle_list_clear(small);
    }
    for (long k = 0; k < found->count; k++) /* in any order: a sum does not mind */
        sum += (long)found->at[k].a * 7 + found->at[k].b;
    printf("%ld squares, %ld pairs touch, checksum %ld\n", looked, found->count, sum);
    heddle_list_free(todo);
    heddle_list_free(small);
    heddle_list_free(found);
    return sum;
}

int main(void) {
    struct circle *circle = malloc(CIRCLES * sizeof *circle);
    unsigned long random = 2013;
    if (!circle)
        return 1;
    for (int k = 0; k < CIRCLES; k++) {
        float value[3];
        for (int d = 0; d < 3; d++) {
            random = random * 6364136223846793005ul + 1442695040888963407ul;
            value[d] = (float)(random >> 40) / (float)(1 << 24);
        }
        circle[k] = (struct circle){0.01f + 0.98f * value[0], 0.01f + 0.98f * value[1], 0.001f + 0.008f * value[2]};
    }
    touching(CIRCLES, circle);
    free(circle);
    return 0;
}
