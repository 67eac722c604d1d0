/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of OpenMP that a thread makes while it records a graph whose own tasks they are not. */
#include "internal.h"

static _Thread_local struct heddle__strange expected;

struct heddle__strange heddle__strange_expect(struct heddle__strange s) {
    const struct heddle__strange before = expected;
    expected = s;
    return before;
}

void heddle__strange_met(void) {
    if (expected.met)
        expected.met(expected.with);
}
