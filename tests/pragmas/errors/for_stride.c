/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int k, int *b)
{
#pragma heddle for map(from: b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i += 3)
        b[i] = 1;
#pragma heddle for map(from: b[heddle_lo * k : heddle_count])
    for (int i = 0; i < n; i++)
        b[i * k] = 1;
#pragma heddle for map(from: b[heddle_lo : heddle_count])
    for (int i = n; i > 0; i--)
        b[i] = 1;
}
// expect: 6:9: error: 'b[i]' of a chunk's last iteration lies behind the section b[heddle_lo : heddle_count] that is mapped; heddle_lo is the loop variable there, heddle_count the number of iterations
// expect: 12:9: error: 'b[i]' of a chunk's last iteration lies before the section b[heddle_lo : heddle_count] that is mapped; heddle_lo is the loop variable there, heddle_count the number of iterations
