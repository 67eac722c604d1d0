/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the readers of .node, .ele and .msh: they end, stay in bounds and keep their promises, and what
 * they took is a shape or is refused. Built for libFuzzer with -DHEDDLE_FUZZ=ON; fuzz_tets_main.c runs the same
 * function in ctest. The first byte chooses the reader. */
#include "softbody.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

static void look_at(const struct tets *tets) {
    struct shape shape;
    struct complaint c = {""};
    for (size_t k = 0; k < tets->points; k++)
        for (int a = 0; a < 3; a++)
            promise(fabs(tets->point[k][a]) <= SOFT_COORDINATE_MOST);
    for (size_t k = 0; k < tets->tets; k++)
        for (int a = 0; a < 4; a++)
            promise(tets->tet[k][a] < tets->points);
    if (!shape_build(&shape, tets, "fuzz", &c)) {
        promise(!strncmp(c.text, "fuzz:", 5));
        return;
    }
    promise(shape.nodes <= tets->points && shape.vertices <= shape.nodes && shape.rows % 16 == 0);
    for (uint32_t f = 0; f < shape.faces; f++)
        for (int k = 0; k < 3; k++)
            promise(shape.face[f][k] < shape.nodes);
    shape_drop(&shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const double corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                         {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    struct tets tets = {.points = 0};
    struct complaint c = {""};
    long first = 0;
    if (!size)
        return 0;
    char *text = malloc(size); /* without the first byte, with a 0 behind it */
    promise(text);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    bool good;
    if (data[0] % 3 == 0)
        good = gmsh_parse(&tets, text, size - 1, "fuzz", &c);
    else if (data[0] % 3 == 1)
        good = tetgen_parse_nodes(&tets, text, size - 1, "fuzz", &first, &c);
    else {
        for (int k = 0; k < 8; k++)
            tets_point(&tets, corners[k]);
        good = tetgen_parse_tets(&tets, text, size - 1, "fuzz", data[0] & 1, &c);
    }
    if (good)
        look_at(&tets);
    else
        promise(!strncmp(c.text, "fuzz:", 5) && strlen(c.text) > 8);
    tets_free(&tets);
    free(text);
    return 0;
}
