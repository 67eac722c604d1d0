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
finish
