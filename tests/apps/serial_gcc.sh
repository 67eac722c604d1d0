# SPDX-License-Identifier: Apache-2.0
# Delete the pragmas and what is left computes the same thing: both apps by gcc, which ignores them.
. "$(dirname "$0")/lib.sh"
command -v gcc >/dev/null || exit 77
apps=$HEDDLE_SOURCE/apps
flags="-std=gnu11 -O2 -Wall -Wextra -Wno-unknown-pragmas -Werror -ffp-contract=off -I$apps/common"
for app in sw dtw; do
    mkdir $app.o
    for file in "$apps"/common/*.c "$apps/$app"/*.c; do
        gcc $flags -I"$apps/$app" -c "$file" -o "$app.o/$(basename "$file" .c).o" || bad "gcc $file"
    done
    for file in "$apps/$app"/nest_*.c; do
        gcc $flags -DSW_SERIAL -DDTW_SERIAL -c "$file" -o "$app.o/$(basename "$file" .c)-serial.o" || bad "gcc $file"
    done
    gcc -o gcc-$app $app.o/*.o -lz -lm || bad "gcc cannot link $app"
done
compare() { # HEDDLE GCC OPTIONS...: the same checksum and check
    ours=$1 theirs=$2
    shift 2
    x=$("$ours" --json --check "$@" | sed 's/.*"checksum": \("[^"]*"\).*\("check": "[^"]*"\).*/\1 \2/')
    y=$("$theirs" --json --check "$@" | sed 's/.*"checksum": \("[^"]*"\).*\("check": "[^"]*"\).*/\1 \2/')
    same "$*" "$x" "$y"
    case $x in *'"ok"') ;; *) bad "$*: check is $x" ;; esac
}
compare "$SW" ./gcc-sw --size=1500x1300
compare "$SW" ./gcc-sw --size=1300x1500 --gap-open=4 --gap-extend=1
compare "$SW" ./gcc-sw --size=700 --protein
compare "$DTW" ./gcc-dtw --size=900x800
compare "$DTW" ./gcc-dtw --size=900x800 --cost=abs --band=150
finish
