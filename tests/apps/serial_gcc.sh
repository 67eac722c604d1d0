# SPDX-License-Identifier: Apache-2.0
# Delete the pragmas and what is left computes the same thing: every app by gcc, which ignores them.
. "$(dirname "$0")/lib.sh"
command -v gcc >/dev/null || { echo "skipped: no gcc here"; exit 77; }
apps=$HEDDLE_SOURCE/apps runtime=$HEDDLE_SOURCE/runtime/src # how files are written
flags="-std=gnu11 -O2 -Wall -Wextra -Wno-unknown-pragmas -Werror -ffp-contract=off -I$apps/common -I$apps/bvh -I$apps/mesh -I$runtime -Iwords"
mkdir -p words/heddle # no other header of the library
cp "$HEDDLE_SOURCE/runtime/include/heddle/words.h" "$HEDDLE_SOURCE/runtime/include/heddle/list.h" words/heddle
serial=
for app in SW DTW HEAT SOR SAT INTHIST INTRA RAYTRACE PATHTRACE CCD ROADMAP SOFTBODY GEMM; do serial="$serial -D${app}_SERIAL"; done
mkdir common.o
for file in "$apps"/common/*.c "$apps"/bvh/*.c "$apps"/mesh/*.c "$runtime"/core/fault.c "$runtime"/core/replace.c "$runtime"/core/text.c; do
    gcc $flags -D_GNU_SOURCE -c "$file" -o "common.o/$(basename "$file" .c).o" || bad "gcc $file"
done
# gcc of a nest file, once or once for each precision (and cost): NEST-FILE OBJECT-STEM FLAGS...
nest() {
    file=$1 stem=$2
    shift 2
    case $file in
    */heat2d/* | */sor/* | heat2d.* | sor.*)
        for real in float double; do
            gcc $flags -DHEAT_REAL=$real -DSOR_REAL=$real "$@" -c "$file" -o "$stem-$real.o" || return 1
        done ;;
    */dtw/*)
        for real in float double; do
            for cost in absolute squared; do
                gcc $flags -DDTW_REAL=$real -DDTW_COST=$cost "$@" -c "$file" -o "$stem-$real-$cost.o" || return 1
            done
        done ;;
    *) gcc $flags "$@" -c "$file" -o "$stem.o" ;;
    esac
}
for app in sw dtw heat2d sor sat inthist intra raytrace pathtrace ccd roadmap softbody gemm; do
    mkdir $app.o
    for file in "$apps/$app"/*.c; do
        case $file in
        */nest*.c)
            nest "$file" "$app.o/$(basename "$file" .c)" || bad "gcc $file"
            nest "$file" "$app.o/$(basename "$file" .c)-serial" $serial || bad "gcc $file serial" ;;
        *) gcc $flags -I"$apps/$app" -c "$file" -o "$app.o/$(basename "$file" .c).o" || bad "gcc $file" ;;
        esac
    done
    gcc -o gcc-$app $app.o/*.o common.o/*.o -lz -lpng -lm -ldl -pthread || bad "gcc cannot link $app"
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
compare "$DTW" ./gcc-dtw --size=900x800 --precision=single
compare "$HEAT2D" ./gcc-heat2d --size=300x500 --sweeps=15
compare "$HEAT2D" ./gcc-heat2d --size=500x300 --sweeps=15 --precision=double
compare "$SOR" ./gcc-sor --size=300x500 --sweeps=15
compare "$SOR" ./gcc-sor --size=500x300 --sweeps=15 --precision=double --rhs=random
for type in int32 int64; do
    compare "$SAT" ./gcc-sat --size=600x500 --type=$type --resident
done
for type in float double; do # scans, which their clause asks for, add in another order
    compare "$SAT" ./gcc-sat --size=600x500 --type=$type --resident --schedule=registers
done
compare "$INTHIST" ./gcc-inthist --size=300x200 --bins=20 --resident
compare "$INTRA" ./gcc-intra --size=178x100 --frames=4 --slices=3
compare "$RAYTRACE" ./gcc-raytrace --size=70x50 --triangles=3000 --samples=2
compare "$RAYTRACE" ./gcc-raytrace --size=50x40 --triangles=20000 --scene=landscape
compare "$PATHTRACE" ./gcc-pathtrace --size=60x40 --triangles=9000 --samples=2
compare "$CCD" ./gcc-ccd --size=9000
compare "$CCD" ./gcc-ccd --scene=funnel --size=6000
compare "$ROADMAP" ./gcc-roadmap --size=700 --triangles=2000
compare "$SOFTBODY" ./gcc-softbody --scene=mixed --size=300 --bodies=9 --steps=40
compare "$SOFTBODY" ./gcc-softbody --scene=bars --size=100 --steps=20
compare "$INTRA" ./gcc-intra --size=64x64 --frames=2 --qp=10
for type in fp32 fp64; do
    compare "$GEMM" ./gcc-gemm --size=200x301x150 --type=$type --whole --beta=2 --device=host
done
# --check tells when the two programs differ: here the serial one is made wrong
spoil() { # APP SED-COMMAND, for at least one of its files
    spoilt=
    for file in "$apps/$1"/nest*.c; do
        name=$(basename "$file" .c)
        sed "$2" "$file" >"$1.$name.spoilt.c"
        cmp -s "$file" "$1.$name.spoilt.c" && continue
        spoilt=1
        nest "$1.$name.spoilt.c" "$1.o/$name-serial" $serial -I"$apps/$1" || bad "gcc spoilt $file"
    done
    [ "$spoilt" ] || bad "$1: nothing spoilt"
    gcc -o spoilt-$1 $1.o/*.o common.o/*.o -lpng -lm -ldl -pthread || bad "gcc cannot link spoilt $1"
    expect 1 "check: " ./spoilt-$1 --size=50 --check --json
    grep -q '"check": "fail"' out || bad "spoilt $1: $(cat out)"
    expect 0 "" ./spoilt-$1 --size=50
}
spoil heat2d 's,) / 4,) / 5,'
spoil sor 's/+ U\[i + 1\]/- U[i + 1]/'
spoil sat 's/= W\[i - 1\]/= 2 * W[i - 1]/'
spoil inthist 's/== bin)/== bin + 1)/'
spoil raytrace 's/rays = 0;/rays = 1;/'
spoil pathtrace 's/counted = 0;/counted = 1;/'
spoil roadmap 's/(d < list->far\[at - 1\]/(d > list->far[at - 1]/'
spoil softbody 's/        move(o, body);/        move(o, body), move(o, body);/'
spoil gemm 's/long t = 0/long t = 1/'
spoil intra 's/s->lambda \* 4;/s->lambda * 400;/'
finish
