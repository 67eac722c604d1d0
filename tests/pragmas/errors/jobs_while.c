/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct list HEDDLE_LIST(int);
void f(struct list *a)
{
#pragma heddle jobs
    for (long k = 0; k < a->count; k++)
        a->at[k]++;
}
#pragma heddle jobs
int x;
// expect: 7:5: error: '#pragma heddle jobs' has to stand before while (list->count || …) { … }, the loop that ends when all lists are empty
// expect: 10:1: error: '#pragma heddle jobs' outside a function; put it before the while loop
