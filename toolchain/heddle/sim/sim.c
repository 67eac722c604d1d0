/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c - `heddle sim`: loops, target regions, jobs and graphs on machines that are described or were recorded. */
#include "driver.h"
#include "command.h"
#include "graph.h"
#include "jobs.h"

#include <stdio.h>
#include <string.h>

static int run(int argc, char **argv) {
    for (int k = 2; k < argc; k++)
        if (!strcmp(argv[k], "--help"))
            return fputs(command_sim.usage, stdout), 0;
    if (argc > 1 && !strcmp(argv[1], "loop"))
        return sim_loop_command(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "regions"))
        return sim_regions_command(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "jobs"))
        return sim_jobs_command(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "graph"))
        return sim_graph_command(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "list"))
        return sim_list_command(argc - 1, argv + 1);
    complain("sim: what? `heddle sim loop …`, `heddle sim regions …`, `heddle sim jobs …`, `heddle sim graph …` or "
             "`heddle sim list`; `heddle sim --help`");
    return 2;
}

const struct command command_sim = {
    .name = "sim",
    .summary = "try schedules on machines that are described, not owned",
    .usage = SIM_USAGE,
    .run = run,
};
