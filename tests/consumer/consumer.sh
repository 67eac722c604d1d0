#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a private folder, moves that folder, and builds project/ against it: with find_package, with
# heddle-cc as the compiler, and with pkg-config and `heddle cc`.
set -euo pipefail
: "${HEDDLE_BUILD:?}" "${HEDDLE_SOURCE:?}" "${HEDDLE_CLANG:?}"
cmake=${1:-cmake}
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export HEDDLE_TARGETS=${HEDDLE_TARGETS:-host}
# the flags of a sanitizer build must reach the consumer too
sanitize=$(sed -n 's/^HEDDLE_SANITIZE:STRING=//p' "$HEDDLE_BUILD/CMakeCache.txt")
flags=${sanitize:+-fsanitize=$sanitize}

quietly() { "$@" >"$T/log" 2>&1 || { cat "$T/log"; echo "FAILED: $*"; exit 1; }; }
said() { grep -Eq -- "$1" "$T/log" || { cat "$T/log"; echo "FAILED: no '$1'"; exit 1; }; }

quietly "$cmake" --install "$HEDDLE_BUILD" --prefix "$T/first"
mv "$T/first" "$T/prefix" # nothing may depend on the place of the installation
prefix=$T/prefix
project=$T/project
cp -r "$HEDDLE_SOURCE/tests/consumer/project" "$project"
for f in bin/heddle bin/heddle-cc libexec/heddle/heddle-translate include/heddle.h share/heddle/fetch-cuda; do
    [ -e "$prefix/$f" ] || { echo "FAILED: $f is not installed"; exit 1; }
done
quietly "$prefix/bin/heddle" doctor

echo "find_package"
quietly "$cmake" -S "$project" -B "$T/b1" -G Ninja -DCMAKE_C_COMPILER="$HEDDLE_CLANG" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_FLAGS="$flags"
quietly "$cmake" --build "$T/b1" --verbose
said 'heddle cc .*clang[-0-9]* .*table\.c'
if grep -E 'heddle cc .*plain\.c' "$T/log"; then echo "FAILED: plain.c went through heddle"; exit 1; fi
for p in app app2 plain; do quietly "$T/b1/$p"; done
touch "$project/lib/table.c"
quietly "$cmake" --build "$T/b1" && said 'table\.c' # dependencies name the user's file
quietly "$cmake" --build "$T/b1" && said 'no work to do'

echo "find_package and Makefiles, if make is there"
if command -v make >/dev/null; then
    quietly "$cmake" -S "$project" -B "$T/b2" -G 'Unix Makefiles' -DCMAKE_C_COMPILER="$HEDDLE_CLANG" \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags"
    quietly "$cmake" --build "$T/b2"
    quietly "$T/b2/app2"
fi

echo "heddle-cc as the compiler"
quietly "$cmake" -S "$project" -B "$T/b3" -G Ninja -DCMAKE_C_COMPILER="$prefix/bin/heddle-cc" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags"
quietly "$cmake" --build "$T/b3"
for p in app app2 plain; do quietly "$T/b3/$p"; done

echo "pkg-config and heddle cc"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name heddle.pc)")
export PKG_CONFIG_PATH
read -ra package <<<"$(pkg-config --cflags --libs heddle)"
cd "$project"
# shellcheck disable=SC2086
quietly "$prefix/bin/heddle" cc $flags -O2 -Wall -Werror main2.c lib/table.c "${package[@]}" -o "$T/app3"
quietly "$T/app3"

echo "pkg-config and plain clang: the serial program, linked with the library"
# shellcheck disable=SC2086
quietly "$HEDDLE_CLANG" $flags -O2 main.c "${package[@]}" -o "$T/app4"
quietly "$T/app4"
echo "all well"
