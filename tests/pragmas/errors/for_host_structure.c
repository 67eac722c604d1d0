/* SPDX-License-Identifier: Apache-2.0 */
/* On the host pointers in structures are as good as others, but where the loop may change them, nobody knows where
   their arrays end. */
struct layer { float *in, *out; int n; };
struct picture { unsigned char *in, *out; int n; };

void changed(struct layer l, float **other)
{
#pragma heddle for device(host)
    for (int i = 0; i < l.n; i++) {
        l.out[i] = 2 * l.in[i];
        if (i == 7)
            l.in = other[0];
    }
}

void bytes(struct picture *l)
{
#pragma heddle for device(host)
    for (int i = 0; i < l->n; i++)
        l->out[i] = 2 * l->in[i];
}

void asserted(struct picture *l)
{
#pragma heddle for independent device(host)
    for (int i = 0; i < l->n; i++)
        l->out[i] = 2 * l->in[i];
}

/* One branch alone has a structure. */
void through_pointer(const struct layer *l, int n, float *out)
{
#pragma heddle for device(host)
    for (int i = 0; i < n; i++)
        if (l)
            out[i] = 2 * l->in[i];
}
// expect: 13:13: error: 'l' is changed by every iteration; declare it inside the loop, or add reduction(op: l), or firstprivate(l) if no iteration reads what another one wrote
// expect: 21:9: error: 'l->out' is a pointer in a structure that the loop may change, or reads under a condition alone; copy it to a variable before the loop, and use that
// expect: 37:26: error: 'l->in' is a pointer in a structure that the loop may change, or reads under a condition alone; copy it to a variable before the loop, and use that
