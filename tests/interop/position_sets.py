"""Random position sets of every shape that decides how Roaring stores them, as scripts of single adds.

A script is a line of `N` and `A:B` (A, A + 1, ... B, one by one): see java/README.md.
"""

import hashlib
import random

CHUNK = 1 << 16
KEY = 1 << 32
# Java writes 12 bytes for every absent key below the highest: a 12 MB blob for this one.
HIGHEST_KEY = 1_000_000
# Where arrays end, where a chunk is full, and their neighbours.
BORDERS = (1, 2, 3, 4, 5, 4094, 4095, 4096, 4097, 4098, 8191, 8192, 65534, 65535, 65536)

known_rows = {}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def rows_of(script):
    """The rows as ascending ranges that do not touch. Kept: several checks ask for the same."""
    if script not in known_rows:
        known_rows[script] = merge_ranges(parse(script))
    return known_rows[script]


def parse(script):
    """The ranges (first, last) of a script, in its order."""
    ranges = []
    for token in script.split():
        first, _, last = token.partition(":")
        ranges.append((int(first), int(last or first)))
    return ranges


def merge_ranges(ranges):
    """The same rows as ascending ranges that do not touch."""
    merged = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def ranges_hash(ranges):
    """As Ranges.java states content that is long."""
    return sha256("".join(f"{first}-{last}\n" for first, last in ranges).encode())


def spell(ranges):
    return " ".join(str(a) if a == b else f"{a}:{b}" for a, b in ranges)


def sparse_rows(rng):
    """An array: few rows of one chunk."""
    return [(row, row) for row in rng.sample(range(CHUNK), rng.randint(1, rng.choice((4, 60, 1500))))]


def border_rows(rng):
    """As many rows as a border says, none beside another while there is room, or all in one run."""
    count = rng.choice(BORDERS)
    if count > CHUNK // 2 or rng.random() < 0.5:
        first = rng.randint(0, CHUNK - count)
        return [(first, first + count - 1)]
    if 2 * count <= CHUNK and rng.random() < 0.7:
        return [(2 * i, 2 * i) for i in range(count)]
    return [(row, row) for row in rng.sample(range(CHUNK), count)]


def bitset_rows(rng):
    """Dense by chance."""
    return [(row, row) for row in rng.sample(range(CHUNK), rng.randint(4097, 7000))]


def run_rows(rng):
    """Runs of like length; up to about where a bitset is shorter than they are."""
    count = rng.choice((1, 2, 3, 10, 100, 2045, 2046, 2047, 2048))
    stride = CHUNK // count
    length = rng.randint(1, max(1, min(stride - 1, rng.choice((2, 3, 4, 31, 65535)))))
    return [(i * stride, i * stride + length - 1) for i in range(count)]


def short_run_rows(rng):
    """Runs of 1 to 4 rows, where an array and runs are about as long as each other."""
    ranges, row = [], rng.randint(0, 9)
    for _ in range(rng.randint(1, 800)):
        ranges.append((row, row + rng.choice((0, 0, 1, 1, 2, 3))))
        row = ranges[-1][1] + rng.randint(2, 40)
    return ranges


KINDS = (sparse_rows, border_rows, bitset_rows, run_rows, short_run_rows)
WEIGHTS = (8, 4, 1, 4, 4)


def pick_key(rng):
    draw = rng.random()
    if draw < 0.7:
        return 0
    return rng.randint(0, 5 if draw < 0.85 else 60 if draw < 0.97 else 1000)


def random_set(rng):
    ranges = []
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        chunk = rng.choice((0, 0, 1, 2, rng.randrange(CHUNK), CHUNK - 1))
        base = pick_key(rng) * KEY + chunk * CHUNK
        rows = rng.choices(KINDS, WEIGHTS)[0](rng)
        ranges += [(base + a, base + b) for a, b in rows]
    if rng.random() < 0.1:  # a run across the border of two chunks, or of two keys
        border = rng.choice((CHUNK, 2 * CHUNK, KEY))
        ranges.append((border - rng.randint(1, 3000), border + rng.randint(0, 3000)))
    order = rng.random()
    if order < 0.3:
        rng.shuffle(ranges)
    elif order < 0.4:
        ranges += ranges[:50]  # added again
    return spell(ranges)


def many_containers(rng):
    """One row in each of many chunks, with and without a run among them: the cookies and offsets."""
    count = rng.choice((2, 3, 4, 5, 8, 9, 31, 255, 3000))
    ranges = [(i * CHUNK + 7, i * CHUNK + 7) for i in range(count)]
    if rng.random() < 0.6:
        at = rng.randrange(count)
        ranges[at] = (at * CHUNK, at * CHUNK + 99)
    return spell(ranges)


def fixed_sets():
    """What chance would miss."""
    sets = ["0", str(CHUNK - 1), str(KEY - 1), str(KEY), f"{KEY - 1} {KEY}", f"0:{CHUNK - 1}",
            f"0:{4 * CHUNK - 1}", f"{KEY - CHUNK}:{KEY + CHUNK - 1}"]
    sets += [str(key * KEY + 5) for key in (1, 2, 100, 10_000, 100_000)]
    sets += [f"3 {HIGHEST_KEY * KEY} {HIGHEST_KEY * KEY + 0x80000000}"]
    for count in BORDERS:
        sets.append(f"0:{count - 1}")
        if 2 * count <= CHUNK:
            sets.append(spell([(2 * i + 1, 2 * i + 1) for i in range(count)]))
        if 3 * count <= CHUNK:
            sets.append(spell([(3 * i, 3 * i + 1) for i in range(count)]))
    return sets


def make(seed, count):
    """`count` scripts, none empty: the fixed ones, then random ones."""
    rng = random.Random(seed)
    sets = fixed_sets()[:count]
    while len(sets) < count:
        sets.append(many_containers(rng) if rng.random() < 0.05 else random_set(rng))
    return sets


def merge_pairs(sets):
    """An old vector and the rows that are added to it: other rows, the same, and a few in between."""
    pairs = [(old, sets[-1 - i]) for i, old in enumerate(sets[:len(sets) // 5])]
    for old in sets[len(sets) // 5:len(sets) // 5 + 40]:
        first, last = parse(old)[0]
        pairs += [(old, old), (old, str(last + 1)), (old, f"{first}:{last + 500}")]
    return pairs
