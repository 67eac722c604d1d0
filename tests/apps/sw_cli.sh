# SPDX-License-Identifier: Apache-2.0
# sw from the command line: formats, options, bad input with exit status and message.
. "$(dirname "$0")/lib.sh"
printf '>t1 first\nGGGACGTACGTAAA\n>t2\nTTTTCCCC\n' >t.fa
printf '>q1\nACGTACGT\n>q2\nGGGG\n>q3\nCCCC\n' >q.fa

# --- results
expect 0 "" "$SW" q.fa t.fa
same "TSV" "$(sed -n 2p out)" "$(printf 'q1\t8\tt1\t14\t+\t16\t8\t11')"
expect 0 "" "$SW" --align --strand=both --top=0 --min-score=8 q.fa t.fa
same "both strands" "$(grep -c . out)" 5
same "palindrome on the minus strand" "$(sed -n 3p out)" \
    "$(printf 'q1\t8\tt1\t14\t-\t16\t8\t11\t1\t4\t1.0000\t8=')"
same "reverse complement" "$(grep q2 out | cut -f3,5,6,12)" "$(printf 't2\t-\t8\t4=')"
expect 0 "" "$SW" --format=sam --strand=both --min-score=8 q.fa t.fa
same "SAM header" "$(head -2 out | tail -1)" "$(printf '@SQ\tSN:t1\tLN:14')"
same "SAM minus" "$(grep '^q2' out)" "$(printf 'q2\t16\tt2\t5\t255\t4=\t*\t0\t0\tCCCC\t*\tAS:i:8\tNM:i:0')"
printf '@r\nACGTTT\n+\nABCDEF\n' >r.fq
expect 0 "" "$SW" --format=sam r.fq t.fa
same "soft clip and quality" "$(tail -1 out | cut -f2-6,10,11)" \
    "$(printf '0\tt1\t4\t255\t4=2S\tACGTTT\tABCDEF')"
expect 0 "" "$SW" --format=sam --min-score=100 r.fq t.fa
same "unmapped" "$(tail -1 out | cut -f2-6)" "$(printf '4\t*\t0\t0\t*')"

printf '>t1\nACGT\n>t2\nACGT\n>t1 again\nGGGG\n>t2\nCCCC\n' >twice.fa
expect 2 "twice.fa: record 3 (t1): a record before it has this name, and SAM needs one for each" "$SW" --format=sam q.fa twice.fa
same "no SAM of twins" "$(wc -c <out)" 0
expect 0 "" "$SW" q.fa twice.fa
for name in '*' '=x' $(printf %0255d 1); do
    printf '>%s\nACGT\n' "$name" >odd.fa
    expect 2 "SAM cannot hold this name (254 letters, no * or = first)" "$SW" --format=sam q.fa odd.fa
done
printf '>%0254d\nACGT\n' 1 >odd.fa
expect 0 "" "$SW" --format=sam odd.fa odd.fa
printf '>@q\nACGT\n' >odd.fa
expect 2 "record 1 (@q): SAM cannot hold this name (254 letters, no @ first)" "$SW" --format=sam odd.fa t.fa
cp q.fa "$(printf 'tab\tline\nend.fa')"
expect 0 "" "$SW" --format=sam "$(printf 'tab\tline\nend.fa')" t.fa
same "SAM of a name with a tab" "$(grep -c '^@PG.ID:sw.PN:sw.CL:[^	]*tab?line?end.fa t.fa$' out)" 1

# --- forms of input
gzip -c q.fa >q.fa.gz
"$SW" q.fa t.fa >plain
expect 0 "" "$SW" q.fa.gz t.fa
cmp -s out plain || bad "gzip input gives other results"
sed 's/$/\r/' q.fa >crlf.fa
expect 0 "" "$SW" crlf.fa t.fa
cmp -s out plain || bad "CRLF input gives other results"
head -c -1 q.fa >nonl.fa
expect 0 "" "$SW" nonl.fa t.fa
cmp -s out plain || bad "no last newline gives other results"
"$SW" - t.fa <q.fa >out 2>err || bad "standard input"
cmp -s out plain || bad "standard input gives other results"
printf '>one\nA\n' >one.fa
expect 0 "" "$SW" --align one.fa t.fa
same "one letter" "$(tail -1 out | cut -f6-8,12)" "$(printf '2\t1\t4\t1=')"
awk 'BEGIN {printf ">m\n"; for (k = 0; k < 1000000; k++) printf "%s", substr("ACGT", 1 + (k * k + k / 7) % 4, 1); print ""}' >m.fa
expect 0 "" "$SW" one.fa m.fa
expect 0 "" "$SW" m.fa one.fa
same "a million letters" "$(tail -1 out | cut -f2,6)" "$(printf '1000000\t2')"

# --- bad input: message, exit 2, and what was found before it stays
printf '>q1\nACGTACGT\n>e\n>q3\nCCCC\n' >b.fa
expect 2 "b.fa:4: record 2 (e): the record has no sequence" "$SW" b.fa t.fa
same "results before the empty record" "$(sed -n 2p out | cut -f1,6)" "$(printf 'q1\t16')"
printf '>q1\nACGTACGT\n>e\nAC7T\n' >b.fa
expect 2 "b.fa:4: record 2 (e): '7' is not a DNA residue letter" "$SW" b.fa t.fa
same "results before the bad letter" "$(sed -n 2p out | cut -f1,6)" "$(printf 'q1\t16')"
expect 2 "b.fa:4: record 2 (e): '7' is not a DNA residue letter" "$SW" q.fa b.fa
expect 2 "nofile.fa: No such file or directory" "$SW" nofile.fa t.fa
expect 2 "nofile.fa: No such file or directory" "$SW" q.fa nofile.fa
: >empty.fa
expect 2 "empty.fa:1: no record in this file" "$SW" empty.fa t.fa
expect 2 "cannot read: Is a directory" "$SW" . t.fa
awk 'BEGIN {srand(1); for (r = 1; r <= 400; r++) {printf ">r%d\n", r
    for (k = 0; k < 100; k++) printf "%s", substr("ACGT", 1 + int(rand() * 4), 1); print ""}}' | gzip >whole.gz
head -c 6000 whole.gz >cut.fa.gz
expect 2 "the compressed data end early (truncated gzip)" "$SW" cut.fa.gz t.fa
grep -q '^sw: cut.fa.gz:[0-9]*: record [0-9]* (r[0-9]*):' err || bad "truncated gzip: no record in: $(cat err)"
[ "$(wc -l <out)" -gt 50 ] || bad "truncated gzip: earlier results are gone"
{ printf '>n\n'; head -c 300000000 /dev/zero | tr '\0' N; } | gzip -1 >bomb.fa.gz # 1.3 MB
expect 2 "it unpacks to more than 200 times its size (after 256 MB); unpack it first: gunzip" "$SW" bomb.fa.gz t.fa
printf '@q\nACGT\n+\nII\n' >b.fq
expect 2 "record 1 (q): the quality is shorter than the sequence" "$SW" b.fq t.fa
expect 2 "--pairs: 3 queries but 2 targets" "$SW" --pairs q.fa t.fa
expect 2 "--pairs: 2 queries but 3 targets" "$SW" --pairs t.fa q.fa
same "results before the missing partner" "$(sed -n 2p out | cut -f1,3)" "$(printf 't1\tq1')"
expect 2 "expected two inputs" "$SW" q.fa
expect 2 "unknown option --nothing" "$SW" --nothing q.fa t.fa
expect 2 "--gap-open must not be below --gap-extend" "$SW" --gap-open=1 --gap-extend=2 q.fa t.fa
expect 2 "--strand=both needs DNA" "$SW" --protein --strand=both q.fa t.fa
expect 2 "--format=bam: expected tsv or sam" "$SW" --format=bam q.fa t.fa
expect 2 "--match=1000: expected 1 to 100" "$SW" --match=1000 q.fa t.fa
[ -e /dev/full ] && expect 2 "cannot write the results" sh -c '"$0" q.fa t.fa >/dev/full' "$SW"

# --- matrices
printf '# two letters\n   A B\nA  3 -1\nB -2  4' >m.txt
printf '>x\nAAB\n' >x.fa
printf '>y\nABB\n' >y.fa
expect 0 "" "$SW" --matrix=m.txt --gap=5 --align x.fa y.fa
same "own matrix" "$(tail -1 out | cut -f6,12)" "$(printf '7\t2=')"
expect 2 "y.fa:2: record 1 (y): 'A' is not a matrix residue letter" sh -c \
    'printf "  G\nG 1\n" >g.txt; "$0" --matrix=g.txt x.fa y.fa' "$SW"
expect 2 "m2.txt:2: too few scores in this row" sh -c 'printf "  A B\nA 1\n" >m2.txt; "$0" --matrix=m2.txt x.fa y.fa' "$SW"
expect 2 "nomatrix: No such file" "$SW" --matrix=nomatrix x.fa y.fa
if blosum=$(data seq/blosum62.txt); then
    printf '>p\nMKVLAWFQDERTHPSNYGIC\n' >p.fa
    printf '>r\nMKVLWFQDERTHHPSNYGIC\n' >r.fa
    "$SW" --protein --align p.fa r.fa >built-in
    expect 0 "" "$SW" --matrix="$blosum" --align p.fa r.fa
    cmp -s out built-in || bad "BLOSUM62 from a file differs from the built-in one"
fi

# --- statistics
printf '>p\nMKVLAWFQDERTHPSNYGICMKVLAWFQDERTHPSNYGIC\n' >p.fa
printf '>r\nMKVLWFQDERTHHPSNYGICMKVLAWFQDERTHPSNYGIC\n>s\nAAAAAAAAAA\n' >r.fa
expect 0 "" "$SW" --protein --gap-open=12 --top=0 p.fa r.fa
same "columns of statistics" "$(head -1 out | cut -f9-)" "$(printf 'bits\tevalue')"
same "bits: (0.267 score - ln 0.041) / ln 2" "$(awk -F'\t' 'NR == 2 {printf "%.1f", (0.267 * $6 - log(0.041)) / log(2)}' out)" \
    "$(sed -n 2p out | cut -f9)"
same "two hits" "$(wc -l <out)" 3
expect 0 "" "$SW" --protein --gap-open=12 --top=0 --evalue=1e-10 --align p.fa r.fa
same "one hit by --evalue" "$(sed 1d out | cut -f3)" r
same "statistics come last" "$(head -1 out | cut -f13-)" "$(printf 'bits\tevalue')"
expect 0 "" "$SW" --protein --gap=7 p.fa r.fa
same "gap costs in no table" "$(head -1 out | cut -f9-)" "$(printf 'ungapped_bits\tungapped_evalue')"
expect 0 "" "$SW" --protein --gap-open=12 --pairs --min-score=1 p.fa p.fa
expect 2 "--evalue needs --protein, or a matrix of the amino acids" "$SW" --evalue=1 q.fa t.fa
expect 2 "this matrix lacks amino acids" "$SW" --matrix=m.txt --evalue=1 x.fa y.fa

# --- devices
expect 2 "--device=99: there is no device 99" "$SW" --device=99 q.fa t.fa
same "nothing before the device is known" "$(wc -c <out)" 0
expect 2 "--device=99: there is no device 99" "$SW" --device=99 --size=10

# --- reports
expect 0 "" "$SW" --size=300x200 --check --json --repeat=3
python3 -c 'import json,sys
r = json.loads(sys.stdin.readline())
assert not sys.stdin.read()
need = {"app": str, "schedule": str, "device": str, "size": str, "seconds": float, "rate": float, "unit": str, "checksum": str, "check": str}
for key, kind in need.items(): assert isinstance(r[key], kind), key
assert r["check"] == "ok" and r["size"] == "300x200" and r["app"] == "sw"' <out || bad "JSON: $(cat out)"
for options in "--gap-open=3 --gap-extend=1" "--protein" "--protein --gap=3" "--device=host" "--schedule=serial"; do
    expect 0 "" "$SW" --size=150x220 --check $options
done
expect 0 "" "$SW" --check --json --out=file.tsv --strand=both q.fa t.fa
python3 -c 'import json,sys; r = json.load(sys.stdin); assert r["check"] == "ok" and r["queries"] == 3' <out || bad "JSON of files"
same "--out" "$(wc -l <file.tsv)" 4
expect 0 "" "$SW" --help
grep -q -- --gap-open out || bad "--help"
finish
