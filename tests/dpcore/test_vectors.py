"""Vectors in compiled loops: every operation is numpy's, number by number."""

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from dpcore import _vectors as v  # noqa: E402

LANES = 16
read, every = v.reader(LANES), v.spreader(LANES)
F, I, U = np.float32, np.int32, np.uint32


def floats(seed=0, n=3 * LANES):
    return np.random.default_rng(seed).uniform(-9, 9, n).astype(F)


def test_floats():
    @numba.njit
    def run(a, b, out):
        x, y = read(a, 16), read(b, 0)
        v.put(out, 0, x + y)
        v.put(out, 16, x - F(2) * y)
        v.put(out, 32, F(1) / y)
        v.put(out, 48, v.root(x * x))
        v.put(out, 64, v.where(x < y, x, every(F(7))))

    a, b, out = floats(1), floats(2), np.zeros(5 * LANES, F)
    run(a, b, out)
    x, y = a[16:32], b[:16]
    wanted = [x + y, x - 2 * y, 1 / y, np.abs(x), np.where(x < y, x, 7)]
    np.testing.assert_allclose(out.reshape(5, LANES), wanted, rtol=1e-6)


@pytest.mark.parametrize("kind", [np.int32, np.uint32])
def test_whole_numbers(kind):
    @numba.njit
    def run(a, b, out):
        x, y = read(a, 0), read(b, 0)
        v.put(out, 0, x + y)
        v.put(out, 16, x - y)
        v.put(out, 32, (x & y) ^ (x | kind(12)))
        v.put(out, 48, x << kind(3))
        v.put(out, 64, x >> kind(3))
        v.put(out, 80, v.where(x < y, x, y))
        v.put(out, 96, v.where(x == kind(5), y, x))

    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 2**32, LANES, dtype=U).view(kind) for _ in range(2))
    a[3] = 5
    out = np.zeros(7 * LANES, kind)
    run(a, b, out)
    wanted = [a + b, a - b, (a & b) ^ (a | kind(12)), a << kind(3), a >> kind(3)]
    wanted += [np.minimum(a, b), np.where(a == 5, b, a)]
    np.testing.assert_array_equal(out.reshape(7, LANES), wanted)


def test_conversions():
    @numba.njit
    def run(a, words, out, wide, signed):
        x, w = read(a, 0), read(words, 0)
        v.put(signed, 0, v.whole(x))
        v.put(signed, 16, v.as_int(x))
        v.put(out, 0, v.real(v.whole(x)))
        v.put(out, 16, v.as_float(v.as_word(x)))
        v.put(out, 32, v.real(w))
        v.put(out, 48, v.single(v.widened(x) * 0.1))
        v.put(wide, 0, v.double(w))

    a = floats(4)[:LANES]
    words = np.random.default_rng(5).integers(0, 2**32, LANES, dtype=U)
    out, wide, signed = np.zeros(4 * LANES, F), np.zeros(LANES), np.zeros(2 * LANES, I)
    run(a, words, out, wide, signed)
    np.testing.assert_array_equal(signed.reshape(2, LANES), [a.astype(I), a.view(I)])
    wanted = [np.trunc(a), a, words.astype(F), (a.astype(float) * 0.1).astype(F)]
    np.testing.assert_array_equal(out.reshape(4, LANES), wanted)
    np.testing.assert_array_equal(wide, words)


@pytest.mark.parametrize(("at", "found"), [(None, False), (0, True), (15, True)])
def test_any(at, found):
    @numba.njit
    def run(a):
        return v.any_of(read(a, 0) < F(0))

    a = np.ones(LANES, F)
    if at is not None:
        a[at] = -1
    assert run(a) is found
