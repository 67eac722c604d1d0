# SPDX-License-Identifier: Apache-2.0
"""Seeded input of the suite `batch`: proteins, a genome and reads of it, series."""
import random
from pathlib import Path
from typing import List

# residues of Swiss-Prot, per cent; lengths are about its: a logarithmic normal distribution of median 290
RESIDUES = {"A": 8.3, "R": 5.5, "N": 4.1, "D": 5.5, "C": 1.4, "Q": 3.9, "E": 6.7, "G": 7.1, "H": 2.3, "I": 5.9, "L": 9.7, "K": 5.8,
            "M": 2.4, "F": 3.9, "P": 4.7, "S": 6.6, "T": 5.4, "W": 1.1, "Y": 2.9, "V": 6.9}
GENOME = 48502  # letters, as phage lambda has


def letters(seed: random.Random, count: int) -> str:
    return "".join(seed.choices(list(RESIDUES), list(RESIDUES.values()), k=count))


def write_fasta(path: Path, name: str, records: List[str]) -> int:
    path.write_text("".join(f">{name}{k}\n{text}\n" for k, text in enumerate(records, 1)), encoding="ascii")
    return sum(len(text) for text in records)


def proteins(folder: Path, queries: int, targets: int) -> int:
    """Files q.fa and db.fa; returns how many cells they make."""
    seed = random.Random(1)
    rows = write_fasta(folder / "q.fa", "q", [letters(seed, 350) for _ in range(queries)])
    sizes = [min(5000, max(30, int(seed.lognormvariate(5.67, 0.65)))) for _ in range(targets)]
    return rows * write_fasta(folder / "db.fa", "t", [letters(seed, size) for size in sizes])


def mutated(seed: random.Random, text: str) -> str:
    """Three of a hundred letters changed, one left out."""
    out = []
    for letter in text:
        chance = seed.random()
        if chance < 0.03:
            letter = seed.choice("ACGT")
        if chance < 0.99:
            out.append(letter)
    return "".join(out)


def reads(folder: Path, count: int) -> int:
    """Files genome.fa and reads.fa, of both strands; returns the cells of both strands."""
    seed = random.Random(2)
    genome = "".join(seed.choices("ACGT", k=GENOME))
    write_fasta(folder / "genome.fa", "g", [genome])
    records = []
    for _ in range(count):
        size, at = seed.randint(150, 250), seed.randrange(GENOME - 300)
        text = mutated(seed, genome[at:at + size])
        records.append(text[::-1].translate(str.maketrans("ACGT", "TGCA")) if seed.random() < 0.5 else text)
    return 2 * GENOME * write_fasta(folder / "reads.fa", "r", records)


def series(path: Path, count: int, samples: int) -> None:
    """Random walks, one a line."""
    seed = random.Random(3)
    with path.open("w", encoding="ascii") as file:
        for _ in range(count):
            value, row = 0.0, []
            for _ in range(samples):
                value += seed.random() - 0.5
                row.append(f"{value:.5f}")
            file.write(",".join(row) + "\n")
