/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of iterations as sorted intervals. They stay few: a schedule cuts at a few places, and lost chunks come back. */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

static bool grow(struct heddle__interval_set *s) {
    if (s->count < s->room)
        return true;
    const int room = s->room ? 2 * s->room : 16;
    struct heddle_loop_chunk *at = realloc(s->at, (size_t)room * sizeof *at);
    if (!at)
        return false;
    s->at = at;
    s->room = room;
    return true;
}

static void erase(struct heddle__interval_set *s, int k) {
    memmove(s->at + k, s->at + k + 1, (size_t)(s->count - k - 1) * sizeof *s->at);
    s->count--;
}

bool heddle__interval_set_add(struct heddle__interval_set *s, struct heddle_loop_chunk c) {
    if (c.count <= 0)
        return true;
    if (!grow(s))
        return false;
    int k = 0;
    while (k < s->count && s->at[k].first < c.first)
        k++;
    memmove(s->at + k + 1, s->at + k, (size_t)(s->count - k) * sizeof *s->at);
    s->at[k] = c;
    s->count++;
    s->left += c.count;
    if (k + 1 < s->count && s->at[k].first + s->at[k].count == s->at[k + 1].first) {
        s->at[k].count += s->at[k + 1].count;
        erase(s, k + 1);
    }
    if (k > 0 && s->at[k - 1].first + s->at[k - 1].count == s->at[k].first) {
        s->at[k - 1].count += s->at[k].count;
        erase(s, k);
    }
    return true;
}

struct heddle_loop_chunk heddle__loop_take(struct heddle_loop_chunk *from, long want) {
    const struct heddle_loop_chunk c = {from->first, want < from->count ? want : from->count};
    from->first += c.count;
    from->count -= c.count;
    return c;
}

struct heddle_loop_chunk heddle__interval_set_take(struct heddle__interval_set *s, int k, long want) {
    const struct heddle_loop_chunk c = heddle__loop_take(&s->at[k], want);
    s->left -= c.count;
    if (!s->at[k].count)
        erase(s, k);
    return c;
}

struct heddle_loop_chunk heddle__interval_set_take_at(struct heddle__interval_set *s, int k, long at, long want) {
    const long before = at - s->at[k].first;
    if (before <= 0 || !grow(s)) /* without room for a cut, the beginning is as right, if not as good */
        return heddle__interval_set_take(s, k, want);
    memmove(s->at + k + 1, s->at + k, (size_t)(s->count - k) * sizeof *s->at);
    s->count++;
    s->at[k].count = before;
    s->at[k + 1].first += before;
    s->at[k + 1].count -= before;
    return heddle__interval_set_take(s, k + 1, want);
}

void heddle__interval_set_free(struct heddle__interval_set *s) {
    free(s->at);
    *s = (struct heddle__interval_set){0};
}
