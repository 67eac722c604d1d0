#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A bundled program runs with the bundle's libraries, from another place, with and without an own libc.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"

make_home "$T/home"
B=$HEDDLE_SOURCE/toolchain/bundle
cat >"$T/app.c" <<'EOF'
#include <stdio.h>
int heddle_stand_in(void);
int main(int argc, char **argv) {
    int there = 0;
#pragma omp target map(from : there)
    there = 7;
    printf("%d %d %s\n", heddle_stand_in(), there, argc > 1 ? argv[1] : "-");
    return 0;
}
EOF
cd "$T" || exit
works "build" "$T/home/bin/heddle" cc --targets=x86_64 app.c -o app
works "bundle" "$B" ./app --out="$T/made" --add="$T/app.c:share/source/app.c"; said "counts" '1 program'
mv made moved; mv home gone # neither the place nor the build tree may matter
is "runs" "$(moved/bin/app 'a b')" "42 7 a b"
ln -s moved/bin/app link; is "runs by a link" "$(./link)" "42 7 -"
there "libheddle" moved/lib/libheddle.so; there "--add" moved/share/source/app.c
there "licences" moved/share/licences
absent "no libc" moved/lib/libc.so.6; absent "no driver" moved/lib/libcuda.so.1
works "libraries" env LD_DEBUG=libs moved/bin/app; said "of the bundle" 'init: .*moved/lib/libLLVM'
for place in ../x /x x/../../y .. x/.. ./x '' lib bin; do
    fails "--add to '$place'" 1 "$B" ./app --out="$T/escape" --add="$T/app.c:$place"; said "says so" 'inside the bundle|own'
done
absent "nothing was made" "$T/escape"; absent "nothing beside it" "$T/x"
fails "--add of nothing" 1 "$B" ./app --out="$T/escape" --add="$T/none"; absent "nothing was made" "$T/escape"
fails "two of one place" 1 "$B" ./app --out="$T/escape" --add="$T/app.c:a" --add="$T/app:a"; said "says so" 'has a already'
rm -rf escape
fails "a bundle of itself" 1 "$B" moved/lib/programs/app --out="$T/moved"; said "says so" 'give another --out'
there "it stays" moved/lib/programs/app
fails "a bundle in what it holds" 1 "$B" ./app --out="$T/moved/lib/out" --add="$T/moved"; said "says so" 'give another --out'
fails "does not replace what is no bundle" 1 "$B" /bin/true --out="$T/gone"; said "says so" 'not replaced'
fails "no such program" 1 "$B" nothing --out="$T/x"
fails "nothing to do" 2 "$B"
mv gone home
works "doctor of a bundled program" home/bin/heddle doctor moved/bin/app; said "its images" 'image 0: x86_64'
# in a bundle nothing is compiled: only what programs need to run is judged
works "doctor in a bundle" env PATH=/usr/bin:/bin "$B" ./app home/bin/heddle --out="$T/doctor"
works "no compiler is missed" doctor/bin/heddle doctor doctor/bin/app; said "says so" 'ok +bundle +.*/doctor: programs run here'
said "names libomptarget" 'ok +libomptarget +.*/doctor/lib/libomptarget'; said "the program" 'image 0: x86_64'
unsaid "no compiler" '^[a-z]+ +(compiler|translator|headers|CUDA tools)'; unsaid "nothing missing" 'missing'
rm doctor/lib/libomptarget*
fails "without its libomptarget" 1 doctor/bin/heddle doctor; said "is missed" '^missing +libomptarget'
works "--glibc" "$B" ./app --out="$T/moved" --glibc; is "runs with its libc" "$(moved/bin/app)" "42 7 -"
finish
