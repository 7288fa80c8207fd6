"""The claims: which ratio of two benchmarks must stay on which side of which number.

A bar is (group, name, above, below, sign, bar, stretch, per): the ratio is time(above) / time(below), both per item
(row, probe or call) or per byte, and must be at most (sign "<=") or at least (">=") the bar. In a benchmark's name
`{best}` stands for the best tier of the machine, `{crc32}` for the checksum variant that serves there. A side may be a
list of names: the smallest time counts, for "the best of the peers". A side may also be a number: nanoseconds per item.
"""

from collections import namedtuple

Bar = namedtuple("Bar", "group name above below sign bar stretch per")

DELETING = ["scattered300", "rand1pct", "rand3pct", "rand10pct", "rand50pct", "clustered", "shortruns5pct",
            "denseruns28pct", "everyother"]
MIXED = ["rand1pct", "rand3pct", "rand10pct", "rand50pct", "shortruns5pct", "denseruns28pct", "everyother"]


def bars():
    out = []

    def add(group, name, above, below, sign, bar, stretch=None, per="item"):
        out.append(Bar(group, name, above, below, sign, bar, stretch, per))

    limit = "limit/iota_u32_misaligned/n{n}/{{best}}"

    def select(form, dataset, n=2048, tier="{best}"):
        return f"select/{form}/{dataset}/n{n}/{tier}"

    for dataset, bar in [("empty", 0.95), ("scattered300", 0.95), ("rand1pct", 1.45), ("rand3pct", 1.75),
                         ("rand10pct", 1.12), ("rand50pct", 0.95), ("everyother", 0.90), ("clustered", 0.5),
                         ("shortruns5pct", 1.55), ("denseruns28pct", 3.3)]:
        add("select", f"u32 list, {dataset}, n=2048, over misaligned fill", select("u32", dataset),
            limit.format(n=2048), "<=", bar)
    for dataset, bar in [("rand1pct", 1.2), ("rand3pct", 1.6)]:
        add("select", f"u32 list, {dataset}, n=65536, over misaligned fill", select("u32", dataset, 65536),
            limit.format(n=65536), "<=", bar)

    for dataset in DELETING:
        add("peers", f"DuckDB containsBulk loop, {dataset}, over u32 list",
            f"peer/duckdb_contains_bulk/{dataset}/n2048", select("u32", dataset), ">=", 90)
    for dataset in MIXED:
        add("peers", f"Velox positions and bitmap, {dataset}, over u32 list", f"peer/velox_bitmap/{dataset}/n2048",
            select("u32", dataset), ">=", 6)
    # The peer's bitset is there before the clock starts; making one is what dense runs cost, so they are left out.
    for dataset in [d for d in MIXED if d != "denseruns28pct"]:
        add("peers", f"CRoaring bitset decode, {dataset}, over u32 list",
            f"peer/croaring_bitset_decode/{dataset}/n2048", select("u32", dataset), ">=", 1.4)

    for dataset in ["empty", "alldeleted"]:
        # 6 ns a batch of 2,048 rows.
        add("forms", f"uniform batches, {dataset}: ns per batch over 6 ns", select("u32_flag", dataset), 6 / 2048,
            "<=", 1)
    add("forms", "live runs, rand1pct, over misaligned fill", select("runs", "rand1pct"), limit.format(n=2048), "<=",
        0.65)
    for dataset in ["rand10pct", "rand50pct", "everyother"]:
        add("forms", f"bits from bitset, {dataset}, aligned, over misaligned fill", select("bits", dataset),
            limit.format(n=2048), "<=", 0.2)
        add("forms", f"bits from bitset, {dataset}, any start, over misaligned fill",
            select("bits_unaligned", dataset), limit.format(n=2048), "<=", 0.32)
        add("forms", f"bytes from bitset, {dataset}, over misaligned fill", select("bytes", dataset),
            limit.format(n=2048), "<=", 0.6)

    for tier, bar in [("avx2", 2.4), ("sse42", 3.8)]:
        for dataset in MIXED:
            add("tiers", f"u32 list, {dataset}, {tier} over avx512", select("u32", dataset, tier=tier),
                select("u32", dataset, tier="avx512"), "<=", bar)

    for n, bar in [(2048, 20), (16384, 12)]:
        for share in ["all", "half"]:
            for dataset in MIXED:
                add("refine", f"CRoaring containsBulk, {dataset}, {share} selected, n={n}, over refine u32",
                    f"peer/refine_contains_bulk_{share}/{dataset}/n{n}", f"refine/u32_{share}/{dataset}/n{n}/{{best}}",
                    ">=", bar)

    for dataset in ["rand1pct", "rand3pct"]:
        add("probe", f"CRoaring contains, {dataset}, over contains", f"peer/croaring_contains/{dataset}",
            f"probe/single/{dataset}/{{best}}", ">=", 4)
        add("probe", f"CRoaring contains, {dataset}, over contains_many unsorted",
            f"peer/croaring_contains_unsorted/{dataset}", f"probe/unsorted/{dataset}/{{best}}", ">=", 5)
        add("probe", f"CRoaring containsBulk, {dataset}, over contains_many sorted",
            f"peer/croaring_contains_bulk_sorted/{dataset}", f"probe/sorted/{dataset}/{{best}}", ">=", 7)

    for kind, datasets, bar in [("arrays", ["rand1pct", "rand3pct"], 15), ("bitsets", ["rand10pct", "rand50pct"], 5),
                                ("short runs", ["shortruns5pct"], 6)]:
        for dataset in datasets:
            add("open", f"CRoaring deserialise and validate, {kind}, {dataset}, over open",
                f"peer/croaring_deserialize_validate/{dataset}", f"open/standard/{dataset}/{{best}}", ">=", bar)
    for kind, datasets, bar in [("array", ["rand1pct", "rand3pct"], 0.55), ("bitset", ["rand10pct", "rand50pct"], 0.9)]:
        for dataset in datasets:
            add("open", f"reading the bytes once over validating {kind}s, {dataset}",
                f"limit/memread/{dataset}/{{best}}", f"validate/{kind}/{dataset}/{{best}}", ">=", bar, per="byte")

    for dataset in MIXED:
        add("access", f"u32 list, {dataset}, starts at 17 modulo 64 over consecutive", select("u32_unaligned", dataset),
            select("u32", dataset), "<=", 1.12)
    for dataset in MIXED:
        add("access", f"u32 list, {dataset}, random starts over consecutive", select("u32_random", dataset),
            select("u32", dataset), "<=", 1.12)
    for dataset in MIXED:
        add("access", f"u32 list, {dataset}, 100 million rows over 4 million", select("u32", dataset + "_100m"),
            select("u32", dataset), "<=", 1.15)

    for size in ["64B", "1KiB", "4KiB", "64KiB", "1MiB", "16MiB"]:
        add("crc32", f"best of zlib, libdeflate, ISA-L, {size}, over crc32",
            [f"peer/{peer}_crc32/{size}" for peer in ("zlib", "libdeflate", "isal")], f"crc32/{size}/{{crc32}}", ">=", 1, per="byte")

    # From bytes to bytes, the inputs opened and checked.
    for kind, datasets, bar, stretch in [("arrays", ["rand1pct", "rand3pct"], 4, 8),
                                         ("bitsets", ["rand10pct", "rand50pct", "everyother"], 4, 8),
                                         ("runs", ["shortruns5pct", "denseruns28pct"], 2, 4)]:
        for dataset in datasets:
            add("write", f"CRoaring union of {kind}, {dataset}, over set_union", f"peer/croaring_or/{dataset}",
                f"set_or_bytes/{dataset}/{{best}}", ">=", bar, stretch)
    for dataset in ["rand1pct_100m", "rand10pct_100m", "shortruns5pct_100m"]:
        for order in ["", "_shuffled"]:
            for how in ["add_many", "positions"]:
                add("write", f"CRoaring add_many to bytes, {dataset}{order}, over {how}",
                    f"peer/croaring_build{order}/{dataset}", f"build/{how}{order}/{dataset}/{{best}}", ">=", 1)
    for order in ["", "_shuffled"]:
        for dataset in ["rand1pct", "rand10pct", "shortruns5pct"]:
            add("write", f"CRoaring add, {dataset}{order}, over add",
                [f"peer/croaring_add{bulk}{order}/{dataset}" for bulk in ("", "_bulk")], f"build/add{order}/{dataset}",
                ">=", 1)
            # Ranges out of order are CRoaring's own work: equal, but for a few nanoseconds of 120.
            add("write", f"CRoaring add_range, {dataset}{order}, over add_range",
                f"peer/croaring_add_range{order}/{dataset}", f"build/add_range{order}/{dataset}", ">=",
                0.9 if order else 1)
    return out
