"""xxHash, 32 and 64 bits, seed 0: the checksums of LZ4 and Zstandard frames."""

import struct

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF
P32 = (2654435761, 2246822519, 3266489917, 668265263, 374761393)
P64 = (
    11400714785074694791,
    14029467366897019727,
    1609587929392839161,
    9650029242287828579,
    2870177450012600261,
)


def _rot32(x, r):
    return (x << r | x >> 32 - r) & M32


def _rot64(x, r):
    return (x << r | x >> 64 - r) & M64


def xxh32(data):
    p1, p2, p3, p4, p5 = P32
    n, at = len(data), 0
    if n >= 16:
        acc = [(p1 + p2) & M32, p2, 0, -p1 & M32]
        for at in range(0, n - 15, 16):
            for i, lane in enumerate(struct.unpack_from("<4I", data, at)):
                acc[i] = _rot32((acc[i] + lane * p2) & M32, 13) * p1 & M32
        at += 16
        h = sum(_rot32(a, r) for a, r in zip(acc, (1, 7, 12, 18))) & M32
    else:
        h = p5
    h = (h + n) & M32
    while at + 4 <= n:
        (lane,) = struct.unpack_from("<I", data, at)
        h = _rot32((h + lane * p3) & M32, 17) * p4 & M32
        at += 4
    for byte in data[at:]:
        h = _rot32((h + byte * p5) & M32, 11) * p1 & M32
    h = (h ^ h >> 15) * p2 & M32
    h = (h ^ h >> 13) * p3 & M32
    return h ^ h >> 16


def xxh64(data):
    p1, p2, p3, p4, p5 = P64

    def step(acc, lane):
        return _rot64((acc + lane * p2) & M64, 31) * p1 & M64

    n, at = len(data), 0
    if n >= 32:
        acc = [(p1 + p2) & M64, p2, 0, -p1 & M64]
        for at in range(0, n - 31, 32):
            acc = [step(a, lane) for a, lane in zip(acc, struct.unpack_from("<4Q", data, at))]
        at += 32
        h = sum(_rot64(a, r) for a, r in zip(acc, (1, 7, 12, 18))) & M64
        for a in acc:
            h = ((h ^ step(0, a)) * p1 + p4) & M64
    else:
        h = p5
    h = (h + n) & M64
    while at + 8 <= n:
        (lane,) = struct.unpack_from("<Q", data, at)
        h = (_rot64(h ^ step(0, lane), 27) * p1 + p4) & M64
        at += 8
    if at + 4 <= n:
        (lane,) = struct.unpack_from("<I", data, at)
        h = (_rot64(h ^ lane * p1 & M64, 23) * p2 + p3) & M64
        at += 4
    for byte in data[at:]:
        h = _rot64(h ^ byte * p5 & M64, 11) * p1 & M64
    h = (h ^ h >> 33) * p2 & M64
    h = (h ^ h >> 29) * p3 & M64
    return h ^ h >> 32
