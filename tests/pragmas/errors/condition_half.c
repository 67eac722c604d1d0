/* SPDX-License-Identifier: Apache-2.0 */
/* A head in two forms, as PARSEC's blackscholes has it: half of the condition would go with the body. */
void f(int n, const float *restrict s, float *restrict p)
{
#ifdef MANY
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) {
#else
#pragma heddle for
    for (int i = 0; i < n; i++) {
#endif
        p[i] = s[i];
    }
#pragma heddle wavefront
    for (int j = 0; j < 100; j++) {
#ifdef MANY
        for (int i = 0; i < n - 1; i++) {
#else
        for (int i = 0; i < n; i++) {
#endif
            p[i] = s[i];
        }
    }
#pragma heddle for
    for (int i = 0; i < n; i++) {
#ifdef MANY /* all of it is inside */
        p[i] = 2;
#else
        p[i] = s[i];
#endif
    }
}
// expect: 10:33: error: an '#if' before this body ends in it, and the body becomes a function of its own; write the loop's head once, with what differs in variables before it
// expect: 19:37: error: an '#if' before this body ends in it, and the body becomes a function of its own; write the loop's head once, with what differs in variables before it
