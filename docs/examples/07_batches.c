/* SPDX-License-Identifier: Apache-2.0 */
/* 07_batches: which word of a list is nearest to each of some misspelt ones, by the edit distance.
 *
 *     07_batches                   a generated list of words and one of misspelt ones
 *     07_batches WORDS MISSPELT    files with a word on each line, 100 letters at most
 *
 * One edit distance is far too small for a GPU, or for a vector of a processor. A hundred thousand of them are not:
 * `batch(p)` says that the turns of a loop are problems of their own. Each has its own sizes, words and array. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 100, GENERATED = 60000, WRONG = 40 };

struct words {
    char *letters;
    int *start; /* [count + 1] */
    int count, room;
};

static inline unsigned char smaller(unsigned char a, unsigned char b) { return a < b ? a : b; }

/* distance[p]: letters to change, insert or delete between `word` and word p of the list. */
static void distances(int n, const char *word, int count, const int *start, const char *letters,
                      unsigned char *distance) {
#pragma heddle wavefront batch(p) map(to: word[0 : n], letters[0 : start[count]], start[0 : count + 1])               \
    map(from: distance[0 : count])
    for (int p = 0; p < count; p++) {
        const int m = start[p + 1] - start[p];
        const char *other = letters + start[p];
        unsigned char D[n + 1][m + 1];
        for (int i = 0; i <= n; i++)
            D[i][0] = (unsigned char)i;
        for (int j = 0; j <= m; j++)
            D[0][j] = (unsigned char)j;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                unsigned char change = D[i - 1][j - 1] + (word[i - 1] != other[j - 1]);
                unsigned char gap = smaller(D[i - 1][j], D[i][j - 1]) + 1;
                D[i][j] = smaller(change, gap);
            }
        distance[p] = D[n][m];
    }
}

static void add(struct words *w, const char *word, int n) {
    if (w->count + 2 > w->room) {
        w->room = w->room ? 2 * w->room : 1024;
        w->start = realloc(w->start, (size_t)w->room * sizeof *w->start);
        w->letters = realloc(w->letters, (size_t)w->room * LONGEST);
        if (!w->start || !w->letters)
            abort();
        w->start[0] = 0;
    }
    memcpy(w->letters + w->start[w->count], word, (size_t)n);
    w->start[w->count + 1] = w->start[w->count] + n;
    w->count++;
}

static unsigned seed = 1;
static unsigned any(unsigned below) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

static void generate(struct words *list, struct words *wrong) {
    char word[LONGEST + 1];
    for (int k = 0; k < GENERATED; k++) {
        const int n = 3 + (int)any(12);
        for (int i = 0; i < n; i++)
            word[i] = "eeeeaaaiioonnrrttlsscudpmhgbfywkvxzjq"[any(37)];
        add(list, word, n);
    }
    for (int k = 0; k < WRONG; k++) { /* words of the list with one letter changed */
        const int p = (int)any(GENERATED), n = list->start[p + 1] - list->start[p];
        memcpy(word, list->letters + list->start[p], (size_t)n);
        word[any((unsigned)n)] = 'x';
        add(wrong, word, n);
    }
}

static int read_words(struct words *w, const char *path) {
    char line[LONGEST + 2];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return 0;
    }
    while (fgets(line, sizeof line, file)) {
        const int n = (int)strcspn(line, "\r\n");
        if (n > LONGEST || !line[n]) {
            fprintf(stderr, "%s: word %d is longer than %d letters, or its line has no end\n", path, w->count + 1,
                    LONGEST);
            fclose(file);
            return 0;
        }
        add(w, line, n);
    }
    fclose(file);
    return 1;
}

int main(int argc, char **argv) {
    struct words list = {0}, wrong = {0};
    if (argc != 1 && argc != 3) {
        fprintf(stderr, "usage: %s [WORDS MISSPELT]\n", argv[0]);
        return 2;
    }
    if (argc == 1)
        generate(&list, &wrong);
    else if (!read_words(&list, argv[1]) || !read_words(&wrong, argv[2]))
        return 2;
    unsigned char *distance = malloc((size_t)list.count + 1);
    long sum = 0;
    for (int k = 0; distance && list.count && k < wrong.count; k++) {
        const char *word = wrong.letters + wrong.start[k];
        const int n = wrong.start[k + 1] - wrong.start[k];
        int best = 0;
        distances(n, word, list.count, list.start, list.letters, distance);
        for (int p = 1; p < list.count; p++)
            if (distance[p] < distance[best])
                best = p;
        sum += distance[best];
        if (k < 3 || argc == 3)
            printf("%.*s -> %.*s (%d)\n", n, word, list.start[best + 1] - list.start[best],
                   list.letters + list.start[best], distance[best]);
    }
    printf("%d words, %ld changes to the nearest of %d\n", wrong.count, sum, list.count);
    free(distance), free(list.letters), free(list.start), free(wrong.letters), free(wrong.start);
    return 0;
}
