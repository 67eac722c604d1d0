# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the shell tests share: a private folder that goes at exit, a stand-in installation in it, and
# check functions that print one line each. Needs HEDDLE_BUILD and HEDDLE_SOURCE.
set -euo pipefail

: "${HEDDLE_BUILD:?the build folder}" "${HEDDLE_SOURCE:?the source folder}"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export XDG_CACHE_HOME=$T/cache HOME=$T
unset HEDDLE_TARGETS HEDDLE_CC HEDDLE_CUDA HEDDLE_TRANSLATE CUDA_PATH CUDA_HOME
export HEDDLE_TARGETS=host
CLANG=${HEDDLE_CLANG:?the compiler}
: "${HEDDLE_LLVM:?the major version of its LLVM}"
failed=0

skip() { echo "skipped: $*"; exit 77; }
pass() { echo "ok      $1"; }
flunk() { echo "FAILED  $1"; [ -s "$T/out" ] && sed 's/^/        | /' "$T/out"; failed=1; }

# works NAME COMMAND…: exit status 0.   fails NAME STATUS COMMAND…: exactly that status.
works() { local n=$1; shift; if "$@" >"$T/out" 2>&1; then pass "$n"; else flunk "$n"; fi; }
fails() {
    local n=$1 want=$2 got=0; shift 2
    "$@" >"$T/out" 2>&1 || got=$?
    if [ "$got" = "$want" ]; then pass "$n"; else flunk "$n (status $got, not $want)"; fi
}
# said NAME REGEX: the last command printed it.   is NAME GOT WANT
said() { if grep -Eq -- "$2" "$T/out"; then pass "$1"; else flunk "$1 (no '$2')"; fi; }
unsaid() { if grep -Eq -- "$2" "$T/out"; then flunk "$1 ('$2' is there)"; else pass "$1"; fi; }
is() { if [ "$2" = "$3" ]; then pass "$1"; else : >"$T/out"; flunk "$1: '$2', not '$3'"; fi; }
there() { if [ -e "$2" ]; then pass "$1"; else : >"$T/out"; flunk "$1: no $2"; fi; }
absent() { if [ ! -e "$2" ]; then pass "$1"; else : >"$T/out"; flunk "$1: $2 is there"; fi; }
finish() { exit "$failed"; }

# A translator that turns a directive into a macro, and fails on one that says `bad`. It records its
# arguments.
make_home() {
    mkdir -p "$1"/{bin,lib,include,share}
    cp "$HEDDLE_BUILD/bin/heddle" "$1/bin/heddle"
    ln -sf heddle "$1/bin/heddle-cc"
    ln -sfn "$HEDDLE_SOURCE/toolchain" "$1/share/heddle"
    echo '#define HEDDLE_STAND_IN 1' >"$1/include/heddle.h"
    echo 'int heddle_stand_in(void) { return 42; }' >"$T/standin.c"
    "$CLANG" -shared -fPIC -o "$1/lib/libheddle.so" "$T/standin.c"
    cat >"$1/bin/heddle-translate" <<'EOF'
#!/bin/sh
out=
if [ "$1" = -o ]; then out=$2; shift 2; fi
if [ "$1" = --host ]; then shift; fi
in=$1; shift
[ -n "$TRANSLATE_LOG" ] && echo "$in $*" >>"$TRANSLATE_LOG"
if grep -q 'heddle bad' "$in"; then
    echo "$in:1:1: error: bad directive" >&2
    exit 1
fi
[ -n "$out" ] && exec >"$out"
printf '#line 1 "%s"\n' "$in"
sed 's/^[ \t]*#[ \t]*pragma[ \t]*heddle.*/#define TRANSLATED 1/' "$in"
EOF
    chmod +x "$1/bin/heddle-translate"
}

# make_cuda FOLDER VERSION: stand-in CUDA tools.
make_cuda() {
    mkdir -p "$1"/{bin,include,nvvm/libdevice}
    printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V%s.0"\n' "$2" "$2" >"$1/bin/ptxas"
    cp "$1/bin/ptxas" "$1/bin/nvlink"
    chmod +x "$1"/bin/*
    : >"$1/nvvm/libdevice/libdevice.10.bc"
    : >"$1/include/cuda.h"
}

# make_driver FOLDER COUNT SM: a stand-in for NVIDIA's driver library, as libcuda.so.1 alone.
make_driver() {
    mkdir -p "$1"
    cat >"$1/cuda.c" <<EOF
#include <string.h>
int cuInit(unsigned f) { return f; }
int cuDriverGetVersion(int *v) { *v = 12040; return 0; }
int cuDeviceGetCount(int *n) { *n = $2; return 0; }
int cuDeviceGet(int *d, int i) { *d = i; return 0; }
int cuDeviceGetName(char *s, int n, int d) { (void)d; strncpy(s, "Stand-in GPU", n); return 0; }
int cuDeviceGetAttribute(int *v, int a, int d) { (void)d; *v = a == 75 ? $3 / 10 : a == 76 ? $3 % 10 : 0; return 0; }
EOF
    "$CLANG" -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$1/libcuda.so.1" "$1/cuda.c"
}
