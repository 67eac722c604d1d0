/* SPDX-License-Identifier: Apache-2.0 */
/* Fork-join programs as textbooks have them (textbook_pools.c). `cut`: from where on a task does all that is below it
 * without further tasks. Each returns what it has computed; the sort, how it has done. */
#ifndef BENCH_TEXTBOOK_H
#define BENCH_TEXTBOOK_H
long textbook_fib(int n, int cut);
long textbook_queens(int n, int cut);
void textbook_sort(long n, int *values, int *spare, int cut);
#endif
