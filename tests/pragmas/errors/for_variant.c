/* SPDX-License-Identifier: Apache-2.0 */
void g(int *, int);
void h(int *, int, int);
void f(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
#pragma heddle variant(gpu: h)
        g(a, i);
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
#pragma heddle variant(cuda: h) variant(cuda: g)
        g(a, i);
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
#pragma heddle variant(cuda: h(a, heddle_lo, heddle_count))
        g(a, i);
        g(a, i);
    }
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
#pragma heddle variant(cuda: h)
        a[i] = 1;
    }
#pragma heddle variant(cuda: h)
    g(a, 0);
}
// expect: 8:24: error: expected a kind of device: cuda, host or other
// expect: 9:9: note: this loop stays on the host: 'g' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 9:9: error: 'g(a, i)' calls what has no body here, so it may touch what other iterations use; if it does not, write '#pragma heddle for independent'
// expect: 12:33: error: two variants for one kind of device; give one
// expect: 16:30: error: a call for a whole chunk has to be all that the loop's body does; move the rest into the function, or call it for one iteration
// expect: 23:9: error: expected a call of a function after '#pragma heddle variant', as a statement of its own: f(…); with its result through a pointer
