/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - `heddle sim list`: what each schedule and each policy does, by their own tables; --markdown is
   docs/reference/schedules.md. */
#include "driver.h"
#include "command.h"
#include "graph/schedule/table.h"
#include "jobs/schedule/table.h"
#include "loop/schedule/table.h"
#include "regions.h"

#include <string.h>

static const char head[] = "# Schedules of loops, policies of jobs, graphs and regions\n"
                           "\n"
                           "<!-- Written by `heddle sim list --markdown`, from the schedules in "
                           "runtime/src/loop/schedule and the policies in\n"
                           "     runtime/src/{jobs/schedule,graph/schedule,selector/policy}. Change them, not this "
                           "file; a test compares. -->\n"
                           "\n";

/* `source`: where it is published; NULL: that is not told. */
static void print_row(bool markdown, const char *name, const char *help, const char *source) {
    if (markdown)
        printf("| `%s` | %s%s%s |\n", name, help, source ? " | " : "", source ? source : "");
    else
        printf("  %-17s %s%s%s\n", name, help, source && *source ? "; " : "", source ? source : "");
}

int sim_list_command(int argc, char **argv) {
    const bool markdown = argc > 1 && !strcmp(argv[1], "--markdown");
    if (argc > 1 + markdown) {
        complain("sim: cannot use '%s'; `heddle sim list [--markdown]`", argv[1 + markdown]);
        return 2;
    }
    fputs(markdown ? head : "", stdout);
    puts(markdown ? "How `#pragma heddle for schedule(NAME)`, or `HEDDLE_FOR=NAME`, deals iterations to devices:\n\n"
                    "| schedule | what it does | published |\n|---|---|---|"
                  : "Schedules of `#pragma heddle for`, HEDDLE_FOR and `heddle sim loop`:");
    for (int k = 0; heddle_loop_policies[k]; k++)
        print_row(markdown, heddle_loop_policies[k]->name, heddle_loop_policies[k]->help,
                  heddle_loop_policies[k]->source);
    puts(markdown ? "\nWhich device gets which jobs of `#pragma heddle jobs`:\n\n"
                    "| policy | what it does | published |\n|---|---|---|"
                  : "\nPolicies of `#pragma heddle jobs` and `heddle sim jobs`:");
    for (int k = 0; heddle_jobs_policies[k]; k++)
        print_row(markdown, heddle_jobs_policies[k]->name, heddle_jobs_policies[k]->help,
                  heddle_jobs_policies[k]->source);
    puts(markdown ? "\nWhich device or thread runs which task of `#pragma heddle graph`:\n\n"
                    "| policy | what it does | published |\n|---|---|---|"
                  : "\nPolicies of `#pragma heddle graph` and `heddle sim graph`:");
    for (int k = 0; heddle_graph_policies[k]; k++)
        print_row(markdown, heddle_graph_policies[k]->name, heddle_graph_policies[k]->help,
                  heddle_graph_policies[k]->source);
    puts(markdown ? "\nWhere `heddle run` lets a target region run ([selector](selector.md)):\n\n"
                    "| policy | it takes |\n|---|---|"
                  : "\nPolicies of `heddle run` and `heddle sim regions`:");
    for (int k = 0; sim_regions_policy(k); k++)
        print_row(markdown, sim_regions_policy(k)->name, sim_regions_policy(k)->help, NULL);
    return fflush(stdout) || ferror(stdout);
}
