/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

long paths(int n);

int main(void) {
    long n = paths(16);
    printf("%ld\n", n);
    return n != 155117520;
}
