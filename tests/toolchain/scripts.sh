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
