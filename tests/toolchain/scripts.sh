#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The scripts: help, choice of CUDA tools, messages where a script cannot go on. Nothing is installed
# or fetched.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"

S=$HEDDLE_SOURCE/toolchain
for s in check demo fetch-cuda bundle; do
    works "$s --help" "$S/$s" --help;  said "$s says what it is" '[Hh]eddle|CUDA|PROGRAM'
done
if command -v shellcheck >/dev/null; then
    works "shellcheck" bash -c "cd '$HEDDLE_SOURCE' && shellcheck -x toolchain/{check,demo,fetch-cuda,bundle,lib.sh} \
        .ci/run .ci/inside tests/bare-machine tests/package/*.sh docs/man/make-page tests/toolchain/*.sh tests/consumer/*.sh"
fi

# the LLVM that is asked for
fails "check --llvm=7" 1 "$S/check" --llvm=7;                said "which there are" 'none of the versions in .*: 19 '
fails "check --llvm --long" 1 "$S/check" --llvm=22 --long;   said "one of them" 'neither'
if command -v cmake >/dev/null; then
    fails "HEDDLE_LLVM=7" 1 cmake -S "$HEDDLE_SOURCE" -B "$T/tree" -DHEDDLE_LLVM=7;  said "too old" "HEDDLE_LLVM=7: [0-9]+ or later is needed"
    fails "HEDDLE_LLVM=x" 1 cmake -S "$HEDDLE_SOURCE" -B "$T/tree" -DHEDDLE_LLVM=x;  said "no version" 'a major version is wanted'
    fails "another compiler" 1 cmake -S "$HEDDLE_SOURCE" -B "$T/tree" -DHEDDLE_LLVM=99 -DCMAKE_C_COMPILER="$CLANG"
    said "says which" 'HEDDLE_LLVM=99, and the compiler is'
fi

# a machine without apt
mkdir "$T/bare"
for c in bash sh cat sed tr head dirname basename mktemp date rm env id grep awk readlink uname cp mkdir; do
    ln -s "$(command -v $c)" "$T/bare/$c"
done
for s in check demo; do
    fails "$s without apt" 1 env PATH="$T/bare" "$S/$s"; said "the list" 'Install by hand.*clang-[0-9]'
done
fails "fetch-cuda without apt" 1 env PATH="$T/bare" "$S/fetch-cuda" --force; said "what to do" 'by hand'
finish
