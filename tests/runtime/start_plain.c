/* SPDX-License-Identifier: Apache-2.0 */
/* Plain OpenMP that uses devices in one way, after main has begun: start_plain WAY. */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma omp begin declare target
static int kept = 5;
#pragma omp end declare target

static int region(void) {
    int x = 0;
#pragma omp target map(tofrom : x)
    x = kept + 100 * omp_is_initial_device();
    return x;
}

static int by_threads(void) {
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += region();
    return sum == 20 ? 5 : sum;
}

static int in_child(void) {
    const pid_t child = fork();
    int status = 0;
    if (!child)
        _exit(region());
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 5 ? region() : -1; /* and here */
}

static int by_memory(void) {
    int x = 5, y = 0;
    int *there = omp_target_alloc(sizeof x, 0);
    omp_target_memcpy(there, &x, sizeof x, 0, 0, 0, omp_get_initial_device());
    omp_target_memcpy(&y, there, sizeof x, 0, 0, omp_get_initial_device(), 0);
    omp_target_free(there, 0);
    return y;
}

static int by_data(void) {
    int x = 5;
#pragma omp target enter data map(to : x)
    x = 0;
#pragma omp target exit data map(from : x)
    return x;
}

static int none(void) { return 5; }
static int counted(void) { return omp_get_num_devices() ? 5 : 0; }

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*run)(void);
    } ways[] = {{"none", none},     {"count", counted},    {"region", region}, {"threads", by_threads},
                {"fork", in_child}, {"memory", by_memory}, {"data", by_data}};
    fprintf(stderr, "main\n");
    for (size_t k = 0; argc == 2 && k < sizeof ways / sizeof *ways; k++)
        if (!strcmp(argv[1], ways[k].name))
            return ways[k].run() == 5 ? 0 : 1;
    return 2;
}
