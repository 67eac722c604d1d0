/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds arbitrary text to the pragma and clause grammar: it may report errors, but must stay in
 * bounds. */
#include "front/unit.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    struct unit u = {.err = nowhere};
    struct pragma p;
    u.src.path = "fuzz.c";
    u.src.text = mem_strndup((const char *)data, size);
    u.src.size = size;
    source_index(&u.src);
    size_t end = scan_directive_end(&u.src, 0);
    pragma_parse(&u, 0, end, &p);
    struct lexer lx;
    for (unsigned bit = DIRECTIVE_WAVEFRONT; bit <= DIRECTIVE_VARIANT; bit <<= 1) {
        clause_list clauses = {0};
        lexer_init(&lx, u.src.text, 0, size);
        clause_parse(&u, bit, &lx, &clauses);
    }
    source_flat(&u.src, (struct span){0, size});
    mem_release();
    return 0;
}
