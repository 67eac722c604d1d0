/* SPDX-License-Identifier: Apache-2.0 */
#include "problem.h"

#include "app.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

const char *const sor_problem_names[SOR_PROBLEMS + 1] = {
    [SOR_HARMONIC] = "harmonic", [SOR_SINE] = "sine", [SOR_RANDOM] = "random"};

bool sor_problem_has_sources(enum sor_problem problem) { return problem != SOR_HARMONIC; }

/* x^2 - y^2 has no fourth derivatives, so the formula's error is 0; the sine is an eigenvector of
 * the formula. */
static double solution(enum sor_problem problem, const struct field *u, int i, int j) {
    const double h = 1.0 / (u->m + 1), x = j * h, y = i * h;
    if (problem == SOR_HARMONIC)
        return x * x - y * y;
    return sin(pi * j / (u->m + 1)) * sin(pi * i / (u->n + 1));
}

/* h^2 times the formula's value for the sine, as a multiple of it. */
static double sine_eigenvalue(int n, int m) {
    const double a = sin(pi / 2 / (m + 1)), b = sin(pi / 2 / (n + 1));
    return -4 * (a * a + b * b);
}

static bool on_border(const struct field *u, int i, int j) {
    return i == 0 || j == 0 || i == u->n + 1 || j == u->m + 1;
}

void sor_problem_fill(enum sor_problem problem, uint64_t seed, bool guess, struct field *u, struct field *f) {
    const double h = 1.0 / (u->m + 1), eigenvalue = sine_eigenvalue(u->n, u->m);
    struct app_random random;
    app_seed(&random, seed);
    for (int i = 0; i <= u->n + 1; i++)
        for (int j = 0; j <= u->m + 1; j++) {
            const bool border = on_border(u, i, j);
            double value = 0, source = 0;
            if (!border && guess)
                value = 2 * app_unit(&random) - 1;
            else if (border && problem == SOR_HARMONIC)
                value = solution(problem, u, i, j);
            else if (border && problem == SOR_RANDOM)
                value = 2 * app_unit(&random) - 1;
            if (problem == SOR_SINE)
                source = border ? 0 : eigenvalue * solution(problem, u, i, j);
            else if (problem == SOR_RANDOM)
                source = h * h * (2 * app_unit(&random) - 1);
            field_set(u, i, j, value);
            if (f->cells)
                field_set(f, i, j, source);
        }
}

void sor_problem_picture(const struct image *image, struct field *f) {
    const double h = 1.0 / (f->m + 1);
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->m; j++)
            field_set(f, i + 1, j + 1, -h * h * image->pixels[(size_t)i * (size_t)f->m + (size_t)j] / image->most);
}

double sor_problem_error(enum sor_problem problem, const struct field *u) {
    double largest = 0;
    if (problem != SOR_HARMONIC && problem != SOR_SINE)
        return -1;
    for (int i = 1; i <= u->n; i++)
        for (int j = 1; j <= u->m; j++)
            largest = fmax(largest, fabs(field_get(u, i, j) - solution(problem, u, i, j)));
    return largest;
}

double sor_residual(const struct sor_work *work) {
    const struct field *u = &work->u;
    double largest = 0;
    for (int i = 1; i <= u->n; i++)
        for (int j = 1; j <= u->m; j++) {
            double sum = field_get(u, i - 1, j) + field_get(u, i + 1, j) + field_get(u, i, j - 1) +
                         field_get(u, i, j + 1) - 4 * field_get(u, i, j);
            double f = work->f.cells ? field_get(&work->f, i, j) : 0;
            largest = fmax(largest, fabs(sum - f));
        }
    return largest;
}

double sor_best_omega(int n, int m) {
    const double jacobi = (cos(pi / (n + 1)) + cos(pi / (m + 1))) / 2;
    return 2 / (1 + sqrt(1 - jacobi * jacobi));
}
