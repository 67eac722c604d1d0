/* SPDX-License-Identifier: Apache-2.0 */
struct frame { unsigned char luma[64][64]; int sum[8][8]; };
static int next(int *seed) { return *seed = *seed * 1103515245 + 12345; }
static int cost(const unsigned char *block, int n, int *histogram)
{
    int sum = 0, most = 0, first[4] = {1, 2, 3, 4};
    #pragma heddle lanes reduction(+: sum) reduction(max: most)
    for (int i = 0; i < n; i++) {
        sum += block[i];
        if (block[i] > most)
            most = block[i];
        #pragma omp atomic
        histogram[block[i] & 15]++;
    }
    return sum + most + first[n & 3];
}
static void block(struct frame *f, int y, int x)
{
    unsigned char pixels[64];
    int histogram[16], n = 0, *p = histogram;
    #pragma heddle lanes
    for (int i = 0; i < 16; i++)
        histogram[i] = 0;
    #pragma heddle lanes
    for (int i = 0; i < 64; i++)
        pixels[i] = f->luma[y * 8 + i / 8][x * 8 + i % 8];
    int total = cost(pixels, 64, histogram);
    *p++ = total;
    total += next(&histogram[1]);
    f->sum[y][x] = total + (y > 0 ? f->sum[y - 1][x] : 0) + n;
    if (total & 1)
        f->sum[y][x]++, n++;
    else
        f->sum[y][x]--;
}
void frames(struct frame *f, int count)
{
    #pragma heddle pool workers(block) schedule(static) map(tofrom: f[0:count])
    #pragma heddle taskloop sink(k, y, x-1) sink(k, y-1, x+1)
    for (int k = 0; k < count; k++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                block(&f[k], y, x);
}
