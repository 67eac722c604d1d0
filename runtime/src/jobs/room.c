/* SPDX-License-Identifier: Apache-2.0 */
/* How many elements jobs of a type append at most, on average over a batch: what one execution learnt, the next ones
   begin with. Room that nobody needs is memory that is allocated and freed. */
#include "engine.h"

enum { KNOWN = 256 };
static struct {
    const struct heddle_loop_type *loop;
    int output;
    double each;
} known[KNOWN];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int find(const struct heddle_loop_type *loop, int output) {
    int k = 0;
    while (k < count && (known[k].loop != loop || known[k].output != output))
        k++;
    return k;
}

double heddle__jobs_room_recall(const struct heddle_loop_type *loop, int output, double unknown) {
    pthread_mutex_lock(&lock);
    const int k = find(loop, output);
    const double each = k < count ? known[k].each : unknown;
    pthread_mutex_unlock(&lock);
    return each;
}

void heddle__jobs_room_keep(const struct heddle_loop_type *loop, int output, double each) {
    pthread_mutex_lock(&lock);
    const int k = find(loop, output);
    if (k < KNOWN) {
        known[k].loop = loop;
        known[k].output = output;
        known[k].each = each > known[k].each ? each : known[k].each;
        count += k == count;
    }
    pthread_mutex_unlock(&lock);
}
