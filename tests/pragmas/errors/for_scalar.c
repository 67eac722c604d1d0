/* SPDX-License-Identifier: Apache-2.0 */
void g(int *);
void f(int n, int *a)
{
    int last, next = 0;
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        last = i;
        g(&next);
        a[i] = last;
    }
    a[0] += last;
}
// expect: 9:9: note: this loop stays on the host: 'g' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 8:9: error: 'last' is changed by every iteration; declare it inside the loop, or add reduction(op: last), or firstprivate(last) if no iteration reads what another one wrote
// expect: 9:12: error: address of 'next' taken, so it may be written; make the parameter a pointer to const, or copy it to a local variable of the body first
