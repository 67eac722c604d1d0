#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program that runs with more rights than who started it takes nothing from the environment that loads code or writes files.
set -u
[ "$(id -u)" = 0 ] || { echo "skipped: only root can make a program of another user's rights"; exit 77; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
chmod 777 "$T"
cat >plain.c <<'END'
int main(void)
{
    static double a[100000];
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < 100000; i++)
        a[i] += i;
#pragma omp target map(tofrom : a)
    a[0] = 1;
    return a[99999] != 99999;
}
END
"$HEDDLE_BUILD/bin/heddle" cc --targets=x86_64 plain.c -o plain || exit 1
cp plain other
chown nobody other
chmod u+s other
cat >loads.c <<'END'
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void loaded(void) { if (fopen("loaded", "w")) {} }
END
"${HEDDLE_CLANG:?}" -shared -fPIC -o loads.so loads.c || exit 1
run() { # PROGRAM
    rm -rf loaded trace.html models record home cache
    mkdir -m 777 home cache models
    HOME=$T/home XDG_CACHE_HOME=$T/cache HEDDLE_TRACE=$T/trace.html HEDDLE_POLICY=$T/loads.so HEDDLE_FOR=$T/loads.so HEDDLE_RECORD=$T/record \
        "./$1" >out 2>err || { cat err; return 1; }
}
run plain || exit 1
[ -e trace.html ] && [ -e loaded ] || { echo "the test tests nothing: a plain program left $(ls)"; exit 1; }
run other || { grep -q 'error while loading shared libraries' err && { echo "skipped: its libraries cannot be loaded here"; exit 77; }; exit 1; }
for made in trace.html record loaded; do
    [ ! -e "$made" ] || { echo "FAILED: HEDDLE_… made $made"; exit 1; }
done
[ -z "$(find home cache models -type f)" ] || { echo "FAILED: left $(find home cache models -type f)"; exit 1; }
# models are kept by what is asked for in words, too
rm -rf models && mkdir -m 777 models
HEDDLE_MODELS=$T/models ./other >out 2>err || exit 1
[ -z "$(ls models)" ] || { echo "FAILED: HEDDLE_MODELS made $(ls models)"; exit 1; }
echo ok
