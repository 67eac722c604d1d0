/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in where METIS is not: neighbours follow each other, and are cut into parts. */
#include "plan.h"
#include <stdlib.h>

/* Vertices in the order of a breadth-first walk through each component. */
static void order(const struct heddle__graph_weights *w, int *out, int *seen) {
    int count = 0;
    for (int root = 0; root < w->vertices; root++) {
        if (seen[root])
            continue;
        seen[root] = 1;
        out[count++] = root;
        for (int at = count - 1; at < count; at++)
            for (int k = w->first[out[at]]; k < w->first[out[at] + 1]; k++)
                if (!seen[w->to[k]]) {
                    seen[w->to[k]] = 1;
                    out[count++] = w->to[k];
                }
    }
}

bool heddle__graph_walk(const struct heddle__graph_weights *w, int *part) {
    int *out = malloc(((size_t)w->vertices + 1) * sizeof *out), *seen = calloc((size_t)w->vertices + 1, sizeof *seen);
    double all = 0, passed = 0, until = 0;
    int p = 0;
    if (!out || !seen) {
        free(out);
        free(seen);
        return false;
    }
    order(w, out, seen);
    for (int v = 0; v < w->vertices; v++)
        all += w->weight[v];
    until = all * w->share[0];
    for (int k = 0; k < w->vertices; k++) {
        const double middle = passed + 0.5 * w->weight[out[k]];
        while (p + 1 < w->parts && middle > until)
            until += all * w->share[++p];
        part[out[k]] = p;
        passed += w->weight[out[k]];
    }
    free(out);
    free(seen);
    return true;
}
