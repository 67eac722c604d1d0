/* SPDX-License-Identifier: Apache-2.0 */
/* A head that counts in its test is rewritten; messages still call its variable by its name. */
void f(int *b, const int *a)
{
#pragma heddle for
    for (unsigned k = 1000; k-- > 0;)
        b[2 * k % 1000] = a[k];
}
// expect: 7:9: error: one iteration writes 'b[2 * k % 1000]', another writes 'b[2 * k % 1000]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
