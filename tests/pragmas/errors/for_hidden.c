/* SPDX-License-Identifier: Apache-2.0 */
static int total;
int elsewhere(int);
void f(int n, int m, int *a, const int *b)
{
    int last = 0, out[8] = {0};
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
#pragma omp simd
        for (int j = 0; j < m; j++)
            last = j;
        a[i] = last;
    }
#pragma heddle for map(to: a[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++)
#pragma omp target teams distribute parallel for
        for (int j = 0; j < m; j++)
            a[i * m + j] += j;
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
#pragma omp simd
        for (int j = 0; j < m; j++)
            out[j & 7] = i;
        a[i] = 1;
    }
#pragma heddle for map(from: a[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++)
#pragma omp target teams distribute parallel for
        for (int j = 0; j < m; j++)
            a[i * m + j] = elsewhere(j) + total;
#pragma heddle for map(from: a[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++)
#pragma omp target teams distribute parallel for map(from: a[i * m : m])
        for (int j = 0; j < m; j++)
            a[i * m + j] = 1;
#pragma heddle for map(from: a[heddle_lo * m : heddle_count * m]) map(to: b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        int k = b[i];
#pragma omp target teams distribute parallel for
        for (int j = 0; j < m; j++)
            a[i * m + j] = k;
    }
}
// expect: 11:13: error: 'last' is changed by every iteration; declare it inside the loop, or add reduction(op: last), or firstprivate(last) if no iteration reads what another one wrote
// expect: 18:13: error: 'a' is written, but map(to) does not bring it back; use map(tofrom: …)
// expect: 23:13: error: one iteration writes 'out[j & 7]', another writes 'out[j & 7]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'out' before it reads it, add private(out)
// expect: 30:43: error: the global variable 'total' is not on devices; copy it to a local variable before the loop, or make it const
// expect: 30:28: error: 'elsewhere' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 33:1: error: 'map' on a target region in the loop, whose device and data are those of the chunk; remove it
// expect: 38:17: error: 'b' is on the device while a host thread runs this; touch it in a target region or in the function that is called, or pass its address
