/* SPDX-License-Identifier: Apache-2.0 */
/* Macros that heads of loops use: of a header, nested, with arguments of their own, in no parentheses. */
#define SECOND(x, y) y
#define LIMIT SECOND(100, n)
#define SHIFTED 1 << 6
#define MORE(x) x + 1
#define LESS(x) -1 + x
#define STRIDE SECOND(SECOND(1, 2), SECOND(1, step))
#define PAIR(x, y) ((x) * (y))
#define COUNT_OF(a) (int)(sizeof(a) / sizeof *(a))
#define FIRST SECOND(1, heddle_lo)
#define ITERATIONS heddle_count
