/* SPDX-License-Identifier: Apache-2.0 */
/* One small use of each directive; work.c is compiled twice, by `heddle cc` and with its pragmas ignored. */
#ifndef FAULTS_WORK_H
#define FAULTS_WORK_H

struct work {
    const char *name;
    unsigned long (*run)(void); /* the same numbers each time it is called: a hash of all it leaves */
};
#ifdef WORK_GRAPH
unsigned long WORK_GRAPH(void); /* work_graph.c */
unsigned long WORK_ALONE(void); /* of regions alone */
#endif
extern int work_look_on_devices;                      /* for what has been forgotten there; 1 at first */
extern const struct work heddle_work[], plain_work[]; /* the last one has no name */

#endif
