/* SPDX-License-Identifier: Apache-2.0 */
/* picture.c - timelines of simulated runs: a panel for each, a row for each device, a bar for each chunk, coloured by
 * the place of its iterations so that one sees who took which part of the loop. */
#include "command.h"
#include "core/replace.h"
#include "trace/trace.h"
#include "core/text.h"

#include <string.h>

enum { LEFT = 90, WIDTH = 760, ROW = 14, HEAD = 26 };

static int rows_of(const struct sim_machine *m) { return m->devices < 40 ? m->devices : 40; }

static void draw(FILE *f, const struct sim_machine *m, const struct sim_panel *p, double longest, int top) {
    const struct sim_run *r = p->run;
    long n = 0;
    for (int d = 0; d < m->devices; d++)
        n += r->device[d].iterations;
    fprintf(f, "<text x=\"10\" y=\"%d\" font-weight=\"bold\">", top + 16);
    heddle__print_xml(f, p->title);
    fprintf(f, "</text><text x=\"%d\" y=\"%d\">%.3f ms, efficiency %.3f, balance %.3f, %ld chunks</text>\n", LEFT,
            top + 16, 1e3 * r->makespan, r->makespan > 0 ? r->ideal / r->makespan : 1, r->balance, r->chunks);
    for (int d = 0; d < rows_of(m); d++) {
        fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 6, top + HEAD + ROW * d + 10);
        heddle__print_xml(f, m->kind[r->device[d].kind].name);
        fputs("</text>\n", f);
    }
    for (long k = 0; k < r->chunks; k++) {
        const struct sim_span *s = &r->span[k];
        const double x = LEFT + WIDTH * s->begin / longest, w = WIDTH * (s->end - s->begin) / longest;
        if (s->device >= rows_of(m) || (w < 0.05 && r->chunks > 20000))
            continue;
        fprintf(f, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"", x,
                top + HEAD + ROW * s->device, w > 0.15 ? w : 0.15, ROW - 3, s->lost ? "#b00" : "");
        if (!s->lost)
            fprintf(f, " style=\"fill:hsl(%.0f,55%%,55%%)\"", n ? 280.0 * (double)s->chunk.first / (double)n : 0.0);
        fprintf(f, "><title>%ld + %ld, %.3f ms</title></rect>\n", s->chunk.first, s->chunk.count,
                1e3 * (s->end - s->begin));
    }
    fprintf(f, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#222\"/>\n",
            LEFT + WIDTH * r->makespan / longest, LEFT + WIDTH * r->makespan / longest, top + HEAD - 4,
            top + HEAD + ROW * rows_of(m));
}

int sim_picture(const char *path, const struct sim_machine *m, const struct sim_panel *panel, int panels,
                const char *colours) {
    struct heddle__replace picture;
    double longest = 1e-12;
    const int height = HEAD + ROW * rows_of(m) + 12;
    if (!heddle__replace_begin(&picture, path, HEDDLE__REPLACE_NAMED))
        return -1;
    FILE *f = picture.file;
    for (int k = 0; k < panels; k++)
        longest = panel[k].run->makespan > longest ? panel[k].run->makespan : longest;
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\"><style>text{font:11px sans-serif;"
            "fill:#222}</style><rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            LEFT + WIDTH + 20, height * panels + 24, LEFT + WIDTH + 20, height * panels + 24);
    for (int k = 0; k < panels; k++)
        draw(f, m, &panel[k], longest, height * k);
    fprintf(f, "<text x=\"10\" y=\"%d\">0 to %.3f ms; colour: %s; red: lost%s</text></svg>\n", height * panels + 14,
            1e3 * longest, colours, m->devices > 40 ? "; the first 40 devices" : "");
    return heddle__replace_end(&picture, true) ? 0 : -1;
}
