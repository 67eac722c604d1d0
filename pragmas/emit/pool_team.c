/* SPDX-License-Identifier: Apache-2.0 */
/* A pool on OpenMP's team: the thread that came runs the block, the others its tasks. */
#include "front/macros.h"
#include "emit.h"

#include <string.h>

void emit_pool_team(struct pool *p) {
    struct unit *u = p->u;
    const struct source *src = &u->src;
    const struct clause *schedule = site_clause(p->m, CLAUSE_SCHEDULE);
    const bool serial = schedule && !strcmp(clause_pool_constant(schedule), "HEDDLE_POOL_SERIAL");
    struct buf head = {0}, open = {0}, close = {0}, marker = {0};
    if (source_column(src, p->m->f->begin) > 1)
        buf_puts(&head, "\n");
    buf_printf(&head, "/* heddle: pool at line %u, in %s(), on the host */\n", source_line(src, p->m->p->b),
               p->m->f->name);
    macros_include(u, &head, "#include <heddle/engine/pool/team.h>\n");
    source_marker(src, &head, p->m->f->begin, 0);
    buf_pad(&head, source_column(src, p->m->f->begin) - 1);
    vec_push(&u->edits, (struct edit){p->m->f->begin, p->m->f->begin, head.s});
    source_marker(src, &marker, p->m->p->b, 0);
    const char *file = strchr(marker.s, '"');
    const char *in = emit_indent(u, p->m->p->b);
    /* no names of members, which may be the user's macros */
    buf_printf(
        &open,
        "{\n%s    static const struct heddle_site heddle_site = {%.*s, \"%s\", \"pool\", %u, 0};\n"
        "%s    struct heddle_pool_team heddle_p;\n%s    heddle_pool_team_begin(&heddle_p, &heddle_site, %d);\n"
        "%s    _Pragma(\"omp parallel num_threads(heddle_pool_team_threads(&heddle_p))\") _Pragma(\"omp masked\")\n",
        in, (int)strcspn(file, "\n"), file, p->m->f->name, source_line(src, p->m->p->b), in, in, serial, in);
    emit_next_line(u, &open, p->m->p);
    vec_push(&u->edits, (struct edit){p->m->p->b, p->m->p->e, open.s});
    buf_printf(&close, "\n%s    heddle_pool_team_end(&heddle_p);\n%s}", in, in);
    worker_resume(u, &close, p->m->end);
    vec_push(&u->edits, (struct edit){p->m->end, p->m->end, close.s});
}
