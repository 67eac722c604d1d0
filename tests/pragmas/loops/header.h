/* SPDX-License-Identifier: Apache-2.0 */
/* Directives as programs for several compilers hide them: behind names that say nothing of whose they are. */
#define PRAGMA(x) _Pragma(#x)
#define PARALLEL(x)
#define LOOP(x) PRAGMA(heddle for x)
#define LOOP_REDUCE(x) PRAGMA(heddle for reduction(x))
