# SPDX-License-Identifier: Apache-2.0
# The 305 pairs of WFA2-lib's test set: local scores known from two other programs, and alignments.
. "$(dirname "$0")/lib.sh"
pairs=$(data seq/wfa.utest.seq) && known=$(data seq/expected_sw_local_m2_x2_o3_e1.txt) || no_data seq
awk '/^>/ {n++; print ">p" n "\n" substr($0, 2)}' "$pairs" >q.fa
awk '/^</ {n++; print ">p" n "\n" substr($0, 2)}' "$pairs" >t.fa
grep -v '^#' "$known" >expected

expect 0 "" "$SW" --pairs --min-score=0 --match=2 --mismatch=2 --gap-open=3 --gap-extend=1 --align q.fa t.fa
awk 'NR > 1 {print $6}' out >got
same "pairs" "$(wc -l <got)" 305
cmp -s got expected || bad "scores differ: $(diff got expected | head -4)"
# the alignment's own score, from its CIGAR alone
awk 'NR > 1 {
    s = 0; c = $12
    while (match(c, /^[0-9]+[=XID]/)) {
        k = substr(c, 1, RLENGTH - 1) + 0; o = substr(c, RLENGTH, 1); c = substr(c, RLENGTH + 1)
        s += o == "=" ? 2 * k : o == "X" ? -2 * k : -(3 + (k - 1))
    }
    print s
}' out >scored
cmp -s scored expected || bad "CIGAR scores differ: $(diff scored expected | head -4)"
finish
