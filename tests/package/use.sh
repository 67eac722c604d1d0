#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# use.sh README.md heddle_VERSION_amd64.deb: on a machine that has neither heddle nor a compiler (tests/bare-machine
# --no-clone), installs the package and builds README's own first example with it: by `heddle cc`, by CMake and by make.
# Needs root: packages are installed and removed. Ends with a line like the other tests'.
set -uo pipefail
readme=$(realpath "$1") package=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DEBIAN_FRONTEND=noninteractive HEDDLE_MODELS=none
passed=0 failed=0

# check NAME COMMAND…: one test
check() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok      $name"
        passed=$((passed + 1))
    else
        echo "FAILED  $name: $*"
        sed 's/^/        | /' "$work/log" | tail -n 30
        failed=$((failed + 1))
    fi
}
install() { apt-get install -y -q --no-install-recommends "$@"; }
same() { "$@" >"$work/got" && diff "$work/expected" "$work/got"; }
says() {
    local text=$1
    shift
    "$@" 2>&1 | tee "$work/said"
    grep -qE -- "$text" "$work/said"
}

# The first C block of README, and a main that calls it.
write_example() {
    {
        echo '#include <stdio.h>'
        echo '#define max(a, b) ((a) > (b) ? (a) : (b))'
        awk '/^```c$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$readme"
        cat <<'EOF'
enum { N = 700, M = 900 };
static char a[N], b[M];
static int H[2][M + 1];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = "ACGT"[i * i % 7 % 4];
    for (int j = 0; j < M; j++)
        b[j] = "ACGT"[(j * j + j / 3) % 11 % 4];
    printf("%d\n", score(N, M, a, b, H));
    return 0;
}
EOF
    } >align.c
    grep -q '#pragma heddle' align.c
}

cd "$work" || exit 1
clang=$(dpkg-deb -f "$package" Depends | grep -o '\bclang-[0-9]*' | head -n 1) # of the LLVM that the package is for
if command -v heddle || command -v "$clang"; then echo "heddle or clang is here already" && exit 1; fi
check "apt-get update" apt-get update -q
check "apt install ./$(basename "$package")" install "$package"
version=$(dpkg-query -W -f '${Version}' heddle)
check "heddle --version is the package's" says "^heddle $version\$" heddle --version
check "heddle doctor" says 'All is well' heddle doctor
for page in heddle heddle-cc heddle-doctor heddle-models heddle-options heddle-run heddle-sim heddle-trace; do
    check "manual page $page" says "^$page|\.SH NAME" gzip -dc "/usr/share/man/man1/$page.1.gz"
done
check "README's example" write_example
check "serial, pragmas ignored" "$clang" -O2 -w align.c -o serial
./serial >expected
check "it computes something" grep -qE '^[1-9][0-9]+$' expected
for target in host x86_64; do
    check "heddle cc, compiled" heddle cc --targets=$target -O3 -c align.c
    check "heddle cc, linked" heddle cc --targets=$target align.o -o "align-$target"
    check "heddle cc --targets=$target: the same" same env HEDDLE_DEVICE="$([ $target = host ] && echo host || echo 0)" "./align-$target"
    check "it ran through heddle" says 'wavefront|align.c:' env HEDDLE_VERBOSE=1 "./align-$target"
done

check "apt install cmake make" install cmake make
mkdir project && cp align.c project/
cat >project/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.21)
project(align LANGUAGES C)
find_package(heddle REQUIRED)
add_executable(align align.c)
target_link_libraries(align PRIVATE heddle::heddle)
EOF
check "cmake -S project" cmake -S project -B cmake-build -DCMAKE_C_COMPILER="$clang" -DCMAKE_BUILD_TYPE=Release
check "cmake --build" cmake --build cmake-build --verbose
check "find_package(heddle): the same" same cmake-build/align
check "it ran through heddle" says 'wavefront|align.c:' env HEDDLE_VERBOSE=1 cmake-build/align
# shellcheck disable=SC2016
printf 'CFLAGS = -O3\nalign-make: align.o\n\t$(CC) $(LDFLAGS) $^ -o $@\n' >Makefile
check "make CC=heddle-cc" make CC=heddle-cc align-make
check "make: the same" same ./align-make
check "it ran through heddle" says 'wavefront|align.c:' env HEDDLE_VERBOSE=1 ./align-make
dpkg -L heddle | sort >files
check "apt-get remove" apt-get remove -y -q heddle
check "nothing of it stays" bash -c "! grep -E '/.*heddle' files | xargs ls -d 2>/dev/null | grep ."
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
