/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of reductions whose value somebody takes. */
void f(int n, const unsigned char *x, int *out)
{
    int bins[256] = {0}, t = 0, most = 0;
#pragma heddle for reduction(+: bins)
    for (int i = 0; i < n; i++)
        out[i] = bins[x[i]]++;
#pragma heddle for reduction(+: t) reduction(max: most)
    for (int i = 0; i < n; i++) {
        int k = t += x[i];
        out[i] = k;
        if ((t += 1) > 7)
            out[i] = 0;
        for (int j = 0; j < (t++, 3); j++)
            most = x[i] > most ? x[i] : most;
        while (t++)
            out[i]++;
        out[i] = (out[i], most = x[i] > most ? x[i] : most);
    }
#pragma heddle for reduction(+: t) reduction(+: bins)
    for (int i = 0; i < n; i++) {
        int j;
        for (j = 0; j < 3; j++, t++)
            (void)(bins[j] += 1);
        x[i] && t++;
        x[i] ? t++ : (bins[1]--, j++);
        do
            t--;
        while (x[i] > j++);
        out[i] = bins[3] += 1;
    }
}
// expect: 8:18: error: 'bins' is reduced, so the value of this update is that of one worker's copy; make the update a statement of its own, and let nothing read what it gives
// expect: 11:17: error: 't' is reduced, so the value of this update is that of one worker's copy; make the update a statement of its own, and let nothing read what it gives
// expect: 13:14: error: 't' is reduced, so the value of this update is that of one worker's copy; make the update a statement of its own, and let nothing read what it gives
// expect: 17:16: error: 't' is reduced, so the value of this update is that of one worker's copy; make the update a statement of its own, and let nothing read what it gives
// expect: 19:27: error: 'most' is reduced, so the value of this update is that of one worker's copy; make the update a statement of its own, and let nothing read what it gives
// expect: 31:18: error: 'bins' is reduced, so the value of this update is that of one worker's copy; make the update a statement of its own, and let nothing read what it gives
