/* SPDX-License-Identifier: Apache-2.0 */
/* What is not plain C in a loop, one by one. */
#include <cmath>
#include <vector>

template <class T> T larger(T a, T b) { return a > b ? a : b; }
static void add(double &to, double x) { to += x; }
static double inner(double x) { return static_cast<int>(x); }
struct complex {
    double re, im;
    complex operator+(const complex &o) const { return {re + o.re, im + o.im}; }
    double norm() const { return re; }
};
struct filter {
    double gain;
    void run(int n, double *a)
    {
#pragma heddle for
        for (int i = 0; i < n; i++)
            a[i] *= gain;
    }
};
namespace space {
static void run(int n, double *a)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
} // namespace space
template <class T> void of(int n, T *a)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
void all(int n, double *a, complex *c, double &total, std::vector<double> &v, std::vector<double> w)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = total;
#pragma heddle for
    for (int i = 0; i < n; i++)
        v[i] = 1;
#pragma heddle for
    for (int i = 0; i < n; i++)
        w[i] = 1;
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = larger(a[i], 1.0);
#pragma heddle for
    for (int i = 0; i < n; i++)
        add(a[i], 1);
#pragma heddle for
    for (int i = 0; i < n; i++)
        c[i] = c[i] + c[i];
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = c[i].norm();
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = static_cast<int>(a[i]);
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = inner(a[i]);
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = [](double x) { return x + 1; }(a[i]);
#pragma heddle for
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            throw 1;
#pragma heddle for
    for (int i = 0; i < n; i++) {
        double *p = new double(1);
        a[i] = *p;
        delete p;
    }
#pragma heddle wavefront
    for (auto &x : w)
        x = 1;
    auto f = [=] {
#pragma heddle for
        for (int i = 0; i < n; i++)
            a[i] = 1;
    };
    f();
#pragma heddle graph
    {
        a[0] = 1;
    }
}
namespace inside { static int scale = 3; }
struct counts { static int all; };
int counts::all = 4;
void scales(int n, int *a) {
    using namespace inside;
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = scale;
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = counts::all;
}
// expect: 18:1: error: in C++ '#pragma heddle for' stands in a plain function, outside of classes, templates, namespaces, lambda expressions and extern "C" blocks; put the loop into such a function
// expect: 26:1: error: in C++ '#pragma heddle for' stands in a plain function, outside of classes, templates, namespaces, lambda expressions and extern "C" blocks; put the loop into such a function
// expect: 33:1: error: in C++ '#pragma heddle for' stands in a plain function, outside of classes, templates, namespaces, lambda expressions and extern "C" blocks; put the loop into such a function
// expect: 41:16: error: 'total' is a reference, and what a directive runs is plain C; use a pointer, or a copy in front of the loop
// expect: 44:9: error: 'operator[]' is overloaded, and what a directive runs is plain C; use a pointer to the elements, such as data()
// expect: 47:9: error: 'operator[]' is overloaded, and what a directive runs is plain C; use a pointer to the elements, such as data()
// expect: 50:16: error: 'larger' is a template, and what a directive runs is plain C; write out what it does, or a function of plain types
// expect: 53:9: error: 'add' takes or gives references, and what a directive runs is plain C; let it take pointers or values
// expect: 56:9: error: 'operator=' is overloaded, and what a directive runs is plain C; write out what it does
// expect: 59:16: error: 'norm' is a member of a class, and what a directive runs is plain C; call a plain function
// expect: 62:16: error: this is a cast of C++, and what a directive runs is plain C; write (int)x
// expect: 8:40: error: this is a cast of C++, and what a directive runs is plain C; write (int)x
// expect: 68:16: error: 'operator()' is overloaded, and what a directive runs is plain C; write out what it does
// expect: 72:13: error: exceptions leave the loop, and what a directive runs is plain C; set a variable, by a reduction, and throw behind the loop
// expect: 75:21: error: new and delete call constructors and the allocator, and what a directive runs is plain C; do it in front of the loop or behind it
// expect: 77:9: error: new and delete call constructors and the allocator, and what a directive runs is plain C; do it in front of the loop or behind it
// expect: 80:5: error: this loop has no variable that counts, and what a directive runs is plain C; write for (int i = 0; i < n; i++)
// expect: 83:1: error: in C++ '#pragma heddle for' stands in a plain function, outside of classes, templates, namespaces, lambda expressions and extern "C" blocks; put the loop into such a function
// expect: 88:1: error: '#pragma heddle graph' is for C; put it into a C file, and call that through extern "C"
// expect: 100:16: error: 'scale' belongs to a namespace or class, and what a directive runs is plain C; use a copy of it or a pointer to it in front of the loop
// expect: 103:16: error: 'all' belongs to a namespace or class, and what a directive runs is plain C; use a copy of it or a pointer to it in front of the loop
