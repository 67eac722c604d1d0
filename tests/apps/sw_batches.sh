# SPDX-License-Identifier: Apache-2.0
# However the queries are cut into batches, and whichever side makes the rows, results are the same.
. "$(dirname "$0")/lib.sh"
awk 'BEGIN {srand(2); for (r = 1; r <= 60; r++) {printf ">r%d\n", r; n = 1 + int(rand() * 150)
    for (k = 0; k < n; k++) printf "%s", substr("ACGTN", 1 + int(rand() * 4.1), 1); print ""}}' >q.fa
head -20 q.fa >few.fa
for scoring in "--gap=2" "--gap-open=4 --gap-extend=1"; do
    for pair in "q.fa few.fa" "few.fa q.fa"; do
        "$SW" $scoring --top=0 --strand=both --align $pair >whole || bad "$scoring $pair"
        for batch in 1 100 2000; do
            expect 0 "" "$SW" --batch=$batch $scoring --top=0 --strand=both --align --check $pair
            cmp -s out whole || bad "--batch=$batch $scoring $pair: other results"
        done
    done
done
expect 0 "" "$SW" --protein --gap=4 --check --json q.fa few.fa
grep -q '"check": "ok"' out || bad "protein check"
# Ends of many hits are found together, of few one by one.
awk 'BEGIN {srand(3); for (r = 1; r <= 60; r++) {printf ">p%d\n", r; n = 1 + int(rand() * 80)
    for (k = 0; k < n; k++) printf "%s", substr("ARNDC", 1 + int(rand() * 5), 1); print ""}}' >p.fa
head -60 p.fa >half.fa
tail -60 p.fa >other.fa
"$SW" --protein --top=0 few.fa p.fa | sort >together
{ "$SW" --protein --top=0 few.fa half.fa; "$SW" --protein --top=0 few.fa other.fa | tail -n +2; } | sort >apart
cut -f1-8 together >ends
cut -f1-8 apart | cmp -s - ends || bad "ends of many hits differ"
[ "$(wc -l <ends)" -gt 200 ] || bad "few hits"
expect 0 "" "$SW" --protein --top=0 --check --json few.fa p.fa
grep -q '"check": "ok"' out || bad "check of ends"
finish
