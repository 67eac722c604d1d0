#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# toolchain/check with stand-ins for cmake, ctest and dpkg-query: which builds and tests it asks for, how it counts, and
# what it says of skipped tests. And how tests/bare-machine is called. Nothing is built or installed.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"

mkdir "$T/tree" "$T/stand-ins"
cp -r "$HEDDLE_SOURCE/toolchain" "$T/tree/"
printf '#!/bin/sh\n' >"$T/tree/toolchain/fetch-cuda" # a machine with a GPU asks for it
cat >"$T/stand-ins/ctest" <<'EOF'
#!/bin/bash
echo "ctest $*" >>"$CALLS"
while [ $# -gt 0 ]; do
    case $1 in --preset) preset=$2 ;; -N) printf '  Test   #1: one\n' && exit ;; esac
    shift
done
mkdir -p "build/$preset/Testing/Temporary"
cat >"build/$preset/Testing/Temporary/LastTest.log" <<'LOG'
1/3 Testing: one
Output:
----------------------------------------------------------
fine
<end of output>
2/3 Testing: two
Output:
----------------------------------------------------------
a line before
skipped: no NVIDIA GPU here
<end of output>
3/3 Testing: three.dots
Output:
----------------------------------------------------------
<end of output>
LOG
echo '1/3 Test  #1: one ..............................   Passed    0.02 sec'
echo '2/3 Test  #2: two ..............................***Skipped   0.02 sec'
echo '3/3 Test  #3: three.dots .......................***Skipped   0.02 sec'
EOF
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "cmake $*" >>"$CALLS"\ncase "$*" in *help*) echo "one: phony"; echo "heddle: phony" ;; esac\n' >"$T/stand-ins/cmake"
printf '#!/bin/sh\nprintf installed\n' >"$T/stand-ins/dpkg-query"
printf '#!/bin/sh\nexit 1\n' >"$T/stand-ins/apt-get"
chmod +x "$T"/stand-ins/*
export CALLS=$T/calls
# shellcheck disable=SC2317
check() { : >"$CALLS" && PATH=$T/stand-ins:$PATH HEDDLE_DATA='' "$T/tree/toolchain/check" "$@"; }
asked() { cp "$CALLS" "$T/out" && said "$@"; }
unasked() { cp "$CALLS" "$T/out" && unsaid "$@"; }

works "skipped tests are no failures" check
said "the reason" '^skipped two: no NVIDIA GPU here$'; said "none given" '^skipped three\.dots: it gives no reason$'
said "the sum" '^1 passed, 0 failed, 2 skipped;'
asked "long tests stay out" '^ctest --preset ci .*-LE \^long\$'; unasked "no sanitizers" 'asan|tsan'
fails "not for every reason" 1 check --may-skip='no NVIDIA GPU'; said "the sum then" '^1 passed, 1 failed, 1 skipped;'
works "--sanitize" check --sanitize
said "both builds are counted" '^2 passed, 0 failed, 4 skipped;'; unasked "not the plain build" 'preset ci'
asked "only what is started is built" '^cmake --build --preset tsan --target heddle one$'
asked "a selection of tests" '^ctest --preset asan .*-R '
works "--long" check --long -L fault; said "three builds" '^3 passed, 0 failed, 6 skipped;'
asked "all tests" '^ctest --preset tsan --parallel [0-9]+ --no-tests=error -C long -L fault$'

B=$HEDDLE_SOURCE/tests/bare-machine
works "bare-machine --help" "$B" --help; said "what it is" 'fresh bare Debian 12'
fails "no command" 2 "$B"; fails "no such option" 2 "$B" --nothing true; fails "no such folder" 2 "$B" --data="$T/nothing" true
printf '#!/bin/sh\necho 65534\n' >"$T/stand-ins/id"
chmod +x "$T/stand-ins/id"
fails "without root" 3 env PATH="$T/stand-ins:$PATH" "$B" true; said "what it needs" 'needs root'
finish
