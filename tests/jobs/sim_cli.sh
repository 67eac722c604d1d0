#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `heddle sim jobs`: numbers add up and are the same each time, jobs run once whatever vanishes, mistakes are named by file and line.
set -u
heddle="$HEDDLE_BUILD/bin/heddle"
machines="$(dirname "$0")/../../toolchain/heddle/sim/machines"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
bad() { echo "sim_cli: $*" >&2; failed=1; }
sim() { timeout 30 "$heddle" sim jobs "$@"; }
says() { # TEXT ARGUMENT…: fails and says TEXT
    local text=$1; shift
    if sim "$@" >"$tmp/out" 2>"$tmp/err"; then bad "$*: no error"; fi
    grep -qF -- "$text" "$tmp/err" || { bad "$*: does not say '$text' but:"; cat "$tmp/err" >&2; }
}
wrong() { # TEXT LINE…: a machine of these lines
    local text=$1; shift
    printf '%s\n' 'cpu count=2' 'gpu count=1' "$@" >"$tmp/machine"; says "$tmp/machine: $text" --machine="$tmp/machine"
}
odd() { # TEXT LINE…: a stream of these lines
    local text=$1; shift
    printf '%s\n' "$@" >"$tmp/stream"; says "$tmp/stream: $text" --stream="$tmp/stream"
}
sim --frames=2 --scale=0.1 >"$tmp/one" || bad "fails"
sim --frames=2 --scale=0.1 >"$tmp/two"
cmp -s "$tmp/one" "$tmp/two" || bad "not the same each time"
for name in $("$(dirname "$0")/../words" HEDDLE_JOBS_POLICIES || echo none); do
    grep -q "^$name " "$tmp/one" || bad "no line for $name"
done
# a stream that is written is the stream that is read
sim --frames=2 --scale=0.1 --record="$tmp/stream" --policy=lp --json >"$tmp/one" || bad "--record"
sim --stream="$tmp/stream" --policy=lp --json >"$tmp/two" || bad "--stream"
python3 - "$tmp/one" "$tmp/two" <<'END' || bad "a recorded stream is another"
import json, sys
a, b = (json.loads(open(name).read()) for name in sys.argv[1:])
assert a["jobs"] == b["jobs"] > 100000 and abs(a["seconds"] / b["seconds"] - 1) < 1e-3, (a, b)
END
# the paper's machines: the LP is ahead of its rivals on average, and every policy runs every job with devices that slow, stall, vanish
for machine in 1 2 3; do
    for benchmark in cloth nbody fracture path motion; do
        sim --machine="$machines/kim2013-$machine.machine" --benchmark=$benchmark --frames=2 --program=10us --policy=lp,lau10,tan09,steal,steal_times --json || bad "machine $machine"
    done >"$tmp/json"
    python3 - "$tmp/json" <<'END' || bad "machine $machine: the LP is behind"
import collections, json, sys
ratio = collections.defaultdict(list)
best = None
for line in open(sys.argv[1]):
    one = json.loads(line)
    if one["policy"] == "lp":
        best = one["seconds"]
        assert one["seconds"] >= 0.97 * one["bound"] and abs(sum(one["share"].values()) - 1) < 1e-4, one
    ratio[one["policy"]].append(one["seconds"] / best)
assert len(ratio) == 5 and all(sum(r) / 5 >= 1.05 for policy, r in ratio.items() if policy != "lp"), ratio
END
done
for seed in $(seq 1 12); do
    sim --machine="$machines/kim2013-2.machine" --frames=2 --scale=0.2 --faults=4 --seed=$seed --json --svg="$tmp/x.svg" >"$tmp/json" 2>"$tmp/err" || { bad "seed $seed"; cat "$tmp/err" >&2; }
    [ "$(grep -o '"jobs":[0-9]*' "$tmp/json" | sort -u | wc -l)" = 1 ] || bad "seed $seed: other jobs with another policy"
done
grep -q '<svg' "$tmp/x.svg" || bad "no picture"
printf '%s\n' 'a count=9000' 'b count=1000' 'type a traversal setup=11us each=0.219us' 'type a leaf setup=2.7us each=0.098us' \
    'type b traversal setup=125us each=0.085us' 'type b leaf setup=42us each=0.009us' >"$tmp/machine"
sim --machine="$tmp/machine" --frames=1 --scale=0.02 --policy=lp >"$tmp/out" || bad "10000 devices"
grep -q '10000 devices' "$tmp/out" || bad "not 10000 devices"
# a policy that loses jobs is found, and the seed is said
only() { printf '%s\n' 'cpu count=1' 'gpu count=1 fail=1us' 'type cpu a setup=1us each=1us' 'type gpu b setup=1us each=1us' >"$tmp/machine"; }
only; printf '%s\n' 'type a' 'type b' frame 'new a 100' 'new b 100' 'ran a 100' 'ran b 100' >"$tmp/stream"
says "jobs are left that no device can run" --machine="$tmp/machine" --stream="$tmp/stream" --policy=lp --seed=7
grep -q 'seed 7' "$tmp/err" || bad "the seed is not said"
says "cannot use '--nonsense'" --nonsense
says "cannot use '--frames=0'" --frames=0
says "no benchmark 'hair'" --benchmark=hair
says "no policy 'best'; there are all, lp" --policy=best
says "a number above 0 expected, not 'x'" --policy=steal:x
says "cannot read $tmp/none: No such file" --machine="$tmp/none"
says "cannot write $tmp/no/x.svg" --scale=0.01 --svg="$tmp/no/x.svg"
says "expected 2 numbers with commas" --counts=1,2,3
wrong "no line says what a job costs" ''
wrong "line 3: no kind of device above has the name 'tpu'" 'type tpu a each=1us'
wrong "line 3: a type needs each=TIME" 'type cpu a setup=1us'
wrong "line 3: not a time (20us, 1.5ms, 2s): 'fast'" 'type cpu a each=fast'
wrong "line 3: not a share (5%, 0.05): '-1'" 'type cpu a each=1us noise=-1'
wrong "line 3: move FROM TO TYPE each=TIME expected" 'move cpu gpu'
wrong "line 3: no such key here: 'colour'" 'decide colour=1us'
odd "line 1: types come before" frame
odd "line 3: no type of job has the name 'b'" 'type a' frame 'new b 1'
odd "line 4: more jobs run than there are" 'type a' frame 'new a 1' 'ran a 2'
odd "line 4: not a number of jobs: '-1'" 'type a' frame 'new a 1' 'ran a -1'
odd "line 4: not a weight" 'type a' frame 'new a 1' 'ran a 1 weight=nan'
odd "line 4: when the frame ends, jobs of this type have not run" 'type a' frame 'new a 1'
# seeded garbage: never a crash, never without an end
for seed in $(seq 1 15); do
    python3 - "$seed" "$machines/kim2013-1.machine" "$tmp" <<'END'
import random, sys
r = random.Random(int(sys.argv[1]))
for name, text in (("machine", open(sys.argv[2]).read()), ("stream", "type traversal\ntype leaf\nframe\nnew traversal 20\nran traversal 20 leaf=40\nran leaf 40 weight=2\n")):
    text = list(text)
    for _ in range(r.randrange(1, 6)):
        text[r.randrange(len(text))] = r.choice("=0123456789.%# \nabcuso-e\t")
    open(f"{sys.argv[3]}/{name}", "w").write("".join(text))
END
    for files in "--machine=$tmp/machine --scale=0.001" "--stream=$tmp/stream"; do
        sim $files --frames=1 >"$tmp/out" 2>"$tmp/err"
        status=$?
        [ $status -le 2 ] || bad "seed $seed, status $status: $files"
    done
done
exit $failed
