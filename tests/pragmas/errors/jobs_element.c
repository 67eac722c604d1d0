/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct list HEDDLE_LIST(int);
static void look(const struct list *b, int *sum) { *sum += b->at[0]; }
void f(struct list *a, struct list *b)
{
    long sum = 0;
    int seen = 0;
#pragma heddle jobs
    while (a->count) {
#pragma heddle for append(b)
        for (long k = 0; k < a->count; k++)
            heddle_list_append(b, a->at[k + 1]);
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for append(b)
        for (long k = 0; k < a->count; k++) {
            a->at[k] = 3;
            heddle_list_append(b, a->at[k]);
        }
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for append(b) reduction(+ : sum)
        for (long k = 0; k < a->count; k++) {
            heddle_list_append(b, a->at[k]);
            sum += b->count;
        }
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < a->count; k++)
            sum += a->at[k] * k;
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for append(b) reduction(+ : sum)
        for (long k = 0; k < a->count; k++) {
            int here = a->at[k];
            look(b, &here);
            sum += here;
        }
        heddle_list_clear(a);
    }
    (void)seen;
}
// expect: 13:35: error: a job is one element: of 'a' the body may only read a->at[k]
// expect: 20:13: error: a job is only read, and may move when others are appended; copy it first
// expect: 30:20: error: jobs run in any order, so they cannot know what is in 'b'; they may only append to it
// expect: 38:31: error: the number of a job says nothing, since a list's elements are a set; 'k' may only stand in a->at[k]
// expect: 4:60: error: a function of jobs looks into a list, but it may only append to it
