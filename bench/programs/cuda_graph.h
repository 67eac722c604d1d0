/* SPDX-License-Identifier: Apache-2.0 */
/* The same tasks as nodes of a CUDA graph, one kernel of 32 threads each. */
#ifndef HEDDLE_BENCH_CUDA_GRAPH_H
#define HEDDLE_BENCH_CUDA_GRAPH_H

/* n x m nodes of the CUDA device; dependences: 0 none, 1 on the left one (out = 3 * left + 1), 3 on the left, upper and
 * upper right ones (out = the largest + 1). Returns the seconds of one launch, without building the graph and without
 * copies; negative: there is no such device, or the driver failed. */
double bench_cuda_graph(int device, long n, long m, int dependences, unsigned *out);

#endif
