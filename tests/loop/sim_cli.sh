#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `heddle sim loop`: what it prints adds up and is the same each time, described machines are read, mistakes are named with the way out.
set -u
heddle="$HEDDLE_BUILD/bin/heddle"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
bad() { echo "sim_cli: $*" >&2; failed=1; }
says() { # TEXT ARGUMENT…: fails and says TEXT
    local text=$1; shift
    if "$heddle" sim "$@" >"$tmp/out" 2>"$tmp/err"; then bad "$*: no error"; fi
    grep -qF -- "$text" "$tmp/err" || { bad "$*: does not say '$text' but:"; cat "$tmp/err" >&2; }
}
"$heddle" sim --help | grep -q -- '--machine=FILE' || bad "no --help"
"$heddle" sim loop --n=2000 --runs=2 --seed=3 >"$tmp/one" || bad "fails"
"$heddle" sim loop --n=2000 --runs=2 --seed=3 >"$tmp/two"
cmp -s "$tmp/one" "$tmp/two" || bad "not the same each time"
for name in $("$(dirname "$0")/../words" HEDDLE_LOOP_SCHEDULES || echo none); do
    grep -q "^$name " "$tmp/one" || bad "no line for $name"
    "$heddle" sim list | grep -q "^  $name  *[a-z0-9]" || bad "list does not tell of $name"
done
"$heddle" sim list | grep -q '^  earliest-finish  *[a-z]' || bad "list has no policies"
says "cannot use '--nonsense'" list --nonsense
cat >"$tmp/machine" <<'END'
# two kinds, one of which fails
ahead=2
cpu count=3 speed=1 noise=2%
gpu count=2 speed=20 setup=20us move=1us ready=1ms curve=64 vary=0.3 most=200 fail=20ms
END
"$heddle" sim loop --machine="$tmp/machine" --n=3000 --loop=peaks --runs=3 --json --chunks --svg="$tmp/x.svg" >"$tmp/json" || bad "machine file"
python3 - "$tmp/json" <<'END' || bad "the chunks do not add up"
import collections, json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
done = collections.defaultdict(list)
for one in lines:
    if "chunk" in one and not one["lost"]:
        done[one["schedule"], one["run"]].append((one["first"], one["count"]))
        assert one["kind"] == "cpu" or one["count"] <= 200, one
assert len(done) == 13 * 3
for key, chunks in done.items():
    at = 0
    for first, count in sorted(chunks):
        assert first == at, (key, first, at)
        at += count
    assert at == 3000, key
assert any(one.get("lost") for one in lines)
runs = [one for one in lines if "chunk" not in one]
assert all(abs(sum(one["share"].values()) - 1) < 1e-4 and 0 < one["efficiency"] < 1.5 and one["balance"] <= 1 for one in runs)
auto = [one["seconds"] for one in runs if one["schedule"] == "auto"]
best = min(one["seconds"] for one in runs if one["run"] == 3)
assert auto[2] <= 1.2 * best, (auto, best)
END
grep -q '<svg' "$tmp/x.svg" && grep -q '#b00' "$tmp/x.svg" || bad "no picture, or nothing lost in it"
"$heddle" sim loop --n=0 >"$tmp/out" || bad "no iterations"
says "no schedule 'fastest'; there are all, auto, static" loop --schedule=fastest
says "cannot use '--n=-1'" loop --n=-1
says "cannot use '--loop=round'" loop --loop=round
says "cannot use '--cost=0'" loop --cost=0
says "how fast? a number above 0: '0'" loop --devices=cpu:2@0
says "how many? a whole number from 1 to 1024: 'x'" loop --devices=cpu:x
says "cannot read $tmp/none: No such file" loop --machine="$tmp/none"
says "heddle sim --help" loops
says "cannot write $tmp/no/x.svg" loop --n=10 --svg="$tmp/no/x.svg"
echo "gpu speed=fast" >"$tmp/machine"; says "line 1: not a number above 0: 'fast'" loop --machine="$tmp/machine"
echo "gpu colour=red" >"$tmp/machine"; says "line 1: no such key (count, speed" loop --machine="$tmp/machine"
printf '\n\nspeed=3\n' >"$tmp/machine"; says "line 3: a line begins with the name of a device" loop --machine="$tmp/machine"
: >"$tmp/machine"; says "0 devices" loop --machine="$tmp/machine"
# one iteration in a hundred costs thirty, on a slow thread a seventh of the loop: who may meet one leaves off in time
for seed in 1 2 3; do
    "$heddle" sim loop --devices=cpu:32,gpu:3@30,old:1@8 --loop=heavy --n=20000 --runs=4 --seed=$seed --schedule=auto --json | tail -1
done >"$tmp/json"
python3 - "$tmp/json" <<'END' || bad "rare long iterations end the loop late"
import json, sys
got = [json.loads(line)["efficiency"] for line in open(sys.argv[1])]
assert len(got) == 3 and min(got) > 0.93, got
END
# regions: the selector's policies
"$heddle" sim regions --devices=cpu:8,gpu:4@50 --threads=8 --count=200 --json >"$tmp/json" || bad "regions"
python3 - "$tmp/json" "$("$(dirname "$0")/../words" HEDDLE_POLICIES)" <<'END' || bad "regions do not add up"
import json, sys
got = {one["policy"]: one for one in map(json.loads, open(sys.argv[1]))}
assert set(got) == set(sys.argv[2].split())
for one in got.values():
    assert sum(count for count, _ in one["places"].values()) == 1600 and one["seconds"] >= one["bound"] > 0, one
    assert all(busy <= 1.000001 for _, busy in one["places"].values())
assert got["fixed"]["places"]["gpu 0"][0] == 1600
assert all(count == 320 for count, _ in got["round-robin"]["places"].values()), got["round-robin"]
assert got["earliest-finish"]["seconds"] < 1.25 * got["earliest-finish"]["bound"]
assert max(got[name]["seconds"] for name in ("earliest-finish", "estimate-history")) < got["first-free"]["seconds"]
END
cat >"$tmp/models.csv" <<'END'
# heddle models 4; edit or delete lines as you like
link,host to device,GPU,4096,5,9,0,0,8,0.1
first,large,,another GPU,9
region,small,,host,same,a,100,0,0,9,5,0,0,0,0,0
region,small,,GPU,same,a,100,0,0,9,50,0,0,0,0,0
region,large,,host,same,a,100000,0,0,9,5000,0,0,0,0,0
region,large,,GPU,same,a,100000,0,0,9,100,0,0,0,0,0
END
"$heddle" sim regions --models="$tmp/models.csv" --threads=1 --count=1000 --policy=earliest-finish --json >"$tmp/json" || bad "regions of models"
python3 - "$tmp/json" <<'END' || bad "recorded regions are not placed where they are fast"
import json, sys
one = json.load(open(sys.argv[1]))
assert one["seconds"] < 1.1 * one["bound"] and all(count > 400 for count, _ in one["places"].values()), one
END
says "no policy 'best'" regions --policy=best
says "cannot use '--threads=0'" regions --threads=0
says "is no file of models" regions --models="$tmp/machine"
# a recorded program: a small kind that the host does in 10 us and a large one that the device does in 1 ms, on data of its own
python3 >"$tmp/regions" <<'END'
print("# heddle regions 1; times in microseconds\nthread,asked_us,started_us,took_us,alone_us,region,where,n,bytes,data,data_bytes,home,place,class,allowed")
now = 0
for k in range(400):
    small, host = k % 2, k // 2 % 2
    took = (10 if host else 60) if small else (9000 if host else 1000)
    now += 5
    print(f"1,{now},{now},{took},{took},x_l{small},x.c:{small},{100 + small},0,{0 if small else 'ab'},{0 if small else 4096},0,"
          f"{'host,host' if host else '0,GPU'},0;host")
    now += took
print("link,GPU,20,0.1")
END
"$heddle" sim regions --recorded="$tmp/regions" --json >"$tmp/json" || bad "a recorded program"
python3 - "$tmp/json" <<'END' || bad "a recorded program is not replayed right"
import json, sys
got = {one["policy"]: one for one in map(json.loads, open(sys.argv[1]))}
ran = (100 * (10 + 60) + 100 * (9000 + 1000) + 400 * 5) * 1e-6
assert 0.95 * ran < got["as it ran"]["seconds"] < 1.1 * ran, got["as it ran"]
assert [count for count, _ in got["as it ran"]["places"].values()] == [200, 200]
best = got["earliest-finish"]
assert best["seconds"] < 0.3 * ran and best["seconds"] < 1.1 * min(one["seconds"] for one in got.values()), best
assert list(best["places"].values())[0][0] > 190 and got["fixed"]["moved"] == 0, got
END
cut=$(wc -c <"$tmp/regions")
head -c $((cut / 2 + 7)) "$tmp/regions" >"$tmp/regions.cut"
"$heddle" sim regions --recorded="$tmp/regions.cut" >"$tmp/out" || bad "a recording that was cut"
says "is no file of HEDDLE_RECORD" regions --recorded="$tmp/machine"
says "No such file" regions --recorded="$tmp/none"
# what runs left behind: 1 ms an iteration on the host (3 ms in the last quarter), 50 us and 200 us a chunk on the GPU
python3 >"$tmp/x.loops.csv" <<'END'
print("# heddle models 4; edit or delete lines as you like")
print("ready,/src/x.c:7,NVIDIA H100,0.005")
print("set,/src/x.c:7,equal-parts,NVIDIA H100,1000,0.1,0\nsplit,/src/x.c:7,equal-parts,NVIDIA H100,1000,1,0.4")
for run in range(3):
    for first in range(0, 1000, 125):
        each = 3e-3 if first >= 750 else 1e-3
        for count in (2, 16, 125):
            print(f"chunk,/src/x.c:7,Some CPU,1000,{first},{count},{count * each:.9g},0")
            print(f"chunk,/src/x.c:7,NVIDIA H100,1000,{first},{count},{200e-6 + count * each / 20:.9g},0")
print("chunk,/src/y.c:9,Some CPU,10,0,10,1,0")
END
"$heddle" sim loop --recorded="$tmp/x.loops.csv@x.c" --counts=1,4 --schedule=auto,static --json >"$tmp/json" || bad "recorded loop"
python3 - "$tmp/json" <<'END' || bad "a recorded loop is not what was recorded"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert len(lines) == 6 and all(one["n"] == 1000 and one["devices"] == 5 and one["loop"] == "/src/x.c:7" for one in lines)
ideal = 1 / (4 / 1.5 + 1 / 0.075)
assert all(0.9 * ideal < one["ideal"] < 1.2 * ideal for one in lines), (ideal, lines[0])
auto = [one for one in lines if one["schedule"] == "auto"][-1]
assert auto["seconds"] < 1.25 * ideal + 0.005 and 0.05 < auto["share"]["Some CPU"] < 0.25, auto
assert [one for one in lines if one["schedule"] == "static"][-1]["seconds"] > 0.19, lines
END
says "holds several loops" loop --recorded="$tmp/x.loops.csv"
says "expected 2 numbers" loop --recorded="$tmp/x.loops.csv@x.c" --counts=1
says "no chunk of z.c" loop --recorded="$tmp/x.loops.csv@z.c"
says "no chunk of any loop" loop --recorded="$tmp/models.csv"
printf "# heddle loops 1; seconds\nloop,device,n,first,count,compute,move\nl.c:1,A CPU,10,0,10,1,0\n" >"$tmp/old.csv"
says "is no file of loops of this version" loop --recorded="$tmp/old.csv"
says "is no file of models of this version" regions --models="$tmp/old.csv"
says "brings its machine and loop" loop --recorded="$tmp/x.loops.csv@x.c" --n=3 --devices=cpu:3
sed '5s/,/;/' "$tmp/x.loops.csv" >"$tmp/bad.csv"
says "line 5: no row of what was measured" loop --recorded="$tmp/bad.csv@x.c"
# numbers that are none, in every field that is one, are named with their line
odd() { # FILE LINE FIELD VALUE TEXT COMMAND...: the message for that file with that field of that line changed
    awk -F, -v OFS=, -v line="$2" -v field="$3" -v value="$4" 'NR == line {$field = value} {print}' "$1" >"$tmp/odd"
    says "$5" "$6" "$7=$tmp/odd"
}
for field in 2 3 4 5 8 9 11; do
    for value in 1x '' nan -1 inf 1e19; do odd "$tmp/regions" 4 $field "$value" "line 4: " regions --recorded; done
done
for value in 0 65 1x ''; do odd "$tmp/regions" 4 1 "$value" "line 4: a thread is a number from 1 to 64" regions --recorded; done
odd "$tmp/regions" 4 10 xyz "line 4: data is no hexadecimal number" regions --recorded
for value in gpu 1x -1; do odd "$tmp/regions" 4 13 "$value" "a place is host or the number of a device" regions --recorded; done
odd "$tmp/regions" 4 15 "0;ho" "a place is host or the number of a device" regions --recorded
odd "$tmp/regions" 403 3 x "line 403: a link's times are no numbers" regions --recorded
sed '4s/,[^,]*$//' "$tmp/regions" >"$tmp/odd"
says "line 4 has 14 fields instead of 15" regions --recorded="$tmp/odd"
for field in 7 8 11; do
    for value in 1x '' nan -1 inf; do odd "$tmp/models.csv" 4 $field "$value" "line 4: no row of what was measured" regions --models; done
done
printf '# heddle models 4;\nchunk,l.c:1,A CPU,1000000000000,0,10,1,0\n' >"$tmp/odd"
says "has 1000000000000 iterations, and at most 100000000 are simulated" loop --recorded="$tmp/odd"
printf 'cpu count=2\0\n' >"$tmp/odd"
says "not a text file" regions --machine="$tmp/odd"
# seeded garbage: never a crash
for seed in $(seq 1 15); do
    python3 - "$seed" >"$tmp/machine" <<'END'
import random, sys
r = random.Random(int(sys.argv[1]))
text = list("ahead=2\ncpu count=3 speed=1 noise=2%\ngpu count=2 speed=20 setup=20us most=200 fail=2ms\n")
for _ in range(r.randrange(1, 12)):
    text[r.randrange(len(text))] = r.choice("=0123456789.%# \nabcuso-e\t")
sys.stdout.write("".join(text))
END
    timeout 10 "$heddle" sim loop --machine="$tmp/machine" --n=50 --runs=1 --schedule=auto,pina,gss >"$tmp/out" 2>"$tmp/err"
    status=$?
    [ $status -le 2 ] || { bad "status $status for:"; cat "$tmp/machine" >&2; }
done
exit $failed
