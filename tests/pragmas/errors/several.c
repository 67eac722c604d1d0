/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of one file are counted together, and a tab does not move the caret. */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
	for (int i = 1; i < n; i++)
		for (int j = 1; j < m; j++)
			A[i][j] = A[i - 1][2 * j] + A[i][j * j];
#pragma heddle unknown
	for (int i = 1; i < n; i++)
		for (int j = 1; j < m; j++)
			A[i][j] = 1;
}
// expect: 9:16: error: unknown directive 'unknown'; known: wavefront, pool, task, taskloop, taskwait, lanes, for, jobs, graph, variant
// expect: 8:14: error: 'A[i - 1][2 * j]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 8:4: note: 'A' is written here
// expect: 8:32: error: 'A[i][j * j]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 8:4: note: 'A' is written here
// expect: 8:14: note: nor is any order of rows behind each other proven to keep 'A[i][j]' and 'A[i - 1][2 * j]'
