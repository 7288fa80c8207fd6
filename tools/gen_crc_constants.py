#!/usr/bin/env python3
"""Derives every constant of kernels/crc32 and prints kernels/crc32/constants.cpp.

    tools/gen_crc_constants.py > kernels/crc32/constants.cpp
    tools/gen_crc_constants.py --check      exit status 1 if the file in the tree differs

Polynomials over GF(2) are Python integers, bit k standing for x^k. The kernels hold them reflected:
the first bit of the message is the highest power of x and lies in bit 0 of byte 0. Why these
constants and no others is explained in kernels/crc32/README.md.
"""
import itertools
import pathlib
import sys

P = 0x104C11DB7  # x^32 + x^26 + ... + 1
UNITS = 128  # 16-byte units that the direct sum reaches: 2 KiB
FOLDS = range(64, 513, 64)  # bytes that a plane may be moved in one step
TARGETS = (4, 5, 7, 8)  # the planes that the bit-matrix kernel adds an eliminated plane to


def multiply(a, b):
    """a * b mod P."""
    r = 0
    while b:
        if b & 1:
            r ^= a
        a <<= 1
        if a >> 32:
            a ^= P
        b >>= 1
    return r


def power(n):
    """x^n mod P for any integer n: P is primitive, so x has the order 2^32 - 1."""
    n %= 2**32 - 1
    r, square = 1, 2
    while n:
        if n & 1:
            r = multiply(r, square)
        square = multiply(square, square)
        n >>= 1
    return r


def reflect(v, bits=32):
    return int(f"{v:0{bits}b}"[::-1], 2)


def direct():
    """Weights of the 16-byte unit that ends u units before the end of the message, u falling.

    A unit is a * x^64 + b with qwords a (first) and b; it counts for unit * x^(128 u + 32) mod P.
    The product of a reflected qword and a reflected 32-bit constant shifted left by one is a 96-bit
    number whose bit k stands for x^(95 - k): all of them can be added, and one reduction does.
    """
    for u in reversed(range(UNITS)):
        yield reflect(power(128 * u + 96)) << 1
        yield reflect(power(128 * u + 32)) << 1


def fold(distance):
    """Moves a unit `distance` bytes towards the end and keeps it a 128-bit number.

    The product of a reflected qword and an unshifted constant, read as 128 bits whose bit k stands
    for x^(127 - k), is x^33 too high: hence x^(n + 64 - 33) for the first qword, x^(n - 33) for the second.
    """
    n = 8 * distance
    return [reflect(power(n + 31)), reflect(power(n - 33))]


def reduction():
    """The inverse of the reflected P modulo z^64, and the reflected P.

    With bit k as z^k, the sum S has to lose its low 64 bits by adding a multiple of P (33 bits, its
    constant term is 1): the multiple is S / P mod z^64. What is left in bits 64 to 95 is S mod P.
    """
    reflected = reflect(P, 33)
    inverse = 0
    remainder = 1
    for k in range(64):
        if remainder >> k & 1:
            inverse |= 1 << k
            remainder ^= reflected << k
    return [inverse, reflected]


def combinations(columns):
    """A function that writes a 32-bit vector as a sum of columns (a mask), or None below rank 32."""
    basis = {}
    for index, vector in enumerate(columns):
        mask = 1 << index
        while vector and vector.bit_length() in basis:
            v, m = basis[vector.bit_length()]
            vector, mask = vector ^ v, mask ^ m
        if vector:
            basis[vector.bit_length()] = (vector, mask)
    if len(basis) < 32:
        return None

    def solve(vector):
        mask = 0
        while vector:
            v, m = basis[vector.bit_length()]
            vector, mask = vector ^ v, mask ^ m
        return mask

    return solve


def eliminate(targets):
    """8x8 bit matrices that spread a byte over the bytes `targets` planes (of 64 bytes) further on.

    Bit i of a byte is x^(7 - i) at its place. Seen from the last target, the byte's bits are
    x^(512 last + 7 - i), and the bits available to replace them x^(512 (last - e) + 7 - i).
    Row r of GF2P8AFFINEQB's matrix, which makes result bit r, is its byte 7 - r.
    """
    last = max(targets)
    solve = combinations([power(512 * (last - e) + 7 - i) for e in targets for i in range(8)])
    if solve is None:
        return None
    matrices = [0] * len(targets)
    for i in range(8):
        mask = solve(power(512 * last + 7 - i))
        for j in range(len(targets)):
            for row in range(8):
                if mask >> (8 * j + row) & 1:
                    matrices[j] |= 1 << (8 * (7 - row) + i)
    return matrices


def byte_powers():
    """x^(8n) for 0 <= n <= 256 in the upper half of a qword: times (register << 1) it is a 96-bit sum."""
    return [reflect(power(8 * n)) << 32 for n in range(257)]


def nibble_powers():
    """x^(8 * v * 16^k) for each nibble of a byte count below 2^32."""
    return [reflect(power(8 * v * 16**k)) for k in range(8) for v in range(16)]


def rows(values, digits, a_row):
    values = [f"0x{v:0{digits}x}" for v in values]
    return "".join(
        f"        {', '.join(values[i:i + a_row])},\n" for i in range(0, len(values), a_row)
    )


def text():
    # The reason for {4, 5, 7, 8}: no set with a smaller last target that starts at 4 or later has full rank.
    usable = [t for t in itertools.combinations(range(4, 9), 4) if eliminate(t)]
    assert TARGETS == min(usable, key=max), usable
    folds = [v for d in FOLDS for v in fold(d)]
    return f"""// Generated by tools/gen_crc_constants.py, which derives each value. Do not edit.
// clang-format off
#include "crc32/constants.hpp"

namespace dvk::inline v0::detail::crc {{

constinit const constant_tables constants = {{
    .direct = {{
{rows(direct(), 9, 8)}    }},
    .fold = {{
{rows(folds, 8, 8)}    }},
    .reduction = {{
{rows(reduction(), 16, 2)}    }},
    .eliminate = {{
{rows(eliminate(TARGETS), 16, 4)}    }},
    .byte_powers = {{
{rows(byte_powers(), 16, 4)}    }},
    .nibble_powers = {{
{rows(nibble_powers(), 8, 8)}    }},
}};

}}  // namespace dvk::inline v0::detail::crc
"""


def main():
    if sys.argv[1:] == ["--check"]:
        file = pathlib.Path(__file__).parent.parent / "kernels/crc32/constants.cpp"
        if file.read_text() != text():
            sys.exit(f"{file}: not what {pathlib.Path(__file__).name} derives")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        sys.stdout.write(text())


if __name__ == "__main__":
    main()
