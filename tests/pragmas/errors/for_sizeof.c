/* SPDX-License-Identifier: Apache-2.0 */
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
static int table[50];
static int counts[6];
void f(int *a, int (*rows)[9])
{
#pragma heddle for map(to: table, rows[0:6]) map(tofrom: a[heddle_lo:heddle_count])
    for (int i = 0; i < 100; i++)
        a[i] += LENGTH(table) + sizeof rows[0] + sizeof table[0];
}
static void one(int *a, int i)
{
    a[i] += (int)LENGTH(counts) + counts[i % 6];
}
void g(int *a)
{
    int line[20] = {0};
#pragma heddle pool map(to: counts) map(tofrom: a[0:100]) device(0)
#pragma heddle taskloop
    for (int i = 0; i < 100; i++)
        one(a, i);
#pragma heddle pool map(tofrom: line) device(0)
#pragma heddle taskloop
    for (int i = 0; i < 20; i++)
        line[i] = sizeof line + sizeof *line;
}
void h(int *a)
{
    int line[20] = {0};
#pragma heddle for map(to: line) map(tofrom: a[heddle_lo:heddle_count])
    for (int i = 0; i < 20; i++) {
        __typeof__(line) copy;
        const int (*all)[20] = (const int (*)[20])&line;
        copy[i] = line[i];
        a[i] += copy[i] + (*all)[i];
    }
}
// expect: 9:24: error: 'table' is an array under sizeof, typeof or &, but a pointer in the loop's functions; use its elements, or compute its size before the loop
// expect: 13:25: error: 'counts' is an array under sizeof, typeof or &, but a pointer in the task; use its elements, or compute its size before the task
// expect: 25:26: error: 'line' is an array under sizeof, typeof or &, but a pointer in the task; use its elements, or compute its size before the task
// expect: 32:20: error: 'line' is an array under sizeof, typeof or &, but a pointer in the loop's functions; use its elements, or compute its size before the loop
// expect: 33:52: error: 'line' is an array under sizeof, typeof or &, but a pointer in the loop's functions; use its elements, or compute its size before the loop
