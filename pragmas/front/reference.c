/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `heddle-translate --print-reference`: the tables of directives and clauses for people, as the manual page holds them,
 * or with `=markdown` as docs/reference/directives.md.
 */
#include "front/clause.h"
#include "front/directive.h"

#include <stdio.h>
#include <string.h>

static const char head[] =
    "# Directives\n"
    "\n"
    "<!-- Written by `heddle-translate --print-reference=markdown`, from the tables in pragmas/front/directive.c and\n"
    "     pragmas/front/clause.c. Change them, not this file; a test compares. -->\n"
    "\n"
    "A directive stands in a `.c` file, on a line before the loop, block or call that it is about: `#pragma heddle "
    "NAME\n"
    "clause …`. `_Pragma(\"heddle NAME clause …\")` and macros that hold nothing else do the same. Comments, `#if`,\n"
    "`#endif`, other pragmas and `omp parallel for`, which goes, may stand between a directive and its loop. Headers\n"
    "of the project, those that no system folder holds, may hold directives and macros that hold one: each unit that\n"
    "includes them has its own loops. Of C++ files plain loops are translated.\n"
    "Clauses stand in any order, with or\n"
    "without commas between them; those marked with * may be given several times. Square brackets hold what may be "
    "left out,\n"
    "but for those of a section, `a[first : count]`. Without the pragmas a correct serial program is left.\n"
    "What is proven and what you assert: [proof.md](proof.md).\n"
    "\n"
    "| directive | before | what it does |\n"
    "|---|---|---|\n";

/* A `|` would end the cell of a table. */
static void print_cell(const char *text) {
    for (; *text; text++)
        printf(*text == '|' ? "\\%c" : "%c", *text);
}

static void print_markdown(void) {
    struct clause_help c;
    const struct directive *d;
    fputs(head, stdout);
    for (int i = 0; (d = directive_at(i)); i++)
        printf("| [`%s`](#%s) | %s | %s |\n", d->name, d->name, d->before, d->help);
    for (int i = 0; (d = directive_at(i)); i++) {
        bool any = false;
        printf("\n## %s\n\nBefore %s: %s.\n", d->name, d->before, d->help);
        for (int k = 0; clause_help(k, &c); k++) {
            if (!(c.directives & d->bit))
                continue;
            if (!any)
                puts("\n| clause | |\n|---|---|");
            any = true;
            fputs("| `", stdout);
            print_cell(c.form);
            printf("`%s | ", c.repeats ? " *" : "");
            print_cell(c.help);
            puts(" |");
        }
        if (!any)
            puts("\nIt takes no clauses.");
    }
}

static void print_wrapped(const char *text, int indent, size_t width) {
    for (size_t column = 0; *text;) {
        const size_t n = strcspn(text, " ");
        if (column && column + 1 + n > width) {
            puts("");
            column = 0;
        }
        column += column ? (size_t)printf(" %.*s", (int)n, text)
                         : (size_t)printf("%*s%.*s", indent, "", (int)n, text) - (size_t)indent;
        text += n + strspn(text + n, " ");
    }
    puts("");
}

static void print_plain(void) {
    struct clause_help c;
    const struct directive *d;
    for (int i = 0; (d = directive_at(i)); i++) {
        printf("%s#pragma heddle %s\n", i ? "\n" : "", d->name);
        print_wrapped(mem_printf("before %s: %s", d->before, d->help), 4, 76);
        for (int k = 0; clause_help(k, &c); k++)
            if (c.directives & d->bit) {
                printf("  %s%s\n", c.form, c.repeats ? " *" : "");
                print_wrapped(c.help, 6, 74);
            }
    }
    puts("\n* may be given several times.");
}

void reference_print(bool markdown) {
    if (markdown)
        print_markdown();
    else
        print_plain();
}
