# SPDX-License-Identifier: Apache-2.0
# softbody on four devices of the processor: the serial program's bits wherever bodies are, and clear errors.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$SOFTBODY" --check --json "$@"
    grep -q '"check": "ok"' out || bad "softbody $*: $(cat out)"
}
for scene in fall pairs pile mixed bars; do
    checked --device=0 --scene=$scene --bodies=6 --size=150 --steps=10
    checked --device=all --scene=$scene --bodies=9 --size=150 --steps=12 --threads=2
done
checked --device=2,0 --scene=pile --bodies=8 --size=150 --steps=12 --springs --self

# a set that two devices, or four, have together: they meet in each iteration
shared() {
    checked "$@"
    grep -q '"split_sets": [1-9]' out || bad "softbody $*: no set was split: $(cat out)"
}
shared --device=0,1 --scene=pile --bodies=8 --size=150 --steps=12 --threads=1
shared --device=all --scene=pile --bodies=9 --size=200 --steps=6 --self --threads=1
shared --device=3,1 --scene=bars --bodies=4 --size=150 --steps=8
OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 shared --device=0,1 --scene=pile --bodies=8 --size=150 --steps=12 --threads=1
checked --device=1,host --scene=pairs --bodies=8 --size=200 --steps=25 # sets that change: bodies change their places
checked --device=0 --scene=pairs --bodies=16 --size=300 --steps=30 # bodies meet others for the first time

# all steps as one graph, whose tasks run where the policy says
for scene in fall pairs pile mixed bars; do
    checked --device=all --scene=$scene --bodies=6 --size=150 --steps=8 --groups=6 --threads=2
    HEDDLE_GRAPH=round_robin checked --device=1,2 --scene=$scene --bodies=6 --size=150 --steps=6 --groups=3
done
checked --device=0,host --scene=pairs --bodies=8 --size=200 --steps=25 --groups=8 --self # links come and go

# bodies that break on a device: one is named, and the last whole frame is there
expect 2 "has numbers that are not finite after step 0" "$SOFTBODY" --device=3 --scene=pile --bodies=2 --size=27 --steps=50 --damping=1e38 --out=n.obj
[ -s n-99999.obj ] || bad "no last frame"
HEDDLE_GRAPH=round_robin expect 2 "has numbers that are not finite after step 0" "$SOFTBODY" --device=3 --scene=pile --bodies=2 --size=27 --steps=50 --damping=1e38 --groups=2
# a device that is lost within a step: libomptarget aborts
"$SOFTBODY" --device=1 --scene=pile --bodies=16 --size=2000 --steps=10000 --every=10000 --out=lost.obj >/dev/null 2>lost.err &
pid=$!
while [ ! -s lost-00000.obj ] && kill -0 $pid; do sleep 0.1; done
sleep 1
kill -ABRT $pid
wait $pid 2>/dev/null
grep -q "was not done; the last whole frame is number 99999 of lost.obj" lost.err || bad "not told: $(cat lost.err)"
[ -s lost-99999.obj ] || bad "no last frame of a device that was lost"
# heddle ends the program where one does not run a step, and a graph's data where it was nowhere else
lost() { # NAME FAULT OPTIONS...
    name=$1 fault=$2
    shift 2
    (HEDDLE_FAULT=$fault HEDDLE_TUNE=graph-keep=0 HEDDLE_GRAPH=round_robin "$SOFTBODY" --device=1 --scene=pile --bodies=8 --size=100 --steps=8 --out="$name.obj" "$@") >out 2>err
    [ $? -gt 128 ] || bad "$fault $*: it did not end by a signal"
    grep -q "step [1-9][0-9]* was not done; the last whole frame is number 99999 of $name.obj" err || bad "$fault $*: not told: $(cat err)"
    before=$(ls "$name"-000*.obj | tail -1)
    cmp "$before" "$name-99999.obj" || bad "$fault $*: the last frame is not $before"
}
lost launch launch:4
lost vanish vanish:700 --groups=2
# tasks of the regions in which contacts are found are none of the graph's
expect 0 "" "$SOFTBODY" --device=1 --scene=pile --bodies=4 --size=100 --steps=3 --groups=2
[ -s err ] && bad "a graph of steps is not silent: $(cat err)"
expect 2 "there is no device 9" "$SOFTBODY" --device=9 --scene=fall --bodies=2 --size=30 --steps=1
finish
