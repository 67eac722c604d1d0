/* SPDX-License-Identifier: Apache-2.0 */
/* Updates whose result depends on the order of the iterations. */
void f(int n, int *a, const int *b, const double *d)
{
    int x = 0, low[4] = {0};
    unsigned char c = 3;
#pragma heddle for independent reduction(max: x, low, c)
    for (int i = 0; i < n; i++) {
        if (a[i] > x)
            x = b[i];
        if (i == 0 || a[i] > x)
            x = a[i];
        if (a[i] > x) {
            a[i] = 5;
            x = a[i];
        }
        if (x < 100)
            x = b[i] > x ? b[i] : x;
        if (low[i & 3] < b[i])
            low[i & 3] = a[i];
        x = ({ int y = x; y + b[i] > y ? y + b[i] : y; });
        x = 5 + b[i];
        c = c > b[i] ? c : b[i];
        if ((unsigned char)b[i] > x)
            x = b[i];
        if (b[i] > (unsigned char)x)
            x = b[i];
        if ((unsigned)b[i] > (unsigned)x)
            x = b[i];
    }
#pragma heddle for reduction(+: x)
    for (int i = 0; i < n; i++) {
        if (x < 10)
            x += b[i];
        if (!x)
            x++;
        x += d[i];
    }
#pragma heddle for reduction(*: x)
    for (int i = 0; i < n; i++)
        x = x * (b[i] * 0.5);
}
// expect: 10:13: error: this is not a 'max' reduction of 'x'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 12:13: error: this is not a 'max' reduction of 'x'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 13:20: error: reduction variable 'x' read outside its own update; its value is known only after the nest
// expect: 15:13: error: this is not a 'max' reduction of 'x'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 18:13: error: this is not a 'max' reduction of 'x'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 20:13: error: this is not a 'max' reduction of an element of 'low'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 21:9: error: this is not a 'max' reduction of 'x'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 22:9: error: this is not a 'max' reduction of 'x'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 23:9: error: this is not a 'max' reduction of 'c'; its type does not hold every value that it is compared with, so the order of the iterations would show; convert the value to that type before the comparison
// expect: 25:13: error: this is not a 'max' reduction of 'x'; its type does not hold every value that it is compared with, so the order of the iterations would show; convert the value to that type before the comparison
// expect: 27:13: error: this is not a 'max' reduction of 'x'; its type does not hold every value that it is compared with, so the order of the iterations would show; convert the value to that type before the comparison
// expect: 29:13: error: this is not a 'max' reduction of 'x'; its type does not hold every value that it is compared with, so the order of the iterations would show; convert the value to that type before the comparison
// expect: 34:13: error: this is not a '+' reduction of 'x'; a test of the variable itself makes the result depend on the order of the iterations
// expect: 36:13: error: this is not a '+' reduction of 'x'; a test of the variable itself makes the result depend on the order of the iterations
// expect: 37:9: error: this is not a '+' reduction of 'x'; it is a whole number and the value is not, so each update rounds; convert the value, or reduce a double
// expect: 41:9: error: this is not a '*' reduction of 'x'; it is a whole number and the value is not, so each update rounds; convert the value, or reduce a double
