# SPDX-License-Identifier: Apache-2.0
# The best hits of a query among many targets, whose scores are found in 16 bits and whose ends afterwards, are the first of
# all hits, whose scores and ends are found together: many targets, many queries, and scores beyond 16 bits.
. "$(dirname "$0")/lib.sh"
sequences() { # SEED COUNT PREFIX LETTERS
    awk -v seed="$1" -v count="$2" -v name="$3" -v letters="$4" 'BEGIN {srand(seed); m = length(letters)
        for (r = 1; r <= count; r++) {print ">" name r; n = 1 + int(rand() * 90)
        for (k = 0; k < n; k++) printf "%s", substr(letters, 1 + int(rand() * m), 1); print ""}}'
}
wide() { awk -v n="$1" 'BEGIN {for (k = 0; k < n; k++) printf "%s", substr("WCWYWWHWPW", 1 + k % 10, 1); print ""}'; }
{ sequences 1 40 q ARNDCQEGHILKMFPSTWYV; echo ">long"; wide 4300; } >q.fa
{ sequences 2 70 t ARNDCQEGHILKMFPSTWYV; echo ">long"; wide 4200; } >t.fa
{ sequences 3 12 t ARNDCQEGHILKMFPSTWYV; echo ">long"; wide 4000; } >few.fa
for targets in t.fa few.fa; do
    for scoring in "--gap-open=11" "--gap=5"; do
        expect 0 "" "$SW" --protein $scoring --top=0 --align q.fa $targets
        awk -F'\t' 'NR > 1 && ++seen[$1] <= 1' out >best
        for batch in 300 1000000; do
            expect 0 "" "$SW" --protein $scoring --align --batch=$batch --check q.fa $targets
            sed 1d out >got
            cmp -s got best || bad "$targets $scoring --batch=$batch: $(diff got best | head -2)"
        done
    done
done
same "a score beyond 16 bits" "$(awk -F'\t' '$1 == "long" && $6 > 32767' got | wc -l)" 1
sequences 4 60 q ACGTN >q.fa
sequences 5 50 t ACGTN >t.fa
expect 0 "" "$SW" --strand=both --top=0 --align q.fa t.fa
awk -F'\t' 'NR > 1 && ++seen[$1] <= 3' out >best
expect 0 "" "$SW" --strand=both --top=3 --align --check q.fa t.fa
sed 1d out >got
cmp -s got best || bad "DNA: $(diff got best | head -2)"
finish
