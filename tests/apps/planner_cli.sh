# SPDX-License-Identifier: Apache-2.0
# planner from the command line: problems made here on the host and on devices against the serial program, what is
# written, bad input.
. "$(dirname "$0")/lib.sh"
[ -x "$PLANNER" ] || { echo "skipped: planner is not built"; exit 77; }
value() { sed "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/" out; }
checked() { # PROGRAM OPTIONS...
    expect 0 "" "$@" --check --json
    grep -q '"check": "ok"' out || bad "$*: $(cat out)"
}

for options in "" "--size=1" "--seed=7 --range=0.5" "--resolution=100" "--nodes=32 --samples=200" "--samples=0" "--threads=1 --schedule=static"; do
    # shellcheck disable=SC2086
    checked "$PLANNER" --size=60 $options
done
checked "$PLANNER" --size=200
same "problems solved of 200" "$(value solved)" 200

# four devices and the host, alone and together: the same paths to the bit (a sanitizer and the x86_64 devices do not go together)
grep -q '^HEDDLE_SANITIZE:[A-Z]*=.' "${HEDDLE_BUILD:-.}/CMakeCache.txt" 2>/dev/null && PLANNER_DEVICES=$PLANNER sanitized=1
checked "$PLANNER_DEVICES" --size=40
value checksum >host
for how in auto,all static,all steal,all auto,0 auto,host; do
    case ${sanitized:-0}$how in 1*,[0-9]) continue ;; esac # there is no such device then
    checked "$PLANNER_DEVICES" --size=40 --schedule="${how%,*}" --device="${how#*,}"
    [ "$(value checksum)" = "$(cat host)" ] || bad "planner $how: other paths"
    case ${sanitized:-0}$how in 0static,all | 0auto,0) grep -q '"device_iterations": \[[1-9]' out || bad "planner $how: no device took part: $(cat out)" ;; esac
done

# a robot and a problem of files
cat >arm.urdf <<'URDF'
<robot name="two"><link name="base"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="upper"><collision><origin xyz="0.3 0 0"/><geometry><sphere radius="0.1"/></geometry></collision>
<collision><origin xyz="0.5 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="lower"><collision><origin xyz="0.2 0 0"/><geometry><sphere radius="0.08"/></geometry></collision>
<collision><origin xyz="0.4 0 0"/><geometry><sphere radius="0.08"/></geometry></collision></link>
<joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
<joint name="b" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.6 0 0"/><axis xyz="0 0 1"/>
<limit lower="-2.5" upper="2.5"/></joint></robot>
URDF
mkdir -p set/easy set/hard
cat >set/easy/scene01.yaml <<'YAML'
world:
  collision_objects:
    - id: wall
      primitives: [{type: box, dimensions: [0.3, 0.04, 0.5]}]
      primitive_poses: [{position: [0.85, 0, 0], orientation: [0, 0, 0, 1]}]
YAML
cat >set/easy/request01.yaml <<'YAML'
start_state: {joint_state: {name: [a, b], position: [0.8, 0]}}
goal_constraints: [joint_constraints: [{joint_name: a, position: -0.8}, {joint_name: b, position: 0}]]
YAML
cp set/easy/scene01.yaml set/hard/scene07.yaml
sed 's/-0.8}/0}/' set/easy/request01.yaml >set/hard/request07.yaml
checked "$PLANNER" arm.urdf set --out=o.tsv --paths=p.tsv --obj=a.obj
same "outcomes" "$(sed 1d o.tsv | cut -f1,2 | tr '\t\n' '  ')" "easy/01 solved hard/07 goal_touches "
[ "$(grep -c '^easy/01' p.tsv)" -ge 3 ] || bad "around a wall in one line: $(cat p.tsv)"
same "header" "$(head -1 p.tsv)" "$(printf '#problem\tcorner\ta\tb')"
same "the last corner" "$(tail -1 p.tsv | cut -f3-)" "$(printf -- '-0.8\t0')"
same "one file alone" "$("$PLANNER" arm.urdf set/easy/request01.yaml --json | sed 's/.*"solved": \([0-9]*\).*/\1/')" 1
expect 0 "" "$RAYTRACE" a.obj --size=80x60 --out=a.png
expect 0 "" "$PLANNER" arm.urdf --size=5
# a world without anything; a goal that touches nothing and cannot be reached
mkdir -p odd
cp set/easy/request01.yaml odd/request01.yaml
for world in '{collision_objects: []}' '{}'; do
    printf 'world: %s\n' "$world" >odd/scene01.yaml
    checked "$PLANNER" arm.urdf odd --out=o.tsv
    same "an empty world" "$(sed 1d o.tsv | cut -f2)" solved
done
cat >odd/scene01.yaml <<'YAML'
world:
  collision_objects:
    - id: walls
      primitives: [{type: box, dimensions: [2, 0.02, 0.5]}, {type: box, dimensions: [2, 0.02, 0.5]}]
      primitive_poses: [{position: [1.2, 0, 0], orientation: [0, 0, 0, 1]}, {position: [-1.2, 0, 0], orientation: [0, 0, 0, 1]}]
YAML
checked "$PLANNER" arm.urdf odd --samples=500 --out=o.tsv
same "behind walls" "$(sed 1d o.tsv | cut -f2,3)" "$(printf 'samples_up\t500')"
sed 's/\[2, 0.02/[.nan, 0.02/' odd/scene01.yaml >scene && mv scene odd/scene01.yaml
expect 2 "odd/scene01.yaml:4: '.nan': a finite number" "$PLANNER" arm.urdf odd
: >odd/scene01.yaml
expect 2 "odd/scene01.yaml: empty" "$PLANNER" arm.urdf odd
cp set/easy/scene01.yaml odd/scene01.yaml
sed 's/\[0.8, 0\]/[0.8, nan]/' set/easy/request01.yaml >odd/request01.yaml
expect 2 "'nan': a finite number" "$PLANNER" arm.urdf odd
sed 's/radius="0.08"/radius="0"/' arm.urdf >flat.urdf
expect 2 "a sphere needs a radius above 0" "$PLANNER" flat.urdf set
expect 0 "" "$PLANNER" --size=2 --out=-
same "lines on standard output" "$(grep -c '^random/' out)" 2

expect 2 "nowhere.urdf: No such file" "$PLANNER" nowhere.urdf
expect 2 "set/none: No such file" "$PLANNER" arm.urdf set/none
mkdir empty
expect 2 "empty: no request*.yaml in it" "$PLANNER" arm.urdf empty
expect 2 "expected a folder, or a file" "$PLANNER" arm.urdf arm.urdf
expect 2 "--size is for runs without problems" "$PLANNER" arm.urdf set --size=4
expect 2 "--range=0" "$PLANNER" --range=0
expect 2 "--resolution=0.5" "$PLANNER" --resolution=0.5
expect 2 "--show=easy/02: there is no such problem" "$PLANNER" arm.urdf set --obj=b.obj --show=easy/02
sed 's/dimensions: \[0.3/dimensions: [zero/' set/easy/scene01.yaml >set/hard/scene07.yaml
expect 2 "set/hard/scene07.yaml:4: 'zero': a finite number" "$PLANNER" arm.urdf set
rm set/hard/scene07.yaml
expect 2 "set/hard/scene07.yaml: No such file" "$PLANNER" arm.urdf set
expect 2 "nodir/o.tsv: No such file" "$PLANNER" --size=1 --out=nodir/o.tsv
finish
