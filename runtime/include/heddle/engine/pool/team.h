/* SPDX-License-Identifier: Apache-2.0 */
/* A pool that stays on the host because of what its tasks do: they are OpenMP's tasks. Emitted code includes this. */
#ifndef HEDDLE_POOL_TEAM_H
#define HEDDLE_POOL_TEAM_H
#include <heddle/engine/site.h>

struct heddle_pool_team {
    const struct heddle_site *site;
    int threads, entered;
    double start;
    long long begin;
};

#pragma GCC visibility push(default)
void heddle_pool_team_begin(struct heddle_pool_team *team, const struct heddle_site *site, int serial);
int heddle_pool_team_threads(const struct heddle_pool_team *team);
void heddle_pool_team_end(struct heddle_pool_team *team);
#pragma GCC visibility pop
#endif
