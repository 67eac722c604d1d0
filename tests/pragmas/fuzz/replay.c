/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the fuzz target over the files named: the corpus as a regression test, with any compiler. */
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        static uint8_t data[1 << 16];
        FILE *f = fopen(argv[i], "rb");
        if (!f) {
            perror(argv[i]);
            return 1;
        }
        size_t n = fread(data, 1, sizeof data, f);
        fclose(f);
        for (size_t cut = 0; cut <= n; cut++) /* every prefix: truncated directives */
            LLVMFuzzerTestOneInput(data, cut);
    }
    return 0;
}
