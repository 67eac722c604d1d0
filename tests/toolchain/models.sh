#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `heddle models` over files of every kind, and what it says about what it cannot use.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"
export HEDDLE_MODELS=$T/models
mkdir "$HEDDLE_MODELS"
cat >"$HEDDLE_MODELS/prog-0123abcd.csv" <<'END'
# heddle models 4; edit or delete lines as you like
# region,region,where,device,host_result,code,n,bytes,to_bytes,runs,median_us,spread_us,error_percent,setup_us,per_item_ns,per_byte_ns
link,host to device,A GPU,4096,5,9,0,0,8,0.1
region,r,prog.c:12,device,same,5e06,1000,12000,12000,16,33.5,1.4,9.6,10,16,0.5
END
cat >"$HEDDLE_MODELS/prog-0123abcd.loops.csv" <<'END'
# heddle models 4; edit or delete lines as you like
ready,prog.c:40,A GPU,0.01
chunk,prog.c:40,A GPU,3000,0,1000,0.002,0.0005
chunk,prog.c:40,A GPU,3000,1000,1000,0.004,0.0005
set,prog.c:40,shared,A GPU;A CPU,3000,0.007,0
set,prog.c:40,equal-parts,A GPU,3000,0.009,0.007
split,prog.c:40,equal-parts,A GPU,3000,1,0.4
END
cat >"$HEDDLE_MODELS/prog-0123abcd.widths.csv" <<'END'
# heddle models 4; edit or delete lines as you like
width,prog.c:77,A GPU,hybrid,32,132,12,13,41.5,900.25
END
models() { "$HEDDLE_BUILD/bin/heddle" models "$@" >"$T/out" 2>"$T/err"; }
has() { grep -Eq -- "$1" "$T/out" || { cat "$T/out" "$T/err"; echo "FAILED: no '$1'"; exit 1; }; }
refuses() { # TEXT ARGUMENT...
    text=$1; shift
    if models "$@"; then echo "FAILED: models $*: no error"; exit 1; fi
    grep -qF -- "$text" "$T/err" || { cat "$T/err"; echo "FAILED: models $*: no '$text'"; exit 1; }
}
models prog
has 'prog\.c:12 +device +1000 +12000 +33\.5'
has 'prog\.c:40 +A GPU +3000 +2 +3 +0\.5$'            # two chunks, 6 ms of 2000 iterations
has 'prog\.c:40 +A GPU \+ A CPU +3000 +1 +7000\.0'
has 'prog\.c:40 +equal parts: A GPU +3000 +1 +9000\.0'
has '\(host to device\) +A GPU +0 +4096 +9'
has 'prog\.c:77 +A GPU +hybrid +32 +132 +2\^12 +2\^13 +41\.5'
models list --all && has 'prog-0123abcd.widths.csv'
models compare && has 'line us'
models export --json prog
python3 -c 'import json, sys; x = [json.loads(l) for l in open(sys.argv[1])]; assert len(x) == 9, x; assert x[1]["median_us"] == 33.5 and x[1]["host_result"] == "same" and x[-1]["sync_ns"] == 900.25 and x[2]["loop"] == "prog.c:40" and x[2]["kind"] == "ready", x' "$T/out"
refuses "cannot use '--jsn'" export --jsn prog
refuses "nothing measured for 'lst'" lst
refuses "name the programs to reset" reset
refuses "nothing measured for 'other'" list other
echo "half a li" >>"$HEDDLE_MODELS/prog-0123abcd.csv"
refuses "1 lines are not understood" list prog
refuses "1 lines are not understood" export --json prog
sed 's/33.5/3x/; /half/d' "$HEDDLE_MODELS/prog-0123abcd.csv" >"$HEDDLE_MODELS/odd-01234567.csv"
refuses "1 lines are not understood" list odd
rm "$HEDDLE_MODELS/odd-01234567.csv"
sed 's/41.5/nan/' "$HEDDLE_MODELS/prog-0123abcd.widths.csv" >"$T/odd-01234567.widths.csv"
refuses "1 lines are not understood" list "$T/odd-01234567.widths.csv"
# a file of the version before is named, not misread
printf '# heddle loops 1; seconds; edit or delete lines as you like\nloop,device,n,first,count,compute,move\np.c:1,A GPU,3000,0,1000,0.002,0.0005\n' >"$T/old.loops.csv"
refuses "is of another version" list "$T/old.loops.csv"
refuses "is of another version" export --json "$T/old.loops.csv"
printf '# heddle models 4;\nr\0,\n' >"$T/zero.csv"
refuses "is no text: it has a byte 0" list "$T/zero.csv"
mkfifo "$HEDDLE_MODELS/pipe-01234567.csv"
refuses "cannot read" list pipe
rm "$HEDDLE_MODELS/pipe-01234567.csv"
mkdir "$HEDDLE_MODELS/dir-01234567.csv"
refuses "cannot read" export dir
rmdir "$HEDDLE_MODELS/dir-01234567.csv"
HEDDLE_MODELS=none models && has 'nothing is kept'
# by the program's path: its name carries a hash of it
cp /bin/true "$T/prog"
refuses "nothing measured for '$T/prog'" reset "$T/prog"
models reset prog
[ -z "$(ls "$HEDDLE_MODELS")" ] || { echo "FAILED: reset left $(ls "$HEDDLE_MODELS")"; exit 1; }
models && has 'nothing measured yet'
echo ok
