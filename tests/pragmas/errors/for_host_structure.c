/* SPDX-License-Identifier: Apache-2.0 */
/* On the host pointers in structures are as good as others, but nobody knows where their arrays end. */
struct layer { float *in, *out; int n; };

void by_value(struct layer l)
{
#pragma heddle for device(host)
    for (int i = 0; i < l.n; i++)
        l.out[i] = 2 * l.in[i];
}

void asserted(struct layer l)
{
#pragma heddle for independent device(host)
    for (int i = 0; i < l.n; i++)
        l.out[i] = 2 * l.in[i];
}
void through_pointer(const struct layer *l, float *out)
{
#pragma heddle for device(host)
    for (int i = 0; i < l->n; i++)
        out[i] = 2 * l->in[i];
}
// expect: 9:9: error: 'l.in' is a pointer in a structure, and nothing shows whether what it points to overlaps; if it does not, write '#pragma heddle for independent'
// expect: 22:22: error: 'l.in' is a pointer in a structure, and nothing shows whether what it points to overlaps; if it does not, write '#pragma heddle for independent'
