/* SPDX-License-Identifier: Apache-2.0 */
/* command.h - the parts of `heddle sim` that read a command line and print. */
#ifndef HEDDLE_SIM_COMMAND_H
#define HEDDLE_SIM_COMMAND_H

#include "driver.h"
#include "sim.h"

int sim_loop_command(int argc, char **argv);
int sim_regions_command(int argc, char **argv);
int sim_list_command(int argc, char **argv);

/* recorded.c: the chunks of one loop that real runs left behind. Whatever is wrong ends the program with a message. */
struct sim_recorded {
    struct sim_machine machine; /* a kind for each device that the loop ran on, one of each */
    char *loop;
    long n; /* iterations of its last run */
    struct heddle_loop_sample *sample;
    int *class, samples;
};
char *sim_recorded_path(const char *from); /* the FILE of such an argument */
void sim_recorded_read(struct sim_recorded *r,
                       const char *from); /* "FILE.loops.csv" or "FILE.loops.csv@PART" of the loop's name */
bool sim_recorded_counts(struct sim_recorded *r,
                         const char *text); /* "16,2": devices of each kind; false: not as many numbers */
void sim_recorded_work(struct sim_recorded *r, struct sim_work *w, long n); /* also the kinds' setup, curve and speed */

/* input.c: words of a command line and files that they name. */
struct sim_option { /* KEY=VALUE, or KEY alone for a flag; the value goes to the one that is given */
    const char *key;
    const char **text; /* not empty */
    long *whole;
    double *real, *seconds;
    bool *flag;
    double least, most; /* of whole and real numbers; least: of seconds too */
};
/* Until an entry without a key. 0, or the exit status after a message. */
int sim_options(const struct sim_option *known, int argc, char **argv);
int sim_cannot_use(const char *word); /* says it; the exit status */
/* What an option writes is no file that is read; NULL: none. 0, or the exit status after a message. */
int sim_spare(const char *key, const char *output, const char *const input[2]);
/* Of words as of --devices, or of a file as of --machine, which goes first. 0, or the exit status after a message. */
int sim_read_machine(struct sim_machine *m, const char *words, const char *path);
/* What follows ends the program with a message if it fails. */
char *sim_text(const char *path);
/* The names of "NAME,NAME": how many. `most` is the room of `name`. */
int sim_names(const char *key, const char *names, int most, char **name);
const void *sim_load(const char *key, const char *path, const char *symbol); /* of a shared library */
_Noreturn void sim_unknown(const char *what, const char *name, const struct list *known);
char *sim_joined(const struct list *l); /* "a, b" */

/* picture.c: a timeline, one panel for each run. */
struct sim_panel {
    const char *title;
    const struct sim_run *run;
};
/* `colours`: what the colour of a bar tells. */
int sim_picture(const char *path, const struct sim_machine *m, const struct sim_panel *panel, int panels,
                const char *colours);

#define SIM_USAGE                                                                                                      \
    "usage: heddle sim loop [options]\n"                                                                               \
    "       heddle sim regions [options]\n"                                                                            \
    "       heddle sim jobs [options]\n"                                                                               \
    "       heddle sim graph [options]\n"                                                                              \
    "       heddle sim list [--markdown]\n"                                                                            \
    "\n"                                                                                                               \
    "Runs the schedules of `#pragma heddle for` on a machine that is described. The decisions are those of the real\n" \
    "schedules; only the devices and the clock are simulated.\n"                                                       \
    "\n"                                                                                                               \
    "  --devices=WORDS     cpu:16,gpu:2@50: 16 threads of speed 1 and 2 GPUs of speed 50 (default: cpu:4,gpu:1@20)\n"  \
    "  --machine=FILE      a line for each kind of device: NAME key=value …, comments after #, with the keys\n"        \
    "                        count=2 speed=50     how many; against a device that takes --cost for an iteration\n"     \
    "                        setup=20us ready=5ms of every chunk; of the first one (data that all need)\n"             \
    "                        move=1us             transfer of an iteration's data; overlaps computing, see ahead\n"    \
    "                        curve=4096           a chunk of so many iterations reaches 95 % of the full speed\n"      \
    "                        vary=0.4             its speed differs over the loop by factors up to exp(0.4)\n"         \
    "                        noise=5% fail=0.3s   scatter of its times; one of them stops working then\n"              \
    "                        most=100000 host     iterations that fit; threads of the host (names cpu…, host… are)\n"  \
    "                      and one line ahead=2: chunks that a device holds at once\n"                                 \
    "  --recorded=FILE     instead: devices and loop from FILE.loops.csv, which runs leave in HEDDLE_MODELS; "         \
    "FILE@PART where it\n"                                                                                             \
    "                      holds several loops: the one whose name holds PART\n"                                       \
    "  --counts=16,2       how many of each device in that file, in its order (1 each)\n"                              \
    "  --loop=SHAPE        uniform, linear, falling, random, heavy, peaks, steps, spectra, image (default: spectra)\n" \
    "  --n=N --cost=TIME   iterations (10000); what one takes on average at speed 1 (1ms)\n"                           \
    "  --schedule=A,B      all (default), some of them, or ./mine.so (see heddle/loop.h)\n"                            \
    "  --ahead=K           chunks that a device holds at once, over the machine's own (1; of recorded loops 2)\n"      \
    "  --chunk=K           the number of the schedule clause\n"                                                        \
    "  --runs=K            runs one after the other, each knows what the ones before measured (3)\n"                   \
    "  --fresh             every run has other data of the same shape\n"                                               \
    "  --seed=S            of costs and noise (1)\n"                                                                   \
    "  --json              one object for each schedule and run\n"                                                     \
    "  --chunks            with each of them every chunk: place, device, times\n"                                      \
    "  --svg=FILE          a timeline of the last runs\n"                                                              \
    "\n"                                                                                                               \
    "efficiency: 1 / sum of 1 / T over the devices, T: one device alone, divided by the time. balance: end of the "    \
    "first\n"                                                                                                          \
    "device by end of the last. A device that speeds up some iterations more than others can take efficiency above "   \
    "1.\n"                                                                                                             \
    "\n"                                                                                                               \
    "`regions` runs the policies of HEDDLE_POLICY over a program of target regions: --devices or --machine as "        \
    "above, or\n"                                                                                                      \
    "--models=FILE.csv (times that were recorded; one place for each class), --threads=K (4) that issue --count=N "    \
    "(500)\n"                                                                                                          \
    "regions each of --kinds=K (12) kinds, --policy=NAME, --cost=TIME (1us), --seed=S, --json. --recorded=FILE "       \
    "replays the\n"                                                                                                    \
    "regions of a run with HEDDLE_RECORD=FILE; record it with --policy=round-robin, so that every place was "          \
    "tried.\n"                                                                                                         \
    "\n"                                                                                                               \
    "`jobs` runs the policies of `#pragma heddle jobs` over jobs that appear while they run:\n"                        \
    "  --machine=FILE      as above, and lines that say what jobs cost (host, device or * for several kinds):\n"       \
    "                        type KIND TYPE setup=20us each=0.1us noise=5%   of a batch; of a job in it\n"             \
    "                        move FROM TO TYPE each=3ns                      a job's data to another memory\n"         \
    "                        transfer latency=10us                           of each transfer\n"                       \
    "                        memory KIND KIND …                              these see the same memory\n"              \
    "                        decide each=5us program=5us                     a decision; each LP in it\n"              \
    "                      of a kind count, most (largest batch) and fail are used\n"                                  \
    "  --counts=1,0,2      how many of each kind, over the file's own\n"                                               \
    "  --benchmark=NAME    cloth (default), nbody, fracture, path, motion: generated, as in Kim 2013\n"                \
    "  --frames=N --scale=X   frames (10); jobs in each, against the paper's (1)\n"                                    \
    "  --stream=FILE       instead: recorded jobs; --record=FILE writes what was generated\n"                          \
    "  --policy=A,B:NUMBER all (default), some with the number of the clause, or ./mine.so (see heddle/jobs.h)\n"      \
    "  --decide=TIME --program=TIME   over the machine's own\n"                                                        \
    "  --faults=N          so many devices slow, stall or vanish, at random by --seed=S\n"                             \
    "  --json --svg=FILE   as above\n"                                                                                 \
    "of bound: all jobs at once, without setups and transfers, in parts: nothing can be faster. idle: of all "         \
    "devices' time.\n"                                                                                                 \
    "\n"                                                                                                               \
    "`graph` runs the policies of `#pragma heddle graph` over graphs of tasks that repeat and change:\n"               \
    "  --machine=FILE      as for jobs: `type KIND TYPE setup=TIME each=TIME` is a task, each of an element; the "     \
    "data\n"                                                                                                           \
    "                      moves by `move FROM TO byte each=0.1ns`, after `transfer latency=TIME`\n"                   \
    "  --counts=1,0,8      how many of each kind, over the file's own\n"                                               \
    "  --example=NAME      fall, contact (default), collide, mixed, bars-small, bars-large, independent: generated, "  \
    "as in\n"                                                                                                          \
    "                      Hermann 2010\n"                                                                             \
    "  --bodies=N --iterations=N   of it (64, bars: 30; 22)\n"                                                         \
    "  --scene=FILE        instead: graphs as text; --record=FILE writes what was generated\n"                         \
    "  --policy=A,B:1:0.1  all (default), some with the numbers of the clause, or ./mine.so (see heddle/graph.h)\n"    \
    "  --known             times are known from the beginning; otherwise as they were measured\n"                      \
    "  --faults=N          so many units vanish, at random by --seed=S\n"                                              \
    "  --json --svg=FILE   as above\n"                                                                                 \
    "speed-up: against one unit of the fastest kind without copies. idle, copying: of all units' time.\n"

#endif
