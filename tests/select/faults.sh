# SPDX-License-Identifier: Apache-2.0
# Devices that refuse, policies that are wrong, model files that are damaged or cannot be written.
. "$(dirname "$0")/lib.sh"
need_devices

# a device refuses all, or from its 20th region on: same results, one line each
for after in 0 20; do
    BROKEN=2 BROKEN_AFTER=$after HEDDLE_POLICY=round-robin LD_PRELOAD="$PRELOAD:$BROKEN_DEVICE" timeout 120 \
        "$RANDOM_PROGRAM" --count=60 >"$work/out" 2>&1 || { fail "device 2 refuses after $after"; head -5 "$work/out"; }
    grep -q "device 2 did not run the region; running it elsewhere" "$work/out" || fail "nothing said about device 2"
done

# copies to and from a device fail: no data goes there
BROKEN=2 BROKEN_AFTER=100000 BROKEN_COPY=0 HEDDLE_POLICY=round-robin LD_PRELOAD="$PRELOAD:$BROKEN_DEVICE" timeout 120 \
    "$RANDOM_PROGRAM" --count=60 >"$work/out" 2>&1 || { fail "copies to device 2 fail"; head -5 "$work/out"; }
# the default device itself refuses: regions that may go elsewhere do, others run on the host
for after in 0 5; do
    BROKEN=0 BROKEN_AFTER=$after HEDDLE_POLICY=earliest-finish LD_PRELOAD="$PRELOAD:$BROKEN_DEVICE" timeout 120 \
        "$CASES" native-threads static-pointers nesting >"$work/out" 2>&1 || { fail "device 0 refuses after $after"; head -5 "$work/out"; }
    [ "$(grep -c "device 0 did not run the region; running it" "$work/out")" -ge 1 ] || fail "nothing said about device 0"
done

# two threads' regions are refused at once: both run elsewhere, where the data can be brought
for after in 4 8 10; do
    BROKEN=1 BROKEN_AFTER=$after BROKEN_TOGETHER=2 HEDDLE_CANDIDATES=0,1 HEDDLE_POLICY=$AWAY LD_PRELOAD="$PRELOAD:$BROKEN_DEVICE" timeout 120 \
        "$CASES" two-at-once >"$work/out" 2>&1 || { fail "two threads are refused at once after $after"; head -5 "$work/out"; }
    grep -q "device 1 did not run the region; running it elsewhere" "$work/out" || fail "two threads are refused at once: not said"
done

# memory for a region's own maps is nowhere: its host version runs, and one line says so; where data cannot be moved it stays
[ "${SANITIZED:-}" ] || for policy in earliest-finish round-robin "$AWAY"; do
    run_selected "$policy" "$ROOM" own >"$work/out" 2>&1 || { fail "no room for a region's maps, policy $policy"; head -5 "$work/out"; }
    [ "$(cat "$work/out" | wc -l)" = 1 ] && grep -q "device 0 has no memory for the region; running it" "$work/out" ||
        { fail "no room for a region's maps, policy $policy: not one line"; head -5 "$work/out"; }
    run_selected "$policy" "$ROOM" kept >"$work/out" 2>&1 && [ ! -s "$work/out" ] || { fail "no room to move data, policy $policy"; head -5 "$work/out"; }
done

# policies
LD_PRELOAD=$PRELOAD HEDDLE_POLICY=nonsense "$CASES" present 2>"$work/out" || fail "unknown policy"
grep -q "is not one of fixed" "$work/out" || fail "unknown policy: no message"
LD_PRELOAD=$PRELOAD HEDDLE_SCHEDULE=round-robin HEDDLE_EXPLAIN=1 "$CASES" present 2>"$work/out" || fail "the policy's old name"
[ "$(grep -c "HEDDLE_SCHEDULE is not an option, HEDDLE_POLICY is" "$work/out")" = 1 ] || fail "the policy's old name: the new one is not said"
LD_PRELOAD=$PRELOAD HEDDLE_POLICY=round-robin HEDDLE_SCHEDULE=x "$CASES" present 2>"$work/out" || fail "both names of the policy"
[ "$(grep -c "HEDDLE_SCHEDULE is not an option" "$work/out")" = 1 ] || fail "both names of the policy: not said once"
LD_PRELOAD=$PRELOAD HEDDLE_POLICY=./none.so "$CASES" present 2>"$work/out" || fail "policy file that is not there"
grep -q "using fixed" "$work/out" || fail "policy file that is not there: no message"
HEDDLE_EXPLAIN=1 run_selected "$AWAY" "$CASES" shared-environment nesting 2>"$work/out" || fail "a policy of one's own"
grep -q "policy away" "$work/out" && grep -q -- "-> device 1" "$work/out" || fail "a policy of one's own was not asked"
run_selected "$AWAY" "$RANDOM_PROGRAM" --count=50 >/dev/null || fail "a policy of one's own, random programs"

# device(0) is obeyed, though 0 is the default device; with the option it is not
HEDDLE_EXPLAIN=1 run_selected round-robin "$CASES" obeyed 2>"$work/out" || fail "device(0)"
grep -q "names its device" "$work/out" && ! grep -q -- "-> device 1" "$work/out" || fail "device(0) was not obeyed"
HEDDLE_OVERRIDE_DEVICE=1 HEDDLE_EXPLAIN=1 run_selected round-robin "$CASES" obeyed 2>"$work/out" || fail "HEDDLE_OVERRIDE_DEVICE"
grep -q -- "-> device 1" "$work/out" || fail "HEDDLE_OVERRIDE_DEVICE did nothing"

# models: written, read again, damaged, not writable, full, several at once
export HEDDLE_MODELS="$work/models"
run_selected earliest-finish "$CASES" present || fail "models: first run"
file=$(ls "$work"/models/*.csv) || fail "models: no file"
head -1 "$file" | grep -q "heddle models 4;" || fail "models: no version"
run_selected earliest-finish "$CASES" present || fail "models: second run"
cp "$file" "$work/kept"
for edit in '$5 = 3' '$10 = "1e18"' '$11 = "nan"' '$7 = "-1"' '$13 = $13 "x"'; do # numbers that make no sense
    awk -F, -v OFS=, "\$1 == \"region\" {$edit} {print}" "$work/kept" >"$file"
    run_selected earliest-finish "$CASES" present 2>"$work/out" || fail "models: $edit in the file"
    grep -q "regions was damaged; it is now" "$work/out" || fail "models: $edit in the file: no message"
    rm -f "$file.damaged"
done
echo "damaged" >"$file"
run_selected earliest-finish "$CASES" present 2>"$work/out" || fail "models: damaged file"
grep -q "regions was damaged; it is now" "$work/out" || fail "models: damaged file: no message"
[ -f "$file.damaged" ] || fail "models: damaged file was not set aside"
printf '# heddle models 3; times in microseconds; edit or delete lines as you like\nregion,where,device,host_ok,code\nr,w,host,1,0,1,1,1,9,5,1,1,1,1,1\n' >"$file"
run_selected earliest-finish "$CASES" present 2>"$work/out" || fail "models: the version before"
[ "$(grep -c "regions was of another version; it is now" "$work/out")" = 1 ] || fail "models: the version before: not said once"
grep -q "models 3;" "$file.old" || fail "models: the version before was not set aside"
head -1 "$file" | grep -q "heddle models 4;" || fail "models: not made again"
pids=
for k in 1 2 3 4 5 6; do
    run_selected earliest-finish "$CASES" present native-threads 2>>"$work/several" &
    pids="$pids $!"
done
for k in $pids; do wait "$k" || fail "models: several at once"; done
[ ! -s "$work/several" ] || fail "models: several at once: $(head -1 "$work/several")"
awk -F, '/^region,/ && NF != 16 || /^link,/ && NF != 10 || !/^(#|region,|link,|first,)/ { bad = 1 } END { exit bad }' "$file" || fail "models: a broken line"
[ -z "$(find "$work/models" -name '*.csv.[0-9]*')" ] || fail "models: temporary files are left"
# no room on the disk: the old file stays as it is
cp "$file" "$work/before"
BROKEN_DISK=1 HEDDLE_VERBOSE=1 HEDDLE_POLICY=earliest-finish LD_PRELOAD="$PRELOAD:$BROKEN_DEVICE" timeout 120 "$CASES" present >"$work/out" 2>&1 ||
    fail "models: no room"
grep -q "models are not kept: .*No space left" "$work/out" || fail "models: no room: not said"
cmp -s "$file" "$work/before" || fail "models: no room: the file was changed"
[ -z "$(find "$work/models" -name '*.csv.[0-9]*')" ] || fail "models: no room: temporary files are left"
for folder in /proc/none /dev/full/x /dev/null; do
    HEDDLE_MODELS=$folder run_selected earliest-finish "$CASES" present >"$work/out" 2>&1 || fail "models in $folder"
    [ ! -s "$work/out" ] || fail "models in $folder: $(head -1 "$work/out")"
done

# the command
if [ -x "${HEDDLE:-}" ]; then
    "$HEDDLE" models list "$CASES" | grep -q "cases.c:" || fail "heddle models list"
    "$HEDDLE" models compare | grep -q "line us" || fail "heddle models compare"
    "$HEDDLE" models export --json "$CASES" | python3 -c 'import json, sys; [json.loads(l) for l in sys.stdin]' || fail "heddle models export"
    "$HEDDLE" models reset "$CASES" >/dev/null || fail "heddle models reset"
    [ ! -f "$file" ] || fail "heddle models reset left the file"
    # it preloads libheddle alone, without a sanitizer's run time
    [ "${SANITIZED:-}" ] || HEDDLE_MODELS=none "$HEDDLE" run --explain "$CASES" present 2>&1 | grep -q "policy earliest-finish" || fail "heddle run --explain"
    # a timeline has the regions and, from the OMPT tool, the transfers
    [ "${SANITIZED:-}" ] || {
        HEDDLE_MODELS=none "$HEDDLE" run --policy=round-robin --trace="$work/trace" "$CASES" native-threads || fail "heddle run --trace"
        "$HEDDLE" trace "$work/trace" >"$work/out"
        grep -q "device 1, regions" "$work/out" && grep -q "device 1, transfers" "$work/out" &&
            grep -q "to device, up to 4 KiB" "$work/out" && grep -q "from device, up to 4 KiB" "$work/out" || fail "heddle run --trace: not all is in it"
    }
    # a recording is replayed
    [ "${SANITIZED:-}" ] || {
        HEDDLE_MODELS=none "$HEDDLE" run --policy=round-robin --record="$work/regions" "$CASES" shared-environment nesting || fail "heddle run --record"
        "$HEDDLE" sim regions --recorded="$work/regions" --json >"$work/out" || fail "heddle sim regions --recorded"
        python3 -c '
import json, sys
got = [json.loads(line) for line in open(sys.argv[1])]
lines = [line.split(",") for line in open(sys.argv[2]) if line[0].isdigit()]
assert len(got) == 11 and all(sum(n for n, _ in one["places"].values()) == len(lines) for one in got), got
assert all(len(line) == 15 for line in lines) and len({line[12] for line in lines}) > 2' "$work/out" "$work/regions" || fail "heddle sim regions --recorded: other regions"
        HEDDLE_MODELS=none "$HEDDLE" run --record=/dev/full "$CASES" present 2>"$work/out" || fail "a recording that cannot be written"
        grep -q "nothing is recorded" "$work/out" || fail "a recording that cannot be written: not said"
    }
    "$HEDDLE" run --nonsense true 2>/dev/null && fail "heddle run took a wrong option"
fi

# libheddle in the process, selector not asked for: nothing is said or written, the program is plain
unset HEDDLE_POLICY
HEDDLE_EXPLAIN=1 HEDDLE_MODELS="$work/off" LD_PRELOAD=$PRELOAD "$CASES" present >"$work/out" 2>&1 || fail "selector off"
[ ! -s "$work/out" ] && [ ! -e "$work/off" ] || fail "selector off: it did something"
[ $failures = 0 ]
