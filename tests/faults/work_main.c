/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults-work NAME [times]: runs it, compares with the plain program. 0: right; 3: wrong.
 */
#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the torture test must find. */
static int leak(void) {
    static void *volatile kept; /* of the last one there may be a copy somewhere */
    for (int k = 0; k < 10; k++)
        kept = malloc(4000);
    kept = NULL;
    return kept != NULL;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "leak"))
        return leak();
    const int times = argc > 2 ? atoi(argv[2]) : 2;
    for (int k = 0; argc > 1 && plain_work[k].name; k++) {
        if (strcmp(plain_work[k].name, argv[1]))
            continue;
        for (int n = 0; n < times; n++)
            if (heddle_work[k].run() != plain_work[k].run()) {
                printf("%s: run %d is wrong\n", argv[1], n + 1);
                return 3;
            }
        return 0;
    }
    fprintf(stderr, "usage: faults-work NAME [times]\n");
    return 2;
}
