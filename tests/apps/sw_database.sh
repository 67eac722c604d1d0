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
{ sequences 1 40 q ARNDCQEGHILKMFPSTWYV; echo ">long"; wide 3520; } >q.fa
{ sequences 2 70 t ARNDCQEGHILKMFPSTWYV; echo ">long"; wide 3510; } >t.fa
{ sequences 3 12 t ARNDCQEGHILKMFPSTWYV; echo ">long"; wide 3500; } >few.fa
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
# Reads against long targets, in segments; one read at a time is too little for that. Two letters: many equal scores.
long() { awk -v seed="$1" -v n="$2" -v letters="$3" 'BEGIN {srand(seed); for (k = 0; k < n; k++)
    printf "%s", substr(letters, 1 + int(rand() * length(letters)), 1); print ""}'; }
for letters in ACGT AC; do
    { echo ">one"; long 6 20000 $letters; echo ">two"; long 7 300 $letters; echo ">three"; long 8 9001 ACGTN; } >t.fa
    { sequences 9 50 q $letters; awk 'NR == 2 {for (k = 1; k < 20; k++) print ">piece" k "\n" substr($0, 997 * k, 70)}' t.fa; } >q.fa
    for options in "--top=0 --gap=2" "--top=1 --gap-open=4 --gap-extend=1" "--top=2 --match=1 --mismatch=3"; do
        expect 0 "" "$SW" --device=host --strand=both --align --batch=1 $options q.fa t.fa
        mv out whole
        expect 0 "" "$SW" --device=host --strand=both --align --check $options q.fa t.fa
        cmp -s out whole || bad "segments of $letters, $options: $(diff out whole | head -2)"
    done
done
# Targets that go past in chunks: the same results, with all else that belongs to them.
{ sequences 1 40 q ARNDCQEGHILKMFPSTWYV; echo ">long"; wide 3520; } >q.fa
{ sequences 2 300 t ARNDCQEGHILKMFPSTWYV; echo ">long"; wide 3510; sequences 12 40 u ARNDCQEGHILKMFPSTWYV; } >t.fa
for options in "--align" "--top=3" "--top=0 --evalue=2 --align" "--evalue=0.5"; do
    expect 0 "" "$SW" --protein $options q.fa t.fa
    mv out whole
    for hold in 7000 10000 15000; do
        expect 0 "" "$SW" --protein $options --hold=$hold q.fa t.fa
        cmp -s out whole || bad "--hold=$hold $options: $(diff out whole | head -2)"
    done
done
expect 2 "more than --hold=3000 residues of queries, and of targets" "$SW" --protein --hold=3000 q.fa t.fa
{ cat t.fa; echo ">bad"; echo "AC1"; } >b.fa
expect 2 "record 342 (bad): '1' is not a protein residue letter" "$SW" --protein --hold=7000 q.fa b.fa
same "nothing is known before the end" "$(wc -c <out)" 0
{ cat q.fa; echo ">bad"; echo "AC1"; } >b.fa
expect 2 "record 42 (bad): '1' is not a protein residue letter" "$SW" --protein --hold=7000 b.fa t.fa
same "queries before the bad one" "$(wc -l <out)" 42
finish
