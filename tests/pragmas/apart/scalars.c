/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that a loop reads may be what it writes through a pointer: those of file scope, and those whose address
 * somebody has. */
// overlaps: them
// apart: beside
#include <stdio.h>
#include <string.h>

enum { N = 8 };
long scale = 3;

static void global(int n, unsigned char *x) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        x[i] += scale == 3;
}

/* the bytes of one number, by a pointer to them */
static long bytes(int n, const char *from, int them, char *other) {
    long x = 1;
    char *to = them ? (char *)&x : other;
#pragma heddle for
    for (int i = 0; i < n; i++)
        to[i] = (char)(from[i] + (x == 1));
    return x;
}

int main(int argc, char **argv) {
    static unsigned char x[N];
    static char from[N], other[N];
    const int them = argc > 1 && !strcmp(argv[1], "them");
    long sum = 0;
    for (int i = 0; i < N; i++) {
        from[i] = (char)(i * 3);
        x[i] = (unsigned char)i;
    }
    global(N, them ? (unsigned char *)&scale : x);
    sum = bytes(N, from, them, other);
    for (int i = 0; i < N; i++)
        sum = sum * 31 + x[i] + other[i];
    printf("%ld %ld\n", sum, scale);
    return 0;
}
