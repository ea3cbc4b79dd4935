"""Unit normals: their tail, their moments, their cipher, and the same numbers from the compiler."""

import numpy as np
import pytest
from scipy import stats

from dpcore import _noise
from dpcore._noise import unit_normals


def test_the_cipher_is_chacha():
    """ChaCha8, key and nonce zero: the first words of the published test vector (TC1, 256 bits)."""
    words = _noise._blocks(np.zeros(8, np.uint32), 0, 0, np.zeros(1, np.uint32))[:, 0]
    assert words.astype("<u4").tobytes()[:16].hex() == "3e00ef2f895f40d67f5bb8e81f09a5a1"


def from_tail(n, seed):
    """Return n pairs whose first word lies in the lowest cell, as the loop would draw them."""
    rng = np.random.default_rng(seed)
    key = rng.integers(0, 2**32, 8, dtype=np.uint32)
    high = rng.integers(0, 256, n, dtype=np.uint32)
    low = rng.integers(0, 2**32, n, dtype=np.uint32)
    return _noise._normals(high, low, _noise._tail(key, 0, high))


@pytest.mark.parametrize("bar", [5.5, 6.0, 6.5, 7.0])
def test_tail_probabilities(bar):
    """Given the lowest cell, |Z| > bar happens as often as the density says.

    Six deviations of a binomial: false alarms below 1e-8 with the seed fixed.
    """
    n = 400_000
    one, two = (v.astype(float) for v in from_tail(n, 11))
    radius = np.hypot(one, two)
    assert radius.min() >= np.sqrt(48 * np.log(2)) * (1 - 1e-6)
    # P(|Z| > bar and R > r0) with R > r0 of probability 2^-24, by the angle.
    turns = (np.arange(200_000) + 0.5) / 200_000 * np.pi / 2
    reach = np.maximum(bar / np.cos(turns), np.sqrt(48 * np.log(2)))
    wanted = np.exp(-(reach**2) / 2).mean() * 2.0**24
    spread = np.sqrt(n * wanted * (1 - wanted))
    for z in (one, two):
        assert abs((np.abs(z) > bar).sum() - n * wanted) < 6 * spread + 1


def test_the_whole_tail_adds_up():
    """From 6.5 on the lowest cell is all there is: its share is the normal's own tail."""
    turns = (np.arange(200_000) + 0.5) / 200_000 * np.pi / 2
    whole = np.exp(-((6.5 / np.cos(turns)) ** 2) / 2).mean()
    assert whole == pytest.approx(2 * stats.norm.sf(6.5), rel=1e-3)


def test_the_smallest_number_reaches_beyond_1e_15_and_says_what_is_missing():
    largest = _noise._squared(np.array([2.0**-89], np.float32))
    assert np.sqrt(largest[0]) == pytest.approx(_noise.LARGEST, rel=1e-6)
    assert 2 * stats.norm.sf(_noise.LARGEST) < _noise.MISSING_MASS < 1e-15
    assert _noise.missing_mass(10**9) == 10**9 * _noise.MISSING_MASS


def cut(moved, reach, x, scale=1.0):
    """The density of a normal at ``moved`` whose noise ends at ``reach`` standard deviations."""
    kept = stats.norm.cdf(reach) - stats.norm.cdf(-reach)
    return np.where(np.abs(x - moved) <= reach * scale, stats.norm.pdf(x, moved, scale) / kept, 0.0)


@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("shift", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("reach", [3.0, 5.0])
@pytest.mark.parametrize("replaced", [False, True])
def test_what_a_normal_that_ends_adds_to_delta(rate, shift, reach, replaced, monkeypatch):
    """The bound, against a normal that ends much earlier, where the difference can be seen."""
    monkeypatch.setattr(_noise, "LARGEST", reach)
    monkeypatch.setattr(_noise, "MISSING_MASS", 2 * float(stats.norm.sf(reach)))
    x = np.linspace(-reach - 4, reach + 4, 400_001)
    other = -shift / 2 if replaced else 0.0
    mine = shift / 2 if replaced else shift
    base, ones, others = (
        {kind: make(place) for kind, make in (
            ("true", lambda p: stats.norm.pdf(x, p)), ("cut", lambda p: cut(p, reach, x)))}
        for place in (0.0, mine, other)
    )  # fmt: skip
    worlds = {
        kind: [(1 - rate) * base[kind] + rate * there[kind] for there in (ones, others)]
        for kind in ("true", "cut")
    }
    bound = _noise.beyond_reach(1, shift)
    assert bound < 0.5 or reach - shift < 2
    for one, two in ((0, 1), (1, 0)):
        for epsilon in (0.0, 0.5, 2.0, 5.0, 20.0, 200.0):
            deltas = {
                kind: np.maximum(w[one] - np.exp(epsilon) * w[two], 0).sum() * (x[1] - x[0])
                for kind, w in worlds.items()
            }
            assert deltas["cut"] <= deltas["true"] + bound + 1e-6
    # And it is needed: where the ends differ, outputs that only one of the worlds can make.
    far = np.maximum(worlds["cut"][0] - np.exp(200.0) * worlds["cut"][1], 0).sum() * (x[1] - x[0])
    assert 0 < far <= bound


def test_the_bound_beyond_reach_grows_with_the_shift_and_the_number():
    found = [_noise.beyond_reach(10**6, shift) for shift in (0.0, 1.0, 3.0, 5.0, 12.0)]
    assert found == sorted(found)
    assert found[0] < 1e-19
    assert found[-1] == 1
    assert _noise.beyond_reach(1, 1.0) < _noise.beyond_reach(10, 1.0)


@pytest.mark.parametrize("size", [1, 6, 31, 133, 255, 256, 257, 640, 4736])
def test_compiled_normals_are_the_same(size):
    compiled = pytest.importorskip("dpcore._noise_compiled")
    key = _noise.key_words(2**200 + 12345)
    drawn, shared = compiled.scratch(size)
    for step in range(50):
        fast = compiled.normals(key, step, size, True, drawn, shared)
        assert np.abs(fast - unit_normals(key, step, size)).max() < 2e-6


def test_compiled_tail_is_the_same():
    compiled, numba = pytest.importorskip("dpcore._noise_compiled"), pytest.importorskip("numba")
    read = compiled._read

    @numba.njit
    def mend(key, high, low, z):
        first, last = (read(high, 0), read(low, 0)), (read(high, 112), read(low, 112))
        words = (
            first, (read(high, 16), read(low, 16)), (read(high, 32), read(low, 32)),
            (read(high, 48), read(low, 48)), (read(high, 64), read(low, 64)),
            (read(high, 80), read(low, 80)), (read(high, 96), read(low, 96)), last,
        )  # fmt: skip
        compiled._mend(key, 5, 0, words, z)

    rng = np.random.default_rng(2)
    high = rng.integers(0, 2**32, 128, dtype=np.uint32)
    high[::7] = rng.integers(0, 256, len(high[::7]))
    low = rng.integers(0, 2**32, 128, dtype=np.uint32)
    key, z = _noise.key_words(77), np.zeros(256, np.float32)
    mend(key, high, low, z)
    wanted = np.concatenate(_noise._normals(high, low, _noise._tail(key, 5, high)))
    assert np.abs(z - wanted).max() < 2e-6
    assert np.hypot(z[:128], z[128:])[::7].min() > 5.76


def test_the_compiled_loop_sees_its_lowest_cell():
    """A group whose first word is below 256 somewhere gets its tail: found by search, key 0."""
    compiled = pytest.importorskip("dpcore._noise_compiled")
    key, step, z = _noise.key_words(0), 14027, np.zeros(256, np.float32)
    compiled._fill(key, step, z)
    assert np.hypot(z[:128], z[128:]).max() > np.sqrt(48 * np.log(2))
    assert np.abs(z - _noise._stream(key, step, 256)).max() < 2e-6


def test_moments_and_distribution():
    """KS at level 1e-6; moments within six deviations."""
    z = unit_normals(2**130 + 1, 3, 1_000_000).astype(float)
    assert stats.kstest(z, "norm").pvalue > 1e-6
    assert abs(z.mean()) < 6e-3
    assert abs((z**2).mean() - 1) < 6 * np.sqrt(2) * 1e-3
    assert abs((z**4).mean() - 3) < 6 * np.sqrt(96) * 1e-3


@pytest.mark.parametrize("bit", [0, 31, 63, 64, 127, 128, 255])
def test_every_bit_of_the_key_counts(bit):
    one, other = unit_normals(5, 0, 2000), unit_normals(5 ^ (1 << bit), 0, 2000)
    assert abs(np.corrcoef(one, other)[0, 1]) < 6 / np.sqrt(2000)


def test_steps_that_share_blocks_do_not_overlap():
    steps = np.concatenate([unit_normals(9, step, 6) for step in range(200)])
    assert len(np.unique(steps)) == len(steps)


@pytest.mark.parametrize("key", [-1, 2**256, 1.5])
def test_keys_that_are_none_are_refused(key):
    with pytest.raises(ValueError, match="key"):
        unit_normals(key, 0, 3)
