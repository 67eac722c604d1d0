/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that others know, or that are read later, and that no iteration may have for itself. */
enum { N = 12 };
int kept[N], in[N][N], out[N][N], *moves, last;
void unknown(void);
int known(int i) { return kept[i]; }
void element_0(void)
{
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = 1; i < N; i++)
            kept[i] = in[k][i];
        for (int i = 1; i < N; i++)
            out[k][i] = kept[i - 1];
    }
}
void condition(void)
{
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++)
            if (in[k][i] > 3)
                kept[i] = in[k][i];
        for (int i = 0; i < N; i++)
            out[k][i] = kept[i];
    }
}
void read_before(void)
{
#pragma heddle for
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            out[k][i] = kept[i];
            kept[i] = in[k][i];
        }
}
void triangle(void) /* the first iterations write more */
{
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = k; i < N; i++)
            kept[i] = in[k][i];
        for (int i = k; i < N; i++)
            out[k][i] = kept[i];
    }
}
void leftover(void) /* one more element in some iterations, which nothing in them reads */
{
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N - 1; i++)
            kept[i] = in[k][i];
        if (in[k][0])
            kept[N - 1] = k;
        for (int i = 0; i < N - 1; i++)
            out[k][i] = kept[i];
    }
}
void alias(const int *p)
{
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++)
            kept[i] = in[k][i];
        for (int i = 0; i < N; i++)
            out[k][i] = kept[i] + p[i];
    }
}
void called(void)
{
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++)
            kept[i] = in[k][i];
        for (int i = 0; i < N; i++)
            out[k][i] = kept[i] + known(0);
    }
}
void elsewhere(void)
{
#pragma heddle for device(host)
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++)
            kept[i] = in[k][i];
        unknown();
        for (int i = 0; i < N; i++)
            out[k][i] = kept[i];
    }
}
void bound_changes(void)
{
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < last; i++)
            kept[i] = in[k][i];
        *moves = N;
        for (int i = 0; i < last; i++)
            out[k][i] = kept[i];
    }
}
int local_escapes(void)
{
    int part[N];
    moves = part;
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++)
            part[i] = in[k][i];
        for (int i = 0; i < N; i++)
            out[k][i] = part[i];
    }
    return part[2];
}
int local_partly(int n)
{
    int part[N] = {0};
#pragma heddle for
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < N - k; i++)
            part[i] = in[k][i];
        for (int i = 0; i < N - k; i++)
            out[k][i] = part[i];
    }
    return part[N - 1];
}
int again(void) /* the next call reads what this one left */
{
    static int part[N];
    const int s = part[N - 1];
#pragma heddle for
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N - k; i++)
            part[i] = in[k][i];
        for (int i = 0; i < N - k; i++)
            out[k][i] = part[i];
    }
    return s;
}
// expect: 12:13: error: one iteration writes 'kept[i]', another writes 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'kept' before it reads it (nothing shows that 'kept[i - 1]' is filled when it is read), add private(kept)
// expect: 23:17: error: one iteration writes 'kept[i]', another writes 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'kept' before it reads it (nothing shows that 'kept[i]' is filled when it is read), add private(kept)
// expect: 34:13: error: one iteration writes 'kept[i]', another reads 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 33:25: note: 'kept[i]' is here
// expect: 42:13: error: one iteration writes 'kept[i]', another writes 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'kept' before it reads it, add private(kept)
// expect: 52:13: error: one iteration writes 'kept[i]', another writes 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'kept' before it reads it, add private(kept)
// expect: 64:13: error: one iteration writes 'kept[i]', another writes 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'kept' before it reads it, add private(kept)
// expect: 76:35: note: this loop stays on the host: 'known' uses the global variable 'kept', which devices do not have; pass it as an argument, or make it const
// expect: 74:13: error: one iteration writes 'kept[i]', another writes 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'kept' before it reads it, add private(kept)
// expect: 84:13: error: one iteration writes 'kept[i]', another writes 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'kept' before it reads it, add private(kept)
// expect: 95:13: error: one iteration writes 'kept[i]', another writes 'kept[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'kept' before it reads it, add private(kept)
// expect: 108:13: error: one iteration writes 'part[i]', another writes 'part[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'part' before it reads it, add private(part)
// expect: 120:13: error: one iteration writes 'part[i]', another writes 'part[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'part' before it reads it, add private(part)
// expect: 133:13: error: one iteration writes 'part[i]', another writes 'part[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, if each fills 'part' before it reads it, add private(part)
