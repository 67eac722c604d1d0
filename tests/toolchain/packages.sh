#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the scripts do about missing packages, with stand-ins for Debian's programs: they install them, and unpack LLVM
# where installing it would take another libomp away. Nothing is installed.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"

mkdir "$T/stand-ins"
cat >"$T/stand-ins/apt-get" <<'EOF'
#!/bin/bash
echo "apt-get $*" >>"$CALLS"
case $1 in
install)
    [ "$2" = -s ] || exit 0
    shift 3
    for p in "$@"; do
        case $p in
        libomp-*-dev)
            printf 'Inst libc6-dev (2)\nInst libomp5-19 (19)\n'
            [ -z "${OTHER:-}" ] || printf 'Remv libomp-dev [14]\nRemv libomp5-14 [14]\n'
            ;;
        greedy) echo 'Remv vim [9]' ;;
        esac
        echo "Inst $p (19)"
    done
    ;;
download)
    [ -z "${OFFLINE:-}" ] || { echo 'E: Failed to fetch' && exit 100; }
    for p in "${@:3}"; do : >"$p.deb"; done
    ;;
esac
EOF
cat >"$T/stand-ins/apt-cache" <<'EOF'
#!/bin/bash
case $1 in
depends) printf '%s\n' "${@:9}" '  Depends: libllvm19' libllvm19 libomp5-19 libc6-dev '<virtual>' ;;
show)
    for p in "${@:3}"; do
        printf 'Package: %s\n' "$p"
        [ "$p" = libc6-dev ] || printf 'Source: llvm-toolchain-19\n'
    done
    exit 100
    ;;
esac
EOF
cat >"$T/stand-ins/dpkg" <<'EOF'
#!/bin/bash
mkdir -p usr/bin usr/lib/llvm-19/lib usr/lib/x86_64-linux-gnu
: >"usr/lib/llvm-19/${2%.deb}"
: >usr/lib/llvm-19/lib/libclangStatic.a
: >usr/lib/llvm-19/lib/libomptarget.devicertl.a
: >usr/lib/x86_64-linux-gnu/libLLVM.so.19.1
EOF
printf '#!/bin/sh\nexit 1\n' >"$T/stand-ins/dpkg-query"
printf '#!/bin/sh\necho 0\n' >"$T/stand-ins/id"
chmod +x "$T"/stand-ins/*
export CALLS=$T/calls
folder=$XDG_CACHE_HOME/heddle/llvm-19

# need PACKAGE…: need_packages in a shell of its own, which then says where it looks for programs
# shellcheck disable=SC2016,SC2317
need() {
    : >"$CALLS"
    PATH=$T/stand-ins:$PATH bash -c 'set -euo pipefail; . "$0/toolchain/lib.sh"; use_llvm 19
        need_packages "a test" "$@"; echo "path $PATH"' "$HEDDLE_SOURCE" "$@"
}
asked() { cp "$CALLS" "$T/out" && said "$@"; }
unasked() { cp "$CALLS" "$T/out" && unsaid "$@"; }

works "no libomp" need clang-19 libomp-19-dev cmake; said "says so" '^installing with apt-get, for a test: clang-19 libomp-19-dev cmake$'
asked "installs all" '^apt-get install -y .* clang-19 libomp-19-dev cmake *$'; absent "nothing is unpacked" "$folder"

export OTHER=1
OFFLINE=1 fails "offline" 1 need clang-19 libomp-19-dev; said "why" 'could not be unpacked .*E: Failed to fetch'
is "nothing half is left" "$(ls "$XDG_CACHE_HOME/heddle")" ""
mkdir "$folder.part"
works "another libomp" need clang-19 libomp-19-dev cmake
said "a line" "^unpacking LLVM 19 into $folder: to install it, apt-get would remove libomp-dev libomp5-14$"
said "its programs come first" "^path $folder/usr/bin:"
said "and what else" ': cmake \+ 1 that LLVM needs$'
asked "installs that" '^apt-get install -y .* cmake libc6-dev *$'; unasked "no LLVM" 'install -y .*(clang|omp|llvm)'
for part in clang-19 libllvm19 libomp-19-dev libomp5-19; do there "$part" "$folder/usr/lib/llvm-19/$part"; done
absent "no rest of an interrupted run" "$folder.part"; absent "not the C library" "$folder/usr/lib/llvm-19/libc6-dev"; absent "nor clang's static libraries" "$folder/usr/lib/llvm-19/lib/libclangStatic.a"
there "but those of devices" "$folder/usr/lib/llvm-19/lib/libomptarget.devicertl.a"
is "libLLVM beside LLVM's programs" "$(readlink -f "$folder/usr/lib/llvm-19/lib/libLLVM.so.19.1")" \
    "$(readlink -f "$folder")/usr/lib/x86_64-linux-gnu/libLLVM.so.19.1"
works "once more" need clang-19 libomp-19-dev; said "its programs come first" "^path $folder/usr/bin:"
unsaid "not a word" 'unpacking|installing'; unasked "nor a question" 'install|download'
works "a package of the tests" need llvm-19 spin; asked "is there" '-recommends spin *$'
fails "something else would go" 1 need greedy; said "which" 'apt-get would remove vim to install greedy'
finish
