/* SPDX-License-Identifier: Apache-2.0 */
double common[8];
static double named[8];
static double use(int i) { return named[i & 7]; }
double arrays(int n, const double *x, double *y)
{
    double part[8], later[8];
#pragma heddle for
    for (int i = 0; i < n; i++) { /* reads one element that no iteration writes */
        for (int k = 1; k < 8; k++)
            part[k] = x[i];
        y[i] = part[0];
    }
#pragma heddle for
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 8; k++)
            later[k] = x[i];
        y[i] = later[1];
    }
#pragma heddle for private(later)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 8; k++)
            later[k] = x[i];
        y[i] = later[1];
    }
    return later[2];
}
void globals(int n, const double *x, double *y)
{
#pragma heddle for
    for (int i = 0; i < n; i++) { /* other files may read it */
        for (int k = 0; k < 8; k++)
            common[k] = x[i];
        y[i] = common[1];
    }
#pragma heddle for private(named)
    for (int i = 0; i < n; i++) {
        named[i & 7] = x[i];
        y[i] = use(i);
    }
#pragma heddle for lastprivate(common)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 8; k++)
            common[k] = x[i];
        y[i] = common[1];
    }
}
void pointer(int n, const double *x, double *y, double *buffer)
{
#pragma heddle for private(buffer)
    for (int i = 0; i < n; i++) {
        buffer[0] = x[i];
        y[i] = buffer[0];
    }
}
// expect: 20:1: error: 'later' is private and read behind the loop, which gives it no value; lastprivate does
// expect: 36:1: error: 'named' is private, but 'use' names it and would see another one; give it as an argument
// expect: 41:1: error: 'common' is no scalar or array that only this function knows, so it cannot be lastprivate; copy what is wanted of it to another variable
// expect: 50:28: error: 'buffer' is a pointer, and what it points to is no copy of each iteration; declare an array in the loop
// expect: 11:13: error: one iteration writes 'part[k]', another writes 'part[k]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'part' before it reads it (nothing shows that 'part[0]' is filled when it is read), add private(part)
// expect: 23:13: error: one iteration writes 'later[k]', another writes 'later[k]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'later' before it reads it, add private(later)
// expect: 33:13: error: one iteration writes 'common[k]', another writes 'common[k]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'common' before it reads it, add private(common)
// expect: 39:16: note: this loop stays on the host: 'use' uses the global variable 'named', which devices do not have; pass it as an argument, or make it const
// expect: 38:9: error: one iteration writes 'named[i & 7]', another writes 'named[i & 7]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 44:13: error: one iteration writes 'common[k]', another writes 'common[k]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'common' before it reads it, add private(common)
// expect: 52:9: error: one iteration writes 'buffer[0]', another writes 'buffer[0]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
