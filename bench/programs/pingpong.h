/* SPDX-License-Identifier: Apache-2.0 */
/* What a round trip between the host and a running kernel takes at least on this machine's link. */
#ifndef HEDDLE_BENCH_PINGPONG_H
#define HEDDLE_BENCH_PINGPONG_H

/* n numbers, one after the other, to a thread of OpenMP's device and back; out[i] = i + 1 as the device answers.
 * Returns the seconds from the first number to the last answer, without the kernel's launch; negative: the device
 * cannot. */
double bench_pingpong(int device, long n, unsigned *out);

#endif
