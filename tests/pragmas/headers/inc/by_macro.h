/* SPDX-License-Identifier: Apache-2.0 */
/* Its directive comes out of a macro of another header. */
static inline void by_macro(int n, int *x) {
    PARALLEL
    for (int i = 0; i < n; i++)
        x[i] *= 3;
}
