#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nqueens and synth from the command line: every schedule and shape against the serial programs and known counts, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # PROGRAM OPTIONS...
    expect 0 "" "$@" --check --json
    grep -q '"check": "ok"' out || bad "$*: $(cat out)"
}
for program in "$SYNTH" "$NQUEENS"; do
    expect 0 "" "$program" --help
    grep -q '(null)' out && bad "$program --help: $(grep null out)"
done
for schedule in auto dynamic global static barrier serial; do
    for size in 1x1 1x9 9x1 5x7 23x40; do
        checked "$SYNTH" --size=$size --schedule=$schedule --base=3 --threads=3
        checked "$SYNTH" --size=$size --schedule=$schedule --base=3 --independent --threads=2
    done
    for slices in 2 4 23; do
        checked "$SYNTH" --size=23x40 --slices=$slices --schedule=$schedule --base=3 --constant=2 --threads=3
    done
    checked "$NQUEENS" --size=9 --schedule=$schedule --threads=3
done
counts="0 1 0 0 2 10 4 40 92 352 724 2680"
n=0
for count in $counts; do
    if [ $n -gt 0 ]; then
        expect 0 "" "$NQUEENS" --size=$n --check
        same "count for $n" "$(cat out)" "$count"
        checked "$NQUEENS" --size=$n --depth=1 --repeat=2
        checked "$NQUEENS" --size=$n --depth=20
    fi
    n=$((n + 1))
done
for n in 1 4 5 6 7 8 9 14 15 20 26 27; do
    expect 0 "" "$NQUEENS" --size=$n --first
    tr -d ' ' <out | awk -v n=$n '{ q = index($0, "Q") - 1; if (length($0) != n || gsub("Q", "Q") != 1) exit 1
        if (c[q]++ || d[q + NR]++ || e[q - NR]++) exit 1 } END { if (NR != n) exit 1 }' || bad "board of $n: $(cat out)"
done
expect 0 "" "$NQUEENS" --size=3 --first
grep -q "no solution" out || bad "a board of 3"
expect 2 "more than 27" "$NQUEENS" --size=28
expect 2 "expected auto, dynamic" "$NQUEENS" --size=8 --schedule=registers
expect 2 "only 3 rows" "$SYNTH" --size=3x4 --slices=4
expect 2 "more than" "$SYNTH" --size=9999999x3
expect 2 "more than 1073741824 rounds" "$SYNTH" --size=3 --base=9000000000000000000
expect 2 "a graph of this size needs" "$SYNTH" --size=1048576
for program in "$SYNTH" "$NQUEENS"; do
    expect 2 "there is no device 99" "$program" --size=8 --device=99
    expect 2 "at most 4096" "$program" --size=8 --threads=4097
done
finish
