# SPDX-License-Identifier: Apache-2.0
# models_place.sh WORK: what stands in place of a model file (a pipe, a folder, what may not be read) is said, is still there afterwards, and the
# program computes the right result; so it does with a file that holds as many loops as can be kept.
set -u
work=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
die() { cat "$tmp/err" >&2; echo "models_place: $*" >&2; exit 1; }
run() { HEDDLE_MODELS="$tmp/models" timeout 100 "$@" >"$tmp/out" 2>"$tmp/err"; }

run "$work" loop || die "a first run"
loops=$(ls "$tmp"/models/*.loops.csv) || die "no file of loops"
HEDDLE_POLICY=round-robin run "$work" regions || die "a first run of the selector"
regions=$(ls "$tmp"/models/*.csv | grep -v loops.csv) || die "no file of the selector"

for file in "$loops" "$regions"; do
    for what in pipe folder link; do
        rm -rf "$file"
        case $what in
        pipe) mkfifo "$file" ;;
        folder) mkdir "$file" ;;
        link) ln -s "$tmp/models/nowhere/x" "$file" && mkfifo "$tmp/aim" && ln -sf "$tmp/aim" "$file" ;;
        esac
        if [ "$file" = "$loops" ]; then run "$work" loop; else HEDDLE_POLICY=round-robin run "$work" regions; fi || die "$what in place of $file"
        [ "$(grep -c 'cannot be read: .*is not kept' "$tmp/err")" = 1 ] || die "$what in place of $file: not said, or not once"
        case $what in
        pipe) [ -p "$file" ] ;;
        folder) [ -d "$file" ] ;;
        link) [ -L "$file" ] ;;
        esac || die "$what in place of $file: it is gone"
        rm -rf "$file" "$tmp/aim"
    done
done

# as many loops as can be kept, without this program's own
run "$work" loop || die "once more"
device=$(sed -n 's/^ready,[^,]*,//p' "$loops" | head -1 | cut -d, -f1)
for ((k = 0; k < 1024; k++)); do echo "chunk,/x.c:$k,$device,100,0,100,0.001,0"; done >"$tmp/lines"
{ head -1 "$loops" && cat "$tmp/lines"; } >"$tmp/full" && cp "$tmp/full" "$loops"
run "$work" loop || die "1024 loops"
[ "$(grep -c 'is all that is kept of one program' "$tmp/err")" = 1 ] || die "1024 loops: not said, or not once"
[ "$(grep -c '^chunk,/x.c:[0-9]*,' "$loops")" -ge 1024 ] || die "1024 loops: some were lost"
ls "$tmp"/models/*.damaged 2>/dev/null && die "a file was taken for damaged"
exit 0
