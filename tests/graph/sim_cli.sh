#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `heddle sim graph`: numbers add up and are the same each time, tasks run once whatever vanishes, mistakes are named by file and line.
set -u
here="$(cd "$(dirname "$0")" && pwd)"
heddle="$HEDDLE_BUILD/bin/heddle"
paper="$here/../../toolchain/heddle/sim/machines/hermann2010.machine"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
bad() { echo "sim_cli: $*" >&2; failed=1; }
sim() { timeout 60 "$heddle" sim graph "$@"; }
says() { # TEXT ARGUMENT…: fails and says TEXT
    local text=$1; shift
    if sim "$@" >"$tmp/out" 2>"$tmp/err"; then bad "$*: no error"; fi
    grep -qF -- "$text" "$tmp/err" || { bad "$*: does not say '$text' but:"; cat "$tmp/err" >&2; }
}
odd() { # TEXT LINE…: a scene of these lines
    local text=$1; shift
    printf '%s\n' "$@" >"$tmp/scene"; says "$tmp/scene: $text" --scene="$tmp/scene"
}
sim --bodies=12 --iterations=3 >"$tmp/one" || bad "fails"
sim --bodies=12 --iterations=3 >"$tmp/two"
cmp -s "$tmp/one" "$tmp/two" || bad "not the same each time"
for name in $("$here/../words" HEDDLE_GRAPH_POLICIES || echo none); do
    grep -q "^$name " "$tmp/one" || bad "no line for $name"
done
# a scene that is written is the scene that is read
for example in mixed bars-small; do
    sim --example=$example --iterations=3 --record="$tmp/scene" --policy=affinity --json >"$tmp/one" || bad "--record"
    sim --scene="$tmp/scene" --policy=affinity --json | sed "s/\"scene\":\"file\"/\"scene\":\"$example\"/" >"$tmp/two"
    python3 - "$tmp/one" "$tmp/two" <<'END' || bad "a recorded scene is another: $example"
import json, sys
a, b = (json.loads(open(name).read()) for name in sys.argv[1:])
a.pop("policy_us"), b.pop("policy_us")
assert a == b, (a, b)
END
done
# Two chains of 10 tasks of 1 ms that do not meet, on two GPUs: 10 ms and two copies of 1 MB; on one 20 ms.
printf '%s\n' 'gpu count=2' 'type gpu a each=1ms' 'move * * byte each=1ns' 'transfer latency=1us' >"$tmp/machine"
{ printf '%s\n' 'graph 1' 'data 1e6 0' 'data 1e6 1'; for k in 1 2 3 4 5 6 7 8 9 10; do echo 'task a 1 0 u0'; echo 'task a 1 1 u1'; done; } >"$tmp/scene"
sim --machine="$tmp/machine" --scene="$tmp/scene" --json >"$tmp/json" || bad "two chains"
sim --machine="$tmp/machine" --counts=1 --scene="$tmp/scene" --json >>"$tmp/json" || bad "two chains on one"
python3 - "$tmp/json" <<'END' || bad "two chains take another time"
import json, sys
for line in open(sys.argv[1]):
    one = json.loads(line)
    assert one["tasks"] == 20 and one["forced"] == 0 and abs(one["alone"] - 0.02) < 1e-9, one
    if one["units"] == 1:
        assert abs(one["seconds"] - 0.022002) < 1e-5 and one["copies"] == 2, one
    elif one["policy"] in ("static", "round_robin", "affinity"):
        assert abs(one["seconds"] - 0.011001) < 1e-5 and one["copies"] == 2, one
END
# the paper's machine: what it publishes holds here
for example in fall contact bars-small bars-large; do
    sim --machine="$paper" --counts=0,8 --example=$example --policy=affinity,steal --json || bad "$example"
done >"$tmp/json"
python3 - "$tmp/json" <<'END' || bad "the affinity list does not pay"
import json, sys
speedup = {(one["scene"], one["policy"]): one["speedup"] for one in map(json.loads, open(sys.argv[1]))}
assert speedup["fall", "affinity"] >= 7.5 and speedup["contact", "affinity"] >= 6, speedup
assert all(speedup[scene, "affinity"] >= speedup[scene, "steal"] for scene, _ in speedup), speedup
END
sim --machine="$paper" --counts=0,64 --example=contact --bodies=256 --iterations=2 --policy=affinity >/dev/null || bad "64 GPUs"
for seed in $(seq 1 12); do
    sim --machine="$paper" --example=collide --iterations=11 --faults=4 --seed=$seed --json --svg="$tmp/x.svg" >"$tmp/json" 2>"$tmp/err" || { bad "seed $seed"; cat "$tmp/err" >&2; }
    python3 - "$tmp/json" <<'END' || bad "seed $seed: faults"
import json, sys
for one in map(json.loads, open(sys.argv[1])):
    assert one["iterations"] == 11 and one["faults"] >= 1 and abs(sum(one["share"].values()) - 1) < 1e-4, one
END
done
grep -q '<svg' "$tmp/x.svg" || bad "no picture"
# a policy of one's own, and one that gives tasks out twice
for kind in '' -DWRONG; do
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -shared -fPIC $kind -I"$here/../../runtime/include" "$here/mine.c" -o "$tmp/mine$kind.so" || bad "mine.c$kind"
done
sim --policy="$tmp/mine.so" --example=mixed --faults=2 --iterations=11 >"$tmp/out" || bad "mine.so"
grep -q '^mine ' "$tmp/out" || bad "no line of mine"
says "mine: chose a task that is not ready" --policy="$tmp/mine-DWRONG.so" --seed=7
grep -q 'seed 7' "$tmp/err" || bad "the seed is not said"
says "cannot use '--nonsense'" --nonsense
says "cannot use '--iterations=0'" --iterations=0
says "no example 'hair'" --example=hair
says "no policy 'best'; there are all, affinity" --policy=best
says "numbers above 0 expected, not 'x'" --policy=affinity:x
says "cannot read $tmp/none: No such file" --machine="$tmp/none"
says "cannot write $tmp/no/x.svg" --bodies=2 --iterations=1 --svg="$tmp/no/x.svg"
says "is read, and --record would write over it" --scene="$tmp/scene" --record="$tmp/scene"
says "expected 2 numbers with commas" --counts=1,2,3
says "no unit of the machine can run tasks of type 'a'" --scene="$tmp/scene"
odd "line 1: a line \`graph ITERATIONS\` comes before" 'task a 1 0'
odd "line 1: how many iterations? a whole number above 0: 'x'" 'graph x'
odd "the last graph has no tasks" 'graph 1'
odd "line 2: the graph above has no tasks" 'graph 1' 'graph 1'
odd "line 2: not a number of bytes: '-1'" 'graph 1' 'data -1 0'
odd "line 2: not a partition: '-1'" 'graph 1' 'task a 1 -1'
odd "line 2: no such data above: 'r0'" 'graph 1' 'task a 1 0 r0'
odd "line 2: r0, w0, u0 or KIND=TIME expected, not 'x'" 'graph 1' 'task a 1 0 x'
odd "line 2: not a time (20us, 1.5ms, 2s): 'soon'" 'graph 1' 'task a 1 0 gpu=soon'
odd "line 1: graph, data or task expected, not 'tusk'" 'tusk a'
# seeded garbage: never a crash, never without an end
for seed in $(seq 1 25); do
    python3 - "$seed" "$paper" "$tmp" <<'END'
import random, sys
r = random.Random(int(sys.argv[1]))
for name, text in (("machine", open(sys.argv[2]).read()), ("scene", "graph 2\ndata 8 0\ndata 9 1\ntask force 20 0 w0\ntask add 3 1 r0 u1 gpu=3ms\n" * 2)):
    text = list(text)
    for _ in range(r.randrange(1, 6)):
        text[r.randrange(len(text))] = r.choice("=0123456789.%# \nabcuso-e\t")
    open(f"{sys.argv[3]}/{name}", "w").write("".join(text))
END
    for files in "--machine=$tmp/machine --bodies=3" "--scene=$tmp/scene"; do
        sim $files --iterations=2 >"$tmp/out" 2>"$tmp/err"
        status=$?
        [ $status -le 2 ] || bad "seed $seed, status $status: $files"
    done
done
exit $failed
