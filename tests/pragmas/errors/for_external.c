/* SPDX-License-Identifier: Apache-2.0 */
int elsewhere(int);
static int (*pointer)(int);
static int inside(int x) { return elsewhere(x); }
void f(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = inside(i);
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = elsewhere(i);
}
/* On the host: what must be refused there, too. */
static int table[64], *at;
static int looked_up(int i) { return table[i]; }
static int led_to(int i) { return at[i]; }
static _Thread_local int of_thread[8];
static int in_thread(int i) { return of_thread[i]; }
void *malloc(unsigned long);
void free(void *);
int printf(const char *, ...);
void host(int n, int *a, int **rows)
{
    int last[4], *t = malloc(4 * sizeof *t);
    { /* the loop does not see what overlap would be looked for */
        int table;
#pragma heddle for device(host) map(from: a[heddle_lo : heddle_count])
        for (int i = 0; i < n; i++)
            a[i] = looked_up(i);
    }
#pragma heddle for device(host)
    for (int i = 0; i < 4; i++)
        last[i] = led_to(i);
#pragma heddle for device(host)
    for (int i = 0; i < 4; i++)
        last[i] = in_thread(i);
#pragma heddle for device(host) map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        rows[a[i]][0] = i;
#pragma heddle for device(host)
    for (int i = 0; i < n; i++) {
        int *own = malloc(sizeof *own);
        *own = i;
        t[0] += *own;
        free(own);
    }
#pragma heddle for device(host)
    for (int i = 0; i < n; i++) {
        printf("%d\n", i);
        last[i & 3] = i;
    }
#pragma heddle for device(0) map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = printf("%d\n", i);
}
// expect: 4:35: note: this loop stays on the host: 'elsewhere' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 4:35: error: 'elsewhere(x)' calls what has no body here, so it may touch what other iterations use; if it does not, write '#pragma heddle for independent'
// expect: 7:1: note: the iterations are those of this loop
// expect: 12:16: note: this loop stays on the host: 'elsewhere' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 12:16: error: 'elsewhere(i)' calls what has no body here, so it may touch what other iterations use; if it does not, write '#pragma heddle for independent'
// expect: 30:20: error: 'looked_up' uses the global variable 'table', which other arrays may overlap; pass it as an argument, or make it const, or write 'independent', with 'private(x)' for each array x that iterations only use to work in
// expect: 34:19: error: 'led_to' uses the global variable 'at', which other arrays may overlap; pass it as an argument, or make it const, or write 'independent', with 'private(x)' for each array x that iterations only use to work in
// expect: 37:19: error: 'in_thread' uses the global variable 'of_thread', which is another one in each thread; pass it as an argument, or make it const
// expect: 40:9: error: one iteration writes what 'rows[a[i]][0]' leads to, another writes what 'rows[a[i]][0]' leads to, and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 45:9: error: one iteration writes 't[0]', another writes 't[0]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 51:9: error: one iteration writes 'last[i & 3]', another writes 'last[i & 3]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 55:16: error: 'printf' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
