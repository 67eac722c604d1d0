#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every mode of `heddle cc`, and `heddle doctor` and `heddle run`, with a stand-in translator.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"

make_home "$T/home"
H=$T/home/bin/heddle
export TRANSLATE_LOG=$T/log
cd "$T" || exit
mkdir -p src other 'with space'
cat >src/a.c <<'EOF'
#include "a.h"
#include <heddle.h>
#include <stdio.h>
int other(void);
  #  pragma heddle wavefront
int value(void) {
#ifdef TRANSLATED
    return A_VALUE;
#else
    return -1;
#endif
}
#ifndef NO_MAIN
int main(void) { printf("%d\n", value()); return HEDDLE_STAND_IN - 1; }
#endif
EOF
echo '#define A_VALUE 7' >src/a.h
cat >other/b.c <<'EOF'
#include "a.h"
#pragma heddle for
int b_value(void) { return A_VALUE; }
EOF
echo '#define A_VALUE 9' >other/a.h
cat >main.c <<'EOF'
#include <stdio.h>
int value(void), b_value(void), heddle_stand_in(void);
int main(void) { printf("%d %d %d\n", value(), b_value(), heddle_stand_in()); return 0; }
EOF
cp src/a.c 'with space/a x.c'; cp src/a.h 'with space/'

# --- the command itself
works "--help" "$H" --help;           said "--help lists cc" '^  cc '
works "--version" "$H" --version;     said "version number" '^heddle [0-9]+\.[0-9]+'
for c in cc doctor run; do works "$c --help" "$H" $c --help; said "$c usage" "^usage: heddle $c"; done
fails "unknown command" 2 "$H" nonsense
fails "no command" 2 "$H"

# --- one input
works "compile and link" "$H" cc src/a.c -o prog
is "translated, right header" "$(./prog)" 7
works "-c without -o" "$H" cc -O2 -Wall -Werror -c src/a.c;   there "object is named after the source" a.o
works "-c -o" "$H" cc -c -o x.o src/a.c;                      there "-o" x.o
works "-ofile" "$H" cc -c -oy.o src/a.c;                      there "-oy.o" y.o
works "-S" "$H" cc -S src/a.c;                                there "assembly is named after the source" a.s
works "-E" "$H" cc -E src/a.c;                                said "preprocessed, translated" 'return 7;'
works "-E -o" "$H" cc -E src/a.c -o a.i;                      there "-E -o" a.i
works "-fsyntax-only" "$H" cc -fsyntax-only src/a.c
works "default a.out" "$H" cc src/a.c;                        is "a.out" "$(./a.out)" 7
works "path with a blank" "$H" cc 'with space/a x.c' -o blank; is "blank" "$(./blank)" 7
works "absolute path" "$H" cc "$T/src/a.c" -o absolute;       is "absolute" "$(./absolute)" 7
works "-x c" bash -c "cp src/a.c src/a.foo; '$H' cc -x c src/a.foo -o foo"; is "-x c" "$(./foo)" 7
works "-xc and object" "$H" cc a.o -o fromobj;                is "object input" "$(./fromobj)" 7
works "stdin" bash -c "echo 'int main(void){return 0;}' | '$H' cc -x c - -o fromstdin"; works "stdin runs" ./fromstdin
works "plain C is not translated" bash -c ": >log; '$H' cc -c main.c && test ! -s log"
printf '#pragma heddle wavefront\nint in_header;\n' >pragma.h; printf '#include "pragma.h"\nint main(void) { return 0; }\n' >uses.c
works "a directive in a header" bash -c ": >log; '$H' cc -c uses.c && test -s log"
printf 'int x[9];\nint main() {\n#pragma heddle for\nfor (int i = 0; i < 9; i++) x[i] = i;\nreturn x[8] - 8; }\n' | tee other.cpp >other.foo
works "a directive in C++" bash -c ": >log; '$H' cc -c other.cpp && test -s log"
works "-x c++" bash -c ": >log; '$H' cc -x c++ -c other.foo -o foo.o && test -s log"
works "a directive in neither" "$H" cc -x objective-c -fsyntax-only other.foo; said "is ignored aloud" 'other.foo is neither C nor C\+\+'
works "-g: debug information names the source" "$H" cc -g -c src/a.c -o dbg.o
works "dwarf" "llvm-dwarfdump-$HEDDLE_LLVM" --debug-info dbg.o;           said "DW_AT_name" 'DW_AT_name.*src/a\.c'; unsaid "no temporary path" 'heddle-[A-Za-z0-9]{6}'
works "what the translator is told" bash -c ": >log; '$H' cc -DX=1 -D Y=2 -Isrc -include src/a.h -std=gnu11 -march=native -O2 -fPIC -Wl,-z,now -L. -MD -c src/a.c -o t.o 2>/dev/null && cat log"
said "arguments" 'src/a\.c -- .*-DX=1 -D Y=2 -Isrc -include src/a\.h -std=gnu11 -march=native'; unsaid "no -Wl, -L, -MD, -o" '-Wl|-L\.|-MD| -o '

# --- several inputs
works "several inputs" "$H" cc -DNO_MAIN src/a.c other/b.c main.c -o several -lm
is "each with its own a.h, libheddle linked" "$(./several)" "7 9 42"
rm -f a.o b.o; works "several -c" "$H" cc -c src/a.c other/b.c; there "a.o" a.o; there "b.o" b.o
fails "-c -o with several is clang's error" 1 "$H" cc -c src/a.c other/b.c -o one.o; said "message" 'cannot specify -o'
works "source and object" "$H" cc -DNO_MAIN src/a.c b.o main.c -o mixed; is "mixed" "$(./mixed)" "7 9 42"

# --- response files
echo "-DNO_MAIN 'src/a.c' \"other/b.c\" @second" >first; echo 'main.c -o resp\onse' >second
works "@file, nested" "$H" cc @first; is "@file" "$(./response)" "7 9 42"
fails "@missing" 1 "$H" cc @missing

# --- dependency files
rm -f ./*.d
works "-MD" "$H" cc -MD -c src/a.c -o obj.o;         there "obj.d" obj.d
is "obj.d names the sources" "$(tr -d '\\\n' <obj.d | grep -o '^obj.o: src/a.c .*src/a.h' | sed 's/ .*src/ src/')" "obj.o: src/a.h"
is "no temporary file in obj.d" "$(grep -c heddle- obj.d || true)" 0
works "-MMD -MF -MT" "$H" cc -MMD -MF deps -MT thing -c src/a.c -o obj.o
is "deps" "$(tr -d '\\\n' <deps | tr -s ' ' | sed "s| ${T}[^ ]*||g")" "thing: src/a.c src/a.h"
works "-MD without -o" "$H" cc -MD -c src/a.c;        is "a.d" "$(head -c 12 a.d)" "a.o: src/a.c"
works "-MMD, several, linked" "$H" cc -MMD -DNO_MAIN src/a.c other/b.c main.c -o several
is "b.d" "$(tr -d '\\\n' <b.d | tr -s ' ')" "b.o: other/b.c other/a.h"
works "-MM" "$H" cc -MM src/a.c;                      said "-MM" '^a.o: src/a.c src/a.h'
works "blank in a dependency" "$H" cc -MMD -MF sp.d -c 'with space/a x.c' -o sp.o; is "escaped" "$(grep -c 'with\\ space/a\\ x.c' sp.d)" 1

# --- what clang leaves when a signal ends it lies in a folder that goes
printf '#!/bin/sh\necho "$TMPDIR" >tmpdir\nexec ld "$@"\n' >linker && chmod +x linker
works "another linker" "$H" cc --ld-path="$PWD/linker" src/a.c -o odd
is "clang's temporary files" "$(sed 's|.*/heddle-.*|ours|' tmpdir)" ours
if [ -e "$(cat tmpdir)" ]; then flunk "the folder of temporary files is there"; else pass "the folder is gone"; fi

# --- errors
printf '#pragma heddle bad\nint x;\n' >bad.c
rm -f bad.o; fails "a directive in error" 1 "$H" cc -c bad.c; said "its message" '^bad.c:1:1: error'; absent "no output" bad.o
fails "a C error" 1 "$H" cc -c -Dvalue=+ src/a.c
printf '#pragma heddle x\nint f(void) { return undeclared; }\n' >err.c
fails "an error after translation" 1 "$H" cc -c err.c; said "is on the user's line" '^err.c:2:22: error'
fails "missing input" 1 "$H" cc -c nothere.c;         said "clang's message" 'no such file'
fails "unknown target" 1 "$H" cc --targets=sm_1 -c main.c
fails "-static" 1 "$H" cc -static main.c -o static;     said "shared libraries" "are shared ones"
fails "sanitizer" 1 "$H" cc --targets=x86_64 -fsanitize=undefined src/a.c -o sane -lm; said "where sanitizers work" "with --targets=host"
works "sanitizer on the host" "$H" cc --targets=host -fsanitize=undefined src/a.c -o sane -lm
works "the translator hears of it" bash -c ": >log; '$H' cc --targets=host -fsanitize=thread,undefined -fsanitize-recover=all -c src/a.c -o t.o && cat log"
said "for the sake of __has_feature" '-fsanitize=thread,undefined'; unsaid "and of nothing else" 'recover'
works "sanitizer taken back" "$H" cc --targets=x86_64 -fsanitize=undefined -fno-sanitize=all src/a.c -o sane -lm
works "-static, no link" "$H" cc -static -c main.c
fails "no such limit" 1 "$H" cc --gpu-registers=many -c main.c; said "limits" "16 to 255"
fails "no such target" 1 "$H" cc --targets=fpga -c main.c; said "list of targets" 'native'
is "temporary folders are gone" "$(TMPDIR=$T/tmp; export TMPDIR; mkdir "$TMPDIR"; "$H" cc -c src/a.c -o z.o; "$H" cc -c bad.c 2>/dev/null; find "$TMPDIR" -mindepth 1 | wc -l)" 0

# --- heddle's own options
works "--emit-c" "$H" cc --emit-c src/a.c;            said "--emit-c" '^#define TRANSLATED 1'
works "--emit-c -o" "$H" cc --emit-c src/a.c -o emitted.c; there "emitted.c" emitted.c
works "--heddle-verbose" "$H" cc --heddle-verbose -c src/a.c; said "translator shown" 'heddle-translate -o'; said "clang shown" 'clang.* -c'
works "-v" "$H" cc -v -c src/a.c;                     said "heddle's and clang's" 'clang version'
works "-###" "$H" cc '-###' -c src/a.c
works "--targets=x86_64" "$H" cc --targets=x86_64 src/a.c -o offload; is "x86_64" "$(./offload)" 7
works "no unused-argument warnings" "$H" cc --targets=x86_64 -Werror -Wall -c src/a.c -o w.o
printf '#pragma heddle wavefront\nstatic int unused_here;\n' >warned.c
works "a warning" "$H" cc --targets=x86_64 -Wall -c warned.c; is "is said once, host and device" "$(grep -c 'warning: unused variable' "$T/out")" 1
echo 'static int unused_here;' >undirected.c
works "a file without directives" "$H" cc --targets=x86_64 -Wall -c undirected.c; is "is said once, too" "$(grep -c 'warning: unused variable' "$T/out")" 1
fails "an error of it" 1 "$H" cc --targets=x86_64 -Wall -Werror -c undirected.c; said "is the host's" 'error: unused variable'
works "… when linking" "$H" cc --targets=x86_64 -Werror w.o -o w; is "separate link" "$(./w)" 7
works "assembler input" bash -c "echo '.globl f; f: ret' >f.s; '$H' cc --targets=x86_64 -Werror -c f.s -o f.o"
works "no rpath surprise" readelf -d prog;            said "rpath to libheddle" "$T/home/lib"; said "libomptarget is linked" 'libomptarget'
works "-shared" "$H" cc -shared -fPIC -DNO_MAIN src/a.c -o liba.so
works "-r" "$H" cc -r a.o b.o -o ab.o
works "no inputs" "$H" cc -print-resource-dir;        said "passed through" 'lib/clang'
works "--version of clang" "$H" cc --version;         said "clang" 'clang version'
works "heddle-cc" "$T/home/bin/heddle-cc" src/a.c -o viacc; is "heddle-cc" "$(./viacc)" 7

# --- launcher
works "launcher" "$H" cc "$CLANG" -O1 src/a.c -o launched; is "launcher" "$(./launched)" 7
works "options before the compiler" "$H" cc --targets=x86_64 --no-rpath "$CLANG" src/a.c -o norpath
works "no rpath" readelf -d norpath;                  unsaid "no runpath" 'RUNPATH'
works "launcher, full path" "$H" cc "$(command -v "$CLANG")" -c src/a.c
works "launcher of heddle-cc" "$H" cc "$T/home/bin/heddle-cc" src/a.c -o twice; is "twice" "$(./twice)" 7
if command -v gcc >/dev/null; then
    works "launcher of gcc" "$H" cc gcc -Isrc -I"$T/home/include" src/a.c -o viagcc; said "is told" 'serial program'
    is "serial" "$(./viagcc)" -1
fi
works "HEDDLE_CC" env HEDDLE_CC="$CLANG" "$H" cc src/a.c -o viaenv
fails "HEDDLE_CC that is not there" 1 env HEDDLE_CC=no-clang "$H" cc src/a.c; said "says what to do" 'apt-get install'

# --- doctor and run
works "doctor" "$H" doctor;                           said "compiler" '^ok +compiler'; said "translator" '^ok +translator'
works "doctor of a program" "$H" doctor ./offload;    said "image" 'x86_64-pc-linux-gnu'
works "doctor of a CPU program" "$H" doctor ./prog;   said "no image" 'holds no offload image'
if compgen -G "$(dirname "$("$CLANG" -print-file-name=libomptarget.so)")/libomptarget-nvptx*.bc" >/dev/null; then
    unsaid "the device library is there" 'device library'
else
    works "doctor without a device library" "$H" doctor; said "GPUs are not served" "none for GPUs in LLVM $HEDDLE_LLVM"
    fails "cc for a GPU" 1 "$H" cc --targets=sm_90 -c main.c; said "says why" "LLVM $HEDDLE_LLVM.* has no device run-time library for sm_90"
fi
mkdir -p bare # a clang whose package of offload tools is not installed
cat >"bare/clang-$HEDDLE_LLVM" <<EOF
#!/bin/sh
case "\$*" in -print-prog-name=*) echo "\${1#*=}" ;; *offload*) exit 1 ;; *) exec $CLANG "\$@" ;; esac
EOF
chmod +x "bare/clang-$HEDDLE_LLVM"
fails "doctor without offload tools" 1 env HEDDLE_CC="bare/clang-$HEDDLE_LLVM" "$H" doctor; said "fix" "apt-get install (clang-tools|llvm)-$HEDDLE_LLVM"
fails "cc without offload tools" 1 env HEDDLE_CC="bare/clang-$HEDDLE_LLVM" "$H" cc --targets=x86_64 -c main.c -o offload.o; said "says so" "apt-get install (clang-tools|llvm)-$HEDDLE_LLVM"
left=/dev/shm/__KMP_REGISTERED_LIB_4194999_$(id -u) # no process has a number above 4194304
if : 2>/dev/null >"$left"; then
    works "doctor and an empty leftover of libomp" "$H" doctor; said "leftover" 'empty files? of killed OpenMP programs'; said "its fix" '__KMP_REGISTERED_LIB_'
    rm -f "$left"
fi
mv "$T/home/bin/heddle-translate" "$T/hidden"
fails "doctor without translator" 1 "$H" doctor;      said "fix" 'fix: '
fails "cc without translator" 1 "$H" cc src/a.c;      said "says so" 'needs heddle-translate'
mv "$T/hidden" "$T/home/bin/heddle-translate"
mkdir -p cuda13/bin; printf '#!/bin/sh\necho "Cuda compilation tools, release 13.0, V13.0.88"\n' >cuda13/bin/ptxas; chmod +x cuda13/bin/ptxas
works "doctor and CUDA 13" env HEDDLE_CUDA="$T/cuda13" "$H" doctor; said "warns" '13\.0.*rejects'
fails "--cuda-path of CUDA 13" 1 "$H" cc --targets=sm_90 --cuda-path="$T/cuda13" -c main.c; said "why" '13\.0|no device run-time library'
fails "doctor of nothing" 2 "$H" doctor nothere;      said "says so" 'cannot read the program nothere'
fails "doctor's options" 2 "$H" doctor --json;        said "says so" 'no option --json'
for bad in --policy=fast --policy=./nothere.so --explain=much --candidates=0,,1 --candidates=gpu --device=gpu --device= --trace=; do
    fails "run $bad" 2 "$H" run $bad ./prog;          said "says so" "cannot use '$bad'"
done
fails "run --policy PROGRAM" 2 "$H" run --policy ./prog; said "says so" 'policy needs a value'
fails "run --schedule=lp" 2 "$H" run --schedule=lp ./prog; said "the new name" '--policy=P chooses'
works "run with values" "$H" run --policy=lp --candidates=0,host --device=auto --explain=summary ./prog
works "run" "$H" run ./prog;                          said "its output" '^7$'
fails "run passes the status on" 3 "$H" run sh -c 'exit 3'
fails "run of nothing" 127 "$H" run ./nothere
# shellcheck disable=SC2016
works "run preloads" "$H" run sh -c 'echo $LD_PRELOAD'; said "libheddle" 'home/lib/libheddle.so'
finish
