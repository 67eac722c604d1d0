/* SPDX-License-Identifier: Apache-2.0 */
/* A library with a region of its own, loaded by ends.c. */
void double_all(int *a, int n);

void double_all(int *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}
