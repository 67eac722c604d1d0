#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every header with an include guard compiles alone, twice, with clang and gcc; heddle.h also as strict C11 and as
# C++; and all of them together. (The ones without a guard are templates that engine/wavefront/wavefront.h and engine/device.h include.)
set -u
include=${HEDDLE_SOURCE:?}/runtime/include
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
wrong=0 tried=0

try() { # compiler language standard header
    printf '#include <%s>\n#include <%s>\nint heddle_headers_test;\n' "$4" "$4" >"$tmp/in.$2"
    tried=$((tried + 1))
    "$1" -std="$3" -Wall -Wextra -Werror ${5-} -I"$include" -c "$tmp/in.$2" -o "$tmp/out.o" 2>"$tmp/err" && return
    echo "headers: <$4> does not compile with $1 -std=$3" >&2
    cat "$tmp/err" >&2
    wrong=1
}

guarded() { # the headers with an include guard, by the names under which they are included
    for path in "$include"/heddle.h $(find "$include/heddle" -name "*.h" | sort); do
        grep -q '^#ifndef HEDDLE_.*_H$' "$path" && echo "${path#"$include"/}"
    done
}

for compiler in "${HEDDLE_CLANG:?}" gcc; do
    command -v "$compiler" >/dev/null || continue
    guarded | sed 's/.*/#include <&>/' >"$tmp/all.h"
    try "$compiler" c gnu11 all.h -I"$tmp"
    for header in $(guarded); do
        try "$compiler" c gnu11 "$header"
    done
    try "$compiler" c c11 heddle.h -Wpedantic
done
for compiler in "clang++-${HEDDLE_LLVM:?}" clang++ g++; do
    command -v "$compiler" >/dev/null || continue
    try "$compiler" cc c++11 heddle.h -Wpedantic
    try "$compiler" cc c++17 heddle.h -Wpedantic
done
test $tried -gt 0 || { echo "skipped: no compiler here"; exit 77; }
echo "headers: $tried compilations"
exit $wrong
