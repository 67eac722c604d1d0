/* SPDX-License-Identifier: Apache-2.0 */
/* 04_for: k-means. Points in the plane go to the nearest of a few centres, centres go to the mean of their points,
 * until no point changes its centre.
 *
 * The loop over the points is the work. `#pragma heddle for` deals its iterations to all devices and host threads at
 * once; each takes chunks as fast as it gets done. Coordinates are whole numbers, so that sums are exact and every
 * device computes the same. Without the pragma it is the serial program. */
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 200000, CENTRES = 12, SIDE = 1 << 14, ROUNDS = 200 };

struct point {
    int x, y;
};

static inline long distance(struct point a, struct point b) {
    const long dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy;
}

/* The nearest centre; of equally near ones the first. */
static int nearest(struct point p, const struct point *centre, int k) {
    int best = 0;
    for (int c = 1; c < k; c++)
        if (distance(p, centre[c]) < distance(p, centre[best]))
            best = c;
    return best;
}

/* Puts every point to its nearest centre. Returns how many changed, and the sum of all squared distances. */
static long assign(int n, const struct point *p, int k, const struct point *centre, int *group, long *squares) {
    long changed = 0, sum = 0;
#pragma heddle for map(to: p[heddle_lo : heddle_count], centre[0 : k]) map(tofrom: group[heddle_lo : heddle_count]) \
    reduction(+: changed, sum)
    for (int i = 0; i < n; i++) {
        const int now = nearest(p[i], centre, k);
        changed += now != group[i];
        sum += distance(p[i], centre[now]);
        group[i] = now;
    }
    *squares = sum;
    return changed;
}

/* Every centre moves to the mean of its points; one without points stays. */
static void move_centres(int n, const struct point *p, const int *group, int k, struct point *centre) {
    long x[CENTRES] = {0}, y[CENTRES] = {0}, members[CENTRES] = {0};
    for (int i = 0; i < n; i++)
        x[group[i]] += p[i].x, y[group[i]] += p[i].y, members[group[i]]++;
    for (int c = 0; c < k; c++)
        if (members[c])
            centre[c] = (struct point){(int)(x[c] / members[c]), (int)(y[c] / members[c])};
}

/* Clouds around seeded places, with a few points anywhere. */
static void generate(int n, struct point *p) {
    unsigned long seed = 42;
    for (int i = 0; i < n; i++) {
        int v[6];
        for (int k = 0; k < 6; k++) {
            seed = seed * 6364136223846793005ul + 1442695040888963407ul;
            v[k] = (int)(seed >> 40) % SIDE;
        }
        const int cloud = i % CENTRES;
        p[i] = i % 50 ? (struct point){cloud % 4 * 4000 + (v[0] + v[1] + v[2]) / 16,
                                       cloud / 4 * 5000 + (v[3] + v[4] + v[5]) / 16}
                      : (struct point){v[0], v[1]};
    }
}

int main(void) {
    static struct point p[POINTS];
    static int group[POINTS];
    struct point centre[CENTRES];
    long squares = 0, checked = 0, wrong = 0;
    int rounds = 0;
    generate(POINTS, p);
    for (int c = 0; c < CENTRES; c++)
        centre[c] = p[c * (POINTS / CENTRES)];
    for (int i = 0; i < POINTS; i++)
        group[i] = -1;
    while (assign(POINTS, p, CENTRES, centre, group, &squares) && ++rounds < ROUNDS)
        move_centres(POINTS, p, group, CENTRES, centre);
    for (int c = 0; c < CENTRES; c++)
        printf("centre %2d at %5d %5d\n", c, centre[c].x, centre[c].y);
    for (int i = 0; i < POINTS; i++) { /* once more, serially */
        wrong += group[i] != nearest(p[i], centre, CENTRES);
        checked += distance(p[i], centre[group[i]]);
    }
    wrong += checked != squares;
    printf("%d rounds, squared distances %ld: %s\n", rounds, squares, wrong ? "WRONG" : "ok");
    return wrong != 0;
}
