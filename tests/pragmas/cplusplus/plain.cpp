/* SPDX-License-Identifier: Apache-2.0 */
/* Plain loops in a C++ file, around which C++ is what it is. */
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

constexpr int N = 90, M = 120;
namespace {
struct point {
    double x, y;
    float weight[3];
};
template <class T> T twice(T t) { return t + t; }
double h[N + 1][M + 1], u[N + 1][M + 1], image[N][M];
} // namespace

static double norm(double x, double y) { return std::sqrt(x * x + y * y); }

static double sums(int n, const point *p, double *out, bool far)
{
    double sum = 0;
    long most = 0;
#pragma heddle for reduction(+: sum) reduction(max: most)
    for (int i = 0; i < n; i++) {
        const double r = norm(p[i].x, p[i].y) * p[i].weight[i % 3];
        out[i] = far && r > 2 ? r : -r;
        sum += (int)out[i];
        most = most > i * (i % 7) ? most : i * (i % 7);
    }
    return sum + most;
}

static void columns(size_t n, int m, double *a)
{
#pragma heddle for collapse(2)
    for (size_t i = n; i-- > 0;)
        for (int j = 0; j != m; j++)
            a[i * (size_t)m + j] = (double)i - 2.0 * j;
}

static int affine(int n, int m, const char *s, const char *t, int *row, int *gap)
{
    int best = 0;
#pragma heddle wavefront reduction(max: best)
    for (int i = 1; i <= n; i++) {
        int e = -10, left = 0, corner = 0;
        for (int j = 1; j <= m; j++) {
            e = e - 1 > left - 11 ? e - 1 : left - 11;
            gap[j] = gap[j] - 1 > row[j] - 11 ? gap[j] - 1 : row[j] - 11;
            left = corner + (s[i - 1] == t[j - 1] ? 5 : -4);
            left = left > e ? left : e;
            left = left > gap[j] ? left : gap[j];
            left = left > 0 ? left : 0;
            corner = row[j];
            row[j] = left;
            best = best > left ? best : left;
        }
    }
    return best;
}

static void smooth(int n, int m)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            h[i][j] = 0.5 * (h[i - 1][j] + h[i][j - 1]) + 0.25 * u[i][j];
#pragma heddle wavefront schedule(peer)
    for (int i = 2; i < n; i++)
        for (int j = 1; j < m; j++)
            u[i][j] += 0.125 * u[i - 2][j] + 0.25 * u[i][j - 1];
}

static int place(int n, const double *a, double *most)
{
    double best = -1e300;
    int at = -1;
#pragma heddle for
    for (int i = 0; i < n; i++)
        if (a[i] > best) {
            best = a[i];
            at = i;
        }
    *most = best;
    return at;
}

static void cell(double (*a)[M], int i, int j) { a[i][j] = 0.5 * a[i - 1][j] + 0.25 * a[i][j - 1] + i; }

static void tasks(double (*a)[M])
{
#pragma heddle pool map(tofrom: a[0:N])
    {
#pragma heddle taskloop collapse(2) sink(i-1, j) sink(i, j-1)
        for (int i = 1; i < N; i++)
            for (int j = 1; j < M; j++)
                cell(a, i, j);
    }
}

int main()
{
    std::vector<point> p(N);
    std::vector<double> out(N), a(N * M);
    std::vector<char> s, t;
    for (int i = 0; i < N; i++)
        p[i] = point{i * 0.25, i % 11 - 5.0, {1, 2, 0.5f}};
    for (int i = 0; i < N; i++)
        s.push_back("ACGT"[i * i % 13 % 4]);
    for (int j = 0; j < M; j++)
        t.push_back("ACGT"[j * j % 11 % 4]);
    auto row = std::make_unique<int[]>(M + 1), gap = std::make_unique<int[]>(M + 1);
    std::fill(gap.get(), gap.get() + M + 1, -10);
    std::printf("%g\n", sums(N, p.data(), out.data(), true));
    columns(N, M, a.data());
    std::printf("%d\n", affine(N, M, s.data(), t.data(), row.get(), gap.get()));
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            h[i][j] = i - j, u[i][j] = (i + j) % 9;
    smooth(N, M);
    tasks(image);
    double sum = twice(1.5), most;
    std::printf("%d\n", place(N, out.data(), &most));
    std::printf("%g\n", most);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum = 0.875 * sum + out[i] + a[i * M + j] + row[j] + gap[j] + h[i][j] + u[i][j] + image[i][j];
    std::printf("%.17g\n", sum);
}
