/* SPDX-License-Identifier: Apache-2.0 */
/* Declared reductions that are none, members, and places of extremes. */
struct place {
    double value;
    long at;
};
typedef struct place place_t;
struct place elsewhere(struct place a, struct place b);
static int seen;
#pragma omp declare reduction(far : struct place : omp_out = elsewhere(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(near : place_t : omp_out = omp_in.at < omp_out.at ? omp_in : omp_out) initializer(omp_priv = omp_orig)
static int sum_seen(int a, int b) { return seen++, a + b; }
#pragma omp declare reduction(count : int : omp_out = sum_seen(omp_out, omp_in))
void f(int n, const double *a, struct place *q)
{
    struct place s = {0, 0}, all[4] = {{0, 0}};
    double best = a[0];
    int at = 0, k = 0;
#pragma heddle for reduction(+: s.value)
    for (int i = 0; i < n; i++)
        s.value += a[i];
#pragma heddle for reduction(+: q->value, q->at)
    for (int i = 0; i < n; i++)
        q->value += a[i];
#pragma heddle for reduction(argmax: s)
    for (int i = 0; i < n; i++)
        s.value += a[i];
#pragma heddle for reduction(+: s)
    for (int i = 0; i < n; i++)
        s.value += a[i];
#pragma heddle for reduction(far: k)
    for (int i = 0; i < n; i++)
        k += i;
#pragma heddle for reduction(near: all)
    for (int i = 0; i < n; i++)
        all[i & 3].value += a[i];
#pragma heddle for reduction(near: s) reduction(far: s)
    for (int i = 0; i < n; i++)
        s.at = i;
#pragma heddle for reduction(max: best)
    for (int i = 1; i < n; i++)
        if (a[i] > best) {
            best = a[i];
            at = at ? i : 1;
        }
#pragma heddle for reduction(far: s) device(all)
    for (int i = 0; i < n; i++)
        s.at = i;
#pragma heddle for reduction(far: s)
    for (int i = 0; i < n; i++)
        s.at = i;
#pragma heddle for reduction(count: k)
    for (int i = 0; i < n; i++)
        k++;
#pragma heddle for reduction(late: s)
    for (int i = 0; i < n; i++)
        s.at = i;
    q->at = at + k + s.at;
}
#pragma omp declare reduction(late : struct place : omp_out = omp_in)
// expect: 19:33: error: 's.value' is a member, and variables are reduced; write '__typeof__(s.value) value = s.value;' before the loop, reduce and update 'value', and write 's.value = value;' behind the loop
// expect: 22:33: error: 'q->value' is a member, and variables are reduced; write '__typeof__(q->value) value = q->value;' before the loop, reduce and update 'value', and write 'q->value = value;' behind the loop
// expect: 25:30: error: no reduction 'argmax' of 'struct place' is declared in this file before the loop; write '#pragma omp declare reduction(argmax : struct place : omp_out = …) initializer(omp_priv = …)' before the function
// expect: 28:30: error: no reduction '+' of 'struct place' is declared in this file before the loop; write '#pragma omp declare reduction(+ : struct place : omp_out = …) initializer(omp_priv = …)' before the function
// expect: 31:30: error: no reduction 'far' of 'int' is declared in this file before the loop, only of other types; write '#pragma omp declare reduction(far : int : omp_out = …) initializer(omp_priv = …)' before the function
// expect: 34:36: error: 'all' is an array, and 'near' a declared reduction, which joins scalars and structures; put the array into a structure
// expect: 37:54: error: 's' is reduced twice; name it once
// expect: 44:13: error: 'at' is where the 'max' of 'best' is, and goes with it in a structure: declare 'struct place { double value; int at; };' and '#pragma omp declare reduction(argmax : struct place : omp_out = omp_in.value > omp_out.value || (omp_in.value == omp_out.value && omp_in.at < omp_out.at) ? omp_in : omp_out) initializer(omp_priv = omp_orig)' before the function, and let the loop change p.value and p.at of a 'struct place p' under reduction(argmax: p)
// expect: 10:62: error: 'elsewhere' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 10:62: note: this loop stays on the host: 'elsewhere' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 13:55: note: this loop stays on the host: 'sum_seen' uses the global variable 'seen', which devices do not have; pass it as an argument, or make it const
// expect: 55:30: error: no reduction 'late' of 'struct place' is declared in this file before the loop; write '#pragma omp declare reduction(late : struct place : omp_out = …) initializer(omp_priv = …)' before the function
