# SPDX-License-Identifier: Apache-2.0
# Delete the pragmas and what is left computes the same thing: peptide by gcc, which ignores them. And --check notices when
# the serial program computes something else.
. "$(dirname "$0")/lib.sh"
[ -x "$PEPTIDE" ] && command -v gcc >/dev/null || { echo "skipped: no peptide in this build, or no gcc here"; exit 77; }
apps=$HEDDLE_SOURCE/apps runtime=$HEDDLE_SOURCE/runtime/src # how files are written
flags="-std=gnu11 -O2 -Wall -Wextra -Wno-unknown-pragmas -Werror -ffp-contract=off -I$apps/common -I$apps/peptide -I$runtime -Iwords"
mkdir -p words/heddle && cp "$HEDDLE_SOURCE/runtime/include/heddle/words.h" words/heddle # no other header of the library
for file in "$runtime"/core/fault.c "$runtime"/core/replace.c "$runtime"/core/text.c "$apps"/common/options.c "$apps"/common/outputs.c "$apps"/common/create.c "$apps"/common/message.c "$apps"/common/memory.c "$apps"/common/random.c "$apps"/common/report.c \
    "$apps"/peptide/*.c; do
    case $file in "$runtime"/*) gnu=-D_GNU_SOURCE ;; *) gnu= ;; esac
    # shellcheck disable=SC2086
    gcc $flags $gnu -c "$file" -o "$(basename "$file" .c).o" || bad "gcc $file"
done
build() { # NAME SOURCE-OF-THE-SERIAL-LOOP
    # shellcheck disable=SC2086
    gcc $flags -DPEPTIDE_SERIAL -c "$2" -o serial.o && gcc -o "$1" ./*.o -lz -lexpat -lm || bad "gcc cannot make $1"
}
build plain "$apps/peptide/nest_score.c"
for options in "" "--tolerance=40da" "--fragment=20ppm --variable=M+15.994915"; do
    # shellcheck disable=SC2086
    for program in "$PEPTIDE" ./plain; do
        expect 0 "" "$program" --size=200 --proteins=80 --json --check $options
        sed 's/.*"checksum": \("[^"]*"\).*\("check": "[^"]*"\).*/\1 \2/' out >"$(basename "$program").sum"
    done
    same "gcc $options" "$(cat plain.sum)" "$(cat "$(basename "$PEPTIDE").sum")"
done
sed 's/k += step/k += step + 1/' "$apps/peptide/nest_score.c" >spoilt.c
cmp -s spoilt.c "$apps/peptide/nest_score.c" && bad "nothing spoilt"
build spoilt spoilt.c
expect 1 "check: the hits differ" ./spoilt --size=50 --proteins=50 --json --check
grep -q '"check": "fail"' out || bad "spoilt: $(cat out)"
finish
