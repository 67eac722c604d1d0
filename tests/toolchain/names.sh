#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files with odd names through the real `heddle cc`, and outputs that are inputs through every subcommand that writes.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"
H=$HEDDLE_BUILD/bin/heddle
cd "$T" || exit
cat >t.c <<'EOF'
#include <stdio.h>
int main(void)
{
    double a[100];
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < 100; i++)
        a[i] = i;
    printf("%g %s\n", a[7], __FILE__);
    return 0;
}
EOF

# --- names: the program is right, its own name is, no warning is ours, and dependencies name the source
mkdir 'd??' 'dir=x'
# shellcheck disable=SC2016
for f in $'new\nline.c' $'return\r.c' 'd??/tri.c' 'tri??-t.c' 'quo"te.c' 'back\slash.c' 'sp ace.c' '@at.c' 'a=b,c.c' 'dir=x/t.c' $'tab\t.c' \
    'dol$lar.c' 'semi;colon.c' "apo'strophe.c" 'star*.c' 'ümlaut.c'; do
    cp t.c "$f"
    for standard in gnu17 c17; do # c17 has trigraphs
        works "$f, $standard" "$H" cc -std=$standard -Wall -Werror -MMD -MF t.d "$f" -o t.out
        # clang makes a line end of a carriage return in __FILE__
        is "$f, $standard: what it prints" "$(./t.out 2>&1)" "7 ${f//$'\r'/$'\n'}"
        if grep -q heddle- t.d; then flunk "$f, $standard: a temporary file in $(cat t.d)"; fi
    done
done
cp t.c ./-dash.c
works "a dash behind --" "$H" cc -o t.out -- -dash.c; is "a dash: what it prints" "$(./t.out)" "7 -dash.c"
works "a dash, --emit-c" "$H" cc --emit-c -- -dash.c; said "a dash: translated" '^#line'
echo 'int plain;' >-plain.c
works "a dash without a directive" "$H" cc -c -- -plain.c; there "its object" ./-plain.o

# --- response files: what they hold is taken as it is, in memory that grows with them, or refused
printf -- '-DA="x y"\n\x27-DB=\\\x27 t.c -o r.out -std=c17' >args
mkdir -p 'with space'
printf '\xef\xbb\xbfint puts(const char *);\r\nstatic double x[9];\r\nint main(void)\r\n{\r\n#pragma heddle \\\r\n    for\r\n    for (int i = 0; i < 9; i++)\r\n        x[i] = i;\r\n    return x[8] != 8;\r\n}\r\n' >"with space/it's \"odd\".c"
works "CRLF, a byte order mark, quotes" "$H" cc -Wall -Werror "with space/it's \"odd\".c" -o "with space/it's"
works "it runs" "with space/it's"
works "quotes" "$H" cc @args; is "a response file" "$(./r.out)" "7 t.c"
for k in $(seq 20000); do echo "-DMACRO_$k=$k"; done >many # each of them was once a copy of all behind it
works "20000 words" bash -c "ulimit -v 2000000; '$H' cc @many -c t.c -o r.o"
printf '@loop @loop' >loop
fails "a file that names itself" 1 "$H" cc @loop t.c; said "says so" '@loop: response files name each other'
printf -- '-DA\0-DB' >zero
fails "a zero byte" 1 "$H" cc @zero -c t.c; said "names it" '@zero: .* byte 0'

# --- outputs that are inputs
kept() { if cmp -s "$2" "$3"; then pass "$1"; else : >"$T/out"; flunk "$1: $3 was changed"; fi; }
cp t.c keep.c
ln -s t.c link.c; ln t.c hard.c
for out in t.c ./t.c "$T/t.c" link.c hard.c; do
    fails "cc -o $out" 1 "$H" cc -c t.c -o "$out"; said "cc says so" 't\.c is read, and -o would write over it'
    fails "cc -MF $out" 1 "$H" cc -c t.c -o t.o -MMD -MF "$out"; said "cc -MF says so" '-MF would write over it'
    fails "cc --emit-c -o $out" 1 "$H" cc --emit-c t.c -o "$out"
    kept "t.c stays" keep.c t.c
done
"$H" cc -c t.c -o t.o; cp t.o keep.o
fails "linking over an object" 1 "$H" cc t.o -o t.o; kept "t.o stays" keep.o t.o
fails "two translations, one output" 1 "$H" cc --emit-c t.c hard.c -o both.c; absent "nothing was made" both.c
works "the file of another one" "$H" cc -c t.c -o t.o
printf 'heddle-trace 1\ntitle\tx\ndropped\t0\ntrack\ta\tb\nname\tn\ne\t0\t0\t1\t1\n' >t.svg; cp t.svg keep.svg
ln -s t.svg l.html
for out in t.svg l.html; do fails "trace -o $out" 2 "$H" trace t.svg -o $out; said "trace says so" '-o would write over it'; done
kept "the trace stays" keep.svg t.svg
printf 'cpu count=2\n' >m.svg; cp m.svg keep.svg
fails "sim --machine --svg" 2 "$H" sim loop --machine=m.svg --svg=./m.svg; said "sim says so" '--svg would write over it'
kept "the machine stays" keep.svg m.svg
printf '# heddle models 4;\nchunk,l.c:1,A CPU,10,0,10,1,0\n' >x.loops.csv; cp x.loops.csv keep.csv
fails "sim --recorded --svg" 2 "$H" sim loop --recorded=x.loops.csv@l.c --svg=x.loops.csv; said "sim says so" '--svg would write over it'
kept "the recorded loop stays" keep.csv x.loops.csv
cp t.out prog; cp prog keep.out
for option in trace record; do
    fails "run --$option" 2 "$H" run --$option=./prog ./prog; said "run says so" 'would write over the program'
done
kept "the program stays" keep.out prog

# --- pictures of machines with odd names are XML
printf 'a<&"b\x01\xff count=2\n' >odd
works "sim --svg" "$H" sim loop --machine=odd --n=50 --runs=1 --schedule=gss --svg=odd.svg
works "its picture is XML" python3 -c 'import sys, xml.dom.minidom as x; d = x.parse(sys.argv[1]); assert "a<&\"b\ufffd\ufffd" in "".join(t.firstChild.data for t in d.getElementsByTagName("text"))' odd.svg
printf 'heddle-trace 1\ntitle\t<\x02\xc3>\ndropped\t0\ntrack\ta\x1b\tb\xff\nname\t&\x03\ne\t0\t0\t1\t1\n' >odd.trace
works "trace -o .svg" "$H" trace odd.trace -o odd.svg
works "its picture is XML" python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' odd.svg
works "trace -o .json" "$H" trace odd.trace -o odd.json
works "it is JSON" python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' odd.json
finish
