#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# heddle as CMake's compiler and as its launcher, with a stand-in translator.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"

make_home "$T/home"
export TRANSLATE_LOG=$T/log
mkdir "$T/p"
cat >"$T/p/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES C)
add_executable(app main.c part.c)
EOF
printf '#include <stdio.h>\nint part(void);\nint main(void) { printf("%%d\\n", part()); return 0; }\n' >"$T/p/main.c"
cat >"$T/p/part.c" <<'EOF'
#include "part.h"
#pragma heddle wavefront
int part(void) {
#ifdef TRANSLATED
    return PART;
#else
    return 0;
#endif
}
EOF
echo '#define PART 5' >"$T/p/part.h"

# build NAME FLAGS…: configure, build, run, build again after a header changed
build() {
    local name=$1 b=$T/b-$1
    shift
    works "$name: configure" cmake -S "$T/p" -B "$b" -G Ninja "$@"
    echo '#define PART 5' >"$T/p/part.h"
    works "$name: build" cmake --build "$b"
    is "$name: run" "$("$b/app")" 5
    works "$name: again" cmake --build "$b"; said "$name: nothing to do" 'no work to do'
    sleep 1.1
    echo '#define PART 6' >"$T/p/part.h"
    works "$name: header changed" cmake --build "$b"
    is "$name: compiled again" "$("$b/app")" 6
}
build compiler -DCMAKE_C_COMPILER="$T/home/bin/heddle-cc"
said_id=$(grep -h 'CMAKE_C_COMPILER_ID ' "$T"/b-compiler/CMakeFiles/*/CMakeCCompiler.cmake)
is "compiler is seen as Clang" "$said_id" 'set(CMAKE_C_COMPILER_ID "Clang")'
CC="$T/home/bin/heddle cc" build cc_variable
build launcher -DCMAKE_C_COMPILER="$CLANG" "-DCMAKE_C_COMPILER_LAUNCHER=$T/home/bin/heddle;cc" \
    "-DCMAKE_C_LINKER_LAUNCHER=$T/home/bin/heddle;cc"
is "presets: eight at most" "$(grep -c '"configurePreset"' "$HEDDLE_SOURCE/CMakePresets.json" | awk '{print ($1 / 2 <= 8)}')" 1
finish
