# SPDX-License-Identifier: Apache-2.0
# Delete the pragmas and what is left computes the same thing: planner by gcc, which ignores them. And --check notices when
# the serial program computes something else.
. "$(dirname "$0")/lib.sh"
[ -x "$PLANNER" ] && command -v gcc >/dev/null || { echo "skipped: no planner in this build, or no gcc here"; exit 77; }
apps=$HEDDLE_SOURCE/apps runtime=$HEDDLE_SOURCE/runtime/src # how files are written
flags="-std=gnu11 -O2 -Wall -Wextra -Wno-unknown-pragmas -Wno-psabi -Werror -ffp-contract=off -I$apps/common -I$apps/planner -I$runtime -Iwords"
mkdir -p words/heddle && cp "$HEDDLE_SOURCE/runtime/include/heddle/words.h" words/heddle # no other header of the library
for file in "$runtime"/core/fault.c "$runtime"/core/replace.c "$runtime"/core/text.c "$apps"/common/options.c "$apps"/common/outputs.c "$apps"/common/create.c "$apps"/common/message.c "$apps"/common/memory.c "$apps"/common/random.c "$apps"/common/report.c \
    "$apps"/common/textfile.c "$apps"/planner/*.c; do
    case $file in "$runtime"/*) gnu=-D_GNU_SOURCE ;; *) gnu= ;; esac
    # shellcheck disable=SC2086
    gcc $flags $gnu -c "$file" -o "$(basename "$file" .c).o" || bad "gcc $file"
done
build() { # NAME SOURCE-OF-THE-SERIAL-LOOP
    # shellcheck disable=SC2086
    gcc $flags -DPLANNER_SERIAL -c "$2" -o serial.o && gcc -o "$1" ./*.o -lexpat -lyaml -lm || bad "gcc cannot make $1"
}
build plain "$apps/planner/nest_plan.c"
for options in "" "--seed=4 --range=0.4"; do
    for program in "$PLANNER" ./plain; do
        # shellcheck disable=SC2086
        expect 0 "" "$program" --size=50 --json --check $options
        sed 's/.*"checksum": \("[^"]*"\).*\("check": "[^"]*"\).*/\1 \2/' out >"$(basename "$program").sum"
    done
    same "gcc $options" "$(cat plain.sum)" "$(cat "$(basename "$PLANNER").sum")"
done
sed 's/search_path(&search, path)/search_path(\&search, path) + (i == 3)/; s/float \*path) {/float *path, long i) {/; s/paths + i \* path)/paths + i * path, i)/' "$apps/planner/nest_plan.c" >spoilt.c
cmp -s spoilt.c "$apps/planner/nest_plan.c" && bad "nothing spoilt"
build spoilt spoilt.c
expect 1 "check: 1 problems differ from the serial program's, the first one is random/4" ./spoilt --size=20 --json --check
grep -q '"check": "fail"' out || bad "spoilt: $(cat out)"
finish
