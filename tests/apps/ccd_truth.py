#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hits of ccd against exact verdicts: FOLDER STEP TABLE VERTICES EDGES. Every pair of the list that collides must be
in the table; what does not and is in it is a false positive. Ids: vertex i; V + edge; V + E + face."""
import csv
import json
import sys


def main(folder, step, table, vertices, edges):
    found = {"ee": set(), "vf": set()}
    for row in csv.DictReader(open(table), delimiter="\t"):
        found[row["kind"]].add((int(row["first"]), int(row["second"])))
    missed = false = pairs = 0
    for kind in "vf", "ee":
        listed = json.load(open(f"{folder}/boxes/{step}{kind}.json"))
        truth = json.load(open(f"{folder}/mma_bool/{step}{kind}_mma_bool.json"))
        if len(listed) != len(truth):
            sys.exit("lists of different length")
        for (a, b), collides in zip(listed, truth):
            pair = tuple(sorted((a - vertices, b - vertices))) if kind == "ee" else (a, b - vertices - edges)
            pairs += 1
            missed += bool(collides) and pair not in found[kind]
            false += not collides and pair in found[kind]
    print(f"{pairs} pairs, {missed} missed, {false} false positives, {sum(map(len, found.values()))} hits")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4], int(sys.argv[4]), int(sys.argv[5])))
