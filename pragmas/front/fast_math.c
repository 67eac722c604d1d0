/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the command line lets floating-point sums be added in another order. The last word counts, as in clang;
 * -Ofast is -ffast-math until another -O comes.
 */
#include "front/unit.h"

#include <string.h>

static const struct {
    const char *word;
    bool allows;
} words[] = {{"-ffast-math", true},
             {"-fassociative-math", true},
             {"-funsafe-math-optimizations", true},
             {"-ffp-model=fast", true},
             {"-ffp-model=aggressive", true},
             {"-fno-fast-math", false},
             {"-fno-associative-math", false},
             {"-fno-unsafe-math-optimizations", false},
             {"-ffp-model=precise", false},
             {"-ffp-model=strict", false}};

bool fast_math_reassociates(const char *const *args, size_t n) {
    bool allows = false, optimises = false; /* optimises: by -Ofast */
    for (size_t i = 0; i < n; i++) {
        if (strncmp(args[i], "-O", 2) == 0)
            optimises = strcmp(args[i], "-Ofast") == 0;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strcmp(args[i], words[k].word) == 0)
                allows = words[k].allows, optimises &= words[k].allows;
    }
    return allows || optimises;
}
