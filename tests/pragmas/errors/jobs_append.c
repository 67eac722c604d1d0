/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct list HEDDLE_LIST(int);
struct other {
    long count;
    int *at;
};
void f(struct list *a, struct list *b, struct other *c, int *d, int n)
{
#pragma heddle jobs
    while (a->count) {
#pragma heddle for
        for (long k = 0; k < a->count; k++)
            heddle_list_append(b, a->at[k]);
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for
        for (long k = 0; k < a->count; k++)
            heddle_list_append(a, a->at[k] - 1);
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for append(b)
        for (long k = 0; k < a->count; k++) {
            const int x = a->at[k];
            (void)x;
        }
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for append(c)
        for (long k = 0; k < a->count; k++)
            c->at[c->count++] = a->at[k];
        heddle_list_clear(a);
    }
#pragma heddle for append(b) map(from : d[heddle_lo : heddle_count])
    for (int k = 0; k < n; k++)
        d[k] = k;
}
// expect: 14:32: error: 'b' is a list; if the loop appends to it, write append(b)
// expect: 21:32: error: 'a' is handed on; if jobs are appended to it, write append(a)
// expect: 26:27: error: 'append' of 'b', which the loop does not use; remove it
// expect: 35:27: error: 'c' does not point to a list, a structure that begins with long count, room; T *at; see heddle/list.h
// expect: 40:20: error: 'append' outside jobs; put the loop into a while loop with '#pragma heddle jobs' before it
